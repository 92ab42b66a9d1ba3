import type { Bench } from './desk.ts'
import { medianOf } from './figures.ts'
import { call } from './service.ts'
import { administer } from './world.ts'

const ASKED = 50
const WARM_UP = 10

export const searchKinds = ['name', 'all names', 'account number', 'last four digits', 'id', 'nothing'] as const

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
    for (let asked = 0; asked < WARM_UP + ASKED; asked++) {
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
