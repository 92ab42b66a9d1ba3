// Generated from the operations by `npm run client`. Do not edit.

import type { List } from '../list.ts'
import type { Result } from '../purser.ts'
import type { CallOptions } from '../transport.ts'
import type {
  AdvanceClockRequest,
  ApiKey,
  Application,
  ApproveDocumentRequest,
  AuditEntry,
  Authorization,
  Card,
  Clock,
  ClockAdvance,
  CloseAccountRequest,
  CreateAccountRequest,
  CreateApiKeyRequest,
  CreateApplicationRequest,
  CreateAuthorizationRequest,
  CreateCardRequest,
  CreateCustomerRequest,
  CreateExternalAccountRequest,
  CreateFaultRuleRequest,
  CreateOrganisationRequest,
  CreatePartnerUserCardRequest,
  CreatePartnerUserRequest,
  CreatePaymentRequest,
  CreateRewardableTransactionRequest,
  CreateScenarioRequest,
  CreateStatementRequest,
  CreateWebhookEndpointRequest,
  CreatedOrganisation,
  Customer,
  DailyReconciliation,
  Delivery,
  DepositAccount,
  Document,
  Event,
  EventTypeInfo,
  ExternalAccount,
  FaultRule,
  GetDailyReconciliationQuery,
  GetStatementQuery,
  GetTransactionQuery,
  IssuedApiKey,
  LedgerAccount,
  LedgerBalance,
  LedgerFlow,
  LedgerTransfer,
  LedgerVerification,
  ListAccountsQuery,
  ListApiKeysQuery,
  ListAuditLogQuery,
  ListAuthorizationsQuery,
  ListCardsQuery,
  ListCustomersQuery,
  ListDeliveriesQuery,
  ListEventsQuery,
  ListExternalAccountsQuery,
  ListFaultRulesQuery,
  ListLedgerAccountsQuery,
  ListLedgerBalancesQuery,
  ListLedgerFlowsQuery,
  ListLedgerTransfersQuery,
  ListLocalOffersQuery,
  ListNationalOffersQuery,
  ListPartnerUserCardsQuery,
  ListPartnerUsersQuery,
  ListPaymentsQuery,
  ListRequestsQuery,
  ListRewardPaymentsQuery,
  ListRewardableTransactionsQuery,
  ListRewardsQuery,
  ListStatementsQuery,
  ListTransactionsQuery,
  ListWebhookEndpointsQuery,
  ListedCard,
  ListedPayment,
  ListedTransaction,
  LocalOffers,
  LoggedRequest,
  LoggedRequestDetail,
  LookUpIdQuery,
  LookedUp,
  Me,
  NationalOffers,
  PartnerUser,
  PartnerUserCard,
  Payment,
  ReceiveAchRequest,
  RecoverWebhookEndpointRequest,
  RefundAuthorizationRequest,
  RejectDocumentRequest,
  ReplaceCardRequest,
  ResetOrganisationRequest,
  ReturnPaymentRequest,
  Reward,
  RewardPayment,
  RewardableTransaction,
  RotateApiKeyRequest,
  SandboxOrganisation,
  Scenario,
  SettleAuthorizationRequest,
  Statement,
  StatementHtml,
  Transaction,
  UpdatePartnerUserCardRequest,
  UpdatePartnerUserRequest,
  UpdateWebhookEndpointRequest,
  UploadDocumentBackRequest,
  UploadDocumentFrontRequest,
  VerificationToken,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from './types.ts'

export interface AuthorizationsResource {
  /** List authorizations (B1). */
  list(query: ListAuthorizationsQuery, options?: CallOptions): List<Authorization>
  /** Get authorization. */
  get(authorizationId: string, options?: CallOptions): Result<Authorization>
}

export interface CustomersResource {
  /** Create verification token (B2). */
  createVerificationToken(customerId: string, options?: CallOptions): Result<VerificationToken>
  /** List customers. */
  list(query?: ListCustomersQuery, options?: CallOptions): List<Customer>
  /** Get customer. */
  get(customerId: string, options?: CallOptions): Result<Customer>
}

export interface TransactionsResource {
  /** Get transaction (B3). */
  get(transactionId: string, query: GetTransactionQuery, options?: CallOptions): Result<Transaction>
  /** List transactions (B4). */
  list(query?: ListTransactionsQuery, options?: CallOptions): List<ListedTransaction>
}

export interface CardsResource {
  /** Create physical card (B5). */
  create(body: CreateCardRequest, options?: CallOptions): Result<Card>
  /** Replace card (B6). */
  replace(cardId: string, body: ReplaceCardRequest, options?: CallOptions): Result<Card>
  /** List cards (B7). */
  list(query?: ListCardsQuery, options?: CallOptions): List<ListedCard>
  /** Get card. */
  get(cardId: string, options?: CallOptions): Result<Card>
  /** Activate card. */
  activate(cardId: string, options?: CallOptions): Result<Card>
  /** Freeze card. */
  freeze(cardId: string, options?: CallOptions): Result<Card>
  /** Unfreeze card. */
  unfreeze(cardId: string, options?: CallOptions): Result<Card>
  /** Close card. */
  close(cardId: string, options?: CallOptions): Result<Card>
  /** Report card lost. */
  reportLost(cardId: string, options?: CallOptions): Result<Card>
  /** Report card stolen. */
  reportStolen(cardId: string, options?: CallOptions): Result<Card>
}

export interface PaymentsResource {
  /** Create payment (B8). */
  create(accountId: string, body: CreatePaymentRequest, options?: CallOptions): Result<Payment>
  /** Get payment (B9). */
  get(paymentId: string, options?: CallOptions): Result<Payment>
  /** List payments (B10). */
  list(query?: ListPaymentsQuery, options?: CallOptions): List<ListedPayment>
}

export interface ExternalAccountsResource {
  /** Create external account (B11). */
  create(customerId: string, body: CreateExternalAccountRequest, options?: CallOptions): Result<ExternalAccount>
  /** List external accounts (B12). */
  list(customerId: string, query?: ListExternalAccountsQuery, options?: CallOptions): List<ExternalAccount>
  /** Delete external account. */
  delete(externalAccountId: string, options?: CallOptions): Result<undefined>
}

export interface StatementsResource {
  /** List statements (B13). */
  list(query: ListStatementsQuery, options?: CallOptions): List<Statement>
  /** Get statement. */
  get(statementId: string, query?: GetStatementQuery, options?: CallOptions): Result<Statement | StatementHtml>
  /** Get statement as PDF. */
  getPdf(statementId: string, options?: CallOptions): Result<Uint8Array>
}

export interface AccountsResource {
  /** Create account (B14). */
  create(body: CreateAccountRequest, options?: CallOptions): Result<DepositAccount>
  /** Reopen account (B15). */
  reopen(accountId: string, options?: CallOptions): Result<DepositAccount>
  /** Get account (B16). */
  get(accountId: string, options?: CallOptions): Result<DepositAccount>
  /** List accounts. */
  list(query?: ListAccountsQuery, options?: CallOptions): List<DepositAccount>
  /** Close account. */
  close(accountId: string, body: CloseAccountRequest, options?: CallOptions): Result<DepositAccount>
  /** Freeze account. */
  freeze(accountId: string, options?: CallOptions): Result<DepositAccount>
  /** Unfreeze account. */
  unfreeze(accountId: string, options?: CallOptions): Result<DepositAccount>
}

export interface ApplicationsResource {
  /** Upload document back (B17). */
  uploadDocumentBack(applicationId: string, documentId: string, body: UploadDocumentBackRequest, options?: CallOptions): Result<Document>
  /** Create application. */
  create(body: CreateApplicationRequest, options?: CallOptions): Result<Application>
  /** Get application. */
  get(applicationId: string, options?: CallOptions): Result<Application>
  /** Upload document front. */
  uploadDocumentFront(applicationId: string, documentId: string, body: UploadDocumentFrontRequest, options?: CallOptions): Result<Document>
}

export interface OffersResource {
  /** List local offers (R1). */
  listLocal(query: ListLocalOffersQuery, options?: CallOptions): Result<LocalOffers>
  /** List national offers (R2). */
  listNational(query: ListNationalOffersQuery, options?: CallOptions): Result<NationalOffers>
}

export interface PartnerUsersResource {
  /** List partner users (R3). */
  list(query?: ListPartnerUsersQuery, options?: CallOptions): List<PartnerUser>
  /** Create partner user. */
  create(body: CreatePartnerUserRequest, options?: CallOptions): Result<PartnerUser>
  /** Update partner user. */
  update(partnerUserId: string, body: UpdatePartnerUserRequest, options?: CallOptions): Result<PartnerUser>
}

export interface RewardableTransactionsResource {
  /** List rewardable transactions (R4). */
  list(query?: ListRewardableTransactionsQuery, options?: CallOptions): List<RewardableTransaction>
  /** Create rewardable transaction. */
  create(body: CreateRewardableTransactionRequest, options?: CallOptions): Result<RewardableTransaction>
}

export interface RewardPaymentsResource {
  /** List reward payments (R5). */
  list(query?: ListRewardPaymentsQuery, options?: CallOptions): List<RewardPayment>
}

export interface PartnerUserCardsResource {
  /** Create partner user card. */
  create(body: CreatePartnerUserCardRequest, options?: CallOptions): Result<PartnerUserCard>
  /** List partner user cards. */
  list(query?: ListPartnerUserCardsQuery, options?: CallOptions): List<PartnerUserCard>
  /** Update partner user card. */
  update(partnerUserCardId: string, body: UpdatePartnerUserCardRequest, options?: CallOptions): Result<PartnerUserCard>
}

export interface RewardsResource {
  /** List rewards. */
  list(query?: ListRewardsQuery, options?: CallOptions): List<Reward>
  /** Get reward. */
  get(rewardId: string, options?: CallOptions): Result<Reward>
  /** Get daily reconciliation. */
  getDailyReconciliation(query: GetDailyReconciliationQuery, options?: CallOptions): Result<DailyReconciliation>
}

export interface LedgerResource {
  /**
   * List ledger accounts.
   *
   * Lists the chart of accounts of the organisation in the order of their ids: internal accounts, whose ids are
   * negative, come first, then the deposit accounts of customers, oldest first. An internal account is the other side of money
   * that enters or leaves the bank, so the balances of all accounts together are zero.
   *
   * A page is found by the id of the account before it, so accounts that are opened meanwhile shift no page. With a connector
   * the ledger is at the upstream, and the answer is 501.
   */
  listAccounts(query?: ListLedgerAccountsQuery, options?: CallOptions): List<LedgerAccount>
  /**
   * List ledger transfers.
   *
   * Lists the journal of the ledger: every movement of money once, with the debited and the credited account, the
   * record that caused it and the request that made it. Newest first; the transfers of one account come in the order of posting,
   * which is that of their sequence numbers.
   *
   * A page is found by the transfer before it, so new transfers shift no page. Unknown ids find nothing. With a connector the
   * ledger is at the upstream, and the answer is 501.
   */
  listTransfers(query?: ListLedgerTransfersQuery, options?: CallOptions): List<LedgerTransfer>
  /**
   * List ledger flows.
   *
   * Sums the transfers of a time by the kinds of the debited and the credited account: how much money came in, went
   * out and moved between customers. `since` is included and `until` is not, so adjacent ranges add up.
   *
   * A range has at most 366 days, otherwise 422 `range_too_long`. The sums of whole hours are made once and kept. Where an answer
   * needs more of them than can be made within five seconds, it is 503 with `Retry-After`; the next call continues there.
   * Transfers outside of whole past hours are summed for each call: more than a million of them are refused with 422
   * `range_too_long`. With a connector the ledger is at the upstream, and the answer is 501.
   */
  listFlows(query?: ListLedgerFlowsQuery, options?: CallOptions): List<LedgerFlow>
  /**
   * List ledger balances.
   *
   * Lists the balance at the end of each day from `since` to `until`, oldest first: of one account, or of all
   * accounts summed by kind. The sums of all kinds of a day are zero together. Days are those of bank time in UTC; the last one
   * is today, with the balance now. Days before the account was opened have the balance 0.
   *
   * At most 366 days are answered, otherwise 422 `range_too_long`. An unknown account has an empty list. With a connector the
   * ledger is at the upstream, and the answer is 501.
   */
  listBalances(query?: ListLedgerBalancesQuery, options?: CallOptions): List<LedgerBalance>
  /**
   * Get ledger verification.
   *
   * Reads the last check of the laws of the ledger for this organisation: each law with its sentence, whether it
   * holds, and rows that break it. `POST /v0/ledger/verification` runs a check; the result is kept until the next one. Before
   * the first check `status` is `NotRun`. With a connector the ledger is at the upstream, and the answer is 501.
   */
  getVerification(options?: CallOptions): Result<LedgerVerification>
  /**
   * Run ledger verification.
   *
   * Checks the laws of the ledger now, for this organisation alone, and keeps the result for
   * `GET /v0/ledger/verification`. All laws are checked on one snapshot, without locks, so payments go on meanwhile.
   *
   * A check takes at most 25 seconds; the laws that it has not checked by then have `holds` null. A process runs one check at a
   * time: requests of the same organisation wait for it and get its result, those of others wait for their turn, and after 30
   * seconds the answer is 503. No event follows, because nothing changes. With a connector the ledger is at the upstream, and the
   * answer is 501.
   */
  runVerification(options?: CallOptions): Result<LedgerVerification>
}

export interface ApiKeysResource {
  /** Create API key. */
  create(body: CreateApiKeyRequest, options?: CallOptions): Result<IssuedApiKey>
  /** List API keys. */
  list(query?: ListApiKeysQuery, options?: CallOptions): List<ApiKey>
  /** Rotate API key. */
  rotate(apiKeyId: string, body: RotateApiKeyRequest, options?: CallOptions): Result<IssuedApiKey>
  /** Delete API key. */
  delete(apiKeyId: string, options?: CallOptions): Result<undefined>
}

export interface MeResource {
  /**
   * Get own key and service.
   *
   * Shows the API key that made the request, its organisation, and the service: mode, version, providers, and the
   * operations that the key may call here. A tool reads it once to know what to offer.
   *
   * Every key may call it. An operation is listed if the mode and the providers of the service have it and the key has its scopes.
   */
  get(options?: CallOptions): Result<Me>
}

export interface EventsResource {
  /**
   * List events.
   *
   * Lists the events of the organisation by their sequence numbers, which have no gaps: oldest first, or newest first with `sort=-sequence`. With `wait` the call is answered as soon as there is an event; `after=latest` begins with those that come after the call.
   *
   * The events of one record are found by `entityType` and `entityId` without reading the feed, and those of one request by `requestId`. An id that names nothing finds nothing. Parameters that contradict each other are refused with 400.
   */
  list(query?: ListEventsQuery, options?: CallOptions): List<Event>
  /** Get event. */
  get(eventId: string, options?: CallOptions): Result<Event>
  /** Redeliver event. */
  redeliver(eventId: string, options?: CallOptions): Result<Event>
}

export interface EventTypesResource {
  /**
   * List event types.
   *
   * Lists every type of event, in alphabetical order of the records: a sentence that says when it is emitted, the
   * JSON Schema of its `data`, and a sample. The whole list is one page.
   *
   * The list is the same for all organisations, modes and providers; types that only a connector emits are part of it. A schema
   * names the words that are known: where `x-extensible-enum` is true, a provider may send others. Later versions may add types
   * and members.
   */
  list(options?: CallOptions): List<EventTypeInfo>
}

export interface WebhookEndpointsResource {
  /** Create webhook endpoint. */
  create(body: CreateWebhookEndpointRequest, options?: CallOptions): Result<WebhookEndpointWithSecret>
  /** List webhook endpoints. */
  list(query?: ListWebhookEndpointsQuery, options?: CallOptions): List<WebhookEndpoint>
  /** Get webhook endpoint. */
  get(webhookEndpointId: string, options?: CallOptions): Result<WebhookEndpoint>
  /** Update webhook endpoint. */
  update(webhookEndpointId: string, body?: UpdateWebhookEndpointRequest, options?: CallOptions): Result<WebhookEndpoint>
  /** Delete webhook endpoint. */
  delete(webhookEndpointId: string, options?: CallOptions): Result<WebhookEndpoint>
  /** Rotate webhook secret. */
  rotateSecret(webhookEndpointId: string, options?: CallOptions): Result<WebhookEndpointWithSecret>
  /** Test webhook endpoint. */
  test(webhookEndpointId: string, options?: CallOptions): Result<WebhookEndpoint>
  /** Recover webhook endpoint. */
  recover(webhookEndpointId: string, body: RecoverWebhookEndpointRequest, options?: CallOptions): Result<WebhookEndpoint>
  /** List deliveries. */
  listDeliveries(webhookEndpointId: string, query?: ListDeliveriesQuery, options?: CallOptions): List<Delivery>
}

export interface AuditLogResource {
  /** List audit log. */
  list(query?: ListAuditLogQuery, options?: CallOptions): List<AuditEntry>
}

export interface RequestsResource {
  /**
   * List requests.
   *
   * Lists the latest requests of the organisation in the order of their answers, oldest first. With `wait` the call is answered as soon as there is another one.
   *
   * A sandbox keeps up to 5,000 requests of an organisation, and 32 MB of all of them, in the memory of the process that answered them: they are gone when it restarts. Live mode keeps none and answers 501. Requests without a working key are not kept, nor those with the header `X-Purser-Tool`, nor long polls of this list.
   */
  list(query?: ListRequestsQuery, options?: CallOptions): List<LoggedRequest>
  /**
   * Get request.
   *
   * Returns a request with headers and body, its answer, and the ids of the events that it caused. Bodies are kept up to 10 KB. Keys, tokens, secrets, social security numbers and documents read `[redacted]`.
   *
   * Answers 404 once newer requests have taken the place of this one. Live mode keeps no requests and answers 501.
   */
  get(id: string, options?: CallOptions): Result<LoggedRequestDetail>
}

export interface LookupResource {
  /**
   * Look up record.
   *
   * Shows a record of any type with a short label, the records that are linked to it, and the operations that change
   * it. `record` is the record as its own operation shows it; `type` says which schema it has.
   *
   * Each operation of `actions` comes with whether the present state allows it and with the code of the problem that would refuse
   * it. The operations use the same rules; amounts are not judged.
   *
   * The key needs the scope that reads this type (403). `related` names only types that the key may read. With a connector, types
   * that the provider cannot read by their id alone answer 501.
   */
  get(type: 'account' | 'apiKey' | 'application' | 'authorization' | 'card' | 'customer' | 'document' | 'event' | 'externalAccount' | 'partnerUser' | 'partnerUserCard' | 'payment' | 'request' | 'reward' | 'rewardableTransaction' | 'rewardPayment' | 'statement' | 'transaction' | 'webhookEndpoint', id: string, options?: CallOptions): Result<LookedUp>
  /**
   * Look up id.
   *
   * Finds the records that have this id, of every type that the key may read. There can be several, because the
   * records of rewards are numbered for each type. Each is shown as `GET /v0/lookup/:type/:id` shows it.
   *
   * An id that names nothing finds nothing. With a connector, types that the provider cannot read by their id alone are left out.
   */
  find(query: LookUpIdQuery, options?: CallOptions): List<LookedUp>
}

export interface SandboxOrganisationsResource {
  /**
   * Create organisation.
   *
   * Creates an empty organisation and a key that may do everything in it. Nothing is shared with other organisations, except for the catalogue of offers. With `now` its bank time starts at that time, and with `frozen` it moves only when it is advanced, so that a test sees the same times at every run. The secret of the key is shown only in this answer. There are at most 10,000 such organisations (422 `too_many_organisations`); one that has not been used for 24 hours is deleted. An `organisation.created` follows in the feed of the caller.
   */
  create(body?: CreateOrganisationRequest, options?: CallOptions): Result<CreatedOrganisation>
  /**
   * Delete organisation.
   *
   * Deletes the organisation of the key that makes the request. All its keys stop working at once, within five seconds in other processes of the service, and no webhook is sent any more; its records are deleted in the background. Only an organisation that `POST /v0/sandbox/organisations` made can be deleted (409 `organisation_not_deletable`). No event follows, because nobody could read it.
   */
  delete(options?: CallOptions): Result<undefined>
  /**
   * Reset organisation.
   *
   * Gives all keys of the caller’s organisation a new, empty organisation of the same name. Its records, webhook endpoints and events are gone, and no id or event number comes again: `GET /v0/events` goes on behind the last event that the caller saw, with an `organisation.created`. Other processes of the service follow within five seconds. A request that runs at the same time takes effect before the reset or after it. The clock starts anew, as in `POST /v0/sandbox/organisations`.
   */
  reset(body?: ResetOrganisationRequest, options?: CallOptions): Result<SandboxOrganisation>
}

export interface SandboxFaultsResource {
  /**
   * Create fault rule.
   *
   * Lets requests of an operation fail, to test how an app takes it: with a problem (429, 500, 503) before anything is done, after a
   * delay, or by a closed connection after the change was committed. A retry with the same idempotency key then gets the stored
   * answer, and a request that was answered with a problem has not used up its key. Webhook deliveries can be sent twice or after a
   * later event.
   *
   * Of several rules that match, they are tried in the order of their creation, and the first that takes effect is the only one.
   * An answer with a fault has the header `X-Purser-Fault` with the id of the rule, also in `GET /v0/requests`. With `seed`, the
   * same of the matching requests are hit every time. With `times`, a rule that is used up stays in the list until it is deleted or
   * gives way to a new one.
   *
   * A rule applies to the caller’s organisation only, at once in this process and within a second in others. It is refused with
   * `fault_rule_mismatch` if match and effect do not fit, and with `too_many_fault_rules` past 100 rules. No event follows.
   */
  create(body: CreateFaultRuleRequest, options?: CallOptions): Result<FaultRule>
  /**
   * List fault rules.
   *
   * Lists the fault rules of the organisation, newest first, with how often each can still take effect. Rules that are used up are listed with a `remaining` of 0. No fault rule applies to this operation.
   */
  list(query?: ListFaultRulesQuery, options?: CallOptions): List<FaultRule>
  /**
   * Get fault rule.
   *
   * Shows a fault rule of the organisation, with how often it can still take effect. No fault rule applies to this operation.
   */
  get(faultRuleId: string, options?: CallOptions): Result<FaultRule>
  /**
   * Delete fault rule.
   *
   * Deletes a fault rule of the organisation, which then applies to no further request, at once in this process and within a second in others. A request that it delays already goes on waiting. No fault rule applies to this operation, and no event follows.
   */
  delete(faultRuleId: string, options?: CallOptions): Result<undefined>
  /**
   * Delete all fault rules.
   *
   * Deletes all fault rules of the organisation, used up or not, and succeeds also where there is none: a test calls it at its end. `POST /v0/sandbox/reset` deletes them, too. No fault rule applies to this operation, and no event follows.
   */
  deleteAll(options?: CallOptions): Result<undefined>
}

export interface SandboxScenariosResource {
  /**
   * Create scenario.
   *
   * Creates a customer with an account that has received a salary and paid a rent, cards, an open authorization, a purchase, a statement of the month before, and an application that waits for a document. The purchase is made at a merchant with a live national offer, where the catalogue has one, so that it earns a reward. All records come from the operations of the interface and emit their events. With `seed` the names, amounts and days are the same every time; ids are always new.
   */
  create(body?: CreateScenarioRequest, options?: CallOptions): Result<Scenario>
}

export interface SandboxCustomersResource {
  /** Create customer. */
  create(body: CreateCustomerRequest, options?: CallOptions): Result<Customer>
}

export interface SandboxAccountsResource {
  /** Receive ACH. */
  receiveAch(accountId: string, body: ReceiveAchRequest, options?: CallOptions): Result<ListedTransaction>
}

export interface SandboxPaymentsResource {
  /** Return payment. */
  return(paymentId: string, body: ReturnPaymentRequest, options?: CallOptions): Result<Payment>
}

export interface SandboxApplicationsResource {
  /** Approve application. */
  approve(applicationId: string, options?: CallOptions): Result<Application>
  /** Deny application. */
  deny(applicationId: string, options?: CallOptions): Result<Application>
  /** Approve document. */
  approveDocument(applicationId: string, documentId: string, body?: ApproveDocumentRequest, options?: CallOptions): Result<Document>
  /** Reject document. */
  rejectDocument(applicationId: string, documentId: string, body?: RejectDocumentRequest, options?: CallOptions): Result<Document>
}

export interface SandboxAuthorizationsResource {
  /** Create authorization. */
  create(cardId: string, body: CreateAuthorizationRequest, options?: CallOptions): Result<Authorization>
  /** Settle authorization. */
  settle(authorizationId: string, body?: SettleAuthorizationRequest, options?: CallOptions): Result<ListedTransaction>
  /** Reverse authorization. */
  reverse(authorizationId: string, options?: CallOptions): Result<Authorization>
  /** Refund authorization. */
  refund(authorizationId: string, body?: RefundAuthorizationRequest, options?: CallOptions): Result<ListedTransaction>
}

export interface SandboxClockResource {
  /**
   * Get clock.
   *
   * Reads the bank time of the organisation, whether it stands still, and what it brings next: expiries of authorizations, the end of the month, payouts of rewards and webhooks. `POST /v0/sandbox/clock/advance` with `{"to": "next"}` goes to the first of them that lies ahead.
   */
  get(options?: CallOptions): Result<Clock>
  /** Advance clock. */
  advance(body?: AdvanceClockRequest, options?: CallOptions): Result<ClockAdvance>
}

export interface SandboxStatementsResource {
  /** Create statement. */
  create(accountId: string, body: CreateStatementRequest, options?: CallOptions): Result<Statement>
}

export interface SandboxResource {
  organisations: SandboxOrganisationsResource
  faults: SandboxFaultsResource
  scenarios: SandboxScenariosResource
  customers: SandboxCustomersResource
  accounts: SandboxAccountsResource
  payments: SandboxPaymentsResource
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
  partnerUserCards: PartnerUserCardsResource
  rewards: RewardsResource
  ledger: LedgerResource
  apiKeys: ApiKeysResource
  me: MeResource
  events: EventsResource
  eventTypes: EventTypesResource
  webhookEndpoints: WebhookEndpointsResource
  auditLog: AuditLogResource
  requests: RequestsResource
  lookup: LookupResource
  sandbox: SandboxResource
}
