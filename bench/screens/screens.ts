import { activityTypes } from '../../console/data/records/activity.ts'
import { checkLaws, type Desk } from '../desk.ts'
import { medianOf } from '../figures.ts'
import { type Bank, makeBank } from '../growth/bank.ts'
import { pssBytes } from '../machine.ts'
import { apiKey, call } from '../service.ts'

/** An export has a million records at most, and the accounts of the set have some payments more. */
const screenPayments = 980_000
const REQUESTS = 30
const WARM_UP = 5
const DAY_MS = 86_400_000
const SAMPLE_MS = 200

const activity = activityTypes.map((type) => `type=${type}`).join('&')
const bothTypes = 'type=achPayment&type=bookPayment'
const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)

/** The requests of the console's Home, of the screen of a payment and of lists. Some find nothing, which is the most work. */
const paths: Record<string, (bank: Bank, number: number) => string> = {
  'what needs attention': () => '/v0/attention',
  'Home: balances of 90 days': () => `/v0/ledger/balances?since=${day(89)}`,
  'Home: money in and out of 30 days': () => `/v0/ledger/flows?since=${day(29)}&interval=day`,
  'Home: money position': () => '/v0/ledger/position',
  'Home: latest activity': () => `/v0/events?${activity}&sort=-sequence&limit=10`,
  'Home: names of the latest activity': () => `/v0/banking/payments?${bothTypes}&sort=-createdAt&limit=100`,
  'history of a payment': ({ set, size }, number) => `/v0/history/payment/${set.paymentId(size - 1 - number)}`,
  'search for a name': (_bank, number) => `/v0/search?q=customer%20${number}`,
  'search for an amount': () => '/v0/search?q=%24987654.32',
  'search for a code': () => '/v0/search?q=R29',
  'search for a word': () => '/v0/search?q=nowhere',
  'payments with a word': () => '/v0/banking/payments?search=nowhere&limit=100&count=true',
}
export const screenReads = Object.keys(paths)

/** The requests that people at the console wait for, and an export, with a million payments. */
export async function screenRounds(desk: Desk): Promise<void> {
  const { figures, options, say } = desk
  const bank = await makeBank(desk, Math.min(screenPayments, Math.max(...options.sizes)))
  for (const [name, pathOf] of Object.entries(paths)) {
    const times: number[] = []
    for (let asked = 0; asked < WARM_UP + REQUESTS; asked++) {
      const startedMs = performance.now()
      await call(bank.service.url, 'GET', pathOf(bank, asked))
      if (asked >= WARM_UP) times.push(performance.now() - startedMs)
    }
    const median = medianOf(times) ?? Number.NaN
    figures.add(`screen ${name}`, median)
    say(`${name} among ${bank.size} payments: median ${median.toFixed(1)} ms`)
  }
  await exportAll(desk, bank)
  await checkLaws(bank.database)
  await bank.database.close()
  await bank.service.stop()
}

/** Reads an export to its end, and the memory of the service with its database meanwhile. */
async function exportAll({ figures, say, fault }: Desk, { service, size }: Bank): Promise<void> {
  const before = pssBytes(service.pid)
  let most = before ?? 0
  const sampler = setInterval(() => {
    most = Math.max(most, pssBytes(service.pid) ?? 0)
  }, SAMPLE_MS)
  const startedMs = performance.now()
  const response = await fetch(`${service.url}/v0/exports/payments?format=jsonl`, {
    headers: { 'X-Service-API-Key': apiKey },
  })
  let rows = 0
  for await (const part of response.body ?? []) rows += new TextDecoder().decode(part).split('\n').length - 1
  clearInterval(sampler)
  const seconds = (performance.now() - startedMs) / 1_000
  if (rows < size) fault(`the export has ${rows} of ${size} payments`)
  figures.add('export seconds', seconds)
  const megabytes = (most - (before ?? most)) / 2 ** 20
  if (before !== undefined) figures.add('export megabytes', megabytes)
  say(`an export of ${rows} payments: ${seconds.toFixed(1)} s, ${Math.round(megabytes)} MB more memory`)
}
