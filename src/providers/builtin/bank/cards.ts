import { randomInt } from 'node:crypto'
import type { Address } from '../../../banking/address.ts'
import {
  type Card,
  type CardMove,
  isLive,
  type ListedCard,
  moveCard,
  replacementRefusal,
} from '../../../banking/cards/card.ts'
import type { BankingProvider } from '../../../banking/provider.ts'
import { endOfMonth } from '../../../base/calendar.ts'
import { idNumber, optionalIdNumber } from '../../../base/ids.ts'
import type { Answer, Write } from '../../../base/operation.ts'
import { pageWindow, toPage } from '../../../base/page.ts'
import { Problem } from '../../../base/problem.ts'
import type { Queryable } from '../../../database/database.ts'
import { emit } from '../../../events/event.ts'
import type { BankParts } from '../bank-parts.ts'
import { type AccountRow, lockAccount } from './accounts.sql.ts'
import { type CardRow, findCard, insertCard, listCardRows, updateCardStatus } from './cards.sql.ts'

type Cards = Required<
  Pick<
    BankingProvider,
    | 'createCard'
    | 'replaceCard'
    | 'listCards'
    | 'getCard'
    | 'activateCard'
    | 'freezeCard'
    | 'unfreezeCard'
    | 'closeCard'
    | 'reportLostCard'
    | 'reportStolenCard'
  >
>

export function cardsOf({ database, ids, runOnce }: BankParts): Cards {
  /** A card under the lock of its account, which guards all its cards. */
  async function lockCard(
    transaction: Queryable,
    organisationId: number,
    cardId: string,
  ): Promise<{ card: CardRow; account: AccountRow }> {
    const known = await findCard(transaction, organisationId, idNumber(cardId))
    if (!known) throw new Problem('card_not_found')
    const account = await lockAccount(transaction, organisationId, known.accountId)
    const card = await findCard(transaction, organisationId, known.id)
    if (!account || !card) throw new Error('a card without its account')
    return { card, account }
  }

  function move(write: Write<Card>, cardId: string, name: CardMove): Promise<Answer> {
    return runOnce.transaction(write, async (transaction, events) => {
      const { organisationId } = write.caller
      const { card, account } = await lockCard(transaction, organisationId, cardId)
      const moved = moveCard(card.status, name)
      if ('refused' in moved) throw new Problem(moved.refused)
      if (name === 'activate' && account.status !== 'Open') throw new Problem('account_not_open')
      const changed = await updateCardStatus(transaction, card.id, moved.status)
      const type = name === 'activate' ? 'card.activated' : 'card.statusChanged'
      const shown = emit(events, type, changed.version, cardOf(changed))
      const ended = name === 'activate' ? await endReplaced(transaction, organisationId, card) : []
      for (const old of ended) emit(events, 'card.statusChanged', old.version, cardOf(old))
      return shown
    })
  }

  /** The old card worked until now, and so did the one before it, should the old one never have been activated. */
  async function endReplaced(transaction: Queryable, organisationId: number, card: CardRow): Promise<CardRow[]> {
    if (card.replacesCardId === null) return []
    const old = await findCard(transaction, organisationId, card.replacesCardId)
    if (!old) throw new Error('a card that replaces none')
    const ended = isLive(old.status) ? [await updateCardStatus(transaction, old.id, 'ClosedByCustomer')] : []
    return [...ended, ...(await endReplaced(transaction, organisationId, old))]
  }

  return {
    async createCard(write, { accountId, type, design = 'default', shippingAddress, tags = {} }) {
      const id = await ids.next()
      return runOnce.transaction(write, async (transaction, events) => {
        const account = await lockAccount(transaction, write.caller.organisationId, idNumber(accountId))
        if (!account) throw new Problem('account_not_found')
        if (account.status !== 'Open') throw new Problem('account_not_open')
        const physical = type === 'individualDebitCard'
        const row = await insertCard(transaction, {
          id,
          accountId: account.id,
          last4: randomLast4(),
          status: physical ? 'Inactive' : 'Active',
          type,
          design: physical ? design : null,
          shippingAddress: shippingAddress ? shownAddress(shippingAddress) : null,
          replacesCardId: null,
          tags,
        })
        return emit(events, 'card.created', row.version, cardOf(row))
      })
    },

    async replaceCard(write, { cardId, shippingAddress }) {
      const id = await ids.next()
      return runOnce.transaction(write, async (transaction, events) => {
        const { card, account } = await lockCard(transaction, write.caller.organisationId, cardId)
        const refused = replacementRefusal(card)
        if (refused) throw new Problem(refused)
        if (account.status === 'Closed') throw new Problem('account_not_open')
        const row = await insertCard(transaction, {
          id,
          accountId: card.accountId,
          last4: randomLast4(card.last4),
          status: 'Inactive',
          type: card.type,
          design: card.design,
          shippingAddress: shownAddress(shippingAddress),
          replacesCardId: card.id,
          tags: {},
        })
        const shown = emit(events, 'card.created', row.version, cardOf(row))
        // It is as it was, but for having a replacement: its next version.
        const old = await updateCardStatus(transaction, card.id, card.status)
        emit(events, 'card.replaced', old.version, cardOf(old))
        return shown
      })
    },

    async listCards({ organisationId }, { accountId, customerId, status, type, ...query }) {
      const page = pageWindow(query)
      const filter = {
        organisationId,
        accountId: optionalIdNumber(accountId),
        customerId: optionalIdNumber(customerId),
        status: status ?? null,
        type: type ?? null,
      }
      return toPage(await listCardRows(database, filter, page), page.limit, listedCard)
    },

    async getCard({ organisationId }, cardId) {
      const row = await findCard(database, organisationId, idNumber(cardId))
      if (!row) throw new Problem('card_not_found')
      return cardOf(row)
    },

    activateCard: (write, cardId) => move(write, cardId, 'activate'),
    freezeCard: (write, cardId) => move(write, cardId, 'freeze'),
    unfreezeCard: (write, cardId) => move(write, cardId, 'unfreeze'),
    closeCard: (write, cardId) => move(write, cardId, 'close'),
    reportLostCard: (write, cardId) => move(write, cardId, 'report-lost'),
    reportStolenCard: (write, cardId) => move(write, cardId, 'report-stolen'),
  }
}

/** Four digits, other than those of the card that is replaced. */
function randomLast4(other?: string): string {
  const last4 = String(randomInt(10_000)).padStart(4, '0')
  return last4 === other ? randomLast4(other) : last4
}

/** As it was sent, but complete: a country is always shown, a missing second line never. */
function shownAddress(sent: Address): Address {
  const { street2, ...oneLine } = sent
  return { ...(street2 == null ? oneLine : sent), country: sent.country ?? 'US' }
}

export function cardOf(row: CardRow): Card {
  return { ...common(row), expirationDate: row.expires, ...rest(row) }
}

function listedCard(row: CardRow): ListedCard {
  return { ...common(row), expirationDate: endOfMonth(row.expires), ...rest(row) }
}

function common({ id, accountId, createdAt, last4 }: CardRow) {
  return { id: String(id), accountId: String(accountId), createdAt, last4Digits: last4 }
}

function rest({ status, type, design, shippingAddress }: CardRow) {
  return { status, type, ...(design !== null && { design }), ...(shippingAddress && { shippingAddress }) }
}
