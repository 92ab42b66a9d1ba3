import { idNumber } from '../../base/ids.ts'
import type { Answer, Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import { type Books, type Command, type Needs, needs } from '../../ledger/books.ts'
import type { MerchantFacts } from '../../rewards/purchases.ts'
import type { CreateRewardableTransactionInput } from '../../rewards/records/create-rewardable-transaction.ts'
import type { RewardableTransaction } from '../../rewards/records/rewardable-transaction.ts'
import { type AuthorizationRow, findAuthorization } from '../cards/authorizations.sql.ts'
import { findCard } from '../cards/cards.sql.ts'
import { findSettlement } from '../earning/earning.sql.ts'
import { type Earning, earn, earningReads, lacksParts, prepareEarning } from '../earning/earning.ts'
import { rewardableTransactionOf } from '../earning/reward-view.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { authorizations } from '../records/cards.ts'
import { purchases } from '../records/purchases.ts'
import type { LedgerPurchase } from '../records/records.ts'

/** A settlement that was made before its card was linked, or that the bank has recorded as a purchase already. */
interface HandedIn {
  authorization: AuthorizationRow
  bankTransactionId: string
  amount: number
  merchant: MerchantFacts | undefined
}

/**
 * Records an earlier settlement as a purchase, or returns the purchase that is already recorded. The look-ups run inside
 * `runOnce`, so a repeated request returns the stored response even if the card was unlinked since.
 */
export function createRewardableTransaction(
  parts: BankParts,
  write: Write<RewardableTransaction>,
  input: CreateRewardableTransactionInput,
): Promise<Answer> {
  return parts.runOnce.attempt(write, async () => {
    const handedIn = await requireSettlement(parts, write.caller.organisationId, input)
    return parts.lane.run(await commandOf(parts, write, handedIn))
  })
}

/** The command is made again if a part of the purchase settled meanwhile that earns only now. */
async function commandOf(
  parts: BankParts,
  write: Write<RewardableTransaction>,
  handedIn: HandedIn,
): Promise<Command<RewardableTransaction, 'parts'>> {
  const { authorization, merchant } = handedIn
  const earning = await prepareEarning(parts, authorization, { merchant })
  if (!earning) throw new Problem('card_not_linked')
  return {
    write,
    accountIds: [authorization.accountId],
    internal: ['rewards_funding'],
    reads: [authorizations.ids([authorization.id]), ...earningReads(earning, authorization)],
    decide: (books) => decideHandedIn(books, earning, handedIn, parts),
    supply: () => commandOf(parts, write, handedIn),
  }
}

async function requireSettlement(
  { database }: BankParts,
  organisationId: number,
  { bankCardId, bankTransactionId, merchant }: CreateRewardableTransactionInput,
): Promise<HandedIn> {
  const card = await findCard(database, organisationId, idNumber(bankCardId))
  if (!card) throw new Problem('card_not_found')
  const settlement = await findSettlement(database, organisationId, idNumber(bankTransactionId))
  const authorization = settlement && (await findAuthorization(database, organisationId, settlement.authorizationId))
  if (authorization?.cardId !== card.id) throw new Problem('transaction_not_found')
  return { authorization, bankTransactionId, amount: settlement?.amount ?? 0, merchant }
}

function decideHandedIn(
  books: Books,
  earning: Earning,
  { authorization: { id }, bankTransactionId, amount }: HandedIn,
  settings: Pick<BankParts, 'payoutDelayMs' | 'routingNumber'>,
): RewardableTransaction | Needs<'parts'> {
  const authorization = books.of(authorizations).get(id)
  if (!authorization) throw new Problem('transaction_not_found')
  const made = books.of(purchases).of(id)
  const recorded = made.find((purchase) => purchase.bankTransactionId === bankTransactionId)
  if (recorded) return rewardableTransactionOf(recorded)
  const refunded = Math.min(amount, untakenRefund(authorization.refunded, made))
  if (lacksParts(books, earning, id, amount - refunded)) return needs('parts')
  const purchase = earn(books, earning, { authorization, bankTransactionId, amount, refunded }, settings)
  if (!purchase) throw new Problem('card_not_linked')
  return rewardableTransactionOf(purchase)
}

/** The part of an authorization's refunds that no purchase has taken yet: each cent is taken off once. */
function untakenRefund(refunded: number, purchases: Pick<LedgerPurchase, 'refunded'>[]): number {
  return purchases.reduce((left, purchase) => left - purchase.refunded, refunded)
}
