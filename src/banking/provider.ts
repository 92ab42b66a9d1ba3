import {
  type Answer,
  type BatchOrder,
  type Caller,
  type JsonText,
  operationsOver,
  type Write,
} from '../base/operation.ts'
import type { Page } from '../base/page.ts'
import type { AccountHold } from './account-holds/account-hold.ts'
import type { CreateAccountHoldInput } from './account-holds/create-account-hold.ts'
import type { ListAccountHoldsQuery } from './account-holds/list-account-holds.ts'
import type { DepositAccount } from './accounts/account.ts'
import type { AccountLimits } from './accounts/account-limits.ts'
import type { BlockPaymentsInput } from './accounts/block-payments.ts'
import type { CloseAccountInput } from './accounts/close-account.ts'
import type { CreateAccountInput } from './accounts/create-account.ts'
import type { ListAccountsQuery } from './accounts/list-accounts.ts'
import type { AccountPaymentBlock } from './accounts/payment-block.ts'
import type { SetAccountLimitsInput } from './accounts/set-account-limits.ts'
import type { AchBatch, AchEntry } from './ach/ach-batch.ts'
import type { AchReconciliation } from './ach/get-ach-reconciliation.ts'
import type { ListAchBatchesQuery } from './ach/list-ach-batches.ts'
import type { ListAchEntriesQuery } from './ach/list-ach-entries.ts'
import type { ReturnRates } from './ach/return-rates.ts'
import type { Application, ListedApplication } from './applications/application.ts'
import type { CreateApplicationInput } from './applications/create-application.ts'
import type { Document, UploadDocumentInput } from './applications/document.ts'
import type { ListApplicationsQuery } from './applications/list-applications.ts'
import type { Authorization } from './authorizations/authorization.ts'
import type { ListAllAuthorizationsQuery, OwnedAuthorization } from './authorizations/list-all-authorizations.ts'
import type { ListAuthorizationsQuery } from './authorizations/list-authorizations.ts'
import type { Card, ListedCard } from './cards/card.ts'
import type { CardLimits } from './cards/card-limits.ts'
import type { CreateCardInput } from './cards/create-card.ts'
import type { ListCardsQuery } from './cards/list-cards.ts'
import type { ReplaceCardInput } from './cards/replace-card.ts'
import type { SetCardLimitsInput } from './cards/set-card-limits.ts'
import type { Customer } from './customers/customer.ts'
import type { ListCustomersQuery } from './customers/list-customers.ts'
import type { VerificationToken } from './customers/verification-token.ts'
import type { AttestExternalAccountInput } from './external-accounts/attest-external-account.ts'
import type { ConfirmVerificationInput } from './external-accounts/confirm-verification.ts'
import type { CreateExternalAccountInput } from './external-accounts/create-external-account.ts'
import type { ExternalAccount } from './external-accounts/external-account.ts'
import type { GiveMandateInput } from './external-accounts/give-mandate.ts'
import type { ListExternalAccountsQuery } from './external-accounts/list-external-accounts.ts'
import type { StartVerificationInput } from './external-accounts/start-verification.ts'
import type { UpdateExternalAccountInput } from './external-accounts/update-external-account.ts'
import type { CreateBookTransferInput } from './payments/create-book-transfer.ts'
import type { CreatePaymentInput } from './payments/create-payment.ts'
import type { ListPaymentsQuery } from './payments/list-payments.ts'
import type { ListedPayment, Payment } from './payments/payment.ts'
import type { ReceivedPayment } from './payments/received-payment.ts'
import type { ReversalInput } from './payments/reverse-payment.ts'
import type { ListReceivedPaymentsQuery } from './received-payments/list-received-payments.ts'
import type { ReturnReceivedPaymentInput } from './received-payments/return-received-payment.ts'
import type { ChangeRecurringPaymentInput } from './recurring-payments/change-recurring-payment.ts'
import type { CreateRecurringPaymentInput } from './recurring-payments/create-recurring-payment.ts'
import type { ListPlannedPaymentsQuery } from './recurring-payments/list-planned-payments.ts'
import type { ListRecurringPaymentRunsQuery } from './recurring-payments/list-recurring-payment-runs.ts'
import type { ListRecurringPaymentsQuery } from './recurring-payments/list-recurring-payments.ts'
import type { PlannedPayment, RecurringPayment, RecurringPaymentRun } from './recurring-payments/recurring-payment.ts'
import type { SkipRecurringPaymentInput } from './recurring-payments/skip-recurring-payment.ts'
import type { ListStatementsQuery } from './statements/list-statements.ts'
import type { Statement, StatementHtml } from './statements/statement.ts'
import type { ListTransactionsQuery } from './transactions/list-transactions.ts'
import type { ListedTransaction, Transaction } from './transactions/transaction.ts'

