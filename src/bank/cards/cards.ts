import { randomInt } from 'node:crypto'
import { accountRules } from '../../banking/accounts/account.ts'
import type { Address } from '../../banking/address.ts'
import {
  type Card,
  cardRules,
  type ListedCard,
  requireActivatable,
  requireReplaceable,
} from '../../banking/cards/card.ts'
import type { CreateCardInput } from '../../banking/cards/create-card.ts'
import type { ListCardsQuery } from '../../banking/cards/list-cards.ts'
import type { ReplaceCardInput } from '../../banking/cards/replace-card.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { requireAllowed, stateAfter } from '../../banking/state-rules.ts'
import { endOfMonth } from '../../base/calendar.ts'
import { idNumber, optionalIdNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { type Page, pageWindow, toCursorPage } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import { type EventSink, type EventType, emitSealed } from '../../events/event.ts'
import { lockAccount } from '../accounts/accounts.sql.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { getCardLimits, setCardLimits } from './card-limits.ts'
import {
  type CardRow,
  countPendingReplacements,
  endReplacedCards,
  findCard,
  insertCard,
  listCardRows,
  updateCardStatus,
} from './cards.sql.ts'
import { lockCard } from './lock-card.ts'

export function cardsOf(bank: BankParts) {
  return {
    createCard: (write, input) => createCard(bank, write, input),
    replaceCard: (write, input) => replaceCard(bank, write, input),
    listCards: (caller, query) => listCards(bank, caller, query),
    getCard: (caller, cardId) => getCard(bank, caller, cardId),
    getCardLimits: (caller, cardId) => getCardLimits(bank, caller, cardId),
    setCardLimits: (write, input) => setCardLimits(bank, write, input),
    activateCard: (write, cardId) => activateCard(bank, write, cardId),
    freezeCard: (write, cardId) => changeStatus(bank, write, cardId, 'freezeCard'),
    unfreezeCard: (write, cardId) => changeStatus(bank, write, cardId, 'unfreezeCard'),
    closeCard: (write, cardId) => changeStatus(bank, write, cardId, 'closeCard'),
    reportLostCard: (write, cardId) => changeStatus(bank, write, cardId, 'reportLostCard'),
    reportStolenCard: (write, cardId) => changeStatus(bank, write, cardId, 'reportStolenCard'),
  } satisfies Partial<BankingProvider>
}

async function createCard({ ids, runOnce }: BankParts, write: Write<Card>, input: CreateCardInput): Promise<Answer> {
  const { accountId, customerId, type, design = 'default', shippingAddress, tags = {} } = input
  const id = await ids.next()
  return runOnce.transaction(write, async (transaction, events) => {
    const account = await lockAccount(transaction, write.caller.organisationId, idNumber(accountId))
    if (!account) throw new Problem('account_not_found')
    if (customerId !== undefined && idNumber(customerId) !== account.customerId) {
      throw new Problem('customer_not_found', { detail: 'The account has no customer with this id.' })
    }
    requireAllowed(accountRules, 'createCard', account.status)
    const physical = type === 'individualDebitCard'
    const row = await insertCard(transaction, {
      id,
      accountId: account.id,
      last4: randomLast4(),
      status: physical ? 'Inactive' : 'Active',
      type,
      design: physical ? design : null,
      shippingAddress: shippingAddress ? completeAddress(shippingAddress) : null,
      replacesCardId: null,
      tags,
    })
    return emitCard(events, 'card.created', row)
  })
}

async function replaceCard({ ids, runOnce }: BankParts, write: Write<Card>, input: ReplaceCardInput): Promise<Answer> {
  const id = await ids.next()
  return runOnce.transaction(write, async (transaction, events) => {
    const { card, account } = await lockCard(transaction, write.caller.organisationId, input.cardId)
    const pendingReplacements = await countPendingReplacements(transaction, card.id)
    requireReplaceable({ ...card, pendingReplacements, accountStatus: account.status })
    const row = await insertCard(transaction, {
      id,
      accountId: card.accountId,
      last4: randomLast4(card.last4),
      status: 'Inactive',
      type: card.type,
      design: card.design,
      shippingAddress: completeAddress(input.shippingAddress),
      replacesCardId: card.id,
      tags: {},
    })
    const shown = emitCard(events, 'card.created', row)
    // The old card keeps its status. It gets a new version, because each event of a record has one of its own.
    const old = await updateCardStatus(transaction, card.id, card.status)
    emitCard(events, 'card.replaced', old)
    return shown
  })
}

async function listCards({ database }: BankParts, caller: Caller, query: ListCardsQuery): Promise<Page<ListedCard>> {
  const page = pageWindow(query)
  const filter = {
    ...query,
    organisationId: caller.organisationId,
    accountId: optionalIdNumber(query.accountId),
    customerId: optionalIdNumber(query.customerId),
  }
  return toCursorPage(await listCardRows(database, filter, page), page.limit, listedCard)
}

async function getCard({ database }: BankParts, { organisationId }: Caller, cardId: string): Promise<Card> {
  const row = await findCard(database, organisationId, idNumber(cardId))
  if (!row) throw new Problem('card_not_found')
  return cardOf(row)
}

/** Activates a card and ends the cards that it replaces, which worked until now. */
function activateCard({ runOnce }: BankParts, write: Write<Card>, cardId: string): Promise<Answer> {
  return runOnce.transaction(write, async (transaction, events) => {
    const { card, account } = await lockCard(transaction, write.caller.organisationId, cardId)
    requireActivatable({ status: card.status, accountStatus: account.status })
    const status = stateAfter(cardRules, 'activateCard', card.status)
    const ended = await endReplacedCards(transaction, card.id)
    const activated = await updateCardStatus(transaction, card.id, status)
    const shown = emitCard(events, 'card.activated', activated)
    for (const old of ended) emitCard(events, 'card.statusChanged', old)
    return shown
  })
}

type StatusChange = 'freezeCard' | 'unfreezeCard' | 'closeCard' | 'reportLostCard' | 'reportStolenCard'

function changeStatus(
  { runOnce }: BankParts,
  write: Write<Card>,
  cardId: string,
  operationId: StatusChange,
): Promise<Answer> {
  return runOnce.transaction(write, async (transaction, events) => {
    const { card } = await lockCard(transaction, write.caller.organisationId, cardId)
    const status = stateAfter(cardRules, operationId, card.status)
    const changed = await updateCardStatus(transaction, card.id, status)
    return emitCard(events, 'card.statusChanged', changed)
  })
}

/** Four random digits, different from those of the card that is replaced. */
function randomLast4(replaced?: string): string {
  const last4 = String(randomInt(10_000)).padStart(4, '0')
  return last4 === replaced ? randomLast4(replaced) : last4
}

/** The address as it was sent, with the default country, and without a second line that is null. */
function completeAddress(sent: Address): Address {
  const { street2, ...oneLine } = sent
  return { ...(street2 == null ? oneLine : sent), country: sent.country ?? 'US' }
}

/** Emits an event of a card, sealed for its customer, and returns the card. */
export function emitCard(events: EventSink, type: EventType, row: CardRow): Card {
  return emitSealed(events, row.customerId, type, row.version, cardOf(row))
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
