import type { KeyHolder } from '../access/authenticate-key.ts'
import type { Application } from '../banking/applications/application.ts'
import type { Document } from '../banking/applications/document.ts'
import type { Authorization } from '../banking/authorizations/authorization.ts'
import type { ChargeInput, RefundInput, SettlementInput } from '../banking/authorizations/charge.ts'
import type { Customer } from '../banking/customers/customer.ts'
import type { Payment } from '../banking/payments/payment.ts'
import type { Statement } from '../banking/statements/statement.ts'
import type { ListedTransaction } from '../banking/transactions/transaction.ts'
import { type Answer, type Caller, operationsOver, type Write } from '../base/operation.ts'
import type { SandboxAchFiles } from './ach-files/ach-file.ts'
import type { AdvanceClockInput, ClockAdvance } from './advance-clock.ts'
import type { CreateCustomerInput } from './create-customer.ts'
import type { CreateOrganisationInput } from './create-organisation.ts'
import type { CreateScenarioInput, Scenario } from './create-scenario.ts'
import type { CreateStatementInput } from './create-statement.ts'
import type { SandboxFaults } from './faults/fault-rule.ts'
import type { Clock } from './get-clock.ts'
import type { MicroEntries } from './get-micro-entries.ts'
import type { CreatedOrganisation, SandboxOrganisation, StartingClock } from './organisation.ts'
import type { ReceiveAchInput } from './receive-ach.ts'
import type { ReturnPaymentInput } from './return-payment.ts'
import type { ReviewInput } from './review.ts'

/** The organisations that requests make, reset and delete. */
export interface SandboxOrganisations {
  createOrganisation(
    write: Write<CreatedOrganisation>,
    holder: KeyHolder,
    input: CreateOrganisationInput,
  ): Promise<Answer>
  deleteOrganisation(write: Write<null>, holder: KeyHolder): Promise<Answer>
  resetOrganisation(write: Write<SandboxOrganisation>, holder: KeyHolder, clock: StartingClock): Promise<Answer>
}

/** The simulations of the sandbox: one method for each operation, under the operation's id. */
export interface Simulations extends SandboxAchFiles {
  createCustomer(write: Write<Customer>, input: CreateCustomerInput): Promise<Answer>
  createAuthorization(write: Write<Authorization>, input: ChargeInput): Promise<Answer>
  settleAuthorization(write: Write<ListedTransaction>, input: SettlementInput): Promise<Answer>
  reverseAuthorization(write: Write<Authorization>, authorizationId: string): Promise<Answer>
  refundAuthorization(write: Write<ListedTransaction>, input: RefundInput): Promise<Answer>
  getClock(caller: Caller): Promise<Clock>
  advanceClock(write: Write<ClockAdvance>, input: AdvanceClockInput): Promise<Answer>
  createScenario(write: Write<Scenario>, input: CreateScenarioInput): Promise<Answer>
  receiveAch(write: Write<ListedTransaction>, input: ReceiveAchInput): Promise<Answer>
  getMicroEntries(caller: Caller, externalAccountId: string): Promise<MicroEntries>
  returnPayment(write: Write<Payment>, input: ReturnPaymentInput): Promise<Answer>
  createStatement(write: Write<Statement>, input: CreateStatementInput): Promise<Answer>
  approveApplication(write: Write<Application>, applicationId: string): Promise<Answer>
  denyApplication(write: Write<Application>, applicationId: string): Promise<Answer>
  approveDocument(write: Write<Document>, input: ReviewInput): Promise<Answer>
  rejectDocument(write: Write<Document>, input: ReviewInput): Promise<Answer>
}

export type Sandbox = Simulations & SandboxOrganisations & SandboxFaults

export const { read: sandboxRead, write: sandboxWrite } = operationsOver<{ sandbox: Sandbox; holder: KeyHolder }>(
  'sandbox',
  'sandbox:write',
)
