import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Page } from './page.ts'
import type { ProblemCode } from './problem.ts'

export const scopes = [
  'banking:read',
  'banking:write',
  'rewards:read',
  'rewards:write',
  'events:read',
  'webhooks:write',
  'keys:write',
  'sandbox:write',
] as const
export type Scope = (typeof scopes)[number]

/** Who calls: the organisation that the API key belongs to, and the key itself. */
export interface Caller {
  organisationId: number
  keyId: number
}

/** An answer as it is sent and stored: rendered once, so that a replay is the same to the byte. */
export interface Answer {
  status: number
  body: string
  replayed: boolean
}

/** What a read found, where it is JSON already: it is answered as it is. */
export class JsonText<Shown> {
  readonly text: string
  declare readonly of?: Shown

  constructor(text: string) {
    this.text = text
  }
}

/** The `data` of an operation that answers with a file. */
export const Bytes = Type.Unsafe<Buffer>({ type: 'string', contentMediaType: 'application/octet-stream' })

/** The key under which a write's answer is stored, and what the request was. */
export interface IdempotencyKey {
  /** The key as the caller sent it, for whoever looks into what became of it. */
  text: string | null
  /** SHA-256 of the key. */
  hash: Buffer
  /** A keyed digest of method, path and canonical body: the same key for another request is refused. */
  fingerprint: Buffer
  /** False where the caller sent no key and we made one, so that no look-up can find it. */
  fromCaller: boolean
}

/** All that a change needs beside its input. */
export interface Write<Data = unknown> {
  caller: Caller
  /** Null where the bank acts by itself. */
  requestId: string | null
  key: IdempotencyKey
  /** The answer carries a secret: it is stored sealed. Such a write is a plain transaction, never one of the lane's. */
  secret?: boolean
  /** `json` spares a second writing of what is text already. */
  render(data: Data, json?: string): Answer
}

/** What `run` works with: the area's provider, the caller and, for a change, the write. */
type Context<Parts, Data> = Parts & { caller: Caller; write: Write<Data>; patience: Patience }

/** For an operation that waits for something to happen. */
export interface Patience {
  /** Calls back once the caller has gone away, or has been answered: there is nothing to wait for any longer. */
  whenGone(listener: () => void): void
  /** Waits in a way that does not count among the work which the service has. */
  during<T>(wait: () => Promise<T>): Promise<T>
}

interface Input<Params, Query, Body> {
  params: Params
  query: Query
  body: Body
}

/** Another spelling under which an operation answers, kept for callers that use it. */
export interface Alias {
  method: 'GET' | 'POST'
  path: string
  /** Unix seconds since when the spelling is deprecated. */
  deprecatedAt: number
}

interface Description {
  /** Its name everywhere: the export, the file, the port's method, the OpenAPI operationId. */
  id: string
  /** B1 to R5; absent marks an extension. */
  number?: string
  area: 'banking' | 'rewards' | 'events' | 'access' | 'sandbox'
  path: string
  summary: string
  status: 200 | 201 | 204
  /** The refusals of its own, beside those that every operation can answer with. */
  problems: ProblemCode[]
  scope: Scope
  /** A second scope that the key needs, for an operation that uses or shows more than the first one covers. */
  alsoScope?: Scope
  aliases?: Alias[]
  /** Bytes of body it takes; 1 MiB unless said. */
  bodyLimit?: number
  /** What a success is, where it is bytes and no `{data}`; then `data` is `Bytes`. */
  contentType?: 'application/pdf'
  /** Its answer carries a secret, which is stored sealed and cached nowhere. */
  secret?: true
}

interface Schemas<P extends TObject, Q extends TObject, B extends TObject, D extends TSchema> {
  params?: P
  query?: Q
  body?: B
  data: D
}

type Empty = TObject<Record<never, never>>

type ReadResult<D extends TSchema> = Static<D> extends (infer Item)[] ? Page<Item> : Static<D> | JsonText<Static<D>>

interface ReadDefinition<Parts, P extends TObject, Q extends TObject, D extends TSchema>
  extends Description,
    Schemas<P, Q, Empty, D> {
  method: 'GET'
  run(context: Context<Parts, Static<D>>, input: Input<Static<P>, Static<Q>, Static<Empty>>): Promise<ReadResult<D>>
}

interface WriteDefinition<Parts, P extends TObject, Q extends TObject, B extends TObject, D extends TSchema>
  extends Description,
    Schemas<P, Q, B, D> {
  method: 'POST' | 'PATCH' | 'DELETE'
  run(context: Context<Parts, Static<D>>, input: Input<Static<P>, Static<Q>, Static<B>>): Promise<Answer>
}

/** An operation whose schemas are no longer known to the compiler, as the index and the server hold it. */
export interface Operation extends Description, Schemas<TObject, TObject, TObject, TSchema> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  run(context: never, input: never): Promise<unknown>
}

/** The scopes that a key needs for an operation. */
export function scopesOf({ scope, alsoScope }: Operation): Scope[] {
  return alsoScope ? [scope, alsoScope] : [scope]
}

/** The two makers of operations over one set of parts; they only tie `run` to the schemas. */
export function operationsOver<Parts>() {
  return {
    read: <D extends TSchema, P extends TObject = Empty, Q extends TObject = Empty>(
      definition: ReadDefinition<Parts, P, Q, D>,
    ) => definition,
    write: <D extends TSchema, P extends TObject = Empty, Q extends TObject = Empty, B extends TObject = Empty>(
      definition: WriteDefinition<Parts, P, Q, B, D>,
    ) => definition,
  }
}
