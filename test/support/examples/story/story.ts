import type { World } from '../../world.ts'
import type { Recorder } from '../recorder.ts'
import { holdMoney, openAccount } from './accounts.ts'
import { receiveFile, sendFile, stopPayment } from './ach-files.ts'
import { apply, reviewApplications } from './applications.ts'
import { processCards, useCards } from './cards.ts'
import { type Call, type Cast, NOW, type Receiver } from './cast.ts'
import { closeDays } from './closing.ts'
import { endPlan, payEachMonth } from './recurring.ts'
import { reviewAccounts, reviewPayments } from './reviews.ts'
import { earn } from './rewards.ts'
import { notify } from './webhooks.ts'

/**
 * Calls operations in an order in which each succeeds, and returns one record of each resource. The operations that it
 * does not call are called afterwards with requests made from their schemas and these records.
 */
export async function tellStory(recorder: Recorder, receiver: Receiver): Promise<World> {
  const { call, useKey } = recorder
  // The days are closed by the first organisation, before it has accounts.
  const settlementItem = await closeDays(call, recorder.key())
  const body = { name: 'Checkout test', now: NOW, frozen: true }
  const { id: organisationId, apiKey } = await call('createOrganisation', { body })
  useKey(apiKey.key)
  const scenario = await call('createScenario', { body: { seed: 42 } })
  await call('createStatement', { params: { accountId: scenario.accountId }, body: { period: '2026-05' } })
  await call('listStatements', { query: { accountId: scenario.accountId, limit: 2 } })
  const days = { since: '2026-06-14', until: '2026-06-15' }
  await call('listLedgerBalances', { query: { accountId: scenario.accountId, ...days } })
  const apiKeyId = await manageKeys(call)
  const cast = await openAccount(call)
  const cards = await useCards(call, cast)
  await processCards(call, cast)
  const applications = await apply(call)
  await reviewApplications(call)
  await reviewAccounts(recorder, receiver, cast)
  const { rentId, planId } = await payEachMonth(call, cast)
  const rewards = await earn(call, cast)
  await endPlan(call, planId)
  const webhooks = await notify(call, cast, receiver)
  const [payment] = await call('listPayments', { query: { accountId: cast.accountId, limit: 2 } })
  const [event] = await call('listEvents', { query: { type: ['payment.created'], limit: 2 } })
  const [request] = await call('listRequests', { query: { operation: 'createPayment', limit: 1 } })
  const faultRule = await injectFault(call, cast)
  const proposal = await reviewPayments(recorder, receiver, cast)
  const files = await receiver.withFiles(async (bank) => {
    await stopPayment(bank, recorder, cast)
    const receivedPayment = await receiveFile(bank, recorder, cast, Number(organisationId))
    return { receivedPayment, ...(await sendFile(bank, recorder)) }
  })
  const savings = { toAccountId: cast.secondAccountId, amount: 100_00, description: 'Savings' }
  const accountHold = await holdMoney(call, cast)
  await call('createBookTransfer', { params: { accountId: cast.accountId }, body: savings })
  const cleaning = { accountId: cast.accountId, counterpartyAccountId: cast.externalAccountId, originalType: 'ACH' }
  const payments = [
    { ...cleaning, amount: 30_00, description: 'Cleaning', idempotencyKey: 'cleaning-2026-06' },
    { ...cleaning, counterpartyAccountId: '9', amount: 9_00, description: 'Car', idempotencyKey: 'car' },
  ]
  await call('createPaymentBatch', { body: { payments } })
  await endOrganisations(call)
  return {
    account: cast.accountId,
    secondAccount: cast.secondAccountId,
    customer: cast.customerId,
    externalAccount: cast.externalAccountId,
    ...cards,
    ...applications,
    ...rewards,
    ...webhooks,
    faultRule,
    apiKey: apiKeyId,
    event: event.id,
    request: request.id,
    payment: payment.id,
    accountHold,
    settlementItem,
    proposal,
    statement: scenario.statementId,
    record: cast.accountId,
    ...files,
    recurringPayment: rentId,
  }
}

async function manageKeys(call: Call): Promise<string> {
  const issued = await call('createApiKey', {
    body: { name: 'Nightly export', scopes: ['rewards:read'], expiresAt: '2099-12-31T00:00:00Z' },
  })
  await call('getMe', { key: issued.key })
  await call('listApiKeys', { query: { limit: 2 } })
  const params = { apiKeyId: issued.id }
  await call('rotateApiKey', { params, body: { graceSeconds: 3_600 } })
  await call('deleteApiKey', { params })
  return (await call('createApiKey', { body: { name: 'Console' } })).id
}

/** A rule by which the next payment would fail. It is removed before there is one. */
async function injectFault(call: Call, { accountId }: Cast): Promise<string> {
  const body = { match: { operation: 'createPayment', accountId }, effect: { status: 503 }, times: 1 }
  const { id: faultRuleId } = await call('createFaultRule', { body })
  await call('getFaultRule', { params: { faultRuleId } })
  await call('listFaultRules', { query: { limit: 2 } })
  await call('deleteFaultRule', { params: { faultRuleId } })
  await call('deleteFaultRules')
  return faultRuleId
}

/** Organisations that are reset and deleted, each by its own key. */
async function endOrganisations(call: Call): Promise<void> {
  const { apiKey } = await call('createOrganisation', { body: { now: NOW, frozen: true } })
  await call('resetOrganisation', { key: apiKey.key, body: { now: NOW, frozen: true } })
  await call('deleteOrganisation', { key: apiKey.key })
}
