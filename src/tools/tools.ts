import type { KeyHolder } from '../access/authenticate-key.ts'
import type { About } from '../access/get-me.ts'
import { type Caller, operationsOver, type Patience } from '../base/operation.ts'
import type { Page } from '../base/page.ts'
import type { States } from './actions.ts'
import type { Concerns } from './attention.ts'
import type { HistoryFile, HistoryReview, HistoryStep } from './history-step.ts'
import type { AttentionItem } from './list-attention.ts'
import type { ListHistoryQuery } from './list-history.ts'
import type { OrganisationImport } from './list-imports.ts'
import type { AnyLookedUp, RelatedRecord } from './looked-up.ts'
import type { RecordOf, RecordType } from './record-types.ts'
import type { SearchResult } from './search.ts'

/** The caller of a tool's operation: the key decides which records are read, the service which operations there are. */
export interface Asker {
  holder: KeyHolder
  about: About
  patience: Patience
}

/** Operations over all types of records, one method for each operation. */
export interface Tools {
  lookUpRecord(asker: Asker, name: { type: RecordType; id: string }): Promise<AnyLookedUp>
  lookUpId(asker: Asker, id: string): Promise<Page<AnyLookedUp>>
  search(asker: Asker, text: string): Promise<Page<SearchResult>>
  listAttention(asker: Asker): Promise<Page<AttentionItem>>
  listImports(asker: Asker): Promise<Page<OrganisationImport>>
  listHistory(asker: Asker, name: { type: RecordType; id: string }, query: ListHistoryQuery): Promise<Page<HistoryStep>>
}

/** The ranks of the matches of a search, the best first. */
export const rankOf = { id: 0, exact: 1, prefix: 2, word: 3 }

/** A record that matches a text. */
export interface Match {
  type: RecordType
  id: string
  label: string
  rank: number
}

/** Reads one record of each type; a type that is absent is not served. */
export type Readers = { [T in RecordType]?: (caller: Caller, id: string) => Promise<RecordOf<T> | undefined> }

/** The parts of a record's past that the bank keeps beside events and transfers. */
export interface Traces {
  files: HistoryFile[]
  review: HistoryReview | undefined
  /** The action is the type of the event of the decision. */
  reasons: { requestId: string; action: string; reason: string }[]
}

/** The built-in bank's own look into its records, beside what the operations show. */
export interface Directory {
  /** Readers of the records that no operation reads by their id alone. */
  readers: Readers
  /** The part of a record's state that the record does not show. */
  stateOf: { [T in keyof States]?: (organisationId: number, id: string) => Promise<Partial<States[T]> | undefined> }
  /** The records that are linked to a record; none for a type without links. */
  related(type: RecordType, organisationId: number, id: string): Promise<RelatedRecord[]>
  /** The records of some types that match a text by their names, numbers, descriptions or the beginning of their ids. */
  search(organisationId: number, text: string, types: RecordType[]): Promise<Match[]>
  /** The state of an organisation, as far as it needs a person. */
  attention(organisationId: number): Promise<Concerns>
  /** The ACH files and the review of a payment, and the reasons that reviewers gave for decisions about any record. */
  traces(record: { type: RecordType; organisationId: number; id: string }, requestIds: string[]): Promise<Traces>
  /** The id of the record that a write with this idempotency key answered. */
  madeUnder(organisationId: number, idempotencyKey: string): Promise<string | undefined>
  /** The ids of the records that had an id, or an account number, in the former system of the organisation. */
  former(organisationId: number, text: string): Promise<string[]>
  imports(organisationId: number): Promise<OrganisationImport[]>
}

export const { read: toolsRead } = operationsOver<{ tools: Tools; holder: KeyHolder; about: About }>('tools', 'any')
