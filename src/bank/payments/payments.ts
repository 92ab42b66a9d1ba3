import type { ListPaymentsQuery } from '../../banking/payments/list-payments.ts'
import type { ListedPayment, Payment } from '../../banking/payments/payment.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { idNumber, optionalIdNumber } from '../../base/ids.ts'
import type { Caller } from '../../base/operation.ts'
import { type Page, pageWindow, toCursorPage } from '../../base/page.ts'
import type { Queryable } from '../../database/database.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Seal } from '../../secrets/seal.ts'
import { accountIdsOfCustomer } from '../accounts/accounts.sql.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { paymentFromRow } from '../records/payment-columns.ts'
import type { LedgerPayment } from '../records/records.ts'
import { retryPayment } from './debit-retry.ts'
import { ownPayment, type PaymentBank, paymentBankOf, sealOf } from './payment-bank.ts'
import { cancelPayment } from './payment-cancellation.ts'
import { createPayment } from './payment-orders.ts'
import { returnPayment } from './payment-return.ts'
import { paymentOf } from './payment-view.ts'
import { countPayments, findSearchStart, listPaymentRows } from './payments.sql.ts'
import { reversePayment } from './reversal.ts'

export function paymentsOf(parts: BankParts) {
  const bank = paymentBankOf(parts)
  return {
    createPayment: (write, input) => createPayment(bank, write, input),
    getPayment: (caller, paymentId) => getPayment(bank, caller, paymentId),
    listPayments: (caller, query) => listPayments(bank, caller, query),
    cancelPayment: (write, paymentId) => cancelPayment(bank, write, paymentId),
    retryPayment: (write, paymentId) => retryPayment(bank, write, paymentId),
    reversePayment: (write, input) => reversePayment(bank, write, input),
    returnPayment: (write, input) => returnPayment(bank, write, input),
  } satisfies Partial<BankingProvider & Sandbox>
}

async function getPayment(bank: PaymentBank, caller: Caller, paymentId: string): Promise<Payment> {
  const row = await ownPayment(bank, caller, paymentId)
  return paymentOf(paymentFromRow(row), await sealOf(bank, caller))
}

async function listPayments(
  bank: PaymentBank,
  { organisationId }: Caller,
  query: ListPaymentsQuery,
): Promise<Page<ListedPayment>> {
  const { database } = bank
  const seal = await sealOf(bank, { organisationId })
  const page = pageWindow(query)
  const customerId = optionalIdNumber(query.customerId)
  const externalAccountId = optionalIdNumber(query.counterpartyAccountId)
  const isRecurring = query.recurringPaymentId !== undefined || query.paymentFeature === 'RecurringPayment'
  const asked = {
    ...query,
    organisationId,
    accountIds: await filteredAccounts(database, organisationId, {
      accountId: query.accountId,
      customerId,
      externalAccountId,
    }),
    paymentId: optionalIdNumber(query.paymentId),
    customerId,
    externalAccountId,
    type: query.type ?? (isRecurring ? ['achPayment', 'bookPayment'] : ['achPayment']),
    sameDay: query.paymentFeature === 'SameDay' || null,
    recurringPaymentId: optionalIdNumber(query.recurringPaymentId),
    isRecurring: query.paymentFeature === 'RecurringPayment' || null,
    search: query.search?.trim(),
  }
  const start = asked.search === undefined ? null : await findSearchStart(database, asked)
  const filter = { ...asked, since: start ?? asked.since }
  const rows = await listPaymentRows(database, filter, page)
  const total = query.count ? await database.transaction((each) => countPayments(each, filter)) : undefined
  return toCursorPage(rows, page.limit, (row) => listedPayment(paymentFromRow(row), seal)).counted(total)
}

/** The accounts whose payments can match a filter; null if those of every account can. */
async function filteredAccounts(
  database: Queryable,
  organisationId: number,
  filter: { accountId: string | undefined; customerId: number | null; externalAccountId: number | null },
): Promise<number[] | null> {
  if (filter.accountId !== undefined) return [idNumber(filter.accountId)]
  if (filter.customerId === null && filter.externalAccountId === null) return null
  return accountIdsOfCustomer(database, organisationId, filter)
}

function listedPayment(payment: LedgerPayment, seal: Seal): ListedPayment {
  const { originalType: _, ...listed } = paymentOf(payment, seal)
  const { accountId, waitsFor } = payment
  return { ...listed, accountId: String(accountId), ...(waitsFor && { reviewReason: waitsFor }) }
}
