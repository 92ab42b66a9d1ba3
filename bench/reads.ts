import { type Bench, measure } from './desk.ts'
import { meanOf, medianOf } from './figures.ts'
import { apiKey } from './service.ts'
import { createLongAccount } from './world.ts'

export const getConnections = [64, 128]

/** One round of GET account, between two runs of a bare server that answers the same bytes. */
export async function getRound(bench: Bench): Promise<void> {
  for (const connections of getConnections) {
    const bare = { kind: 'accounts', url: bench.bareUrl, connections } as const
    const before = await measure(bench, 'bare get', bare)
    await measure(bench, 'get', { ...bare, url: bench.service.url })
    const after = await measure(bench, 'bare get', bare)
    bench.figures.add(
      `bare around get ${connections}`,
      meanOf([before, after].map(({ requests, seconds }) => requests / seconds)),
    )
  }
}

export const entries = 1_000_000
export const listOffsets = [0, 999_900]
const REQUESTS = 200
const WARM_UP = 20

/** The newest and the oldest page of an account with a million transactions, asked for in turn. */
export async function listPages({ service, figures, say, fault }: Bench): Promise<void> {
  say(`an account with ${entries} entries is made`)
  const accountId = await createLongAccount(service, entries)
  const taken = new Map<number, number[]>(listOffsets.map((offset) => [offset, []]))
  for (let number = 0; number < WARM_UP + REQUESTS; number++) {
    for (const [offset, times] of taken) {
      const startedMs = performance.now()
      const response = await fetch(
        `${service.url}/v0/banking/transactions?accountId=${accountId}&offset=${offset}&limit=100`,
        { headers: { 'X-Service-API-Key': apiKey } },
      )
      const { data } = (await response.json()) as { data: unknown[] }
      if (number >= WARM_UP) times.push(performance.now() - startedMs)
      if (response.status !== 200 || data.length !== 100) fault(`the page at ${offset} has ${data.length} entries`)
    }
  }
  for (const [offset, times] of taken) figures.add(`list ${offset}`, medianOf(times) ?? Number.NaN)
}
