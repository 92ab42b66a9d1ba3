import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { DepositAccount } from '../../../banking/accounts/account.ts'
import { Application } from '../../../banking/applications/application.ts'
import { Authorization } from '../../../banking/authorizations/authorization.ts'
import { Card, ListedCard } from '../../../banking/cards/card.ts'
import { Customer } from '../../../banking/customers/customer.ts'
import { ExternalAccount } from '../../../banking/external-accounts/external-account.ts'
import type { ListPaymentsQuery } from '../../../banking/payments/list-payments.ts'
import { ListedPayment, Payment } from '../../../banking/payments/payment.ts'
import { Statement } from '../../../banking/statements/statement.ts'
import { ListedTransaction, Transaction } from '../../../banking/transactions/transaction.ts'
import { withOpenWords } from '../../../base/text.ts'
import { IncompleteRecord, type Resource, type Unreadable } from '../resource.ts'
import { depositAccount } from './account.ts'
import { application, document } from './application.ts'
import { authorization } from './authorization.ts'
import { card, listedCard } from './card.ts'
import { customer } from './customer.ts'
import { externalAccount } from './external-account.ts'
import { isAskedFor, listedPayment, payment } from './payment.ts'
import { statement } from './statement.ts'
import { listedTransaction, transaction } from './transaction.ts'

const to = (type: string, id: string) => ({ data: { type, id } })
const record = (type: string, attributes: object, relationships: object = {}): Resource =>
  ({ type, id: '42', attributes, relationships }) as Resource
const without = (resource: Resource, name: string): Resource => {
  const { [name]: _gone, ...attributes } = resource.attributes
  return { ...resource, attributes }
}
const unlisted = () => expect.unreachable('nothing is left out')

const createdAt = '2026-01-31T12:00:00.000Z'
const address = { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }
const nobody = { name: '', routingNumber: '', accountNumber: '', accountType: '' }
const grace = { name: 'Grace Sample', routingNumber: '021000021', accountNumber: '9876543210', accountType: 'Savings' }
const merchant = { name: 'Sample Coffee', type: 5814, category: 'Restaurants', location: 'Springfield, IL' }

const posted = { createdAt, amount: 20_00, direction: 'Debit', balance: 30_00, summary: 'Sample' }
const ofAccount = { account: to('account', '7'), customer: to('customer', '8') }
const transactionOf = (type: string, own: object = {}, related: object = {}) =>
  record(type, { ...posted, ...own }, { ...ofAccount, ...related })

type Case = [type: string, attributes: object, shown: object, relationships?: object]

/** The members and relationships by which each type of transaction can name the other party, and the name that follows. */
const counterparties: Case[] = [
  ['originatedAchTransaction', { counterparty: grace }, grace],
  ['bookTransaction', { counterparty: grace }, grace, { counterpartyAccount: to('account', '9') }],
  ['wireTransaction', { counterparty: { ...grace, accountType: undefined } }, { ...grace, accountType: '' }],
  ['releaseTransaction', { counterparty: grace, senderName: 'Someone Else' }, grace],
  ['releaseTransaction', { senderName: 'Ada Sender', senderAccountNumber: 'BIN-4242' }, { name: 'Ada Sender' }],
  ['chargebackTransaction', { counterparty: grace }, grace],
  ['chargebackTransaction', {}, {}],
  [
    'receivedAchTransaction',
    { companyName: 'Sample Payroll', counterpartyRoutingNumber: '812345678' },
    { name: 'Sample Payroll', routingNumber: '812345678' },
  ],
  [
    'receivedAchTransaction',
    { companyName: 'PAYROLL', counterpartyName: 'Sample Payroll', counterpartyRoutingNumber: '812345678' },
    { name: 'Sample Payroll', routingNumber: '812345678' },
  ],
  [
    'returnedAchTransaction',
    {
      companyName: 'Us',
      counterpartyName: 'Grace Sample',
      counterpartyRoutingNumber: '021000021',
      reason: 'NoAccount',
    },
    { name: 'Grace Sample', routingNumber: '021000021' },
  ],
  [
    'dishonoredAchTransaction',
    { companyName: 'Sample Payroll', counterpartyName: null, counterpartyRoutingNumber: '021000021' },
    { name: 'Sample Payroll', routingNumber: '021000021' },
  ],
  ['returnedReceivedAchTransaction', { companyName: 'Sample Payroll', reason: 'Closed' }, { name: 'Sample Payroll' }],
  ['purchaseTransaction', { merchant, cardLast4Digits: '4242' }, { name: 'Sample Coffee' }],
  ['cardTransaction', { merchant, cardLast4Digits: '4242' }, { name: 'Sample Coffee' }],
  ['cashDepositTransaction', { merchant, recurring: false }, { name: 'Sample Coffee' }],
  ['atmTransaction', { atmName: 'First Sample', atmLocation: 'Springfield', surcharge: 0 }, { name: 'First Sample' }],
  ['rewardTransaction', { receiverCounterparty: grace }, grace, { receiverAccount: to('account', '9') }],
  ['rewardTransaction', { receiverCounterparty: grace }, {}, { receiverAccount: to('account', '7') }],
  [
    'accountLowBalanceClosureTransaction',
    { receiverCounterparty: grace },
    grace,
    { receiverAccount: to('account', '9') },
  ],
]

