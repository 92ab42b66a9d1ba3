import { dataDirOption, onDatabase, operatorCommand } from '../../operate.ts'

const person = { name: 'id', description: 'Id of the person' }
const roleOption = { flags: '--role <role>', description: 'Role, such as viewer or administrator', required: true }
const organisationOption = { flags: '--organisation <name>', description: 'Organisation (default: default)' }

export const peopleInvite = operatorCommand({
  path: 'people invite',
  summary: 'Invites a person to the console',
  description: `${onDatabase} Prints a link with which the person registers a passkey. It works once, for three days.`,
  arguments: [{ name: 'name', description: 'Name of the person' }],
  options: [roleOption, organisationOption, dataDirOption],
  examples: [{ run: 'purser people invite "Ada Lovelace" --role reviewer', does: 'Invites a reviewer' }],
  load: async () => (await import('../../../src/operator/people.ts')).invitePerson,
})

export const peopleLink = operatorCommand({
  path: 'people link',
  summary: 'Invites a person anew whose device is lost',
  description: `${onDatabase} The passkeys, sessions and earlier invitations of the person end.`,
  arguments: [person],
  options: [dataDirOption],
  examples: [{ run: 'purser people link "$PERSON"', does: 'Prints a new link for a person' }],
  load: async () => (await import('../../../src/operator/people.ts')).linkPerson,
})

export const peopleList = operatorCommand({
  path: 'people list',
  summary: 'Lists the persons who sign in',
  description: onDatabase,
  options: [{ ...organisationOption, description: 'Those with a role in this organisation' }, dataDirOption],
  examples: [{ run: 'purser people list', does: 'Lists the persons with their roles' }],
  load: async () => (await import('../../../src/operator/people.ts')).listPersons,
})

export const peopleRole = operatorCommand({
  path: 'people role',
  summary: 'Gives a person a role in an organisation',
  description: `${onDatabase} The role none takes the present one. The change works within five seconds.`,
  arguments: [person],
  options: [roleOption, organisationOption, dataDirOption],
  examples: [{ run: 'purser people role "$PERSON" --role risk', does: 'Lets a person decide about risk' }],
  load: async () => (await import('../../../src/operator/people.ts')).setPersonRole,
})

export const peopleRemove = operatorCommand({
  path: 'people remove',
  summary: 'Removes a person',
  description: `${onDatabase} Their sessions end everywhere within five seconds. The audit log keeps their name.`,
  arguments: [person],
  options: [dataDirOption],
  examples: [{ run: 'purser people remove "$PERSON"', does: 'Removes a person' }],
  load: async () => (await import('../../../src/operator/people.ts')).removePerson,
})
