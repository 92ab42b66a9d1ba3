// Generated from the operations by `npm run client`. Do not edit.

import type { List } from '../list.ts'
import type { Result } from '../purser.ts'
import type { CallOptions } from '../transport.ts'
import type { AccountHold, AccountLimits, AccountPaymentBlock, AchBatch, AchEntry, AchFile, AchReconciliation, ActivateOfferRequest, AdvanceClockRequest, AdviseAuthorizationRequest, ApiKey, Application, ApproveDocumentRequest, ApproveExternalAccountRequest, ApprovePaymentRequest, ApproveProposalRequest, ApproveReviewApplicationRequest, ApproveReviewDocumentRequest, AttentionItem, AttestExternalAccountRequest, AttributionCount, AuditEntry, AuditLogHead, Authorization, AuthorizationIncrement, BankStatementFile, BatchOutcome, BlockPaymentsRequest, Campaign, CampaignOffer, Card, CardLimits, ChangeRecurringPaymentRequest, Clock, ClockAdvance, CloseAccountRequest, ClosingDay, ClosingDayDetails, ConfirmVerificationRequest, CreateAccountHoldRequest, CreateAccountRequest, CreateApiKeyRequest, CreateApplicationRequest, CreateAttributionsRequest, CreateAuthorizationRequest, CreateBookTransferRequest, CreateCampaignOfferRequest, CreateCampaignRequest, CreateCardRequest, CreateCustomerRequest, CreateExternalAccountRequest, CreateFaultRuleRequest, CreateOrganisationRequest, CreatePartnerUserCardRequest, CreatePartnerUserRequest, CreatePaymentBatchRequest, CreatePaymentRequest, CreateProcessorAuthorizationRequest, CreateRecurringPaymentRequest, CreateRewardableTransactionRequest, CreateScenarioRequest, CreateStatementRequest, CreateWebhookEndpointRequest, CreatedOrganisation, Customer, DailyReconciliation, DayCertificate, DecideSettlementItemRequest, Delivery, DeliveryDetail, DeliveryVerdict, DenyReviewApplicationRequest, DepositAccount, Document, Event, EventTypeInfo, ExportListQuery, ExternalAccount, FaultRule, GetAchReconciliationQuery, GetDailyReconciliationQuery, GetReviewDocumentContentQuery, GetStatementQuery, GetTransactionQuery, GiveMandateRequest, HistoryStep, IncrementAuthorizationRequest, IssuedApiKey, LedgerAccount, LedgerBalance, LedgerFlow, LedgerPosition, LedgerTransfer, LedgerVerification, ListAccountHoldsQuery, ListAccountsQuery, ListAchBatchesQuery, ListAchEntriesQuery, ListAchFilesQuery, ListActivationsQuery, ListAllAuthorizationsQuery, ListAllDeliveriesQuery, ListApiKeysQuery, ListApplicationsQuery, ListAuditLogQuery, ListAuthorizationsQuery, ListBankStatementsQuery, ListCampaignOffersQuery, ListCampaignsQuery, ListCardsQuery, ListClosingDaysQuery, ListCustomersQuery, ListDeliveriesQuery, ListEventsQuery, ListExternalAccountsQuery, ListFaultRulesQuery, ListHistoryQuery, ListLedgerAccountsQuery, ListLedgerBalancesQuery, ListLedgerFlowsQuery, ListLedgerTransfersQuery, ListLocalOffersQuery, ListMerchantBillsQuery, ListNationalOffersQuery, ListOfferFunnelQuery, ListOverSettlementsQuery, ListPartnerUserCardsQuery, ListPartnerUserOffersQuery, ListPartnerUsersQuery, ListPaymentsQuery, ListPlannedPaymentsQuery, ListProcessorCardsQuery, ListProposalsQuery, ListReceivedPaymentsQuery, ListRecurringPaymentRunsQuery, ListRecurringPaymentsQuery, ListRequestsQuery, ListReviewApplicationsQuery, ListReviewExternalAccountsQuery, ListReviewPaymentsQuery, ListRewardPaymentsQuery, ListRewardableTransactionsQuery, ListRewardsQuery, ListSettlementItemsQuery, ListStatementsQuery, ListTransactionsQuery, ListWebhookEndpointsQuery, ListedApplication, ListedCard, ListedPayment, ListedTransaction, LocalOffers, LoggedRequest, LoggedRequestDetail, LookUpIdQuery, LookedUp, Me, MerchantBill, MicroEntries, NationalOffers, OfferActivation, OfferFunnel, OrganisationImport, OverSettlement, OwnedAuthorization, PartnerUser, PartnerUserCard, Payment, PermitExportRequest, PermitPersonRightsRequest, PermitRailResumeRequest, PlannedPayment, ProcessorCard, Proposal, PurchaseExplanation, ReceiveAchRequest, ReceivedPayment, RecoverWebhookEndpointRequest, RecurringPayment, RecurringPaymentRun, RefundAuthorizationRequest, RefundProcessorAuthorizationRequest, RejectDocumentRequest, RejectExternalAccountRequest, RejectPaymentRequest, RejectProposalRequest, RejectReviewDocumentRequest, ReleasePaymentsRequest, ReopenDayRequest, ReplaceCardRequest, RequestReviewDocumentRequest, ResetOrganisationRequest, ResolveOverSettlementRequest, ReturnPaymentRequest, ReturnRates, ReturnReceivedPaymentRequest, ReversePaymentRequest, ReverseProcessorAuthorizationRequest, ReviewApplication, ReviewPayment, Reward, RewardExplanation, RewardPayment, RewardableTransaction, RotateApiKeyRequest, SandboxOrganisation, Scenario, SearchQuery, SearchResult, SetAccountLimitsRequest, SetCardLimitsRequest, SetCardReferenceRequest, SettleAuthorizationRequest, SettleProcessorAuthorizationRequest, SettlementItem, SkipRecurringPaymentRequest, StartVerificationRequest, Statement, StatementHtml, StatementIntake, StopPaymentRequest, TaggedPartnerUser, TakeBankStatementRequest, Transaction, UpdateCampaignOfferRequest, UpdateCampaignRequest, UpdateExternalAccountRequest, UpdatePartnerUserCardRequest, UpdatePartnerUserRequest, UpdateWebhookEndpointRequest, UploadDocumentBackRequest, UploadDocumentFrontRequest, UserOffer, VerificationToken, VerifyDeliveryRequest, WebhookEndpoint, WebhookEndpointWithOutcomes, WebhookEndpointWithSecret, ZipCode } from './types.ts'

export interface AuthorizationsResource {
  /** Lists the open card authorizations of a customer, newest first. */
  list(query: ListAuthorizationsQuery, options?: CallOptions): List<Authorization>
  /** Returns an authorization in any state. */
  get(authorizationId: string, options?: CallOptions): Result<Authorization>
  /** Lists the card authorizations of the organisation in all states, newest first: open, settled, canceled, expired, and declined ones with the reason. */
  listAll(query?: ListAllAuthorizationsQuery, options?: CallOptions): List<OwnedAuthorization>
}

export interface CustomersResource {
  /** Creates a token that proves for ten minutes that the customer was verified. Pass it to the part of your app that asks for the proof. */
  createVerificationToken(customerId: string, options?: CallOptions): Result<VerificationToken>
  /** Lists the customers of the organisation, newest first. */
  list(query?: ListCustomersQuery, options?: CallOptions): List<Customer>
  /** Returns a customer. */
  get(customerId: string, options?: CallOptions): Result<Customer>
}

export interface TransactionsResource {
  /** Returns a transaction of an account with its attributes and related records. */
  get(transactionId: string, query: GetTransactionQuery, options?: CallOptions): Result<Transaction>
  /** Lists the transactions of customers’ accounts, newest first. */
  list(query?: ListTransactionsQuery, options?: CallOptions): List<ListedTransaction>
}

