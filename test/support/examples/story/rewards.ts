import type { World } from '../../world.ts'
import { type Call, type Cast, NOW } from './cast.ts'

type Rewards = Pick<
  World,
  | 'campaign'
  | 'campaignOffer'
  | 'offerActivation'
  | 'partnerUser'
  | 'partnerUserCard'
  | 'reward'
  | 'purchase'
  | 'transaction'
>

/** Purchases that earn: before the payout, after it, and before the card was linked. */
export async function earn(call: Call, { customerId }: Cast): Promise<Rewards> {
  const { id: accountId } = await call('createAccount', { body: { customerId } })
  const salary = { amount: 1_500_00, companyName: 'Sample Payroll' }
  await call('receiveAch', { params: { accountId }, body: salary })
  const { id: bankCardId } = await call('createCard', { body: { type: 'individualVirtualDebitCard', accountId } })
  const buy = async (amount: number) => {
    const body = { amount, merchant: { name: 'Jetquill Toys', category: 'Shopping' } }
    const { id: authorizationId } = await call('createAuthorization', { params: { cardId: bankCardId }, body })
    return { authorizationId, transaction: await call('settleAuthorization', { params: { authorizationId } }) }
  }
  const early = await buy(40_00)
  const user = await call('createPartnerUser', { body: { userId: 111 } })
  const link = await call('createPartnerUserCard', { body: { partnerUserId: user.id, bankCardId } })
  const purchase = { bankCardId, bankTransactionId: early.transaction.id }
  await call('createRewardableTransaction', { body: purchase })
  const [kept, returned, reduced] = [await buy(80_00), await buy(30_00), await buy(50_00)]
  const refund = (authorizationId: string, body = {}) =>
    call('refundAuthorization', { params: { authorizationId }, body })
  await refund(returned.authorizationId)
  await refund(reduced.authorizationId, { amount: 20_00 })
  await call('advanceClock', { body: { by: 'P1D' } })
  await refund(reduced.authorizationId)
  const [reward] = await call('listRewards', { query: { limit: 2 } })
  const ofCampaigns = await campaigns(call, user.id)
  for (const isRemoved of [true, false]) {
    await call('updatePartnerUser', { params: { partnerUserId: String(user.id) }, body: { isRemoved } })
    await call('updatePartnerUserCard', { params: { partnerUserCardId: String(link.id) }, body: { isRemoved } })
  }
  await call('getDailyReconciliation', { query: { date: NOW.slice(0, 10) } })
  const attribution = { type: 'Click', offerId: reward.offerId, partnerUserId: user.id }
  await call('createAttributions', { body: { attributions: [{ id: 'a-1', ...attribution }] } })
  await call('listOfferFunnel')
  await call('getPurchaseExplanation', { params: { bankTransactionId: kept.transaction.id } })
  await call('listMerchantBills', { query: { month: NOW.slice(0, 7) } })
  return {
    ...ofCampaigns,
    partnerUser: String(user.id),
    partnerUserCard: String(link.id),
    reward: String(reward.id),
    purchase: kept.transaction.id,
    transaction: kept.transaction.id,
  }
}

/** A campaign with an offer at weekends, for users with a tag. */
async function campaigns(
  call: Call,
  partnerUserId: number,
): Promise<Pick<World, 'campaign' | 'campaignOffer' | 'offerActivation'>> {
  const { id: campaignId } = await call('createCampaign', { body: { name: 'Spring' } })
  const offer = {
    ...{ merchantName: 'Quillbrook Coffee', title: '5% cash back at Quillbrook Coffee', commission: 5 },
    ...{ minimumSpend: 10_00, maximumReward: 5_00, days: ['saturday', 'sunday'], settlementDelayDays: 14 },
    condition: { whereClause: '$C1 = $V1', columnNames: 'plan', values: '[gold]' },
    activation: { days: 14, uses: 3 },
  }
  const { id: offerId } = await call('createCampaignOffer', { params: { campaignId }, body: offer })
  await call('updatePartnerUser', {
    params: { partnerUserId: String(partnerUserId) },
    body: { tags: { plan: 'gold' } },
  })
  const { id: activationId } = await call('activateOffer', { params: { offerId }, body: { partnerUserId } })
  await call('listPartnerUserOffers', { params: { partnerUserId: String(partnerUserId) } })
  await call('cancelActivation', { params: { activationId } })
  await call('updateCampaignOffer', { params: { offerId }, body: { status: 'Paused' } })
  await call('updateCampaign', { params: { campaignId }, body: { status: 'Paused' } })
  return { campaign: campaignId, campaignOffer: offerId, offerActivation: activationId }
}
