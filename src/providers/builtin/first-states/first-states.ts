import type { FirstStates, ReadFirstStates } from '../../../events/stored/complete-events.ts'
import { openedData } from '../../../events/stored/sealed-data.ts'
import { firstPaymentFromRow, paymentFromRow, textOfPayment } from '../../../ledger/payment-columns.ts'
import type { Seal } from '../../../secrets/seal.ts'
import type { Seals } from '../../../secrets/seals.ts'
import { paymentOf } from '../bank/payments.ts'
import { showsPayment, textOfTransaction, transaction } from '../bank/transaction-view.ts'
import type { TransactionRow } from '../bank/transactions.sql.ts'
import { type FirstStateRow, findFirstStateRows } from './first-states.sql.ts'

/**
 * Renders payments and the transactions of their accounts as they were first shown, from columns that never change. Other
 * transactions show the bank's settings, so that their events keep a copy and they are not found here.
 */
export function firstStatesReader(seals: Pick<Seals, 'of'>): ReadFirstStates {
  return async (database, wanted) => {
    const found: FirstStates = { payments: new Map(), returned: new Map(), transactions: new Map(), opened: new Map() }
    const payments = [...wanted.payments, ...wanted.returned]
    const rows =
      payments.length + wanted.transactions.length > 0
        ? await findFirstStateRows(database, { ...wanted, payments })
        : []
    for (const row of rows) showRow(found, row, await seals.of(row.organisationId))
    for (const event of wanted.sealed)
      found.opened.set(event.data, openedData(await seals.of(event.organisationId), event))
    return found
  }
}

/** The same, with the texts of the columns that the chain of hashes covers in place of the JSON. */
export const readFirstRows: ReadFirstStates = async (database, wanted) => {
  const found: FirstStates = { payments: new Map(), returned: new Map(), transactions: new Map(), opened: new Map() }
  const payments = [...wanted.payments, ...wanted.returned]
  for (const row of await findFirstStateRows(database, { ...wanted, payments })) {
    if (row.side === null) {
      const first = firstPaymentFromRow(row)
      found.payments.set(row.id, textOfPayment(first))
      found.returned.set(row.id, textOfPayment({ ...first, status: 'Returned' }))
    } else found.transactions.set(row.side, textOfTransaction(sideOf(row)))
  }
  return found
}

function showRow(found: FirstStates, row: FirstStateRow, seal: Seal): void {
  if (row.side === null) {
    const first = firstPaymentFromRow(row)
    found.payments.set(row.id, JSON.stringify(paymentOf(first, seal)))
    found.returned.set(row.id, JSON.stringify(paymentOf({ ...first, status: 'Returned' }, seal)))
  } else if (showsPayment(row, row.sideAccountId)) {
    // A transaction that shows a payment names no routing number of the bank.
    found.transactions.set(row.side, JSON.stringify(transaction(sideOf(row), { routingNumber: '', seal })))
  }
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
