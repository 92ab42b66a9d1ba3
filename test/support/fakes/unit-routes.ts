import type { FakeCall, FakeReply } from './server.ts'
import { isOwnedBy, ownersOf, Refused, refuse, relation, type UnitBooks, type UnitRecord } from './unit-records.ts'

/** The input of a route: the records, the ids in its path, the request and its parsed body. */
interface Visit {
  books: UnitBooks
  ids: string[]
  call: FakeCall
  // biome-ignore lint/suspicious/noExplicitAny: an upstream's requests are the JSON they are
  data: any
  /** A reason for which every payment is rejected at once. */
  rejectPayments: string | undefined
}

type Route = (visit: Visit) => FakeReply

const ok = (record: UnitRecord, status = 200): FakeReply => ({ status, body: { data: record } })

function notIn(subject: string): never {
  throw new Refused(refuse(400, 'Bad Request', { code: `not_supported_for_${subject}_status` }))
}

function accountMove(from: string[], status: string): Route {
  return ({ books, ids: [id = ''] }) => {
    const account = books.get('accounts', id)
    if (!from.includes(account.attributes.status)) notIn('account')
    account.attributes.status = status
    return ok(books.changed('account', account))
  }
}

function cardMove(from: string[], status: string): Route {
  return ({ books, ids: [id = ''] }) => {
    const card = books.get('cards', id)
    if (!from.includes(card.attributes.status)) notIn('card')
    card.attributes.status = status
    return ok(books.changed('card', card))
  }
}

const live = ['Inactive', 'Active', 'Frozen', 'SuspectedFraud']

function makeCard(
  books: UnitBooks,
  type: string,
  account: UnitRecord,
  attributes: object,
  relationships: object = {},
): UnitRecord {
  const isVirtual = /virtual/i.test(type)
  return books.add(
    'cards',
    type,
    {
      last4Digits: String(1000 + books.records.cards.length),
      expirationDate: '2031-02',
      status: isVirtual ? 'Active' : 'Inactive',
      ...(!isVirtual && { design: 'default' }),
      ...attributes,
    },
    { account: relation('account', account.id), ...ownersOf(account), ...relationships },
  )
}

/** The creations that take an idempotency key. */
export const creations: Record<string, Route> = {
  '/accounts': ({ books, data }) => {
    const { customer, customers } = data.relationships
    const owners = (customer ? [customer.data] : (customers?.data ?? [])).map(({ id }: { id: string }) =>
      books.get('customers', id, { code: 'customer_not_found', pointer: '/data/relationships/customer' }),
    )
    if (owners.length === 0) return refused('/data/relationships/customer', 'is missing')
    const { fullName, name } = owners[0].attributes
    const account = books.add(
      'accounts',
      data.type,
      {
        name: name ?? `${fullName.first} ${fullName.last}`,
        depositProduct: data.attributes.depositProduct,
        routingNumber: '812345678',
        accountNumber: String(1_000_000_000 + books.records.accounts.length),
        currency: 'USD',
        balance: 0,
        hold: 0,
        available: 0,
        status: 'Open',
        tags: data.attributes.tags ?? {},
      },
      { ...(customer ? { customer } : { customers }) },
    )
    return ok(books.changed('account', account), 201)
  },

  '/cards': ({ books, data }) => {
    const { account: given, customer } = data.relationships
    const account = books.get('accounts', given.data.id, {
      code: 'account_not_found',
      pointer: '/data/relationships/account',
    })
    if (account.attributes.status !== 'Open') notIn('account')
    const pointer = '/data/relationships/customer'
    // The holder of a card must be named if an account has several owners.
    if (account.relationships.customers && !customer) return refused(pointer, 'is missing')
    if (customer && !isOwnedBy(account, customer.data.id)) {
      return refuse(400, 'Bad Request', { code: 'account_customer_mismatch', pointer })
    }
    const { idempotencyKey: _key, expiryDate: _expiry, ...attributes } = data.attributes
    const holder = customer && { customer, customers: undefined }
    return ok(books.changed('card', makeCard(books, data.type, account, attributes, holder)), 201)
  },

  '/counterparties': ({ books, data }) => {
    const { id } = data.relationships.customer.data
    books.get('customers', id, { code: 'customer_not_found', pointer: '/data/relationships/customer' })
    const { idempotencyKey: _key, ...attributes } = data.attributes
    if (attributes.routingNumber === '000000001') {
      const pointer = '/data/attributes/routingNumber'
      return refuse(400, 'Bad Request', { code: 'routing_number_not_found', detail: 'no such bank', pointer })
    }
    const record = books.add(
      'counterparties',
      'achCounterparty',
      { bank: 'Sample Bank', permissions: 'CreditOnly', ...attributes },
      { customer: relation('customer', id) },
    )
    return ok(books.changed('counterparty', record), 201)
  },

  '/payments': (visit) => (visit.data.type === 'bookPayment' ? bookPayment(visit) : achPayment(visit)),

  '/applications': ({ books, data }) => {
    const { idempotencyKey: _key, ...attributes } = data.attributes
    const status = attributes.ssn === '000000003' ? 'AwaitingDocuments' : 'Approved'
    const made = books.add('applications', data.type, { ...attributes, status }, { documents: { data: [] } })
    if (status === 'Approved') {
      const { occupation: _occupation, annualIncome: _income, sourceOfIncome: _source, ip: _ip, ...person } = attributes
      const related = { application: relation('individualApplication', made.id) }
      const customer = books.add('customers', 'individualCustomer', { ...person, status: 'Active' }, related)
      made.relationships.customer = relation('customer', customer.id)
    } else addDocument(books, made, 'IdDocument')
    books.changed('application', made)
    return { status: 201, body: { data: made, included: documentsOf(books, made) } }
  },
}

