import type { BankingProvider } from '../../banking/provider.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { accountsOf } from './accounts.ts'
import { customersOf } from './customers.ts'
import { externalAccountsOf } from './external-accounts.ts'
import type { BuiltinParts } from './parts.ts'
import { paymentsOf } from './payments.ts'
import { type MonthTurns, statementsOf } from './statements.ts'
import { transactionsOf } from './transactions.ts'

/** The bank inside: everything the port asks for, and what the sandbox simulates on top. */
export interface BuiltinBank {
  bank: BankingProvider
  sandbox: Sandbox
  monthTurns: MonthTurns
}

export function openBuiltinBank(parts: BuiltinParts): BuiltinBank {
  const { createCustomer, ...customers } = customersOf(parts)
  const { returnPayment, ...payments } = paymentsOf(parts)
  const { receiveAch, ...transactions } = transactionsOf(parts)
  const { createStatement, nextMonthTurn, turnMonth, finishTurn, ...statements } = statementsOf(parts, transactions)
  return {
    bank: {
      ...accountsOf(parts),
      ...customers,
      ...externalAccountsOf(parts),
      ...payments,
      ...transactions,
      ...statements,
    },
    sandbox: { createCustomer, receiveAch, returnPayment, createStatement },
    monthTurns: { nextMonthTurn, turnMonth, finishTurn },
  }
}
