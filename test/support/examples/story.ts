import type { TestBank } from '../harness.ts'
import { incomingFile } from '../rails/incoming.ts'
import type { World } from '../world.ts'
import { applicant } from '../world.ts'
import type { Recorder } from './recorder.ts'

/** Bank time of the examples, which stands still. */
export const NOW = '2026-06-15T15:00:00.000Z'

const address = { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }
const file = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const counterparty = {
  type: 'Person',
  name: 'Grace Sample',
  routingNumber: '021000021',
  accountNumber: '9876543210',
  accountType: 'Checking',
}

type Call = Recorder['call']

/** The ids of the story's records that a later step needs. */
type Cast = Record<'customerId' | 'accountId' | 'secondAccountId' | 'externalAccountId', string>

/** The receiver of webhooks. */
interface Receiver {
  url: string
  /** Waits until the endpoint has received so many deliveries. */
  delivered(endpointId: string, count: number): Promise<void>
  /** Works with a second service on the same database, whose payments leave with ACH files. */
  withFiles<Outcome>(work: (bank: TestBank) => Promise<Outcome>): Promise<Outcome>
  /** The same with a service whose screening leaves all to a reviewer. */
  withScreening<Outcome>(work: (bank: TestBank) => Promise<Outcome>): Promise<Outcome>
}

/**
 * Calls operations in an order in which each succeeds, and returns one record of each resource. The operations that it
 * does not call are called afterwards with requests made from their schemas and these records.
 */