function refused(pointer: string, why: string): FakeReply {
  return refuse(400, 'Bad Request', { code: 'invalid_value', detail: `${pointer} ${why}`, pointer })
}

function party({ attributes }: UnitRecord): object {
  const { name, routingNumber, accountNumber, accountType = 'Checking' } = attributes
  return { name, routingNumber, accountNumber, accountType }
}

/** An ACH credit: the money leaves the account at once, the payment is pending. */
function achPayment({ books, data, rejectPayments }: Visit): FakeReply {
  const { account, counterparty } = data.relationships
  const from = books.get('accounts', account.data.id, {
    code: 'account_not_found',
    pointer: '/data/relationships/account',
  })
  const pointer = '/data/relationships/counterparty'
  const to = books.get('counterparties', counterparty.data.id, { code: 'counterparty_not_found', pointer })
  if (!isOwnedBy(from, to.relationships.customer.data.id)) {
    return refuse(400, 'Bad Request', { code: 'counterparty_not_found', pointer })
  }
  if (from.attributes.status !== 'Open') notIn('account')
  const { amount, direction, idempotencyKey: _key, ...own } = data.attributes
  const reason = rejectPayments ?? (amount > from.attributes.available ? 'InsufficientFunds' : undefined)
  const attributes = {
    ...{ amount, direction, ...own, counterparty: party(to) },
    ...(reason ? { status: 'Rejected', reason } : { status: 'Pending' }),
  }
  const related = { account: relation('account', from.id), ...ownersOf(from), counterparty }
  const payment = books.add('payments', 'achPayment', attributes, related)
  if (reason) return ok(books.changed('rejected payment', payment), 201)
  const { description, addenda, tags } = own
  const transaction = books.post(from, amount, 'Debit', {
    type: 'originatedAchTransaction',
    attributes: {
      summary: `${to.attributes.name}  |  ${description}`,
      ...{ description, ...(addenda && { addenda }), counterparty: party(to), secCode: 'PPD', tags },
    },
    relationships: { payment: relation('payment', payment.id) },
  })
  payment.relationships.transaction = relation('transaction', transaction.id)
  return ok(books.changed('payment', payment), 201)
}

