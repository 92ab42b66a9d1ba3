// Generated from the operations by `npm run client`. Do not edit.

/** A refusal, as RFC 9457 defines it. Programs branch on `code`; `detail` is written for people. */
export interface Problem {
  /** The address of the page about this code */
  type: string
  /** The code in words */
  title: string
  /** The status of the response */
  status: number
  /** The reason in a sentence; may change between versions */
  detail: string
  /** The reason; stable */
  code: 'invalid_request' | 'unauthorized' | 'invalid_signature' | 'forbidden' | 'route_not_found' | 'account_not_found' | 'customer_not_found' | 'authorization_not_found' | 'card_not_found' | 'external_account_not_found' | 'partner_user_not_found' | 'partner_user_card_not_found' | 'payment_not_found' | 'reward_not_found' | 'transaction_not_found' | 'statement_not_found' | 'application_not_found' | 'document_not_found' | 'api_key_not_found' | 'event_not_found' | 'record_not_found' | 'request_not_found' | 'fault_rule_not_found' | 'zip_code_not_found' | 'webhook_endpoint_not_found' | 'method_not_allowed' | 'request_timeout' | 'account_not_open' | 'account_not_frozen' | 'account_not_closed' | 'account_closed' | 'api_key_expired' | 'last_api_key' | 'application_wrong_state' | 'document_wrong_state' | 'card_not_linked' | 'already_exists' | 'authorization_not_open' | 'authorization_not_settled' | 'card_already_linked' | 'card_wrong_state' | 'partner_user_exists' | 'payment_not_returnable' | 'wrong_state' | 'webhook_endpoint_disabled' | 'idempotency_in_progress' | 'payload_too_large' | 'unsupported_media_type' | 'insufficient_funds' | 'nothing_held' | 'refund_exceeds_settlement' | 'organisation_not_deletable' | 'too_many_organisations' | 'too_many_fault_rules' | 'fault_rule_mismatch' | 'clock_out_of_range' | 'clock_not_forward' | 'nothing_upcoming' | 'same_account' | 'invalid_routing_number' | 'content_type_mismatch' | 'balance_limit' | 'period_not_over' | 'period_before_account' | 'statement_too_long' | 'range_too_long' | 'payment_rejected' | 'refused_by_provider' | 'webhook_endpoint_limit' | 'webhook_url_refused' | 'idempotency_key_reused' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_outcome_unknown' | 'upstream_unavailable' | 'upstream_timeout' | 'outcome_unknown' | 'unavailable' | (string & {})
  /** Names the request in the logs of the service */
  requestId: string
  /** All faults of an invalid request, or the reasons of a provider */
  errors?: Fault[]
}

export interface Fault {
  /** The member of the body */
  pointer?: string
  /** The parameter or header */
  parameter?: string
  /** The kind of fault; stable */
  code: string
  /** The fault in a sentence; may change between versions */
  message: string
  /** The provider's reference for this refusal */
  supportId?: string
  /** The records of the provider that stand in the way of a new one */
  existingIds?: string[]
}

export interface AuthorizationMerchant {
  name: string
  category: string
  location: string
}

export interface Authorization {
  id: string
  status: 'Authorized' | 'Completed' | 'Canceled' | 'Declined' | (string & {})
  /** Whole cents */
  amount: number
  description: string
  createdAt: string
  cardLast4Digits: string
  merchant: AuthorizationMerchant
  reason?: 'CardNotActive' | 'AccountNotOpen' | 'InsufficientFunds' | (string & {})
}

export interface VerificationToken {
  /** Valid for ten minutes */
  verificationToken: string
}

export interface Counterparty {
  name: string
  routingNumber: string
  accountNumber: string
  accountType: string
}

export interface Transaction {
  type: 'bookTransaction' | (string & {})
  id: string
  attributes: {
  createdAt: string
  /** Whole cents */
  amount: number
  direction: 'Credit' | 'Debit' | (string & {})
  /** Whole cents */
  balance: number
  summary: string
  counterparty: Counterparty
  tags: Record<string, string>
}
  relationships: {
  account: {
  data: {
  type: string
  id: string
}
}
  customer?: {
  data: {
  type: string
  id: string
}
}
  customers?: {
  data: {
  type: string
  id: string
}[]
}
  payment?: {
  data: {
  type: string
  id: string
}
}
  counterpartyAccount?: {
  data: {
  type: string
  id: string
}
}
  counterpartyCustomer?: {
  data: {
  type: string
  id: string
}
}
  org?: {
  data: {
  type: string
  id: string
}
}
}
}

export interface ListedTransaction {
  type: 'bookTransaction' | (string & {})
  id: string
  createdAt: string
  /** Whole cents */
  amount: number
  direction: 'Credit' | 'Debit' | (string & {})
  /** Whole cents */
  balance: number
  summary: string
  counterparty: Counterparty
  tags?: Record<string, string>
}

export type TagsInput = Record<string, string>

export interface MailingAddressInput {
  street: string
  street2?: string | null | undefined
  city: string
  state: string
  postalCode: string
  /** ISO 3166-1; US by default */
  country?: string | undefined
}

export interface PhysicalCardInput {
  type: 'individualDebitCard'
  /** Id of a record: account */
  accountId: string
  /** Id of the customer who holds the card; needed only where an account has several */
  customerId?: string | undefined
  tags?: TagsInput | undefined
  /** The look of the card */
  design?: string | undefined
  shippingAddress: MailingAddressInput
}

export interface VirtualCardInput {
  type: 'individualVirtualDebitCard'
  /** Id of a record: account */
  accountId: string
  /** Id of the customer who holds the card; needed only where an account has several */
  customerId?: string | undefined
  tags?: TagsInput | undefined
}

export type CreateCardRequest = PhysicalCardInput | VirtualCardInput

export interface Address {
  street: string
  street2?: string | null
  city: string
  state: string
  postalCode: string
  /** ISO 3166-1; US by default */
  country?: string
}

export interface Card {
  id: string
  accountId: string
  createdAt: string
  last4Digits: string
  expirationDate: string
  status: 'Inactive' | 'Active' | 'Frozen' | 'Lost' | 'Stolen' | 'ClosedByCustomer' | 'SuspectedFraud' | (string & {})
  type: 'individualDebitCard' | 'individualVirtualDebitCard' | (string & {})
  /** Physical cards only */
  design?: string
  shippingAddress?: Address
}

export interface ReplaceCardRequest {
  shippingAddress: MailingAddressInput
}

export interface ListedCard {
  id: string
  accountId: string
  createdAt: string
  last4Digits: string
  expirationDate: string
  status: 'Inactive' | 'Active' | 'Frozen' | 'Lost' | 'Stolen' | 'ClosedByCustomer' | 'SuspectedFraud' | (string & {})
  type: 'individualDebitCard' | 'individualVirtualDebitCard' | (string & {})
  /** Physical cards only */
  design?: string
  shippingAddress?: Address
}

export interface CreatePaymentRequest {
  /** Whole cents */
  amount: number
  /** Id of a record: externalAccount */
  counterpartyAccountId: string
  description: string
  addenda?: string | undefined
  originalType: 'ACH'
  tags?: TagsInput | undefined
}

export interface Payment {
  id: string
  type: 'achPayment' | 'bookPayment' | (string & {})
  /** Whole cents */
  amount: number
  createdAt: string
  description: string
  direction: 'Credit' | 'Debit' | (string & {})
  status: 'Pending' | 'PendingReview' | 'Clearing' | 'Sent' | 'Rejected' | 'Canceled' | 'Returned' | (string & {})
  originalType: string
  counterparty: Counterparty
}

export interface ListedPayment {
  id: string
  type: 'achPayment' | 'bookPayment' | (string & {})
  /** Whole cents */
  amount: number
  createdAt: string
  description: string
  direction: 'Credit' | 'Debit' | (string & {})
  status: 'Pending' | 'PendingReview' | 'Clearing' | 'Sent' | 'Rejected' | 'Canceled' | 'Returned' | (string & {})
  counterparty: Counterparty
}

export interface CreateExternalAccountRequest {
  type: 'Business' | 'Person' | 'Unknown'
  name: string
  routingNumber: string
  accountNumber: string
  accountType: 'Checking' | 'Savings' | 'Loan'
  permissions?: 'CreditOnly' | undefined
}

export interface ExternalAccount {
  id: string
  createdAt: string
  /** Holder name */
  name: string
  routingNumber: string
  /** Name of the bank behind the routing number */
  bank: string
  accountNumber: string
  accountType: 'Checking' | 'Savings' | 'Loan' | (string & {})
  type: 'Business' | 'Person' | 'Unknown' | (string & {})
  permissions: 'CreditOnly' | (string & {})
  customerId: string
}

export interface Statement {
  type: 'accountStatementDTO' | (string & {})
  id: string
  /** A month, YYYY-MM */
  period: string
  accountId: string
  customerId: string
}

export interface CreateAccountRequest {
  /** Id of a record: customer */
  customerId: string
  tags?: TagsInput | undefined
}

export type Tags = Record<string, string>

export interface DepositAccount {
  id: string
  type: 'depositAccount' | (string & {})
  customerId: string
  createdAt: string
  /** Account holder name */
  name: string
  depositProduct: 'checking' | (string & {})
  routingNumber: string
  accountNumber: string
  currency: 'USD' | (string & {})
  /** Whole cents */
  available: number
  /** Whole cents */
  balance: number
  /** Whole cents */
  hold: number
  status: 'Open' | 'Frozen' | 'Closed' | (string & {})
  tags: Tags
}

export interface UploadDocumentBackRequest {
  /** The file in Base64, at most 20 MiB when decoded */
  file: string
  contentType: 'image/png' | 'image/jpeg' | 'application/pdf'
}

export interface Document {
  id: string
  documentType: 'Passport' | (string & {})
  status: 'Required' | 'ReceivedFront' | 'ReceivedBack' | 'PendingReview' | 'Approved' | 'Invalid' | (string & {})
  description: string
}

export interface Merchant {
  id: string
  name: string
  description: string
  websiteURL: string
  imgUrl: string
}

export interface OperationHours {
  /** Empty if the hours are not known */
  monday: string
  /** Empty if the hours are not known */
  tuesday: string
  /** Empty if the hours are not known */
  wednesday: string
  /** Empty if the hours are not known */
  thursday: string
  /** Empty if the hours are not known */
  friday: string
  /** Empty if the hours are not known */
  saturday: string
  /** Empty if the hours are not known */
  sunday: string
}

export interface OfferAddress {
  street: string
  city: string
  state: string
  zip: string
}

export interface GeoLocation {
  lat: number
  long: number
}

export interface LocalOffer {
  id: string
  title: string
  /** May be empty */
  terms: string
  redeemableOnce: boolean
  offerType: 'INSTORE'
  /** Percent, with at most two decimals */
  commission: number
  expirationDate: string
  merchant: Merchant
  operationHours: OperationHours
  address: OfferAddress
  geoLocation: GeoLocation
  phone: string
}

export interface LocalOffers {
  localRewardOffers: LocalOffer[]
  /** Number of the next page; null on the last page */
  nextPage: number | null
}

export interface NationalOffer {
  id: string
  title: string
  /** May be empty */
  terms: string
  redeemableOnce: boolean
  offerType: 'ONLINE'
  /** Percent, with at most two decimals */
  commission: number
  expirationDate: string
  merchant: Merchant
}

export interface NationalOffers {
  nationalRewardOffers: NationalOffer[]
  /** Number of the next page; null on the last page */
  nextPage: number | null
}

export interface PartnerUser {
  id: number
  /** The issuer's number of the user */
  userId: number
  isRemoved: boolean
  createdAt: string
  updatedAt: string | null
}

export interface RewardableTransaction {
  id: number
  partnerUserCardId: number
  bankTransactionId: string
  createdAt: string
  updatedAt: string | null
}

export interface RewardPayment {
  id: number
  rewardId: number
  paymentId: number
  createdAt: string
  updatedAt: string | null
}

export interface CloseAccountRequest {
  reason: 'ByCustomer' | 'Fraud' | 'NegativeBalance'
}

export interface Customer {
  id: string
  type: 'individualCustomer' | (string & {})
  createdAt: string
  name: string
  email: string | null
  phone: string | null
  address: Address | null
  status: 'Active' | (string & {})
  tags: Tags
}

export interface StatementHtml {
  /** The statement as a page of its own */
  html: string
}

