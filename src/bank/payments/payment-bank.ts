import { idNumber } from '../../base/ids.ts'
import type { Caller, Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import { coalesce } from '../../database/coalesce.ts'
import type { Seal } from '../../secrets/seal.ts'
import { findAccountsByNumber } from '../accounts/accounts.sql.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import type { PaymentRow } from '../records/payment-columns.ts'
import { type PaymentQuestion, type Screened, screenPayment } from '../screening/screening.ts'
import { findPayments } from './payments.sql.ts'

/** The parts of the bank, and its look-ups for payments. */
export interface PaymentBank extends BankParts {
  findAccountByNumber(accountNumber: string): Promise<{ id: number } | undefined>
  findPayment(id: number): Promise<PaymentRow | undefined>
  screenPayment(write: Write<never>, question: PaymentQuestion): Promise<Screened>
}

/** The parts of the bank with its look-ups for payments. Look-ups that arrive while one is running are combined. */
export function paymentBankOf(parts: BankParts): PaymentBank {
  return {
    ...parts,
    findAccountByNumber: coalesce(
      (row: { id: number; accountNumber: string }) => row.accountNumber,
      (numbers: string[]) => findAccountsByNumber(parts.database, numbers),
    ),
    findPayment: coalesce(
      (row: PaymentRow) => row.id,
      (ids: number[]) => findPayments(parts.database, ids),
    ),
    screenPayment: (write, question) => screenPayment(parts, write, question),
  }
}

/** A payment of the caller's organisation. */
export async function ownPayment(
  bank: PaymentBank,
  { organisationId }: Caller,
  paymentId: string,
): Promise<PaymentRow> {
  const row = await bank.findPayment(idNumber(paymentId))
  if (row?.organisationId !== organisationId) throw new Problem('payment_not_found')
  return row
}

/** The seal of an organisation. A request has loaded its keys, so that nearly always nothing is waited for. */
export async function sealOf({ seals }: BankParts, { organisationId }: Pick<Caller, 'organisationId'>): Promise<Seal> {
  return seals.known(organisationId) ?? seals.of(organisationId)
}
