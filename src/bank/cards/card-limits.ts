import { cardRules } from '../../banking/cards/card.ts'
import type { CardLimits, Spent, StoredCardLimits } from '../../banking/cards/card-limits.ts'
import type { SetCardLimitsInput } from '../../banking/cards/set-card-limits.ts'
import { requireAllowed } from '../../banking/state-rules.ts'
import { idNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import { emit } from '../../events/event.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { readMonth, spentIn } from '../records/spending.ts'
import { type CardWithLimits, findCardWithLimits, updateLimits } from './card-limits.sql.ts'
import { lockCard } from './lock-card.ts'

export async function getCardLimits(
  { database }: BankParts,
  { organisationId }: Caller,
  cardId: string,
): Promise<CardLimits> {
  return shownLimits(database, await requireCard(database, organisationId, idNumber(cardId)))
}

/** Replaces the limits under the account's lock, which every decision about the card holds. */
export function setCardLimits(
  { runOnce }: BankParts,
  write: Write<CardLimits>,
  { cardId, ...input }: SetCardLimitsInput,
): Promise<Answer> {
  const { organisationId } = write.caller
  return runOnce.transaction(write, async (transaction, events) => {
    const { card } = await lockCard(transaction, organisationId, cardId)
    requireAllowed(cardRules, 'setCardLimits', card.status)
    const before = await requireCard(transaction, organisationId, card.id)
    const limits = completeLimits(input)
    if (isSame(before.limits ?? noLimits, limits)) return shownLimits(transaction, before)
    const changed = await updateLimits(transaction, card.id, isSame(limits, noLimits) ? null : limits)
    return emit(events, 'card.limitsChanged', changed.version, await shownLimits(transaction, changed))
  })
}

async function requireCard(database: Queryable, organisationId: number, id: number): Promise<CardWithLimits> {
  const row = await findCardWithLimits(database, organisationId, id)
  if (!row) throw new Problem('card_not_found')
  return row
}

/** Limits with every member, in one order. */
function completeLimits(given: Omit<SetCardLimitsInput, 'cardId'> | StoredCardLimits): StoredCardLimits {
  const { purchase, day, month, allowedCategories = null, blockedCategories = null } = given
  return {
    purchase: { amount: purchase?.amount ?? null },
    day: { amount: day?.amount ?? null, count: day?.count ?? null },
    month: { amount: month?.amount ?? null, count: month?.count ?? null },
    allowedCategories,
    blockedCategories,
  }
}

const noLimits = completeLimits({})

function isSame(one: StoredCardLimits, other: StoredCardLimits): boolean {
  // The database returns the members in an order of its own.
  return JSON.stringify(completeLimits(one)) === JSON.stringify(completeLimits(other))
}

async function shownLimits(database: Queryable, { id, customerId, limits, now }: CardWithLimits): Promise<CardLimits> {
  const { purchase, day, month, allowedCategories, blockedCategories } = completeLimits(limits ?? noLimits)
  const days = await readMonth(database, { cardId: id, customerId, now })
  return {
    id: String(id),
    purchase,
    day: { ...day, ...used(spentIn(days, now.slice(0, 10))) },
    month: { ...month, ...used(spentIn(days, now.slice(0, 7))) },
    allowedCategories,
    blockedCategories,
  }
}

function used({ amount, count }: Spent) {
  return { usedAmount: amount, usedCount: count }
}
