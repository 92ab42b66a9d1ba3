import { getAccount } from '../../banking/accounts/get-account.ts'
import type { Card, ListedCard } from '../../banking/cards/card.ts'
import { closeCard } from '../../banking/cards/close-card.ts'
import { type CreateCardInput, createCard } from '../../banking/cards/create-card.ts'
import { freezeCard } from '../../banking/cards/freeze-card.ts'
import { getCard } from '../../banking/cards/get-card.ts'
import type { ListCardsQuery } from '../../banking/cards/list-cards.ts'
import { replaceCard } from '../../banking/cards/replace-card.ts'
import { reportLostCard } from '../../banking/cards/report-lost-card.ts'
import { reportStolenCard } from '../../banking/cards/report-stolen-card.ts'
import { unfreezeCard } from '../../banking/cards/unfreeze-card.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import type { Answer, Write } from '../../base/operation.ts'
import type { Page } from '../../base/page.ts'
import { invalidRequest, type ProblemCode, UpstreamProblem } from '../../base/problem.ts'
import { sentAddress } from './mapping/address.ts'
import { card, listedCard } from './mapping/card.ts'
import { accountOwner, type Connector, missingBeside, recordOf, relation } from './parts.ts'
import { byCreation, listQuery, refuseFilters, WHOLE_PAGE } from './query.ts'
import { childOf, type Resource } from './resource.ts'

export function cardsOf(connector: Connector) {
  const { one, list, pageOf, change, deadlineMs } = connector

  const move = (cardId: string, name: string) => ({
    ids: [[cardId, 'card_not_found']] as [string, ProblemCode][],
    path: `/cards/${cardId}/${name}`,
    read: recordOf(card),
  })

  function listed<Item>(
    { accountId, customerId, status, ...page }: Omit<ListCardsQuery, 'type'>,
    map: (resource: Resource) => Item,
    untilMs = deadlineMs(),
  ) {
    const filters = { accountId, customerId, status: status && [status] }
    const path = `/cards${listQuery(page, byCreation(page), filters)}`
    return list([accountId, customerId], path, page, map, untilMs)
  }

  /**
   * Reads the upstream's pages until ours is full, because it cannot filter by type. An unreadable card of the type has
   * its place in the list.
   */
  async function listedByType({ type, ...query }: ListCardsQuery): Promise<Page<ListedCard>> {
    const { limit = 100, offset = 0 } = query
    const untilMs = deadlineMs()
    const found: Resource[] = []
    let before = 0
    for (let from = 0, more = true; more && found.length <= limit; from += WHOLE_PAGE) {
      const page = await listed({ ...query, limit: WHOLE_PAGE, offset: from }, (resource) => resource, untilMs)
      const ofType = page.items.filter((card) => card.type === type)
      const skipped = Math.min(offset - before, ofType.length)
      found.push(...ofType.slice(skipped))
      before += skipped
      more = page.more
    }
    return pageOf('/cards', found.slice(0, limit), found.length > limit, listedCard)
  }

  return {
    createCard: (write, input) => newCard(connector, write, input),

    replaceCard: (write, { cardId, shippingAddress }) =>
      change(write, replaceCard, {
        ...move(cardId, 'replace'),
        body: { data: { type: 'replaceCard', attributes: { shippingAddress: sentAddress(shippingAddress) } } },
      }),

    listCards: async (_caller, query) => {
      refuseFilters(query, ['last4Digits', 'since', 'until'])
      return query.type === undefined ? listed(query, listedCard) : listedByType(query)
    },
    getCard: (_caller, cardId) => one(getCard, [cardId], `/cards/${cardId}`, card),
    freezeCard: (write, cardId) => change(write, freezeCard, move(cardId, 'freeze')),
    unfreezeCard: (write, cardId) => change(write, unfreezeCard, move(cardId, 'unfreeze')),
    closeCard: (write, cardId) => change(write, closeCard, move(cardId, 'close')),
    reportLostCard: (write, cardId) => change(write, reportLostCard, move(cardId, 'report-lost')),
    reportStolenCard: (write, cardId) => change(write, reportStolenCard, move(cardId, 'report-stolen')),
  } satisfies Partial<BankingProvider>
}

async function newCard(connector: Connector, write: Write<Card>, input: CreateCardInput): Promise<Answer> {
  const { type, accountId, customerId, design, shippingAddress, tags } = input
  const untilMs = connector.deadlineMs()
  const holder: [string, ProblemCode][] = customerId === undefined ? [] : [[customerId, 'customer_not_found']]
  const made = connector.create(write, createCard, {
    ids: [[accountId, 'account_not_found'], ...holder],
    path: '/cards',
    data: {
      type,
      attributes: {
        ...(design && { design }),
        ...(shippingAddress && { shippingAddress: sentAddress(shippingAddress) }),
        ...(tags && { tags }),
      },
      relationships: {
        account: relation('depositAccount', accountId),
        ...(customerId !== undefined && { customer: relation('customer', customerId) }),
      },
    },
    map: card,
  })
  return made.catch((error: unknown) =>
    customerId === undefined
      ? refuseWithoutHolder(connector, accountId, error, untilMs)
      : missingBeside(connector, accountOwner(accountId), 'customer_not_found', error),
  )
}

/**
 * Refuses a card again that the upstream refused, with the reason if that is the missing customer: the account has
 * several, and the upstream does not choose. Only a refusal is worth the call that finds out.
 */
async function refuseWithoutHolder(
  { one }: Connector,
  accountId: string,
  error: unknown,
  untilMs: number,
): Promise<never> {
  if (!(error instanceof UpstreamProblem) || error.outcomeUnknown) throw error
  if (error.code !== 'refused_by_provider' && error.code !== 'customer_not_found') throw error
  // If the account cannot be read, the refusal itself is the better answer.
  const owners = await one(getAccount, [accountId], `/accounts/${accountId}`, ownersOf, untilMs).catch(() => 1)
  // The request names no customer that could be missing.
  if (owners < 2)
    throw new UpstreamProblem('refused_by_provider', { errors: error.errors ?? [], lasting: error.lasting })
  const message = 'customerId is required: the account has several customers'
  throw invalidRequest([{ pointer: '/customerId', code: 'required', message }])
}

/** The number of an account's customers. */
function ownersOf({ relationships }: Resource): number {
  const { data } = childOf(relationships, 'customers')
  return Array.isArray(data) ? data.length : 1
}
