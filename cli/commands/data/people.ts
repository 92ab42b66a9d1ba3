import type { Command } from '../../command.ts'
import { dataDirOption, operated } from '../../operate.ts'

const description = 'Works on the database itself, so it needs no key, and the service may run or not.'
const person = { name: 'id', description: 'Id of the person' }
const roleOption = { flags: '--role <role>', description: 'Role, such as viewer or administrator', required: true }
const organisationOption = { flags: '--organisation <name>', description: 'Organisation (default: default)' }

export const peopleInvite: Command = {
  path: 'people invite',
  summary: 'Invites a person to the console',
  description: `${description} Prints a link with which the person registers a passkey. It works once, for three days.`,
  group: 'Operate',
  isLocal: true,
  arguments: [{ name: 'name', description: 'Name of the person' }],
  options: [roleOption, organisationOption, dataDirOption],
  examples: [{ run: 'purser people invite "Ada Lovelace" --role reviewer', does: 'Invites a reviewer' }],
  run: operated(async () => (await import('../../../src/operator/people.ts')).invitePerson),
}

export const peopleLink: Command = {
  path: 'people link',
  summary: 'Invites a person anew whose device is lost',
  description: `${description} The passkeys, sessions and earlier invitations of the person end.`,
  group: 'Operate',
  isLocal: true,
  arguments: [person],
  options: [dataDirOption],
  examples: [{ run: 'purser people link "$PERSON"', does: 'Prints a new link for a person' }],
  run: operated(async () => (await import('../../../src/operator/people.ts')).linkPerson),
}

export const peopleList: Command = {
  path: 'people list',
  summary: 'Lists the persons who sign in',
  description,
  group: 'Operate',
  isLocal: true,
  options: [{ ...organisationOption, description: 'Those with a role in this organisation' }, dataDirOption],
  examples: [{ run: 'purser people list', does: 'Lists the persons with their roles' }],
  run: operated(async () => (await import('../../../src/operator/people.ts')).listPersons),
}

export const peopleRole: Command = {
  path: 'people role',
  summary: 'Gives a person a role in an organisation',
  description: `${description} The role none takes the present one. The change works within five seconds.`,
  group: 'Operate',
  isLocal: true,
  arguments: [person],
  options: [roleOption, organisationOption, dataDirOption],
  examples: [{ run: 'purser people role "$PERSON" --role risk', does: 'Lets a person decide about risk' }],
  run: operated(async () => (await import('../../../src/operator/people.ts')).setPersonRole),
}

export const peopleRemove: Command = {
  path: 'people remove',
  summary: 'Removes a person',
  description: `${description} Their sessions end everywhere within five seconds. The audit log keeps their name.`,
  group: 'Operate',
  isLocal: true,
  arguments: [person],
  options: [dataDirOption],
  examples: [{ run: 'purser people remove "$PERSON"', does: 'Removes a person' }],
  run: operated(async () => (await import('../../../src/operator/people.ts')).removePerson),
}
