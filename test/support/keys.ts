import { eventsAfter } from './events.ts'
import type { TestBank } from './harness.ts'

/** A new key as the service answers it. */
export interface IssuedKey {
  id: string
  key: string
  expiresAt: string | null
}

/** Creates a key by a request. */
export async function issueKey(bank: TestBank, body: object = {}, key = bank.key): Promise<IssuedKey> {
  const reply = await bank.call('POST', '/v0/api-keys', { key, body: { name: 'Sample', ...body } })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.json.data
}

/** The status of a request with this key. */
export async function statusWith(bank: TestBank, key: string): Promise<number> {
  return (await bank.call('GET', '/v0/banking/accounts', { key })).status
}

/** The events of a record, oldest first. */
export async function eventsOf(bank: TestBank, id: string, organisation = 'first') {
  const events = await eventsAfter(bank, 0, organisation)
  return events.filter(({ entityId }) => entityId === id).map(({ type, version, data }) => ({ type, version, data }))
}

/** A time so many seconds from now, as a request writes it. */
export function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1_000).toISOString()
}
