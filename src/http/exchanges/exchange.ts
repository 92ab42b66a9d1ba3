import type { Operation } from '../../base/operation.ts'
import type { SentAnswer } from '../send.ts'

/** A request and its answer. Nothing is formatted before somebody reads it. */
export interface Exchange {
  operation: Operation
  requestId: string
  /** When it was answered, in milliseconds of real time, and how long that took. */
  atMs: number
  ms: number
  method: string
  url: string
  status: number
  /** The code of the problem; undefined for a success. */
  code: string | undefined
  keyId: number
  idempotencyKey: string | undefined
  replayed: boolean
  /** The numbers of the first and the last event that it caused; 0 if there is none. */
  firstEvent: number
  lastEvent: number
  /** Names and values in turn, as Node has them. */
  requestHeaders: string[]
  /** Undefined if there is no body, or one that is no text. */
  requestText: string | undefined
  requestTruncated: boolean
  responseHeaders: SentAnswer['headers']
  responseText: string | undefined
  responseTruncated: boolean
}
