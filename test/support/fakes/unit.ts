import { type FakeCall, type FakeReply, type FakeServer, openFakeServer } from './server.ts'
import { listed } from './unit-lists.ts'
import { collections, ownersOf, Refused, refuse, relation, UnitBooks, type UnitRecord } from './unit-records.ts'
import { requestFaults } from './unit-requests.ts'
import { addDocument, creations, routes } from './unit-routes.ts'
import { faultsOfRecord } from './unit-shapes.ts'

/** A fake of Unit with its envelopes, filters, errors and idempotency. */
export interface FakeUnit {
  server: FakeServer
  url: string
  token: string
  books: UnitBooks
  /** A reason for which every payment is rejected at once. */
  rejectPayments: string | undefined
  /** Parameters received that the description does not have. They are ignored. */
  undescribed: string[]
  /** Answers sent that break the description. */
  misshapen: string[]
  addCustomer(): UnitRecord
  fund(accountId: string, amount: number): UnitRecord
  activate(cardId: string): void
  authorize(cardId: string, amount: number): UnitRecord
  /** Makes a purchase by card that settles at once. */
  purchase(cardId: string, amount: number, merchant: { name: string; location?: string }): UnitRecord
  addStatement(accountId: string, period: string): UnitRecord
  /** Asks for one more document of an application. */
  addDocument(applicationId: string, documentType: string): UnitRecord
  close(): Promise<void>
}

type Happenings = Pick<
  FakeUnit,
  'addCustomer' | 'fund' | 'activate' | 'authorize' | 'purchase' | 'addStatement' | 'addDocument'
>

const MEDIA_TYPE = 'application/vnd.api+json'

export async function openFakeUnit(): Promise<FakeUnit> {
  const books = new UnitBooks()
  const token = 'token-that-nobody-may-see'
  const answered = new Map<string, FakeReply>()

  function answer(call: FakeCall): FakeReply {
    // The refusal repeats the credentials, as careless servers do.
    if (call.headers.authorization !== `Bearer ${token}`) {
      return refuse(401, 'Unauthorized', { detail: `not valid: ${call.headers.authorization}` })
    }
    try {
      const reply = routed(call, fake, answered)
      fake.misshapen.push(...faultsOfReply(call, reply))
      return reply
    } catch (error) {
      if (error instanceof Refused) return error.reply
      throw error
    }
  }

  const server = await openFakeServer(answer, (status) => refuse(status, 'Failed').body, {
    contentType: `${MEDIA_TYPE}; charset=utf-8`,
    retryAfter: false,
  })
  const fake: FakeUnit = {
    server,
    url: server.url,
    token,
    books,
    rejectPayments: undefined,
    undescribed: [],
    misshapen: [],
    ...happeningsIn(books),
    close: () => server.close(),
  }
  return fake
}

function routed(call: FakeCall, fake: FakeUnit, answered: Map<string, FakeReply>): FakeReply {
  const { books, rejectPayments } = fake
  const { method, path, query, body } = call
  const refusal = judged(call, fake)
  if (refusal) return refusal
  const isJson = method === 'POST' && body.length > 0
  const { data } = isJson ? JSON.parse(body.toString()) : { data: undefined }
  const visit = { books, call, data, rejectPayments }
  const creation = method === 'POST' ? creations[path] : undefined
  if (creation) {
    const key = `${path} ${data.attributes.idempotencyKey}`
    const before = answered.get(key)
    if (before) return before
    const reply = creation({ ...visit, ids: [] })
    if (reply.status < 300) answered.set(key, structuredClone(reply))
    return reply
  }
  for (const [wanted, pattern, route] of routes) {
    const match = wanted === method ? pattern.exec(path) : null
    if (match) return route({ ...visit, ids: match.slice(1) })
  }
  const [, name, id] = /^\/(\w+)(?:\/(\d+))?$/.exec(path) ?? []
  const collection = collections.find((one) => one === name)
  if (method !== 'GET' || !collection) return refuse(404, 'Not Found')
  if (id !== undefined) return { status: 200, body: { data: books.get(collection, id) } }
  return listed(collection, query, books.records) ?? refuse(404, 'Not Found')
}

