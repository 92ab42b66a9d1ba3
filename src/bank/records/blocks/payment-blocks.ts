import type { PaymentBlock } from '../../../banking/accounts/payment-block.ts'
import { byId, recordKind } from '../../../ledger/kinds.ts'
import {
  type AccountVersion,
  type BlockedAccount,
  readAccountVersions,
  storePaymentBlocks,
} from './payment-blocks.sql.ts'

interface PaymentBlockBook {
  /** Blocks the outgoing payments of an account. Returns the new version of the account. */
  block(accountId: number, block: PaymentBlock): number
  blocked: BlockedAccount[]
}

/** Blocks of outgoing payments that the lane makes. Named by the accounts, which are read with their versions. */
export const paymentBlocks = recordKind({
  name: 'payment blocks',
  read: (transaction, ids: number[]) => readAccountVersions(transaction, ids),
  open(rows: AccountVersion[], batch): PaymentBlockBook {
    const versions = byId(rows)
    const blocked: PaymentBlockBook['blocked'] = []
    return {
      block(id, block) {
        const before = versions.get(id)
        if (!before) throw new Error(`the version of account ${id} was not read`)
        batch.block(id, block)
        batch.undo.append(blocked, { id, block })
        batch.undo.replace(versions, { id, version: before.version + 1 }, before)
        return before.version + 1
      },
      blocked,
    }
  },
  writeBehind: (transaction, { blocked }) =>
    blocked.length > 0 ? storePaymentBlocks(transaction, blocked) : undefined,
})
