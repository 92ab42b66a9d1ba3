import { type Answer, type Caller, operationsOver, type Write } from '../base/operation.ts'
import type { Page } from '../base/page.ts'
import type { DepositAccount } from './accounts/account.ts'
import type { CloseAccountInput } from './accounts/close-account.ts'
import type { CreateAccountInput } from './accounts/create-account.ts'
import type { ListAccountsQuery } from './accounts/list-accounts.ts'
import type { Customer } from './customers/customer.ts'
import type { ListCustomersQuery } from './customers/list-customers.ts'

/**
 * What can stand behind the banking area: one method an operation, under its id. The interface's operations are
 * required; an extension that a provider lacks answers 501 and is left out of the OpenAPI document.
 */
export interface BankingProvider {
  createAccount(write: Write<DepositAccount>, input: CreateAccountInput): Promise<Answer>
  reopenAccount(write: Write<DepositAccount>, accountId: string): Promise<Answer>
  getAccount(caller: Caller, accountId: string): Promise<DepositAccount>

  listAccounts?(caller: Caller, query: ListAccountsQuery): Promise<Page<DepositAccount>>
  closeAccount?(write: Write<DepositAccount>, input: CloseAccountInput): Promise<Answer>
  freezeAccount?(write: Write<DepositAccount>, accountId: string): Promise<Answer>
  unfreezeAccount?(write: Write<DepositAccount>, accountId: string): Promise<Answer>
  listCustomers?(caller: Caller, query: ListCustomersQuery): Promise<Page<Customer>>
  getCustomer?(caller: Caller, customerId: string): Promise<Customer>
}

/** The provider as an operation sees it: the server has checked that the method is there before it calls `run`. */
export interface BankingParts {
  bank: Required<BankingProvider>
}

export const { read: bankingRead, write: bankingWrite } = operationsOver<BankingParts>()