/** A book payment, which is settled at once. */
function bookPayment({ books, data, rejectPayments }: Visit): FakeReply {
  const { account, counterpartyAccount } = data.relationships
  const [from, to] = [account, counterpartyAccount].map(({ data: { id } }) =>
    books.get('accounts', id, { code: 'account_not_found', pointer: '/data/relationships' }),
  ) as [UnitRecord, UnitRecord]
  if (from.attributes.status !== 'Open' || to.attributes.status !== 'Open') notIn('account')
  const { amount, description, tags } = data.attributes
  const reason = rejectPayments ?? (amount > from.attributes.available ? 'InsufficientFunds' : undefined)
  const status = reason ? { status: 'Rejected', reason } : { status: 'Sent' }
  const attributes = { amount, direction: 'Credit', description, tags, ...status }
  const payment = books.add('payments', 'bookPayment', attributes, {
    ...{ account: relation('account', from.id), ...ownersOf(from) },
    ...counterpartyOf(to),
  })
  if (reason) return ok(books.changed('rejected payment', payment), 201)
  const moved = (own: UnitRecord, other: UnitRecord, direction: 'Credit' | 'Debit') =>
    books.post(own, amount, direction, {
      type: 'bookTransaction',
      attributes: { summary: `${other.attributes.name}  |  ${description}`, counterparty: party(other), tags },
      relationships: { payment: relation('payment', payment.id), ...counterpartyOf(other) },
    })
  payment.relationships.transaction = relation('transaction', moved(from, to, 'Debit').id)
  moved(to, from, 'Credit')
  return ok(books.changed('payment', payment), 201)
}

/** The account on the other side, with its customer if it has only one. */
function counterpartyOf(account: UnitRecord): object {
  const { customer } = ownersOf(account)
  return {
    counterpartyAccount: relation('account', account.id),
    ...(customer && { counterpartyCustomer: customer }),
  }
}

/** Asks for a document. The data read from it must not be passed on. */
export function addDocument(books: UnitBooks, application: UnitRecord, documentType: string): UnitRecord {
  const attributes = {
    documentType,
    status: 'Required',
    description: `Please upload the ${documentType}.`,
    name: 'Ada Secret',
    dateOfBirth: '1990-01-31',
    ...(documentType === 'Passport' && { passport: 'SECRET123' }),
    ...(documentType === 'AddressVerification' && {
      address: { street: '1 Secret Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' },
    }),
  }
  const document = books.add('documents', 'document', attributes, {})
  application.relationships.documents.data.push({ type: 'document', id: document.id })
  return document
}

function documentsOf(books: UnitBooks, { relationships }: UnitRecord): UnitRecord[] {
  const ids = relationships.documents.data.map(({ id }: { id: string }) => id)
  return books.records.documents.filter(({ id }) => ids.includes(id))
}

/** Takes one side of a document. Only an IdDocument has a back side; it is reviewed when both sides are there. */
function upload(side: string, otherSide: string): Route {
  return ({ books, ids: [applicationId = '', documentId = ''], call }) => {
    const application = books.get('applications', applicationId)
    const document = documentsOf(books, application).find(({ id }) => id === documentId)
    if (!document) return books.missing()
    if (application.attributes.status === 'Denied') notIn('application')
    if (!/^(image\/(png|jpeg)|application\/pdf)$/.test(String(call.headers['content-type']))) {
      return refuse(415, 'Unsupported Media Type')
    }
    const hasBack = document.attributes.documentType === 'IdDocument'
    if (!hasBack && side === 'ReceivedBack') {
      return refuse(400, 'Bad Request', { code: 'not_supported_for_document_type' })
    }
    const { status } = document.attributes
    document.attributes.status = !hasBack || status === otherSide || status === 'PendingReview' ? 'PendingReview' : side
    return ok(books.changed('document', document))
  }
}