export interface CreateApplicationRequest {
  name: string
  dateOfBirth: string
  /** Nine digits */
  ssn: string
  email: string
  phone: string
  address: MailingAddressInput
  /** Occupation of the applicant. Passed on to the provider; the built-in bank does not store it */
  occupation?: 'ArchitectOrEngineer' | 'BusinessAnalystAccountantOrFinancialAdvisor' | 'CommunityAndSocialServicesWorker' | 'ConstructionMechanicOrMaintenanceWorker' | 'Doctor' | 'Educator' | 'EntertainmentSportsArtsOrMedia' | 'ExecutiveOrManager' | 'FarmerFishermanForester' | 'FoodServiceWorker' | 'GigWorker' | 'HospitalityOfficeOrAdministrativeSupportWorker' | 'HouseholdManager' | 'JanitorHousekeeperLandscaper' | 'Lawyer' | 'ManufacturingOrProductionWorker' | 'MilitaryOrPublicSafety' | 'NurseHealthcareTechnicianOrHealthcareSupport' | 'PersonalCareOrServiceWorker' | 'PilotDriverOperator' | 'SalesRepresentativeBrokerAgent' | 'ScientistOrTechnologist' | 'Student' | undefined
  /** Income in US dollars a year. Passed on to the provider; the built-in bank does not store it */
  annualIncome?: 'UpTo10k' | 'Between10kAnd25k' | 'Between25kAnd50k' | 'Between50kAnd100k' | 'Between100kAnd250k' | 'Over250k' | undefined
  /** Main source of income. Passed on to the provider; the built-in bank does not store it */
  sourceOfIncome?: 'EmploymentOrPayrollIncome' | 'PartTimeOrContractorIncome' | 'InheritancesAndGifts' | 'PersonalInvestments' | 'BusinessOwnershipInterests' | 'GovernmentBenefits' | undefined
  /** IP address, version 4 or 6, from which the person applies. Passed on to the provider; the built-in bank does not store it */
  ip?: string | undefined
}

export interface Application {
  id: string
  status: 'AwaitingDocuments' | 'PendingReview' | 'Approved' | 'Denied' | (string & {})
  createdAt: string
  name: string
  email: string
  customerId?: string
  documents: Document[]
}

export interface UploadDocumentFrontRequest {
  /** The file in Base64, at most 20 MiB when decoded */
  file: string
  contentType: 'image/png' | 'image/jpeg' | 'application/pdf'
}

export interface CreatePartnerUserRequest {
  /** The issuer's number of the user */
  userId: number
}

export interface UpdatePartnerUserRequest {
  isRemoved: boolean
}

export interface CreatePartnerUserCardRequest {
  /** Id of a record: partnerUser */
  partnerUserId: number
  /** Id of a record: card */
  bankCardId: string
}

export interface PartnerUserCard {
  id: number
  partnerUserId: number
  bankCardId: string
  isRemoved: boolean
  createdAt: string
  updatedAt: string | null
}

export interface UpdatePartnerUserCardRequest {
  isRemoved: boolean
}

export interface CreateRewardableTransactionRequest {
  /** Id of a record: card */
  bankCardId: string
  /** Id of a record: purchase */
  bankTransactionId: string
}

export interface Reward {
  id: number
  partnerUserId: number
  rewardableTransactionId: number
  offerId: string
  merchantName: string
  /** Whole cents */
  amount: number
  /** Whole cents */
  userAmount: number
  state: 'PENDING' | 'CONFIRMED' | 'PAID' | 'REJECTED' | 'REVERSED' | 'CLAWED_BACK'
  createdAt: string
  updatedAt: string | null
}

export interface PurchaseSum {
  count: number
  /** Whole cents */
  amount: number
}

export interface RewardSum {
  count: number
  /** Whole cents */
  userAmount: number
  /** Whole cents */
  issuerAmount: number
}

export interface PayoutSum {
  count: number
  /** Whole cents */
  amount: number
}

export interface LedgerSum {
  /** Whole cents */
  payouts: number
  /** Whole cents */
  clawBacks: number
  /** Whole cents */
  fundingBalance: number
}

export interface DailyReconciliation {
  /** A day of bank time, in UTC */
  date: string
  purchases: PurchaseSum
  rewards: RewardSum
  payouts: PayoutSum
  ledger: LedgerSum
  /** Whether the payouts of the records are those of the ledger */
  balanced: boolean
}

/** The owner of an account: a customer, or the bank for an internal account */
export interface LedgerAccountOwner {
  type: 'customer' | 'bank' | (string & {})
  /** Id of the customer; null for the bank */
  id: string | null
  /** Name of the customer, or `Purser` */
  name: string
}

/** An account as the ledger keeps it */
export interface LedgerAccount {
  /** Id of the account; negative for an internal account, which only the operations on the ledger know */
  id: string
  kind: 'deposit' | 'achClearing' | 'cardSettlement' | 'rewardsFunding' | (string & {})
  name: string
  owner: LedgerAccountOwner
  status: 'Open' | 'Frozen' | 'Closed' | (string & {})
  /** Number under which other banks know the account; null for an internal account */
  accountNumber: string | null
  /** Number that distinguishes internal accounts of one kind: parallel writers post to accounts of their own. Null for a deposit account */
  slot: number | null
  /** Posted balance in cents. That of an internal account is negative where more money came in than went out */
  balance: number
  /** Cents that open card authorizations hold */
  hold: number
  /** Balance less hold, in cents */
  available: number
  /** Number of transfers that have touched the account */
  transfers: number
  /** Bank time of the latest transfer; null before the first */
  lastTransferAt: string | null
  createdAt: string
}

/** One of the two accounts of a transfer */
export interface LedgerTransferSide {
  /** Id of the account; negative for an internal account, which only the operations on the ledger know */
  accountId: string
  kind: 'deposit' | 'achClearing' | 'cardSettlement' | 'rewardsFunding' | (string & {})
  /** Name of the account */
  name: string
  /** Id of the transaction that the account shows; null for an internal account */
  transactionId: string | null
  /** Number of the transfer along the account. The numbers of an account have no gaps */
  sequence: number
  /** Balance of the account after the transfer, in cents */
  balance: number
}

/** The record that caused a transfer */
export interface LedgerTransferSource {
  type: 'payment' | 'authorization' | 'reward' | (string & {})
  /** Id of the payment, authorization or reward */
  id: string
}

/** A movement of money from the debited to the credited account. A transfer never changes */
export interface LedgerTransfer {
  id: string
  kind: 'payment' | 'paymentReturn' | 'receivedAch' | 'cardSettlement' | 'cardRefund' | 'reward' | 'rewardClawback' | (string & {})
  /** Whole cents */
  amount: number
  debit: LedgerTransferSide
  credit: LedgerTransferSide
  /** The record that caused the transfer; null for an incoming ACH transfer, which has no other record */
  source: LedgerTransferSource | null
  description: string | null
  /** Id of the request that made the transfer; null where the bank made it by itself */
  requestId: string | null
  createdAt: string
}

/** The money that moved from the accounts of one kind (`debitKind`) to those of another (`creditKind`) */
export interface LedgerFlow {
  debitKind: 'deposit' | 'achClearing' | 'cardSettlement' | 'rewardsFunding' | (string & {})
  creditKind: 'deposit' | 'achClearing' | 'cardSettlement' | 'rewardsFunding' | (string & {})
  /** Number of transfers */
  transfers: number
  /** Sum of the transfers in cents */
  amount: number
}

/** The balance of an account, or of all accounts of a kind, at the end of a day */
export interface LedgerBalance {
  /** A day of bank time, in UTC */
  date: string
  /** Null for the sum of all accounts of a kind */
  accountId: string | null
  kind: 'deposit' | 'achClearing' | 'cardSettlement' | 'rewardsFunding' | (string & {})
  /** Balance at the end of the day in cents; of today, the balance now */
  balance: number
  /** Number of transfers of the day; null for the sum of deposit accounts */
  transfers: number | null
}

/** A row of the database that breaks a law: names of columns with their values */
export type LedgerBreach = Record<string, string | number | boolean | null>

/** An invariant of the ledger, and whether it holds */
export interface LedgerLaw {
  /** The law as a sentence */
  law: string
  /** Null where the law was not checked */
  holds: boolean | null
  /** Up to 20 rows that break the law; empty where it holds */
  rows: LedgerBreach[]
  /** Whether further rows break the law */
  more: boolean
}

/** A check of the laws of the ledger for one organisation */
export interface LedgerVerification {
  /** `NotRun` before the first check; `Holds` where every law holds; `Broken` where one does not; `Incomplete` where the time was over before every law was checked, and those that were checked hold */
  status: 'NotRun' | 'Holds' | 'Broken' | 'Incomplete' | (string & {})
  /** Bank time of the state that was checked; null before the first check */
  checkedAt: string | null
  /** Duration of the check in milliseconds; null before the first check */
  durationMs: number | null
  laws: LedgerLaw[]
}

export interface CreateApiKeyRequest {
  /** Purpose of the key */
  name: string
  scopes?: ('banking:read' | 'banking:write' | 'rewards:read' | 'rewards:write' | 'events:read' | 'webhooks:write' | 'keys:write' | 'sandbox:write')[] | undefined
  /** When the key stops working */
  expiresAt?: string | undefined
}

export interface IssuedApiKey {
  id: string
  /** Purpose of the key */
  name: string
  /** Null for a key without restriction */
  scopes: ('banking:read' | 'banking:write' | 'rewards:read' | 'rewards:write' | 'events:read' | 'webhooks:write' | 'keys:write' | 'sandbox:write')[] | null
  createdAt: string
  expiresAt: string | null
  /** Updated once a minute */
  lastUsedAt: string | null
  /** The secret, which is shown only once */
  key: string
}

export interface ApiKey {
  id: string
  /** Purpose of the key */
  name: string
  /** Null for a key without restriction */
  scopes: ('banking:read' | 'banking:write' | 'rewards:read' | 'rewards:write' | 'events:read' | 'webhooks:write' | 'keys:write' | 'sandbox:write')[] | null
  createdAt: string
  expiresAt: string | null
  /** Updated once a minute */
  lastUsedAt: string | null
}

export interface RotateApiKeyRequest {
  /** How long the earlier secrets go on working */
  graceSeconds: number
}

/** The organisation that the key belongs to */
export interface MyOrganisation {
  id: string
  /** Name of the organisation */
  name: string
}

/** The key that made the request */
export interface MyApiKey {
  id: string
  /** Purpose of the key */
  name: string
  /** Null for a key without restriction */
  scopes: ('banking:read' | 'banking:write' | 'rewards:read' | 'rewards:write' | 'events:read' | 'webhooks:write' | 'keys:write' | 'sandbox:write')[] | null
  /** When the secret that was sent stops working: at the expiry of the key, or at the end of its grace after a rotation. Null for no end */
  expiresAt: string | null
}

/** The provider of each area */
export interface Providers {
  /** Provider of accounts, payments and cards */
  banking: 'builtin' | 'unit' | (string & {})
  /** Provider of the offers */
  rewards: 'builtin' | 'kard' | (string & {})
}

export interface Me {
  organisation: MyOrganisation
  key: MyApiKey
  /** The mode of the service */
  mode: 'sandbox' | 'live' | (string & {})
  /** Version of the service */
  version: string
  providers: Providers
  /** Ids of the operations that this service has and the key may call, in the order of the index */
  operations: string[]
}

/** The record that changed, and its version after the change */
export interface EventEntity {
  type: string
  id: string
  version: number
}

/** The request that made the change; null where the bank made it */
export interface EventRequest {
  id: string | null
  idempotencyKey: string | null
}

export type Event = AccountCreatedEvent | AccountClosedEvent | AccountReopenedEvent | AccountFrozenEvent | AccountUnfrozenEvent | ApiKeyCreatedEvent | ApiKeyRotatedEvent | ApiKeyRevokedEvent | ApplicationCreatedEvent | ApplicationAwaitingDocumentsEvent | ApplicationPendingReviewEvent | ApplicationApprovedEvent | ApplicationDeniedEvent | ApplicationCanceledEvent | AuthorizationCreatedEvent | AuthorizationDeclinedEvent | AuthorizationAmountChangedEvent | AuthorizationCanceledEvent | AuthorizationCompletedEvent | CardCreatedEvent | CardActivatedEvent | CardReplacedEvent | CardStatusChangedEvent | CustomerCreatedEvent | CustomerUpdatedEvent | CustomerArchivedEvent | DocumentApprovedEvent | DocumentRejectedEvent | ExternalAccountCreatedEvent | ExternalAccountDeletedEvent | OrganisationCreatedEvent | PartnerUserCreatedEvent | PartnerUserUpdatedEvent | PartnerUserCardCreatedEvent | PartnerUserCardUpdatedEvent | PaymentCreatedEvent | PaymentPendingReviewEvent | PaymentClearingEvent | PaymentSentEvent | PaymentRejectedEvent | PaymentCanceledEvent | PaymentReturnedEvent | ReceivedPaymentCreatedEvent | ReceivedPaymentAdvancedEvent | ReceivedPaymentCompletedEvent | ReceivedPaymentMarkedForReturnEvent | ReceivedPaymentReturnedEvent | RewardCreatedEvent | RewardAmountChangedEvent | RewardConfirmedEvent | RewardPaidEvent | RewardRejectedEvent | RewardReversedEvent | RewardClawedBackEvent | RewardableTransactionCreatedEvent | RewardPaymentCreatedEvent | StatementCreatedEvent | TransactionCreatedEvent | UpstreamEventFailedEvent | VerificationTokenCreatedEvent | WebhookEndpointCreatedEvent | WebhookEndpointDeletedEvent | WebhookEndpointDisabledEvent | WebhookEndpointSecretRotatedEvent | WebhookEndpointUpdatedEvent