/**
 * The port of the banking area: one method for each operation, under the operation's id. The operations of the interface
 * are required. An extension that a provider lacks answers 501 and is not in the OpenAPI document.
 */
export interface BankingProvider {
  createVerificationToken(write: Write<VerificationToken>, customerId: string): Promise<Answer>
  listAuthorizations(caller: Caller, query: ListAuthorizationsQuery): Promise<Page<Authorization>>
  getTransaction(caller: Caller, input: { transactionId: string; accountId: string }): Promise<Transaction>
  listTransactions(caller: Caller, query: ListTransactionsQuery): Promise<Page<ListedTransaction>>
  createCard(write: Write<Card>, input: CreateCardInput): Promise<Answer>
  replaceCard(write: Write<Card>, input: ReplaceCardInput): Promise<Answer>
  listCards(caller: Caller, query: ListCardsQuery): Promise<Page<ListedCard>>
  createPayment(write: Write<Payment>, input: CreatePaymentInput): Promise<Answer>
  getPayment(caller: Caller, paymentId: string): Promise<Payment>
  listPayments(caller: Caller, query: ListPaymentsQuery): Promise<Page<ListedPayment>>
  createExternalAccount(write: Write<ExternalAccount>, input: CreateExternalAccountInput): Promise<Answer>
  listExternalAccounts(caller: Caller, query: ListExternalAccountsQuery): Promise<Page<ExternalAccount>>
  listStatements(caller: Caller, query: ListStatementsQuery): Promise<Page<Statement>>
  createAccount(write: Write<DepositAccount>, input: CreateAccountInput): Promise<Answer>
  reopenAccount(write: Write<DepositAccount>, accountId: string): Promise<Answer>
  getAccount(caller: Caller, accountId: string): Promise<DepositAccount | JsonText<DepositAccount>>
  uploadDocumentBack(write: Write<Document>, input: UploadDocumentInput): Promise<Answer>

