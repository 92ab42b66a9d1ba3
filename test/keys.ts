import type { TestBank } from './harness.ts'

/** A key as the service answers it when it makes one. */
export interface IssuedKey {
  id: string
  key: string
  expiresAt: string | null
}

/** Asks for a key through the front door. */
export async function issueKey(bank: TestBank, body: object = {}, key = bank.key): Promise<IssuedKey> {
  const reply = await bank.call('POST', '/v0/api-keys', { key, body: { name: 'Sample', ...body } })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.json.data
}

/** What a request with this key answers. */
export async function statusWith(bank: TestBank, key: string): Promise<number> {
  return (await bank.call('GET', '/v0/banking/accounts', { key })).status
}

/** The events of a record, oldest first. */
export async function eventsOf(bank: TestBank, id: string) {
  const rows = await bank.database.query<{ type: string; version: number; data: string }>(
    `select type, entity_version as version, data from event where entity_id = $1::text order by sequence`,
    [id],
  )
  return rows.map(({ type, version, data }) => ({ type, version, data: JSON.parse(data) }))
}

/** A time so many seconds from now, as a request writes it. */
export function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1_000).toISOString()
}