export interface CardsResource {
  /**
   * Creates a debit card for an account.
   *
   * @example
   * const card = await purser.cards.create({
   *   type: 'individualDebitCard',
   *   accountId,
   *   shippingAddress: { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' },
   * })
   */
  create(body: CreateCardRequest, options?: CallOptions): Result<Card>
  /**
   * Orders a new physical card to replace one that is worn, lost or stolen. It has the same account and design, other digits, and is `Inactive`.
   *
   * @example
   * const card = await purser.cards.replace(cardId, {
   *   shippingAddress: { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' },
   * })
   */
  replace(cardId: string, body: ReplaceCardRequest, options?: CallOptions): Result<Card>
  /** Lists the cards of the organisation in all states, newest first. */
  list(query?: ListCardsQuery, options?: CallOptions): List<ListedCard>
  /** Returns a card in any state. */
  get(cardId: string, options?: CallOptions): Result<Card>
  /** Activates an `Inactive` card and closes the cards that it replaces. */
  activate(cardId: string, options?: CallOptions): Result<Card>
  /** Freezes an `Active` card: new purchases are declined. Open authorizations still settle. */
  freeze(cardId: string, options?: CallOptions): Result<Card>
  /** Makes a `Frozen` card `Active` again. A card in another state is refused with `card_wrong_state`. */
  unfreeze(cardId: string, options?: CallOptions): Result<Card>
  /** Closes a card for good: its status becomes `ClosedByCustomer`. New purchases are declined, and open authorizations still settle. */
  close(cardId: string, options?: CallOptions): Result<Card>
  /** Ends a card that its holder has lost: its status becomes `Lost` for good, and new purchases are declined. `cards.replace` orders a new one. */
  reportLost(cardId: string, options?: CallOptions): Result<Card>
  /** Ends a card that was stolen from its holder: its status becomes `Stolen` for good, and new purchases are declined. `cards.replace` orders a new one. */
  reportStolen(cardId: string, options?: CallOptions): Result<Card>
}

export interface PaymentsResource {
  /**
   * Sends money by ACH from an account to one of the external accounts of its owner. The built-in bank takes the money from the account at once.
   *
   * @example
   * const payment = await purser.payments.create(accountId, {
   *   amount: 90000,
   *   counterpartyAccountId,
   *   description: 'Rent',
   *   originalType: 'ACH',
   * })
   */
  create(accountId: string, body: CreatePaymentRequest, options?: CallOptions): Result<Payment>
  /** Returns a payment with its current status. */
  get(paymentId: string, options?: CallOptions): Result<Payment>
  /** Lists the payments of the organisation, newest first. */
  list(query?: ListPaymentsQuery, options?: CallOptions): List<ListedPayment>
  /**
   * Makes 1 to 1,000 payments from any accounts of the organisation in one request.
   *
   * @example
   * const payment = await purser.payments.createBatch({
   *   payments: [{
   *     accountId,
   *     counterpartyAccountId,
   *     originalType: 'ACH',
   *     amount: 3000,
   *     description: 'Cleaning',
   *     idempotencyKey: 'cleaning-2026-06',
   *   }, {
   *     accountId,
   *     counterpartyAccountId,
   *     originalType: 'ACH',
   *     amount: 900,
   *     description: 'Car',
   *     idempotencyKey: 'car',
   *   }],
   * })
   */
  createBatch(body: CreatePaymentBatchRequest, options?: CallOptions): Result<BatchOutcome[]>
  /**
   * Moves money from an account to another account of the organisation, of the same customer or of another one.
   *
   * @example
   * const payment = await purser.payments.transfer(accountId, { toAccountId, amount: 10000, description: 'Savings' })
   */
  transfer(accountId: string, body: CreateBookTransferRequest, options?: CallOptions): Result<Payment>
  /** Cancels a payment before it leaves. The money returns to the account, whatever its state, and the payment becomes `Canceled`. */
  cancel(paymentId: string, options?: CallOptions): Result<Payment>
  /** Presents a debit again that was returned with `R01` or `R09`, because money was missing. */
  retry(paymentId: string, options?: CallOptions): Result<Payment>
  /**
   * Takes back an erroneous payment to another bank that has left, with a payment of the other direction: the same amount and counterparty, the description `REVERSAL`, and the id of the first one in `reversalOf`.
   *
   * @example
   * const payment = await purser.payments.reverse(paymentId, { reason: 'Duplicate' })
   */
  reverse(paymentId: string, body: ReversePaymentRequest, options?: CallOptions): Result<Payment>
}

export interface ExternalAccountsResource {
  /**
   * Records an account at any bank, which the customer can then pay with `payments.create`.
   *
   * @example
   * const externalAccount = await purser.externalAccounts.create(customerId, {
   *   type: 'Person',
   *   name: 'Grace Sample',
   *   routingNumber: '021000021',
   *   accountNumber: '9876543210',
   *   accountType: 'Checking',
   * })
   */
  create(customerId: string, body: CreateExternalAccountRequest, options?: CallOptions): Result<ExternalAccount>
  /** Lists the external accounts of a customer, without deleted ones. */
  list(customerId: string, query?: ListExternalAccountsQuery, options?: CallOptions): List<ExternalAccount>
  /**
   * Changes the members that are sent, for future payments; earlier ones keep a copy of the former data.
   *
   * @example
   * const externalAccount = await purser.externalAccounts.update(externalAccountId, { name: 'Grace Example', accountType: 'Savings' })
   */
  update(externalAccountId: string, body?: UpdateExternalAccountRequest, options?: CallOptions): Result<ExternalAccount>
  /** Deletes an external account, so that it can no longer be paid. Its earlier payments keep a copy of its data. */
  delete(externalAccountId: string, options?: CallOptions): Result<undefined>
  /**
   * Records that the holder of an external account authorized you to collect money from it, and replaces an earlier mandate.
   *
   * @example
   * const externalAccount = await purser.externalAccounts.giveMandate(externalAccountId, {
   *   authorization: 'Online',
   *   textVersion: '2026-01',
   *   authorizedAt: '2025-11-03T15:04:05Z',
   *   address: '203.0.113.7',
   * })
   */
  giveMandate(externalAccountId: string, body: GiveMandateRequest, options?: CallOptions): Result<ExternalAccount>
  /** Records that the customer revoked the mandate of an external account. */
  revokeMandate(externalAccountId: string, options?: CallOptions): Result<ExternalAccount>
  /**
   * Sends entries to the account, so that `permissions` becomes `CreditAndDebit` after them. `verification` of the external account shows the progress.
   *
   * @example
   * const externalAccount = await purser.externalAccounts.startVerification(externalAccountId, { method: 'MicroEntries' })
   */
  startVerification(externalAccountId: string, body: StartVerificationRequest, options?: CallOptions): Result<ExternalAccount>
  /**
   * Takes the amounts of the two micro-entries as the customer read them. If they are right, `permissions` becomes `CreditAndDebit`.
   *
   * @example
   * const externalAccount = await purser.externalAccounts.confirmVerification(externalAccountId, { amounts: [32, 32] })
   */
  confirmVerification(externalAccountId: string, body: ConfirmVerificationRequest, options?: CallOptions): Result<ExternalAccount>
  /**
   * Records that the operator has verified that the account exists and belongs to the customer, for example with a data provider, and where the proof is.
   *
   * @example
   * const externalAccount = await purser.externalAccounts.attest(externalAccountId, { reference: 'case 2026-0042' })
   */
  attest(externalAccountId: string, body: AttestExternalAccountRequest, options?: CallOptions): Result<ExternalAccount>
}

export interface StatementsResource {
  /** Lists the monthly statements of an account, latest month first. */
  list(query: ListStatementsQuery, options?: CallOptions): List<Statement>
  /** Returns the record of a statement, or with `format=html` its document as an HTML page, both in the usual envelope. */
  get(statementId: string, query?: GetStatementQuery, options?: CallOptions): Result<Statement | StatementHtml>
  /** Returns a statement as a PDF file with the holder, the opening and closing balance, and every transaction of the month. */
  getPdf(statementId: string, options?: CallOptions): Result<Uint8Array>
}

export interface AccountsResource {
  /**
   * Opens a checking account in US dollars for a customer. It is `Open` at once, with a balance of 0 and its own account number.
   *
   * @example
   * const account = await purser.accounts.create({ customerId, tags: { purpose: 'household' } })
   */
  create(body: CreateAccountRequest, options?: CallOptions): Result<DepositAccount>
  /** Reopens a `Closed` account with its balance and account number. Its former cards stay closed; create new ones. */
  reopen(accountId: string, options?: CallOptions): Result<DepositAccount>
  /** Returns an account with its current balance. */
  get(accountId: string, options?: CallOptions): Result<DepositAccount>
  /** Lists the accounts of the organisation with their balances, newest first. */
  list(query?: ListAccountsQuery, options?: CallOptions): List<DepositAccount>
  /**
   * Closes an `Open` or `Frozen` account and ends its cards.
   *
   * @example
   * const account = await purser.accounts.close(accountId, { reason: 'ByCustomer' })
   */
  close(accountId: string, body: CloseAccountRequest, options?: CallOptions): Result<DepositAccount>
  /** Freezes an `Open` account. No payment leaves it, its cards decline purchases, and no card can be created or activated. */
  freeze(accountId: string, options?: CallOptions): Result<DepositAccount>
  /** Makes a `Frozen` account `Open` again. Its cards and payments work as before. */
  unfreeze(accountId: string, options?: CallOptions): Result<DepositAccount>
  /**
   * Blocks outgoing payments of an account: payments and book transfers that send its money are refused until the block is released.
   *
   * @example
   * const accountPaymentBlock = await purser.accounts.blockPayments(accountId, { reason: 'Return R10 of a debit' })
   */
  blockPayments(accountId: string, body: BlockPaymentsRequest, options?: CallOptions): Result<AccountPaymentBlock>
  /**
   * Ends the block of outgoing payments of an account. The audit log shows the reason.
   *
   * @example
   * const accountPaymentBlock = await purser.accounts.releasePayments(accountId, { reason: 'The customer has paid' })
   */
  releasePayments(accountId: string, body: ReleasePaymentsRequest, options?: CallOptions): Result<AccountPaymentBlock>
}

