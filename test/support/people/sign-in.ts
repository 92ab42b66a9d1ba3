import { openRecordIds } from '../../../src/database/record-ids.ts'
import type { RolesOfPerson, SessionKind } from '../../../src/people/people.sql.ts'
import { insertPerson } from '../../../src/people/people.sql.ts'
import { beginSession } from '../../../src/people/sessions.ts'
import type { CallOptions, Reply, TestBank } from '../harness.ts'

export interface SignedInPerson {
  id: number
  token: string
  /** Calls as the console does, with the cookie of the session; `in` names another organisation than the first. */
  call(method: string, path: string, options?: CallOptions & { in?: string }): Promise<Reply>
}

/** A person who has signed in, by the rows that a sign-in writes. */
export async function signIn(
  bank: Pick<TestBank, 'database' | 'call'>,
  roles: RolesOfPerson,
  { name = 'Ada Lovelace', kind = 'browser', as }: { name?: string; kind?: SessionKind; as?: number } = {},
): Promise<SignedInPerson> {
  const { database } = bank
  const ids = openRecordIds(database)
  const id = as ?? (await ids.next())
  if (as === undefined) await insertPerson(database, { id, name, subject: null, roles })
  const token = await beginSession({ database, ids }, { personId: id, kind, address: '127.0.0.1' })
  const own: Record<string, string> =
    kind === 'command'
      ? { 'x-service-api-key': token }
      : { cookie: `__Host-purser=${token}`, 'sec-fetch-site': 'same-origin' }
  return {
    id,
    token,
    call: (method, path, { in: organisation, headers, ...options } = {}) =>
      bank.call(method, path, {
        ...options,
        key: null,
        headers: {
          ...own,
          ...(organisation && { 'x-purser-organisation': encodeURIComponent(organisation) }),
          ...headers,
        },
      }),
  }
}
