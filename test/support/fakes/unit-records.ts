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
  #lastId = 100

  add(collection: Collection, type: string, attributes: Json, relationships: Json): UnitRecord {
    const id = String(++this.#lastId)
    const createdAt = new Date().toISOString()
    const record = { type, id, attributes: { createdAt, ...attributes }, relationships }
    this.records[collection].push(record)
    return record
  }

  /** The record, or a refusal: 404 for an id in a path, 400 with a code for an id in a body. */
  get(collection: Collection, id: string, missing?: { code: string; pointer: string }): UnitRecord {
    const found = this.records[collection].find((record) => record.id === id)
    if (found) return found
    throw new Refused(missing ? refuse(400, 'Bad Request', missing) : refuse(404, 'Not Found'))
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
    own: { attributes: Json; relationships: Json },
  ) {
    const { attributes, relationships } = account
    attributes.balance += direction === 'Credit' ? amount : -amount
    attributes.available = attributes.balance - attributes.hold
    const customer = relationships.customer
    return this.add(
      'transactions',
      'bookTransaction',
      { amount, direction, balance: attributes.balance, ...own.attributes },
      {
        account: relation('account', account.id),
        customer,
        customers: { data: [customer.data] },
        org: relation('org', '1'),
        ...own.relationships,
      },
    )
  }
}
