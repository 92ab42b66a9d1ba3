import { randomBytes } from 'node:crypto'
import { type Static, type TObject, type TSchema, type TUnion, Type } from 'typebox'
import type { Route } from '../../ground/snippets.ts'
import type { Page } from './page.ts'
import { Problem, type ProblemCode } from './problem.ts'

/** Scopes of keys and of persons. */
export const keyScopes = [
  'banking:read',
  'banking:write',
  'rewards:read',
  'rewards:write',
  'events:read',
  'webhooks:write',
  'keys:write',
  'sandbox:write',
  'processor:write',
  'review:write',
  'risk:write',
] as const
/** Scopes that only the role of a person has: keys see numbers in full, read the audit log with `keys:write`, and manage no persons. */
const personScopes = ['personal:read', 'audit:read', 'people:write'] as const
export const scopes = [...keyScopes, ...personScopes] as const
export type Scope = (typeof scopes)[number]
export type KeyScope = (typeof keyScopes)[number]

/** Scopes that a key has only if they are named: a key without a list of scopes lacks them. */
const namedScopes: readonly Scope[] = ['processor:write', 'review:write', 'risk:write', ...personScopes]

/** Whether a key has a scope only by name. */
export function isNamedScope(scope: Scope): boolean {
  return namedScopes.includes(scope)
}

/** The caller of an operation: an API key and the organisation that it belongs to. */
export interface Caller {
  organisationId: number
  /** The key; for a person their seat, the key without a secret that names person, session and address. */
  keyId: number
  /** The person who is signed in, a row of `people` in the home cell; absent for an API key. */
  personId?: number
  /** The person who invited this one; absent if nobody did, and for an API key. */
  invitedBy?: number
  /** The key has the scope `risk:write`: it acts as the bank, and what it stops the app does not release. */
  decidesRisk?: boolean
}

/** An answer as it is sent and stored. It is rendered once, so that a replay is identical byte for byte. */
export interface Answer {
  status: number
  body: string
  replayed: boolean
  /** When the answer that is replayed was stored, in real time; absent if it was made a moment ago. */
  storedAt?: string
}

/** The answer of work that nobody waits for. */
export const emptyAnswer: Answer = { status: 200, body: '', replayed: false }

/** The result of a read, or a record of a page, that was written as JSON; it is sent unchanged. */
export class JsonText<Shown> {
  readonly text: string
  declare readonly of?: Shown

  constructor(text: string) {
    this.text = text
  }
}

/** The result of a read that may lack records, because an upstream sent them in a form that cannot be shown. */
export class WithOmissions<Shown> {
  readonly data: Shown
  /** Number of records that are left out. */
  readonly omitted: number
  /** The first of them, and why. */
  readonly omittedReason: string | undefined

  constructor(data: Shown, omitted: number, omittedReason: string | undefined) {
    this.data = data
    this.omitted = omitted
    this.omittedReason = omittedReason
  }
}

/** A file as it is sent: its media type is one of those that the operation names. */
export class FileContent {
  readonly bytes: Buffer
  readonly contentType: string
  /** The name under which a browser stores it. */
  readonly name: string

  constructor(bytes: Buffer, contentType: string, name: string) {
    this.bytes = bytes
    this.contentType = contentType
    this.name = name
  }
}

/** The `data` of an operation that returns a file. */
export const Bytes = Type.Unsafe<Buffer>({ type: 'string', contentMediaType: 'application/octet-stream' })

/** The key under which the answer of a write is stored, with a fingerprint of the request. */
export interface IdempotencyKey {
  /** The key as the caller sent it, kept for support; null if the caller sent none. */
  text: string | null
  /** SHA-256 of the key; 16 random bytes if the caller sent none. */
  hash: Buffer
  /** A keyed digest of method, path and canonical body. The same key with another fingerprint is refused. */
  fingerprint: Buffer
  /** False if the caller sent no key and the service made one; then no earlier answer needs to be looked up. */
  fromCaller: boolean
}