export interface ApplicationsResource {
  /**
   * Uploads the back side of a document of an application, as Base64 in JSON. It replaces an earlier upload.
   *
   * @example
   * const document = await purser.applications.uploadDocumentBack(applicationId, documentId, { file, contentType: 'image/png' })
   */
  uploadDocumentBack(applicationId: string, documentId: string, body: UploadDocumentBackRequest, options?: CallOptions): Result<Document>
  /**
   * Applies for an account on behalf of a person. The built-in bank approves at once, and `customerId` in the answer is the new customer.
   *
   * @example
   * const application = await purser.applications.create({
   *   name: 'Ada Example',
   *   dateOfBirth: '1990-01-31',
   *   ssn: '000000003',
   *   email: 'ada@example.com',
   *   phone: '+12125550123',
   *   address: { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701' },
   * })
   */
  create(body: CreateApplicationRequest, options?: CallOptions): Result<Application>
  /** Returns an application with its status and the documents that it needs. */
  get(applicationId: string, options?: CallOptions): Result<Application>
  /** Lists the applications of the organisation, newest first, denied ones too. */
  list(query?: ListApplicationsQuery, options?: CallOptions): List<ListedApplication>
  /**
   * Uploads the front side of a document of an application, as Base64 in JSON. It replaces an earlier upload.
   *
   * @example
   * const document = await purser.applications.uploadDocumentFront(applicationId, documentId, { file, contentType: 'image/png' })
   */
  uploadDocumentFront(applicationId: string, documentId: string, body: UploadDocumentFrontRequest, options?: CallOptions): Result<Document>
}

export interface OffersResource {
  /** Lists the live offers of shops around a ZIP code, nearest first, by bank time. */
  listLocal(query: ListLocalOffersQuery, options?: CallOptions): Result<LocalOffers>
  /** Lists the live online offers, highest commission first, by bank time. */
  listNational(query: ListNationalOffersQuery, options?: CallOptions): Result<NationalOffers>
  /** Lists impressions, views, clicks, purchases and cash back by day and offer, oldest day first. */
  listFunnel(query?: ListOfferFunnelQuery, options?: CallOptions): List<OfferFunnel>
}

export interface PartnerUsersResource {
  /** Lists the users who take part in rewards, removed ones too, by `id` unless `orderByClause` says otherwise. */
  list(query?: ListPartnerUsersQuery, options?: CallOptions): List<PartnerUser>
  /**
   * Enrols one of your users in rewards. `userId` is your own number for the user, unique within the organisation.
   *
   * @example
   * const partnerUser = await purser.partnerUsers.create({ userId })
   */
  create(body: CreatePartnerUserRequest, options?: CallOptions): Result<TaggedPartnerUser>
  /** Reads a partner user with its tags, to which the conditions of campaign offers refer. */
  get(partnerUserId: string | number, options?: CallOptions): Result<TaggedPartnerUser>
  /**
   * Removes a partner user from rewards, or enrols a removed one again. While a user is removed, purchases earn nothing; rewards earned before are still paid.
   *
   * @example
   * const partnerUser = await purser.partnerUsers.update(partnerUserId, { tags: { plan: 'gold' } })
   */
  update(partnerUserId: string | number, body?: UpdatePartnerUserRequest, options?: CallOptions): Result<TaggedPartnerUser>
  /** Lists the active offers of campaigns, newest first, and what a partner user can earn by each; `left` is of all budgets together. */
  listOffers(partnerUserId: string | number, query?: ListPartnerUserOffersQuery, options?: CallOptions): List<UserOffer>
}

export interface RewardableTransactionsResource {
  /** Lists the settled purchases with linked cards, whether or not an offer matched, by `id` unless `orderByClause` says otherwise. */
  list(query?: ListRewardableTransactionsQuery, options?: CallOptions): List<RewardableTransaction>
  /**
   * Submits a card purchase that settled before its card was linked, to reward it now. A purchase that is already recorded is returned as it is.
   *
   * @example
   * const rewardableTransaction = await purser.rewardableTransactions.create({ bankCardId, bankTransactionId })
   */
  create(body: CreateRewardableTransactionRequest, options?: CallOptions): Result<RewardableTransaction>
}

export interface RewardPaymentsResource {
  /** Lists the payouts of rewards, by `id` unless `orderByClause` says otherwise. */
  list(query?: ListRewardPaymentsQuery, options?: CallOptions): List<RewardPayment>
}

export interface AccountLimitsResource {
  /** Returns the payment limits of an account, how much of them the current day and month have used, and its overdraft. */
  get(accountId: string, options?: CallOptions): Result<AccountLimits>
  /**
   * Replaces the limits of the payments of an account and its overdraft.
   *
   * @example
   * const accountLimits = await purser.accountLimits.set(accountId, {
   *   payment: { soft: 50000, hard: 500000 },
   *   day: { hard: 1000000 },
   *   overdraft: 10000,
   * })
   */
  set(accountId: string, body: SetAccountLimitsRequest, options?: CallOptions): Result<AccountLimits | Proposal>
}

export interface AccountHoldsResource {
  /**
   * Holds an amount on an `Open` or `Frozen` account: its `hold` grows, `available` falls, and the balance stays.
   *
   * @example
   * const accountHold = await purser.accountHolds.create(accountId, {
   *   amount: 20000,
   *   reason: 'LegalOrder',
   *   description: 'Levy 2026-0042',
   *   expiresAt: '2026-12-31',
   * })
   */
  create(accountId: string, body: CreateAccountHoldRequest, options?: CallOptions): Result<AccountHold>
  /** Lists the holds on an account, newest first. */
  list(accountId: string, query?: ListAccountHoldsQuery, options?: CallOptions): List<AccountHold>
  /** Returns a hold on an account in any state. */
  get(accountId: string, holdId: string, options?: CallOptions): Result<AccountHold>
  /** Ends an `Active` hold on an account in any state: its `hold` falls, and `available` grows. */
  release(accountId: string, holdId: string, options?: CallOptions): Result<AccountHold | Proposal>
}

export interface CardLimitsResource {
  /** Returns the spending limits of a card, and what the purchases of the current day and month have used. */
  get(cardId: string, options?: CallOptions): Result<CardLimits>
  /**
   * Replaces the spending limits of a card.
   *
   * @example
   * const cardLimits = await purser.cardLimits.set(cardId, {
   *   purchase: { amount: 25000 },
   *   day: { amount: 50000, count: 10 },
   *   blockedCategories: ['Gambling'],
   * })
   */
  set(cardId: string, body: SetCardLimitsRequest, options?: CallOptions): Result<CardLimits>
}

