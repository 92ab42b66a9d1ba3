import type { Authorization, AuthorizationIncrement } from '../../banking/authorizations/authorization.ts'
import type { ChargeInput, RefundInput, SettlementInput } from '../../banking/authorizations/charge.ts'
import type {
  ListAllAuthorizationsQuery,
  OwnedAuthorization,
} from '../../banking/authorizations/list-all-authorizations.ts'
import type { ListAuthorizationsQuery } from '../../banking/authorizations/list-authorizations.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import type { ListedTransaction } from '../../banking/transactions/transaction.ts'
import { idNumber, optionalIdNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { type Page, pageWindow, toCursorPage } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import { type Command, Needs } from '../../ledger/books.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { clawBackReads, prepareClawBack } from '../earning/claw-back.ts'
import { type Earning, earningReads, prepareEarning } from '../earning/earning.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { askApp, type DecisionQuestion, type Verdict } from '../parts/decision-hook.ts'
import { authorizations, cards } from '../records/cards.ts'
import {
  authorizationOf,
  decideAdvice,
  decideAuthorization,
  decideIncrement,
  decideRefund,
  decideReversal,
  decideSettlement,
  type RefundOrder,
} from './authorization-decisions.ts'
import {
  type AuthorizationRow,
  findAuthorization,
  findOwnedStart,
  listAuthorizationRows,
  listOwnedRows,
} from './authorizations.sql.ts'
import { findCard } from './cards.sql.ts'

export function authorizationsOf(bank: BankParts) {
  return {
    listAuthorizations: (caller, query) => listAuthorizations(bank, caller, query),
    listAllAuthorizations: (caller, query) => listAllAuthorizations(bank, caller, query),
    getAuthorization: (caller, authorizationId) => getAuthorization(bank, caller, authorizationId),
    createAuthorization: (write, input) => createAuthorization(bank, write, input),
    settleAuthorization: (write, input) => settleAuthorization(bank, write, input),
    reverseAuthorization: (write, authorizationId) => reverseAuthorization(bank, write, authorizationId),
    refundAuthorization: (write, input) => refundAuthorization(bank, write, input),
  } satisfies Partial<BankingProvider & Sandbox>
}

/** Lists open authorizations: `Authorized` is the only status that the query can ask for. */
async function listAuthorizations(
  { database }: BankParts,
  { organisationId }: Caller,
  query: ListAuthorizationsQuery,
): Promise<Page<Authorization>> {
  const page = pageWindow(query)
  const filter = {
    ...query,
    organisationId,
    customerId: idNumber(query.customerId),
    accountId: optionalIdNumber(query.accountId),
    cardId: optionalIdNumber(query.cardId),
  }
  return toCursorPage(await listAuthorizationRows(database, filter, page), page.limit, authorizationOf)
}

/** Lists authorizations in all states, each with its holder. */
async function listAllAuthorizations(
  { database }: BankParts,
  { organisationId }: Caller,
  query: ListAllAuthorizationsQuery,
): Promise<Page<OwnedAuthorization>> {
  const page = pageWindow(query)
  const asked = {
    ...query,
    organisationId,
    customerId: optionalIdNumber(query.customerId),
    accountId: optionalIdNumber(query.accountId),
    cardId: optionalIdNumber(query.cardId),
    search: query.search?.trim(),
  }
  const start = asked.search === undefined ? null : await findOwnedStart(database, asked)
  const filter = { ...asked, since: start ?? asked.since }
  return toCursorPage(await listOwnedRows(database, filter, page), page.limit, (row) => ({
    ...authorizationOf(row),
    settled: row.settled,
    refunded: row.refunded,
    cardId: String(row.cardId),
    accountId: String(row.accountId),
    customerId: String(row.customerId),
    customerName: row.customerName,
  }))
}

async function getAuthorization(bank: BankParts, caller: Caller, authorizationId: string): Promise<Authorization> {
  return authorizationOf(await requireAuthorization(bank, caller, authorizationId))
}

export async function createAuthorization(
  bank: BankParts,
  write: Write<Authorization>,
  { cardId, amount, merchant }: ChargeInput,
): Promise<Answer> {
  const { organisationId } = write.caller
  const card = await findCard(bank.database, organisationId, idNumber(cardId))
  if (!card) throw new Problem('card_not_found')
  const { id, accountId } = card
  const { overdraftCents } = bank
  const order = { id: await bank.ids.next(), organisationId, accountId, cardId: id, amount, merchant, overdraftCents }
  const command = decidedWithApp(bank, write, (verdict) => ({
    write,
    accountIds: [accountId],
    reads: [cards.ids([id])],
    decide: (books) => decideAuthorization(books, { ...order, verdict }),
  }))
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

/** The command of a purchase. If an app takes part, it is made again with the app's verdict, which is asked for in between. */
function decidedWithApp<Data>(
  { database, decision }: BankParts,
  write: Write<Data>,
  commandWith: (verdict: Verdict | undefined) => Command<Data, DecisionQuestion>,
): Command<Data, DecisionQuestion> {
  if (!decision) return commandWith(null)
  return {
    ...commandWith(undefined),
    supply: async (question) => commandWith(await askApp({ database, decision }, write, question)),
  }
}

export async function settleAuthorization(
  bank: BankParts,
  write: Write<ListedTransaction>,
  { authorizationId, amount, final = true }: SettlementInput,
): Promise<Answer> {
  const row = await requireAuthorization(bank, write.caller, authorizationId)
  const { id, accountId } = row
  const transferId = await bank.ids.nextPair()
  let isOver = false
  const commandWith = (earning: Earning | undefined): Command<ListedTransaction, 'parts'> => ({
    write,
    accountIds: [accountId],
    internal: earning ? ['card_settlement', 'rewards_funding'] : ['card_settlement'],
    reads: [authorizations.ids([id]), ...(earning ? earningReads(earning, row) : [])],
    decide(books) {
      const decided = decideSettlement(books, { id, accountId, transferId, amount, final, earning }, bank)
      if (decided instanceof Needs) return decided
      isOver = decided.overSettled
      return decided.transaction
    },
    // A part that has settled meanwhile may earn only now.
    supply: async () => commandWith(await prepareEarning(bank, row, { hasParts: true })),
  })
  const command = commandWith(await prepareEarning(bank, row))
  return bank.runOnce.attempt(write, async () => {
    const answer = await bank.lane.run(command)
    if (isOver) bank.overSettled?.()
    return answer
  })
}

export async function reverseAuthorization(
  bank: BankParts,
  write: Write<Authorization>,
  authorizationId: string,
): Promise<Answer> {
  const { id, accountId } = await requireAuthorization(bank, write.caller, authorizationId)
  const command: Command<Authorization> = {
    write,
    accountIds: [accountId],
    reads: [authorizations.ids([id])],
    decide: (books) => decideReversal(books, id),
  }
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

export async function refundAuthorization(
  bank: BankParts,
  write: Write<ListedTransaction>,
  { authorizationId, amount }: RefundInput,
): Promise<Answer> {
  const { id, accountId } = await requireAuthorization(bank, write.caller, authorizationId)
  const order = { id, accountId, transferId: await bank.ids.nextPair(), amount }
  return bank.runOnce.attempt(write, async () => {
    const plan = await prepareClawBack(bank, id)
    return bank.lane.run(refundCommand(bank, write, { ...order, plan }))
  })
}

/** The command of a refund. It is made again with a new plan when a purchase settled after its plan was made. */
function refundCommand(
  bank: BankParts,
  write: Write<ListedTransaction>,
  order: RefundOrder,
): Command<ListedTransaction, 'plan'> {
  const { id, accountId, plan } = order
  return {
    write,
    accountIds: [accountId],
    internal: plan.transferIds.length > 0 ? ['card_settlement', 'rewards_funding'] : ['card_settlement'],
    reads: [authorizations.ids([id]), ...clawBackReads(plan, id)],
    decide: (books) => decideRefund(books, order, bank.routingNumber),
    supply: async () => refundCommand(bank, write, { ...order, plan: await prepareClawBack(bank, id) }),
  }
}

/** The amount of an increment or an advice, and the authorization that it concerns. */
interface AmountInput {
  authorizationId: string
  amount: number
}

export async function incrementAuthorization(
  bank: BankParts,
  write: Write<AuthorizationIncrement>,
  { authorizationId, amount }: AmountInput,
): Promise<Answer> {
  const { id, accountId, cardId } = await requireAuthorization(bank, write.caller, authorizationId)
  const order = { id, accountId, cardId, amount, overdraftCents: bank.overdraftCents }
  const command = decidedWithApp(bank, write, (verdict) => ({
    write,
    accountIds: [accountId],
    reads: [authorizations.ids([id]), cards.ids([cardId])],
    decide: (books) => decideIncrement(books, { ...order, verdict }),
  }))
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

export async function adviseAuthorization(
  bank: BankParts,
  write: Write<Authorization>,
  { authorizationId, amount }: AmountInput,
): Promise<Answer> {
  const { id, accountId } = await requireAuthorization(bank, write.caller, authorizationId)
  const command: Command<Authorization> = {
    write,
    accountIds: [accountId],
    reads: [authorizations.ids([id])],
    decide: (books) => decideAdvice(books, { id, amount }),
  }
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

async function requireAuthorization(
  { database }: BankParts,
  { organisationId }: Caller,
  authorizationId: string,
): Promise<AuthorizationRow> {
  const row = await findAuthorization(database, organisationId, idNumber(authorizationId))
  if (!row) throw new Problem('authorization_not_found')
  return row
}
