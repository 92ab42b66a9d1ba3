import type { Authorization, DeclineReason } from '../../banking/authorizations/authorization.ts'
import { limitReasonOf, type StoredCardLimits } from '../../banking/cards/card-limits.ts'
import { endOfMonth } from '../../base/calendar.ts'
import type { Books } from '../../ledger/books.ts'
import type { LedgerAccount } from '../../ledger/records.ts'
import { overdraftOf } from '../limits/check.ts'
import type { DecisionQuestion } from '../parts/decision-hook.ts'
import { cards } from '../records/cards.ts'
import type { LedgerAuthorization, LedgerCard } from '../records/records.ts'

/** A purchase that is to be decided, or more on one. */
interface Purchase {
  account: LedgerAccount
  card: LedgerCard
  /** The amount that is asked for. */
  amount: number
  /** The amount of the whole purchase, with the one that is asked for. */
  total: number
  merchantCategories: string[]
  /** The time of the authorization: an increment counts in the same day and month. */
  createdAt: string
  /** The amount by which the account may be overdrawn, unless it has one of its own. */
  overdraftCents: number
  now: string
}

/** Why the bank declines a purchase; null if it approves. */
export function declineReasonOf(books: Books, purchase: Purchase): DeclineReason | null {
  const { account, card, amount, overdraftCents, now } = purchase
  if (card.status !== 'Active' || now > endOfMonth(card.expires)) return 'CardNotActive'
  if (account.status !== 'Open') return 'AccountNotOpen'
  const limitReason = card.limits && pastLimits(books, card.limits, purchase)
  if (limitReason) return limitReason
  const overdraft = overdraftOf(account, overdraftCents)
  return account.balance - account.hold - amount < -overdraft ? 'InsufficientFunds' : null
}

function pastLimits(
  books: Books,
  limits: StoredCardLimits,
  { card, amount, total, merchantCategories: categories, createdAt }: Purchase,
): DeclineReason | null {
  const spent = {
    day: books.of(cards).spentIn(card.id, createdAt.slice(0, 10)),
    month: books.of(cards).spentIn(card.id, createdAt.slice(0, 7)),
  }
  return limitReasonOf(limits, { total, more: amount, isNew: total === amount, categories }, spent)
}

/** The trade of a merchant: as a text, and as a code if it is known. */
export function categoriesOf({
  merchantCategory,
  merchantCategoryCode,
}: Pick<LedgerAuthorization, 'merchantCategory' | 'merchantCategoryCode'>): string[] {
  return merchantCategoryCode === null ? [merchantCategory] : [merchantCategory, merchantCategoryCode]
}

export function merchantOf(row: LedgerAuthorization): Authorization['merchant'] {
  return {
    name: row.merchantName,
    category: row.merchantCategory,
    location: row.merchantLocation,
    ...(row.merchantId !== null && { id: row.merchantId }),
    ...(row.merchantCategoryCode !== null && { categoryCode: row.merchantCategoryCode }),
  }
}

/** The question to the app about a new authorization, or about an increment of one that has an amount. */
export function questionOf(
  type: DecisionQuestion['type'],
  account: LedgerAccount,
  authorization: LedgerAuthorization,
  amount: number,
): DecisionQuestion {
  return {
    type,
    data: {
      organisationId: String(authorization.organisationId),
      customerId: String(authorization.customerId),
      accountId: String(account.id),
      cardId: String(authorization.cardId),
      cardLast4Digits: authorization.cardLast4,
      authorizationId: String(authorization.id),
      amount,
      authorizedAmount: type === 'authorization.requested' ? 0 : authorization.amount,
      merchant: merchantOf(authorization),
      availableBalance: account.balance - account.hold,
    },
  }
}
