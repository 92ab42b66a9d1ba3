import { type Authorization, type DeclineReason, heldBy } from '../../../banking/authorizations/authorization.ts'
import type { BankingProvider } from '../../../banking/provider.ts'
import type { ListedTransaction } from '../../../banking/transactions/transaction.ts'
import { endOfMonth } from '../../../base/calendar.ts'
import { MAX_CENTS } from '../../../base/cents.ts'
import { addDays, LAST_INSTANT } from '../../../base/clock.ts'
import { idNumber, optionalIdNumber } from '../../../base/ids.ts'
import type { Answer } from '../../../base/operation.ts'
import { pageWindow, toPage } from '../../../base/page.ts'
import { Problem } from '../../../base/problem.ts'
import { type EventType, emit } from '../../../events/event.ts'
import type { Books, Command } from '../../../ledger/books.ts'
import type { LedgerAccount, LedgerAuthorization, LedgerCard, TransferOrder } from '../../../ledger/records.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import type { BankParts } from '../bank-parts.ts'
import { bankWrite } from '../bank-write.ts'
import type { DueRun, Timer } from '../clock/due.ts'
import type { ClawBack } from '../rewards/claw-back.ts'
import { earningLocks } from '../rewards/earning.ts'
import { PlanOutdated, type RewardEngine } from '../rewards/reward-engine.ts'
import { expiringAuthorizations, findAuthorization, listAuthorizationRows } from './authorizations.sql.ts'
import { findCard } from './cards.sql.ts'
import { depositAccountIn } from './payments.ts'
import { post, sideOf } from './posting.ts'
import { listedTransaction } from './transaction-view.ts'

type Authorizations = Required<Pick<BankingProvider, 'listAuthorizations' | 'getAuthorization'>> &
  Pick<Sandbox, 'createAuthorization' | 'settleAuthorization' | 'reverseAuthorization' | 'refundAuthorization'> & {
    /** Ends open authorizations when their time is over. */
    authorizationTimer: Timer
  }

const EXPIRES_AFTER_DAYS = 7
/** As many as one batch of the lane takes. */
const EXPIRED_AT_ONCE = 500
const TOTAL_LIMIT = 'The settlements of the authorization together would pass 9,007,199,254,740,991 cents.'

