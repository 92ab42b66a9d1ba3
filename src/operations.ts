import { closeAccount } from './banking/accounts/close-account.ts'
import { createAccount } from './banking/accounts/create-account.ts'
import { freezeAccount } from './banking/accounts/freeze-account.ts'
import { getAccount } from './banking/accounts/get-account.ts'
import { listAccounts } from './banking/accounts/list-accounts.ts'
import { reopenAccount } from './banking/accounts/reopen-account.ts'
import { unfreezeAccount } from './banking/accounts/unfreeze-account.ts'
import { getCustomer } from './banking/customers/get-customer.ts'
import { listCustomers } from './banking/customers/list-customers.ts'
import type { Operation } from './base/operation.ts'
import { createCustomer } from './sandbox/create-customer.ts'

/**
 * Every operation of the service, one line each. Routes, validation, types, OpenAPI and the generated tests come
 * from this list.
 */
export const operations: Operation[] = [
  createAccount, // B14
  reopenAccount, // B15
  getAccount, // B16

  listAccounts,
  closeAccount,
  freezeAccount,
  unfreezeAccount,
  listCustomers,
  getCustomer,

  createCustomer,
]
