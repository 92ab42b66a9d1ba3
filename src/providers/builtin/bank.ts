import type { BankingProvider } from '../../banking/provider.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { accountsOf } from './accounts.ts'
import { applicationsOf } from './applications.ts'
import { customersOf } from './customers.ts'
import { externalAccountsOf } from './external-accounts.ts'
import type { BuiltinParts } from './parts.ts'
import { paymentsOf } from './payments.ts'
import { transactionsOf } from './transactions.ts'
import { verificationTokensOf } from './verification-tokens.ts'

/** The bank inside: everything the port asks for, and what the sandbox simulates on top. */
export interface BuiltinBank {
  bank: BankingProvider
  sandbox: Sandbox
}

export function openBuiltinBank(parts: BuiltinParts): BuiltinBank {
  const { createCustomer, ...customers } = customersOf(parts)
  const { returnPayment, ...payments } = paymentsOf(parts)
  const { receiveAch, ...transactions } = transactionsOf(parts)
  const { approveApplication, denyApplication, approveDocument, rejectDocument, ...applications } =
    applicationsOf(parts)
  return {
    bank: {
      ...accountsOf(parts),
      ...applications,
      ...customers,
      ...externalAccountsOf(parts),
      ...payments,
      ...transactions,
      ...verificationTokensOf(parts),
    },
    sandbox: {
      createCustomer,
      receiveAch,
      returnPayment,
      approveApplication,
      denyApplication,
      approveDocument,
      rejectDocument,
    },
  }
}