const withoutCounterparty = [
  'accountLowBalanceClosureTransaction',
  'adjustmentTransaction',
  'bankRepaymentTransaction',
  'cardReversalTransaction',
  'checkDepositTransaction',
  'checkPaymentTransaction',
  'customerRepaymentReturnedTransaction',
  'customerRepaymentTransaction',
  'disputeTransaction',
  'feeReversalTransaction',
  'feeTransaction',
  'interestShareTransaction',
  'interestTransaction',
  'negativeBalanceCoverageTransaction',
  'paymentAdvanceTransaction',
  'paymentCanceledTransaction',
  'pushToCardReversalTransaction',
  'pushToCardTransaction',
  'repaidPaymentAdvanceTransaction',
  'returnedCheckDepositTransaction',
  'returnedCheckPaymentTransaction',
  'returnedWireTransaction',
  'sponsoredInterestTransaction',
  'writeOffTransaction',
]

describe('The counterparty of a transaction', () => {
  test.each<Case>([...counterparties, ...withoutCounterparty.map((type): Case => [type, {}, {}])])(
    'of the type %s with %j is %j, and unknown members are empty',
    (type, attributes, shown, relationships = {}) => {
      const resource = transactionOf(type, attributes, relationships)
      expect(listedTransaction(resource).counterparty).toEqual({ ...nobody, ...shown })
      expect(transaction(resource).attributes.counterparty).toEqual({ ...nobody, ...shown })
    },
  )

  test('is known for every described type', () => {
    const types = new Set([...counterparties.map(([type]) => type), ...withoutCounterparty])
    expect(types.size).toBe(38)
  })
})

