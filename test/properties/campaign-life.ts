import { expect } from 'vitest'
import { times } from '../support/cards.ts'
import type { Choices } from '../support/random.ts'
import { newMerchantName, newUserId } from '../support/world.ts'
import {
  type CampaignModel,
  type ModelBudget,
  type ModelBudgets,
  type ModelOffer,
  openCampaignModel,
} from './campaign-model.ts'

/** Any answer's JSON. */
// biome-ignore lint/suspicious/noExplicitAny: a life reads answers as the JSON they are
type Data = any

/** Where a life takes place. */
export interface LifeOptions {
  /** Sends a request to any of the services, which has one effect whatever happens to them. */
  send(method: string, path: string, body?: unknown): Promise<{ status: number; json: Data }>
  /** Offers of the catalogue at a merchant; none if absent. */
  shared?: { merchantName: string; offers: ModelOffer[] }
  choices: Choices
  steps: number
}

interface Shopper {
  cardId: string
  user: number
}

interface Bought {
  id: string
  shopper: Shopper
  /** The amount that has not settled. */
  open: number
}

/** A life of campaigns: what happens is chosen at random, and compared with the model after each step. */
export async function liveCampaigns(options: LifeOptions): Promise<void> {
  const life = await beginLife(options)
  for (let step = 0; step < options.steps; step++) await life[options.choices.pick(...stepNames)]()
  await life.compare()
}

const stepNames = [
  ...(['buy', 'buy', 'buy', 'buyInParts', 'settleMore', 'settleMore', 'buyAtOnce', 'refund', 'refund'] as const),
  ...(['activate', 'activate', 'cancel', 'advance', 'pause', 'setPlan', 'setBudget'] as const),
]