/** The key of a write for which the caller sent none. It lets a lost COMMIT be settled. */
export function randomKey(): IdempotencyKey {
  return { text: null, hash: randomBytes(16), fingerprint: Buffer.alloc(32), fromCaller: false }
}

/** The numbers of the first and the last event of a write, 0 before they are stored. Other events may lie between. */
export interface RecordedEvents {
  first: number
  last: number
}

/** The context of a change, beside its input. */
export interface Write<Data = unknown> {
  caller: Caller
  /** Null if the bank acts on its own. */
  requestId: string | null
  key: IdempotencyKey
  /** A second key under which the lane stores the answer, if the first one is not the caller's header. */
  alsoKey?: IdempotencyKey | undefined
  /**
   * The answer carries a secret, or an account number at another bank, and is stored sealed. Such a write is a plain
   * transaction or a call to an upstream; the lane does not seal.
   */
  secret?: 'secret' | 'number' | undefined
  /** The range of its events; absent if nobody asks for it. */
  recorded?: RecordedEvents | undefined
  /** Renders the answer; `json` if the data is JSON text already. */
  render(data: Data, json?: string): Answer
}

/** The decisions that rules of the operator may ask a second person for. */
export const signedDecisions = [
  'paymentApproval',
  'limits',
  'holdRelease',
  'writeOff',
  'railResume',
  'personalExport',
  'personRights',
] as const
export type SignedDecision = (typeof signedDecisions)[number]

/** The decisions that need a second person. */
export interface SignatureRules {
  /** The least amount in cents by decision. */
  from: Partial<Record<SignedDecision, number>>
  /** How long a proposal waits. */
  expiryMs: number
}

/** The matter of a decision. */
export interface Judged {
  /** In cents; null for a decision without an amount, which a rule covers whatever its amount. */
  amount: number | null
  reason: string | null
  /** Id of the record that it changes. */
  recordId: string
  /** The customer of the record, whose erasure clears the texts of the decision. */
  customerId?: string
}

/** How an operation takes part in the rules that ask for a second person. */
interface Signature<C, I> {
  decision: SignedDecision
  /** A scope that a signer needs, beside those of the operation. */
  scope?: Scope
  /** Checks the decision before it is proposed; undefined if no rule covers the input. */
  judge(context: C, input: I): Promise<Judged | undefined>
}

/** The context of `run`: the area's provider, the caller with its request and, for a change, the write. */
type Context<Parts, Data> = Parts & { caller: Caller; requestId: string; write: Write<Data>; patience: Patience }

/** Support for an operation that waits for an event, such as a long poll. */
export interface Patience {
  /** Calls the listener when the caller has disconnected or has been answered. */
  whenGone(listener: () => void): void
  /** Waits without counting as a request in progress. */
  during<T>(wait: () => Promise<T>): Promise<T>
}

interface Input<Params, Query, Body> {
  params: Params
  query: Query
  body: Body
}

/** A deprecated method or path under which an operation still answers. */
export interface Alias {
  method: 'GET' | 'POST'
  path: string
  /** Unix seconds since when the spelling is deprecated. */
  deprecatedAt: number
}

type FileType = 'application/pdf' | 'application/x-ndjson' | 'image/jpeg' | 'image/png' | 'text/csv' | 'text/plain'

/** How an operation runs another one many times. */
export interface BatchForm {
  /** The operation that each item stands for. */
  each: Operation
  /** The member of the body with the items. They have the members of the operation's path and body, and a key. */
  list: string
  /** The member of an outcome with the record. */
  shown: string
}

/** An item of a batch that is valid: its own write, and its members. */
export interface BatchOrder<Item = Record<string, unknown>, Data = unknown> {
  write: Write<Data>
  input: Item
}