describe('A transaction', () => {
  test('shows its payment as a tag, unless it has such a tag of its own', () => {
    const paid = (tags?: object, type = 'payment') =>
      transactionOf('originatedAchTransaction', { tags }, { payment: to(type, '99') })
    expect(listedTransaction(paid()).tags).toEqual({ paymentId: '99' })
    expect(listedTransaction(paid({ originalType: 'ACH' }, 'achPayment')).tags).toEqual({
      originalType: 'ACH',
      paymentId: '99',
    })
    expect(transaction(paid({ paymentId: 'mine' })).attributes.tags).toEqual({ paymentId: 'mine' })
    expect(transaction(paid()).relationships.payment).toEqual(to('payment', '99'))
    for (const type of ['recurringPayment', 'receivePayment', 'checkPayment']) {
      expect(listedTransaction(paid({}, type)).tags).toEqual({})
    }
    expect(listedTransaction(transactionOf('feeTransaction')).tags).toEqual({})
  })

  test('has a customer and customers, where the upstream has one of them', () => {
    const related = (relationships: object) =>
      transaction(record('bookTransaction', posted, { account: to('account', '7'), ...relationships })).relationships
    const [one, two] = [
      { type: 'customer', id: '8' },
      { type: 'customer', id: '9' },
    ]
    const both = { account: to('account', '7'), customer: { data: one }, customers: { data: [one] } }
    expect(related({ customer: { data: one } })).toEqual(both)
    expect(related({ customer: { data: one }, customers: { data: [] } })).toEqual(both)
    expect(related({ customers: { data: [{ id: '8' }] } })).toEqual(both)
    expect(related({ customers: { data: [one, two] } })).toEqual({ ...both, customers: { data: [one, two] } })
    expect(related({})).toEqual({ account: to('account', '7') })
  })

  test('has no relationships that name no record', () => {
    const empty = { payment: { data: null }, org: null, card: { links: {} }, related: { data: { type: 'x' } } }
    expect(Object.keys(transaction(transactionOf('bookTransaction', {}, empty)).relationships)).toEqual([
      'account',
      'customer',
      'customers',
    ])
  })

  test('shows all members of the upstream, except figures of its revenue', () => {
    const { attributes } = transaction(
      transactionOf('purchaseTransaction', {
        merchant,
        cardLast4Digits: '4242',
        addedLater: { by: ['the upstream'] },
        interchange: 23.5,
        grossInterchange: '31.2',
        intercharge: 1,
      }),
    )
    expect(attributes).toEqual({
      ...posted,
      merchant,
      cardLast4Digits: '4242',
      addedLater: { by: ['the upstream'] },
      counterparty: { ...nobody, name: 'Sample Coffee' },
      tags: {},
    })
  })

  test.each(['createdAt', 'amount', 'direction', 'balance'])('without %s cannot be read', (name) => {
    const resource = without(transactionOf('bookTransaction'), name)
    expect(() => listedTransaction(resource)).toThrow(IncompleteRecord)
    expect(() => transaction(resource)).toThrow(IncompleteRecord)
  })

  test('without an account cannot be read alone', () => {
    const resource = record('bookTransaction', posted, { customer: to('customer', '8') })
    expect(() => transaction(resource)).toThrow('a bookTransaction is not as the interface shows it at /relationships')
  })
})

const accountRecord = record(
  'depositAccount',
  {
    createdAt,
    name: 'Ada Example',
    depositProduct: 'checking',
    routingNumber: '812345678',
    accountNumber: '1000000042',
    currency: 'USD',
    available: 0,
    balance: -5,
    hold: 5,
    status: 'Frozen',
    tags: { purpose: 'savings' },
  },
  { customer: to('customer', '8') },
)
const cardRecord = record(
  'individualDebitCard',
  {
    createdAt,
    last4Digits: '4242',
    expirationDate: '2030-02',
    status: 'Active',
    design: 'blue',
    shippingAddress: address,
  },
  { account: to('account', '7') },
)
const paymentRecord = record(
  'achPayment',
  { createdAt, amount: 20_00, direction: 'Credit', description: 'Rent', status: 'Sent', counterparty: grace },
  { account: to('account', '7'), customer: to('customer', '8'), counterparty: to('counterparty', '9') },
)
const personRecord = record('individualCustomer', {
  createdAt,
  fullName: { first: 'Ada', last: 'Example' },
  email: 'ada@example.com',
  phone: { countryCode: '1', number: '2125550123' },
  address: { ...address, street2: null },
  status: 'Archived',
})
const businessRecord = record('businessCustomer', {
  createdAt,
  name: 'Sample Ltd',
  contact: {
    fullName: { first: 'Grace', last: 'Sample' },
    email: 'grace@example.com',
    phone: { countryCode: '44', number: '2071838750' },
  },
  status: 'Active',
})
const statementRecord = record(
  'accountStatementDTO',
  { period: '2026-01' },
  { account: to('account', '7'), customers: { data: [{ type: 'customer', id: '8' }] } },
)
const authorizationRecord = record('authorization', {
  createdAt,
  amount: 5_00,
  cardLast4Digits: '4242',
  merchant: { name: 'Sample Coffee', type: 5814, category: 'Restaurants' },
  recurring: false,
  status: 'Authorized',
})
const counterpartyRecord = record(
  'achCounterparty',
  { createdAt, ...grace, type: 'Person', permissions: 'CreditOnly' },
  { customer: to('customer', '8') },
)
const applicationRecord = record('individualApplication', {
  createdAt,
  fullName: { first: 'Ada', last: 'Example' },
  status: 'AwaitingDocuments',
})