export interface RecurringPaymentsResource {
  /**
   * Pays by itself on the due dates of a schedule: by ACH to an external account, collected from there (`direction` `Debit`, with a mandate), or as a book transfer (`type` `bookPayment`).
   *
   * @example
   * const recurringPayment = await purser.recurringPayments.create({
   *   type: 'achPayment',
   *   accountId,
   *   counterpartyAccountId,
   *   amount: 90000,
   *   description: 'Rent',
   *   interval: 'Monthly',
   *   startDate: '2026-07-01',
   *   onMissingMoney: 'Retry',
   *   retryDays: 5,
   * })
   */
  create(body: CreateRecurringPaymentRequest, options?: CallOptions): Result<RecurringPayment>
  /** Lists the recurring payments of the organisation, newest first. */
  list(query?: ListRecurringPaymentsQuery, options?: CallOptions): List<RecurringPayment>
  /** Returns a recurring payment in any state. */
  get(recurringPaymentId: string, options?: CallOptions): Result<RecurringPayment>
  /** Pauses an `Active` recurring payment: due dates that come are skipped, with the reason `paused`, until `POST …/resume`. */
  pause(recurringPaymentId: string, options?: CallOptions): Result<RecurringPayment>
  /** Resumes a `Paused` recurring payment: it pays from its next due date on. Due dates that came meanwhile stay skipped. */
  resume(recurringPaymentId: string, options?: CallOptions): Result<RecurringPayment>
  /**
   * Skips one due date: the next one that is not skipped, or the one in `date`, among the next 60. A day on which nothing is due is `invalid_request`.
   *
   * @example
   * const recurringPayment = await purser.recurringPayments.skip(recurringPaymentId, { date: '2026-08-01' })
   */
  skip(recurringPaymentId: string, body?: SkipRecurringPaymentRequest, options?: CallOptions): Result<RecurringPayment>
  /**
   * Changes the amount of the due dates from a date on, by default of all that lie ahead. It replaces changes that were to apply from that date on.
   *
   * @example
   * const recurringPayment = await purser.recurringPayments.changeAmount(recurringPaymentId, { amount: 95000, from: '2026-10-01' })
   */
  changeAmount(recurringPaymentId: string, body: ChangeRecurringPaymentRequest, options?: CallOptions): Result<RecurringPayment>
  /** Cancels a recurring payment for good. Payments that it has made stay; one that has not left is canceled by `cancelPayment`. */
  cancel(recurringPaymentId: string, options?: CallOptions): Result<RecurringPayment>
  /** Lists what became of the due dates of a recurring payment, newest first: one run for each due date that has come, with its payment or the reason why there is none. */
  listRuns(recurringPaymentId: string, query?: ListRecurringPaymentRunsQuery, options?: CallOptions): List<RecurringPaymentRun>
  /** The calendar of an account: the payments that its `Active` recurring payments will make in the next year, the earliest first, on the days to which weekends and bank holidays move them. */
  calendar(accountId: string, query?: ListPlannedPaymentsQuery, options?: CallOptions): List<PlannedPayment>
}

export interface AchBatchesResource {
  /** Lists the organisation’s batches of payments and returns in outgoing ACH files, newest first. */
  list(query?: ListAchBatchesQuery, options?: CallOptions): List<AchBatch>
  /** Returns a batch of an outgoing ACH file with its current status. */
  get(achBatchId: string, options?: CallOptions): Result<AchBatch>
  /** Lists the entries of a batch in the order of their payment ids, with trace numbers, amounts and current status. */
  listEntries(achBatchId: string, query?: ListAchEntriesQuery, options?: CallOptions): List<AchEntry>
}

export interface AchReconciliationsResource {
  /** Sums the organisation’s ACH entries that settle on a day, once from the files and once from the ledger. */
  get(query: GetAchReconciliationQuery, options?: CallOptions): Result<AchReconciliation>
}

export interface ReturnRatesResource {
  /** Returns how many of the debits that were made in the last 60 days of bank time and have left were returned: as unauthorized, for administrative reasons, and in all; of the organisation, and by the company of the ACH batches. */
  get(options?: CallOptions): Result<ReturnRates>
}

export interface ReceivedPaymentsResource {
  /** Lists the payments that other banks sent to accounts of the organisation, newest first. */
  list(query?: ListReceivedPaymentsQuery, options?: CallOptions): List<ReceivedPayment>
  /** Returns a received payment with its current status. */
  get(receivedPaymentId: string, options?: CallOptions): Result<ReceivedPayment>
  /**
   * Marks a received payment for return. The return leaves with the next ACH file, and the payment becomes `Returned` when it settles.
   *
   * @example
   * const receivedPayment = await purser.receivedPayments.return(receivedPaymentId, { returnCode: 'R10' })
   */
  return(receivedPaymentId: string, body: ReturnReceivedPaymentRequest, options?: CallOptions): Result<ReceivedPayment>
}

export interface PartnerUserCardsResource {
  /**
   * Links a card to a partner user. From now on, settled purchases earn rewards if an offer matches; `rewardableTransactions.create` submits earlier ones.
   *
   * @example
   * const partnerUserCard = await purser.partnerUserCards.create({ partnerUserId, bankCardId })
   */
  create(body: CreatePartnerUserCardRequest, options?: CallOptions): Result<PartnerUserCard>
  /** Lists the links between cards and partner users, removed ones too, by `id` unless `orderByClause` says otherwise. */
  list(query?: ListPartnerUserCardsQuery, options?: CallOptions): List<PartnerUserCard>
  /**
   * Removes the link of a card, or restores it. While it is removed, purchases earn nothing; rewards earned before are still paid.
   *
   * @example
   * const partnerUserCard = await purser.partnerUserCards.update(partnerUserCardId, { isRemoved: true })
   */
  update(partnerUserCardId: string | number, body: UpdatePartnerUserCardRequest, options?: CallOptions): Result<PartnerUserCard>
}

export interface RewardsResource {
  /** Lists the cash back that purchases earned, by `id` unless `orderByClause` says otherwise. */
  list(query?: ListRewardsQuery, options?: CallOptions): List<Reward>
  /** Returns a reward in its current state. */
  get(rewardId: string | number, options?: CallOptions): Result<Reward>
  /** Lists the offers of the merchant at which a reward was earned: the cash back of each for this purchase, and why the winner won. */
  explain(rewardId: string | number, options?: CallOptions): Result<RewardExplanation>
  /** Lists the offers that a settled card purchase might have earned by, each with the reason why it did not. */
  explainPurchase(bankTransactionId: string, options?: CallOptions): Result<PurchaseExplanation>
  /** Sums a day of rewards twice, from the records and from the ledger. */
  getDailyReconciliation(query: GetDailyReconciliationQuery, options?: CallOptions): Result<DailyReconciliation>
}

export interface MerchantBillsResource {
  /** Sums the rewards of a month by merchant, by name: what purchases earned, what refunds took back, what users were paid, and what the merchant owes. */
  list(query: ListMerchantBillsQuery, options?: CallOptions): List<MerchantBill>
}

export interface CampaignsResource {
  /**
   * Creates a campaign. `POST …/offers` adds its offers.
   *
   * @example
   * const campaign = await purser.campaigns.create({ name: 'Spring' })
   */
  create(body: CreateCampaignRequest, options?: CallOptions): Result<Campaign>
  /** Lists the campaigns of the organisation, newest first, each with the rest of its budget. */
  list(query?: ListCampaignsQuery, options?: CallOptions): List<Campaign>
  /** Reads a campaign with the rest of its budget, which purchases use and refunds give back. */
  get(campaignId: string, options?: CallOptions): Result<Campaign>
  /**
   * Changes a campaign. While it is `Paused`, and for good once it is `Ended`, purchases earn nothing by its offers; rewards earned before are still paid.
   *
   * @example
   * const campaign = await purser.campaigns.update(campaignId, { status: 'Paused' })
   */
  update(campaignId: string, body?: UpdateCampaignRequest, options?: CallOptions): Result<Campaign>
}

export interface CampaignOffersResource {
  /**
   * Adds an offer to a campaign. It competes with those of the catalogue: the highest cash back wins.
   *
   * @example
   * const campaignOffer = await purser.campaignOffers.create(campaignId, {
   *   merchantName: 'Quillbrook Coffee',
   *   title: '5% cash back at Quillbrook Coffee',
   *   commission: 5,
   *   minimumSpend: 1000,
   *   maximumReward: 500,
   *   days: ['saturday', 'sunday'],
   *   settlementDelayDays: 14,
   *   condition: { whereClause: '$C1 = $V1', columnNames: 'plan', values: '[gold]' },
   *   activation: { days: 14, uses: 3 },
   * })
   */
  create(campaignId: string, body: CreateCampaignOfferRequest, options?: CallOptions): Result<CampaignOffer>
  /** Lists the offers of campaigns, newest first, each with the rest of its budget. */
  list(query?: ListCampaignOffersQuery, options?: CallOptions): List<CampaignOffer>
  /** Reads an offer of a campaign with the rest of its budget, beside that of the campaign. */
  get(offerId: string, options?: CallOptions): Result<CampaignOffer>
  /**
   * Changes an offer for purchases that settle from now on; rewards keep the terms that they were earned by. Emits `campaignOffer.updated`.
   *
   * @example
   * const campaignOffer = await purser.campaignOffers.update(offerId, { status: 'Paused' })
   */
  update(offerId: string, body?: UpdateCampaignOfferRequest, options?: CallOptions): Result<CampaignOffer>
}

export interface OfferActivationsResource {
  /**
   * Activates an offer for a partner user: purchases from now until `expiresAt` earn.
   *
   * @example
   * const offerActivation = await purser.offerActivations.create(offerId, { partnerUserId })
   */
  create(offerId: string, body: ActivateOfferRequest, options?: CallOptions): Result<OfferActivation>
  /** Lists activations of offers, newest first, also those that are over or canceled. */
  list(query?: ListActivationsQuery, options?: CallOptions): List<OfferActivation>
  /** Cancels an activation: purchases that settle from now on do not earn by it. Canceling one again changes nothing. */
  cancel(activationId: string, options?: CallOptions): Result<OfferActivation>
}

