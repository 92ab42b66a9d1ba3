import type { Customer } from '../banking/customers/customer.ts'
import { type Answer, operationsOver, type Write } from '../base/operation.ts'
import type { CreateCustomerInput } from './create-customer.ts'

/** What the built-in bank lets a sandbox simulate: one method an operation, under its id. */
export interface Sandbox {
  createCustomer(write: Write<Customer>, input: CreateCustomerInput): Promise<Answer>
}

export const { read: sandboxRead, write: sandboxWrite } = operationsOver<{ sandbox: Sandbox }>()