export function authorizationsOf(parts: BankParts, engine: RewardEngine): Authorizations {
  const { database, ids, runOnce, lane, routingNumber, overdraftCents } = parts

  async function known(organisationId: number, authorizationId: string): Promise<LedgerAuthorization> {
    const row = await findAuthorization(database, organisationId, idNumber(authorizationId))
    if (!row) throw new Problem('authorization_not_found')
    return row
  }

  function declineReason(account: LedgerAccount, card: LedgerCard, amount: number, now: string): DeclineReason | null {
    if (card.status !== 'Active' || now > endOfMonth(card.expires)) return 'CardNotActive'
    if (account.status !== 'Open') return 'AccountNotOpen'
    return account.balance - account.hold - amount < -overdraftCents ? 'InsufficientFunds' : null
  }

  async function expireUntil(organisationId: number, until: string, run: DueRun): Promise<void> {
    for (;;) {
      const expired = await expiringAuthorizations(database, organisationId, until, EXPIRED_AT_ONCE)
      const canceled = await Promise.all(expired.map((authorization) => expire(organisationId, authorization)))
      for (const [place, { id, expiresAt }] of expired.entries()) {
        if (canceled[place]) run.happened({ at: expiresAt, type: 'authorization.canceled', id: String(id) })
      }
      if (expired.length < EXPIRED_AT_ONCE || run.isOver()) return
    }
  }

  /** False when it was settled or reversed a moment ago. */
  async function expire(
    organisationId: number,
    { id, accountId }: { id: number; accountId: number },
  ): Promise<boolean> {
    const write = bankWrite(organisationId)
    const decide = (books: Books) => void cancelIn(books, id)
    try {
      await runOnce.attempt(write, () => lane.run({ write, accountIds: [accountId], authorizationIds: [id], decide }))
      return true
    } catch (error) {
      if (error instanceof Problem && error.code === 'authorization_not_open') return false
      throw error
    }
  }

  return {
    async listAuthorizations({ organisationId }, { status: _open, ...query }) {
      const page = pageWindow(query)
      const filter = {
        organisationId,
        customerId: idNumber(query.customerId),
        accountId: optionalIdNumber(query.accountId),
        cardId: optionalIdNumber(query.cardId),
        since: query.since ?? null,
        until: query.until ?? null,
        fromAmount: query.fromAmount ?? null,
        toAmount: query.toAmount ?? null,
      }
      return toPage(await listAuthorizationRows(database, filter, page), page.limit, authorizationOf)
    },

    async getAuthorization({ organisationId }, authorizationId) {
      return authorizationOf(await known(organisationId, authorizationId))
    },

    async createAuthorization(write, { cardId, amount, merchant }) {
      const { organisationId } = write.caller
      const card = await findCard(database, organisationId, idNumber(cardId))
      if (!card) throw new Problem('card_not_found')
      const id = await ids.next()

      function decide(books: Books): Authorization {
        const account = depositAccountIn(books, organisationId, card?.accountId ?? 0)
        const locked = books.card(card?.id ?? 0)
        if (!locked || account.customerId === null) throw new Problem('card_not_found')
        const now = books.now(organisationId)
        const declined = declineReason(account, locked, amount, now)
        const authorization: LedgerAuthorization = {
          id,
          organisationId,
          accountId: account.id,
          customerId: account.customerId,
          cardId: locked.id,
          cardLast4: locked.last4,
          status: declined ? 'Declined' : 'Authorized',
          amount,
          settled: 0,
          refunded: 0,
          merchantName: merchant.name,
          merchantCategory: merchant.category ?? '',
          merchantLocation: merchant.location ?? '',
          declineReason: declined,
          createdAt: now,
          expiresAt: addDays(now, EXPIRES_AFTER_DAYS),
          version: 1,
        }
        books.insertAuthorization(authorization)
        return told(books, declined ? 'authorization.declined' : 'authorization.created', authorization)
      }

      const command = { write, accountIds: [card.accountId], cardIds: [card.id], decide }
      return runOnce.attempt(write, () => lane.run(command))
    },

    async settleAuthorization(write, { authorizationId, amount, final = true }) {
      const { organisationId } = write.caller
      const row = await known(organisationId, authorizationId)
      const { id, accountId } = row
      const transferId = await ids.nextPair()
      const earning = await engine.prepareEarning(organisationId, row)

      function decide(books: Books): ListedTransaction {
        const authorization = openAuthorizationIn(books, id)
        const taken = amount ?? heldBy(authorization)
        if (taken === 0) throw new Problem('nothing_held')
        const settledTotal = authorization.settled + taken
        if (settledTotal > MAX_CENTS) throw new Problem('balance_limit', { detail: TOTAL_LIMIT })
        const order: TransferOrder = {
          id: transferId,
          debitAccountId: accountId,
          creditAccountId: books.internal('card_settlement').id,
          amount: taken,
          sourceKind: 'card_settlement',
          sourceId: id,
          party: authorization.merchantName,
          description: `Card ${authorization.cardLast4}`,
        }
        const changed: LedgerAuthorization = {
          ...authorization,
          settled: settledTotal,
          status: final ? 'Completed' : 'Authorized',
          version: authorization.version + 1,
        }
        books.updateAuthorization(changed)
        told(books, final ? 'authorization.completed' : 'authorization.amountChanged', changed)
        const transfer = post(books, order, null, routingNumber)
        const settled = { authorization, bankTransactionId: String(transferId), amount: taken, refunded: 0 }
        if (earning) engine.earn(books, earning, settled)
        return listedTransaction(sideOf(books, transfer, accountId, null), routingNumber)
      }

      const command: Command<ListedTransaction> = {
        write,
        accountIds: [accountId],
        internal: earning ? ['card_settlement', 'rewards_funding'] : ['card_settlement'],
        authorizationIds: [id],
        ...(earning && { rewards: earningLocks(earning) }),
        decide,
      }
      return runOnce.attempt(write, () => lane.run(command))
    },

    async reverseAuthorization(write, authorizationId) {
      const { id, accountId } = await known(write.caller.organisationId, authorizationId)
      const command = {
        write,
        accountIds: [accountId],
        authorizationIds: [id],
        decide: (books: Books) => cancelIn(books, id),
      }
      return runOnce.attempt(write, () => lane.run(command))
    },

    async refundAuthorization(write, { authorizationId, amount }) {
      const { organisationId } = write.caller
      const { id, accountId } = await known(organisationId, authorizationId)
      const transferId = await ids.nextPair()

      function decide(books: Books, plan: ClawBack): ListedTransaction {
        const authorization = books.authorization(id)
        if (!authorization) throw new Problem('authorization_not_found')
        if (authorization.settled === 0) throw new Problem('authorization_not_settled')
        const left = authorization.settled - authorization.refunded
        const given = amount ?? left
        if (given === 0 || given > left) throw new Problem('refund_exceeds_settlement')
        const order: TransferOrder = {
          id: transferId,
          debitAccountId: books.internal('card_settlement').id,
          creditAccountId: accountId,
          amount: given,
          sourceKind: 'card_refund',
          sourceId: id,
          party: authorization.merchantName,
          description: `Refund to card ${authorization.cardLast4}`,
        }
        const transfer = post(books, order, null, routingNumber)
        const refunded = authorization.refunded + given
        books.updateAuthorization({ ...authorization, refunded, version: authorization.version + 1 })
        engine.clawBack(books, plan, id, given)
        return listedTransaction(sideOf(books, transfer, accountId, null), routingNumber)
      }

      async function attempt(): Promise<Answer> {
        const plan = await engine.prepareClawBack(id)
        const command: Command<ListedTransaction> = {
          write,
          accountIds: [accountId],
          internal: plan.transferIds.length > 0 ? ['card_settlement', 'rewards_funding'] : ['card_settlement'],
          authorizationIds: [id],
          rewards: { linkIds: [], partnerUserIds: plan.partnerUserIds, offerIds: [] },
          decide: (books) => decide(books, plan),
        }
        try {
          return await lane.run(command)
        } catch (error) {
          if (error instanceof PlanOutdated) return attempt()
          throw error
        }
      }

      return runOnce.attempt(write, attempt)
    },

    async authorizationTimer(organisationId) {
      const [first] = await expiringAuthorizations(database, organisationId, LAST_INSTANT, 1)
      return first && { at: first.expiresAt, run: (run) => expireUntil(organisationId, first.expiresAt, run) }
    },
  }
}

function openAuthorizationIn(books: Books, id: number): LedgerAuthorization {
  const authorization = books.authorization(id)
  if (!authorization) throw new Problem('authorization_not_found')
  if (authorization.status !== 'Authorized') throw new Problem('authorization_not_open')
  return authorization
}

function cancelIn(books: Books, id: number): Authorization {
  const open = openAuthorizationIn(books, id)
  const canceled: LedgerAuthorization = { ...open, status: 'Canceled', version: open.version + 1 }
  books.updateAuthorization(canceled)
  return told(books, 'authorization.canceled', canceled)
}

function told(books: Books, type: EventType, authorization: LedgerAuthorization): Authorization {
  return emit(books.events, type, authorization.version, authorizationOf(authorization))
}

function authorizationOf(row: LedgerAuthorization): Authorization {
  return {
    id: String(row.id),
    status: row.status,
    amount: row.amount,
    description: row.merchantName,
    createdAt: row.createdAt,
    cardLast4Digits: row.cardLast4,
    merchant: { name: row.merchantName, category: row.merchantCategory, location: row.merchantLocation },
    ...(row.declineReason && { reason: row.declineReason }),
  }
}
