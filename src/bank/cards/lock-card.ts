import { idNumber } from '../../base/ids.ts'
import { Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import { type AccountRow, lockAccount } from '../accounts/accounts.sql.ts'
import { type CardRow, findCard } from './cards.sql.ts'

/** Reads a card under the lock of its account, which guards all cards of the account. */
export async function lockCard(
  transaction: Queryable,
  organisationId: number,
  cardId: string,
): Promise<{ card: CardRow; account: AccountRow }> {
  const unlocked = await findCard(transaction, organisationId, idNumber(cardId))
  if (!unlocked) throw new Problem('card_not_found')
  const account = await lockAccount(transaction, organisationId, unlocked.accountId)
  const card = await findCard(transaction, organisationId, unlocked.id)
  if (!account || !card) throw new Error('a card without its account')
  return { card, account }
}
