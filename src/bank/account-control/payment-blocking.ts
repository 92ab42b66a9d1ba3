import type { BlockPaymentsInput } from '../../banking/accounts/block-payments.ts'
import { type AccountPaymentBlock, requireBlocked } from '../../banking/accounts/payment-block.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { idNumber } from '../../base/ids.ts'
import type { Answer, Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import { emitSealed } from '../../events/event.ts'
import { lockAccount } from '../accounts/accounts.sql.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { accountBlockOf } from '../payments/payment-blocks.ts'
import { stopPaymentsOf } from '../payments/payment-stop.ts'
import { storePaymentBlocks } from '../records/blocks/payment-blocks.sql.ts'
import { keepReason } from '../screening/decision-reasons.ts'
import { bankTime } from '../time/clock.sql.ts'

export function paymentBlockingOf(bank: BankParts) {
  return {
    blockPayments: (write, input) => changeBlock(bank, write, input, 'account.paymentsBlocked'),
    releasePayments: (write, input) => changeBlock(bank, write, input, 'account.paymentsReleased'),
  } satisfies Partial<BankingProvider>
}

function changeBlock(
  { runOnce }: BankParts,
  write: Write<AccountPaymentBlock>,
  { accountId, reason }: BlockPaymentsInput,
  action: 'account.paymentsBlocked' | 'account.paymentsReleased',
): Promise<Answer> {
  const { organisationId } = write.caller
  return runOnce.transaction(write, async (transaction, events) => {
    const row = await lockAccount(transaction, organisationId, idNumber(accountId))
    if (!row) throw new Problem('account_not_found')
    const blocks = action === 'account.paymentsBlocked'
    if (!blocks) requireBlocked(row)
    const block = blocks ? { reason, since: await bankTime(transaction, organisationId) } : null
    await storePaymentBlocks(transaction, [{ id: row.id, block }])
    if (blocks) await stopPaymentsOf(transaction, events, write, row.id, 'paymentsBlocked')
    await keepReason(transaction, write, { action, recordId: row.id, subjectId: row.customerId, reason })
    return emitSealed(events, row.customerId, action, row.version + 1, accountBlockOf(row.id, block))
  })
}
