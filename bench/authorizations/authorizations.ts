import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { visitDatabase } from '../../src/database/visit.ts'
import { checkLaws, type Desk } from '../desk.ts'
import { post } from '../payers.ts'
import { call, type Service, scratchFolder, startService } from '../service.ts'

/** Purchases a second. Each starts at its time, whether those before it have been answered or not. */
export const authorizationRate = 100
/** The two kinds of cards, as the names of figures have them. */
export const limitKinds = ['without limits', 'with limits'] as const
const CARDS = 50
const WARM_UP_MS = 3_000

/** Card purchases of a processor at a steady rate, half of them by cards that have limits. */
export async function authorizationRounds(desk: Desk): Promise<void> {
  const { options, figures, say, fault } = desk
  const folder = scratchFolder()
  const service = await startService(folder)
  const world = await makeCards(service)
  await purchase(service, world, WARM_UP_MS)
  for (let round = 1; round <= options.rounds; round++) {
    for (const name of limitKinds) {
      const cards = name === 'with limits' ? world.limited : world.plain
      const { ms, bad } = await purchase(service, { ...world, plain: cards, limited: cards }, options.seconds * 1_000)
      const sorted = ms.toSorted((a, b) => a - b)
      const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
      figures.add(`authorization ${name} p50`, at(0.5))
      figures.add(`authorization ${name} p99`, at(0.99))
      say(`${sorted.length} purchases ${name}, p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms`)
      if (bad.length > 0) fault(`${bad.length} of ${sorted.length} purchases were not approved: ${bad[0]}`)
    }
  }
  await service.stop()
  await visitDatabase({ databaseUrl: undefined, dataDir: folder }, checkLaws)
}

interface Cards {
  key: string
  plain: string[]
  limited: string[]
}

async function makeCards({ url }: Service): Promise<Cards> {
  const { key } = await call(url, 'POST', '/v0/api-keys', { name: 'Processor', scopes: ['processor:write'] })
  const made: Cards = { key, plain: [], limited: [] }
  for (let number = 0; number < CARDS; number++) {
    const { id: customerId } = await call(url, 'POST', '/v0/sandbox/customers', { name: 'Ada Example' })
    const { id: accountId } = await call(url, 'POST', '/v0/banking/accounts', { customerId })
    const money = { amount: 100_000_000_00, companyName: 'Payroll' }
    await call(url, 'POST', `/v0/sandbox/accounts/${accountId}/receive-ach`, money)
    const { id } = await call(url, 'POST', '/v0/banking/cards', { type: 'individualVirtualDebitCard', accountId })
    if (number % 2) {
      const limits = { day: { amount: 100_000_000_00 }, month: { count: 1_000_000 }, blockedCategories: ['Gambling'] }
      await call(url, 'PUT', `/v0/banking/cards/${id}/limits`, limits)
    }
    made[number % 2 ? 'limited' : 'plain'].push(id)
  }
  return made
}

/** Sends purchases for some time. Returns how long each took, and the answers that are no approval. */
async function purchase({ url }: Service, { key, plain, limited }: Cards, forMs: number) {
  const agent = new Agent({ keepAlive: true })
  const name = `purchase-${process.pid}-${Date.now()}`
  const [ms, bad]: [number[], string[]] = [[], []]
  const cards = [...plain, ...limited]
  const underWay: Promise<void>[] = []

  async function charge(number: number): Promise<void> {
    const startedMs = performance.now()
    const path = `/v0/processor/cards/${cards[number % cards.length]}/authorizations`
    const body = { amount: 1_00, merchant: { name: 'Shop', category: 'Books' }, processorId: `${name}-${number}` }
    const { status, text } = await post(agent, `${url}${path}`, `${name}-${number}`, body, key)
    ms.push(performance.now() - startedMs)
    if (status !== 201 || !text.includes('"Authorized"')) bad.push(`${status} ${text}`)
  }

  const startedMs = performance.now()
  for (let number = 0; performance.now() - startedMs < forMs; number++) {
    const waitMs = startedMs + (number * 1_000) / authorizationRate - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    underWay.push(charge(number))
  }
  await Promise.all(underWay)
  agent.destroy()
  return { ms, bad }
}
