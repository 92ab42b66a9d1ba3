import type { BankingProvider } from '../../banking/provider.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { accountsOf } from './accounts.ts'
import { customersOf } from './customers.ts'
import type { BuiltinParts } from './parts.ts'

/** The bank inside: everything the port asks for, and what the sandbox simulates on top. */
export interface BuiltinBank {
  bank: BankingProvider
  sandbox: Sandbox
}

export function openBuiltinBank(parts: BuiltinParts): BuiltinBank {
  const { createCustomer, ...customers } = customersOf(parts)
  return { bank: { ...accountsOf(parts), ...customers }, sandbox: { createCustomer } }
}