/** Each mapping, its schema, a record, and the members without which the record cannot be shown. */
const mappings = [
  ['account', depositAccount, DepositAccount, accountRecord, Object.keys(accountRecord.attributes).slice(0, -1)],
  ['card', card, Card, cardRecord, ['createdAt', 'last4Digits', 'expirationDate', 'status']],
  ['listed card', listedCard, ListedCard, cardRecord, ['createdAt', 'last4Digits', 'expirationDate', 'status']],
  ['payment', payment, Payment, paymentRecord, ['createdAt', 'amount', 'direction', 'status']],
  ['listed payment', listedPayment, ListedPayment, paymentRecord, ['createdAt', 'amount', 'direction', 'status']],
  ['person', customer, Customer, personRecord, ['createdAt', 'fullName', 'status']],
  ['business', customer, Customer, businessRecord, ['createdAt', 'name', 'status']],
  ['statement', statement, Statement, statementRecord, ['period']],
  [
    'authorization',
    authorization,
    Authorization,
    authorizationRecord,
    ['createdAt', 'amount', 'cardLast4Digits', 'status'],
  ],
  [
    'external account',
    externalAccount,
    ExternalAccount,
    counterpartyRecord,
    ['createdAt', 'name', 'routingNumber', 'accountNumber', 'accountType', 'permissions'],
  ],
  [
    'application',
    (resource: Resource) => application(resource, undefined, unlisted),
    Application,
    applicationRecord,
    ['createdAt', 'fullName', 'status'],
  ],
  ['transaction', transaction, Transaction, transactionOf('bookTransaction'), []],
  ['listed transaction', listedTransaction, ListedTransaction, transactionOf('bookTransaction'), []],
] as const

describe.each(mappings)('The mapping of %s', (_name, map, schema, resource, required) => {
  const faultsOf = (shown: unknown) => Compile(withOpenWords(schema) as typeof Card).Errors(shown)

  test('answers as the OpenAPI document describes it', () => {
    expect(faultsOf(map(resource))).toEqual([])
  })

  test('takes null for every other member, and additional ones', () => {
    const optional = Object.keys(resource.attributes).filter(
      (name) => !(required as readonly string[]).includes(name) && !(name in posted),
    )
    for (const name of optional) {
      const attributes = { ...resource.attributes, [name]: null, addedLater: [{ any: 'thing' }] }
      expect(faultsOf(map({ ...resource, attributes })), name).toEqual([])
    }
  })

  test('refuses a record that lacks a member, or an id', () => {
    for (const name of required) {
      expect(() => map(without(resource, name)), name).toThrow(IncompleteRecord)
      expect(() => map({ ...resource, attributes: { ...resource.attributes, [name]: null } }), name).toThrow(
        IncompleteRecord,
      )
    }
    for (const id of ['', '0', 'abc']) expect(() => map({ ...resource, id }), id).toThrow(IncompleteRecord)
  })
})

