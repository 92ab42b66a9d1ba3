import type { TSchema } from 'typebox'
import { operations } from '../../../src/operations.ts'
import type { Example } from './recorder.ts'
import { NOW } from './story/cast.ts'

const RECORD_ID = /(?<!\d)10\d{5}(?!\d)/g
const REQUEST_ID = /req_(\d+)_(\d{16})_[0-9a-f]{8}/g
const CARD_IN_TEXT = /\b(card) \d{4}\b/gi
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const DAY_MS = 86_400_000
/** A hash that is another at every run: of data with random nonces, or with ids. */
const LINK = /^[0-9a-f]{64}$/
/** The headers of a delivery that depend on the real clock and on a secret. */
const SIGNED: Record<string, string> = {
  'webhook-timestamp': String(Math.floor(Date.parse(NOW) / 1_000)),
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  'webhook-key-id': '0f1e2d3c4b5a6978',
}

/**
 * Makes examples that are the same at every run. Ids are numbered in the order of their first appearance. Times of the
 * real clock become the time of the story, and random and measured values become constants.
 */
export class Stability {
  readonly #startMs = Date.now()
  readonly #texts = new Map<string, string>()
  readonly #ids = new Map<string, number>()
  readonly #sequences = new Map<string, number>()

  /** Replaces a text wherever it appears. */
  replace(from: string, to: string): void {
    this.#texts.set(from, to)
  }

  /** Replaces the secrets in an answer. */
  hideSecrets(id: string, { response }: Example): void {
    const data = operations.find((each) => each.id === id)?.data
    const secrets = data && response ? secretsIn(data, (response as { data: unknown }).data) : []
    for (const secret of secrets) this.replace(secret, placeholder(secret))
  }

  of<T>(value: T): T {
    return this.#value(value, '', undefined) as T
  }

  #value(value: unknown, name: string, beside: Record<string, unknown> | undefined): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#value(item, name, beside))
    if (typeof value === 'string') return this.#text(value, name, beside)
    if (typeof value === 'number') return this.#number(value, name, beside)
    if (typeof value !== 'object' || value === null) return value
    const members = value as Record<string, unknown>
    return Object.fromEntries(Object.entries(members).map(([key, member]) => [key, this.#value(member, key, members)]))
  }

  #text(text: string, name: string, beside: Record<string, unknown> | undefined): string {
    if (/last4Digits$/i.test(name)) return '4242'
    if (name in SIGNED) return SIGNED[name] ?? text
    if ((name === 'link' || name === 'sha256') && LINK.test(text))
      return text.replace(/./g, (_digit, place) => '0123456789abcdef'.charAt(place % 16))
    if (name === 'certificate') return '{"certificate": …}'
    if (name === 'endsAt' && beside?.startedAt !== undefined) return '2026-06-25T15:00:00.000Z'
    if (TIME.test(text)) return this.#time(text, beside)
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    return text
      .replace(REQUEST_ID, (_id, organisation, sequence) => this.#requestId(organisation, sequence))
      .replace(RECORD_ID, (id) => String(this.#id(id)))
      .replace(CARD_IN_TEXT, '$1 4242')
  }

  #number(value: number, name: string, beside: Record<string, unknown> | undefined): number {
    // The amounts of micro-entries.
    if (name === 'amounts') return 32
    if (name === 'amount' && beside?.description === 'ACCTVERIFY') return beside.direction === 'Debit' ? 64 : 32
    if (name === 'ms' || name === 'durationMs') return 8
    if (name === 'skewSeconds') return 1
    if (name === 'ageDays') return 3
    // The attempts of the last day, of which some may still be under way.
    if (name === 'succeeded') return 3
    if (/Id$/.test(name) && value >= 1_000_000) return this.#id(String(value))
    if (name === 'sequence' && value > 1e15) return this.#sequence(String(value))
    return value
  }

  /** A time of the real clock lies in the run, or after it by a term that began at `createdAt`. */
  #time(text: string, beside: Record<string, unknown> | undefined): string {
    const ms = Date.parse(text)
    const now = Date.now()
    if (ms < this.#startMs || ms > now + DAY_MS) return text
    const termMs = ms > now ? ms - Date.parse(String(beside?.createdAt)) : 0
    return new Date(Date.parse(NOW) + termMs).toISOString()
  }

  #id(id: string): number {
    const known = this.#ids.get(id) ?? 1_000_001 + this.#ids.size
    this.#ids.set(id, known)
    return known
  }

  #requestId(organisation: string, sequence: string): string {
    return `req_${organisation}_${this.#sequence(sequence)}_5f2a9c01`
  }

  #sequence(sequence: string): number {
    const known = this.#sequences.get(sequence) ?? Date.parse(NOW) * 1_000 + this.#sequences.size
    this.#sequences.set(sequence, known)
    return known
  }
}

/** The values that a schema marks as secrets. */
function secretsIn(schema: TSchema, value: unknown): string[] {
  const { anyOf = [], items, properties = {}, ...own } = schema as SecretSchema
  if (own['x-secret']) return typeof value === 'string' ? [value] : []
  if (Array.isArray(value)) return items ? value.flatMap((item) => secretsIn(items, item)) : []
  if (typeof value !== 'object' || value === null) return []
  const members = value as Record<string, unknown>
  return [
    ...anyOf.flatMap((branch) => secretsIn(branch, value)),
    ...Object.entries(properties).flatMap(([name, member]) => secretsIn(member, members[name])),
  ]
}

interface SecretSchema {
  'x-secret'?: true
  anyOf?: TSchema[]
  items?: TSchema
  properties?: Record<string, TSchema>
}

/** A text of the same form that is no secret: the prefix says what it is. */
function placeholder(secret: string): string {
  const prefix = secret.slice(0, secret.lastIndexOf('_') + 1)
  return prefix + 'Example'.repeat(10).slice(0, secret.length - prefix.length)
}