async function beginLife({ send, shared, choices }: LifeOptions) {
  const { below, pick } = choices
  const ask = async (method: string, path: string, body?: unknown): Promise<Data> => {
    const { status, json } = await send(method, `/v0/${path}`, body)
    expect(status, `${method} ${path}: ${JSON.stringify(json)}`).toBeLessThan(300)
    return json.data
  }
  const { model, offers, campaignIds } = await makeOffers(ask, choices, shared)
  const shoppers = await times(2, () => makeShopper(ask))
  const bought: Bought[] = []

  async function authorize(shopper: Shopper, amount: number, merchantName: string): Promise<Bought> {
    const body = { amount, merchant: { name: merchantName } }
    const { id, createdAt } = await ask('POST', `sandbox/cards/${shopper.cardId}/authorizations`, body)
    model.authorize({ id, user: shopper.user, merchantName, at: createdAt })
    const purchase = { id, shopper, open: amount }
    bought.push(purchase)
    return purchase
  }

  const settlementOf = async (id: string, amount: number) => {
    const settled = await ask('POST', `sandbox/authorizations/${id}/settle`, { amount, final: false })
    return { id: settled.id as string, amount, now: settled.createdAt as string }
  }

  async function settle(purchase: Bought, amount: number): Promise<void> {
    purchase.open -= amount
    model.settle(purchase.id, await settlementOf(purchase.id, amount))
    await comparePurchase(purchase)
  }

  const settleSome = (purchase: Bought) => settle(purchase, 1 + below(purchase.open))

  async function comparePurchase({ id, shopper }: Bought): Promise<void> {
    await compareRewards(shopper)
    for (const [settlementId, outcomes] of model.explanations(id)) {
      const explained = await ask('GET', `rewards/purchases/${settlementId}/explanation`)
      const shown = explained.offers.map((each: Data) => `${each.offerId} ${each.outcome}`)
      expect(shown.sort(), `the explanation of ${settlementId}`).toEqual(outcomes)
    }
  }

  const rewardsOf = async ({ user }: Shopper): Promise<string[]> => {
    const query = new URLSearchParams({ whereClause: '$C1 = $V1', columnNames: 'partnerUserId', values: `[${user}]` })
    const rewards = await ask('GET', `rewards/rewards?${query}`)
    return rewards.map(({ amount, offerId, userAmount }: Data) => `${amount} ${offerId} ${userAmount}`)
  }

  async function compareRewards(shopper: Shopper): Promise<void> {
    expect((await rewardsOf(shopper)).sort(), 'the rewards').toEqual(model.rewardsOf(shopper.user).sort())
  }

  const somewhere = () => pick(...offers).merchantName
  return {
    async buy() {
      const amount = 1 + below(150_00)
      await settle(await authorize(pick(...shoppers), amount, somewhere()), amount)
    },
    async buyInParts() {
      const purchase = await authorize(pick(...shoppers), 30_00 + below(120_00), somewhere())
      await settleSome(purchase)
    },
    async settleMore() {
      const open = bought.filter((each) => each.open > 0)
      if (open.length === 0) return
      const purchase = pick(...open)
      // It may have expired meanwhile.
      const { status } = await ask('GET', `banking/authorizations/${purchase.id}`)
      if (status !== 'Authorized') purchase.open = 0
      else await settleSome(purchase)
    },
    /** Purchases that settle at the same time. The feed of events says in which order they were decided. */
    async buyAtOnce() {
      const [shopper, merchantName, amount] = [pick(...shoppers), somewhere(), 1 + below(60_00)]
      const alike: Bought[] = []
      for (let made = 0; made < 5; made++) alike.push(await authorize(shopper, amount, merchantName))
      const settled = await Promise.all(alike.map(async ({ id }) => ({ id, ...(await settledAt(id, amount)) })))
      for (const { id, part } of settled.sort((a, b) => a.place - b.place)) model.settle(id, part)
      for (const purchase of alike) {
        purchase.open = 0
        await comparePurchase(purchase)
      }
    },
    async refund() {
      if (bought.length === 0) return
      const { id, shopper } = pick(...bought)
      const amount = 1 + below(80_00)
      const { status, json } = await send('POST', `/v0/sandbox/authorizations/${id}/refund`, { amount })
      // More than is left is refused, whether anything is left or not.
      expect(model.refund(id, amount) ? [201] : [409, 422], JSON.stringify(json)).toContain(status)
      await compareRewards(shopper)
    },
    async activate() {
      const [offer, { user }] = [pick(...offers), pick(...shoppers)]
      const { now } = await ask('GET', 'sandbox/clock')
      const { status, json } = await send('POST', `/v0/rewards/offers/${offer.id}/activations`, { partnerUserId: user })
      const expected = model.activate(offer.id, user, json.data ?? { createdAt: now }) ? 201 : refusedBy(offer)
      expect(status, JSON.stringify(json)).toBe(expected)
    },
    async cancel() {
      const list = await ask('GET', `rewards/activations?partnerUserId=${pick(...shoppers).user}&limit=1`)
      if (!list[0]) return
      await ask('POST', `rewards/activations/${list[0].id}/cancel`)
      model.cancel(list[0].id)
    },
    async advance() {
      await ask('POST', 'sandbox/clock/advance', { by: pick('PT2H', 'PT14H', 'P1D', 'P9D') })
    },
    async pause() {
      const { id, campaignId } = pick(...offers.filter((offer) => offer.campaignId !== null))
      const status = pick('Active', 'Paused')
      const [path, one] = pick([`rewards/campaigns/${campaignId}`, campaignId], [`rewards/offers/${id}`, id])
      await ask('PATCH', path ?? '', { status })
      model.setStatus(one ?? '', status)
    },
    async setPlan() {
      const [{ user }, plan] = [pick(...shoppers), pick('gold', 'silver')]
      await ask('PATCH', `rewards/partner-users/${user}`, { tags: { plan } })
      model.setPlan(user, plan)
    },
    async setBudget() {
      const [id, budget] = [pick(...campaignIds), randomBudget(choices, 40_00)]
      await ask('PATCH', `rewards/campaigns/${id}`, { budget })
      model.setBudget(id, budget)
    },
    async compare() {
      for (const id of campaignIds) expect((await ask('GET', `rewards/campaigns/${id}`)).used).toEqual(model.used(id))
      for (const shopper of shoppers) await compareRewards(shopper)
    },
  }

  async function settledAt(authorizationId: string, amount: number) {
    const part = await settlementOf(authorizationId, amount)
    const [event] = await ask('GET', `events?entityType=transaction&entityId=${part.id}&limit=1`)
    return { part, place: Number(event.sequence) }
  }
}

