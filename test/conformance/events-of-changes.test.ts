import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grantScopes } from '../../src/access/operator-keys.ts'
import { eraseCustomer } from '../../src/bank/erasure/erase.ts'
import { setOrganisationLimits } from '../../src/bank/limits/organisation-limits.ts'
import { eventTypes } from '../../src/events/event.ts'
import { operations } from '../../src/operations.ts'
import { collect, makeDebtor, startedAmounts } from '../support/bank/debits.ts'
import { openedAt } from '../support/bank-time.ts'
import { advance, ask, authorize, makeCard, makeCardIn, makeFunded, makeVirtualCard, settle } from '../support/cards.ts'
import { makeEndpoint } from '../support/consumer.ts'
import { eventsAfter, expectAccurate, lastSequence, type RecordedEvent } from '../support/events.ts'
import { type CallOptions, openTestBank, type Reply, type TestBank } from '../support/harness.ts'
import { issueKey } from '../support/keys.ts'
import { expectSoundLedger, makeExternalAccount, makeOwnBankAccount, makePayer, pay } from '../support/ledger.ts'
import { merchant, nationalOffer } from '../support/offers.ts'
import { changeOf, incomingFile, lastBankingDay, returnOf } from '../support/rails/incoming.ts'
import { openRailBank } from '../support/rails/leaving.ts'
import {
  campaignOffer,
  makeActivation,
  makeCampaign,
  makeCampaignOffer,
  makeLink,
  makePartnerUser,
  makeShopper,
} from '../support/rewards.ts'
import { applicant, makeAccount, makeApplication, makeCustomer, newMessageId, newUserId } from '../support/world.ts'

const market = merchant('Tamberly Market')
const catalogue = [
  nationalOffer({ merchant: market, commission: 5, totalCommission: 8 }),
  nationalOffer({
    merchant: merchant('Quillbrook Coffee'),
    commission: 10,
    totalCommission: 10,
    maximumReward: 1_00,
  }),
]
const DAY_MS = 86_400_000

let bank: TestBank
let manual: TestBank
let delayed: TestBank
let rail: TestBank
/** Its screening cannot be reached, so that external accounts need a review. */
let screened: TestBank
beforeAll(async () => {
  bank = await openTestBank({ catalogue })
  manual = await openTestBank({ review: 'manual' })
  delayed = await openTestBank({ catalogue, payoutDelayMs: 3 * DAY_MS })
  rail = await openRailBank()
  screened = await openTestBank({ screening: 'http://127.0.0.1:9/' })
})
afterAll(async () => {
  for (const each of [bank, manual, delayed, rail, screened]) {
    await expectSoundLedger(each)
    await each.close()
  }
})

/** An event that is expected: its type, and its record's id if the test can know it. */
type Expected = [type: string, id?: string]

/** A call that changes something, and the events that it is to emit. */
interface Change {
  on?: TestBank
  method?: string
  path: string
  body?: unknown
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
  emits: Expected[] | ((answered: any) => Expected[])
  /** A second call is refused or returns the existing record; either way it emits nothing. */
  once?: boolean
  /** The ends of the idempotency keys of the events, if they are not the key of the request. */
  suffixes?: string[]
}

const emitted = (type: string) => (answered: { id: string | number }) => [[type, String(answered.id)]] as Expected[]

const file = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const mandate = { authorization: 'Online', textVersion: '1', authorizedAt: '2025-11-03', address: '203.0.113.7' }
const upload = { file, contentType: 'image/png' }
const documentPath = ({ applicationId, documentId }: { applicationId: string; documentId: string }) =>
  `/v0/banking/applications/${applicationId}/documents/${documentId}`
const reviewPath = (names: { applicationId: string; documentId: string }, verdict: string) =>
  `${documentPath(names).replace('banking', 'sandbox')}/${verdict}`
const applicationWith = async (on: TestBank, ssn: string) =>
  (await ask(on, 'POST', '/v0/banking/applications', { ...applicant, ssn })).id
const customerOf = (applicationId: string) => ask(bank, 'GET', `/v0/banking/applications/${applicationId}`)

/** A card of a partner user, with money behind it. */
async function linkedCard(on: TestBank): Promise<{ accountId: string; cardId: string }> {
  const accountId = await makeFunded(on, 1_000_00)
  const cardId = (await makeVirtualCard(on, accountId)).id
  await makeLink(on, (await makePartnerUser(on)).id, cardId)
  return { accountId, cardId }
}

/** A payment above the soft limit of its account. */
async function paymentInReview(on: TestBank): Promise<string> {
  const payer = await makePayer(on, 100_00)
  await ask(on, 'PUT', `/v0/banking/accounts/${payer.accountId}/limits`, { payment: { soft: 1 } })
  return (await pay(on, payer)).json.data.id
}

let received = 100

/** A debit that another bank sent, which is completed. */
async function receivedDebit(): Promise<{ id: string }> {
  const { accountId } = await makePayer(rail, 100_00)
  const { accountNumber } = await ask(rail, 'GET', `/v0/banking/accounts/${accountId}`)
  const { now } = await ask(rail, 'GET', '/v0/sandbox/clock')
  const entries = [{ sequence: ++received, code: 27, amount: 3_00, accountNumber }]
  const modifier = String(received % 10)
  await rail.takeFile({
    name: 'in.ach',
    bytes: incomingFile({ entries, settlesOn: lastBankingDay(now), modifier }),
  })
  return (await ask(rail, 'GET', `/v0/banking/received-payments?accountId=${accountId}`))[0]
}

async function authorizeAt(on: TestBank, cardId: string, amount: number, name = market.name): Promise<string> {
  return (await ask(on, 'POST', `/v0/sandbox/cards/${cardId}/authorizations`, { amount, merchant: { name } })).id
}

/** A settled purchase that earned; answers its authorization. */
async function purchase(on: TestBank, amount: number, name = market.name): Promise<string> {
  const { cardId } = await linkedCard(on)
  const id = await authorizeAt(on, cardId, amount, name)
  expect((await settle(on, id)).status).toBe(201)
  return id
}

async function moveAccount(id: string, move: string, body?: unknown): Promise<string> {
  await ask(bank, 'POST', `/v0/banking/accounts/${id}/${move}`, body)
  return id
}

const byCustomer = { reason: 'ByCustomer' }
const recurringPath = '/v0/banking/recurring-payments'
async function makeRecurring(on: TestBank, body: Record<string, unknown> = {}): Promise<string> {
  const { accountId, externalAccountId } = await makePayer(on, 100_00)
  const rent = {
    type: 'achPayment',
    accountId,
    counterpartyAccountId: externalAccountId,
    amount: 60_00,
    description: 'Rent',
  }
  return (await ask(on, 'POST', recurringPath, { ...rent, interval: 'Weekly', startDate: '2099-02-01', ...body })).id
}

