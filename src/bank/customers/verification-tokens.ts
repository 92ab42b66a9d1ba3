import { randomBytes } from 'node:crypto'
import type { VerificationToken } from '../../banking/customers/verification-token.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { idNumber } from '../../base/ids.ts'
import type { Answer, Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import { sha256 } from '../../base/sha256.ts'
import { emitSealed } from '../../events/event.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { insertVerificationToken } from './verification-tokens.sql.ts'

export function verificationTokensOf(bank: BankParts): Pick<BankingProvider, 'createVerificationToken'> {
  return { createVerificationToken: (write, customerId) => createVerificationToken(bank, write, customerId) }
}

async function createVerificationToken(
  { ids, runOnce }: BankParts,
  write: Write<VerificationToken>,
  customerId: string,
): Promise<Answer> {
  const id = await ids.next()
  const verificationToken = `prs_vt_${randomBytes(32).toString('hex')}`
  return runOnce.transaction(write, async (transaction, events) => {
    const row = await insertVerificationToken(transaction, {
      id,
      hash: sha256(verificationToken),
      organisationId: write.caller.organisationId,
      customerId: idNumber(customerId),
    })
    if (!row) throw new Problem('customer_not_found')
    // The event names the token by its id: the token itself is shown to its caller alone.
    const { createdAt, expiresAt } = row
    const shown = { id: String(row.id), customerId: String(row.customerId), createdAt, expiresAt }
    emitSealed(events, row.customerId, 'verificationToken.created', 1, shown)
    return { verificationToken }
  })
}
