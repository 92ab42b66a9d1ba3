import { Agent } from 'node:http'
import { visitDatabase } from '../../src/database/visit.ts'
import { checkLaws, type Desk } from '../desk.ts'
import { pssBytes } from '../machine.ts'
import { post } from '../payers.ts'
import { call, type Service, scratchFolder, startService } from '../service.ts'

/** The purchases that settle at once. */
export const campaignPurchases = 10_000
/** The attributions that are sent: as many as in a day with a million. */
const attributionsSent = 1_000_000
export const campaignKinds = [
  'of the catalogue',
  'of a campaign without a budget',
  'of a campaign with a budget',
] as const
const CONNECTIONS = 128
const SHOPPERS = 200
/** Above the ids of the demo, whose user would be one of these. */
const FIRST_USER = 9_000_000
/** Purchases that the budget is too small for. */
const TOO_MANY = 10
const AMOUNT = 10_00
/** 5 percent. */
const CASH_BACK = 50
const BATCH = 100

/** Purchases at once by an offer of a campaign, and attributions. */
export async function campaignRounds(desk: Desk): Promise<void> {
  const folder = scratchFolder()
  const service = await startService(folder)
  const shoppers = await makeShoppers(service)
  for (let round = 0; round <= desk.options.rounds; round++) {
    // The first round warms up.
    for (const kind of campaignKinds) await purchases(desk, service, { shoppers, kind, noted: round > 0 })
  }
  await attributions(desk, service, shoppers)
  await service.stop()
  await visitDatabase({ databaseUrl: undefined, dataDir: folder }, checkLaws)
}

interface Shopper {
  cardId: string
  partnerUserId: number
}

async function makeShoppers({ url }: Service): Promise<Shopper[]> {
  const make = async (number: number): Promise<Shopper> => {
    const { id: customerId } = await call(url, 'POST', '/v0/sandbox/customers', { name: 'Ada Example' })
    const { id: accountId } = await call(url, 'POST', '/v0/banking/accounts', { customerId })
    const money = { amount: 10_000_000_00, companyName: 'Sample Payroll' }
    await call(url, 'POST', `/v0/sandbox/accounts/${accountId}/receive-ach`, money)
    const card = { type: 'individualVirtualDebitCard', accountId }
    const { id: cardId } = await call(url, 'POST', '/v0/banking/cards', card)
    const { id: partnerUserId } = await call(url, 'POST', '/v0/rewards/partner-users', { userId: FIRST_USER + number })
    await call(url, 'POST', '/v0/rewards/partner-user-cards', { partnerUserId, bankCardId: cardId })
    return { cardId, partnerUserId }
  }
  return Promise.all(Array.from({ length: SHOPPERS }, (_, number) => make(number)))
}

let sent = 0