/** Every operation that changes something, by its id, once for each set of events that it can emit. */
const changes: [operation: string, what: string, make: () => Promise<Change>][] = [
  [
    'createCustomer',
    'a customer',
    async () => ({ path: '/v0/sandbox/customers', body: { name: 'Ada Example' }, emits: emitted('customer.created') }),
  ],
  [
    'createFaultRule',
    'nothing',
    async () => ({
      path: '/v0/sandbox/faults',
      body: { match: { eventType: 'card.*' }, effect: { duplicate: true } },
      emits: [],
    }),
  ],
  [
    'deleteFaultRule',
    'nothing',
    async () => {
      const rule = { match: { eventType: 'card.*' }, effect: { duplicate: true } }
      const { id } = await ask(bank, 'POST', '/v0/sandbox/faults', rule)
      return { method: 'DELETE', path: `/v0/sandbox/faults/${id}`, emits: [], once: true }
    },
  ],
  ['deleteFaultRules', 'nothing', async () => ({ method: 'DELETE', path: '/v0/sandbox/faults', emits: [] })],
  ['runLedgerVerification', 'nothing', async () => ({ path: '/v0/ledger/verification', emits: [] })],
  [
    'createAccount',
    'an account',
    async () => ({
      path: '/v0/banking/accounts',
      body: { customerId: await makeCustomer(bank), tags: { b: '2', a: '1' } },
      emits: emitted('account.created'),
    }),
  ],
  [
    'freezeAccount',
    'an account that has moved money before',
    async () => {
      const id = await makeFunded(bank, 5_00)
      return { path: `/v0/banking/accounts/${id}/freeze`, emits: [['account.frozen', id]], once: true }
    },
  ],
  [
    'unfreezeAccount',
    'an account',
    async () => {
      const id = await moveAccount(await makeAccount(bank), 'freeze')
      return { path: `/v0/banking/accounts/${id}/unfreeze`, emits: [['account.unfrozen', id]], once: true }
    },
  ],
  [
    'blockPayments',
    'an account',
    async () => {
      const id = await makeAccount(bank)
      const body = { reason: 'Return R10' }
      return { path: `/v0/banking/accounts/${id}/block-payments`, body, emits: [['account.paymentsBlocked', id]] }
    },
  ],
  [
    'releasePayments',
    'an account',
    async () => {
      const body = { reason: 'Paid' }
      const id = await moveAccount(await makeAccount(bank), 'block-payments', body)
      const path = `/v0/banking/accounts/${id}/release-payments`
      return { path, body, emits: [['account.paymentsReleased', id]], once: true }
    },
  ],
  [
    'closeAccount',
    'an account and those of its cards that had not ended',
    async () => {
      const id = await makeAccount(bank)
      const live = [await makeCard(bank, id), await makeCardIn(bank, 'Frozen', id)]
      await makeCardIn(bank, 'Lost', id)
      const cards = live.map((card): Expected => ['card.statusChanged', card.id])
      const path = `/v0/banking/accounts/${id}/close`
      return { path, body: byCustomer, emits: [['account.closed', id], ...cards], once: true }
    },
  ],
  [
    'closeAccount',
    'the payment of its balance before',
    async () => {
      const { customerId, accountId: id } = await makePayer(bank, 100_00)
      const closeTo = await makeAccount(bank, { customerId })
      const path = `/v0/banking/accounts/${id}/close`
      const moved: Expected[] = [['payment.created'], ['transaction.created'], ['transaction.created']]
      return { path, body: { ...byCustomer, closeTo }, emits: [...moved, ['account.closed', id]], once: true }
    },
  ],
  [
    'reopenAccount',
    'an account',
    async () => {
      const id = await moveAccount(await makeAccount(bank), 'close', byCustomer)
      return { path: `/v0/banking/accounts/${id}/reopen`, emits: [['account.reopened', id]], once: true }
    },
  ],
  [
    'createCard',
    'a physical card',
    async () => {
      const { shippingAddress } = await makeCard(bank, await makeAccount(bank))
      const body = { type: 'individualDebitCard', accountId: await makeAccount(bank), shippingAddress }
      return { path: '/v0/banking/cards', body, emits: emitted('card.created') }
    },
  ],
  [
    'createCard',
    'a virtual card',
    async () => ({
      path: '/v0/banking/cards',
      body: { type: 'individualVirtualDebitCard', accountId: await makeAccount(bank) },
      emits: emitted('card.created'),
    }),
  ],
  [
    'activateCard',
    'a card',
    async () => {
      const { id } = await makeCard(bank, await makeAccount(bank))
      return { path: `/v0/banking/cards/${id}/activate`, emits: [['card.activated', id]], once: true }
    },
  ],
  [
    'activateCard',
    'a card whose predecessors end by it',
    async () => {
      const { id: first, shippingAddress } = await makeCardIn(bank, 'Active')
      const replace = (id: string) => ask(bank, 'POST', `/v0/banking/cards/${id}/replace`, { shippingAddress })
      const { id: second } = await replace(first)
      const { id } = await replace(second)
      const emits: Expected[] = [
        ['card.activated', id],
        ['card.statusChanged', second],
        ['card.statusChanged', first],
      ]
      return { path: `/v0/banking/cards/${id}/activate`, emits, once: true }
    },
  ],
  [
    'replaceCard',
    'the new card and the old one',
    async () => {
      const { id, shippingAddress } = await makeCardIn(bank, 'Active')
      const emits = (answered: { id: string }): Expected[] => [
        ['card.created', answered.id],
        ['card.replaced', id],
      ]
      return { path: `/v0/banking/cards/${id}/replace`, body: { shippingAddress }, emits }
    },
  ],
  ...(
    [
      ['freezeCard', 'freeze', 'Active'],
      ['unfreezeCard', 'unfreeze', 'Frozen'],
      ['closeCard', 'close', 'Active'],
      ['reportLostCard', 'report-lost', 'Active'],
      ['reportStolenCard', 'report-stolen', 'Frozen'],
    ] as const
  ).map(([operation, move, from]): (typeof changes)[number] => [
    operation,
    'a card',
    async () => {
      const { id } = await makeCardIn(bank, from)
      return { path: `/v0/banking/cards/${id}/${move}`, emits: [['card.statusChanged', id]], once: true }
    },
  ]),
  [
    'createExternalAccount',
    'an external account',
    async () => {
      const { customerId, ...known } = await externalAccount()
      const { id: _id, createdAt: _at, bank: _bank, permissions: _permissions, ...body } = known
      return {
        path: `/v0/banking/customers/${customerId}/external-accounts`,
        body,
        emits: emitted('externalAccount.created'),
      }
    },
  ],
  [
    'updateExternalAccount',
    'an external account',
    async () => {
      const { id } = await externalAccount()
      const path = `/v0/banking/external-accounts/${id}`
      return {
        method: 'PATCH',
        path,
        body: { name: 'Grace Example' },
        emits: [['externalAccount.corrected', id]],
        once: true,
      }
    },
  ],
  [
    'updateExternalAccount',
    'an external account that is so already',
    async () => {
      const { id, name } = await externalAccount()
      return { method: 'PATCH', path: `/v0/banking/external-accounts/${id}`, body: { name }, emits: [] }
    },
  ],
  [
    'giveMandate',
    'a mandate',
    async () => {
      const { id } = await externalAccount()
      const path = `/v0/banking/external-accounts/${id}/mandate`
      return { method: 'PUT', path, body: mandate, emits: [['externalAccount.mandateGiven', id]] }
    },
  ],
  [
    'revokeMandate',
    'a mandate and a debit that has not left',
    async () => {
      const of = await makeDebtor(rail)
      const { id } = (await collect(rail, of)).json.data
      const path = `/v0/banking/external-accounts/${of.externalAccountId}/mandate/revoke`
      const revoked: Expected = ['externalAccount.mandateRevoked', of.externalAccountId]
      return { on: rail, path, emits: [['payment.canceled', id], revoked], once: true }
    },
  ],
  [
    'startVerification',
    'an external account',
    async () => {
      const { id } = await externalAccount()
      const path = `/v0/banking/external-accounts/${id}/verification`
      return {
        path,
        body: { method: 'MicroEntries' },
        emits: [['externalAccount.verificationStarted', id]],
        once: true,
      }
    },
  ],
  [
    'confirmVerification',
    'wrong amounts',
    async () => {
      const { id } = await externalAccount()
      const [wrong] = await startedAmounts(bank, id)
      const path = `/v0/banking/external-accounts/${id}/verification/confirm`
      return { path, body: { amounts: wrong }, emits: [['externalAccount.verificationAttempted', id]], once: true }
    },
  ],
  [
    'confirmVerification',
    'wrong amounts for the third time',
    async () => {
      const { id } = await externalAccount()
      const [first, second, third] = await startedAmounts(bank, id)
      const path = `/v0/banking/external-accounts/${id}/verification/confirm`
      for (const amounts of [first, second]) await bank.call('POST', path, { body: { amounts } })
      return { path, body: { amounts: third }, emits: [['externalAccount.verificationFailed', id]], once: true }
    },
  ],
  [
    'attestExternalAccount',
    'an external account',
    async () => {
      const { id } = await externalAccount()
      const path = `/v0/banking/external-accounts/${id}/attest`
      return { path, body: { reference: 'case 7' }, emits: [['externalAccount.verified', id]] }
    },
  ],
  [
    'createPayment',
    'a debit',
    async () => {
      const { accountId, externalAccountId } = await makeDebtor(bank)
      const to = { counterpartyAccountId: externalAccountId, originalType: 'ACH', direction: 'Debit' }
      const path = `/v0/banking/accounts/${accountId}/payments`
      return {
        ...{ path, body: { amount: 1_00, description: 'Top up', ...to } },
        emits: ({ id }) => [['payment.created', id], ['transaction.created']],
      }
    },
  ],
  [
    'returnPayment',
    'a debit',
    async () => {
      const { id } = (await collect(bank, await makeDebtor(bank))).json.data
      const path = `/v0/sandbox/payments/${id}/return`
      return {
        path,
        body: { returnCode: 'R10' },
        emits: [['payment.returned', id], ['transaction.created']],
        once: true,
      }
    },
  ],
  [
    'deleteExternalAccount',
    'an external account',
    async () => {
      const { id } = await externalAccount()
      const path = `/v0/banking/external-accounts/${id}`
      return { method: 'DELETE', path, emits: [['externalAccount.deleted', id]] }
    },
  ],
  [
    'createPayment',
    'a payment and its transaction',
    async () => {
      const { accountId, externalAccountId } = await makePayer(bank, 100_00)
      const body = { amount: 1_00, counterpartyAccountId: externalAccountId, description: 'Rent', originalType: 'ACH' }
      const emits = ({ id }: { id: string }): Expected[] => [['payment.created', id], ['transaction.created']]
      return { path: `/v0/banking/accounts/${accountId}/payments`, body, emits }
    },
  ],
  [
    'createPayment',
    'a payment within the bank: both sides of it',
    async () => {
      const { accountId, customerId } = await makePayer(bank, 100_00)
      const counterpartyAccountId = await makeOwnBankAccount(bank, customerId, await makeAccount(bank))
      const body = { amount: 1_00, counterpartyAccountId, description: 'Rent', originalType: 'ACH' }
      const both: Expected[] = [['transaction.created'], ['transaction.created']]
      const path = `/v0/banking/accounts/${accountId}/payments`
      return { path, body, emits: ({ id }) => [['payment.created', id], ...both] }
    },
  ],
  [
    'createPaymentBatch',
    'each payment and its transaction',
    async () => {
      const { accountId, externalAccountId } = await makePayer(bank, 100_00)
      const payment = { accountId, amount: 1_00, counterpartyAccountId: externalAccountId }
      const body = { payments: [1, 2].map(() => ({ ...payment, description: 'Rent', originalType: 'ACH' })) }
      const emits = (made: { payment: { id: string } }[]): Expected[] =>
        made.flatMap(({ payment: { id } }) => [['payment.created', id], ['transaction.created']] as Expected[])
      return { path: '/v0/banking/payments/batch', body, emits, suffixes: ['/0', '/0', '/1', '/1'] }
    },
  ],
  [
    'createBookTransfer',
    'a payment, and a transaction of each account',
    async () => {
      const { accountId } = await makePayer(bank, 100_00)
      const body = { toAccountId: await makeAccount(bank), amount: 1_00, description: 'Savings' }
      const both: Expected[] = [['transaction.created'], ['transaction.created']]
      const path = `/v0/banking/accounts/${accountId}/transfers`
      return { path, body, emits: ({ id }) => [['payment.created', id], ...both] }
    },
  ],
  [
    'createRecurringPayment',
    'a recurring payment',
    async () => {
      const { accountId, externalAccountId } = await makePayer(bank, 100_00)
      const body = { accountId, counterpartyAccountId: externalAccountId, amount: 1_00, description: 'Rent' }
      const when = { type: 'achPayment', interval: 'Monthly', startDate: '2099-02-01' }
      return { path: recurringPath, body: { ...body, ...when }, emits: emitted('recurringPayment.created') }
    },
  ],
  ...(
    [
      ['skipRecurringPayment', 'skip', 'changed', {}],
      ['changeRecurringPayment', 'amount', 'changed', { amount: 2_00 }],
      ['pauseRecurringPayment', 'pause', 'paused', undefined],
      ['cancelRecurringPayment', 'cancel', 'canceled', undefined],
    ] as const
  ).map(([operation, word, type, body]): [string, string, () => Promise<Change>] => [
    operation,
    'the recurring payment',
    async () => {
      const id = await makeRecurring(bank)
      const emits: Expected[] = [[`recurringPayment.${type}`, id]]
      return { path: `${recurringPath}/${id}/${word}`, ...(body ? { body } : { once: true }), emits }
    },
  ]),
  [
    'resumeRecurringPayment',
    'the recurring payment',
    async () => {
      const id = await makeRecurring(bank)
      await ask(bank, 'POST', `${recurringPath}/${id}/pause`)
      return { path: `${recurringPath}/${id}/resume`, emits: [['recurringPayment.resumed', id]], once: true }
    },
  ],
  [
    'createAccountHold',
    'a hold',
    async () => {
      const path = `/v0/banking/accounts/${await makeFunded(bank, 100_00)}/holds`
      return { path, body: { amount: 1_00, reason: 'Dispute' }, emits: emitted('accountHold.created') }
    },
  ],
  [
    'releaseAccountHold',
    'the end of a hold',
    async () => {
      const path = `/v0/banking/accounts/${await makeFunded(bank, 100_00)}/holds`
      const { id } = await ask(bank, 'POST', path, { amount: 1_00, reason: 'Dispute' })
      return { path: `${path}/${id}/release`, emits: [['accountHold.released', id]], once: true }
    },
  ],
  [
    'cancelPayment',
    'a payment and its transaction',
    async () => {
      const { id } = (await pay(rail, await makePayer(rail, 100_00))).json.data
      const path = `/v0/banking/payments/${id}/cancel`
      return { on: rail, path, emits: [['payment.canceled', id], ['transaction.created']], once: true }
    },
  ],
  [
    'retryPayment',
    'a payment and its transaction',
    async () => {
      const { id } = (await collect(bank, await makeDebtor(bank))).json.data
      await ask(bank, 'POST', `/v0/sandbox/payments/${id}/return`, { returnCode: 'R01' })
      const emits = (answered: { id: string }): Expected[] => [
        ['payment.created', answered.id],
        ['transaction.created'],
      ]
      return { path: `/v0/banking/payments/${id}/retry`, emits, once: true }
    },
  ],
  [
    'reversePayment',
    'a payment and its transaction',
    async () => {
      const { id } = (await pay(bank, await makePayer(bank, 100_00))).json.data
      const emits = (answered: { id: string }): Expected[] => [
        ['payment.created', answered.id],
        ['transaction.created'],
      ]
      return { path: `/v0/banking/payments/${id}/reverse`, body: { reason: 'Duplicate' }, emits, once: true }
    },
  ],
  [
    'returnReceivedPayment',
    'marks it, and the money moves',
    async () => {
      const { id } = await receivedDebit()
      const path = `/v0/banking/received-payments/${id}/return`
      const emits: Expected[] = [['receivedPayment.markedForReturn', id], ['transaction.created']]
      return { on: rail, path, body: { returnCode: 'R10' }, emits, once: true }
    },
  ],
  [
    'returnPayment',
    'a payment and its transaction',
    async () => {
      const { id } = (await pay(bank, await makePayer(bank, 100_00))).json.data
      const path = `/v0/sandbox/payments/${id}/return`
      return {
        path,
        body: { returnCode: 'R01' },
        emits: [['payment.returned', id], ['transaction.created']],
        once: true,
      }
    },
  ],
  [
    'receiveAch',
    'a transaction',
    async () => ({
      path: `/v0/sandbox/accounts/${await makeAccount(bank)}/receive-ach`,
      body: { amount: 1_00, companyName: 'Sample Payroll' },
      emits: emitted('transaction.created'),
    }),
  ],
  [
    'createAuthorization',
    'an authorization',
    async () => {
      const { id } = await makeVirtualCard(bank, await makeFunded(bank, 10_00))
      const body = { amount: 10_00, merchant: { name: 'Sample Coffee', category: 'Restaurants' } }
      return { path: `/v0/sandbox/cards/${id}/authorizations`, body, emits: emitted('authorization.created') }
    },
  ],
  [
    'createAuthorization',
    'one that is declined',
    async () => {
      const { id } = await makeVirtualCard(bank, await makeFunded(bank, 10_00))
      const body = { amount: 10_01, merchant: { name: 'Sample Coffee' } }
      return { path: `/v0/sandbox/cards/${id}/authorizations`, body, emits: emitted('authorization.declined') }
    },
  ],
  [
    'settleAuthorization',
    'an authorization in full',
    async () => {
      const id = await openAuthorization(10_00)
      const emits = (answered: { id: string }): Expected[] => [
        ['authorization.completed', id],
        ['transaction.created', answered.id],
      ]
      return { path: `/v0/sandbox/authorizations/${id}/settle`, body: {}, emits, once: true }
    },
  ],
  [
    'settleAuthorization',
    'an authorization for too much',
    async () => {
      const id = await openAuthorization(10_00)
      const emits = (answered: { id: string }): Expected[] => [
        ['authorization.completed', id],
        ['authorization.overSettled', id],
        ['transaction.created', answered.id],
      ]
      return { path: `/v0/sandbox/authorizations/${id}/settle`, body: { amount: 90_00 }, emits, once: true }
    },
  ],
  [
    'resolveOverSettlement',
    'an authorization that settled for too much',
    async () => {
      const id = await openAuthorization(10_00)
      await settle(bank, id, { amount: 90_00 })
      const emits: Expected[] = [['authorization.reviewed', id]]
      return { path: `/v0/review/over-settlements/${id}/resolve`, body: { reason: 'Refunded' }, emits, once: true }
    },
  ],
  [
    'settleAuthorization',
    'a part of one',
    async () => {
      const id = await openAuthorization(10_00)
      const body = { amount: 4_00, final: false }
      const emits = (answered: { id: string }): Expected[] => [
        ['authorization.amountChanged', id],
        ['transaction.created', answered.id],
      ]
      return { path: `/v0/sandbox/authorizations/${id}/settle`, body, emits }
    },
  ],
  [
    'settleAuthorization',
    'a purchase that is paid back for at once',
    async () => {
      const { cardId } = await linkedCard(bank)
      const id = await authorizeAt(bank, cardId, 100_00)
      const emits = (answered: { id: string }): Expected[] => [
        ['authorization.completed', id],
        ['transaction.created', answered.id],
        ['rewardableTransaction.created'],
        ['reward.created'],
        ['payment.created'],
        ['transaction.created'],
        ['rewardPayment.created'],
      ]
      return { path: `/v0/sandbox/authorizations/${id}/settle`, body: {}, emits, once: true }
    },
  ],
  [
    'settleAuthorization',
    'a purchase that no offer fits',
    async () => {
      const { cardId } = await linkedCard(bank)
      const id = await authorizeAt(bank, cardId, 100_00, 'Nobody knows it')
      const emits: Expected[] = [
        ['authorization.completed', id],
        ['transaction.created'],
        ['rewardableTransaction.created'],
      ]
      return { path: `/v0/sandbox/authorizations/${id}/settle`, body: {}, emits, once: true }
    },
  ],
  [
    'settleAuthorization',
    'a purchase that uses an activation and half of a budget, and all of its count',
    async () => {
      const budgets = { budget: { total: { amount: 10_00 } }, activation: { days: 1 } }
      const campaignId = await makeCampaign(bank, { budget: { day: { count: 1 } } })
      const offer = await makeCampaignOffer(bank, { campaignId, settlementDelayDays: 1, ...budgets })
      const { cardId, partnerUserId } = await makeShopper(bank)
      await ask(bank, 'POST', `/v0/rewards/offers/${offer.id}/activations`, { partnerUserId })
      const id = await authorizeAt(bank, cardId, 100_00, offer.merchantName)
      const emits: Expected[] = [
        ['authorization.completed', id],
        ['transaction.created'],
        ['rewardableTransaction.created'],
        ['reward.created'],
        ['offerActivation.updated'],
        ['campaign.budgetReached', campaignId],
        ['campaign.budgetReached', campaignId],
      ]
      return { path: `/v0/sandbox/authorizations/${id}/settle`, body: {}, emits, once: true }
    },
  ],
  [
    'settleAuthorization',
    'a purchase whose reward waits',
    async () => {
      const { cardId } = await linkedCard(delayed)
      const id = await authorizeAt(delayed, cardId, 100_00)
      const emits: Expected[] = [
        ['authorization.completed', id],
        ['transaction.created'],
        ['rewardableTransaction.created'],
        ['reward.created'],
      ]
      return { on: delayed, path: `/v0/sandbox/authorizations/${id}/settle`, body: {}, emits, once: true }
    },
  ],
  [
    'reverseAuthorization',
    'an authorization',
    async () => {
      const id = await openAuthorization(10_00)
      const path = `/v0/sandbox/authorizations/${id}/reverse`
      return { path, emits: [['authorization.canceled', id]], once: true }
    },
  ],
  [
    'refundAuthorization',
    'a purchase that earned nothing',
    async () => {
      const id = await openAuthorization(10_00)
      await settle(bank, id)
      const path = `/v0/sandbox/authorizations/${id}/refund`
      return { path, body: {}, emits: emitted('transaction.created'), once: true }
    },
  ],
  [
    'refundAuthorization',
    'a part of a rewarded purchase',
    async () => {
      const path = `/v0/sandbox/authorizations/${await purchase(bank, 100_00)}/refund`
      const emits: Expected[] = [['transaction.created'], ['reward.amountChanged'], ['transaction.created']]
      return { path, body: { amount: 40_00 }, emits }
    },
  ],
  [
    'refundAuthorization',
    'all of a rewarded purchase',
    async () => {
      const path = `/v0/sandbox/authorizations/${await purchase(bank, 100_00)}/refund`
      const emits: Expected[] = [['transaction.created'], ['reward.clawedBack'], ['transaction.created']]
      return { path, body: {}, emits, once: true }
    },
  ],
  [
    'refundAuthorization',
    'the little that was left of a purchase whose reward had been taken back',
    async () => {
      const path = `/v0/sandbox/authorizations/${await purchase(bank, 100_00)}/refund`
      await ask(bank, 'POST', path, { amount: 99_99 })
      return { path, body: {}, emits: [['transaction.created']], once: true }
    },
  ],
  [
    'refundAuthorization',
    'a part that leaves only the issuer with less',
    async () => {
      const path = `/v0/sandbox/authorizations/${await purchase(bank, 100_00, 'Quillbrook Coffee')}/refund`
      return { path, body: { amount: 10_00 }, emits: [['transaction.created'], ['reward.amountChanged']] }
    },
  ],
  [
    'refundAuthorization',
    'all of a purchase before its payout',
    async () => {
      const path = `/v0/sandbox/authorizations/${await purchase(delayed, 100_00)}/refund`
      const emits: Expected[] = [['transaction.created'], ['reward.reversed']]
      return { on: delayed, path, body: {}, emits, once: true }
    },
  ],
  [
    'setAccountLimits',
    'an account',
    async () => {
      const id = await makeAccount(bank)
      const path = `/v0/banking/accounts/${id}/limits`
      return { method: 'PUT', path, body: { day: { hard: 1 } }, emits: [['account.limitsChanged', id]] }
    },
  ],
  [
    'setAccountLimits',
    'an account that has the limits already',
    async () => ({
      method: 'PUT',
      path: `/v0/banking/accounts/${await makeAccount(bank)}/limits`,
      body: {},
      emits: [],
    }),
  ],
  ...(
    [
      ['approvePayment', 'approve', () => bank, 'payment.sent'],
      ['approvePayment', 'approve', () => rail, 'payment.pending'],
      ['rejectPayment', 'reject', () => bank, 'payment.rejected'],
      ['stopPayment', 'stop', () => rail, 'payment.pendingReview'],
    ] as const
  ).map(([operation, move, on, type]): (typeof changes)[number] => [
    operation,
    `a payment: ${type}`,
    async () => {
      const id = await paymentInReview(on())
      if (move === 'stop') await ask(on(), 'POST', `/v0/review/payments/${id}/approve`, { reason: 'Checked' })
      const emits: Expected[] = [[type, id], ...(move === 'reject' ? [['transaction.created'] as Expected] : [])]
      return { on: on(), path: `/v0/review/payments/${id}/${move}`, body: { reason: 'Checked' }, emits, once: true }
    },
  ]),
  [
    'setCardLimits',
    'a card',
    async () => {
      const { id } = await makeVirtualCard(bank, await makeAccount(bank))
      const path = `/v0/banking/cards/${id}/limits`
      const body = { purchase: { amount: 50_00 }, day: { count: 3 }, allowedCategories: ['Restaurants'] }
      return { method: 'PUT', path, body, emits: [['card.limitsChanged', id]], once: true }
    },
  ],
  [
    'setCardLimits',
    'a card that has no limits already',
    async () => {
      const { id } = await makeVirtualCard(bank, await makeAccount(bank))
      return { method: 'PUT', path: `/v0/banking/cards/${id}/limits`, body: { day: {} }, emits: [] }
    },
  ],
  [
    'setCardReference',
    'a card',
    async () => {
      const { id } = await makeVirtualCard(bank, await makeAccount(bank))
      const body = { reference: newMessageId() }
      const path = `/v0/processor/cards/${id}/reference`
      return { method: 'PUT', path, body, emits: [['card.referenceChanged', id]], once: true }
    },
  ],
  [
    'setCardReference',
    'a card that has the reference already',
    async () => {
      const { id } = await makeVirtualCard(bank, await makeAccount(bank))
      return { method: 'PUT', path: `/v0/processor/cards/${id}/reference`, body: { reference: null }, emits: [] }
    },
  ],
  [
    'createProcessorAuthorization',
    'an authorization',
    async () => {
      const { id } = await makeVirtualCard(bank, await makeFunded(bank, 10_00))
      const body = { amount: 10_00, merchant: { name: 'Sample Coffee' }, processorId: newMessageId() }
      const path = `/v0/processor/cards/${id}/authorizations`
      return { path, body, emits: emitted('authorization.created'), once: true }
    },
  ],
  ...(
    [
      ['incrementAuthorization', 'increment', { amount: 1 }, 'authorization.amountChanged'],
      ['incrementAuthorization', 'increment', { amount: 900_000_00 }, 'authorization.incrementDeclined'],
      ['adviseAuthorization', 'advice', { amount: 900_000_00 }, 'authorization.amountChanged'],
      ['reverseProcessorAuthorization', 'reverse', {}, 'authorization.canceled'],
    ] as const
  ).map(([operation, move, content, type]): (typeof changes)[number] => [
    operation,
    `an authorization: ${type}`,
    async () => {
      const { id: cardId } = await makeVirtualCard(bank, await makeFunded(bank, 20_00))
      const id = await authorizeAt(bank, cardId, 10_00)
      const body = { ...content, processorId: newMessageId() }
      return { path: `/v0/processor/authorizations/${id}/${move}`, body, emits: [[type, id]], once: true }
    },
  ]),
  [
    'settleProcessorAuthorization',
    'an authorization in full',
    async () => {
      const id = await openAuthorization(10_00)
      const emits: Expected[] = [['authorization.completed', id], ['transaction.created']]
      const body = { processorId: newMessageId() }
      return { path: `/v0/processor/authorizations/${id}/settle`, body, emits, once: true }
    },
  ],
  [
    'refundProcessorAuthorization',
    'a purchase that earned nothing',
    async () => {
      const id = await openAuthorization(10_00)
      await settle(bank, id)
      const path = `/v0/processor/authorizations/${id}/refund`
      return { path, body: { processorId: newMessageId() }, emits: emitted('transaction.created'), once: true }
    },
  ],
  [
    'createRewardableTransaction',
    'a purchase that was made before the card was linked',
    async () => {
      const bankCardId = (await makeVirtualCard(bank, await makeFunded(bank, 100_00))).id
      const id = await authorizeAt(bank, bankCardId, 100_00)
      const bankTransactionId = (await settle(bank, id)).json.data.id
      await makeLink(bank, (await makePartnerUser(bank)).id, bankCardId)
      const emits = (answered: { id: number }): Expected[] => [
        ['rewardableTransaction.created', String(answered.id)],
        ['reward.created'],
        ['payment.created'],
        ['transaction.created'],
        ['rewardPayment.created'],
      ]
      const path = '/v0/rewards/rewardable-transactions'
      return { path, body: { bankCardId, bankTransactionId }, emits, once: true }
    },
  ],
  [
    'createStatement',
    'a statement',
    async () => {
      const accountId = await makeAccount(bank)
      await openedAt(bank, accountId, '2026-01-15T12:00:00Z')
      const path = `/v0/sandbox/accounts/${accountId}/statements`
      return { path, body: { period: '2026-01' }, emits: emitted('statement.created'), once: true }
    },
  ],
  [
    'createApplication',
    'one that is approved at once, with its customer',
    async () => ({
      path: '/v0/banking/applications',
      body: applicant,
      emits: ({ id, customerId }) => [
        ['customer.created', customerId],
        ['application.created', id],
      ],
    }),
  ],
  ...['000000001', '000000003', '000000004'].map((ssn): (typeof changes)[number] => [
    'createApplication',
    `with the SSN ${ssn}`,
    async () => ({
      path: '/v0/banking/applications',
      body: { ...applicant, ssn },
      emits: emitted('application.created'),
    }),
  ]),
  [
    'approveApplication',
    'an application and its customer',
    async () => {
      const id = await applicationWith(bank, '000000004')
      const path = `/v0/sandbox/applications/${id}/approve`
      const emits = ({ customerId }: { customerId: string }): Expected[] => [
        ['customer.created', customerId],
        ['application.approved', id],
      ]
      return { path, emits, once: true }
    },
  ],
  [
    'denyApplication',
    'an application',
    async () => {
      const id = await applicationWith(bank, '000000003')
      return { path: `/v0/sandbox/applications/${id}/deny`, emits: [['application.denied', id]], once: true }
    },
  ],
  [
    'uploadDocumentFront',
    'a document that is approved as it comes, and all that follows',
    async () => {
      const names = await makeApplication(bank)
      const emits: Expected[] = [
        ['document.approved', names.documentId],
        ['customer.created'],
        ['application.approved', names.applicationId],
      ]
      return { path: documentPath(names), body: upload, emits, once: true }
    },
  ],
  [
    'uploadDocumentBack',
    'a side of a document that is approved already',
    async () => {
      const names = await makeApplication(bank)
      await ask(bank, 'POST', documentPath(names), upload)
      expect((await customerOf(names.applicationId)).status).toBe('Approved')
      return { path: `${documentPath(names)}/back`, body: upload, emits: [] }
    },
  ],
  [
    'uploadDocumentBack',
    'a document that waits for its review',
    async () => {
      const names = await makeApplication(manual)
      const emits: Expected[] = [['application.pendingReview', names.applicationId]]
      return { on: manual, path: `${documentPath(names)}/back`, body: upload, emits, once: true }
    },
  ],
  [
    'approveDocument',
    'a document, and all that follows',
    async () => {
      const names = await makeApplication(manual)
      await ask(manual, 'POST', documentPath(names), upload)
      const emits: Expected[] = [
        ['document.approved', names.documentId],
        ['customer.created'],
        ['application.approved', names.applicationId],
      ]
      return { on: manual, path: reviewPath(names, 'approve'), body: {}, emits, once: true }
    },
  ],
  [
    'rejectDocument',
    'a document, which the application then awaits again',
    async () => {
      const names = await makeApplication(manual)
      await ask(manual, 'POST', documentPath(names), upload)
      const emits: Expected[] = [
        ['document.rejected', names.documentId],
        ['application.awaitingDocuments', names.applicationId],
      ]
      return { on: manual, path: reviewPath(names, 'reject'), body: { reason: 'Blurred' }, emits, once: true }
    },
  ],
  ...(
    [
      ['approveReviewApplication', 'approve', {}, ['customer.created', 'application.approved']],
      ['denyReviewApplication', 'deny', { reason: 'Not verified' }, ['application.denied']],
    ] as const
  ).map(
    ([operationId, verdict, body, types]) =>
      [
        operationId,
        'an application that a reviewer decides',
        async () => {
          const id = await applicationWith(manual, '123456789')
          const emits = types.map((type): Expected => (type === 'customer.created' ? [type] : [type, id]))
          return { on: manual, path: `/v0/review/applications/${id}/${verdict}`, body, emits, once: true }
        },
      ] as [string, string, () => Promise<Change>],
  ),
  ...(
    [
      ['approveExternalAccount', 'approve', {}, 'externalAccount.approved'],
      ['rejectExternalAccount', 'reject', { reason: 'Unknown' }, 'externalAccount.rejected'],
    ] as const
  ).map(
    ([operationId, verdict, body, type]) =>
      [
        operationId,
        'an external account that a reviewer decides about',
        async () => {
          const id = await makeExternalAccount(screened, await makeCustomer(screened))
          const path = `/v0/review/external-accounts/${id}/${verdict}`
          return { on: screened, path, body, emits: [[type, id]], once: true }
        },
      ] as [string, string, () => Promise<Change>],
  ),
  [
    'requestReviewDocument',
    'a document that a reviewer asks for, which the application then awaits',
    async () => {
      const id = await applicationWith(manual, '123456789')
      const emits = (answered: { id: string }): Expected[] => [
        ['document.requested', answered.id],
        ['application.awaitingDocuments', id],
      ]
      return { on: manual, path: `/v0/review/applications/${id}/documents`, body: {}, emits, once: true }
    },
  ],
  [
    'getReviewDocumentContent',
    'a look at a file',
    async () => {
      const names = await makeApplication(manual)
      await ask(manual, 'POST', documentPath(names), upload)
      const path = `/v0/review/documents/${names.documentId}/content`
      return { on: manual, method: 'GET', path, emits: [['document.viewed', names.documentId]] }
    },
  ],
  [
    'approveReviewDocument',
    'a document that a reviewer approves, and all that follows',
    async () => {
      const names = await makeApplication(manual)
      await ask(manual, 'POST', documentPath(names), upload)
      const emits: Expected[] = [
        ['document.approved', names.documentId],
        ['customer.created'],
        ['application.approved', names.applicationId],
      ]
      return {
        on: manual,
        path: `/v0/review/documents/${names.documentId}/approve`,
        body: { reason: 'Seen' },
        emits,
        once: true,
      }
    },
  ],
  [
    'rejectReviewDocument',
    'a document that a reviewer rejects, which the application then awaits again',
    async () => {
      const names = await makeApplication(manual)
      await ask(manual, 'POST', documentPath(names), upload)
      const emits: Expected[] = [
        ['document.rejected', names.documentId],
        ['application.awaitingDocuments', names.applicationId],
      ]
      return {
        on: manual,
        path: `/v0/review/documents/${names.documentId}/reject`,
        body: { reason: 'Blurred' },
        emits,
        once: true,
      }
    },
  ],
  [
    'createVerificationToken',
    'the customer and the expiry, and not the token',
    async () => ({
      path: `/v0/banking/customers/${await makeCustomer(bank)}/token-verifications`,
      emits: [['verificationToken.created']],
    }),
  ],
  [
    'createCampaign',
    'a campaign',
    async () => ({ path: '/v0/rewards/campaigns', body: { name: 'Spring' }, emits: emitted('campaign.created') }),
  ],
  [
    'updateCampaign',
    'one that is paused',
    async () => {
      const path = `/v0/rewards/campaigns/${await makeCampaign(bank)}`
      return { method: 'PATCH', path, body: { status: 'Paused' }, emits: emitted('campaign.updated') }
    },
  ],
  [
    'createCampaignOffer',
    'an offer of a campaign',
    async () => {
      const path = `/v0/rewards/campaigns/${await makeCampaign(bank)}/offers`
      return { path, body: campaignOffer(), emits: emitted('campaignOffer.created') }
    },
  ],
  [
    'updateCampaignOffer',
    'one that is paused',
    async () => {
      const { id } = await makeCampaignOffer(bank)
      const path = `/v0/rewards/offers/${id}`
      return { method: 'PATCH', path, body: { status: 'Paused' }, emits: emitted('campaignOffer.updated') }
    },
  ],
  [
    'activateOffer',
    'an activation',
    async () => {
      const { id } = await makeCampaignOffer(bank, { activation: { days: 7 } })
      const body = { partnerUserId: (await makePartnerUser(bank)).id }
      return {
        path: `/v0/rewards/offers/${id}/activations`,
        body,
        emits: emitted('offerActivation.created'),
        once: true,
      }
    },
  ],
  [
    'cancelActivation',
    'an activation',
    async () => {
      const { id } = await makeActivation(bank, await makePartnerUser(bank))
      return { path: `/v0/rewards/activations/${id}/cancel`, emits: emitted('offerActivation.updated'), once: true }
    },
  ],
  [
    'createPartnerUser',
    'a partner user',
    async () => ({
      path: '/v0/rewards/partner-users',
      body: { userId: newUserId() },
      emits: emitted('partnerUser.created'),
      once: true,
    }),
  ],
  [
    'updatePartnerUser',
    'one that is removed',
    async () => {
      const { id } = await makePartnerUser(bank)
      const path = `/v0/rewards/partner-users/${id}`
      return { method: 'PATCH', path, body: { isRemoved: true }, emits: emitted('partnerUser.updated'), once: true }
    },
  ],
  [
    'updatePartnerUser',
    'one whose tags change',
    async () => {
      const { id } = await makePartnerUser(bank)
      const path = `/v0/rewards/partner-users/${id}`
      return { method: 'PATCH', path, body: { tags: { plan: 'gold' } }, emits: emitted('partnerUser.updated') }
    },
  ],
  [
    'updatePartnerUser',
    'one that is so already',
    async () => {
      const { id } = await makePartnerUser(bank)
      return { method: 'PATCH', path: `/v0/rewards/partner-users/${id}`, body: { isRemoved: false }, emits: [] }
    },
  ],
  [
    'createPartnerUserCard',
    'the link of a card',
    async () => {
      const bankCardId = (await makeVirtualCard(bank, await makeAccount(bank))).id
      const body = { partnerUserId: (await makePartnerUser(bank)).id, bankCardId }
      return { path: '/v0/rewards/partner-user-cards', body, emits: emitted('partnerUserCard.created'), once: true }
    },
  ],
  [
    'updatePartnerUserCard',
    'a link that is removed',
    async () => {
      const bankCardId = (await makeVirtualCard(bank, await makeAccount(bank))).id
      const { id } = await makeLink(bank, (await makePartnerUser(bank)).id, bankCardId)
      const path = `/v0/rewards/partner-user-cards/${id}`
      return { method: 'PATCH', path, body: { isRemoved: true }, emits: emitted('partnerUserCard.updated'), once: true }
    },
  ],
  [
    'updatePartnerUserCard',
    'a link that is so already',
    async () => {
      const bankCardId = (await makeVirtualCard(bank, await makeAccount(bank))).id
      const { id } = await makeLink(bank, (await makePartnerUser(bank)).id, bankCardId)
      return { method: 'PATCH', path: `/v0/rewards/partner-user-cards/${id}`, body: { isRemoved: false }, emits: [] }
    },
  ],
  [
    'createOrganisation',
    'an organisation',
    async () => ({ path: '/v0/sandbox/organisations', body: {}, emits: emitted('organisation.created') }),
  ],
  [
    'createApiKey',
    'a key',
    async () => ({
      path: '/v0/api-keys',
      body: { name: 'Sample', scopes: ['banking:read'] },
      emits: emitted('apiKey.created'),
    }),
  ],
  [
    'rotateApiKey',
    'a key',
    async () => {
      const { id } = await issueKey(bank)
      return { path: `/v0/api-keys/${id}/rotate`, body: { graceSeconds: 60 }, emits: [['apiKey.rotated', id]] }
    },
  ],
  [
    'deleteApiKey',
    'a key',
    async () => {
      const { id } = await issueKey(bank)
      return { method: 'DELETE', path: `/v0/api-keys/${id}`, emits: [['apiKey.revoked', id]], once: true }
    },
  ],
  [
    'createWebhookEndpoint',
    'an endpoint',
    async () => ({
      path: '/v0/webhook-endpoints',
      body: { url: 'https://example.com/', events: ['*'] },
      emits: emitted('webhookEndpoint.created'),
    }),
  ],
  [
    'updateWebhookEndpoint',
    'another address',
    async () => {
      const { id, path } = await webhookEndpoint()
      const body = { url: 'https://example.com/elsewhere' }
      return { method: 'PATCH', path, body, emits: [['webhookEndpoint.updated', id]], once: true }
    },
  ],
  [
    'updateWebhookEndpoint',
    'an end',
    async () => {
      const { id, path } = await webhookEndpoint()
      const body = { status: 'Disabled' }
      return { method: 'PATCH', path, body, emits: [['webhookEndpoint.disabled', id]], once: true }
    },
  ],
  [
    'deleteWebhookEndpoint',
    'an endpoint',
    async () => {
      const { id, path } = await webhookEndpoint()
      return { method: 'DELETE', path, emits: [['webhookEndpoint.deleted', id]], once: true }
    },
  ],
  [
    'rotateWebhookSecret',
    'an endpoint',
    async () => {
      const { id, path } = await webhookEndpoint()
      return { path: `${path}/rotate-secret`, emits: [['webhookEndpoint.secretRotated', id]] }
    },
  ],
  ['testWebhookEndpoint', 'nothing', async () => ({ path: `${(await webhookEndpoint()).path}/test`, emits: [] })],
  [
    'verifyDelivery',
    'nothing',
    async () => {
      const { path } = await webhookEndpoint()
      return { path: `${path}/verify`, body: { headers: {}, body: '{}' }, emits: [] }
    },
  ],
  [
    'recoverWebhookEndpoint',
    'nothing',
    async () => {
      const { path } = await webhookEndpoint()
      return { path: `${path}/recover`, body: { since: '2026-01-31' }, emits: [] }
    },
  ],
  [
    'redeliverEvent',
    'nothing',
    async () => {
      const [{ id }] = await ask(bank, 'GET', '/v0/events?limit=1')
      return { path: `/v0/events/${id}/redeliver`, emits: [] }
    },
  ],
  [
    'redeliverDelivery',
    'nothing',
    async () => {
      const [{ id }] = await ask(bank, 'GET', '/v0/events?limit=1')
      const endpoint = await makeEndpoint(bank, 'https://example.com/', ['*'])
      await ask(bank, 'POST', `/v0/events/${id}/redeliver`)
      const [delivery] = await ask(bank, 'GET', `/v0/webhook-endpoints/${endpoint.id}/deliveries`)
      return { path: `/v0/deliveries/${delivery.id}/redeliver`, emits: [] }
    },
  ],
]

