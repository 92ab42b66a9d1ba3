import type { OperationId } from '../../client/src/index.ts'
import type { Stage } from './stage.ts'

/** The kinds of records that the caller may name, with the option that names each. */
export const recordNames = {
  account: '--account',
  apiKey: '--key',
  application: '--application',
  authorization: '--authorization',
  card: '--card',
  customer: '--customer',
  document: '--document',
  externalAccount: '--external-account',
  partnerUser: '--partner-user',
  partnerUserCard: '--partner-user-card',
  payment: '--payment',
  webhookEndpoint: '--webhook-endpoint',
} as const
export type RecordName = keyof typeof recordNames

/** The way to an event: operations of the interface that the built-in bank answers with it. */
export interface Trigger {
  /** One sentence. */
  does: string
  /** The records that the caller may name. Others are made. */
  takes: readonly RecordName[]
  /** The operations that are called if no record is named, in their order. */
  calls: readonly OperationId[]
  /** Operations that bring a named record into the state that the last call needs. */
  before?: readonly OperationId[]
  /** Whether bank time moves, at least in some settings of the service. */
  movesTime?: true
  /** Calls the operations. Returns the id of the record whose event is to come; undefined for any record. */
  play(stage: Stage): Promise<string | number | undefined>
}

/** An event that no operation with the key of an app leads to at the built-in bank. */
export interface Elsewhere {
  /** Where it comes from, in a sentence. */
  from: string
}

export function isTrigger(entry: Trigger | Elsewhere): entry is Trigger {
  return 'play' in entry
}