/** Offers of the catalogue are no offers of campaigns. */
const refusedBy = ({ campaignId }: ModelOffer) => (campaignId === null ? 404 : 409)

type Ask = (method: string, path: string, body?: unknown) => Promise<Data>

async function makeShopper(ask: Ask): Promise<Shopper> {
  const { id: customerId } = await ask('POST', 'sandbox/customers', { name: 'Ada Example' })
  const { id: accountId } = await ask('POST', 'banking/accounts', { customerId })
  await ask('POST', `sandbox/accounts/${accountId}/receive-ach`, {
    amount: 1_000_000_00,
    companyName: 'Sample Payroll',
  })
  const { id: cardId } = await ask('POST', 'banking/cards', { type: 'individualVirtualDebitCard', accountId })
  const { id: user } = await ask('POST', 'rewards/partner-users', { userId: newUserId() })
  await ask('POST', 'rewards/partner-user-cards', { partnerUserId: user, bankCardId: cardId })
  return { cardId, user }
}

function randomBudget({ below, pick }: Choices, scale: number): ModelBudget | null {
  if (below(2) === 0) return null
  const limit = () => pick<object>({ amount: 1 + below(scale) }, { count: 1 + below(4) }, { amount: scale, count: 3 })
  return pick<ModelBudget>(
    { total: limit() },
    { day: limit() },
    { month: limit(), day: limit() },
    { day: limit(), total: limit() },
  )
}

const goldOnly = { whereClause: '$C1 = $V1', columnNames: 'plan', values: '[gold]' }

/** Offers of two campaigns at two merchants, one of which may have offers of the catalogue, too. */
async function makeOffers(ask: Ask, choices: Choices, shared: LifeOptions['shared']) {
  const { below, pick } = choices
  const merchants = [shared?.merchantName ?? newMerchantName(), newMerchantName()]
  const campaigns = new Map<string, ModelBudgets>()
  for (let made = 0; made < 2; made++) {
    const budgets = { budget: randomBudget(choices, 30_00), userBudget: randomBudget(choices, 20_00) }
    campaigns.set((await ask('POST', 'rewards/campaigns', { name: 'Spring', ...budgets })).id, budgets)
  }
  const campaignIds = [...campaigns.keys()]
  const offers: ModelOffer[] = [...(shared?.offers ?? [])]
  for (let made = 0; made < 6; made++) {
    const campaignId = pick(...campaignIds)
    const terms = {
      merchantName: merchants[made % 2] ?? '',
      ...(below(3) === 0 ? { amount: 1 + below(12_00) } : { commission: (1 + below(2_000)) / 100 }),
      minimumSpend: pick(0, 0, 40_00, 90_00),
      maximumReward: pick(null, null, 3_00),
      days: pick(null, null, null, ['monday', 'tuesday', 'saturday']),
      activation: pick(null, null, { days: 1 }, { days: 2, uses: 2 }),
      budget: randomBudget(choices, 20_00),
      userBudget: randomBudget(choices, 10_00),
    }
    const isForGold = below(4) === 0
    const body = { title: 'Cash back', ...terms, condition: isForGold ? goldOnly : null }
    const { id } = await ask('POST', `rewards/campaigns/${campaignId}/offers`, body)
    offers.push({ id, campaignId, isForGold, ...terms })
  }
  const model: CampaignModel = openCampaignModel(offers, campaigns)
  return { model, offers, campaignIds }
}
