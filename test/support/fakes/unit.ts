import { type FakeCall, type FakeReply, type FakeServer, openFakeServer } from './server.ts'
import { listed } from './unit-lists.ts'
import { type Collection, collections, Refused, refuse, relation, UnitBooks, type UnitRecord } from './unit-records.ts'
import { creations, routes } from './unit-routes.ts'

/** A fake of Unit with its envelopes, filters, errors and idempotency. */
export interface FakeUnit {
  server: FakeServer
  url: string
  token: string
  books: UnitBooks
  /** A reason for which every payment is rejected at once. */
  rejectPayments: string | undefined
  addCustomer(): UnitRecord
  fund(accountId: string, amount: number): UnitRecord
  activate(cardId: string): void
  authorize(cardId: string, amount: number): UnitRecord
  /** Makes a purchase by card that settles at once. */
  purchase(cardId: string, amount: number, merchant: { name: string; location?: string }): UnitRecord
  addStatement(accountId: string, period: string): UnitRecord
  close(): Promise<void>
}

type Happenings = Pick<FakeUnit, 'addCustomer' | 'fund' | 'activate' | 'authorize' | 'purchase' | 'addStatement'>

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
      return routed(call, fake, answered)
    } catch (error) {
      if (error instanceof Refused) return error.reply
      throw error
    }
  }

  const server = await openFakeServer(answer, (status) => refuse(status, 'Failed').body)
  const fake: FakeUnit = {
    server,
    url: server.url,
    token,
    books,
    rejectPayments: undefined,
    ...happeningsIn(books),
    close: () => server.close(),
  }
  return fake
}

function routed(call: FakeCall, { books, rejectPayments }: FakeUnit, answered: Map<string, FakeReply>): FakeReply {
  const { method, path, query, body } = call
  const isJson = call.headers['content-type'] === 'application/vnd.api+json'
  const { data } = isJson && body.length > 0 ? JSON.parse(body.toString()) : { data: undefined }
  const visit = { books, call, data, rejectPayments }
  const creation = method === 'POST' ? creations[path] : undefined
  if (creation) {
    const key = `${path} ${data.attributes.idempotencyKey}`
    const before = answered.get(key)
    if (before) return before
    const reply = creation({ ...visit, ids: [] })
    if (data.attributes.idempotencyKey && reply.status < 300) answered.set(key, structuredClone(reply))
    return reply
  }
  for (const [wanted, pattern, route] of routes) {
    const match = wanted === method ? pattern.exec(path) : null
    if (match) return route({ ...visit, ids: match.slice(1) })
  }
  const [, collection, id] = /^\/(\w+)(?:\/(\d+))?$/.exec(path) ?? []
  if (method !== 'GET' || !collections.includes(collection as Collection)) return refuse(404, 'Not Found')
  if (id === undefined) return listed(collection as Collection, query, books.records)
  return { status: 200, body: { data: books.get(collection as Collection, id) } }
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
        attributes: {
          summary: 'Sample Payroll  |  Salary',
          counterparty: {
            name: 'Sample Payroll',
            routingNumber: '021000021',
            accountNumber: '1',
            accountType: 'Checking',
          },
          tags: { originalType: 'ACH' },
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
      const settled = books.post(account, amount, 'Debit', {
        attributes: { summary: `${merchant.name}  |  Purchase`, merchant, tags: {} },
        relationships: {
          card: relation('card', cardId),
          authorization: relation('authorization', authorization.id),
        },
      })
      settled.type = 'purchaseTransaction'
      return settled
    },

    addStatement: (accountId, period) => {
      const { relationships } = books.get('accounts', accountId)
      const related = { account: relation('account', accountId), customer: relationships.customer }
      return books.add('statements', 'accountStatementDTO', { period }, related)
    },
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
      merchant: { name: 'Sample Coffee', type: 5814, category: 'Restaurants', location: 'Springfield, IL' },
    },
    { ...card.relationships, card: relation('card', card.id) },
  )
}