describe('A record that the interface cannot show', () => {
  test.each([
    ['routing number', depositAccount, accountRecord, { routingNumber: '' }],
    ['account number', depositAccount, accountRecord, { accountNumber: '******0042' }],
    ['last digits', card, cardRecord, { last4Digits: '42' }],
    ['period', statement, statementRecord, { period: 'January' }],
    ['routing number of an external account', externalAccount, counterpartyRecord, { routingNumber: '1' }],
    ['time', payment, paymentRecord, { createdAt: '2026-01-31T12:00:00' }],
    ['fraction of a cent', payment, paymentRecord, { amount: 1.5 }],
  ])('because of its %s is refused', (_what, map, resource, own) => {
    const changed = { ...resource, attributes: { ...resource.attributes, ...own } }
    expect(() => (map as (given: Resource) => unknown)(changed)).toThrow(IncompleteRecord)
  })

  test.each([
    ['account without a customer', depositAccount, accountRecord],
    ['card without an account', card, cardRecord],
    ['statement without an account and a customer', statement, statementRecord],
    ['external account without a customer', externalAccount, counterpartyRecord],
  ])('is an %s', (_what, map, resource) => {
    expect(() => (map as (given: Resource) => unknown)({ ...resource, relationships: {} })).toThrow(IncompleteRecord)
  })

  test('names the members at fault in its reason, but no values', () => {
    const changed = { ...accountRecord, attributes: { ...accountRecord.attributes, accountNumber: 'secret' } }
    expect(() => depositAccount(changed)).toThrow(
      /^a depositAccount is not as the interface shows it at \/accountNumber$/,
    )
  })
})

test.each(['creditAccount', 'walletAccount', 'batchAccount'])('A %s is unknown', (type) => {
  expect(() => depositAccount({ ...accountRecord, type })).toThrow(
    expect.objectContaining({ code: 'account_not_found', status: 404 }),
  )
})

test('The first of several customers is the customer', () => {
  const customers = { data: [{ type: 'customer', id: '5' }, { id: '6' }] }
  expect(depositAccount({ ...accountRecord, relationships: { customers } }).customerId).toBe('5')
})

describe('A payment', () => {
  test.each([
    ['achPayment', { counterparty: grace }, grace],
    ['achPayment', { counterparty: undefined }, nobody],
    ['wirePayment', { counterparty: { ...grace, accountType: undefined, address } }, { ...grace, accountType: '' }],
    ['bookPayment', { counterparty: undefined }, nobody],
  ])('of the type %s has the counterparty that it names', (type, own, shown) => {
    const resource = { ...paymentRecord, type, attributes: { ...paymentRecord.attributes, ...own } }
    expect([listedPayment(resource).counterparty, payment(resource).counterparty]).toEqual([shown, shown])
  })

  test.each([
    ['NoAccount', { returnCode: 'R03', returnReason: 'No account, or unable to locate it' }],
    ['insufficientfunds', { returnCode: 'R01', returnReason: 'Insufficient funds' }],
    ['Account closed (R02)', { returnCode: 'R02', returnReason: 'Account closed' }],
    ['Flooded', { returnReason: 'Flooded' }],
    ['R98', { returnReason: 'R98' }],
    [undefined, {}],
  ])('that was returned because of %s says so by code and in words, as does its transaction', (reason, why) => {
    const attributes = { ...paymentRecord.attributes, status: 'Returned', reason }
    const returned = { ...paymentRecord, attributes }
    const members = ({ returnCode, returnReason }: { returnCode?: string; returnReason?: string }) =>
      JSON.parse(JSON.stringify({ returnCode, returnReason }))
    expect([members(payment(returned)), members(listedPayment(returned))]).toEqual([why, why])
    const back = transactionOf('returnedAchTransaction', { reason })
    expect([members(transaction(back).attributes), members(listedTransaction(back))]).toEqual([why, why])
    const sent = { ...paymentRecord, attributes: { ...attributes, status: 'Sent' } }
    expect(members(payment(sent))).toEqual({})
  })

  const asked = (resource: Resource, query: Partial<ListPaymentsQuery>) =>
    isAskedFor(resource, { tags: undefined, ...query })

  test.each<[boolean, Partial<ListPaymentsQuery>]>([
    [true, {}],
    [false, { type: ['bookPayment'] }],
    [true, { customerId: '8', accountId: '7', counterpartyAccountId: '9' }],
    [false, { customerId: '9' }],
    [false, { counterpartyAccountId: '7' }],
    [true, { status: ['Sent'], direction: ['Credit'], fromAmount: 20_00, toAmount: 20_00 }],
    [false, { since: createdAt }],
  ])('matches a filter: %s for %j', (matches, query) => {
    expect(asked(paymentRecord, query)).toBe(matches)
  })

  test('of a joint account belongs to each of its customers, and a book payment leads to an account', () => {
    const relationships = {
      account: to('account', '7'),
      customers: { data: [{ id: '8' }, { id: '10' }] },
      counterpartyAccount: to('account', '11'),
    }
    const resource = { ...paymentRecord, type: 'bookPayment', relationships }
    for (const customerId of ['8', '10']) expect(asked(resource, { type: ['bookPayment'], customerId })).toBe(true)
    expect(asked(resource, { type: ['bookPayment'], customerId: '11' })).toBe(false)
    expect(asked(resource, { type: ['bookPayment'], counterpartyAccountId: '11' })).toBe(true)
  })
})