/** The refusal of a request that breaks the description. Parameters are noted and ignored. */
function judged(call: FakeCall, { undescribed }: FakeUnit): FakeReply | undefined {
  const type = call.headers['content-type']
  const isFile = call.method === 'PUT'
  if (call.body.length > 0 && !isFile && type !== MEDIA_TYPE) return refuse(415, 'Unsupported Media Type')
  const faults = requestFaults(call)
  undescribed.push(...faults.filter((fault) => fault.includes(': parameter ')))
  const [fault] = faults.filter((one) => !one.includes(': parameter '))
  if (!fault) return undefined
  if (fault.endsWith('is not described')) return refuse(404, 'Not Found')
  if (isFile) return refuse(415, 'Unsupported Media Type')
  const [, pointer] = /: (\/\S*)/.exec(fault) ?? []
  return refuse(400, 'Bad Request', { code: 'invalid_value', detail: fault, ...(pointer && { pointer }) })
}

/** The faults of an answer, which its description does not allow. */
function faultsOfReply({ method, path }: FakeCall, { status, body }: FakeReply): string[] {
  if (status >= 300 || Buffer.isBuffer(body) || body === undefined) return []
  const { data, included = [], meta: _meta, ...more } = body as { data: unknown; included?: unknown[]; meta?: unknown }
  const faults = [...[data].flat(), ...included].flatMap(faultsOfRecord)
  return [...Object.keys(more).map((name) => `${name} is unknown`), ...faults].map((it) => `${method} ${path}: ${it}`)
}

/** Changes at Unit that no request of Purser's makes. */
function happeningsIn(books: UnitBooks): Happenings {
  return {
    addCustomer: () =>
      books.add(
        'customers',
        'individualCustomer',
        {
          fullName: { first: 'Ada', last: 'Example' },
          ssn: '123456789',
          email: 'ada@example.com',
          phone: { countryCode: '1', number: '2125550123' },
          address: { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' },
          status: 'Active',
          tags: {},
        },
        {},
      ),

    fund: (accountId, amount) =>
      books.post(books.get('accounts', accountId), amount, 'Credit', {
        type: 'receivedAchTransaction',
        attributes: {
          summary: 'Sample Payroll  |  Salary',
          description: 'Salary',
          companyName: 'Sample Payroll',
          counterpartyRoutingNumber: '021000021',
          traceNumber: '021000021000001',
          secCode: 'PPD',
        },
        relationships: {},
      }),

    activate: (cardId) => {
      books.get('cards', cardId).attributes.status = 'Active'
    },

    authorize: (cardId, amount) => authorize(books, cardId, amount),

    purchase: (cardId, amount, merchant) => {
      const authorization = authorize(books, cardId, amount)
      const account = books.get('accounts', authorization.relationships.account.data.id)
      account.attributes.hold -= amount
      authorization.attributes.status = 'Completed'
      return books.post(account, amount, 'Debit', {
        type: 'purchaseTransaction',
        attributes: {
          summary: `${merchant.name}  |  Purchase`,
          merchant: { type: 5814, category: 'Restaurants', ...merchant },
          ...{ cardLast4Digits: authorization.attributes.cardLast4Digits, recurring: false },
          ...{ ecommerce: false, cardPresent: true, interchange: '1.25', tags: {} },
        },
        relationships: {
          card: relation('card', cardId),
          authorization: relation('authorization', authorization.id),
        },
      })
    },

    addStatement: (accountId, period) => {
      const account = books.get('accounts', accountId)
      const related = { account: relation('account', accountId), ...ownersOf(account) }
      return books.add('statements', 'accountStatementDTO', { period }, related)
    },

    addDocument: (applicationId, documentType) =>
      addDocument(books, books.get('applications', applicationId), documentType),
  }
}

function authorize(books: UnitBooks, cardId: string, amount: number): UnitRecord {
  const card = books.get('cards', cardId)
  const account = books.get('accounts', card.relationships.account.data.id)
  account.attributes.hold += amount
  account.attributes.available -= amount
  return books.add(
    'authorizations',
    'authorization',
    {
      amount,
      status: 'Authorized',
      cardLast4Digits: card.attributes.last4Digits,
      recurring: false,
      merchant: { name: 'Sample Coffee', type: 5814, category: 'Restaurants', location: 'Springfield, IL' },
    },
    { ...card.relationships, card: relation('card', card.id) },
  )
}
