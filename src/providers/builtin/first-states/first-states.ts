import type { Queryable } from '../../../database/database.ts'
import type { FirstStates, ReadFirstStates, WantedRecords } from '../../../events/stored/complete-events.ts'
import { openedData } from '../../../events/stored/sealed-data.ts'
import { firstPaymentFromRow, paymentFromRow, textOfPayment } from '../../../ledger/payment-columns.ts'
import type { NumberSeal } from '../../../secrets/numbers.ts'
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
    const found = noStates()
    for (const row of await rowsOf(database, wanted)) showRow(found, wanted, row, await seals.of(row.organisationId))
    for (const event of wanted.sealed) {
      found.opened.set(event.data, openedData(await seals.of(event.organisationId), event))
    }
    return found
  }
}

/** The same, with the texts of the columns that the chain of hashes covers in place of the JSON. */
export const readFirstRows: ReadFirstStates = async (database, wanted) => {
  const found = noStates()
  for (const row of await rowsOf(database, wanted)) {
    if (row.side === null) {
      const first = firstPaymentFromRow(row)
      found.payments.set(row.id, textOfPayment(first))
      found.returned.set(row.id, textOfPayment({ ...first, status: 'Returned' }))
    } else found.transactions.set(row.side, textOfTransaction(sideOf(row)))
  }
  return found
}

/** The same for archives, which are kept elsewhere: numbers, and data with numbers as a text, stay sealed. */
export const readSealedStates: ReadFirstStates = async (database, wanted) => {
  const found = noStates()
  for (const row of await rowsOf(database, wanted)) showRow(found, wanted, row, 'kept')
  for (const { data } of wanted.sealed) found.opened.set(data, JSON.stringify(data))
  return found
}

function noStates(): FirstStates {
  return { payments: new Map(), returned: new Map(), transactions: new Map(), opened: new Map() }
}

async function rowsOf(
  database: Queryable,
  { payments, returned, transactions }: WantedRecords,
): Promise<FirstStateRow[]> {
  if (payments.length + returned.length + transactions.length === 0) return []
  return findFirstStateRows(database, { payments: [...payments, ...returned], transactions })
}

function showRow(found: FirstStates, wanted: WantedRecords, row: FirstStateRow, seal: NumberSeal): void {
  if (row.side === null) {
    const first = firstPaymentFromRow(row)
    found.payments.set(row.id, JSON.stringify(paymentOf(first, seal)))
    // Few payments are returned: most pages ask for none.
    if (wanted.returned.length > 0) {
      found.returned.set(row.id, JSON.stringify(paymentOf({ ...first, status: 'Returned' }, seal)))
    }
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