/** JSON Schema (2020-12) of the `data` of an event. It refers to nothing outside itself */
export type JsonSchema = Record<string, unknown>

export interface EventTypeInfo {
  /** The type, as `type` of an event names it */
  type: 'account.created' | 'account.closed' | 'account.reopened' | 'account.frozen' | 'account.unfrozen' | 'apiKey.created' | 'apiKey.rotated' | 'apiKey.revoked' | 'application.created' | 'application.awaitingDocuments' | 'application.pendingReview' | 'application.approved' | 'application.denied' | 'application.canceled' | 'authorization.created' | 'authorization.declined' | 'authorization.amountChanged' | 'authorization.canceled' | 'authorization.completed' | 'card.created' | 'card.activated' | 'card.replaced' | 'card.statusChanged' | 'customer.created' | 'customer.updated' | 'customer.archived' | 'document.approved' | 'document.rejected' | 'externalAccount.created' | 'externalAccount.deleted' | 'organisation.created' | 'partnerUser.created' | 'partnerUser.updated' | 'partnerUserCard.created' | 'partnerUserCard.updated' | 'payment.created' | 'payment.pendingReview' | 'payment.clearing' | 'payment.sent' | 'payment.rejected' | 'payment.canceled' | 'payment.returned' | 'receivedPayment.created' | 'receivedPayment.advanced' | 'receivedPayment.completed' | 'receivedPayment.markedForReturn' | 'receivedPayment.returned' | 'reward.created' | 'reward.amountChanged' | 'reward.confirmed' | 'reward.paid' | 'reward.rejected' | 'reward.reversed' | 'reward.clawedBack' | 'rewardableTransaction.created' | 'rewardPayment.created' | 'statement.created' | 'transaction.created' | 'upstreamEvent.failed' | 'verificationToken.created' | 'webhookEndpoint.created' | 'webhookEndpoint.deleted' | 'webhookEndpoint.disabled' | 'webhookEndpoint.secretRotated' | 'webhookEndpoint.updated'
  /** When the event is emitted */
  description: string
  schema: JsonSchema
  sample: Event
}

export interface CreateWebhookEndpointRequest {
  url: string
  /** Types of events to send: payment.* means all types of payment events, * means all events */
  events: ('*' | 'account.*' | 'apiKey.*' | 'application.*' | 'authorization.*' | 'card.*' | 'customer.*' | 'document.*' | 'externalAccount.*' | 'organisation.*' | 'partnerUser.*' | 'partnerUserCard.*' | 'payment.*' | 'receivedPayment.*' | 'reward.*' | 'rewardableTransaction.*' | 'rewardPayment.*' | 'statement.*' | 'transaction.*' | 'upstreamEvent.*' | 'verificationToken.*' | 'webhookEndpoint.*' | 'account.created' | 'account.closed' | 'account.reopened' | 'account.frozen' | 'account.unfrozen' | 'apiKey.created' | 'apiKey.rotated' | 'apiKey.revoked' | 'application.created' | 'application.awaitingDocuments' | 'application.pendingReview' | 'application.approved' | 'application.denied' | 'application.canceled' | 'authorization.created' | 'authorization.declined' | 'authorization.amountChanged' | 'authorization.canceled' | 'authorization.completed' | 'card.created' | 'card.activated' | 'card.replaced' | 'card.statusChanged' | 'customer.created' | 'customer.updated' | 'customer.archived' | 'document.approved' | 'document.rejected' | 'externalAccount.created' | 'externalAccount.deleted' | 'organisation.created' | 'partnerUser.created' | 'partnerUser.updated' | 'partnerUserCard.created' | 'partnerUserCard.updated' | 'payment.created' | 'payment.pendingReview' | 'payment.clearing' | 'payment.sent' | 'payment.rejected' | 'payment.canceled' | 'payment.returned' | 'receivedPayment.created' | 'receivedPayment.advanced' | 'receivedPayment.completed' | 'receivedPayment.markedForReturn' | 'receivedPayment.returned' | 'reward.created' | 'reward.amountChanged' | 'reward.confirmed' | 'reward.paid' | 'reward.rejected' | 'reward.reversed' | 'reward.clawedBack' | 'rewardableTransaction.created' | 'rewardPayment.created' | 'statement.created' | 'transaction.created' | 'upstreamEvent.failed' | 'verificationToken.created' | 'webhookEndpoint.created' | 'webhookEndpoint.deleted' | 'webhookEndpoint.disabled' | 'webhookEndpoint.secretRotated' | 'webhookEndpoint.updated')[]
  description?: string | undefined
}

export interface WebhookEndpointWithSecret {
  id: string
  url: string
  events: string[]
  description: string | null
  status: 'Enabled' | 'Disabled'
  disabledReason: 'Requested' | 'Gone' | 'Failing' | null
  createdAt: string
  secret: string
}

export interface WebhookEndpoint {
  id: string
  url: string
  events: string[]
  description: string | null
  status: 'Enabled' | 'Disabled'
  disabledReason: 'Requested' | 'Gone' | 'Failing' | null
  createdAt: string
}

export interface UpdateWebhookEndpointRequest {
  url?: string | undefined
  /** Types of events to send: payment.* means all types of payment events, * means all events */
  events?: ('*' | 'account.*' | 'apiKey.*' | 'application.*' | 'authorization.*' | 'card.*' | 'customer.*' | 'document.*' | 'externalAccount.*' | 'organisation.*' | 'partnerUser.*' | 'partnerUserCard.*' | 'payment.*' | 'receivedPayment.*' | 'reward.*' | 'rewardableTransaction.*' | 'rewardPayment.*' | 'statement.*' | 'transaction.*' | 'upstreamEvent.*' | 'verificationToken.*' | 'webhookEndpoint.*' | 'account.created' | 'account.closed' | 'account.reopened' | 'account.frozen' | 'account.unfrozen' | 'apiKey.created' | 'apiKey.rotated' | 'apiKey.revoked' | 'application.created' | 'application.awaitingDocuments' | 'application.pendingReview' | 'application.approved' | 'application.denied' | 'application.canceled' | 'authorization.created' | 'authorization.declined' | 'authorization.amountChanged' | 'authorization.canceled' | 'authorization.completed' | 'card.created' | 'card.activated' | 'card.replaced' | 'card.statusChanged' | 'customer.created' | 'customer.updated' | 'customer.archived' | 'document.approved' | 'document.rejected' | 'externalAccount.created' | 'externalAccount.deleted' | 'organisation.created' | 'partnerUser.created' | 'partnerUser.updated' | 'partnerUserCard.created' | 'partnerUserCard.updated' | 'payment.created' | 'payment.pendingReview' | 'payment.clearing' | 'payment.sent' | 'payment.rejected' | 'payment.canceled' | 'payment.returned' | 'receivedPayment.created' | 'receivedPayment.advanced' | 'receivedPayment.completed' | 'receivedPayment.markedForReturn' | 'receivedPayment.returned' | 'reward.created' | 'reward.amountChanged' | 'reward.confirmed' | 'reward.paid' | 'reward.rejected' | 'reward.reversed' | 'reward.clawedBack' | 'rewardableTransaction.created' | 'rewardPayment.created' | 'statement.created' | 'transaction.created' | 'upstreamEvent.failed' | 'verificationToken.created' | 'webhookEndpoint.created' | 'webhookEndpoint.deleted' | 'webhookEndpoint.disabled' | 'webhookEndpoint.secretRotated' | 'webhookEndpoint.updated')[] | undefined
  description?: string | null | undefined
  status?: 'Enabled' | 'Disabled' | undefined
}

export interface RecoverWebhookEndpointRequest {
  /** Deliveries created after this time are sent again */
  since: string
}

export interface DeliveryAttempt {
  at: string
  status: 'Succeeded' | 'Failed'
  responseStatus: number | null
  durationMs: number
  error: string | null
  response: string | null
}

export interface Delivery {
  eventId: string
  eventType: string
  status: 'Pending' | 'Succeeded' | 'Failed'
  createdAt: string
  nextAttemptAt: string | null
  /** The latest twenty attempts, oldest first */
  attempts: DeliveryAttempt[]
}

export interface Actor {
  type: 'apiKey' | 'bank'
  id: string | null
  name: string | null
}

export interface RecordReference {
  type: string
  id: string
}

export interface Denial {
  code: 'unauthorized' | 'forbidden'
  path: string
  address: string
  /** Number of denied requests of the key since its previous entry that were not stored */
  unwritten: number
}

export interface AuditEntry {
  at: string
  outcome: 'Done' | 'Denied'
  /** The type of the event; for a denied request, the operation */
  action: string
  actor: Actor
  record: RecordReference | null
  requestId: string | null
  eventId: string | null
  denial: Denial | null
}

export interface LoggedRequest {
  /** Number of the entry, higher than those of earlier entries, also after a restart */
  sequence: number
  /** Id of the entry */
  id: string
  /** The header `X-Request-Id`, which callers may choose and repeat */
  requestId: string
  /** When the request arrived, in real time */
  at: string
  /** Id of the operation */
  operation: string
  method: string
  path: string
  /** The query string, without the question mark */
  query: string | null
  /** HTTP status of the answer */
  status: number
  /** Code of the problem; null for a success */
  code: string | null
  /** Milliseconds until the answer was ready */
  ms: number
  /** Id of the API key */
  apiKeyId: string
  /** The idempotency key that the caller sent */
  idempotencyKey: string | null
  /** Whether the answer is that of an earlier request with the same key */
  replayed: boolean
}

export interface LoggedMessage {
  /** Names in lower case. Keys, tokens and cookies read `[redacted]` */
  headers: Record<string, string>
  /** The body as text; null without one and for a file. Secrets and documents read `[redacted]`, and so does a body that cannot be searched for them */
  body: string | null
  /** Whether the body was longer than 10 KB and only a part of it is shown */
  truncated: boolean
}

export interface LoggedRequestDetail {
  /** Number of the entry, higher than those of earlier entries, also after a restart */
  sequence: number
  /** Id of the entry */
  id: string
  /** The header `X-Request-Id`, which callers may choose and repeat */
  requestId: string
  /** When the request arrived, in real time */
  at: string
  /** Id of the operation */
  operation: string
  method: string
  path: string
  /** The query string, without the question mark */
  query: string | null
  /** HTTP status of the answer */
  status: number
  /** Code of the problem; null for a success */
  code: string | null
  /** Milliseconds until the answer was ready */
  ms: number
  /** Id of the API key */
  apiKeyId: string
  /** The idempotency key that the caller sent */
  idempotencyKey: string | null
  /** Whether the answer is that of an earlier request with the same key */
  replayed: boolean
  request: LoggedMessage
  response: LoggedMessage
  /** Ids of the events that the request caused */
  events: string[]
}

export interface RelatedRecord {
  /** How the record is related: its type, or its part, such as `destinationAccount` of a payment */
  relation: string
  /** Type of the record */
  type: 'account' | 'apiKey' | 'application' | 'authorization' | 'card' | 'customer' | 'document' | 'event' | 'externalAccount' | 'partnerUser' | 'partnerUserCard' | 'payment' | 'request' | 'reward' | 'rewardableTransaction' | 'rewardPayment' | 'statement' | 'transaction' | 'webhookEndpoint'
  /** Id of the related record */
  id: string
}

export interface RecordAction {
  /** Id of the operation */
  operation: string
  /** Whether the present state of the record allows the operation; amounts are not judged. Null where a connector serves the record: then its provider decides */
  allowed: boolean | null
  /** Code of the problem that would refuse the operation; null where none would */
  problem: string | null
}