export interface ZipCodesResource {
  /** Returns the city, the state and the centre of a ZIP code. */
  get(zip: string, options?: CallOptions): Result<ZipCode>
}

export interface AttributionsResource {
  /**
   * Counts up to 100 impressions, views and clicks of offers, by day and offer. `offers.listFunnel` shows the sums.
   *
   * @example
   * const attributionCount = await purser.attributions.create({ attributions: [{ id, type: 'Click', offerId, partnerUserId }] })
   */
  create(body: CreateAttributionsRequest, options?: CallOptions): Result<AttributionCount>
}

export interface ReviewApplicationsResource {
  /** Lists the undecided applications, oldest first, with the applicants’ personal data, the files of their documents, and `samePeople`: other customers and applications of the organisation with the same social security number, e-mail, phone or address. */
  list(query?: ListReviewApplicationsQuery, options?: CallOptions): List<ReviewApplication>
  /**
   * Approves an application that waits for documents or a review and creates the customer, whatever the state of its documents.
   *
   * @example
   * const application = await purser.reviewApplications.approve(applicationId, { reason: 'All checked' })
   */
  approve(applicationId: string, body?: ApproveReviewApplicationRequest, options?: CallOptions): Result<Application>
  /**
   * Denies an application that waits for documents or a review. It takes no more documents.
   *
   * @example
   * const application = await purser.reviewApplications.deny(applicationId, { reason: 'The identity could not be verified' })
   */
  deny(applicationId: string, body: DenyReviewApplicationRequest, options?: CallOptions): Result<Application>
  /**
   * Asks the applicant for a passport. The application gets one more `Required` document, and its status is `AwaitingDocuments` until the file is uploaded.
   *
   * @example
   * const document = await purser.reviewApplications.requestDocument(applicationId, { reason: 'The address is new' })
   */
  requestDocument(applicationId: string, body?: RequestReviewDocumentRequest, options?: CallOptions): Result<Document>
}

export interface ReviewDocumentsResource {
  /** Returns the file of one side of a document as it was uploaded, with its media type and without the usual envelope. */
  getContent(documentId: string, query?: GetReviewDocumentContentQuery, options?: CallOptions): Result<Uint8Array>
  /**
   * Approves a document of an application, even without an uploaded file.
   *
   * @example
   * const document = await purser.reviewDocuments.approve(documentId, { reason: 'Seen at the branch' })
   */
  approve(documentId: string, body?: ApproveReviewDocumentRequest, options?: CallOptions): Result<Document>
  /**
   * Rejects a document of an application. Its status becomes `Invalid`, and the applicant has to upload it again.
   *
   * @example
   * const document = await purser.reviewDocuments.reject(documentId, { reason: 'The picture is blurred' })
   */
  reject(documentId: string, body: RejectReviewDocumentRequest, options?: CallOptions): Result<Document>
}

export interface ReviewPaymentsResource {
  /** Lists the payments in `PendingReview`, oldest first, with the reason why each waits. */
  list(query?: ListReviewPaymentsQuery, options?: CallOptions): List<ReviewPayment>
  /**
   * Approves a payment in `PendingReview`. It becomes `Sent`, or with `PURSER_ACH=windows` `Pending`, and leaves at the next cut-off.
   *
   * @example
   * const payment = await purser.reviewPayments.approve(paymentId, { reason: 'The invoice was checked' })
   */
  approve(paymentId: string, body: ApprovePaymentRequest, options?: CallOptions): Result<Payment | Proposal>
  /**
   * Rejects a payment in `PendingReview`. The money returns to the account, whatever its state, and the payment becomes `Rejected`.
   *
   * @example
   * const payment = await purser.reviewPayments.reject(paymentId, { reason: 'The invoice is not known' })
   */
  reject(paymentId: string, body: RejectPaymentRequest, options?: CallOptions): Result<Payment>
  /**
   * Stops a `Pending` payment before it is in a file. It becomes `PendingReview`, loses its cut-off, and its money stays reserved.
   *
   * @example
   * const payment = await purser.reviewPayments.stop(paymentId, { reason: 'The payee is not known' })
   */
  stop(paymentId: string, body: StopPaymentRequest, options?: CallOptions): Result<Payment>
}

export interface ReviewExternalAccountsResource {
  /** Lists the external accounts that the screening (the operator’s check of names) left to a reviewer, oldest first. */
  list(query?: ListReviewExternalAccountsQuery, options?: CallOptions): List<ExternalAccount>
  /**
   * Approves an external account that the screening left to a reviewer.
   *
   * @example
   * const externalAccount = await purser.reviewExternalAccounts.approve(externalAccountId, { reason: 'The holder was called' })
   */
  approve(externalAccountId: string, body?: ApproveExternalAccountRequest, options?: CallOptions): Result<ExternalAccount>
  /**
   * Rejects an external account that the screening left to a reviewer. It is deleted, and the payments that wait for it become `Rejected` within seconds.
   *
   * @example
   * const externalAccount = await purser.reviewExternalAccounts.reject(externalAccountId, { reason: 'The holder is not known' })
   */
  reject(externalAccountId: string, body: RejectExternalAccountRequest, options?: CallOptions): Result<ExternalAccount>
}

export interface OverSettlementsResource {
  /** Lists the card authorizations that settled for more than their trade explains, oldest first. */
  list(query?: ListOverSettlementsQuery, options?: CallOptions): List<OverSettlement>
  /**
   * Records that a reviewer has dealt with an authorization that settled for more than its trade explains.
   *
   * @example
   * const overSettlement = await purser.overSettlements.resolve(authorizationId, { reason: 'The merchant refunds the difference' })
   */
  resolve(authorizationId: string, body: ResolveOverSettlementRequest, options?: CallOptions): Result<OverSettlement>
}

export interface ProposalsResource {
  /** Lists decisions that `PURSER_TWO_SIGNATURES` asks a second person for, newest first, in all states or one, about all records or one. */
  list(query?: ListProposalsQuery, options?: CallOptions): List<Proposal>
  /** Shows a proposal: the operation with its input, who proposed it, and what became of it. */
  get(proposalId: string, options?: CallOptions): Result<Proposal>
  /**
   * Signs a `Waiting` proposal and runs its operation once: the answer is `Executed`, or `Failed` with the refusal. A caller needs the scopes of the operation.
   *
   * @example
   * const proposal = await purser.proposals.approve(proposalId, { reason: 'I called the payee' })
   */
  approve(proposalId: string, body?: ApproveProposalRequest, options?: CallOptions): Result<Proposal>
  /**
   * Rejects a `Waiting` proposal with a reason: its operation does not run. The caller needs the scopes of the operation.
   *
   * @example
   * const proposal = await purser.proposals.reject(proposalId, { reason: 'The payee is not known' })
   */
  reject(proposalId: string, body: RejectProposalRequest, options?: CallOptions): Result<Proposal>
  /** Takes a `Waiting` proposal back. Only who made it may: the same person in any session, or the same API key. */
  withdraw(proposalId: string, options?: CallOptions): Result<Proposal>
}

export interface PermitsResource {
  /**
   * Proposes the export of a list with personal data, if `PURSER_TWO_SIGNATURES` has `personalExport`.
   *
   * @example
   * await purser.permits.export('customers', { reason: 'The invoice was checked' })
   */
  export(list: string, body: PermitExportRequest, options?: CallOptions): Result<undefined | Proposal>
  /**
   * Proposes the decisions with which `purser ach resume` lets ACH files leave again, if `PURSER_TWO_SIGNATURES` has `railResume`.
   *
   * @example
   * await purser.permits.railResume({
   *   decisions: ['purser-260203A.ach left'],
   *   digest,
   *   reason: 'The invoice was checked',
   * })
   */
  railResume(body: PermitRailResumeRequest, options?: CallOptions): Result<undefined | Proposal>
  /**
   * Proposes a role for a person, or a new link for a person with the role, if `PURSER_TWO_SIGNATURES` has `personRights`.
   *
   * @example
   * await purser.permits.personRights(personId, { role: 'administrator', reason: 'Grace leads the team now' })
   */
  personRights(personId: string, body: PermitPersonRightsRequest, options?: CallOptions): Result<undefined | Proposal>
}

