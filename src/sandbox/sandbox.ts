import type { Application } from '../banking/applications/application.ts'
import type { Document } from '../banking/applications/document.ts'
import type { Customer } from '../banking/customers/customer.ts'
import type { Payment } from '../banking/payments/payment.ts'
import type { ListedTransaction } from '../banking/transactions/transaction.ts'
import { type Answer, operationsOver, type Write } from '../base/operation.ts'
import type { CreateCustomerInput } from './create-customer.ts'
import type { ReceiveAchInput } from './receive-ach.ts'
import type { ReturnPaymentInput } from './return-payment.ts'
import type { ReviewInput } from './review.ts'

/** What the built-in bank lets a sandbox simulate: one method an operation, under its id. */
export interface Sandbox {
  createCustomer(write: Write<Customer>, input: CreateCustomerInput): Promise<Answer>
  receiveAch(write: Write<ListedTransaction>, input: ReceiveAchInput): Promise<Answer>
  returnPayment(write: Write<Payment>, input: ReturnPaymentInput): Promise<Answer>
  approveApplication(write: Write<Application>, applicationId: string): Promise<Answer>
  denyApplication(write: Write<Application>, applicationId: string): Promise<Answer>
  approveDocument(write: Write<Document>, input: ReviewInput): Promise<Answer>
  rejectDocument(write: Write<Document>, input: ReviewInput): Promise<Answer>
}

export const { write: sandboxWrite } = operationsOver<{ sandbox: Sandbox }>()