type Area =
  | 'banking'
  | 'processor'
  | 'review'
  | 'closing'
  | 'rewards'
  | 'ledger'
  | 'events'
  | 'access'
  | 'tools'
  | 'sandbox'

/** The facts that most operations of an area have in common. */
interface Common {
  area: Area
  /** The scope that the key needs; `any` if every key may call it. */
  scope: Scope | 'any'
  status: 200 | 201 | 204
}

interface Description {
  /** The operation's name everywhere: the export, the file, the port's method, the OpenAPI operationId. */
  id: string
  /** The kind of record, as clients group operations: `payments` in `payments.create`. Simulations are in `sandbox`. */
  resource: string
  /** The operation's name among those of its resource: `create` in `payments.create`. */
  verb: string
  /** The operation's number in the interface, B1 to R5; absent for an extension. */
  number?: string
  path: string
  summary: string
  /** Markdown for the reference: effect, refusals, what happens next, events that follow. */
  description?: string
  /** The problems that this operation can answer with, beside those of every operation. */
  problems: ProblemCode[]
  /** A second scope that the key needs, for an operation that uses or shows more than the first one covers. */
  alsoScope?: Scope
  /** A scope that serves in place of the first. */
  orScope?: Scope
  aliases?: Alias[]
  /** The largest body in bytes; 1 MiB by default. */
  bodyLimit?: number
  /** The largest number of JSON values in a large body; 10,000 by default. */
  maxValues?: number
  /** Present if the operation runs another one for each item of a list. */
  batch?: BatchForm
  /** The operation streams another one, which reads a list; its parameters are those of that list, too. */
  exportsLists?: true
  /** The media type of a success that is a file and not `{data}`, or those of a `FileContent`; then `data` is `Bytes`. */
  contentType?: FileType | readonly FileType[]
  /**
   * A standby may answer it if the caller allows that, for these queries or for all. Never set it for a read of amounts or
   * limits that a payment is decided by, nor for records whose changes have no events, by which positions count.
   */
  fromStandby?: true | ((query: Record<string, unknown>) => boolean)
  /** The answer carries a secret: it is stored sealed, and no cache may keep it. */
  secret?: true
  /** The answer shows an account number at another bank: it is stored sealed. */
  showsNumber?: true
  /**
   * The answer is a document with personal data, for these queries or for all: a person needs `personal:read`, and the look is
   * noted; `noted` if the operation does that itself.
   */
  personal?: true | 'noted' | ((query: Record<string, unknown>) => boolean)
}

/** A body: an object, or a union of objects whose branch is chosen by one member (`discriminator`). */
export type TBody = TObject | TUnion<TObject[]>

interface Schemas<P extends TObject, Q extends TObject, B extends TBody, D extends TSchema> {
  params?: P
  query?: Q
  body?: B
  data: D
}

type Empty = TObject<Record<never, never>>

type ReadResult<D extends TSchema> =
  Static<D> extends (infer Item)[]
    ? Page<Item> | Page<JsonText<Item>>
    : Static<D> | FileContent | JsonText<Static<D>> | WithOmissions<Static<D>>

interface ReadDefinition<Parts, P extends TObject, Q extends TObject, D extends TSchema>
  extends Description,
    Partial<Common>,
    Schemas<P, Q, Empty, D> {
  method?: 'GET'
  run(context: Context<Parts, Static<D>>, input: Input<Static<P>, Static<Q>, Static<Empty>>): Promise<ReadResult<D>>
}

interface WriteDefinition<Parts, P extends TObject, Q extends TObject, B extends TBody, D extends TSchema>
  extends Description,
    Partial<Common>,
    Schemas<P, Q, B, D> {
  method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  signature?: Signature<Context<Parts, Static<D>>, Input<Static<P>, Static<Q>, Static<B>>>
  run(context: Context<Parts, Static<D>>, input: Input<Static<P>, Static<Q>, Static<B>>): Promise<Answer>
}

