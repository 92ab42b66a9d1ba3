import type { FakeReply } from './server.ts'

// biome-ignore lint/suspicious/noExplicitAny: an upstream's records are the JSON they are
type Json = Record<string, any>

export interface UnitRecord {
  type: string
  id: string
  attributes: Json
  relationships: Json
}

export const collections = [
  'accounts',
  'applications',
  'authorizations',
  'cards',
  'counterparties',
  'customers',
  'documents',
  'payments',
  'statements',
  'transactions',
] as const
export type Collection = (typeof collections)[number]

/** Records without a time of creation. */
const undated: Collection[] = ['documents', 'statements']

export type UnitRecords = Record<Collection, UnitRecord[]>

/** A refusal of the upstream. */
export class Refused extends Error {
  readonly reply: FakeReply

  constructor(reply: FakeReply) {
    super(JSON.stringify(reply.body))
    this.reply = reply
  }
}

export function refuse(
  status: number,
  title: string,
  { code, detail, pointer }: { code?: string; detail?: string; pointer?: string } = {},
): FakeReply {
  const error = {
    status: String(status),
    title,
    ...(code && { code }),
    ...(detail && { detail }),
    ...(pointer && { source: { pointer } }),
    meta: { supportId: 'support-4711' },
  }
  return { status, body: { errors: [error] } }
}

export function relation(type: string, id: string): { data: { type: string; id: string } } {
  return { data: { type, id } }
}

/** The records of the upstream and their changes. */
export class UnitBooks {
  readonly records = Object.fromEntries(collections.map((name) => [name, []])) as unknown as UnitRecords
  /** Every change that was made, in order: `payment 42`. */
  readonly effects: string[] = []
  /** The answer to an unknown id in a path. Both are described: 404, and 400 with the code `not_found`. */
  unknownId: 400 | 404 = 404
  #lastId = 100
  #lastMs = 0

  add(collection: Collection, type: string, attributes: Json, relationships: Json): UnitRecord {
    const id = String(++this.#lastId)
    // Each record has a millisecond of its own: a provider may order those of the same one as it likes.
    this.#lastMs = Math.max(this.#lastMs + 1, Date.now())
    const dated = undated.includes(collection) ? {} : { createdAt: new Date(this.#lastMs).toISOString() }
    const record = { type, id, attributes: { ...dated, ...attributes }, relationships }
    this.records[collection].push(record)
    return record
  }

  /** The record, or a refusal: of an id in a path, or with a code and a pointer of an id in a body. */
  get(collection: Collection, id: string, missing?: { code: string; pointer: string }): UnitRecord {
    const found = this.records[collection].find((record) => record.id === id)
    if (found) return found
    throw new Refused(missing ? refuse(400, 'Bad Request', missing) : this.missing())
  }

  missing(): FakeReply {
    return this.unknownId === 404 ? refuse(404, 'Not Found') : refuse(400, 'Bad Request', { code: 'not_found' })
  }

  changed(what: string, record: UnitRecord): UnitRecord {
    this.effects.push(`${what} ${record.id}`)
    return record
  }

  /** Moves money on an account, and writes the transaction. */
  post(
    account: UnitRecord,
    amount: number,
    direction: 'Credit' | 'Debit',
    own: { type: string; attributes: Json; relationships: Json },
  ): UnitRecord {
    const { attributes } = account
    attributes.balance += direction === 'Credit' ? amount : -amount
    attributes.available = attributes.balance - attributes.hold
    return this.add(
      'transactions',
      own.type,
      { amount, direction, balance: attributes.balance, ...own.attributes },
      { account: relation('account', account.id), ...ownersOf(account), ...own.relationships },
    )
  }
}

/** The owners of a record: one customer, or a list of several. */
export function ownersOf({ relationships: { customer, customers } }: UnitRecord): Json {
  return { ...(customer && { customer }), ...(customers && { customers }) }
}

/** Whether a customer owns a record, alone or with others. */
export function isOwnedBy(record: UnitRecord, customerId: string | undefined): boolean {
  const { customer, customers } = ownersOf(record)
  return [customer?.data, ...(customers?.data ?? [])].some((owner) => owner?.id === customerId)
}
