import { accountStatusAfter, type DepositAccount } from '../../banking/accounts/account.ts'
import type { CloseAccountInput } from '../../banking/accounts/close-account.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { idNumber } from '../../base/ids.ts'
import type { Answer, Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import { type EventSink, type EventType, emitSealed } from '../../events/event.ts'
import { lockAccount, updateAccountStatus } from '../accounts/accounts.sql.ts'
import { depositAccount } from '../accounts/accounts.ts'
import { closeCardsOf } from '../cards/cards.sql.ts'
import { emitCard } from '../cards/cards.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { stopPaymentsOf } from '../payments/payment-stop.ts'
import { moveBalance, requireEmpty } from './closing-transfer.ts'

type StatusChange = 'closeAccount' | 'reopenAccount' | 'freezeAccount' | 'unfreezeAccount'

const eventOf: Record<StatusChange, EventType> = {
  closeAccount: 'account.closed',
  reopenAccount: 'account.reopened',
  freezeAccount: 'account.frozen',
  unfreezeAccount: 'account.unfrozen',
}

export function accountStatusOf(bank: BankParts): Required<Pick<BankingProvider, StatusChange>> {
  return {
    closeAccount: (write, input) => closeAccount(bank, write, input),
    reopenAccount: (write, accountId) => changeStatus(bank, write, accountId, 'reopenAccount'),
    freezeAccount: (write, accountId) => changeStatus(bank, write, accountId, 'freezeAccount'),
    unfreezeAccount: (write, accountId) => changeStatus(bank, write, accountId, 'unfreezeAccount'),
  }
}

/** Closes an account. Its balance goes to the account in `closeTo`, before the account is closed. */
async function closeAccount(
  bank: BankParts,
  write: Write<DepositAccount>,
  { accountId, reason, closeTo }: CloseAccountInput,
): Promise<Answer> {
  const { organisationId } = write.caller
  const { ids, routingNumber } = bank
  const order = closeTo !== undefined && {
    ...{ organisationId, accountId: idNumber(accountId), closeTo: idNumber(closeTo), routingNumber },
    ...{ paymentId: await ids.next(), transferId: await ids.nextPair() },
  }
  return bank.runOnce.transaction(write, async (transaction, events) => {
    if (order) await moveBalance(transaction, events, write, order)
    return changeIn(bank, transaction, events, { write, accountId, operationId: 'closeAccount', closeReason: reason })
  })
}

function changeStatus(
  bank: BankParts,
  write: Write<DepositAccount>,
  accountId: string,
  operationId: StatusChange,
): Promise<Answer> {
  return bank.runOnce.transaction(write, (transaction, events) =>
    changeIn(bank, transaction, events, { write, accountId, operationId, closeReason: null }),
  )
}

interface Change {
  write: Write<DepositAccount>
  accountId: string
  operationId: StatusChange
  closeReason: string | null
}

/**
 * Changes the status of an account. Closing an account also ends its cards; a live bank closes only an empty one. A freeze stops the
 * payments that have not left.
 */
async function changeIn(
  { mode, routingNumber }: BankParts,
  transaction: Queryable,
  events: EventSink,
  { write, accountId, operationId, closeReason }: Change,
): Promise<DepositAccount> {
  const row = await lockAccount(transaction, write.caller.organisationId, idNumber(accountId))
  if (!row) throw new Problem('account_not_found')
  const { decidesRisk = false } = write.caller
  const status = accountStatusAfter(operationId, { ...row, decidesRisk })
  if (status === 'Closed' && mode === 'live') requireEmpty(row)
  // A closure by the bank keeps the mark: the app must not open the account by reopening it.
  const stoppedByBank = status === 'Frozen' ? decidesRisk : status === 'Closed' && row.stoppedByBank
  const changed = await updateAccountStatus(transaction, row.id, { status, closeReason, stoppedByBank })
  const account = depositAccount(changed, routingNumber)
  const shown = emitSealed(events, row.customerId, eventOf[operationId], changed.version, account)
  if (status === 'Frozen') await stopPaymentsOf(transaction, events, write, row.id, 'accountFrozen')
  const ended = status === 'Closed' ? await closeCardsOf(transaction, row.id) : []
  for (const card of ended) emitCard(events, 'card.statusChanged', card)
  return shown
}