  listAccounts?(caller: Caller, query: ListAccountsQuery): Promise<Page<DepositAccount>>
  closeAccount?(write: Write<DepositAccount>, input: CloseAccountInput): Promise<Answer>
  getAccountLimits?(caller: Caller, accountId: string): Promise<AccountLimits>
  setAccountLimits?(write: Write<AccountLimits>, input: SetAccountLimitsInput): Promise<Answer>
  createAccountHold?(write: Write<AccountHold>, input: CreateAccountHoldInput): Promise<Answer>
  listAccountHolds?(caller: Caller, query: ListAccountHoldsQuery): Promise<Page<AccountHold>>
  getAccountHold?(caller: Caller, ids: { accountId: string; holdId: string }): Promise<AccountHold>
  releaseAccountHold?(write: Write<AccountHold>, ids: { accountId: string; holdId: string }): Promise<Answer>
  freezeAccount?(write: Write<DepositAccount>, accountId: string): Promise<Answer>
  unfreezeAccount?(write: Write<DepositAccount>, accountId: string): Promise<Answer>
  retryPayment?(write: Write<Payment>, paymentId: string): Promise<Answer>
  reversePayment?(write: Write<Payment>, input: ReversalInput & { paymentId: string }): Promise<Answer>
  blockPayments?(write: Write<AccountPaymentBlock>, input: BlockPaymentsInput): Promise<Answer>
  releasePayments?(write: Write<AccountPaymentBlock>, input: BlockPaymentsInput): Promise<Answer>
  getCard?(caller: Caller, cardId: string): Promise<Card>
  getCardLimits?(caller: Caller, cardId: string): Promise<CardLimits>
  setCardLimits?(write: Write<CardLimits>, input: SetCardLimitsInput): Promise<Answer>
  activateCard?(write: Write<Card>, cardId: string): Promise<Answer>
  freezeCard?(write: Write<Card>, cardId: string): Promise<Answer>
  unfreezeCard?(write: Write<Card>, cardId: string): Promise<Answer>
  closeCard?(write: Write<Card>, cardId: string): Promise<Answer>
  reportLostCard?(write: Write<Card>, cardId: string): Promise<Answer>
  reportStolenCard?(write: Write<Card>, cardId: string): Promise<Answer>
  listAllAuthorizations?(caller: Caller, query: ListAllAuthorizationsQuery): Promise<Page<OwnedAuthorization>>
  getAuthorization?(caller: Caller, authorizationId: string): Promise<Authorization>
  listCustomers?(caller: Caller, query: ListCustomersQuery): Promise<Page<Customer>>
  listReceivedPayments?(caller: Caller, query: ListReceivedPaymentsQuery): Promise<Page<ReceivedPayment>>
  getReceivedPayment?(caller: Caller, receivedPaymentId: string): Promise<ReceivedPayment>
  returnReceivedPayment?(write: Write<ReceivedPayment>, input: ReturnReceivedPaymentInput): Promise<Answer>
  listAchBatches?(caller: Caller, query: ListAchBatchesQuery): Promise<Page<AchBatch>>
  getAchBatch?(caller: Caller, achBatchId: string): Promise<AchBatch>
  listAchEntries?(caller: Caller, input: ListAchEntriesQuery & { achBatchId: string }): Promise<Page<AchEntry>>
  getReturnRates?(caller: Caller): Promise<ReturnRates>
  getAchReconciliation?(caller: Caller, date: string): Promise<AchReconciliation>
  createBookTransfer?(write: Write<Payment>, input: CreateBookTransferInput): Promise<Answer>
  createPaymentBatch?(orders: BatchOrder<CreatePaymentInput, Payment>[]): Promise<PromiseSettledResult<Answer>[]>
  cancelPayment?(write: Write<Payment>, paymentId: string): Promise<Answer>
  createRecurringPayment?(write: Write<RecurringPayment>, input: CreateRecurringPaymentInput): Promise<Answer>
  getRecurringPayment?(caller: Caller, recurringPaymentId: string): Promise<RecurringPayment>
  listRecurringPayments?(caller: Caller, query: ListRecurringPaymentsQuery): Promise<Page<RecurringPayment>>
  pauseRecurringPayment?(write: Write<RecurringPayment>, recurringPaymentId: string): Promise<Answer>
  resumeRecurringPayment?(write: Write<RecurringPayment>, recurringPaymentId: string): Promise<Answer>
  skipRecurringPayment?(write: Write<RecurringPayment>, input: SkipRecurringPaymentInput): Promise<Answer>
  changeRecurringPayment?(write: Write<RecurringPayment>, input: ChangeRecurringPaymentInput): Promise<Answer>
  cancelRecurringPayment?(write: Write<RecurringPayment>, recurringPaymentId: string): Promise<Answer>
  listRecurringPaymentRuns?(caller: Caller, query: ListRecurringPaymentRunsQuery): Promise<Page<RecurringPaymentRun>>
  listPlannedPayments?(caller: Caller, query: ListPlannedPaymentsQuery): Promise<Page<PlannedPayment>>
  updateExternalAccount?(write: Write<ExternalAccount>, input: UpdateExternalAccountInput): Promise<Answer>
  deleteExternalAccount?(write: Write<null>, externalAccountId: string): Promise<Answer>
  giveMandate?(write: Write<ExternalAccount>, input: GiveMandateInput): Promise<Answer>
  revokeMandate?(write: Write<ExternalAccount>, externalAccountId: string): Promise<Answer>
  startVerification?(write: Write<ExternalAccount>, input: StartVerificationInput): Promise<Answer>
  confirmVerification?(write: Write<ExternalAccount>, input: ConfirmVerificationInput): Promise<Answer>
  attestExternalAccount?(write: Write<ExternalAccount>, input: AttestExternalAccountInput): Promise<Answer>
  createApplication?(write: Write<Application>, input: CreateApplicationInput): Promise<Answer>
  listApplications?(caller: Caller, query: ListApplicationsQuery): Promise<Page<ListedApplication>>
  getApplication?(caller: Caller, applicationId: string): Promise<Application>
  uploadDocumentFront?(write: Write<Document>, input: UploadDocumentInput): Promise<Answer>
  getCustomer?(caller: Caller, customerId: string): Promise<Customer>
  getStatement?(
    caller: Caller,
    input: { statementId: string; format: 'html' | undefined },
  ): Promise<Statement | StatementHtml>
  getStatementPdf?(caller: Caller, statementId: string): Promise<Buffer>
}

/** The parts that a banking operation receives. `run` is called only if the provider implements the operation's method. */
export interface BankingParts {
  bank: Required<BankingProvider>
}

export const {
  read: bankingRead,
  write: bankingWrite,
  batch: bankingBatch,
} = operationsOver<BankingParts>('banking', 'banking:read', 'banking:write')
