/** A model of campaigns that is written apart from the service: it sums over all rewards each time. */

interface ModelLimit {
  amount?: number
  count?: number
}

export interface ModelBudget {
  day?: ModelLimit
  month?: ModelLimit
  total?: ModelLimit
}

export interface ModelBudgets {
  budget: ModelBudget | null
  userBudget: ModelBudget | null
}

export interface ModelOffer extends ModelBudgets {
  id: string
  /** Null for an offer of the catalogue. */
  campaignId: string | null
  merchantName: string
  commission?: number
  amount?: number
  minimumSpend: number
  maximumReward: number | null
  /** Days of the week; null for all. */
  days: string[] | null
  /** Whether it is for users with the plan `gold` only. */
  isForGold: boolean
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
  at: string
  parts: ModelPart[]
}

interface ModelPart {
  /** The id of the settlement. */
  id: string
  amount: number
  refunded: number
  reward: ModelReward | undefined
  /** The outcome of each offer when it settled. */
  outcomes: Map<string, string>
}

interface ModelReward {
  offer: ModelOffer
  user: number
  activation: ModelActivation | undefined
  /** When it was earned. */
  at: string
  /** The rest of the offer's amount and maximum for this part. */
  amount: number | undefined
  maximum: number | null
  cash: number
}

export function openCampaignModel(offers: ModelOffer[], campaigns: Map<string, ModelBudgets>) {
  const purchases = new Map<string, ModelPurchase>()
  const activations: ModelActivation[] = []
  const paused = new Set<string>()
  const plans = new Map<number, string>()

  const parts = () => [...purchases.values()].flatMap((purchase) => purchase.parts)
  const living = () => parts().flatMap(({ reward }) => (reward && reward.cash > 0 ? [reward] : []))
  const usesOf = (activation: ModelActivation) => living().filter((each) => each.activation === activation).length

  function fitsBudget(budget: ModelBudget | null, counted: ModelReward[], cash: number, now: string): boolean {
    const periods = { day: now.slice(0, 10), month: now.slice(0, 7), total: '' }
    return Object.entries(periods).every(([period, begin]) => {
      const { amount, count } = budget?.[period as keyof ModelBudget] ?? {}
      const own = counted.filter(({ at }) => at.startsWith(begin))
      const sum = own.reduce((total, each) => total + each.cash, 0)
      return (amount === undefined || sum + cash <= amount) && (count === undefined || own.length < count)
    })
  }

  function fits(offer: ModelOffer, user: number, cash: number, now: string): boolean {
    if (offer.campaignId === null) return true
    const ofCampaign = living().filter((each) => each.offer.campaignId === offer.campaignId)
    const ofOffer = ofCampaign.filter((each) => each.offer === offer)
    const ofUser = (all: ModelReward[]) => all.filter((each) => each.user === user)
    const campaign = campaigns.get(offer.campaignId) as ModelBudgets
    const limits: [ModelBudget | null, ModelReward[]][] = [
      [offer.budget, ofOffer],
      [offer.userBudget, ofUser(ofOffer)],
      [campaign.budget, ofCampaign],
      [campaign.userBudget, ofUser(ofCampaign)],
    ]
    return limits.every(([budget, counted]) => fitsBudget(budget, counted, cash, now))
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

  const isPaused = ({ id, campaignId }: ModelOffer) => paused.has(id) || (campaignId !== null && paused.has(campaignId))
  const isForUser = ({ isForGold }: ModelOffer, user: number) => !isForGold || plans.get(user) === 'gold'

  /** The reward that a part would earn by an offer, and whether it does. */
  function judge(offer: ModelOffer, purchase: ModelPurchase, part: ModelPart, counted: number, now: string) {
    const given = offer.campaignId
      ? purchase.parts.reduce((sum, { reward }) => sum + (reward?.offer === offer ? reward.cash : 0), 0)
      : 0
    const terms = {
      ...{ offer, user: purchase.user, activation: activationFor(offer, purchase), at: now },
      amount: offer.amount === undefined ? undefined : Math.max(0, offer.amount - given),
      maximum: offer.maximumReward === null ? null : Math.max(0, offer.maximumReward - given),
    }
    const cash = cashOf(terms, part)
    const day = new Date(purchase.at).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' }).toLowerCase()
    let outcome = 'Won'
    if (isPaused(offer)) outcome = 'NotLive'
    else if (offer.days && !offer.days.includes(day)) outcome = 'OtherDay'
    else if (!isForUser(offer, purchase.user)) outcome = 'NotEligible'
    else if (counted < offer.minimumSpend) outcome = 'BelowMinimumSpend'
    else if (offer.activation && !terms.activation) outcome = 'NotActivated'
    else if (!fits(offer, purchase.user, cash, now)) outcome = 'BudgetSpent'
    else if (cash === 0) outcome = 'NoCashBack'
    return { outcome, reward: { ...terms, cash } }
  }

  /** Judges some offers for a part, and gives it the best reward. */
  function earn(some: ModelOffer[], purchase: ModelPurchase, part: ModelPart, counted: number, now: string) {
    const judged = some.map((offer) => ({ offer, ...judge(offer, purchase, part, counted, now) }))
    const [winner, ...losers] = judged
      .filter(({ outcome }) => outcome === 'Won')
      .sort((a, b) => b.reward.cash - a.reward.cash || Number(b.offer.id) - Number(a.offer.id))
    for (const loser of losers)
      loser.outcome = loser.reward.cash === winner?.reward.cash ? 'OlderOffer' : 'LowerCashBack'
    part.reward = winner?.reward
    return new Map(judged.map(({ offer, outcome }) => [offer.id, outcome]))
  }

  const leftOf = (some: ModelPart[]) => some.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0)

  return {
    authorize(purchase: Omit<ModelPurchase, 'parts'>): void {
      purchases.set(purchase.id, { ...purchase, parts: [] })
    },
    /** A part settles. Parts that earned nothing before earn if it completes a minimum. */
    settle(purchaseId: string, { id, amount, now }: { id: string; amount: number; now: string }): void {
      const purchase = purchases.get(purchaseId) as ModelPurchase
      const earlier = [...purchase.parts]
      const before = leftOf(earlier)
      const counted = before + amount
      const part: ModelPart = { id, amount, refunded: 0, reward: undefined, outcomes: new Map() }
      const ofMerchant = offers.filter(({ merchantName }) => merchantName === purchase.merchantName)
      part.outcomes = earn(ofMerchant, purchase, part, counted, now)
      purchase.parts.push(part)
      const reached = ofMerchant.filter(({ minimumSpend }) => before < minimumSpend && minimumSpend <= counted)
      for (const late of earlier)
        if (!late.reward && late.amount > late.refunded) earn(reached, purchase, late, counted, now)
    },
    /** Takes a refund off the newest parts; false if more than is left was to be refunded. */
    refund(purchaseId: string, amount: number): boolean {
      const purchase = purchases.get(purchaseId) as ModelPurchase
      if (leftOf(purchase.parts) < amount) return false
      let left = amount
      for (const part of purchase.parts.toReversed()) {
        const taken = Math.min(left, part.amount - part.refunded)
        left -= taken
        part.refunded += taken
        if (taken > 0 && part.reward && part.reward.cash > 0) part.reward.cash = cashOf(part.reward, part)
      }
      return true
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
      if (!offer?.activation || stands || isPaused(offer) || !isForUser(offer, user)) return false
      activations.push({ id, offerId, user, from: createdAt, until: expiresAt, canceled: false })
      return true
    },
    cancel(id: string): void {
      for (const each of activations) if (each.id === id) each.canceled = true
    },
    /** Pauses or resumes a campaign or an offer. */
    setStatus(id: string, status: string): void {
      if (status === 'Active') paused.delete(id)
      else paused.add(id)
    },
    setPlan: (user: number, plan: string) => void plans.set(user, plan),
    setBudget(campaignId: string, budget: ModelBudget | null): void {
      campaigns.set(campaignId, { userBudget: null, ...campaigns.get(campaignId), budget })
    },
    used(campaignId: string) {
      const rewards = living().filter(({ offer }) => offer.campaignId === campaignId)
      return { amount: rewards.reduce((sum, { cash }) => sum + cash, 0), count: rewards.length }
    },
    /** The rewards of the purchases of a user: settled amount, offer and cash back. */
    rewardsOf: (user: number) =>
      parts().flatMap(({ amount, reward }) =>
        reward?.user === user ? [`${amount} ${reward.offer.id} ${reward.cash}`] : [],
      ),
    /** The outcome of each offer for the parts of a purchase, by the ids of their settlements. */
    explanations(purchaseId: string): [string, string[]][] {
      const { parts: made } = purchases.get(purchaseId) as ModelPurchase
      return made.map(({ id, outcomes, reward }) => {
        const shown = new Map([...outcomes, ...(reward ? [[reward.offer.id, 'Won'] as const] : [])])
        return [id, [...shown].map(([offerId, outcome]) => `${offerId} ${outcome}`).sort()]
      })
    },
  }
}

export type CampaignModel = ReturnType<typeof openCampaignModel>

interface ActivationAnswer {
  id?: string
  createdAt: string
  expiresAt?: string
}

/** The cash back of what is left of a part, in whole numbers of any size. */
function cashOf(
  { offer: { commission = 0 }, amount, maximum }: Pick<ModelReward, 'offer' | 'amount' | 'maximum'>,
  { amount: whole, refunded }: Pick<ModelPart, 'amount' | 'refunded'>,
): number {
  const left = BigInt(whole - refunded)
  if (amount !== undefined) return Number((BigInt(Math.min(amount, whole)) * left) / BigInt(whole))
  const share = Number((BigInt(Math.round(commission * 100)) * left) / 10_000n)
  return Math.min(share, maximum ?? share)
}
