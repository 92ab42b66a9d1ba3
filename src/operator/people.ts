import { join } from 'node:path'
import { UsageError } from '../../ground/failure.ts'
import { idNumber } from '../base/ids.ts'
import { StartupError } from '../base/startup-error.ts'
import { isCleanText } from '../base/text.ts'
import { requireClaimed } from '../cells/claim.ts'
import { cellsOf } from '../cells/settings.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { openRecordIds } from '../database/record-ids.ts'
import { visitDatabase } from '../database/visit.ts'
import { changeRole, invite, inviteAnew, peopleOf, remove, signsInBy } from '../people/manage-people.ts'
import { rolesWith } from '../people/roles.ts'
import type { OperatorCall, OperatorCommand } from './command.ts'

/** Runs `work` on the database of the home cell, which has the persons. */
function atHome<T>(call: OperatorCall, work: (database: Database) => Promise<T>): Promise<T> {
  const [home] = cellsOf(call.config())
  const prepared = async (database: Database) => {
    await requireClaimed(database, home)
    await migrate(database, join(call.root, 'migrations'))
    return work(database)
  }
  return visitDatabase(home, prepared, call.closers)
}

/** Adds a person and prints the link with which they register a passkey. */
export const invitePerson: OperatorCommand = async (call) => {
  const [name = ''] = call.args
  if (name.length < 1 || name.length > 255 || !isCleanText(name)) throw new UsageError('NAME takes 1 to 255 characters')
  const { role, organisation } = roleIn(call)
  const roles = { [organisation]: role }
  const { id, secret } = await atHome(call, (database) =>
    invite({ database, ids: openRecordIds(database) }, { name, roles }),
  )
  printLink(call, { id, secret }, `${name} is person ${id}, ${role} of ${organisation}.`)
}

/** Invites a person anew whose device is lost. */
export const linkPerson: OperatorCommand = async (call) => {
  const id = idIn(call)
  const secret = await atHome(call, (database) => inviteAnew(database, id))
  if (secret === undefined) throw nobody(id)
  printLink(call, { id, secret }, `The passkeys and sessions of person ${id} have ended.`)
}

function printLink(call: OperatorCall, { id, secret }: { id: number; secret: string }, text: string): void {
  const { origin } = call.config().people
  const link = `${origin ?? `http://localhost:${call.config().port}`}/console#invitation=${secret}`
  call.out.result({ id: String(id), link }, `${link}\n\n${text} The link works once, for three days.`)
}

/** Lists the persons of the bank. */
export const listPersons: OperatorCommand = async (call) => {
  const { out, options } = call
  const { organisation } = options as { organisation?: string }
  const found = await atHome(call, (database) => peopleOf(database, organisation ?? null))
  const rows = found.map(({ id, name, roles, createdAt, usedAt, ...person }) => ({
    id: String(id),
    name,
    roles: out.forPeople
      ? Object.entries(roles)
          .map((pair) => pair.join(': '))
          .join(', ')
      : roles,
    signsIn: signsInBy(person),
    usedAt,
    createdAt,
  }))
  await out.records(rows, {
    ...{ id: 'ID', name: 'NAME', roles: 'ROLES', signsIn: 'SIGNS IN BY', usedAt: 'LAST USED', createdAt: 'CREATED' },
  })
}

/** Gives a person a role in an organisation, or takes it. */
export const setPersonRole: OperatorCommand = async (call) => {
  const id = idIn(call)
  const { role, organisation } = roleIn(call, 'none')
  const given = role === 'none' ? null : role
  const known = await atHome(call, (database) => changeRole(database, { id, organisation, role: given }))
  if (!known) throw nobody(id)
  call.out.result(
    { id: String(id), organisation, role: given },
    `within five seconds person ${id} has the role ${role} in ${organisation}`,
  )
}

/** Removes a person from the bank. */
export const removePerson: OperatorCommand = async (call) => {
  const id = idIn(call)
  if (!(await atHome(call, (database) => remove(database, id)))) throw nobody(id)
  call.out.result(
    { id: String(id), removed: true },
    `removed: within five seconds person ${id} can do nothing anywhere`,
  )
}

function roleIn({ config, options }: OperatorCall, ...others: string[]): { role: string; organisation: string } {
  const { role = '', organisation = 'default' } = options as Record<string, string | undefined>
  const roles = [...rolesOf(config()), ...others]
  if (!roles.includes(role)) throw new UsageError(`--role takes ${roles.join(', ')}; not ${role}`)
  return { role, organisation }
}

function rolesOf({ people }: Config): string[] {
  return [...rolesWith(people.roles).keys()]
}

function idIn({ args: [text = ''] }: OperatorCall): number {
  return idNumber(text)
}

function nobody(id: number): StartupError {
  return new StartupError(`there is no person ${id}: \`purser people list\` lists all`)
}
