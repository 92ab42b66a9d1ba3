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
const REQUESTS = 200
const WARM_UP = 20

const DAY_MS = 86_400_000
export const ledgerReadNames = [
  'balances of the account, 90 days',
  'balances of all accounts, 90 days',
  '100 transfers of the organisation',
  '100 transfers of the account',
  'flows of 90 days',
]

/** The operations on the ledger: 90 days of an account with a million transactions, and one check of the laws. */
export async function ledgerReads({ service, figures, say, fault }: Bench): Promise<void> {
  say(`an account with ${entries} entries is made`)
  const accountId = await createLongAccount(service, entries)
  const since = new Date(Date.now() - 89 * DAY_MS).toISOString()
  const paths = [
    `balances?accountId=${accountId}&since=${since}`,
    `balances?since=${since}`,
    'transfers?limit=100',
    `transfers?accountId=${accountId}&limit=100&until=${since}`,
    `flows?since=${since}`,
  ]
  for (const [index, path] of paths.entries()) {
    if (path.startsWith('flows')) figures.add('sums of 90 days, made once', await makeSums(service.url, path))
    const times: number[] = []
    for (let number = 0; number < WARM_UP + REQUESTS; number++) {
      const taken = await timed(service.url, path, 'GET', fault)
      if (number >= WARM_UP) times.push(taken)
    }
    figures.add(ledgerReadNames[index] ?? path, medianOf(times) ?? Number.NaN)
  }
  say('the laws of the organisation are checked')
  figures.add('check of the laws', await timed(service.url, 'verification', 'POST', fault))
}

/** The sums of hours are made by the first calls, each of which ends after five seconds. */
async function makeSums(url: string, path: string): Promise<number> {
  const startedMs = performance.now()
  for (;;) {
    const { status } = await fetch(`${url}/v0/ledger/${path}`, { headers: { 'X-Service-API-Key': apiKey } })
    if (status !== 503) return performance.now() - startedMs
  }
}

async function timed(url: string, path: string, method: string, fault: Bench['fault']): Promise<number> {
  const startedMs = performance.now()
  const response = await fetch(`${url}/v0/ledger/${path}`, { method, headers: { 'X-Service-API-Key': apiKey } })
  const text = await response.text()
  if (response.status !== 200 || text.length < 50) fault(`${method} ${path} answered ${response.status} ${text}`)
  return performance.now() - startedMs
}