async function webhookEndpoint(): Promise<{ id: string; path: string }> {
  const { id } = await makeEndpoint(bank, 'https://example.com/')
  return { id, path: `/v0/webhook-endpoints/${id}` }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
async function externalAccount(): Promise<any> {
  const customerId = await makeCustomer(bank)
  await makeExternalAccount(bank, customerId, { accountNumber: customerId })
  return (await ask(bank, 'GET', `/v0/banking/customers/${customerId}/external-accounts`))[0]
}

async function openAuthorization(amount: number): Promise<string> {
  const { id } = await makeVirtualCard(bank, await makeFunded(bank, amount))
  return (await authorize(bank, id, amount)).id
}

let keys = 0

describe('A change emits the events of its records', () => {
  test.each(changes)('%s: %s', async (_operation, _what, make) => {
    const { on = bank, method = 'POST', path, body, emits, once, suffixes } = await make()
    const send = (options: CallOptions): Promise<Reply> => on.call(method, path, { body, ...options })
    const before = await lastSequence(on)
    const keyed = { headers: { 'idempotency-key': `key-${keys++}`, 'x-request-id': `request-${keys}` } }
    const first = await send(keyed)
    expect(first.status, first.text).toBeLessThan(300)

    const events = await eventsAfter(on, before)
    const expected = typeof emits === 'function' ? emits(first.json?.data) : emits
    expect(events.map(({ type }) => type)).toEqual(expected.map(([type]) => type))
    for (const [place, event] of events.entries()) {
      expect(event.entityId).toBe(expected[place]?.[1] ?? event.entityId)
      expect(event.sequence).toBe(before + place + 1)
      expect([event.requestId, event.idempotencyKey, event.apiKeyId]).toEqual([
        first.headers['x-request-id'],
        method === 'POST' ? `${keyed.headers['idempotency-key']}${suffixes?.[place] ?? ''}` : null,
        expect.any(Number),
      ])
      const recordOf = ({ type, entityId }: RecordedEvent) => `${type.split('.')[0]} ${entityId}`
      const later = events.slice(place + 1).filter((each) => recordOf(each) === recordOf(event)).length
      await expectAccurate(on, event, later)
    }

    if (method === 'POST') expect((await send(keyed)).text).toBe(first.text)
    if (once) await send({})
    expect(await eventsAfter(on, before)).toEqual(events)
  })

  test('is tested here for every operation that can change something', () => {
    // Tests further down cover the clock and scenarios; those of the operations cover the end of an organisation.
    // Statements and days are the whole bank's, and changes of them have no events.
    const others = ['advanceClock', 'createScenario', 'deleteOrganisation', 'resetOrganisation']
    others.push('closeDay', 'reopenDay', 'decideSettlementItem', 'takeBankStatement')
    // Tests beside the operations cover what persons decide.
    others.push('approveProposal', 'rejectProposal', 'withdrawProposal')
    others.push('permitExport', 'permitPersonRights', 'permitRailResume')
    // Attributions are counted, and no records.
    others.push('createAttributions')
    // A look at a file is the one read that leaves an event.
    const writes = operations
      .filter(({ method, id }) => method !== 'GET' || id === 'getReviewDocumentContent')
      .map(({ id }) => id)
    expect([...new Set(changes.map(([operation]) => operation)), ...others].sort()).toEqual(writes.sort())
  })
})

describe('A refused request emits no event', () => {
  const refusals: [what: string, status: number, make: () => Promise<Omit<Change, 'emits'>>][] = [
    [
      'a payment without the funds',
      422,
      async () => {
        const { accountId, externalAccountId } = await makePayer(bank, 1_00)
        const body = {
          amount: 1_01,
          counterpartyAccountId: externalAccountId,
          description: 'Rent',
          originalType: 'ACH',
        }
        return { path: `/v0/banking/accounts/${accountId}/payments`, body }
      },
    ],
    [
      'an account of an unknown customer',
      404,
      async () => ({ path: '/v0/banking/accounts', body: { customerId: '9' } }),
    ],
    [
      'deleting an unknown external account',
      404,
      async () => ({ method: 'DELETE', path: '/v0/banking/external-accounts/9' }),
    ],
    [
      'a card for a frozen account',
      409,
      async () => {
        const accountId = await moveAccount(await makeAccount(bank), 'freeze')
        return { path: '/v0/banking/cards', body: { type: 'individualVirtualDebitCard', accountId } }
      },
    ],
    [
      'activating a card of a frozen account',
      409,
      async () => {
        const accountId = await makeAccount(bank)
        const { id } = await makeCard(bank, accountId)
        await moveAccount(accountId, 'freeze')
        return { path: `/v0/banking/cards/${id}/activate` }
      },
    ],
    [
      'settling a reversed authorization',
      409,
      async () => {
        const id = await openAuthorization(1_00)
        await ask(bank, 'POST', `/v0/sandbox/authorizations/${id}/reverse`)
        return { path: `/v0/sandbox/authorizations/${id}/settle`, body: {} }
      },
    ],
    [
      'a refund of more than was settled',
      422,
      async () => ({
        path: `/v0/sandbox/authorizations/${await purchase(bank, 100_00)}/refund`,
        body: { amount: 100_01 },
      }),
    ],
    [
      'a statement of a month that is not over',
      422,
      async () => ({
        path: `/v0/sandbox/accounts/${await makeAccount(bank)}/statements`,
        body: { period: '2999-01' },
      }),
    ],
  ]
  test.each(refusals)('%s', async (_what, status, make) => {
    const { method = 'POST', path, body } = await make()
    const before = await lastSequence(bank)
    expect((await bank.call(method, path, { body })).status).toBe(status)
    expect(await eventsAfter(bank, before)).toEqual([])
  })

  test('a payment that is refused after its event was prepared', async () => {
    const { accountId, customerId } = await makePayer(bank, 100_00)
    const destinationId = await makeAccount(bank)
    const externalAccountId = await makeOwnBankAccount(bank, customerId, destinationId)
    const setBalance = (balance: number) =>
      bank.database.query('update account set balance = $2::bigint where id = $1::bigint', [destinationId, balance])
    // The account that the payment goes to has no room for another cent.
    await setBalance(Number.MAX_SAFE_INTEGER)
    const before = await lastSequence(bank)
    const reply = await pay(bank, { accountId, externalAccountId })
    await setBalance(0)
    expect([reply.status, reply.json.code]).toEqual([422, 'balance_limit'])
    expect(await eventsAfter(bank, before)).toEqual([])
  })
})

describe('A change that the bank makes by itself', () => {
  test('emits events without a request: a payout, an expiry, the end of a month', async () => {
    const authorizationId = await purchase(delayed, 100_00)
    const { cardId } = await linkedCard(delayed)
    const open = await authorizeAt(delayed, cardId, 1_00)

    const rewards = (await ask(delayed, 'GET', '/v0/rewards/rewards')) as { state: string }[]
    const due = rewards.filter(({ state }) => state === 'PENDING')
    let before = await lastSequence(delayed)
    await advance(delayed, { by: 'P3DT1H' })
    const paid = (await eventsAfter(delayed, before)).filter(({ type }) => type !== 'statement.created')
    const payout = ['reward.paid', 'payment.created', 'transaction.created', 'rewardPayment.created']
    expect(paid.map(({ type }) => type)).toEqual(due.flatMap(() => payout))
    for (const event of paid) await expectAccurate(delayed, event)

    const { now } = await ask(delayed, 'GET', '/v0/sandbox/clock')
    const expiring = { amount: 1_00, reason: 'Other', expiresAt: new Date(Date.parse(now) + 60_000).toISOString() }
    const holds = `/v0/banking/accounts/${await makeFunded(delayed, 1_00)}/holds`
    const hold = await ask(delayed, 'POST', holds, expiring)
    before = await lastSequence(delayed)
    await advance(delayed, { by: 'P4D' })
    const ended = (await eventsAfter(delayed, before)).filter(({ type }) => type !== 'statement.created')
    expect(ended.map(({ type, entityId }) => [type, entityId])).toEqual([
      ['accountHold.expired', hold.id],
      ['authorization.canceled', open],
    ])
    for (const event of ended) await expectAccurate(delayed, event)

    before = await lastSequence(delayed)
    const accounts = (await ask(delayed, 'GET', '/v0/banking/accounts?limit=1000')) as { id: string }[]
    await advance(delayed, { by: 'P31D' })
    const turned = await eventsAfter(delayed, before)
    expect(new Set(turned.map(({ type }) => type))).toEqual(new Set(['statement.created']))
    expect(new Set(turned.map(({ data }) => data.accountId))).toEqual(new Set(accounts.map(({ id }) => id)))
    expect(new Set(turned.map(({ data }) => `${data.accountId} ${data.period}`)).size).toBe(turned.length)
    for (const event of turned) await expectAccurate(delayed, event)

    for (const { requestId, idempotencyKey, apiKeyId } of [...paid, ...ended, ...turned]) {
      expect([requestId, idempotencyKey, apiKeyId]).toEqual([null, null, null])
    }
    await ask(delayed, 'POST', `/v0/sandbox/authorizations/${authorizationId}/refund`, {})
  })

  test('the runs of recurring payments emit what became of them', async () => {
    const { now } = await ask(delayed, 'GET', '/v0/sandbox/clock')
    const startDate = new Date(Date.parse(now) + 86_400_000).toISOString().slice(0, 10)
    const soon = { startDate, onClosedDay: 'AsItComes' }
    const retried = await makeRecurring(delayed, { ...soon, onMissingMoney: 'Retry', retryDays: 1 })
    const stopped = await makeRecurring(delayed, { ...soon, onMissingMoney: 'Stop' })
    const skipped = await makeRecurring(delayed, { ...soon, count: 1 })
    await ask(delayed, 'POST', `${recurringPath}/${skipped}/skip`, {})
    const before = await lastSequence(delayed)
    await advance(delayed, { by: 'P10D' })
    const events = (await eventsAfter(delayed, before)).filter(({ type }) => type !== 'statement.created')
    const of = (id: string) =>
      events.flatMap(({ type, entityId }) => (entityId === id ? type.replace('recurringPayment.', '') : []))
    expect(of(retried)).toEqual(['runSucceeded', 'runWaiting', 'runFailed'])
    expect(of(stopped)).toEqual(['runSucceeded', 'runFailed', 'stopped'])
    expect(of(skipped)).toEqual(['runSkipped', 'completed'])
    const last = new Map(events.map((event) => [event.entityId, event]))
    for (const event of last.values()) await expectAccurate(delayed, event)
    await ask(delayed, 'POST', `${recurringPath}/${retried}/cancel`)
  })
})

describe('An erasure by the operator', () => {
  test('emits an event without a request, which shows the customer as erased', async () => {
    const customerId = await makeCustomer(bank)
    const before = await lastSequence(bank)
    await eraseCustomer(bank.database, Number(customerId), { early: false })
    const [event, ...others] = await eventsAfter(bank, before)
    expect([event?.type, event?.requestId, event?.apiKeyId, others]).toEqual(['customer.erased', null, null, []])
    expect(event?.data).toMatchObject({ id: customerId, name: 'Erased', email: null, status: 'Erased' })
    if (event) await expectAccurate(bank, event)
  })
})

describe('A grant of scopes by the operator', () => {
  test('emits an event without a request, which shows the key', async () => {
    const { id } = await issueKey(bank)
    const before = await lastSequence(bank)
    expect(await grantScopes(bank.database, Number(id), ['risk:write'])).toContain('risk:write')
    const [event, ...others] = await eventsAfter(bank, before)
    expect([event?.type, event?.requestId, event?.apiKeyId, others]).toEqual(['apiKey.scopesChanged', null, null, []])
    if (event) await expectAccurate(bank, event)
  })
})

describe('A change of the limits of an organisation by the operator', () => {
  test('emits an event without a request, which shows the limits', async () => {
    const before = await lastSequence(rail)
    const limits = { payment: { soft: 5_000_00, hard: null }, day: { soft: null, hard: 100_000_00 } }
    await setOrganisationLimits(rail.database, 'first', { ...limits, month: { soft: null, hard: null } })
    const [event, ...others] = await eventsAfter(rail, before)
    expect([event?.type, event?.requestId, others]).toEqual(['organisation.limitsChanged', null, []])
    if (event) await expectAccurate(rail, event)
    await setOrganisationLimits(rail.database, 'first', null)
  })
})

describe('The events of an organisation', () => {
  test('number each record’s versions upwards, also where it changes several times in one batch', async () => {
    const { cardId } = await linkedCard(bank)
    const id = await authorizeAt(bank, cardId, 100_00)
    const part = { amount: 10_00, final: false }
    const settled = await Promise.all(Array.from({ length: 6 }, () => settle(bank, id, part)))
    expect(settled.map(({ status }) => status)).toEqual(Array(6).fill(201))
    const before = await lastSequence(bank)
    const refund = () => bank.call('POST', `/v0/sandbox/authorizations/${id}/refund`, { body: { amount: 3_00 } })
    const refunded = await Promise.all(Array.from({ length: 6 }, refund))
    expect(refunded.map(({ status }) => status)).toEqual(Array(6).fill(201))

    const versions = new Map<string, number[]>()
    for (const { type, entityId, version } of await eventsAfter(bank, 0)) {
      const record = `${type.slice(0, type.indexOf('.'))} ${entityId}`
      versions.set(record, [...(versions.get(record) ?? []), version])
    }
    for (const [record, numbers] of versions) {
      expect(numbers, record).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    }
    expect(versions.get(`authorization ${id}`)).toEqual([1, 2, 3, 4, 5, 6, 7])
    const [{ version }] = (await bank.database.query('select version from card_authorization where id = $1', [id])) as [
      { version: number },
    ]
    expect(version).toBe(13)
    const rewards = (await eventsAfter(bank, before)).filter(({ type }) => type.startsWith('reward.'))
    const latest = new Map(rewards.map((event) => [event.entityId, event]))
    expect(rewards.length).toBeGreaterThan(latest.size)
    for (const event of latest.values()) await expectAccurate(bank, event)
  })

  test('contain those of every step of a scenario, and other organisations get none of them', async () => {
    const others = await lastSequence(bank, 'second')
    const before = await lastSequence(bank)
    const headers = { 'idempotency-key': 'a-story' }
    const scenario = await bank.call('POST', '/v0/sandbox/scenarios', { headers })
    expect(scenario.status, scenario.text).toBe(201)
    const events = await eventsAfter(bank, before)
    const types = new Set(events.map(({ type }) => type))
    for (const type of ['customer.created', 'account.closed', 'payment.created', 'authorization.completed']) {
      expect(types).toContain(type)
    }
    for (const { idempotencyKey, requestId } of events) {
      expect([idempotencyKey, requestId]).toEqual(['a-story', scenario.headers['x-request-id']])
    }
    expect((await bank.call('POST', '/v0/sandbox/scenarios', { headers })).text).toBe(scenario.text)
    expect(await eventsAfter(bank, before)).toEqual(events)
    expect(await lastSequence(bank, 'second')).toBe(others)
  })

  test('report a payment and micro-entries that leave with a file, at the cut-off and when they settle', async () => {
    const payer = await makePayer(rail, 100_00)
    const { id } = (await pay(rail, payer)).json.data
    const verification = `/v0/banking/external-accounts/${payer.externalAccountId}/verification`
    await rail.call('POST', verification, { body: { method: 'MicroEntries' } })
    const before = await lastSequence(rail)
    await advance(rail, { by: 'P7D' })
    const all = await eventsAfter(rail, before)
    const left = all.filter(({ entityId }) => entityId === id)
    expect(left.map(({ type }) => type)).toEqual(['payment.clearing', 'payment.sent'])
    const verifying = all.filter(({ entityId }) => entityId === payer.externalAccountId)
    expect(verifying.map(({ type }) => type)).toEqual(['externalAccount.verificationSent'])
    const last = left.at(-1)
    if (last) await expectAccurate(rail, last)
  })

  test('report the entries of an incoming file: a correction, a credit, and a debit that is returned', async () => {
    const payer = await makePayer(rail, 100_00)
    const { id } = (await pay(rail, payer)).json.data
    await advance(rail, { by: 'P7D' })
    const payment = await ask(rail, 'GET', `/v0/banking/payments/${id}`)
    const before = await lastSequence(rail)
    const correction = changeOf(payment, { sequence: 1, code: 'C01', data: '5566778899' })
    const settlesOn = payment.settlementDate
    const batch = { secCode: 'COR', serviceClass: 220 } as const
    const corrected = incomingFile({ entries: [correction], settlesOn, batch })
    const { accountNumber } = await ask(rail, 'GET', `/v0/banking/accounts/${payer.accountId}`)
    const entries = [
      { sequence: 2, code: 22, amount: 5_00, accountNumber },
      { sequence: 3, code: 27, amount: 5_000_00, accountNumber },
    ]
    for (const bytes of [corrected, incomingFile({ entries, settlesOn, modifier: 'B' })]) {
      expect(await rail.takeFile({ name: 'in.ach', bytes })).toMatchObject({ state: 'applied', exceptions: 0 })
    }
    await advance(rail, { by: 'P7D' })
    const events = await eventsAfter(rail, before)
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'externalAccount.corrected',
      'receivedPayment.completed',
      'receivedPayment.created',
      'receivedPayment.created',
      'receivedPayment.markedForReturn',
      'receivedPayment.returned',
      'transaction.created',
    ])
    const returned = events.find(({ type }) => type === 'receivedPayment.returned')
    if (returned) await expectAccurate(rail, returned)
  })

  test('report an exception of a file that the operator resolves', async () => {
    const unknown = returnOf({ traceNumber: '812345679999999', amount: 1_00 }, { sequence: 9 })
    await rail.takeFile({ name: 'in.ach', bytes: incomingFile({ entries: [unknown], settlesOn: '2030-02-05' }) })
    const [open] = await rail.database.query<{ id: number }>(`select id from ach_exception where resolved_at is null`)
    const before = await lastSequence(rail)
    await rail.resolveException(open?.id ?? 0, { reason: 'Agreed', to: 'writeOff' })
    const [event, ...others] = await eventsAfter(rail, before)
    expect([event?.type, event?.apiKeyId, others]).toEqual(['achException.resolved', null, []])
    if (event) await expectAccurate(rail, event)
  })

  test('cover every type that the built-in bank can emit, and are numbered from one without a gap', async () => {
    const banks = [bank, manual, delayed, rail, screened]
    const all = (await Promise.all(banks.map((each) => eventsAfter(each, 0)))).flat()
    const seen = new Set(all.map(({ type }) => type))
    // Tests beside the operations cover proposals and what persons do. Only upstreams change their records in these ways.
    const elsewhere = [
      'application.canceled',
      'auditLog.exported',
      'customer.updated',
      'customer.archived',
      'receivedPayment.advanced',
      'reward.confirmed',
      'reward.rejected',
      'upstreamEvent.failed',
    ]
    const expected = eventTypes.filter(
      (type) => !elsewhere.includes(type) && !/^(proposal|person|personalData)\./.test(type),
    )
    expect([...seen].sort()).toEqual([...expected].sort())
    for (const each of banks) {
      const numbers = (await eventsAfter(each, 0)).map(({ sequence }) => sequence)
      expect(numbers).toEqual(numbers.map((_, place) => place + 1))
    }
  })

  test('hold no SSN, no API key and no verification token', async () => {
    const texts = (await eventsAfter(bank, 0)).map(({ data }) => JSON.stringify(data))
    expect(texts.filter((text) => /prs_(sk|rk|vt)_/.test(text))).toEqual([])
    expect(texts.filter((text) => text.includes(applicant.ssn) || text.includes('ssn'))).toEqual([])
  })
})