export interface ClosingDaysResource {
  /** Lists the banking days of a month that are over, from the first statement on, the earliest first. */
  list(query: ListClosingDaysQuery, options?: CallOptions): List<ClosingDay>
  /** Returns every term of a banking day to the cent. */
  get(day: string, options?: CallOptions): Result<ClosingDayDetails>
  /** Closes a banking day against the statement of the settlement account, and signs its certificate with PURSER_CLOSING_KEY. */
  close(day: string, options?: CallOptions): Result<DayCertificate>
  /**
   * Opens the last closed day again. Its certificate stays, and the next version names it and the reason.
   *
   * @example
   * const dayCertificate = await purser.closingDays.reopen('2024-06-14', { reason: 'The bank corrects its statement' })
   */
  reopen(day: string, body: ReopenDayRequest, options?: CallOptions): Result<DayCertificate>
}

export interface SettlementItemsResource {
  /** Lists the items that are in no match, the oldest first. */
  list(query?: ListSettlementItemsQuery, options?: CallOptions): List<SettlementItem>
  /**
   * Matches, splits, books or notes an item with a reason, or ends its match. Afterwards the rules match what follows from it.
   *
   * @example
   * await purser.settlementItems.decide(settlementItemId, { decision: 'note', owner: 'Ada', reason: 'The bank was asked' })
   */
  decide(settlementItemId: string, body: DecideSettlementItemRequest, options?: CallOptions): Result<undefined | Proposal>
}

export interface BankStatementsResource {
  /** Lists the latest 400 statements of the settlement account that were taken or refused, the latest first. */
  list(query?: ListBankStatementsQuery, options?: CallOptions): List<BankStatementFile>
  /**
   * Takes a file with statements of the settlement account (BAI2, camt.053, or CSV if PURSER_STATEMENT_CSV describes it), and matches its lines.
   *
   * @example
   * const statementIntake = await purser.bankStatements.take({ name: '2024-06-14.bai', file })
   */
  take(body: TakeBankStatementRequest, options?: CallOptions): Result<StatementIntake>
}

export interface ProcessorCardsResource {
  /** Returns the card with this `reference` of the processor, in any state, as a list of one. */
  list(query: ListProcessorCardsQuery, options?: CallOptions): List<ProcessorCard>
  /**
   * Sets or replaces the reference by which the processor knows a card, in any state. A replacement card has none at first.
   *
   * @example
   * const processorCard = await purser.processorCards.setReference(cardId, { reference: 'crd_9f31c2' })
   */
  setReference(cardId: string, body: SetCardReferenceRequest, options?: CallOptions): Result<ProcessorCard>
}

export interface ProcessorAuthorizationsResource {
  /**
   * Decides a purchase at once.
   *
   * @example
   * const authorization = await purser.processorAuthorizations.create(cardId, {
   *   amount: 12000,
   *   merchant: { name: 'Sample Hotel', category: 'Lodging', location: 'Springfield, IL' },
   *   processorId,
   * })
   */
  create(cardId: string, body: CreateProcessorAuthorizationRequest, options?: CallOptions): Result<Authorization>
  /**
   * Asks for `amount` in addition to what an open authorization holds, as a hotel or a fuel pump does.
   *
   * @example
   * const authorizationIncrement = await purser.processorAuthorizations.increment(authorizationId, { amount: 3000, processorId })
   */
  increment(authorizationId: string, body: IncrementAuthorizationRequest, options?: CallOptions): Result<AuthorizationIncrement>
  /**
   * Sets the amount of an open authorization to the one that the network has decided on, higher or lower.
   *
   * @example
   * const authorization = await purser.processorAuthorizations.advise(authorizationId, { amount: 14000, processorId })
   */
  advise(authorizationId: string, body: AdviseAuthorizationRequest, options?: CallOptions): Result<Authorization>
  /**
   * Settles an open authorization for the held amount, or for `amount`, which may be less or more. The answer is the transaction of the account.
   *
   * @example
   * const transaction = await purser.processorAuthorizations.settle(authorizationId, { amount: 14000, processorId })
   */
  settle(authorizationId: string, body: SettleProcessorAuthorizationRequest, options?: CallOptions): Result<ListedTransaction>
  /**
   * Releases the rest of the hold of an open authorization. Settled amounts stay settled.
   *
   * @example
   * const authorization = await purser.processorAuthorizations.reverse(authorizationId, { processorId })
   */
  reverse(authorizationId: string, body: ReverseProcessorAuthorizationRequest, options?: CallOptions): Result<Authorization>
  /**
   * Refunds money that settled: `amount`, or all that was not refunded yet. The answer is the transaction of the account, which is credited in any state.
   *
   * @example
   * const transaction = await purser.processorAuthorizations.refund(authorizationId, { amount: 1500, processorId })
   */
  refund(authorizationId: string, body: RefundProcessorAuthorizationRequest, options?: CallOptions): Result<ListedTransaction>
}

export interface LedgerResource {
  /** Lists the chart of accounts of the organisation in the order of their ids: internal accounts, whose ids are negative, come first, then the deposit accounts of customers, oldest first. */
  listAccounts(query?: ListLedgerAccountsQuery, options?: CallOptions): List<LedgerAccount>
  /** Lists the journal of the ledger, newest first: every movement of money once, with the debited and the credited account, the record that caused it and the request that made it. */
  listTransfers(query?: ListLedgerTransfersQuery, options?: CallOptions): List<LedgerTransfer>
  /** Sums the transfers of a period by the kinds of the debited and the credited account: how much money came in, went out and moved between customers. */
  listFlows(query?: ListLedgerFlowsQuery, options?: CallOptions): List<LedgerFlow>
  /** Lists the balance at the end of each day from `since` to `until`, oldest first: of one account, or of all accounts summed by kind. */
  listBalances(query?: ListLedgerBalancesQuery, options?: CallOptions): List<LedgerBalance>
  /** Lists the money that the bank holds now by what it is for, with the number of accounts, payments, purchases and rewards behind it, and when the next of them is due. */
  listPosition(options?: CallOptions): List<LedgerPosition>
  /** Returns the last check of the laws of the ledger, which are statements that must always hold: each law for this organisation, whether it holds, and rows that break it. */
  getVerification(options?: CallOptions): Result<LedgerVerification>
  /** Checks the laws of the ledger and the chain of hashes over the events now, for this organisation alone, and keeps the result for `ledger.getVerification`. */
  runVerification(options?: CallOptions): Result<LedgerVerification>
}

export interface ApiKeysResource {
  /**
   * Creates an API key for the caller’s organisation. `key` in the answer is the secret; it is shown only once and stored as a hash.
   *
   * @example
   * const apiKey = await purser.apiKeys.create({
   *   name: 'Nightly export',
   *   scopes: ['rewards:read'],
   *   expiresAt: '2099-12-31T00:00:00Z',
   * })
   */
  create(body: CreateApiKeyRequest, options?: CallOptions): Result<IssuedApiKey>
  /** Lists the API keys of the organisation, newest first, without their secrets. */
  list(query?: ListApiKeysQuery, options?: CallOptions): List<ApiKey>
  /**
   * Replaces the secret of an API key and shows the new one, only once. Id, name, scopes and expiry stay.
   *
   * @example
   * const apiKey = await purser.apiKeys.rotate(apiKeyId, { graceSeconds: 3600 })
   */
  rotate(apiKeyId: string, body: RotateApiKeyRequest, options?: CallOptions): Result<IssuedApiKey>
  /** Deletes an API key with all its secrets. It stops working at once (within five seconds in other processes) and cannot be restored. */
  delete(apiKeyId: string, options?: CallOptions): Result<undefined>
}

export interface MeResource {
  /** Returns the API key that made the request, its organisation, and the service: mode, version, providers, and the operations that the key may call here. */
  get(options?: CallOptions): Result<Me>
}

export interface EventsResource {
  /** Lists the events of the organisation by their sequence numbers, which have no gaps: oldest first, or newest first with `sort=-sequence`. */
  list(query?: ListEventsQuery, options?: CallOptions): List<Event>
  /** Returns one event of the organisation. */
  get(eventId: string, options?: CallOptions): Result<Event>
  /** Sends an event again to every endpoint that subscribes to its type or has received it before, with the same id and new retries. */
  redeliver(eventId: string, options?: CallOptions): Result<Event>
}

export interface EventTypesResource {
  /** Lists every type of event in alphabetical order: a sentence that says when it is emitted, the JSON Schema of its `data`, and a sample. */
  list(options?: CallOptions): List<EventTypeInfo>
}

export interface DeliveriesResource {
  /** Sends a delivery again to its endpoint alone, with the same id of the event and new retries, whatever became of it before. */
  redeliver(deliveryId: string, options?: CallOptions): Result<Delivery>
  /** Lists the deliveries to all webhook endpoints of the organisation, newest first, with their latest attempts. */
  list(query?: ListAllDeliveriesQuery, options?: CallOptions): List<Delivery>
  /** Shows a delivery with its attempts, and the headers and the body that the latest attempt sent. */
  get(deliveryId: string, options?: CallOptions): Result<DeliveryDetail>
}

