import type { Queryable } from '../../database/database.ts'
import {
  type FirstStates,
  formerKey,
  noneFound,
  type ReadFirstStates,
  type WantedRecords,
} from '../../events/stored/complete-events.ts'
import { openedData, type SealedData, sealedFor } from '../../events/stored/sealed-data.ts'
import { findCustomerSeals, findErased } from '../../secrets/customer-keys.ts'
import type { NumberSeal } from '../../secrets/numbers.ts'
import type { Seal } from '../../secrets/seal.ts'
import type { Seals } from '../../secrets/seals.ts'
import { textOfTransaction, transaction } from '../accounts/transaction-view.ts'
import type { TransactionRow } from '../accounts/transactions.sql.ts'
import { paymentOf } from '../payments/payment-view.ts'
import { firstStatusOf, type PaymentRow, paymentFromRow, textOfPayment } from '../records/payment-columns.ts'
import type { LedgerPayment } from '../records/records.ts'
import { type FirstStateRow, findFirstStateRows, type SideRow } from './first-states.sql.ts'

/** The status that a payment has in each list; undefined for the first one. */
const statusOf = {
  payments: undefined,
  pending: 'Pending',
  pendingReview: 'PendingReview',
  clearing: 'Clearing',
  sent: 'Sent',
  rejected: 'Rejected',
  canceled: 'Canceled',
  returned: 'Returned',
} as const
const FIRST_VERSION = 1
const paymentLists = Object.keys(statusOf) as (keyof typeof statusOf)[]

/**
 * Renders payments and the transactions of their accounts as they were shown, from columns that never change or are set once.
 * Other transactions show the bank's settings, so that their events keep a copy and they are not found here.
 */
export function firstStatesReader(seals: Pick<Seals, 'of'>): ReadFirstStates {
  return async (database, wanted) => {
    const found = noneFound()
    for (const row of await rowsOf(database, wanted)) showRow(found, wanted, row, await seals.of(row.organisationId))
    if (wanted.sealed.length > 0) await openSealed(database, seals, wanted.sealed, found)
    return found
  }
}

/** Opens sealed data. The keys of all customers are one look-up; data of an erased customer has none. */
async function openSealed(
  database: Queryable,
  seals: Pick<Seals, 'of'>,
  sealed: SealedData[],
  found: FirstStates,
): Promise<void> {
  const owners = new Map<number, Seal>()
  for (const { data, organisationId } of sealed) {
    const owner = sealedFor(data)
    if (owner !== undefined && !owners.has(owner)) owners.set(owner, await seals.of(organisationId))
  }
  const customers: Map<number, Seal> = owners.size > 0 ? await findCustomerSeals(database, owners) : new Map()
  for (const event of sealed) {
    const owner = sealedFor(event.data)
    const seal = owner === undefined ? await seals.of(event.organisationId) : customers.get(owner)
    found.opened.set(event.data, seal ? openedData(seal, event) : null)
  }
}

/** The same, with the texts of the columns that the chain of hashes covers in place of the JSON. */
export const readFirstRows: ReadFirstStates = async (database, wanted) => {
  const found = noneFound()
  for (const row of await rowsOf(database, wanted)) {
    showPayment(found, wanted, row, textOfPayment)
    if (hasSide(row)) found.transactions.set(row.side, textOfTransaction(sideOf(row)))
  }
  return found
}

/**
 * The same for archives, which are kept elsewhere: numbers and sealed data stay sealed, as a text. So an erasure also takes the data
 * in archives that were written before.
 */
export const readSealedStates: ReadFirstStates = async (database, wanted) => {
  const found = noneFound()
  for (const row of await rowsOf(database, wanted)) showRow(found, wanted, row, 'kept')
  const owners = [...new Set(wanted.sealed.flatMap(({ data }) => sealedFor(data) ?? []))]
  const erased = await findErased(database, owners)
  for (const { data } of wanted.sealed) {
    const owner = sealedFor(data)
    found.opened.set(data, owner !== undefined && erased.has(owner) ? null : JSON.stringify(data))
  }
  return found
}

async function rowsOf(database: Queryable, wanted: WantedRecords): Promise<FirstStateRow[]> {
  const payments = [...new Set(paymentLists.flatMap((list) => wanted[list]))]
  if (payments.length + wanted.transactions.length === 0) return []
  return findFirstStateRows(database, { payments, transactions: wanted.transactions })
}

function showRow(found: FirstStates, wanted: WantedRecords, row: FirstStateRow, seal: NumberSeal): void {
  showPayment(found, wanted, row, (payment) => JSON.stringify(paymentOf(payment, seal)))
  if (hasSide(row)) {
    found.transactions.set(row.side, JSON.stringify(transaction(sideOf(row), { routingNumber: '', seal })))
  }
}

/** Adds a payment to each list in which payments are wanted, as it was then. Most look-ups want one list. */
function showPayment(
  found: FirstStates,
  wanted: WantedRecords,
  row: PaymentRow,
  textOf: (payment: LedgerPayment) => string,
): void {
  for (const list of paymentLists) {
    if (wanted[list].length === 0) continue
    const status = statusOf[list]
    const payment = status ? paymentFromRow(row, status) : paymentFromRow(row, firstStatusOf(row), FIRST_VERSION)
    found[list].set(row.id, textOf(payment))
  }
  for (const version of Object.keys(row.departures ?? {})) {
    const payment = paymentFromRow(row, 'Pending', Number(version))
    found.formerPending.set(formerKey(row.id, version), textOf(payment))
  }
}

function hasSide(row: FirstStateRow): row is SideRow {
  return row.side !== undefined
}

/** The transaction of a payment's own account. It shows the counterparty of the payment, and neither name nor number of the account on the other side. */
function sideOf(row: SideRow): TransactionRow {
  return {
    id: row.side,
    organisationId: row.organisationId,
    accountId: row.accountId,
    customerId: row.customerId,
    amount: row.sideAmount,
    direction: row.sideDirection,
    balance: row.sideBalance,
    createdAt: row.sideCreatedAt,
    sourceKind: row.sideSourceKind,
    party: row.sideParty,
    description: row.sideDescription,
    payment: paymentFromRow(row),
    other: { id: row.otherId, customerId: row.otherCustomerId, name: '', accountNumber: '' },
  }
}
