import { randomBytes } from 'node:crypto'
import type { BankingProvider } from '../../../banking/provider.ts'
import { idNumber } from '../../../base/ids.ts'
import { Problem } from '../../../base/problem.ts'
import { sha256 } from '../../../base/sha256.ts'
import type { BankParts } from '../bank-parts.ts'
import { insertVerificationToken } from './verification-tokens.sql.ts'

export function verificationTokensOf({ runOnce }: BankParts): Pick<BankingProvider, 'createVerificationToken'> {
  return {
    createVerificationToken(write, customerId) {
      const verificationToken = `prs_vt_${randomBytes(32).toString('hex')}`
      return runOnce.transaction(write, async (transaction) => {
        const inserted = await insertVerificationToken(transaction, {
          hash: sha256(verificationToken),
          organisationId: write.caller.organisationId,
          customerId: idNumber(customerId),
        })
        if (!inserted) throw new Problem('customer_not_found')
        return { verificationToken }
      })
    },
  }
}
