import { heldBy } from '../../banking/authorizations/authorization.ts'
import { hasPeriodLimit, type Spent } from '../../banking/cards/card-limits.ts'
import { byId, recordBook, recordKind } from '../../ledger/kinds.ts'
import { readAuthorizations, readCards, writeAuthorizations } from './cards.sql.ts'
import type { LedgerAuthorization, LedgerCard } from './records.ts'
import { type CardDay, readLimitedSpending, spendingChange, spentIn } from './spending.ts'

/** Authorizations. Each holds its amount on its account. */
export const authorizations = recordKind({
  name: 'authorizations',
  read: (transaction, ids: number[]) => readAuthorizations(transaction, ids),
  open(rows: LedgerAuthorization[], batch) {
    return recordBook('authorization', rows, batch, (after, before) => {
      batch.addHold(after.accountId, heldBy(after) - (before ? heldBy(before) : 0))
      batch.of(cards).noteSpending(after, before)
    })
  },
  write: (transaction, book) => writeAuthorizations(transaction, book),
})

/** A card with its approved purchases, if it has limits of days or months. */
interface ReadCard extends LedgerCard {
  spending: CardDay[]
}

interface CardBook {
  get(id: number): LedgerCard | undefined
  /** The approved purchases of a card on a day (`2026-06-15`) or in a month (`2026-06`), if it has limits of those. */
  spentIn(cardId: number, period: string): Spent
  noteSpending(after: LedgerAuthorization, before: LedgerAuthorization | undefined): void
}

/** Cards, which are only read, and their purchases. Those of cards without limits of days or months are not counted. */
export const cards = recordKind({
  name: 'cards',
  async read(transaction, ids: number[], batch): Promise<ReadCard[]> {
    const found = await readCards(transaction, ids)
    const authorized = batch.of(authorizations)
    const days = await readLimitedSpending(transaction, {
      cards: found,
      authorizations: authorized,
      times: batch.times,
    })
    return found.map((card) => ({ ...card, spending: days.filter(({ cardId }) => cardId === card.id) }))
  },
  open(rows: ReadCard[], { undo }): CardBook {
    const records = byId(rows)
    const daysOf = new Map<number, CardDay[]>()
    for (const { id, limits, spending } of rows) if (limits && hasPeriodLimit(limits)) daysOf.set(id, [...spending])
    return {
      get: (id) => records.get(id),
      spentIn: (cardId, period) => spentIn(daysOf.get(cardId) ?? [], period),
      noteSpending(after, before) {
        const days = daysOf.get(after.cardId)
        if (!days) return
        const day = { cardId: after.cardId, day: after.createdAt.slice(0, 10), ...spendingChange(after, before) }
        undo.append(days, day)
      },
    }
  },
})
