/** A model of campaigns that is written apart from the service: it sums over all purchases each time. */

interface ModelLimit {
  amount?: number
  count?: number
}

export interface ModelBudget {
  day?: ModelLimit
  month?: ModelLimit
  total?: ModelLimit
}

interface Budgets {
  budget: ModelBudget | null
  userBudget: ModelBudget | null
}

export interface ModelOffer extends Budgets {
  id: string
  campaignId: string
  campaign: Budgets
  merchantName: string
  commission?: number
  amount?: number
  minimumSpend: number
  maximumReward: number | null
  activation: { days: number; uses?: number } | null
}

interface ModelActivation {
  id: string
  offerId: string
  user: number
  from: string
  until: string
  canceled: boolean
}

interface ModelPurchase {
  id: string
  user: number
  merchantName: string
  amount: number
  at: string
  settledAt: string
}

interface Earned extends ModelPurchase {
  refunded: number
  offer: ModelOffer | undefined
  activation: ModelActivation | undefined
  cash: number
}

export function openCampaignModel(offers: ModelOffer[]) {
  const purchases: Earned[] = []
  const activations: ModelActivation[] = []
  const paused = new Set<string>()

  const usesOf = (activation: ModelActivation) =>
    purchases.filter((each) => each.activation === activation && each.cash > 0).length

  function fitsBudget(budget: ModelBudget | null, counted: Earned[], cash: number, settledAt: string): boolean {
    const periods = { day: settledAt.slice(0, 10), month: settledAt.slice(0, 7), total: '' }
    return Object.entries(periods).every(([period, begin]) => {
      const { amount, count } = budget?.[period as keyof ModelBudget] ?? {}
      const living = counted.filter((each) => each.settledAt.startsWith(begin) && each.cash > 0)
      const sum = living.reduce((total, each) => total + each.cash, 0)
      return (amount === undefined || sum + cash <= amount) && (count === undefined || living.length < count)
    })
  }

  const activationFor = (offer: ModelOffer, { user, at }: ModelPurchase) =>
    activations.find(
      (each) =>
        each.offerId === offer.id &&
        each.user === user &&
        !each.canceled &&
        each.from <= at &&
        at < each.until &&
        usesOf(each) < (offer.activation?.uses ?? Number.POSITIVE_INFINITY),
    )

  function outcomeOf(offer: ModelOffer, purchase: ModelPurchase): string {
    const cash = cashOf(offer, purchase.amount, purchase.amount)
    if (paused.has(offer.campaignId)) return 'NotLive'
    if (purchase.amount < offer.minimumSpend) return 'BelowMinimumSpend'
    if (offer.activation && !activationFor(offer, purchase)) return 'NotActivated'
    const ofOffer = purchases.filter((each) => each.offer === offer)
    const ofCampaign = purchases.filter((each) => each.offer?.campaignId === offer.campaignId)
    const own = (all: Earned[]) => all.filter(({ user }) => user === purchase.user)
    const all: [ModelBudget | null, Earned[]][] = [
      [offer.budget, ofOffer],
      [offer.userBudget, own(ofOffer)],
      [offer.campaign.budget, ofCampaign],
      [offer.campaign.userBudget, own(ofCampaign)],
    ]
    if (!all.every(([budget, counted]) => fitsBudget(budget, counted, cash, purchase.settledAt))) return 'BudgetSpent'
    return cash === 0 ? 'NoCashBack' : 'Won'
  }

  return {
    buy(purchase: ModelPurchase) {
      const judged = offers
        .filter(({ merchantName }) => merchantName === purchase.merchantName)
        .map((offer) => ({
          offer,
          cash: cashOf(offer, purchase.amount, purchase.amount),
          outcome: outcomeOf(offer, purchase),
        }))
      const [winner, ...losers] = judged
        .filter(({ outcome }) => outcome === 'Won')
        .sort((a, b) => b.cash - a.cash || Number(b.offer.id) - Number(a.offer.id))
      for (const loser of losers) loser.outcome = loser.cash === winner?.cash ? 'OlderOffer' : 'LowerCashBack'
      const activation = winner?.offer.activation ? activationFor(winner.offer, purchase) : undefined
      purchases.push({ ...purchase, refunded: 0, offer: winner?.offer, activation, cash: winner?.cash ?? 0 })
      const outcomes = judged.map(({ offer, outcome }) => `${offer.id} ${outcome}`)
      return { offerId: winner?.offer.id, userAmount: winner?.cash, outcomes }
    },
    /** The cash back that is left; undefined if the refund is refused. */
    refund(id: string, amount: number): number | undefined {
      const found = purchases.find((purchase) => purchase.id === id)
      if (!found || found.refunded + amount > found.amount) return undefined
      found.refunded += amount
      if (found.offer && found.cash > 0) found.cash = cashOf(found.offer, found.amount - found.refunded, found.amount)
      return found.cash
    },
    activate(offerId: string, user: number, { id = '', createdAt, expiresAt = '' }: ActivationAnswer): boolean {
      const offer = offers.find((each) => each.id === offerId)
      const stands = activations.some(
        (each) =>
          each.offerId === offerId &&
          each.user === user &&
          createdAt < each.until &&
          (!each.canceled || usesOf(each) > 0),
      )
      if (!offer?.activation || stands || paused.has(offer.campaignId)) return false
      activations.push({ id, offerId, user, from: createdAt, until: expiresAt, canceled: false })
      return true
    },
    cancel(id: string): void {
      for (const each of activations) if (each.id === id) each.canceled = true
    },
    setStatus(campaignId: string, status: string): void {
      if (status === 'Active') paused.delete(campaignId)
      else paused.add(campaignId)
    },
    used(campaignId: string) {
      const living = purchases.filter(({ offer, cash }) => offer?.campaignId === campaignId && cash > 0)
      return { amount: living.reduce((sum, { cash }) => sum + cash, 0), count: living.length }
    },
  }
}

interface ActivationAnswer {
  id?: string
  createdAt: string
  expiresAt?: string
}

/** The cash back of what is left of a purchase, in whole numbers of any size. */
function cashOf({ commission = 0, amount, maximumReward }: ModelOffer, left: number, whole: number): number {
  if (amount !== undefined) return Number((BigInt(Math.min(amount, whole)) * BigInt(left)) / BigInt(whole))
  const share = Number((BigInt(Math.round(commission * 100)) * BigInt(left)) / 10_000n)
  return Math.min(share, maximumReward ?? share)
}