describe('A customer', () => {
  test('who is a person has a name of two parts', () => {
    expect(customer(personRecord)).toMatchObject({
      name: 'Ada Example',
      email: 'ada@example.com',
      phone: '+12125550123',
      address,
      status: 'Archived',
    })
  })

  test('that is a business is reached by its contact', () => {
    const reached = { name: 'Sample Ltd', email: 'grace@example.com', phone: '+442071838750', address: null }
    expect(customer(businessRecord)).toMatchObject(reached)
    const phone = { countryCode: '1', number: '2125550123' }
    const own = { ...businessRecord, attributes: { ...businessRecord.attributes, phone } }
    expect(customer(own).phone).toBe('+12125550123')
  })

  test('shows no half of an address or a phone number', () => {
    const attributes = { ...personRecord.attributes, address: { street: '1 Sample Street' }, phone: { number: '212' } }
    expect(customer({ ...personRecord, attributes })).toMatchObject({ address: null, phone: null })
  })
})

test('A card shows a design and an address only where it has them', () => {
  const plain = without(without(cardRecord, 'design'), 'shippingAddress')
  expect(card(plain)).not.toHaveProperty('design')
  expect(card(plain)).not.toHaveProperty('shippingAddress')
  expect(card({ ...cardRecord, type: 'businessVirtualDebitCard' })).not.toHaveProperty('design')
  expect(listedCard(cardRecord)).toMatchObject({ design: 'blue', expirationDate: '2030-02-28T23:59:59.999Z' })
})

describe('The documents of an application', () => {
  const documentOf = (id: string, attributes: object) => ({ type: 'document', id, attributes })
  const passport = { documentType: 'Passport', status: 'Required', description: 'The photo page', ssn: '000000002' }

  test('include those of unknown type, so that they can be uploaded', () => {
    const included = [documentOf('1', passport), documentOf('2', { status: 'Required' })]
    expect(application(applicationRecord, included, unlisted).documents).toEqual([
      { id: '1', documentType: 'Passport', status: 'Required', description: 'The photo page' },
      { id: '2', documentType: '', status: 'Required', description: '' },
    ])
  })

  test('leave out those that cannot be read', () => {
    const included = [
      documentOf('1', {}),
      null,
      { type: 'org', id: '1' },
      documentOf('', passport),
      documentOf('4', passport),
    ]
    const leftOut: Unreadable[] = []
    const { documents } = application(applicationRecord, included, (records) => leftOut.push(...records))
    expect(documents.map(({ id }) => id)).toEqual(['4'])
    expect(leftOut).toEqual([
      { type: 'document', id: '1', reason: 'status of a document is not a text' },
      { type: 'document', id: '', reason: 'a document has no id' },
    ])
  })

  test('are refused alone without a status', () => {
    expect(() => document(record('document', { documentType: 'Passport' }))).toThrow(IncompleteRecord)
  })

  test('belong to a business, too, which is reached by its contact', () => {
    const { name, email } = application({ ...businessRecord, type: 'businessApplication' }, [], unlisted)
    expect([name, email]).toEqual(['Sample Ltd', 'grace@example.com'])
  })
})
