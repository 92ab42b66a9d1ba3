import type { World } from '../../world.ts'
import { address, type Call, type Cast } from './cast.ts'

/** Cards, and purchases that settle, are refunded, reversed and declined. */
export async function useCards(
  call: Call,
  { customerId, accountId }: Cast,
): Promise<Pick<World, 'card' | 'authorization'>> {
  const plastic = { type: 'individualDebitCard', accountId, shippingAddress: address }
  const { id: cardId } = await call('createCard', { body: plastic })
  const params = { cardId }
  await call('activateCard', { params })
  const charge = async (amount: number, name: string) => {
    const merchant = { name, category: 'Restaurants', location: 'Springfield, IL' }
    return (await call('createAuthorization', { params, body: { amount, merchant } })).id
  }
  const authorizationId = await charge(64_20, 'Sample Bistro')
  await call('settleAuthorization', { params: { authorizationId }, body: { amount: 40_00, final: false } })
  await call('settleAuthorization', { params: { authorizationId }, body: { amount: 20_00 } })
  await call('refundAuthorization', { params: { authorizationId }, body: { amount: 10_00 } })
  await call('reverseAuthorization', { params: { authorizationId: await charge(12_00, 'Sample Cinema') } })
  const authorization = await charge(4_50, 'Sample Coffee')
  await call('setCardLimits', {
    params,
    body: { purchase: { amount: 250_00 }, day: { amount: 500_00, count: 10 }, blockedCategories: ['Gambling'] },
  })
  await call('getCardLimits', { params })
  await call('listAuthorizations', { query: { customerId, accountId, status: 'Authorized', limit: 2 } })
  await call('freezeCard', { params })
  await charge(1_00, 'Sample Coffee')
  await call('unfreezeCard', { params })
  for (const move of ['reportLostCard', 'reportStolenCard', 'closeCard']) {
    const other = await call('createCard', { body: { type: 'individualVirtualDebitCard', accountId } })
    await call(move, { params: { cardId: other.id } })
  }
  const worn = await call('createCard', { body: plastic })
  await call('activateCard', { params: { cardId: worn.id } })
  await call('replaceCard', { params: { cardId: worn.id }, body: { shippingAddress: address } })
  return { card: cardId, authorization }
}

/** The messages of a card processor, by a key of its own. */
export async function processCards(call: Call, { accountId }: Cast): Promise<void> {
  const { key } = await call('createApiKey', { body: { name: 'Card processor', scopes: ['processor:write'] } })
  const { id: cardId } = await call('createCard', { body: { type: 'individualVirtualDebitCard', accountId } })
  const reference = 'crd_9f31c2'
  await call('setCardReference', { key, params: { cardId }, body: { reference } })
  await call('listProcessorCards', { key, query: { reference } })
  let messages = 41
  const send = (id: string, params: Record<string, string>, content: Record<string, unknown> = {}) => {
    messages++
    return call(id, { key, params, body: { ...content, processorId: `msg-20260615-0000${messages}` } })
  }
  const merchant = { name: 'Sample Hotel', category: 'Lodging', location: 'Springfield, IL' }
  const charge = async (amount: number) =>
    (await send('createProcessorAuthorization', { cardId }, { amount, merchant })).id as string
  const authorizationId = await charge(120_00)
  await send('incrementAuthorization', { authorizationId }, { amount: 30_00 })
  await send('incrementAuthorization', { authorizationId }, { amount: 900_000_00 })
  await send('adviseAuthorization', { authorizationId }, { amount: 140_00 })
  await send('settleProcessorAuthorization', { authorizationId }, { amount: 140_00 })
  await send('refundProcessorAuthorization', { authorizationId }, { amount: 15_00 })
  await send('reverseProcessorAuthorization', { authorizationId: await charge(9_00) })
  const tooMuch = { authorizationId: await charge(80_00) }
  await send('settleProcessorAuthorization', tooMuch, { amount: 800_00 })
  const reviewer = await call('createApiKey', { body: { name: 'Reviewer of cards', scopes: ['review:write'] } })
  await call('listOverSettlements', { key: reviewer.key, query: { limit: 2 } })
  const reason = 'The merchant refunds the difference'
  await call('resolveOverSettlement', { key: reviewer.key, params: tooMuch, body: { reason } })
}
