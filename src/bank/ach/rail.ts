import { Problem } from '../../base/problem.ts'
import { hasRoutingChecksum } from '../../base/routing-number.ts'
import { departureOf } from '../../rails/ach/calendar.ts'
import { plainText } from '../../rails/ach/plain-text.ts'
import { wordOutOfPlace } from '../../rails/ach/reserved-words.ts'
import type { AchMode, AchSettings } from '../../rails/ach/settings.ts'
import { instant, type Rail, type RailState } from '../parts/rail.ts'
import { noRail } from '../records/payment-columns.ts'
import type { LedgerPayment } from '../records/records.ts'

/** The largest amount of an entry: ten digits. */
export const MAX_ENTRY_CENTS = 9_999_999_999

/** The rail of payments to other banks. */
export function railFrom(ach: AchMode): Rail {
  return ach === 'instant' ? instant : achRail(ach)
}

/** Payments that leave with ACH files. A payment that no file can carry is refused. */
function achRail(settings: Pick<AchSettings, 'sameDayLimitCents' | 'windows'>): Rail {
  return {
    firstState({ amount, sameDay = false, secCode, description, direction, isReserved }, { routingNumber, type }, now) {
      const code = secCode ?? (type === 'Business' ? 'CCD' : 'PPD')
      // The batch in the file has the description, cut and in ASCII.
      const side = direction === 'Debit' ? 'debit' : 'credit'
      if (!isReserved && wordOutOfPlace(plainText(description, 10), { secCode: code, side }))
        throw new Problem('reserved_description')
      return pending(settings, { amount, sameDay, secCode: code, routingNumber }, now)
    },
    departure({ amount, sameDay, secCode, counterparty: { routingNumber } }, now) {
      return pending(settings, { amount, sameDay: sameDay ?? false, secCode: secCode ?? 'PPD', routingNumber }, now)
    },
  }
}

interface Entry extends Pick<LedgerPayment, 'amount'> {
  sameDay: boolean
  secCode: NonNullable<LedgerPayment['secCode']>
  routingNumber: string
}

/** The state of a payment that waits for its cut-off. */
function pending(
  { sameDayLimitCents, windows }: Pick<AchSettings, 'sameDayLimitCents' | 'windows'>,
  { amount, sameDay, secCode, routingNumber }: Entry,
  now: string,
): RailState {
  if (amount > (sameDay ? Math.min(MAX_ENTRY_CENTS, sameDayLimitCents) : MAX_ENTRY_CENTS)) {
    throw new Problem('amount_over_rail_limit')
  }
  if (!hasRoutingChecksum(routingNumber)) throw new Problem('invalid_routing_number')
  const { cutoff, settles } = departureOf(now, sameDay, windows)
  return { ...noRail, status: 'Pending', sameDay, secCode, cutoffAt: cutoff, settlesAt: settles }
}