/** A batch. Its `run` gets the valid items and says for each what became of it, in their order. */
interface BatchDefinition<Parts, Order, B extends TBody, D extends TSchema>
  extends Description,
    Partial<Common>,
    Schemas<Empty, Empty, B, D> {
  method?: 'POST'
  batch: BatchForm
  run(context: Parts & { caller: Caller }, orders: Order[]): Promise<PromiseSettledResult<Answer>[]>
}

/** An operation without the types of its schemas, as the index and the server hold it. */
export interface Operation extends Description, Common, Schemas<TObject, TObject, TBody, TSchema> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  signature?: Signature<never, never>
  run(context: never, input: never): Promise<unknown>
}

/** The media types of the file that an operation returns; none if it returns records. */
export function fileTypesOf({ contentType = [] }: Pick<Operation, 'contentType'>): readonly string[] {
  return typeof contentType === 'string' ? [contentType] : contentType
}

/** The refusal of a key without a scope. It names the way to a scope that a key has only by name, because a full key lacks that. */
export function lacksScope(scope: Scope): Problem {
  if (personScopes.some((each) => each === scope)) {
    return new Problem('forbidden', { detail: `You lack the scope ${scope}, which the role of a person gives.` })
  }
  const lack = `The API key lacks the scope ${scope}`
  const detail = isNamedScope(scope)
    ? `${lack}, which a key has only by name. Create one with purser keys create --scopes ${scope}, in a sandbox also with POST /v0/api-keys and "scopes": ["${scope}"].`
    : `${lack}.`
  return new Problem('forbidden', { detail })
}

/** The scopes that a key needs for an operation. */
export function scopesOf({ scope, alsoScope }: Operation): Scope[] {
  const first = scope === 'any' ? [] : [scope]
  return alsoScope ? [...first, alsoScope] : first
}

/** The scopes that a key needs for an operation, in words. */
export function scopeWords(operation: Operation, quoted = (scope: Scope) => `\`${scope}\``): string {
  const needed = scopesOf(operation).map((scope) => {
    const { orScope } = operation
    return orScope && scope === operation.scope ? `${quoted(scope)} or ${quoted(orScope)}` : quoted(scope)
  })
  return needed.join(' and ')
}

/**
 * The functions that define the reads and writes of an area over one set of parts. They tie the types of `run` to the schemas. An
 * operation is a GET with the scope of reads, or a POST with that of writes, and answers 200, unless it says otherwise.
 */
export function operationsOver<Parts>(area: Area, reads: Scope | 'any', writes = reads) {
  const common = { area, status: 200 as const }
  return {
    read: <D extends TSchema, P extends TObject = Empty, Q extends TObject = Empty>(
      definition: ReadDefinition<Parts, P, Q, D>,
    ) => ({ ...common, method: 'GET' as const, scope: reads, ...definition }),
    write: <D extends TSchema, P extends TObject = Empty, Q extends TObject = Empty, B extends TBody = Empty>(
      definition: WriteDefinition<Parts, P, Q, B, D>,
    ) => ({ ...common, method: 'POST' as const, scope: writes, ...definition }),
    batch: <Order, D extends TSchema, B extends TBody>(definition: BatchDefinition<Parts, Order, B, D>) => ({
      ...common,
      method: 'POST' as const,
      scope: writes,
      ...definition,
    }),
  }
}

/** An operation as a row of the client's table, of which calls are written. */
export function routeOf(operation: Operation): Route {
  const { resource, verb, method, path, query, body } = operation
  return [`${resource}.${verb}`, method, path, query ? 'query' : body ? 'body' : null, givenBy(operation)]
}

function givenBy({ status, contentType, method, data }: Operation): Route[4] {
  if (status === 204) return 'nothing'
  if (contentType) return 'file'
  return method === 'GET' && (data as { type?: string }).type === 'array' ? 'list' : 'record'
}