export interface WebhookEndpointsResource {
  /**
   * Registers a URL that receives the events of the organisation from now on, filtered by `events`.
   *
   * @example
   * const webhookEndpoint = await purser.webhookEndpoints.create({
   *   url: 'https://example.com/webhooks',
   *   events: ['payment.*'],
   *   description: 'Notifies the app',
   * })
   */
  create(body: CreateWebhookEndpointRequest, options?: CallOptions): Result<WebhookEndpointWithSecret>
  /** Lists the webhook endpoints of the organisation, newest first, without their secrets. */
  list(query?: ListWebhookEndpointsQuery, options?: CallOptions): List<WebhookEndpointWithOutcomes>
  /** Returns a webhook endpoint without its secret. */
  get(webhookEndpointId: string, options?: CallOptions): Result<WebhookEndpointWithOutcomes>
  /**
   * Changes the members that are sent. The status `Disabled` stops deliveries; events that happen meanwhile are sent when the endpoint is `Enabled` again.
   *
   * @example
   * const webhookEndpoint = await purser.webhookEndpoints.update(webhookEndpointId, { events: ['card.*', 'statement.created'] })
   */
  update(webhookEndpointId: string, body?: UpdateWebhookEndpointRequest, options?: CallOptions): Result<WebhookEndpoint>
  /** Deletes a webhook endpoint and returns it for the last time. Its pending deliveries are not sent. */
  delete(webhookEndpointId: string, options?: CallOptions): Result<WebhookEndpoint>
  /** Gives a webhook endpoint a new secret and shows it, only once. */
  rotateSecret(webhookEndpointId: string, options?: CallOptions): Result<WebhookEndpointWithSecret>
  /** Sends an event of the type webhookEndpoint.test to the endpoint once, without retries. It is not in the feed, and its result does not disable the endpoint. */
  test(webhookEndpointId: string, options?: CallOptions): Result<WebhookEndpoint>
  /**
   * Sends every delivery to the endpoint again that was created after `since` and has failed for good, such as after a long outage.
   *
   * @example
   * const webhookEndpoint = await purser.webhookEndpoints.recover(webhookEndpointId, { since: '2026-06-15T00:00:00Z' })
   */
  recover(webhookEndpointId: string, body: RecoverWebhookEndpointRequest, options?: CallOptions): Result<WebhookEndpoint>
  /** Lists the deliveries to a webhook endpoint, newest first: the event, the state of the delivery and its latest attempts with their results. */
  listDeliveries(webhookEndpointId: string, query?: ListDeliveriesQuery, options?: CallOptions): List<Delivery>
  /**
   * Takes headers and body as a receiver got them and says whether the signature is right for this endpoint, and why not: the body was changed on its way, another secret signed, or the clocks differ.
   *
   * @example
   * const deliveryVerdict = await purser.webhookEndpoints.verify(webhookEndpointId, {
   *   headers: {
   *     'webhook-id': 'evt_1000001_216',
   *     'webhook-timestamp': '1781535600',
   *     'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
   *   },
   *   body,
   * })
   */
  verify(webhookEndpointId: string, body: VerifyDeliveryRequest, options?: CallOptions): Result<DeliveryVerdict>
}

export interface AuditLogResource {
  /** Lists who changed what, newest first: one entry for each event, with the key or person that caused it, and one for each request that was denied for its key or scope. */
  list(query?: ListAuditLogQuery, options?: CallOptions): List<AuditEntry>
  /** Returns the newest link of the chain of hashes over the events of the organisation. */
  head(options?: CallOptions): Result<AuditLogHead>
}

export interface RequestsResource {
  /** Lists the latest requests of the organisation in the order of their answers, oldest first. */
  list(query?: ListRequestsQuery, options?: CallOptions): List<LoggedRequest>
  /** Returns a request with headers and body, its answer, and the ids of the events that it caused. */
  get(id: string, options?: CallOptions): Result<LoggedRequestDetail>
}

export interface LookupResource {
  /** Shows a record of any type with a short label, the records that are linked to it, and the operations that change it. */
  get(type: 'account' | 'accountHold' | 'achBatch' | 'achFile' | 'apiKey' | 'application' | 'authorization' | 'campaign' | 'campaignOffer' | 'card' | 'customer' | 'delivery' | 'document' | 'event' | 'externalAccount' | 'offerActivation' | 'partnerUser' | 'partnerUserCard' | 'payment' | 'proposal' | 'receivedPayment' | 'recurringPayment' | 'request' | 'reward' | 'rewardableTransaction' | 'rewardPayment' | 'statement' | 'transaction' | 'webhookEndpoint', id: string, options?: CallOptions): Result<LookedUp>
  /** Finds the records with this id, of every type that the key may read. */
  find(query: LookUpIdQuery, options?: CallOptions): List<LookedUp>
}

export interface HistoryResource {
  /** Lists what happened to a record, oldest first. */
  list(type: 'account' | 'accountHold' | 'achBatch' | 'achFile' | 'apiKey' | 'application' | 'authorization' | 'campaign' | 'campaignOffer' | 'card' | 'customer' | 'delivery' | 'document' | 'event' | 'externalAccount' | 'offerActivation' | 'partnerUser' | 'partnerUserCard' | 'payment' | 'proposal' | 'receivedPayment' | 'recurringPayment' | 'request' | 'reward' | 'rewardableTransaction' | 'rewardPayment' | 'statement' | 'transaction' | 'webhookEndpoint', id: string, query?: ListHistoryQuery, options?: CallOptions): List<HistoryStep>
}

export interface AttentionResource {
  /** Lists what a person should look at, the most urgent first: webhook endpoints that fail, payments returned today (in UTC, by bank time), decisions that wait for a second signature, reviews and how long they wait, exceptions of the ACH rail, a rail that is held, banking days that are not closed, items of the settlement account without a match and an owner, return rates of debits from 80 % of their limits on, limits nearly used, and the last check of the ledger with its age, which is always there. */
  list(options?: CallOptions): List<AttentionItem>
}

export interface ImportsResource {
  /** Lists the imports by which the operator has brought records into the organisation, with the counts before and after side by side. */
  list(options?: CallOptions): List<OrganisationImport>
}

export interface ExportsResource {
  /** Streams the records that a list operation shows, as CSV or JSON Lines. */
  get(list: string, query?: ExportListQuery, options?: CallOptions): Result<Uint8Array>
}

export interface SearchResource {
  /** Finds up to 20 records of the types that the key may read, in any letter case, the best match first: */
  find(query: SearchQuery, options?: CallOptions): List<SearchResult>
}

export interface SandboxOrganisationsResource {
  /**
   * Creates an empty organisation and a key that may do everything in it. Nothing is shared with other organisations, except for the catalogue of offers.
   *
   * @example
   * const organisation = await purser.sandbox.organisations.create({
   *   name: 'Checkout test',
   *   now: '2026-06-15T15:00:00.000Z',
   *   frozen: true,
   * })
   */
  create(body?: CreateOrganisationRequest, options?: CallOptions): Result<CreatedOrganisation>
  /** Deletes the organisation of the key that makes the request. */
  delete(options?: CallOptions): Result<undefined>
  /**
   * Gives all keys of the caller’s organisation a new, empty organisation of the same name.
   *
   * @example
   * const organisation = await purser.sandbox.organisations.reset({ now: '2026-06-15T15:00:00.000Z', frozen: true })
   */
  reset(body?: ResetOrganisationRequest, options?: CallOptions): Result<SandboxOrganisation>
}

export interface SandboxFaultsResource {
  /**
   * Makes requests of an operation fail, to test how your app copes: with a problem (429, 500, 503) before anything is done, after a delay, or by a closed connection after the change was committed.
   *
   * @example
   * const faultRule = await purser.sandbox.faults.create({
   *   match: { operation: 'createPayment', accountId },
   *   effect: { status: 503 },
   *   times: 1,
   * })
   */
  create(body: CreateFaultRuleRequest, options?: CallOptions): Result<FaultRule>
  /** Lists the fault rules of the organisation, newest first, with how often each can still take effect. */
  list(query?: ListFaultRulesQuery, options?: CallOptions): List<FaultRule>
  /** Shows a fault rule of the organisation, with how often it can still take effect. */
  get(faultRuleId: string, options?: CallOptions): Result<FaultRule>
  /** Deletes a fault rule of the organisation. It applies to no further request, at once in this process and within a second in others. */
  delete(faultRuleId: string, options?: CallOptions): Result<undefined>
  /** Deletes all fault rules of the organisation, used up or not; call it at the end of a test. It succeeds even if there is none. */
  deleteAll(options?: CallOptions): Result<undefined>
}