/** Sends requests with a key each over some connections, and returns their answers and the time that they took. */
async function sendAll(url: string, orders: { path: string; body: unknown }[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const answers: { status: number; text: string }[] = []
  const startedMs = performance.now()
  let next = 0
  async function sendOn(): Promise<void> {
    for (let at = next++; at < orders.length; at = next++) {
      const { path, body } = orders[at] ?? { path: '', body: {} }
      answers[at] = await post(agent, `${url}${path}`, `campaigns-${process.pid}-${sent++}`, body)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, sendOn))
  agent.destroy()
  return { answers, seconds: (performance.now() - startedMs) / 1_000 }
}

/** A merchant whose offer in the catalogue pays each purchase. */
async function catalogueMerchant({ url }: Service, { cardId }: Shopper): Promise<string> {
  const list = '/v0/rewards/reward-offers/national-reward-offers?userId=1&page=0&pageSize=200'
  for (const { merchant, redeemableOnce } of (await call(url, 'GET', list)).nationalRewardOffers) {
    const body = { amount: AMOUNT, merchant: { name: merchant.name } }
    const { id } = await call(url, 'POST', `/v0/sandbox/cards/${cardId}/authorizations`, body)
    const settlement = await call(url, 'POST', `/v0/sandbox/authorizations/${id}/settle`, {})
    const { outcome } = await call(url, 'GET', `/v0/rewards/purchases/${settlement.id}/explanation`)
    if (outcome === 'Earned' && !redeemableOnce) return merchant.name
  }
  throw new Error('no offer of the catalogue pays a purchase')
}

/** A merchant with an offer of the catalogue or of a new campaign. */
async function makeOffer(
  service: Service,
  kind: string,
  [shopper]: Shopper[],
): Promise<{ merchantName: string; campaignId?: string }> {
  const { url } = service
  if (kind === 'of the catalogue' && shopper) return { merchantName: await catalogueMerchant(service, shopper) }
  const merchantName = `Sample Shop ${sent++}`
  const budget =
    kind === 'of a campaign with a budget' ? { total: { amount: (campaignPurchases - TOO_MANY) * CASH_BACK } } : null
  const { id: campaignId } = await call(url, 'POST', '/v0/rewards/campaigns', { name: 'Spring', budget })
  const offer = { merchantName, title: 'Cash back', commission: 5 }
  await call(url, 'POST', `/v0/rewards/campaigns/${campaignId}/offers`, offer)
  return { merchantName, campaignId }
}

/** Settles purchases of all shoppers at once, and compares what they earned with the budget. */
async function purchases(
  { figures, say, fault }: Desk,
  service: Service,
  { shoppers, kind, noted }: { shoppers: Shopper[]; kind: (typeof campaignKinds)[number]; noted: boolean },
): Promise<void> {
  const { merchantName, campaignId } = await makeOffer(service, kind, shoppers)
  const bodies = { amount: AMOUNT, merchant: { name: merchantName } }
  const authorized = await sendAll(
    service.url,
    Array.from({ length: campaignPurchases }, (_, at) => {
      const { cardId = '' } = shoppers[at % shoppers.length] ?? {}
      return { path: `/v0/sandbox/cards/${cardId}/authorizations`, body: bodies }
    }),
  )
  const ids = authorized.answers.map(({ text }) => JSON.parse(text).data.id)
  const settled = await sendAll(
    service.url,
    ids.map((id) => ({ path: `/v0/sandbox/authorizations/${id}/settle`, body: {} })),
  )
  const bad = settled.answers.filter(({ status }) => status !== 201)
  if (bad[0]) fault(`${bad.length} purchases ${kind} did not settle: ${bad[0].status} ${bad[0].text}`)
  const rate = campaignPurchases / settled.seconds
  say(`${campaignPurchases} purchases ${kind}: ${Math.round(rate)}/s`)
  if (noted) figures.add(`campaign ${kind}`, rate)
  if (campaignId === undefined) return
  const { used } = await call(service.url, 'GET', `/v0/rewards/campaigns/${campaignId}`)
  const count = campaignPurchases - (kind === 'of a campaign with a budget' ? TOO_MANY : 0)
  if (used.count !== count || used.amount !== count * CASH_BACK)
    fault(`purchases ${kind} used ${used.amount} cents by ${used.count} of ${count} purchases`)
}

/** Sends attributions in batches, and notes the memory of the service and its database at a tenth and at the end. */
async function attributions({ figures, say, fault }: Desk, service: Service, shoppers: Shopper[]): Promise<void> {
  const { url } = service
  const { id: campaignId } = await call(url, 'POST', '/v0/rewards/campaigns', { name: 'Spring' })
  const offers: string[] = []
  for (let made = 0; made < 20; made++) {
    const offer = { merchantName: `Sample Cinema ${made}`, title: 'Cash back', commission: 5 }
    offers.push((await call(url, 'POST', `/v0/rewards/campaigns/${campaignId}/offers`, offer)).id)
  }
  const types = ['Impression', 'Impression', 'Impression', 'View', 'Click']
  const tenth = attributionsSent / 10
  let seconds = 0
  for (let part = 0; part < 10; part++) {
    const orders = Array.from({ length: tenth / BATCH }, (_, batch) => ({
      path: '/v0/rewards/attributions',
      body: {
        attributions: Array.from({ length: BATCH }, (__, at) => {
          const number = (part * tenth) / BATCH + batch
          const [offerId, type] = [offers[at % offers.length], types[at % types.length]]
          const { partnerUserId } = shoppers[(number + at) % shoppers.length] ?? {}
          return { id: `${number}-${at}`, type, offerId, partnerUserId }
        }),
      },
    }))
    const { answers, seconds: took } = await sendAll(url, orders)
    seconds += took
    const bad = answers.filter(({ status, text }) => status !== 201 || !text.includes(`"counted":${BATCH},`))
    if (bad[0]) fault(`${bad.length} batches of attributions did not count: ${bad[0].status} ${bad[0].text}`)
    const memory = pssBytes(service.pid) ?? Number.NaN
    if (part === 0) figures.add('attributions memory first', memory)
    if (part === 9) figures.add('attributions memory last', memory)
    say(`${(part + 1) * tenth} attributions, ${Math.round(tenth / took)}/s, ${Math.round(memory / 2 ** 20)} MB`)
  }
  figures.add('attributions', attributionsSent / seconds)
  const rows = await call(url, 'GET', '/v0/rewards/offer-funnel')
  const counted = rows.reduce(
    (sum: number, row: Record<string, number>) => sum + (row.impressions ?? 0) + (row.views ?? 0) + (row.clicks ?? 0),
    0,
  )
  if (counted !== attributionsSent) fault(`${counted} of ${attributionsSent} attributions are counted`)
}
