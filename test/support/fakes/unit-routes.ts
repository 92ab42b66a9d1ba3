import { createHash } from 'node:crypto'
import type { FakeCall, FakeReply } from './server.ts'
import { Refused, refuse, relation, type UnitBooks, type UnitRecord } from './unit-records.ts'

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

function makeCard(books: UnitBooks, type: string, account: UnitRecord, attributes: object): UnitRecord {
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
    { account: relation('account', account.id), customer: account.relationships.customer },
  )
}

/** The four creations that take an idempotency key. */
export const creations: Record<string, Route> = {
  '/accounts': ({ books, data }) => {
    const { id } = data.relationships.customer.data
    const customer = books.get('customers', id, { code: 'customer_not_found', pointer: '/data/relationships/customer' })
    const { first, last } = customer.attributes.fullName
    const account = books.add(
      'accounts',
      data.type,
      {
        name: `${first} ${last}`,
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
      { customer: relation('customer', id) },
    )
    return ok(books.changed('account', account), 201)
  },

  '/cards': ({ books, data }) => {
    const { id } = data.relationships.account.data
    const account = books.get('accounts', id, { code: 'account_not_found', pointer: '/data/relationships/account' })
    if (account.attributes.status !== 'Open') notIn('account')
    const { idempotencyKey: _key, ...attributes } = data.attributes
    return ok(books.changed('card', makeCard(books, data.type, account, attributes)), 201)
  },

  '/counterparties': ({ books, data }) => {
    const { id } = data.relationships.customer.data
    books.get('customers', id, { code: 'customer_not_found', pointer: '/data/relationships/customer' })
    const { idempotencyKey: _key, ...attributes } = data.attributes
    if (attributes.routingNumber === '000000001') {
      const pointer = '/data/attributes/routingNumber'
      return refuse(400, 'Bad Request', { code: 'invalid_routing_number', detail: 'no such bank', pointer })
    }
    const record = books.add(
      'counterparties',
      'achCounterparty',
      { bank: 'Sample Bank', permissions: 'CreditOnly', ...attributes },
      { customer: relation('customer', id) },
    )
    return ok(books.changed('counterparty', record), 201)
  },

  '/payments': (visit) => {
    const { books, data, rejectPayments } = visit
    if (data.type === 'bookPayment') return bookPayment(visit)
    const { account, counterparty } = data.relationships
    const from = books.get('accounts', account.data.id, {
      code: 'account_not_found',
      pointer: '/data/relationships/account',
    })
    const pointer = '/data/relationships/counterparty'
    const to = books.get('counterparties', counterparty.data.id, { code: 'counterparty_not_found', pointer })
    const { customer } = from.relationships
    if (to.relationships.customer.data.id !== customer.data.id) {
      return refuse(400, 'Bad Request', { code: 'counterparty_not_found', pointer })
    }
    if (from.attributes.status !== 'Open') notIn('account')
    const { amount, direction, description, tags } = data.attributes
    const { name, routingNumber, accountNumber, accountType } = to.attributes
    const reason = rejectPayments ?? (amount > from.attributes.available ? 'InsufficientFunds' : undefined)
    const party = { name, routingNumber, accountNumber, accountType }
    const payment = books.add(
      'payments',
      data.type,
      {
        amount,
        direction,
        description,
        tags,
        counterparty: party,
        status: 'Pending',
        ...(reason && { status: 'Rejected', reason }),
      },
      { account, customer, counterparty },
    )
    if (reason) return ok(books.changed('rejected payment', payment), 201)
    books.post(from, amount, 'Debit', {
      attributes: {
        summary: `${name}  |  ${description}`,
        counterparty: party,
        tags: { ...tags, paymentId: payment.id },
      },
      relationships: { payment: relation('payment', payment.id), counterpartyAccount: counterparty },
    })
    return ok(books.changed('payment', payment), 201)
  },

  '/applications': ({ books, data }) => {
    const { idempotencyKey: _key, ssn, ...attributes } = data.attributes
    const status = ssn === '000000003' ? 'AwaitingDocuments' : 'Approved'
    const customer =
      status === 'Approved'
        ? books.add('customers', 'individualCustomer', { ...attributes, status: 'Active' }, {})
        : undefined
    const documents = customer ? [] : [addDocument(books)]
    const relationships = {
      documents: { data: documents.map(({ type, id }) => ({ type, id })) },
      ...(customer && { customer: relation('customer', customer.id) }),
    }
    const made = books.add('applications', data.type, { ...attributes, ssn, status }, relationships)
    for (const document of documents) document.relationships.application = relation('application', made.id)
    books.changed('application', made)
    return { status: 201, body: { data: made, included: documents } }
  },
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
  const { name, routingNumber, accountNumber } = to.attributes
  const counterparty = { name, routingNumber, accountNumber, accountType: 'Checking' }
  const status = reason ? { status: 'Rejected', reason } : { status: 'Sent' }
  const attributes = { amount, direction: 'Credit', description, tags, counterparty, ...status }
  const related = { account, customer: from.relationships.customer, counterpartyAccount }
  const payment = books.add('payments', 'bookPayment', attributes, related)
  if (reason) return ok(books.changed('rejected payment', payment), 201)
  const own = {
    attributes: { summary: `${name}  |  ${description}`, counterparty, tags },
    relationships: { payment: relation('payment', payment.id) },
  }
  books.post(from, amount, 'Debit', own)
  books.post(to, amount, 'Credit', own)
  return ok(books.changed('payment', payment), 201)
}

function addDocument(books: UnitBooks): UnitRecord {
  const attributes = {
    documentType: 'Passport',
    status: 'Required',
    description: 'Please upload the passport.',
    // Data read from the document, which the connector must not pass on.
    name: 'Ada Secret',
    dateOfBirth: '1990-01-31',
    address: { street: '1 Secret Street' },
    passport: 'SECRET123',
  }
  return books.add('documents', 'document', attributes, {})
}

function upload(status: string): Route {
  return ({ books, ids: [applicationId = '', documentId = ''], call }) => {
    const application = books.get('applications', applicationId)
    const document = books.get('documents', documentId)
    if (document.relationships.application?.data.id !== application.id)
      return refuse(404, 'Not Found', { code: 'document_not_found' })
    if (application.attributes.status === 'Denied') notIn('application')
    document.attributes.status = status
    document.attributes.sha256 = createHash('sha256').update(call.body).digest('hex')
    document.attributes.contentType = call.headers['content-type']
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
    ({ books, ids: [id = ''], data }) => {
      const customer = books.get('customers', id)
      if (data?.attributes?.channel !== 'sms') return refuse(400, 'Bad Request', { code: 'channel_required' })
      books.changed('token', customer)
      const verificationToken = `token-of-the-upstream-${books.effects.length}`
      return { status: 201, body: { data: { type: 'customerVerificationToken', attributes: { verificationToken } } } }
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
  ['PUT', /^\/applications\/(\d+)\/documents\/(\d+)$/, upload('ReceivedFront')],
  ['PUT', /^\/applications\/(\d+)\/documents\/(\d+)\/back$/, upload('Approved')],
  [
    'GET',
    /^\/accounts\/(\d+)\/transactions\/(\d+)$/,
    ({ books, ids: [accountId = '', id = ''] }) => {
      const found = books.get('transactions', id)
      return found.relationships.account.data.id === accountId ? ok(found) : refuse(404, 'Not Found')
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
      return any || found.attributes.status === 'Authorized' ? ok(found) : refuse(404, 'Not Found')
    },
  ],
  [
    'GET',
    /^\/applications\/(\d+)$/,
    ({ books, ids: [id = ''] }) => {
      const found = books.get('applications', id)
      const included = books.records.documents.filter(({ relationships }) => relationships.application?.data.id === id)
      return { status: 200, body: { data: found, included } }
    },
  ],
]