export interface SandboxScenariosResource {
  /**
   * Creates a customer with an account that has received a salary and paid a rent, cards, an open authorization, a purchase, a statement of the previous month, and an application that waits for a document.
   *
   * @example
   * const scenario = await purser.sandbox.scenarios.create({ seed: 42 })
   */
  create(body?: CreateScenarioRequest, options?: CallOptions): Result<Scenario>
}

export interface SandboxCustomersResource {
  /**
   * Creates a customer without an application. Only the name is required.
   *
   * @example
   * const customer = await purser.sandbox.customers.create({
   *   name: 'Ada Example',
   *   email: 'ada@example.com',
   *   phone: '+12125550123',
   *   address: { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' },
   * })
   */
  create(body: CreateCustomerRequest, options?: CallOptions): Result<Customer>
}

export interface SandboxAccountsResource {
  /**
   * Books an ACH transfer that another bank sends: a `Credit` brings money, a `Debit` takes it. The answer is the transaction of the account.
   *
   * @example
   * const transaction = await purser.sandbox.accounts.receiveAch(accountId, {
   *   amount: 250000,
   *   companyName: 'Sample Payroll',
   *   description: 'Salary',
   * })
   */
  receiveAch(accountId: string, body: ReceiveAchRequest, options?: CallOptions): Result<ListedTransaction>
}

export interface SandboxPaymentsResource {
  /**
   * Returns a payment as the receiving bank would. The money comes back to the account, whatever its state, and the payment becomes `Returned`.
   *
   * @example
   * const payment = await purser.sandbox.payments.return(paymentId, { returnCode: 'R03' })
   */
  return(paymentId: string, body: ReturnPaymentRequest, options?: CallOptions): Result<Payment>
}

export interface SandboxExternalAccountsResource {
  /** Shows the latest micro-entries of an external account as the other bank shows them to its customer: two credits and a debit of their sum. */
  getMicroEntries(externalAccountId: string, options?: CallOptions): Result<MicroEntries>
}

export interface SandboxAchFilesResource {
  /** Lists the outgoing and incoming ACH files of the organisation, newest first. */
  list(query?: ListAchFilesQuery, options?: CallOptions): List<AchFile>
  /** Returns an ACH file of the organisation. */
  get(achFileId: string, options?: CallOptions): Result<AchFile>
  /** Returns the bytes of an ACH file as they left or arrived: lines of 94 characters. */
  getContent(achFileId: string, options?: CallOptions): Result<Uint8Array>
}

export interface SandboxApplicationsResource {
  /** Approves an application that waits for documents or a review and creates the customer, whatever the state of its documents. */
  approve(applicationId: string, options?: CallOptions): Result<Application>
  /** Denies an application that waits for documents or a review. It takes no more documents. */
  deny(applicationId: string, options?: CallOptions): Result<Application>
  /**
   * Approves a document of an application, even without an uploaded file. When all documents are approved, so is the application, and its customer is created.
   *
   * @example
   * const document = await purser.sandbox.applications.approveDocument(applicationId, documentId)
   */
  approveDocument(applicationId: string, documentId: string, body?: ApproveDocumentRequest, options?: CallOptions): Result<Document>
  /**
   * Rejects a document of an application. Its status becomes `Invalid`, and the applicant has to upload it again.
   *
   * @example
   * const document = await purser.sandbox.applications.rejectDocument(applicationId, documentId, { reason: 'The picture is blurred' })
   */
  rejectDocument(applicationId: string, documentId: string, body?: RejectDocumentRequest, options?: CallOptions): Result<Document>
}

export interface SandboxAuthorizationsResource {
  /**
   * Charges a card as a merchant would.
   *
   * @example
   * const authorization = await purser.sandbox.authorizations.create(cardId, {
   *   amount: 6420,
   *   merchant: { name: 'Sample Bistro', category: 'Restaurants', location: 'Springfield, IL' },
   * })
   */
  create(cardId: string, body: CreateAuthorizationRequest, options?: CallOptions): Result<Authorization>
  /**
   * Settles an open authorization for the held amount, or for `amount`, which may be less or more. The answer is the transaction of the account.
   *
   * @example
   * const transaction = await purser.sandbox.authorizations.settle(authorizationId, { amount: 4000, final: false })
   */
  settle(authorizationId: string, body?: SettleAuthorizationRequest, options?: CallOptions): Result<ListedTransaction>
  /** Releases the rest of the hold of an open authorization, as a merchant does who decides not to charge it. Settled amounts stay settled. */
  reverse(authorizationId: string, options?: CallOptions): Result<Authorization>
  /**
   * Refunds money that settled: `amount`, or all that was not refunded yet. The answer is the transaction of the account, which is credited in any state.
   *
   * @example
   * const transaction = await purser.sandbox.authorizations.refund(authorizationId, { amount: 1000 })
   */
  refund(authorizationId: string, body?: RefundAuthorizationRequest, options?: CallOptions): Result<ListedTransaction>
}

export interface SandboxClockResource {
  /** Reads the bank time of the organisation, whether it stands still, and what it brings next: expiries of authorizations and holds, the end of the month, payouts of rewards, webhooks by endpoint, the runs of recurring payments, and the cut-offs, settlements and answers of ACH files, those of returns included. */
  get(options?: CallOptions): Result<Clock>
  /**
   * Moves the bank time of the organisation forward and does in order what becomes due on the way: authorizations and holds expire, months end with their statements, rewards are paid, webhooks are retried.
   *
   * @example
   * const clockAdvance = await purser.sandbox.clock.advance({ by: 'P1D' })
   */
  advance(body?: AdvanceClockRequest, options?: CallOptions): Result<ClockAdvance>
}

export interface SandboxStatementsResource {
  /**
   * Writes the statement of a past month at once, without waiting for the work of the month’s end. An existing statement is returned.
   *
   * @example
   * const statement = await purser.sandbox.statements.create(accountId, { period: '2026-05' })
   */
  create(accountId: string, body: CreateStatementRequest, options?: CallOptions): Result<Statement>
}

export interface SandboxResource {
  organisations: SandboxOrganisationsResource
  faults: SandboxFaultsResource
  scenarios: SandboxScenariosResource
  customers: SandboxCustomersResource
  accounts: SandboxAccountsResource
  payments: SandboxPaymentsResource
  externalAccounts: SandboxExternalAccountsResource
  achFiles: SandboxAchFilesResource
  applications: SandboxApplicationsResource
  authorizations: SandboxAuthorizationsResource
  clock: SandboxClockResource
  statements: SandboxStatementsResource
}

/** All methods of the client, grouped by the kind of record. */
export interface Resources {
  authorizations: AuthorizationsResource
  customers: CustomersResource
  transactions: TransactionsResource
  cards: CardsResource
  payments: PaymentsResource
  externalAccounts: ExternalAccountsResource
  statements: StatementsResource
  accounts: AccountsResource
  applications: ApplicationsResource
  offers: OffersResource
  partnerUsers: PartnerUsersResource
  rewardableTransactions: RewardableTransactionsResource
  rewardPayments: RewardPaymentsResource
  accountLimits: AccountLimitsResource
  accountHolds: AccountHoldsResource
  cardLimits: CardLimitsResource
  recurringPayments: RecurringPaymentsResource
  achBatches: AchBatchesResource
  achReconciliations: AchReconciliationsResource
  returnRates: ReturnRatesResource
  receivedPayments: ReceivedPaymentsResource
  partnerUserCards: PartnerUserCardsResource
  rewards: RewardsResource
  merchantBills: MerchantBillsResource
  campaigns: CampaignsResource
  campaignOffers: CampaignOffersResource
  offerActivations: OfferActivationsResource
  zipCodes: ZipCodesResource
  attributions: AttributionsResource
  reviewApplications: ReviewApplicationsResource
  reviewDocuments: ReviewDocumentsResource
  reviewPayments: ReviewPaymentsResource
  reviewExternalAccounts: ReviewExternalAccountsResource
  overSettlements: OverSettlementsResource
  proposals: ProposalsResource
  permits: PermitsResource
  closingDays: ClosingDaysResource
  settlementItems: SettlementItemsResource
  bankStatements: BankStatementsResource
  processorCards: ProcessorCardsResource
  processorAuthorizations: ProcessorAuthorizationsResource
  ledger: LedgerResource
  apiKeys: ApiKeysResource
  me: MeResource
  events: EventsResource
  eventTypes: EventTypesResource
  deliveries: DeliveriesResource
  webhookEndpoints: WebhookEndpointsResource
  auditLog: AuditLogResource
  requests: RequestsResource
  lookup: LookupResource
  history: HistoryResource
  attention: AttentionResource
  imports: ImportsResource
  exports: ExportsResource
  search: SearchResource
  sandbox: SandboxResource
}
