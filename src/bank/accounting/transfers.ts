import type { LedgerTransfer, SourceType } from '../../accounting/ledger-transfer.ts'
import type { ListLedgerTransfersQuery } from '../../accounting/list-ledger-transfers.ts'
import { idNumber, integerIdNumber } from '../../base/ids.ts'
import type { Caller } from '../../base/operation.ts'
import { Page, pageWindow } from '../../base/page.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import {
  findPlace,
  findRequests,
  listOfAccount,
  listOfOrganisation,
  listOfSource,
  type TransferPlace,
  type TransferRange,
  type TransferRow,
} from './transfers.sql.ts'
import { ledgerIdNumber, shownKind, shownWord } from './words.ts'

/** How many transfers a call looks at for those of one type of source. */
const MAX_LOOKED_AT = 10_000

/** The kinds of transfers that a type of record causes. A payout of a reward is a payment, too. */
const kindsOf: Record<SourceType, string[]> = {
  payment: [
    'payment',
    'payment_return',
    'payment_release',
    'debit',
    'debit_return',
    'ach_return',
    'reward',
    'reward_clawback',
  ],
  authorization: ['card_settlement', 'card_refund'],
  reward: ['reward', 'reward_clawback'],
  receivedPayment: ['received_ach', 'received_ach_return'],
  achBatch: ['ach_settlement'],
  achException: ['ach_exception', 'ach_resolution'],
}

export async function listLedgerTransfers(
  { database }: Pick<BankParts, 'database'>,
  { organisationId }: Caller,
  query: ListLedgerTransfersQuery,
): Promise<Page<LedgerTransfer>> {
  const { limit, ascending } = pageWindow(query)
  const after = query.after === undefined ? null : await findPlace(database, organisationId, idNumber(query.after))
  if (after === undefined) return new Page<LedgerTransfer>([], false)
  const kinds = query.sourceType === undefined ? null : kindsOf[query.sourceType]
  const { since = null, until = null } = query
  // One row beyond the page shows that there are more, another one if the next call continues.
  const take = limit + 2
  const scan = kinds === null ? take : MAX_LOOKED_AT
  const range = { organisationId, since, until, ascending, kinds, scan, take }
  const { shown, next } = pageOf(await listRows(database, query, range, after), limit, range)
  const requests = shown.length > 0 ? await findRequests(database, organisationId, shown) : new Map()
  const items = shown.map((row) => ledgerTransfer(row, requests.get(row.id) ?? null))
  return new Page(items, next !== undefined, { after: String(next?.id ?? '') })
}

/** Reads a page with the statement whose index fits the filter. */
async function listRows(
  database: BankParts['database'],
  { accountId: account, sourceType, sourceId }: ListLedgerTransfersQuery,
  range: TransferRange,
  after: TransferPlace | null,
): Promise<TransferRow[]> {
  const accountId = account === undefined ? null : ledgerIdNumber(account)
  if (sourceId !== undefined) {
    const source = {
      recordId: sourceType === 'reward' ? null : idNumber(sourceId),
      rewardId: sourceType === undefined || sourceType === 'reward' ? integerIdNumber(sourceId) : null,
    }
    return listOfSource(database, { ...range, accountId, source }, after)
  }
  if (accountId === null) return listOfOrganisation(database, range, after)
  const afterSeq = after === null ? null : seqAlong(after, accountId)
  return afterSeq === undefined ? [] : listOfAccount(database, { ...range, accountId }, afterSeq)
}

function seqAlong(place: TransferPlace, accountId: number): number | undefined {
  if (place.debitAccountId === accountId) return place.debitSeq
  return place.creditAccountId === accountId ? place.creditSeq : undefined
}

/** The rows to show, and the transfer after which the next page begins. */
function pageOf(rows: TransferRow[], limit: number, { scan }: TransferRange) {
  const matching = rows.filter(({ matches }) => matches)
  const shown = matching.slice(0, limit)
  const lookedAtAll = rows.find(({ place }) => place === scan)
  return { shown, next: matching.length > limit ? shown.at(-1) : lookedAtAll }
}

function ledgerTransfer(row: TransferRow, requestId: string | null): LedgerTransfer {
  const { id, sourceKind, amount, debit, credit, description, createdAt } = row
  const side = ({ accountId, kind, name, sequence, balance }: TransferRow['debit'], transactionId: number) => ({
    accountId: String(accountId),
    kind: shownKind(kind),
    name,
    transactionId: accountId > 0 ? String(transactionId) : null,
    sequence,
    balance,
  })
  return {
    id: String(id),
    kind: shownWord(sourceKind),
    amount,
    debit: side(debit, id),
    credit: side(credit, id + 1),
    source: sourceOf(row),
    description,
    requestId,
    createdAt,
  }
}

function sourceOf({ sourceKind, sourceId, rewardId }: TransferRow): LedgerTransfer['source'] {
  if (sourceId === null) return null
  if (rewardId !== null) return { type: 'reward', id: String(rewardId) }
  return { type: typeOf(sourceKind), id: String(sourceId) }
}

function typeOf(sourceKind: string): SourceType {
  const types = Object.keys(kindsOf) as SourceType[]
  return types.find((type) => kindsOf[type].includes(sourceKind)) ?? 'payment'
}
