import type { Bench } from './desk.ts'
import { medianOf } from './figures.ts'
import { load } from './load.ts'
import { call } from './service.ts'
import { administer } from './world.ts'

const RECORDS = 200
const SEARCHES = 50
const WARM_UP = 20

export const searchKinds = ['name', 'all names', 'account number', 'last four digits', 'id', 'nothing'] as const

/** The events of single payments and transactions in a feed that payments have filled, asked for one after the other. */
export async function feedLookups({ service, world, figures, options, say, fault }: Bench): Promise<void> {
  await load({ kind: 'payments', url: service.url, connections: 128, seconds: options.seconds, world })
  const { events, records } = await administer(service, async (client) => {
    const counted = await client.query<{ events: string }>('select sum(sequence) as events from event_counter')
    const picked = await client.query<{ type: string; id: string }>(
      `(select 'payment' as type, id::text from payment order by random() limit $1::bigint)
       union all
       (select 'transaction', id::text from transfer where source_kind = 'payment' order by random() limit $1::bigint)`,
      [(RECORDS + WARM_UP) / 2],
    )
    return { events: Number(counted.rows[0]?.events), records: picked.rows }
  })
  const times: number[] = []
  for (const [number, { type, id }] of records.entries()) {
    const startedMs = performance.now()
    const found = await call(service.url, 'GET', `/v0/events?entityType=${type}&entityId=${id}`)
    if (number >= WARM_UP) times.push(performance.now() - startedMs)
    if (found.length === 0) fault(`${type} ${id} has no event`)
  }
  say(`events of a record among ${events}: median ${medianOf(times)?.toFixed(1)} ms`)
  figures.add('feed events', events)
  figures.add('feed median', medianOf(times) ?? Number.NaN)
  figures.add('feed slowest', Math.max(...times))
}

/** Searches of each kind, asked for one after the other: for one record, for all of them, and for words. */
export async function searches({ service, world, figures, say, fault }: Bench): Promise<void> {
  const number = Math.floor(world.count / 2)
  const accountNumber = await administer(service, async (client) => {
    const { rows } = await client.query<{ number: string }>(
      'select account_number as number from account where id = $1',
      [world.firstAccount + number],
    )
    return rows[0]?.number ?? ''
  })
  const texts: Record<(typeof searchKinds)[number], string> = {
    name: `customer ${number}`,
    'all names': 'c',
    'account number': accountNumber,
    'last four digits': accountNumber.slice(-4),
    id: String(world.firstAccount + number),
    nothing: 'zzz',
  }
  let slowest = 0
  for (const [kind, text] of Object.entries(texts)) {
    const times: number[] = []
    for (let asked = 0; asked < WARM_UP + SEARCHES; asked++) {
      const startedMs = performance.now()
      const found = await call(service.url, 'GET', `/v0/search?q=${encodeURIComponent(text)}`)
      if (asked >= WARM_UP) times.push(performance.now() - startedMs)
      if ((found.length === 0) !== (kind === 'nothing')) fault(`a search for ${text} finds ${found.length} records`)
    }
    say(`search for ${kind} among ${world.count} accounts: median ${medianOf(times)?.toFixed(1)} ms`)
    figures.add(`search ${kind}`, medianOf(times) ?? Number.NaN)
    slowest = Math.max(slowest, ...times)
  }
  figures.add('search slowest', slowest)
}
