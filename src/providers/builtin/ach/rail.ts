import type { CreatePaymentInput } from '../../../banking/payments/create-payment.ts'
import { Problem } from '../../../base/problem.ts'
import { hasRoutingChecksum } from '../../../base/routing-number.ts'
import { noRail } from '../../../ledger/payment-columns.ts'
import type { LedgerPayee, LedgerPayment } from '../../../ledger/records.ts'
import { departureOf } from '../../../rails/ach/calendar.ts'
import { plainText } from '../../../rails/ach/plain-text.ts'
import { wordOutOfPlace } from '../../../rails/ach/reserved-words.ts'
import type { AchMode } from '../../../rails/ach/settings.ts'

/** The largest amount of an entry: ten digits. */
export const MAX_ENTRY_CENTS = 9_999_999_999

type FirstState = Pick<LedgerPayment, 'status' | keyof typeof noRail>

/** The state in which a payment to another bank begins. Refuses a payment that no file can carry. */
export function firstStateOf(
  ach: AchMode,
  input: Pick<CreatePaymentInput, 'amount' | 'sameDay' | 'secCode' | 'description'>,
  payee: Pick<LedgerPayee, 'routingNumber' | 'type'>,
  now: string,
): FirstState {
  const { amount, sameDay = false, secCode = payee.type === 'Business' ? 'CCD' : 'PPD', description } = input
  // The batch in the file has the description, cut and in ASCII.
  if (ach !== 'instant' && wordOutOfPlace(plainText(description, 10), secCode))
    throw new Problem('reserved_description')
  return stateFrom(ach, { amount, sameDay, secCode, routingNumber: payee.routingNumber }, now)
}

/** The same for a payment that has to be reviewed: the decision fixes its cut-off. */
export function underReview(state: FirstState): FirstState {
  return { ...state, status: 'PendingReview', cutoffAt: null, settlesAt: null }
}

/** How a payment leaves that was approved a moment ago. Refuses a payment that no file can carry. */
export function departureFrom(
  ach: AchMode,
  { amount, sameDay, secCode, counterparty }: LedgerPayment,
  now: string,
): FirstState {
  const { routingNumber } = counterparty
  return stateFrom(ach, { amount, sameDay: sameDay ?? false, secCode: secCode ?? 'PPD', routingNumber }, now)
}

interface Entry extends Pick<LedgerPayment, 'amount'> {
  sameDay: boolean
  secCode: NonNullable<LedgerPayment['secCode']>
  routingNumber: string
}

function stateFrom(ach: AchMode, { amount, sameDay, secCode, routingNumber }: Entry, now: string): FirstState {
  if (ach === 'instant') return { ...noRail, status: 'Sent' }
  if (amount > (sameDay ? Math.min(MAX_ENTRY_CENTS, ach.sameDayLimitCents) : MAX_ENTRY_CENTS)) {
    throw new Problem('amount_over_rail_limit')
  }
  if (!hasRoutingChecksum(routingNumber)) throw new Problem('invalid_routing_number')
  const { cutoff, settles } = departureOf(now, sameDay, ach.windows)
  return { ...noRail, status: 'Pending', sameDay, secCode, cutoffAt: cutoff, settlesAt: settles }
}