export async function tellStory(recorder: Recorder, receiver: Receiver): Promise<World> {
  const { call, useKey } = recorder
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
  const rewards = await earn(call, cast)
  const webhooks = await notify(call, cast, receiver)
  const [payment] = await call('listPayments', { query: { accountId: cast.accountId, limit: 2 } })
  const [event] = await call('listEvents', { query: { type: ['payment.created'], limit: 2 } })
  const [request] = await call('listRequests', { query: { operation: 'createPayment', limit: 1 } })
  const faultRule = await injectFault(call, cast)
  await reviewPayments(call, cast)
  const files = await receiver.withFiles(async (bank) => {
    await cancelPayment(bank, recorder, cast)
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
    statement: scenario.statementId,
    record: cast.accountId,
    ...files,
    // No payment of the built-in bank recurs.
    recurringPayment: payment.id,
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

/** A customer with an account that received a salary and paid a rent. */
async function openAccount(call: Call): Promise<Cast> {
  const { id: customerId } = await call('createCustomer', {
    body: { name: applicant.name, email: applicant.email, phone: applicant.phone, address },
  })
  await call('createVerificationToken', { params: { customerId } })
  const { id: accountId } = await call('createAccount', { body: { customerId, tags: { purpose: 'household' } } })
  const params = { accountId }
  const salary = { amount: 2_500_00, companyName: 'Sample Payroll', description: 'Salary' }
  const transaction = await call('receiveAch', { params, body: salary })
  const external = await call('createExternalAccount', { params: { customerId }, body: counterparty })
  const rent = { amount: 900_00, counterpartyAccountId: external.id, description: 'Rent', originalType: 'ACH' }
  await call('createPayment', { params, body: rent })
  const mistaken = await call('createPayment', { params, body: { ...rent, amount: 50_00, description: 'Deposit' } })
  await call('returnPayment', { params: { paymentId: mistaken.id }, body: { returnCode: 'R03' } })
  await call('getTransaction', { params: { transactionId: transaction.id }, query: { accountId } })
  await call('listTransactions', { query: { accountId, limit: 2 } })
  await call('listExternalAccounts', { params: { customerId } })
  const unused = await call('createExternalAccount', { params: { customerId }, body: counterparty })
  await call('deleteExternalAccount', { params: { externalAccountId: unused.id } })
  const secondAccountId = await moveAccount(call, customerId)
  return { customerId, accountId, secondAccountId, externalAccountId: external.id }
}

/** A levy that is released, and a hold of a dispute that stays. Returns the id of the second. */
async function holdMoney(call: Call, { accountId }: Cast): Promise<string> {
  const params = { accountId }
  const levy = { amount: 200_00, reason: 'LegalOrder', description: 'Levy 2026-0042' }
  const { id: holdId } = await call('createAccountHold', { params, body: { ...levy, expiresAt: '2026-12-31' } })
  await call('releaseAccountHold', { params: { accountId, holdId } })
  const body = { amount: 15_00, reason: 'Dispute', description: 'Case 7' }
  const disputed = await call('createAccountHold', { params, body })
  await call('listAccountHolds', { params, query: { status: 'Active', limit: 2 } })
  await call('getAccountHold', { params: { accountId, holdId: disputed.id } })
  return disputed.id
}

/** A payment that is canceled before it leaves. */
async function cancelPayment(
  bank: TestBank,
  { call, key }: Recorder,
  { accountId, externalAccountId }: Cast,
): Promise<void> {
  const path = `/v0/banking/accounts/${accountId}/payments`
  const body = { amount: 75_00, counterpartyAccountId: externalAccountId, description: 'Repairs', originalType: 'ACH' }
  // Lists of transfers show the id of the request, which has to be the same at every run.
  const headers = { 'x-request-id': '573fd188-e7e8-450d-a54b-45ff47fa5c94' }
  const { json } = await bank.call('POST', path, { key: key(), body, headers })
  await call('cancelPayment', { params: { paymentId: json.data.id } })
}

/** A payment that leaves with a file, of an organisation of its own: its time goes on. */
async function sendFile(bank: TestBank, { call }: Recorder): Promise<Pick<World, 'achBatch' | 'achFile'>> {
  const { apiKey } = await call('createOrganisation', { body: { now: NOW, frozen: true } })
  const post = async (path: string, body: unknown) =>
    (await bank.call('POST', path, { key: apiKey.key, body })).json.data
  const { id: customerId } = await post('/v0/sandbox/customers', { name: applicant.name })
  const { id: accountId } = await post('/v0/banking/accounts', { customerId })
  const external = await post(`/v0/banking/customers/${customerId}/external-accounts`, counterparty)
  await post(`/v0/sandbox/accounts/${accountId}/receive-ach`, { amount: 2_500_00, companyName: 'Sample Payroll' })
  const rent = { amount: 900_00, counterpartyAccountId: external.id, description: 'Rent', originalType: 'ACH' }
  await post(`/v0/banking/accounts/${accountId}/payments`, rent)
  await post('/v0/sandbox/clock/advance', { to: 'next' })
  const own = { key: apiKey.key }
  const [file] = await call('listAchFiles', { ...own, query: { direction: ['Outgoing'], limit: 2 } })
  await call('getAchFile', { ...own, params: { achFileId: file.id } })
  await call('getAchFileContent', { ...own, params: { achFileId: file.id } })
  const [batch] = await call('listAchBatches', { ...own, query: { status: ['Clearing'], limit: 2 } })
  await call('getAchBatch', { ...own, params: { achBatchId: batch.id } })
  await call('listAchEntries', { ...own, params: { achBatchId: batch.id }, query: { limit: 2 } })
  return { achBatch: batch.id, achFile: file.id }
}

/** A credit and a debit that another bank sent; the debit is returned. */
async function receiveFile(
  bank: TestBank,
  { call, key }: Recorder,
  { accountId }: Cast,
  organisationId: number,
): Promise<string> {
  const { json } = await bank.call('GET', `/v0/banking/accounts/${accountId}`, { key: key() })
  const { accountNumber } = json.data
  const entries = [
    { sequence: 1, code: 22, amount: 1_250_00, accountNumber, name: 'ADA SAMPLE' },
    { sequence: 2, code: 27, amount: 39_00, accountNumber, name: 'ADA SAMPLE' },
  ]
  const bytes = incomingFile({ entries, settlesOn: '2026-06-12', batch: { companyName: 'SAMPLE GYM' } })
  await bank.takeFile({ name: '20260612-A.ach', bytes, organisationId })
  const [debit] = await call('listReceivedPayments', { query: { accountId, direction: ['Debit'], limit: 2 } })
  await call('returnReceivedPayment', { params: { receivedPaymentId: debit.id }, body: { returnCode: 'R10' } })
  await call('getAchReconciliation', { query: { date: '2026-06-12' } })
  return debit.id
}

async function moveAccount(call: Call, customerId: string): Promise<string> {
  const { id: accountId } = await call('createAccount', { body: { customerId } })
  const params = { accountId }
  await call('freezeAccount', { params })
  await call('unfreezeAccount', { params })
  await call('closeAccount', { params, body: { reason: 'ByCustomer' } })
  await call('reopenAccount', { params })
  return accountId
}

/** Cards, and purchases that settle, are refunded, reversed and declined. */
async function useCards(call: Call, { customerId, accountId }: Cast): Promise<Pick<World, 'card' | 'authorization'>> {
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
async function processCards(call: Call, { accountId }: Cast): Promise<void> {
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
}

/** Payments above a limit of their account, and the work of a reviewer, who has a key of their own. */
async function reviewPayments(call: Call, { customerId, externalAccountId }: Cast): Promise<void> {
  const { id: accountId } = await call('createAccount', { body: { customerId } })
  const { key } = await call('createApiKey', { body: { name: 'Reviewer', scopes: ['review:write'] } })
  const params = { accountId }
  await call('receiveAch', { params: { accountId }, body: { amount: 2_500_00, companyName: 'Sample Payroll' } })
  const body = { payment: { soft: 500_00, hard: 5_000_00 }, day: { hard: 10_000_00 }, overdraft: 100_00 }
  await call('setAccountLimits', { params, body })
  const order = {
    amount: 600_00,
    counterpartyAccountId: externalAccountId,
    description: 'Invoice',
    originalType: 'ACH',
  }
  const first = await call('createPayment', { params, body: order })
  const second = await call('createPayment', { params, body: order })
  await call('getAccountLimits', { params })
  await call('listReviewPayments', { key, query: { limit: 2 } })
  const reason = 'The invoice was checked'
  await call('approvePayment', { key, params: { paymentId: first.id }, body: { reason } })
  const wrong = 'The invoice is not known'
  await call('rejectPayment', { key, params: { paymentId: second.id }, body: { reason: wrong } })
  await call('setAccountLimits', { params, body: {} })
}

/** Applications in every state, by the SSN that decides about them in the sandbox. */
async function apply(call: Call): Promise<Pick<World, 'application' | 'document'>> {
  const begin = async (ssn: string) => {
    const { id, documents } = await call('createApplication', { body: { ...applicant, ssn } })
    return { applicationId: id, documentId: documents[0]?.id }
  }
  const first = await begin('000000003')
  await call('uploadDocumentFront', { params: first, body: { file, contentType: 'image/png' } })
  await call('uploadDocumentBack', { params: first, body: { file, contentType: 'image/png' } })
  const [approved, rejected] = [await begin('000000003'), await begin('000000003')]
  await call('approveDocument', { params: approved, body: {} })
  await call('rejectDocument', { params: rejected, body: { reason: 'The picture is blurred' } })
  await begin('000000001')
  for (const verdict of ['approveApplication', 'denyApplication']) {
    const { applicationId } = await begin('000000004')
    await call(verdict, { params: { applicationId } })
  }
  await call('getApplication', { params: { applicationId: rejected.applicationId } })
  return { application: rejected.applicationId, document: rejected.documentId }
}

/** Applications that a person decides about, by a key of its own. */
async function reviewApplications(call: Call): Promise<void> {
  const { key } = await call('createApiKey', { body: { name: 'Reviewer', scopes: ['review:write'] } })
  const begin = async () => (await call('createApplication', { body: { ...applicant, ssn: '000000004' } })).id as string
  const request = async (applicationId: string) =>
    (await call('requestReviewDocument', { key, params: { applicationId }, body: { reason: 'The address is new' } })).id
  const [approved, denied] = [await begin(), await begin()]
  const documentId = await request(approved)
  const upload = { applicationId: approved, documentId }
  await call('uploadDocumentFront', { params: upload, body: { file, contentType: 'image/png' } })
  await call('listReviewApplications', { key, query: { limit: 2 } })
  await call('getReviewDocumentContent', { key, params: { documentId }, query: { side: 'front' } })
  await call('approveReviewApplication', { key, params: { applicationId: approved }, body: { reason: 'All checked' } })
  const [clear, blurred] = [await request(denied), await request(await begin())]
  await call('approveReviewDocument', { key, params: { documentId: clear }, body: { reason: 'Seen at the branch' } })
  const reason = 'The picture is blurred'
  await call('rejectReviewDocument', { key, params: { documentId: blurred }, body: { reason } })
  const body = { reason: 'The identity could not be verified' }
  await call('denyReviewApplication', { key, params: { applicationId: denied }, body })
}

/** External accounts that the screening leaves to a reviewer. */
async function reviewAccounts(
  { call, key: ownKey }: Recorder,
  receiver: Receiver,
  { customerId }: Cast,
): Promise<void> {
  const { key } = await call('createApiKey', { body: { name: 'Reviewer of accounts', scopes: ['review:write'] } })
  const path = `/v0/banking/customers/${customerId}/external-accounts`
  const [approved, rejected] = await receiver.withScreening(async (bank) => {
    const add = async () =>
      (await bank.call('POST', path, { key: ownKey(), body: counterparty })).json.data.id as string
    return [await add(), await add()] as const
  })
  await call('listReviewExternalAccounts', { key, query: { limit: 2 } })
  const approval = { reason: 'The holder was called' }
  await call('approveExternalAccount', { key, params: { externalAccountId: approved }, body: approval })
  const rejection = { reason: 'The holder is not known' }
  await call('rejectExternalAccount', { key, params: { externalAccountId: rejected }, body: rejection })
}

/** Purchases that earn: before the payout, after it, and before the card was linked. */
async function earn(call: Call, { customerId }: Cast): Promise<Rewards> {
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
  for (const isRemoved of [true, false]) {
    await call('updatePartnerUser', { params: { partnerUserId: String(user.id) }, body: { isRemoved } })
    await call('updatePartnerUserCard', { params: { partnerUserCardId: String(link.id) }, body: { isRemoved } })
  }
  await call('getDailyReconciliation', { query: { date: NOW.slice(0, 10) } })
  return {
    partnerUser: String(user.id),
    partnerUserCard: String(link.id),
    reward: String(reward.id),
    purchase: kept.transaction.id,
    transaction: kept.transaction.id,
  }
}

type Rewards = Pick<World, 'partnerUser' | 'partnerUserCard' | 'reward' | 'purchase' | 'transaction'>

/** A webhook endpoint that has received two events. */
async function notify(
  call: Call,
  cast: Cast,
  { url, delivered }: Receiver,
): Promise<Pick<World, 'webhookEndpoint' | 'delivery'>> {
  const { accountId, externalAccountId } = cast
  const { id: webhookEndpointId } = await call('createWebhookEndpoint', {
    body: { url, events: ['payment.*'], description: 'Notifies the app' },
  })
  const params = { webhookEndpointId }
  const bill = { counterpartyAccountId: externalAccountId, description: 'Internet', originalType: 'ACH' }
  for (const [sent, amount] of [20_00, 25_00].entries()) {
    await call('createPayment', { params: { accountId }, body: { ...bill, amount } })
    await delivered(webhookEndpointId, sent + 1)
  }
  await call('listDeliveries', { params, query: { limit: 2 } })
  const [{ id: deliveryId }] = await call('listAllDeliveries', { query: { eventType: 'payment.created', limit: 2 } })
  const { request } = await call('getDelivery', { params: { deliveryId } })
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const headers = Object.fromEntries(names.map((name) => [name, request.headers[name]]))
  await call('verifyDelivery', { params, body: { headers, body: request.body } })
  await call('testWebhookEndpoint', { params })
  await call('rotateWebhookSecret', { params })
  await call('recoverWebhookEndpoint', { params, body: { since: '2026-06-15T00:00:00Z' } })
  const other = await call('createWebhookEndpoint', { body: { url, events: ['card.*'] } })
  const others = { webhookEndpointId: other.id }
  await call('updateWebhookEndpoint', { params: others, body: { events: ['card.*', 'statement.created'] } })
  await call('updateWebhookEndpoint', { params: others, body: { status: 'Disabled' } })
  await call('deleteWebhookEndpoint', { params: others })
  return { webhookEndpoint: webhookEndpointId, delivery: deliveryId }
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
