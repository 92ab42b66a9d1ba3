import type { FirstStates, ReadFirstStates } from '../../../events/stored/complete-events.ts'
import { firstPaymentFromRow, paymentFromRow, textOfPayment } from '../../../ledger/payment-columns.ts'
import { paymentOf } from '../bank/payments.ts'
import { showsPayment, textOfTransaction, transaction } from '../bank/transaction-view.ts'
import type { TransactionRow } from '../bank/transactions.sql.ts'
import { type FirstStateRow, findFirstStateRows } from './first-states.sql.ts'

/**
 * Renders payments and the transactions of their accounts as they were first shown, from columns that never change. Other
 * transactions show the bank's settings, so that their events keep a copy and they are not found here.
 */
export const readFirstStates: ReadFirstStates = async (database, wanted) => {
  const found: FirstStates = { payments: new Map(), transactions: new Map() }
  for (const row of await findFirstStateRows(database, wanted)) {
    if (row.side === null) found.payments.set(row.id, JSON.stringify(paymentOf(firstPaymentFromRow(row))))
    else if (showsPayment(row, row.sideAccountId)) found.transactions.set(row.side, transactionJson(sideOf(row)))
  }
  return found
}

/** The same, with the texts of the columns that the chain of hashes covers in place of the JSON. */
export const readFirstRows: ReadFirstStates = async (database, wanted) => {
  const found: FirstStates = { payments: new Map(), transactions: new Map() }
  for (const row of await findFirstStateRows(database, wanted)) {
    if (row.side === null) found.payments.set(row.id, textOfPayment(firstPaymentFromRow(row)))
    else found.transactions.set(row.side, textOfTransaction(sideOf(row)))
  }
  return found
}

/** A transaction that shows a payment names no routing number of the bank. */
function transactionJson(row: TransactionRow): string {
  return JSON.stringify(transaction(row, ''))
}

function sideOf(row: Exclude<FirstStateRow, { side: null }>): TransactionRow {
  return {
    id: row.side,
    organisationId: row.organisationId,
    accountId: row.sideAccountId,
    customerId: row.sideCustomerId,
    amount: row.sideAmount,
    direction: row.sideDirection,
    balance: row.sideBalance,
    createdAt: row.sideCreatedAt,
    sourceKind: row.sideSourceKind,
    party: row.sideParty,
    description: row.sideDescription,
    payment: paymentFromRow(row),
    other: {
      id: row.otherId,
      customerId: row.otherCustomerId,
      name: row.otherName,
      accountNumber: row.otherAccountNumber,
    },
  }
}