/** All other routes: method and path, with a mark for each id. */
export const routes: [string, RegExp, Route][] = [
  ['POST', /^\/accounts\/(\d+)\/close$/, accountMove(['Open', 'Frozen'], 'Closed')],
  ['POST', /^\/accounts\/(\d+)\/reopen$/, accountMove(['Closed'], 'Open')],
  ['POST', /^\/accounts\/(\d+)\/freeze$/, accountMove(['Open'], 'Frozen')],
  ['POST', /^\/accounts\/(\d+)\/unfreeze$/, accountMove(['Frozen'], 'Open')],
  ['POST', /^\/cards\/(\d+)\/freeze$/, cardMove(['Active'], 'Frozen')],
  ['POST', /^\/cards\/(\d+)\/unfreeze$/, cardMove(['Frozen'], 'Active')],
  ['POST', /^\/cards\/(\d+)\/close$/, cardMove(live, 'ClosedByCustomer')],
  ['POST', /^\/cards\/(\d+)\/report-lost$/, cardMove(live, 'Lost')],
  ['POST', /^\/cards\/(\d+)\/report-stolen$/, cardMove(live, 'Stolen')],
  [
    'POST',
    /^\/cards\/(\d+)\/replace$/,
    ({ books, ids: [id = ''], data }) => {
      const old = books.get('cards', id)
      const replaceable = ['Inactive', 'Active', 'Lost', 'Stolen'].includes(old.attributes.status)
      if (!replaceable || old.type !== 'individualDebitCard') notIn('card')
      const account = books.get('accounts', old.relationships.account.data.id)
      if (account.attributes.status === 'Closed') notIn('account')
      const { design } = old.attributes
      return ok(books.changed('card', makeCard(books, old.type, account, { design, ...data.attributes })))
    },
  ],
  [
    'POST',
    /^\/customers\/(\d+)\/token\/verification$/,
    ({ books, ids: [id = ''] }) => {
      const customer = books.get('customers', id)
      books.changed('token', customer)
      const verificationToken = `token-of-the-upstream-${books.effects.length}`
      return { status: 201, body: { data: { type: 'customerTokenVerification', attributes: { verificationToken } } } }
    },
  ],
  [
    'DELETE',
    /^\/counterparties\/(\d+)$/,
    ({ books, ids: [id = ''] }) => {
      const record = books.get('counterparties', id)
      books.records.counterparties.splice(books.records.counterparties.indexOf(record), 1)
      books.changed('deleted counterparty', record)
      return { status: 204, body: undefined }
    },
  ],
  ['PUT', /^\/applications\/(\d+)\/documents\/(\d+)$/, upload('ReceivedFront', 'ReceivedBack')],
  ['PUT', /^\/applications\/(\d+)\/documents\/(\d+)\/back$/, upload('ReceivedBack', 'ReceivedFront')],
  [
    'GET',
    /^\/accounts\/(\d+)\/transactions\/(\d+)$/,
    ({ books, ids: [accountId = '', id = ''] }) => {
      const found = books.get('transactions', id)
      return found.relationships.account.data.id === accountId ? ok(found) : books.missing()
    },
  ],
  [
    'GET',
    /^\/statements\/(\d+)\/html$/,
    ({ books, ids: [id = ''] }) => ({
      status: 200,
      body: Buffer.from(`<html>${books.get('statements', id).attributes.period} €</html>`),
      headers: { 'Content-Type': 'text/html' },
    }),
  ],
  [
    'GET',
    /^\/statements\/(\d+)\/pdf$/,
    ({ books, ids: [id = ''] }) => ({
      status: 200,
      // Bytes that are not UTF-8, which would not survive being decoded as text.
      body: Buffer.concat([
        Buffer.from('%PDF-1.7\n'),
        Buffer.from([0, 255, 254, 128, 200]),
        Buffer.from(books.get('statements', id).id),
      ]),
      headers: { 'Content-Type': 'application/pdf' },
    }),
  ],
  [
    'GET',
    /^\/authorizations\/(\d+)$/,
    ({ books, ids: [id = ''], call }) => {
      const found = books.get('authorizations', id)
      const any = call.query.get('filter[includeNonAuthorized]') === 'true'
      return any || found.attributes.status === 'Authorized' ? ok(found) : books.missing()
    },
  ],
  [
    'GET',
    /^\/applications\/(\d+)$/,
    ({ books, ids: [id = ''] }) => {
      const found = books.get('applications', id)
      return { status: 200, body: { data: found, included: documentsOf(books, found) } }
    },
  ],
]