export interface LookedUpDepositAccount {
  type: 'account'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: DepositAccount
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export interface LookedUpApiKey {
  type: 'apiKey'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: ApiKey
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export interface LookedUpApplication {
  type: 'application'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: Application
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export interface LookedUpAuthorization {
  type: 'authorization'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: Authorization
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export interface LookedUpCard {
  type: 'card'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: Card
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export interface LookedUpCustomer {
  type: 'customer'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: Customer
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export interface LookedUpDocument {
  type: 'document'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: Document
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export interface LookedUpEvent {
  type: 'event'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: Event
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export interface LookedUpExternalAccount {
  type: 'externalAccount'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: ExternalAccount
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export interface LookedUpPartnerUser {
  type: 'partnerUser'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: PartnerUser
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export interface LookedUpPartnerUserCard {
  type: 'partnerUserCard'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: PartnerUserCard
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export interface LookedUpPayment {
  type: 'payment'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: Payment
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export interface LookedUpRequest {
  type: 'request'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: LoggedRequestDetail
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export interface LookedUpReward {
  type: 'reward'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: Reward
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export interface LookedUpRewardableTransaction {
  type: 'rewardableTransaction'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: RewardableTransaction
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export interface LookedUpRewardPayment {
  type: 'rewardPayment'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: RewardPayment
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export interface LookedUpStatement {
  type: 'statement'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: Statement
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export interface LookedUpTransaction {
  type: 'transaction'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: Transaction
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export interface LookedUpWebhookEndpoint {
  type: 'webhookEndpoint'
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  record: WebhookEndpoint
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

export type LookedUp = LookedUpDepositAccount | LookedUpApiKey | LookedUpApplication | LookedUpAuthorization | LookedUpCard | LookedUpCustomer | LookedUpDocument | LookedUpEvent | LookedUpExternalAccount | LookedUpPartnerUser | LookedUpPartnerUserCard | LookedUpPayment | LookedUpRequest | LookedUpReward | LookedUpRewardableTransaction | LookedUpRewardPayment | LookedUpStatement | LookedUpTransaction | LookedUpWebhookEndpoint

export interface CreateOrganisationRequest {
  /** Name to recognise it by */
  name?: string | undefined
  /** Bank time at which the clock starts, from 2000 to 2999; the present by default */
  now?: string | undefined
  /** Whether the clock stands still until it is advanced; it runs by default */
  frozen?: boolean | undefined
}

export interface CreatedOrganisation {
  id: string
  /** Name of the organisation; it need not be unique */
  name: string
  /** Bank time at which the clock of the organisation started */
  createdAt: string
  /** Whether bank time stands still and moves only when it is advanced */
  frozen: boolean
  apiKey: IssuedApiKey
}

export interface ResetOrganisationRequest {
  /** Bank time at which the clock starts, from 2000 to 2999; the present by default */
  now?: string | undefined
  /** Whether the clock stands still until it is advanced; it runs by default */
  frozen?: boolean | undefined
}

export interface SandboxOrganisation {
  id: string
  /** Name of the organisation; it need not be unique */
  name: string
  /** Bank time at which the clock of the organisation started */
  createdAt: string
  /** Whether bank time stands still and moves only when it is advanced */
  frozen: boolean
}

/** The requests of an operation, or the webhook deliveries of a type of event */
export interface FaultMatchInput {
  /** Id of an operation: the rule applies to its requests. The operations on fault rules are exempt */
  operation?: string | undefined
  /** Only requests that name this account as `accountId` in their path or query */
  accountId?: string | undefined
  /** Type of event: the rule applies to its webhook deliveries. `payment.*` means all types of payment events, `*` all events */
  eventType?: '*' | 'account.*' | 'apiKey.*' | 'application.*' | 'authorization.*' | 'card.*' | 'customer.*' | 'document.*' | 'externalAccount.*' | 'organisation.*' | 'partnerUser.*' | 'partnerUserCard.*' | 'payment.*' | 'receivedPayment.*' | 'reward.*' | 'rewardableTransaction.*' | 'rewardPayment.*' | 'statement.*' | 'transaction.*' | 'upstreamEvent.*' | 'verificationToken.*' | 'webhookEndpoint.*' | 'account.created' | 'account.closed' | 'account.reopened' | 'account.frozen' | 'account.unfrozen' | 'apiKey.created' | 'apiKey.rotated' | 'apiKey.revoked' | 'application.created' | 'application.awaitingDocuments' | 'application.pendingReview' | 'application.approved' | 'application.denied' | 'application.canceled' | 'authorization.created' | 'authorization.declined' | 'authorization.amountChanged' | 'authorization.canceled' | 'authorization.completed' | 'card.created' | 'card.activated' | 'card.replaced' | 'card.statusChanged' | 'customer.created' | 'customer.updated' | 'customer.archived' | 'document.approved' | 'document.rejected' | 'externalAccount.created' | 'externalAccount.deleted' | 'organisation.created' | 'partnerUser.created' | 'partnerUser.updated' | 'partnerUserCard.created' | 'partnerUserCard.updated' | 'payment.created' | 'payment.pendingReview' | 'payment.clearing' | 'payment.sent' | 'payment.rejected' | 'payment.canceled' | 'payment.returned' | 'receivedPayment.created' | 'receivedPayment.advanced' | 'receivedPayment.completed' | 'receivedPayment.markedForReturn' | 'receivedPayment.returned' | 'reward.created' | 'reward.amountChanged' | 'reward.confirmed' | 'reward.paid' | 'reward.rejected' | 'reward.reversed' | 'reward.clawedBack' | 'rewardableTransaction.created' | 'rewardPayment.created' | 'statement.created' | 'transaction.created' | 'upstreamEvent.failed' | 'verificationToken.created' | 'webhookEndpoint.created' | 'webhookEndpoint.deleted' | 'webhookEndpoint.disabled' | 'webhookEndpoint.secretRotated' | 'webhookEndpoint.updated' | undefined
}

/** `status`, `delayMs` and `dropAfterCommit` are for requests, `duplicate` and `reorder` for webhook deliveries */
export interface FaultEffectInput {
  /** Milliseconds that the request waits before anything is done; alone, or beside another effect */
  delayMs?: number | undefined
  /** The request is answered with this status and its problem, and has no effect: `rate_limited` (429), `internal_error` (500) or `unavailable` (503) */
  status?: 429 | 500 | 503 | undefined
  /** The request is carried out and committed, and its connection is closed instead of an answer */
  dropAfterCommit?: true | undefined
  /** The delivery is sent a second time after a success */
  duplicate?: true | undefined
  /** The delivery is held back until a later event has been sent to the endpoint, for five seconds at most. Events of one record keep their order */
  reorder?: true | undefined
}

/** The new rule */
export interface CreateFaultRuleRequest {
  match: FaultMatchInput
  effect: FaultEffectInput
  /** Share of the matching requests or deliveries that the effect happens to */
  probability?: number | undefined
  /** The effect happens so often at most; without it there is no limit */
  times?: number | undefined
  /** The same seed lets the same matches take effect, counted from the creation of the rule */
  seed?: number | undefined
}

/** The requests of an operation, or the webhook deliveries of a type of event */
export interface FaultMatch {
  /** Id of an operation: the rule applies to its requests. The operations on fault rules are exempt */
  operation?: string
  /** Only requests that name this account as `accountId` in their path or query */
  accountId?: string
  /** Type of event: the rule applies to its webhook deliveries. `payment.*` means all types of payment events, `*` all events */
  eventType?: '*' | 'account.*' | 'apiKey.*' | 'application.*' | 'authorization.*' | 'card.*' | 'customer.*' | 'document.*' | 'externalAccount.*' | 'organisation.*' | 'partnerUser.*' | 'partnerUserCard.*' | 'payment.*' | 'receivedPayment.*' | 'reward.*' | 'rewardableTransaction.*' | 'rewardPayment.*' | 'statement.*' | 'transaction.*' | 'upstreamEvent.*' | 'verificationToken.*' | 'webhookEndpoint.*' | 'account.created' | 'account.closed' | 'account.reopened' | 'account.frozen' | 'account.unfrozen' | 'apiKey.created' | 'apiKey.rotated' | 'apiKey.revoked' | 'application.created' | 'application.awaitingDocuments' | 'application.pendingReview' | 'application.approved' | 'application.denied' | 'application.canceled' | 'authorization.created' | 'authorization.declined' | 'authorization.amountChanged' | 'authorization.canceled' | 'authorization.completed' | 'card.created' | 'card.activated' | 'card.replaced' | 'card.statusChanged' | 'customer.created' | 'customer.updated' | 'customer.archived' | 'document.approved' | 'document.rejected' | 'externalAccount.created' | 'externalAccount.deleted' | 'organisation.created' | 'partnerUser.created' | 'partnerUser.updated' | 'partnerUserCard.created' | 'partnerUserCard.updated' | 'payment.created' | 'payment.pendingReview' | 'payment.clearing' | 'payment.sent' | 'payment.rejected' | 'payment.canceled' | 'payment.returned' | 'receivedPayment.created' | 'receivedPayment.advanced' | 'receivedPayment.completed' | 'receivedPayment.markedForReturn' | 'receivedPayment.returned' | 'reward.created' | 'reward.amountChanged' | 'reward.confirmed' | 'reward.paid' | 'reward.rejected' | 'reward.reversed' | 'reward.clawedBack' | 'rewardableTransaction.created' | 'rewardPayment.created' | 'statement.created' | 'transaction.created' | 'upstreamEvent.failed' | 'verificationToken.created' | 'webhookEndpoint.created' | 'webhookEndpoint.deleted' | 'webhookEndpoint.disabled' | 'webhookEndpoint.secretRotated' | 'webhookEndpoint.updated'
}

/** `status`, `delayMs` and `dropAfterCommit` are for requests, `duplicate` and `reorder` for webhook deliveries */
export interface FaultEffect {
  /** Milliseconds that the request waits before anything is done; alone, or beside another effect */
  delayMs?: number
  /** The request is answered with this status and its problem, and has no effect: `rate_limited` (429), `internal_error` (500) or `unavailable` (503) */
  status?: 429 | 500 | 503
  /** The request is carried out and committed, and its connection is closed instead of an answer */
  dropAfterCommit?: true
  /** The delivery is sent a second time after a success */
  duplicate?: true
  /** The delivery is held back until a later event has been sent to the endpoint, for five seconds at most. Events of one record keep their order */
  reorder?: true
}

/** A rule that lets requests or webhook deliveries of the organisation fail */
export interface FaultRule {
  id: string
  match: FaultMatch
  effect: FaultEffect
  /** Share of the matching requests or deliveries that the effect happens to */
  probability: number
  /** The effect happens so often at most; null for no limit */
  times: number | null
  /** How often the effect can still happen; 0 for a rule that is used up, null for no limit */
  remaining: number | null
  /** The seed of the draws; null where they differ every time */
  seed: number | null
  createdAt: string
}

export interface CreateScenarioRequest {
  /** The same seed gives the same names, amounts and days every time */
  seed?: number | undefined
}

export interface Scenario {
  customerId: string
  accountId: string
  closedAccountId: string
  cardId: string
  virtualCardId: string
  externalAccountId: string
  paymentId: string
  transactionId: string
  authorizationId: string
  statementId: string
  applicationId: string
  documentId: string
  /** The partner user of the customer, whose card earns rewards */
  partnerUserId: number
}

export interface AddressInput {
  street: string
  street2?: string | null | undefined
  city: string
  state: string
  postalCode: string
  /** ISO 3166-1; US by default */
  country?: string | undefined
}

export interface CreateCustomerRequest {
  name: string
  email?: string | undefined
  phone?: string | undefined
  address?: AddressInput | undefined
}

export interface ReceiveAchRequest {
  /** Whole cents */
  amount: number
  companyName: string
  description?: string | undefined
  direction?: 'Credit' | 'Debit' | undefined
}

export interface ReturnPaymentRequest {
  returnCode: string
}

export interface ApproveDocumentRequest {
  reason?: string | undefined
}

export interface RejectDocumentRequest {
  reason?: string | undefined
}

export interface ChargingMerchantInput {
  name: string
  category?: string | undefined
  location?: string | undefined
}

export interface CreateAuthorizationRequest {
  /** Whole cents */
  amount: number
  merchant: ChargingMerchantInput
}

export interface SettleAuthorizationRequest {
  /** Whole cents */
  amount?: number | undefined
  final?: boolean | undefined
}

export interface RefundAuthorizationRequest {
  /** Whole cents */
  amount?: number | undefined
}

export interface Upcoming {
  /** Bank time at which it is due */
  at: string
  /** An authorization expires, a month ends and every account gets its statement, a reward is paid out, or a webhook is sent (again) */
  type: 'authorization.canceled' | 'month.ended' | 'reward.paid' | 'webhook.delivered' | (string & {})
  /** Id of the authorization, the reward or the delivery; the month as YYYY-MM */
  id: string
}

export interface Clock {
  /** Bank time */
  now: string
  /** Whether bank time stands still and moves only when it is advanced */
  frozen: boolean
  /** The next 20 things that are due, the earliest first */
  upcoming: Upcoming[]
}

export interface AdvanceClockRequest {
  /** Time to advance to: an RFC 3339 date-time, a date, or `next` for the first thing that is due after the present bank time */
  to?: string | undefined
  /** Duration to advance by */
  by?: string | undefined
}

export interface Happening {
  at: string
  type: string
  id: string
}

export interface ClockAdvance {
  now: string
  happened: Happening[]
  total: number
}

export interface CreateStatementRequest {
  /** A month, YYYY-MM */
  period: string
}

/** An account was opened. */
export interface AccountCreatedEvent {
  id: string
  type: 'account.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: DepositAccount
  request: EventRequest
}

/** An account was closed. */
export interface AccountClosedEvent {
  id: string
  type: 'account.closed'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: DepositAccount
  request: EventRequest
}

/** A closed account was reopened. */
export interface AccountReopenedEvent {
  id: string
  type: 'account.reopened'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: DepositAccount
  request: EventRequest
}

/** An account was frozen: money comes in, and none leaves. */
export interface AccountFrozenEvent {
  id: string
  type: 'account.frozen'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: DepositAccount
  request: EventRequest
}

/** A frozen account is open again. */
export interface AccountUnfrozenEvent {
  id: string
  type: 'account.unfrozen'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: DepositAccount
  request: EventRequest
}

/** An API key was created. The secret is not part of the event. */
export interface ApiKeyCreatedEvent {
  id: string
  type: 'apiKey.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: ApiKey
  request: EventRequest
}

/** An API key got a new secret. */
export interface ApiKeyRotatedEvent {
  id: string
  type: 'apiKey.rotated'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: ApiKey
  request: EventRequest
}

/** An API key was deleted and no longer works. */
export interface ApiKeyRevokedEvent {
  id: string
  type: 'apiKey.revoked'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: ApiKey
  request: EventRequest
}

/** A person applied for an account. */
export interface ApplicationCreatedEvent {
  id: string
  type: 'application.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Application
  request: EventRequest
}

/** An application needs documents, or other ones than those uploaded. */
export interface ApplicationAwaitingDocumentsEvent {
  id: string
  type: 'application.awaitingDocuments'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Application
  request: EventRequest
}

/** An application waits for a decision. */
export interface ApplicationPendingReviewEvent {
  id: string
  type: 'application.pendingReview'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Application
  request: EventRequest
}

/** An application was approved; its customer exists. */
export interface ApplicationApprovedEvent {
  id: string
  type: 'application.approved'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Application
  request: EventRequest
}

/** An application was denied. */
export interface ApplicationDeniedEvent {
  id: string
  type: 'application.denied'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Application
  request: EventRequest
}

/** An application was canceled by the provider. */
export interface ApplicationCanceledEvent {
  id: string
  type: 'application.canceled'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Application
  request: EventRequest
}

/** A merchant charged a card, and the amount is held. */
export interface AuthorizationCreatedEvent {
  id: string
  type: 'authorization.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Authorization
  request: EventRequest
}

/** A charge of a card was declined; `reason` says why. */
export interface AuthorizationDeclinedEvent {
  id: string
  type: 'authorization.declined'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Authorization
  request: EventRequest
}

/** A part of an authorization settled, and less is held. */
export interface AuthorizationAmountChangedEvent {
  id: string
  type: 'authorization.amountChanged'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Authorization
  request: EventRequest
}

/** An authorization was reversed or expired, and nothing is held. */
export interface AuthorizationCanceledEvent {
  id: string
  type: 'authorization.canceled'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Authorization
  request: EventRequest
}

/** An authorization settled, and nothing more is held. */
export interface AuthorizationCompletedEvent {
  id: string
  type: 'authorization.completed'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Authorization
  request: EventRequest
}

/** A card was created. */
export interface CardCreatedEvent {
  id: string
  type: 'card.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Card
  request: EventRequest
}

/** A card was activated by its holder. */
export interface CardActivatedEvent {
  id: string
  type: 'card.activated'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Card
  request: EventRequest
}

/** A card was replaced by another one, which has a `card.created` of its own. */
export interface CardReplacedEvent {
  id: string
  type: 'card.replaced'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Card
  request: EventRequest
}

/** A card was frozen, unfrozen, closed or reported. */
export interface CardStatusChangedEvent {
  id: string
  type: 'card.statusChanged'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Card
  request: EventRequest
}

/** A customer was created. */
export interface CustomerCreatedEvent {
  id: string
  type: 'customer.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Customer
  request: EventRequest
}

/** The data of a customer changed at the provider. */
export interface CustomerUpdatedEvent {
  id: string
  type: 'customer.updated'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Customer
  request: EventRequest
}

/** A customer was archived by the provider. */
export interface CustomerArchivedEvent {
  id: string
  type: 'customer.archived'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Customer
  request: EventRequest
}

/** A document of an application was approved. */
export interface DocumentApprovedEvent {
  id: string
  type: 'document.approved'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Document
  request: EventRequest
}

/** A document of an application was rejected; another one is needed. */
export interface DocumentRejectedEvent {
  id: string
  type: 'document.rejected'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Document
  request: EventRequest
}

/** An external account was added to a customer. */
export interface ExternalAccountCreatedEvent {
  id: string
  type: 'externalAccount.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: ExternalAccount
  request: EventRequest
}

/** An external account was deleted. */
export interface ExternalAccountDeletedEvent {
  id: string
  type: 'externalAccount.deleted'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: ExternalAccount
  request: EventRequest
}

/** A sandbox organisation was created, or replaced the one before by a reset. */
export interface OrganisationCreatedEvent {
  id: string
  type: 'organisation.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: SandboxOrganisation
  request: EventRequest
}

/** A user was enrolled in rewards. */
export interface PartnerUserCreatedEvent {
  id: string
  type: 'partnerUser.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: PartnerUser
  request: EventRequest
}

/** A user was removed from rewards, or enrolled again. */
export interface PartnerUserUpdatedEvent {
  id: string
  type: 'partnerUser.updated'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: PartnerUser
  request: EventRequest
}

/** A card was linked; its purchases earn rewards. */
export interface PartnerUserCardCreatedEvent {
  id: string
  type: 'partnerUserCard.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: PartnerUserCard
  request: EventRequest
}

/** The link of a card was removed or restored. */
export interface PartnerUserCardUpdatedEvent {
  id: string
  type: 'partnerUserCard.updated'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: PartnerUserCard
  request: EventRequest
}

/** A payment was created. */
export interface PaymentCreatedEvent {
  id: string
  type: 'payment.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Payment
  request: EventRequest
}

/** A payment waits for a review by the provider. */
export interface PaymentPendingReviewEvent {
  id: string
  type: 'payment.pendingReview'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Payment
  request: EventRequest
}

/** A payment is being cleared by the provider. */
export interface PaymentClearingEvent {
  id: string
  type: 'payment.clearing'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Payment
  request: EventRequest
}

/** A payment was sent to the other bank. */
export interface PaymentSentEvent {
  id: string
  type: 'payment.sent'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Payment
  request: EventRequest
}

/** A payment was rejected by the provider. */
export interface PaymentRejectedEvent {
  id: string
  type: 'payment.rejected'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Payment
  request: EventRequest
}

/** A payment was canceled before it was sent. */
export interface PaymentCanceledEvent {
  id: string
  type: 'payment.canceled'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Payment
  request: EventRequest
}

/** A payment was returned by the other bank, and the money is back. */
export interface PaymentReturnedEvent {
  id: string
  type: 'payment.returned'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Payment
  request: EventRequest
}

export interface ReceivedPayment {
  id: string
  type: 'achReceivedPayment' | (string & {})
  accountId: string
  /** Whole cents */
  amount: number
  createdAt: string
  description: string
  direction: 'Credit' | 'Debit' | (string & {})
  status: 'Pending' | 'PendingReview' | 'Advanced' | 'MarkedForReturn' | 'Completed' | 'Returned' | (string & {})
  counterparty: Counterparty
  /** The holder of the account, as the sender names it */
  receiverName?: string
  /** The Standard Entry Class */
  secCode?: string
  traceNumber?: string
  addenda?: string
  /** The day on which it completes */
  expectedCompletionDate?: string
  /** Whether the money was available before settlement */
  wasAdvanced?: boolean
  /** Why it was returned */
  returnReason?: string
  tags: Tags
}

/** Another bank announced a payment to an account here. */
export interface ReceivedPaymentCreatedEvent {
  id: string
  type: 'receivedPayment.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: ReceivedPayment
  request: EventRequest
}

/** The money of a received payment is available before it settles. */
export interface ReceivedPaymentAdvancedEvent {
  id: string
  type: 'receivedPayment.advanced'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: ReceivedPayment
  request: EventRequest
}

/** A received payment settled. */
export interface ReceivedPaymentCompletedEvent {
  id: string
  type: 'receivedPayment.completed'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: ReceivedPayment
  request: EventRequest
}

/** A received payment will be returned. */
export interface ReceivedPaymentMarkedForReturnEvent {
  id: string
  type: 'receivedPayment.markedForReturn'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: ReceivedPayment
  request: EventRequest
}

/** A received payment was returned to the other bank. */
export interface ReceivedPaymentReturnedEvent {
  id: string
  type: 'receivedPayment.returned'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: ReceivedPayment
  request: EventRequest
}

export interface UpstreamReward {
  /** The provider's id of the purchase, after `kard_` */
  id: string
  partnerUserId: number | null
  rewardableTransactionId: number | null
  offerId: string | null
  merchantName: string
  amount: number | null
  userAmount: number | null
  state: 'PENDING' | 'CONFIRMED' | 'PAID' | 'REJECTED' | 'REVERSED' | 'CLAWED_BACK'
  createdAt: string | null
  updatedAt: string | null
}

/** A purchase earned a reward. */
export interface RewardCreatedEvent {
  id: string
  type: 'reward.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Reward | UpstreamReward
  request: EventRequest
}

/** A part of a purchase was refunded, and its reward is smaller. */
export interface RewardAmountChangedEvent {
  id: string
  type: 'reward.amountChanged'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Reward | UpstreamReward
  request: EventRequest
}

/** A reward is certain and waits for its payout. */
export interface RewardConfirmedEvent {
  id: string
  type: 'reward.confirmed'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Reward | UpstreamReward
  request: EventRequest
}

/** A reward was paid to the account of the card. */
export interface RewardPaidEvent {
  id: string
  type: 'reward.paid'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Reward | UpstreamReward
  request: EventRequest
}

/** A purchase earned no reward after all. */
export interface RewardRejectedEvent {
  id: string
  type: 'reward.rejected'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Reward | UpstreamReward
  request: EventRequest
}

/** A purchase was refunded before its reward was paid. */
export interface RewardReversedEvent {
  id: string
  type: 'reward.reversed'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Reward | UpstreamReward
  request: EventRequest
}

/** A purchase was refunded, and its reward was taken back. */
export interface RewardClawedBackEvent {
  id: string
  type: 'reward.clawedBack'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Reward | UpstreamReward
  request: EventRequest
}

/** A purchase by a linked card settled. */
export interface RewardableTransactionCreatedEvent {
  id: string
  type: 'rewardableTransaction.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: RewardableTransaction
  request: EventRequest
}

/** The payout of a reward was made. */
export interface RewardPaymentCreatedEvent {
  id: string
  type: 'rewardPayment.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: RewardPayment
  request: EventRequest
}

/** The statement of a month is ready. */
export interface StatementCreatedEvent {
  id: string
  type: 'statement.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Statement
  request: EventRequest
}

/** Money moved into or out of an account. */
export interface TransactionCreatedEvent {
  id: string
  type: 'transaction.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: Transaction
  request: EventRequest
}

export interface UpstreamFault {
  /** The code of the problem */
  code: string
  detail: string
  /** The reasons that the provider gave */
  errors?: Fault[]
}

export interface FailedUpstreamEvent {
  /** The provider's id of the event */
  id: string
  provider: string
  /** The provider's type of the event */
  type: string
  record: RecordReference | null
  fault: UpstreamFault
}

/** An event of a provider could not be applied; an operator should look. */
export interface UpstreamEventFailedEvent {
  id: string
  type: 'upstreamEvent.failed'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: FailedUpstreamEvent
  request: EventRequest
}

export interface CreatedVerificationToken {
  id: string
  customerId: string
  createdAt: string
  expiresAt: string
}

/** A verification token was created; the token is not part of it. */
export interface VerificationTokenCreatedEvent {
  id: string
  type: 'verificationToken.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: CreatedVerificationToken
  request: EventRequest
}

/** A webhook endpoint was registered. */
export interface WebhookEndpointCreatedEvent {
  id: string
  type: 'webhookEndpoint.created'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: WebhookEndpoint
  request: EventRequest
}

/** A webhook endpoint was deleted. */
export interface WebhookEndpointDeletedEvent {
  id: string
  type: 'webhookEndpoint.deleted'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: WebhookEndpoint
  request: EventRequest
}

/** A webhook endpoint was disabled; `disabledReason` says why. */
export interface WebhookEndpointDisabledEvent {
  id: string
  type: 'webhookEndpoint.disabled'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: WebhookEndpoint
  request: EventRequest
}

/** A webhook endpoint got a new secret. */
export interface WebhookEndpointSecretRotatedEvent {
  id: string
  type: 'webhookEndpoint.secretRotated'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: WebhookEndpoint
  request: EventRequest
}

/** A webhook endpoint was changed. */
export interface WebhookEndpointUpdatedEvent {
  id: string
  type: 'webhookEndpoint.updated'
  timestamp: string
  apiVersion: string
  /** Without a gap within an organisation */
  sequence: number
  entity: EventEntity
  data: WebhookEndpoint
  request: EventRequest
}

/** The query of `authorizations.list`. */
export interface ListAuthorizationsQuery {
  /** Id of a record: customer */
  customerId: string
  /** Only open authorizations are listed */
  status: 'Authorized'
  /** Id of a record: account */
  accountId?: string | undefined
  /** Id of a record: card */
  cardId?: string | undefined
  /** Only records created after this time */
  since?: string | undefined
  /** Only records created before this time */
  until?: string | undefined
  /** Smallest amount to return */
  fromAmount?: number | undefined
  /** Largest amount to return */
  toAmount?: number | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
  /** `createdAt` for oldest first, `-createdAt` for newest first */
  sort?: 'createdAt' | '-createdAt' | undefined
}

/** The query of `transactions.get`. */
export interface GetTransactionQuery {
  /** Id of a record: account */
  accountId: string
}

/** The query of `transactions.list`. */
export interface ListTransactionsQuery {
  /** Id of a record: customer */
  customerId?: string | undefined
  /** Id of a record: account */
  accountId?: string | undefined
  direction?: 'Credit' | 'Debit' | undefined
  /** Only records created after this time */
  since?: string | undefined
  /** Only records created before this time */
  until?: string | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
  /** `createdAt` for oldest first, `-createdAt` for newest first */
  sort?: 'createdAt' | '-createdAt' | undefined
}

/** The query of `cards.list`. */
export interface ListCardsQuery {
  /** Id of a record: account */
  accountId?: string | undefined
  /** Id of a record: customer */
  customerId?: string | undefined
  status?: 'Inactive' | 'Active' | 'Frozen' | 'Lost' | 'Stolen' | 'ClosedByCustomer' | 'SuspectedFraud' | undefined
  type?: 'individualDebitCard' | 'individualVirtualDebitCard' | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
  /** `createdAt` for oldest first, `-createdAt` for newest first */
  sort?: 'createdAt' | '-createdAt' | undefined
}

/** The query of `payments.list`. */
export interface ListPaymentsQuery {
  /** Id of a record: payment */
  paymentId?: string | undefined
  /** Id of a record: account */
  accountId?: string | undefined
  /** Id of a record: customer */
  customerId?: string | undefined
  /** Id of a record: externalAccount */
  counterpartyAccountId?: string | undefined
  /** A JSON object of tags; every one must match */
  tags?: Uint8Array | undefined
  status?: ('Pending' | 'PendingReview' | 'Clearing' | 'Sent' | 'Rejected' | 'Canceled' | 'Returned')[] | undefined
  type?: ('achPayment' | 'bookPayment')[] | undefined
  direction?: ('Credit' | 'Debit')[] | undefined
  /** Only records created after this time */
  since?: string | undefined
  /** Only records created before this time */
  until?: string | undefined
  /** Smallest amount to return */
  fromAmount?: number | undefined
  /** Largest amount to return */
  toAmount?: number | undefined
  /** Id of a record: recurringPayment */
  recurringPaymentId?: string | undefined
  paymentFeature?: 'SameDay' | 'RecurringPayment' | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
  /** `createdAt` for oldest first, `-createdAt` for newest first */
  sort?: 'createdAt' | '-createdAt' | undefined
}

/** The query of `externalAccounts.list`. */
export interface ListExternalAccountsQuery {
  routingNumber?: string | undefined
  accountNumber?: string | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
  /** `createdAt` for oldest first, `-createdAt` for newest first */
  sort?: 'createdAt' | '-createdAt' | undefined
}

/** The query of `statements.list`. */
export interface ListStatementsQuery {
  /** Id of a record: account */
  accountId: string
  /** A month, YYYY-MM */
  period?: string | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
  /** `createdAt` for oldest first, `-createdAt` for newest first */
  sort?: 'createdAt' | '-createdAt' | undefined
}

/** The query of `offers.listLocal`. */
export interface ListLocalOffersQuery {
  /** A ZIP code or ZIP+4 */
  zipCode: string
  /** User whose offers are listed. The built-in catalogue ignores it; a connector passes it to its upstream */
  userId: string
  /** Number of the page, from 0 */
  page: number
  /** Maximum number of offers to return */
  pageSize?: number | undefined
  /** Only offers of this category */
  category?: string | undefined
  /** Only offers whose merchant name or title contains this text */
  search?: string | undefined
  /** Miles around the ZIP code's centre */
  radius?: number | undefined
  /** Order of the offers; a leading - means descending */
  sort?: 'distance' | '-distance' | 'commission' | '-commission' | 'expirationDate' | '-expirationDate' | 'merchantName' | '-merchantName' | undefined
}

/** The query of `offers.listNational`. */
export interface ListNationalOffersQuery {
  /** User whose offers are listed. The built-in catalogue ignores it; a connector passes it to its upstream */
  userId: string
  /** Number of the page, from 0 */
  page: number
  /** Maximum number of offers to return */
  pageSize?: number | undefined
  /** Only offers of this category */
  category?: string | undefined
  /** Only offers whose merchant name or title contains this text */
  search?: string | undefined
  /** Order of the offers; a leading - means descending */
  sort?: 'commission' | '-commission' | 'expirationDate' | '-expirationDate' | 'merchantName' | '-merchantName' | undefined
}

/** The query of `partnerUsers.list`. */
export interface ListPartnerUsersQuery {
  /** A condition in which $C1 is a column and $V1 a value */
  whereClause?: string | undefined
  /** The columns $C1, $C2, … */
  columnNames?: string | undefined
  /** The values $V1, $V2, … */
  values?: string | undefined
  /** The order, by id unless it says otherwise */
  orderByClause?: string | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
}

/** The query of `rewardableTransactions.list`. */
export interface ListRewardableTransactionsQuery {
  /** A condition in which $C1 is a column and $V1 a value */
  whereClause?: string | undefined
  /** The columns $C1, $C2, … */
  columnNames?: string | undefined
  /** The values $V1, $V2, … */
  values?: string | undefined
  /** The order, by id unless it says otherwise */
  orderByClause?: string | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
}

/** The query of `rewardPayments.list`. */
export interface ListRewardPaymentsQuery {
  /** A condition in which $C1 is a column and $V1 a value */
  whereClause?: string | undefined
  /** The columns $C1, $C2, … */
  columnNames?: string | undefined
  /** The values $V1, $V2, … */
  values?: string | undefined
  /** The order, by id unless it says otherwise */
  orderByClause?: string | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
}

/** The query of `accounts.list`. */
export interface ListAccountsQuery {
  /** Id of a record: customer */
  customerId?: string | undefined
  status?: 'Open' | 'Frozen' | 'Closed' | undefined
  /** Only accounts that match this text: the beginning of the name, of its last word or of the customer’s e-mail address, the account number or its last four digits, or the id of the account or of the customer. Letter case does not matter */
  search?: string | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
  /** `createdAt` for oldest first, `-createdAt` for newest first */
  sort?: 'createdAt' | '-createdAt' | undefined
}

/** The query of `customers.list`. */
export interface ListCustomersQuery {
  /** Only customers that match this text: the beginning of the name, of its last word or of the e-mail address, or the id. Letter case does not matter */
  search?: string | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
  /** `createdAt` for oldest first, `-createdAt` for newest first */
  sort?: 'createdAt' | '-createdAt' | undefined
}

/** The query of `statements.get`. */
export interface GetStatementQuery {
  /** Answers the document in place of the record */
  format?: 'html' | undefined
}

/** The query of `partnerUserCards.list`. */
export interface ListPartnerUserCardsQuery {
  /** A condition in which $C1 is a column and $V1 a value */
  whereClause?: string | undefined
  /** The columns $C1, $C2, … */
  columnNames?: string | undefined
  /** The values $V1, $V2, … */
  values?: string | undefined
  /** The order, by id unless it says otherwise */
  orderByClause?: string | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
}

/** The query of `rewards.list`. */
export interface ListRewardsQuery {
  /** A condition in which $C1 is a column and $V1 a value */
  whereClause?: string | undefined
  /** The columns $C1, $C2, … */
  columnNames?: string | undefined
  /** The values $V1, $V2, … */
  values?: string | undefined
  /** The order, by id unless it says otherwise */
  orderByClause?: string | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
}

/** The query of `rewards.getDailyReconciliation`. */
export interface GetDailyReconciliationQuery {
  /** A day of bank time, in UTC */
  date: string
}

/** The query of `ledger.listAccounts`. */
export interface ListLedgerAccountsQuery {
  /** Only accounts of these kinds */
  kind?: ('deposit' | 'achClearing' | 'cardSettlement' | 'rewardsFunding')[] | undefined
  /** Only accounts with a higher id; the Link header of a page names the value for the next one */
  after?: string | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
}

/** The query of `ledger.listTransfers`. */
export interface ListLedgerTransfersQuery {
  /** Only transfers from or to this account, which may be an internal one */
  accountId?: string | undefined
  /** Only transfers of this kind of record. Without `sourceId` a call looks at up to 10,000 transfers: the page may be short or empty, and the Link header then leads on */
  sourceType?: 'payment' | 'authorization' | 'reward' | undefined
  /** Only transfers of this payment, authorization or reward */
  sourceId?: string | undefined
  /** Only records created after this time */
  since?: string | undefined
  /** Only records created before this time */
  until?: string | undefined
  /** `createdAt` for oldest first, `-createdAt` for newest first */
  sort?: 'createdAt' | '-createdAt' | undefined
  /** Only transfers that come after this one in the order of the list; the Link header of a page names the value for the next one */
  after?: string | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
}

/** The query of `ledger.listFlows`. */
export interface ListLedgerFlowsQuery {
  /** Only transfers from this time on; by default 30 days before the end of the range */
  since?: string | undefined
  /** Only transfers before this time; by default now, in bank time */
  until?: string | undefined
}

/** The query of `ledger.listBalances`. */
export interface ListLedgerBalancesQuery {
  /** The account, which may be an internal one. Without it the balances of all accounts, summed by kind */
  accountId?: string | undefined
  /** The step between two balances */
  interval?: 'day' | undefined
  /** The first day, or a time in it; by default 29 days before the last one */
  since?: string | undefined
  /** The last day, or a time in it; by default today, in bank time */
  until?: string | undefined
}

/** The query of `apiKeys.list`. */
export interface ListApiKeysQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
  /** `createdAt` for oldest first, `-createdAt` for newest first */
  sort?: 'createdAt' | '-createdAt' | undefined
}

/** The query of `events.list`. */
export interface ListEventsQuery {
  /** Only entries with a higher sequence number; `latest` for those that come after this call. The Link header then leads on from there, also from an empty page */
  after?: number | 'latest' | undefined
  /** Only entries with a lower sequence number */
  before?: number | undefined
  /** `sequence` for oldest first, `-sequence` for newest first */
  sort?: 'sequence' | '-sequence' | undefined
  /** Maximum number of entries to return */
  limit?: number | undefined
  /** Long poll: seconds to wait for an entry where there is none yet. Only oldest first and without `before` */
  wait?: number | undefined
  /** Only events of these types; `payment.*` stands for all types of a kind of record. A call looks at up to 10,000 events: the page may be short or empty, and the Link header then leads on */
  type?: ('*' | 'account.*' | 'apiKey.*' | 'application.*' | 'authorization.*' | 'card.*' | 'customer.*' | 'document.*' | 'externalAccount.*' | 'organisation.*' | 'partnerUser.*' | 'partnerUserCard.*' | 'payment.*' | 'receivedPayment.*' | 'reward.*' | 'rewardableTransaction.*' | 'rewardPayment.*' | 'statement.*' | 'transaction.*' | 'upstreamEvent.*' | 'verificationToken.*' | 'webhookEndpoint.*' | 'account.created' | 'account.closed' | 'account.reopened' | 'account.frozen' | 'account.unfrozen' | 'apiKey.created' | 'apiKey.rotated' | 'apiKey.revoked' | 'application.created' | 'application.awaitingDocuments' | 'application.pendingReview' | 'application.approved' | 'application.denied' | 'application.canceled' | 'authorization.created' | 'authorization.declined' | 'authorization.amountChanged' | 'authorization.canceled' | 'authorization.completed' | 'card.created' | 'card.activated' | 'card.replaced' | 'card.statusChanged' | 'customer.created' | 'customer.updated' | 'customer.archived' | 'document.approved' | 'document.rejected' | 'externalAccount.created' | 'externalAccount.deleted' | 'organisation.created' | 'partnerUser.created' | 'partnerUser.updated' | 'partnerUserCard.created' | 'partnerUserCard.updated' | 'payment.created' | 'payment.pendingReview' | 'payment.clearing' | 'payment.sent' | 'payment.rejected' | 'payment.canceled' | 'payment.returned' | 'receivedPayment.created' | 'receivedPayment.advanced' | 'receivedPayment.completed' | 'receivedPayment.markedForReturn' | 'receivedPayment.returned' | 'reward.created' | 'reward.amountChanged' | 'reward.confirmed' | 'reward.paid' | 'reward.rejected' | 'reward.reversed' | 'reward.clawedBack' | 'rewardableTransaction.created' | 'rewardPayment.created' | 'statement.created' | 'transaction.created' | 'upstreamEvent.failed' | 'verificationToken.created' | 'webhookEndpoint.created' | 'webhookEndpoint.deleted' | 'webhookEndpoint.disabled' | 'webhookEndpoint.secretRotated' | 'webhookEndpoint.updated')[] | undefined
  /** Only events of records of this kind; with `entityId`, of one of them */
  entityType?: 'account' | 'apiKey' | 'application' | 'authorization' | 'card' | 'customer' | 'document' | 'externalAccount' | 'organisation' | 'partnerUser' | 'partnerUserCard' | 'payment' | 'receivedPayment' | 'reward' | 'rewardableTransaction' | 'rewardPayment' | 'statement' | 'transaction' | 'upstreamEvent' | 'verificationToken' | 'webhookEndpoint' | undefined
  /** Only events of the record with this id; needs `entityType` */
  entityId?: string | undefined
  /** Only events that the request with this `X-Request-Id` caused. Those of a request in `GET /v0/requests` are found at once; for others a call looks at up to 10,000 events, and the Link header leads on */
  requestId?: string | undefined
}

/** The query of `webhookEndpoints.list`. */
export interface ListWebhookEndpointsQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
  /** `createdAt` for oldest first, `-createdAt` for newest first */
  sort?: 'createdAt' | '-createdAt' | undefined
}

/** The query of `webhookEndpoints.listDeliveries`. */
export interface ListDeliveriesQuery {
  status?: 'Pending' | 'Succeeded' | 'Failed' | undefined
  /** Only records created after this time */
  since?: string | undefined
  /** Only records created before this time */
  until?: string | undefined
  /** Only deliveries after this position, which the Link header of the previous page names */
  after?: number | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Deliveries to skip; for later ones follow the Link header */
  offset?: number | undefined
  /** `createdAt` for oldest first, `-createdAt` for newest first */
  sort?: 'createdAt' | '-createdAt' | undefined
}

/** The query of `auditLog.list`. */
export interface ListAuditLogQuery {
  /** Only records created after this time */
  since?: string | undefined
  /** Only records created before this time */
  until?: string | undefined
  /** Only entries after this position, which the Link header of the previous page names */
  before?: string | undefined
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Entries to skip; for older ones follow the Link header */
  offset?: number | undefined
}

/** The query of `requests.list`. */
export interface ListRequestsQuery {
  /** Only entries with a higher sequence number; `latest` for those that come after this call. The Link header then leads on from there, also from an empty page */
  after?: number | 'latest' | undefined
  /** Only entries with a lower sequence number */
  before?: number | undefined
  /** `sequence` for oldest first, `-sequence` for newest first */
  sort?: 'sequence' | '-sequence' | undefined
  /** Maximum number of entries to return */
  limit?: number | undefined
  /** Long poll: seconds to wait for an entry where there is none yet. Only oldest first and without `before` */
  wait?: number | undefined
  /** Only answers with this status; `4xx` for all from 400 to 499 */
  status?: string | undefined
  /** Only this operation */
  operation?: string | undefined
  /** Only refusals with this code */
  code?: string | undefined
  /** Id of a record: apiKey */
  apiKeyId?: string | undefined
  /** Only requests with this `X-Request-Id` */
  requestId?: string | undefined
}

/** The query of `lookup.find`. */
export interface LookUpIdQuery {
  /** Id of a record of any type */
  id: string
}

/** The query of `sandbox.faults.list`. */
export interface ListFaultRulesQuery {
  /** Maximum number of records to return */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
  /** `createdAt` for oldest first, `-createdAt` for newest first */
  sort?: 'createdAt' | '-createdAt' | undefined
}

/** The type of an event. */
export type EventType = 'account.created' | 'account.closed' | 'account.reopened' | 'account.frozen' | 'account.unfrozen' | 'apiKey.created' | 'apiKey.rotated' | 'apiKey.revoked' | 'application.created' | 'application.awaitingDocuments' | 'application.pendingReview' | 'application.approved' | 'application.denied' | 'application.canceled' | 'authorization.created' | 'authorization.declined' | 'authorization.amountChanged' | 'authorization.canceled' | 'authorization.completed' | 'card.created' | 'card.activated' | 'card.replaced' | 'card.statusChanged' | 'customer.created' | 'customer.updated' | 'customer.archived' | 'document.approved' | 'document.rejected' | 'externalAccount.created' | 'externalAccount.deleted' | 'organisation.created' | 'partnerUser.created' | 'partnerUser.updated' | 'partnerUserCard.created' | 'partnerUserCard.updated' | 'payment.created' | 'payment.pendingReview' | 'payment.clearing' | 'payment.sent' | 'payment.rejected' | 'payment.canceled' | 'payment.returned' | 'receivedPayment.created' | 'receivedPayment.advanced' | 'receivedPayment.completed' | 'receivedPayment.markedForReturn' | 'receivedPayment.returned' | 'reward.created' | 'reward.amountChanged' | 'reward.confirmed' | 'reward.paid' | 'reward.rejected' | 'reward.reversed' | 'reward.clawedBack' | 'rewardableTransaction.created' | 'rewardPayment.created' | 'statement.created' | 'transaction.created' | 'upstreamEvent.failed' | 'verificationToken.created' | 'webhookEndpoint.created' | 'webhookEndpoint.deleted' | 'webhookEndpoint.disabled' | 'webhookEndpoint.secretRotated' | 'webhookEndpoint.updated'

/** A type of event, or all types of a kind of record. */
export type EventFilter = EventType | 'account.*' | 'apiKey.*' | 'application.*' | 'authorization.*' | 'card.*' | 'customer.*' | 'document.*' | 'externalAccount.*' | 'organisation.*' | 'partnerUser.*' | 'partnerUserCard.*' | 'payment.*' | 'receivedPayment.*' | 'reward.*' | 'rewardableTransaction.*' | 'rewardPayment.*' | 'statement.*' | 'transaction.*' | 'upstreamEvent.*' | 'verificationToken.*' | 'webhookEndpoint.*' | '*'

/** The reasons for which the service refuses requests. Later versions may add some. */
export type ProblemCode = 'invalid_request' | 'unauthorized' | 'invalid_signature' | 'forbidden' | 'route_not_found' | 'account_not_found' | 'customer_not_found' | 'authorization_not_found' | 'card_not_found' | 'external_account_not_found' | 'partner_user_not_found' | 'partner_user_card_not_found' | 'payment_not_found' | 'reward_not_found' | 'transaction_not_found' | 'statement_not_found' | 'application_not_found' | 'document_not_found' | 'api_key_not_found' | 'event_not_found' | 'record_not_found' | 'request_not_found' | 'fault_rule_not_found' | 'zip_code_not_found' | 'webhook_endpoint_not_found' | 'method_not_allowed' | 'request_timeout' | 'account_not_open' | 'account_not_frozen' | 'account_not_closed' | 'account_closed' | 'api_key_expired' | 'last_api_key' | 'application_wrong_state' | 'document_wrong_state' | 'card_not_linked' | 'already_exists' | 'authorization_not_open' | 'authorization_not_settled' | 'card_already_linked' | 'card_wrong_state' | 'partner_user_exists' | 'payment_not_returnable' | 'wrong_state' | 'webhook_endpoint_disabled' | 'idempotency_in_progress' | 'payload_too_large' | 'unsupported_media_type' | 'insufficient_funds' | 'nothing_held' | 'refund_exceeds_settlement' | 'organisation_not_deletable' | 'too_many_organisations' | 'too_many_fault_rules' | 'fault_rule_mismatch' | 'clock_out_of_range' | 'clock_not_forward' | 'nothing_upcoming' | 'same_account' | 'invalid_routing_number' | 'content_type_mismatch' | 'balance_limit' | 'period_not_over' | 'period_before_account' | 'statement_too_long' | 'range_too_long' | 'payment_rejected' | 'refused_by_provider' | 'webhook_endpoint_limit' | 'webhook_url_refused' | 'idempotency_key_reused' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_outcome_unknown' | 'upstream_unavailable' | 'upstream_timeout' | 'outcome_unknown' | 'unavailable'

/** The reasons for which every operation can be refused. */
export type CommonProblemCode = 'invalid_request' | 'unauthorized' | 'forbidden' | 'method_not_allowed' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'unavailable'

/** Input, data and problems of every operation. */
export interface Operations {
  listAuthorizations: {
    query: ListAuthorizationsQuery
    data: Authorization[]
    problems: CommonProblemCode | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  createVerificationToken: {
    params: { customerId: string }
    data: VerificationToken
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'customer_not_found' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  getTransaction: {
    params: { transactionId: string }
    query: GetTransactionQuery
    data: Transaction
    problems: CommonProblemCode | 'transaction_not_found' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  listTransactions: {
    query?: ListTransactionsQuery
    data: ListedTransaction[]
    problems: CommonProblemCode | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  createCard: {
    body: CreateCardRequest
    data: Card
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'account_not_found' | 'customer_not_found' | 'account_not_open' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  replaceCard: {
    params: { cardId: string }
    body: ReplaceCardRequest
    data: Card
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'card_not_found' | 'card_wrong_state' | 'account_not_open' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  listCards: {
    query?: ListCardsQuery
    data: ListedCard[]
    problems: CommonProblemCode | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  createPayment: {
    params: { accountId: string }
    body: CreatePaymentRequest
    data: Payment
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'account_not_found' | 'account_not_open' | 'external_account_not_found' | 'insufficient_funds' | 'same_account' | 'balance_limit' | 'payment_rejected' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  getPayment: {
    params: { paymentId: string }
    data: Payment
    problems: CommonProblemCode | 'payment_not_found' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  listPayments: {
    query?: ListPaymentsQuery
    data: ListedPayment[]
    problems: CommonProblemCode | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  createExternalAccount: {
    params: { customerId: string }
    body: CreateExternalAccountRequest
    data: ExternalAccount
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'customer_not_found' | 'invalid_routing_number' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  listExternalAccounts: {
    params: { customerId: string }
    query?: ListExternalAccountsQuery
    data: ExternalAccount[]
    problems: CommonProblemCode | 'customer_not_found' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  listStatements: {
    query: ListStatementsQuery
    data: Statement[]
    problems: CommonProblemCode | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  createAccount: {
    body: CreateAccountRequest
    data: DepositAccount
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'customer_not_found' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  reopenAccount: {
    params: { accountId: string }
    data: DepositAccount
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'account_not_found' | 'account_not_closed' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  getAccount: {
    params: { accountId: string }
    data: DepositAccount
    problems: CommonProblemCode | 'account_not_found' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  uploadDocumentBack: {
    params: { applicationId: string; documentId: string }
    body: UploadDocumentBackRequest
    data: Document
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'application_not_found' | 'document_not_found' | 'application_wrong_state' | 'content_type_mismatch' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  listLocalOffers: {
    query: ListLocalOffersQuery
    data: LocalOffers
    problems: CommonProblemCode | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  listNationalOffers: {
    query: ListNationalOffersQuery
    data: NationalOffers
    problems: CommonProblemCode | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  listPartnerUsers: {
    query?: ListPartnerUsersQuery
    data: PartnerUser[]
    problems: CommonProblemCode
  }
  listRewardableTransactions: {
    query?: ListRewardableTransactionsQuery
    data: RewardableTransaction[]
    problems: CommonProblemCode
  }
  listRewardPayments: {
    query?: ListRewardPaymentsQuery
    data: RewardPayment[]
    problems: CommonProblemCode
  }
  listAccounts: {
    query?: ListAccountsQuery
    data: DepositAccount[]
    problems: CommonProblemCode | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  closeAccount: {
    params: { accountId: string }
    body: CloseAccountRequest
    data: DepositAccount
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'account_not_found' | 'account_closed' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  freezeAccount: {
    params: { accountId: string }
    data: DepositAccount
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'account_not_found' | 'account_not_open' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  unfreezeAccount: {
    params: { accountId: string }
    data: DepositAccount
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'account_not_found' | 'account_not_frozen' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  getCard: {
    params: { cardId: string }
    data: Card
    problems: CommonProblemCode | 'card_not_found' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  activateCard: {
    params: { cardId: string }
    data: Card
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'card_not_found' | 'card_wrong_state' | 'account_not_open' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  freezeCard: {
    params: { cardId: string }
    data: Card
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'card_not_found' | 'card_wrong_state' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  unfreezeCard: {
    params: { cardId: string }
    data: Card
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'card_not_found' | 'card_wrong_state' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  closeCard: {
    params: { cardId: string }
    data: Card
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'card_not_found' | 'card_wrong_state' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  reportLostCard: {
    params: { cardId: string }
    data: Card
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'card_not_found' | 'card_wrong_state' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  reportStolenCard: {
    params: { cardId: string }
    data: Card
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'card_not_found' | 'card_wrong_state' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  getAuthorization: {
    params: { authorizationId: string }
    data: Authorization
    problems: CommonProblemCode | 'authorization_not_found' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  listCustomers: {
    query?: ListCustomersQuery
    data: Customer[]
    problems: CommonProblemCode | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  getCustomer: {
    params: { customerId: string }
    data: Customer
    problems: CommonProblemCode | 'customer_not_found' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  deleteExternalAccount: {
    params: { externalAccountId: string }
    data: undefined
    problems: CommonProblemCode | 'outcome_unknown' | 'external_account_not_found' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  getStatement: {
    params: { statementId: string }
    query?: GetStatementQuery
    data: Statement | StatementHtml
    problems: CommonProblemCode | 'statement_not_found' | 'statement_too_long' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  getStatementPdf: {
    params: { statementId: string }
    data: Uint8Array
    problems: CommonProblemCode | 'statement_not_found' | 'statement_too_long' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  createApplication: {
    body: CreateApplicationRequest
    data: Application
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  getApplication: {
    params: { applicationId: string }
    data: Application
    problems: CommonProblemCode | 'application_not_found' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'
  }
  uploadDocumentFront: {
    params: { applicationId: string; documentId: string }
    body: UploadDocumentFrontRequest
    data: Document
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'application_not_found' | 'document_not_found' | 'application_wrong_state' | 'content_type_mismatch' | 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout' | 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'
  }
  createPartnerUser: {
    body: CreatePartnerUserRequest
    data: PartnerUser
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'partner_user_exists'
  }
  updatePartnerUser: {
    params: { partnerUserId: string }
    body: UpdatePartnerUserRequest
    data: PartnerUser
    problems: CommonProblemCode | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'partner_user_not_found'
  }
  createPartnerUserCard: {
    body: CreatePartnerUserCardRequest
    data: PartnerUserCard
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'partner_user_not_found' | 'card_not_found' | 'card_already_linked'
  }
  listPartnerUserCards: {
    query?: ListPartnerUserCardsQuery
    data: PartnerUserCard[]
    problems: CommonProblemCode
  }
  updatePartnerUserCard: {
    params: { partnerUserCardId: string }
    body: UpdatePartnerUserCardRequest
    data: PartnerUserCard
    problems: CommonProblemCode | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'partner_user_card_not_found' | 'card_already_linked'
  }
  createRewardableTransaction: {
    body: CreateRewardableTransactionRequest
    data: RewardableTransaction
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'transaction_not_found' | 'card_not_found' | 'card_not_linked' | 'balance_limit'
  }
  listRewards: {
    query?: ListRewardsQuery
    data: Reward[]
    problems: CommonProblemCode
  }
  getReward: {
    params: { rewardId: string }
    data: Reward
    problems: CommonProblemCode | 'reward_not_found'
  }
  getDailyReconciliation: {
    query: GetDailyReconciliationQuery
    data: DailyReconciliation
    problems: CommonProblemCode | 'balance_limit'
  }
  listLedgerAccounts: {
    query?: ListLedgerAccountsQuery
    data: LedgerAccount[]
    problems: CommonProblemCode | 'not_supported_by_provider'
  }
  listLedgerTransfers: {
    query?: ListLedgerTransfersQuery
    data: LedgerTransfer[]
    problems: CommonProblemCode | 'not_supported_by_provider'
  }
  listLedgerFlows: {
    query?: ListLedgerFlowsQuery
    data: LedgerFlow[]
    problems: CommonProblemCode | 'range_too_long' | 'balance_limit' | 'not_supported_by_provider'
  }
  listLedgerBalances: {
    query?: ListLedgerBalancesQuery
    data: LedgerBalance[]
    problems: CommonProblemCode | 'range_too_long' | 'balance_limit' | 'not_supported_by_provider'
  }
  getLedgerVerification: {
    data: LedgerVerification
    problems: CommonProblemCode | 'not_supported_by_provider'
  }
  runLedgerVerification: {
    data: LedgerVerification
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'not_supported_by_provider'
  }
  createApiKey: {
    body: CreateApiKeyRequest
    data: IssuedApiKey
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown'
  }
  listApiKeys: {
    query?: ListApiKeysQuery
    data: ApiKey[]
    problems: CommonProblemCode
  }
  rotateApiKey: {
    params: { apiKeyId: string }
    body: RotateApiKeyRequest
    data: IssuedApiKey
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'api_key_not_found' | 'api_key_expired'
  }
  deleteApiKey: {
    params: { apiKeyId: string }
    data: undefined
    problems: CommonProblemCode | 'outcome_unknown' | 'api_key_not_found' | 'last_api_key'
  }
  getMe: {
    data: Me
    problems: CommonProblemCode
  }
  listEvents: {
    query?: ListEventsQuery
    data: Event[]
    problems: CommonProblemCode
  }
  getEvent: {
    params: { eventId: string }
    data: Event
    problems: CommonProblemCode | 'event_not_found'
  }
  listEventTypes: {
    data: EventTypeInfo[]
    problems: CommonProblemCode
  }
  redeliverEvent: {
    params: { eventId: string }
    data: Event
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'event_not_found'
  }
  createWebhookEndpoint: {
    body: CreateWebhookEndpointRequest
    data: WebhookEndpointWithSecret
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'webhook_url_refused' | 'webhook_endpoint_limit'
  }
  listWebhookEndpoints: {
    query?: ListWebhookEndpointsQuery
    data: WebhookEndpoint[]
    problems: CommonProblemCode
  }
  getWebhookEndpoint: {
    params: { webhookEndpointId: string }
    data: WebhookEndpoint
    problems: CommonProblemCode | 'webhook_endpoint_not_found'
  }
  updateWebhookEndpoint: {
    params: { webhookEndpointId: string }
    body?: UpdateWebhookEndpointRequest
    data: WebhookEndpoint
    problems: CommonProblemCode | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'webhook_endpoint_not_found' | 'webhook_url_refused'
  }
  deleteWebhookEndpoint: {
    params: { webhookEndpointId: string }
    data: WebhookEndpoint
    problems: CommonProblemCode | 'outcome_unknown' | 'webhook_endpoint_not_found'
  }
  rotateWebhookSecret: {
    params: { webhookEndpointId: string }
    data: WebhookEndpointWithSecret
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'webhook_endpoint_not_found'
  }
  testWebhookEndpoint: {
    params: { webhookEndpointId: string }
    data: WebhookEndpoint
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'webhook_endpoint_not_found' | 'webhook_endpoint_disabled'
  }
  recoverWebhookEndpoint: {
    params: { webhookEndpointId: string }
    body: RecoverWebhookEndpointRequest
    data: WebhookEndpoint
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'webhook_endpoint_not_found'
  }
  listDeliveries: {
    params: { webhookEndpointId: string }
    query?: ListDeliveriesQuery
    data: Delivery[]
    problems: CommonProblemCode | 'webhook_endpoint_not_found'
  }
  listAuditLog: {
    query?: ListAuditLogQuery
    data: AuditEntry[]
    problems: CommonProblemCode
  }
  listRequests: {
    query?: ListRequestsQuery
    data: LoggedRequest[]
    problems: CommonProblemCode | 'not_supported_by_provider'
  }
  getRequest: {
    params: { id: string }
    data: LoggedRequestDetail
    problems: CommonProblemCode | 'request_not_found' | 'not_supported_by_provider'
  }
  lookUpRecord: {
    params: { type: 'account' | 'apiKey' | 'application' | 'authorization' | 'card' | 'customer' | 'document' | 'event' | 'externalAccount' | 'partnerUser' | 'partnerUserCard' | 'payment' | 'request' | 'reward' | 'rewardableTransaction' | 'rewardPayment' | 'statement' | 'transaction' | 'webhookEndpoint'; id: string }
    data: LookedUp
    problems: CommonProblemCode | 'record_not_found' | 'not_supported_by_provider'
  }
  lookUpId: {
    query: LookUpIdQuery
    data: LookedUp[]
    problems: CommonProblemCode
  }
  createOrganisation: {
    body?: CreateOrganisationRequest
    data: CreatedOrganisation
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'clock_out_of_range' | 'too_many_organisations'
  }
  deleteOrganisation: {
    data: undefined
    problems: CommonProblemCode | 'outcome_unknown' | 'organisation_not_deletable'
  }
  resetOrganisation: {
    body?: ResetOrganisationRequest
    data: SandboxOrganisation
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'clock_out_of_range'
  }
  createFaultRule: {
    body: CreateFaultRuleRequest
    data: FaultRule
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'account_not_found' | 'fault_rule_mismatch' | 'too_many_fault_rules'
  }
  listFaultRules: {
    query?: ListFaultRulesQuery
    data: FaultRule[]
    problems: CommonProblemCode
  }
  getFaultRule: {
    params: { faultRuleId: string }
    data: FaultRule
    problems: CommonProblemCode | 'fault_rule_not_found'
  }
  deleteFaultRule: {
    params: { faultRuleId: string }
    data: undefined
    problems: CommonProblemCode | 'outcome_unknown' | 'fault_rule_not_found'
  }
  deleteFaultRules: {
    data: undefined
    problems: CommonProblemCode | 'outcome_unknown'
  }
  createScenario: {
    body?: CreateScenarioRequest
    data: Scenario
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown'
  }
  createCustomer: {
    body: CreateCustomerRequest
    data: Customer
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown'
  }
  receiveAch: {
    params: { accountId: string }
    body: ReceiveAchRequest
    data: ListedTransaction
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'account_not_found' | 'account_closed' | 'account_not_open' | 'insufficient_funds' | 'balance_limit'
  }
  returnPayment: {
    params: { paymentId: string }
    body: ReturnPaymentRequest
    data: Payment
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'payment_not_found' | 'payment_not_returnable' | 'balance_limit'
  }
  approveApplication: {
    params: { applicationId: string }
    data: Application
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'application_not_found' | 'application_wrong_state'
  }
  denyApplication: {
    params: { applicationId: string }
    data: Application
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'application_not_found' | 'application_wrong_state'
  }
  approveDocument: {
    params: { applicationId: string; documentId: string }
    body?: ApproveDocumentRequest
    data: Document
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'application_not_found' | 'document_not_found' | 'application_wrong_state' | 'document_wrong_state'
  }
  rejectDocument: {
    params: { applicationId: string; documentId: string }
    body?: RejectDocumentRequest
    data: Document
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'application_not_found' | 'document_not_found' | 'application_wrong_state' | 'document_wrong_state'
  }
  createAuthorization: {
    params: { cardId: string }
    body: CreateAuthorizationRequest
    data: Authorization
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'card_not_found' | 'balance_limit'
  }
  settleAuthorization: {
    params: { authorizationId: string }
    body?: SettleAuthorizationRequest
    data: ListedTransaction
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'authorization_not_found' | 'authorization_not_open' | 'nothing_held' | 'balance_limit'
  }
  reverseAuthorization: {
    params: { authorizationId: string }
    data: Authorization
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'authorization_not_found' | 'authorization_not_open'
  }
  refundAuthorization: {
    params: { authorizationId: string }
    body?: RefundAuthorizationRequest
    data: ListedTransaction
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'authorization_not_found' | 'authorization_not_settled' | 'refund_exceeds_settlement' | 'balance_limit'
  }
  getClock: {
    data: Clock
    problems: CommonProblemCode
  }
  advanceClock: {
    body?: AdvanceClockRequest
    data: ClockAdvance
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'clock_not_forward' | 'nothing_upcoming'
  }
  createStatement: {
    params: { accountId: string }
    body: CreateStatementRequest
    data: Statement
    problems: CommonProblemCode | 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'account_not_found' | 'period_not_over' | 'period_before_account'
  }
}

export type OperationId = keyof Operations
