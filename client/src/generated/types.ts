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
  code: ProblemCode | (string & {})
  /** Names the request in the logs of the service */
  requestId: string
  /** All faults of an invalid request, or the reasons of a provider */
  errors?: Fault[]
  /** The limit that a payment would exceed (`limit_exceeded`) */
  limit?: {
  /** Whose limit it is */
  scope: 'account' | 'organisation'
  /** Whether it limits one payment, or the payments of a UTC day or month in bank time */
  period: 'payment' | 'day' | 'month'
  /** The limit in cents */
  limit: number
  /** The rest of it in cents */
  left: number
}
  /** The value of `after` with which a list of events goes on whose position is gone (410) */
  resumeAfter?: number
}

/** One fault of a request, or one reason of a provider */
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

/** The merchant that charges the card */
export interface AuthorizationMerchant {
  /** Name of the merchant */
  name: string
  /** Trade of the merchant; empty if it is unknown */
  category: string
  /** Place of the purchase; empty if it is unknown */
  location: string
  /** Id of the merchant at the card network; absent if it is unknown */
  id?: string
  /** Merchant category code; absent if it is unknown */
  categoryCode?: string
}

/** A purchase by card that is approved or declined, before money moves */
export interface Authorization {
  /** Id of this record */
  id: string
  /** `Authorized` while the amount is held; then `Completed` by a settlement, or `Canceled` by a reversal or after seven days. `Declined` held nothing */
  status: 'Authorized' | 'Completed' | 'Canceled' | 'Declined' | (string & {})
  /** Amount that the merchant asked for, with later changes, in cents */
  amount: number
  /** Name of the merchant */
  description: string
  /** Time of creation, in bank time */
  createdAt: string
  /** Last four digits of the card number */
  cardLast4Digits: string
  merchant: AuthorizationMerchant
  /** Why it was declined: one of these words, or one that your decision hook answered; absent otherwise */
  reason?: 'CardNotActive' | 'AccountNotOpen' | 'InsufficientFunds' | 'PurchaseLimitExceeded' | 'DailyLimitExceeded' | 'MonthlyLimitExceeded' | 'MerchantCategoryNotAllowed' | 'DeclinedByApp' | 'DecisionUnavailable' | (string & {})
}

/** A token that proves the verification of a customer */
export interface VerificationToken {
  /** The token, valid for ten minutes; shown only in this answer */
  verificationToken: string
}

/** The other party of a payment or transaction, as it was at the time */
export interface Counterparty {
  /** Name of the other party */
  name: string
  /** ABA routing number of its bank */
  routingNumber: string
  /** Its account number */
  accountNumber: string
  /** Kind of its account */
  accountType: string
}

/** The facts of the transaction */
export interface TransactionAttributes {
  /** Time of posting, in bank time */
  createdAt: string
  /** Amount in cents, always positive */
  amount: number
  /** `Credit` for money in, `Debit` for money out */
  direction: 'Credit' | 'Debit' | (string & {})
  /** Balance of the account after the transaction, in cents */
  balance: number
  /** Name of the other party and purpose */
  summary: string
  counterparty: Counterparty
  /** Nacha code of the return, on what was returned */
  returnCode?: string
  /** The return code in words; absent if the code is unknown */
  returnReason?: string
  /** Facts about the cause: `originalType` is `ACH`, `BOOK`, `CARD` or `REWARD`; `paymentId` names the payment, if there is one */
  tags: Record<string, string>
}

/** A related record by its type and id */
export interface Relation {
  /** Type of the related record */
  type: string
  /** Id of the related record */
  id: string
}

/** A relation to one record */
export interface ToOneRelation {
  data: Relation
}

/** A relation to several records */
export interface ToManyRelation {
  /** The related records */
  data: Relation[]
}

/** The records that the transaction is related to: its account, customers and organisation (`org`); the payment, if there is one; the account and the customer on the other side, if they are known */
export interface TransactionRelationships {
  account: ToOneRelation
  customer?: ToOneRelation
  customers?: ToManyRelation
  payment?: ToOneRelation
  counterpartyAccount?: ToOneRelation
  counterpartyCustomer?: ToOneRelation
  org?: ToOneRelation
}

/** A movement of money into or out of an account */
export interface Transaction {
  /** Kind of transaction */
  type: 'bookTransaction' | (string & {})
  /** Id of this record */
  id: string
  attributes: TransactionAttributes
  relationships: TransactionRelationships
}

/** A transaction in a list, with its attributes at the top level */
export interface ListedTransaction extends Omit<TransactionAttributes, 'tags'> {
  /** Kind of transaction */
  type: 'bookTransaction' | (string & {})
  /** Id of this record */
  id: string
  /** Its account */
  accountId?: string
  /** Facts about the cause: `originalType` is `ACH`, `BOOK`, `CARD` or `REWARD`; `paymentId` names the payment, if there is one */
  tags?: Record<string, string>
}

/** Names and values of your own, kept with the record: at most 15, each up to 255 characters */
export type TagsInput = Record<string, string>

/** A postal address that something is sent to, or that identifies a person */
export interface MailingAddressInput {
  /** Street and number */
  street: string
  /** Apartment, suite or floor */
  street2?: string | null | undefined
  /** City or town */
  city: string
  /** State, in the United States by its two letters */
  state: string
  /** Postal code, in the United States a ZIP or ZIP+4 code */
  postalCode: string
  /** Country by the two letters of ISO 3166-1; absent for `US` */
  country?: string | undefined
}

/** A card that is shipped to its holder */
export interface PhysicalCardInput {
  /** A physical card */
  type: 'individualDebitCard'
  /** The account that purchases are paid from */
  accountId: string
  /** Id of the customer who holds the card; needed only if an account has several */
  customerId?: string | undefined
  tags?: TagsInput | undefined
  /** Look of the card; absent for `default` */
  design?: string | undefined
  shippingAddress: MailingAddressInput
}

/** A card for purchases online, without plastic */
export interface VirtualCardInput {
  /** A virtual card */
  type: 'individualVirtualDebitCard'
  /** The account that purchases are paid from */
  accountId: string
  /** Id of the customer who holds the card; needed only if an account has several */
  customerId?: string | undefined
  tags?: TagsInput | undefined
}

export type CreateCardRequest = PhysicalCardInput | VirtualCardInput

/** A postal address, as the caller sent it */
export interface Address extends Omit<MailingAddressInput, 'street2' | 'country'> {
  /** Apartment, suite or floor */
  street2?: string | null
  /** Country by the two letters of ISO 3166-1; absent for `US` */
  country?: string
}

/** A debit card of an account; `shippingAddress` is absent for a virtual one */
export interface Card {
  /** Id of this record */
  id: string
  /** The account that purchases are paid from */
  accountId: string
  /** Time of creation, in bank time */
  createdAt: string
  /** Last four digits of the card number */
  last4Digits: string
  /** Last month in which the card works, YYYY-MM */
  expirationDate: string
  /** Purchases are approved while `Active`. `Lost`, `Stolen` and `ClosedByCustomer` are final; `SuspectedFraud` comes from a provider */
  status: 'Inactive' | 'Active' | 'Frozen' | 'Lost' | 'Stolen' | 'ClosedByCustomer' | 'SuspectedFraud' | (string & {})
  /** `individualDebitCard` is physical, `individualVirtualDebitCard` virtual */
  type: 'individualDebitCard' | 'individualVirtualDebitCard' | (string & {})
  /** Look of the card; absent for a virtual one */
  design?: string
  shippingAddress?: Address
}

export interface ReplaceCardRequest {
  shippingAddress: MailingAddressInput
}

/** A card in a list; its expiry is a time */
export interface ListedCard extends Omit<Card, 'expirationDate'> {
  /** Last millisecond of the month in which the card expires */
  expirationDate: string
}

export interface CreatePaymentRequest {
  /** Amount to send or to collect, in cents */
  amount: number
  /** The external account to pay or to collect from, of the same customer */
  counterpartyAccountId: string
  /** Purpose that the statement of the payee shows */
  description: string
  /** Further text for the payee */
  addenda?: string | undefined
  /** The network that carries the payment */
  originalType: 'ACH'
  tags?: TagsInput | undefined
  /** `Credit`, also if it is absent, sends money to the external account; `Debit` collects it from there */
  direction?: 'Credit' | 'Debit' | undefined
  /** Asks for settlement on the day of the next cut-off; no effect if payments are sent at once */
  sameDay?: boolean | undefined
  /** SEC code of the ACH entry; by default CCD for external accounts of businesses, else PPD. That of a debit follows from its mandate */
  secCode?: 'PPD' | 'CCD' | 'WEB' | undefined
}

/** Money sent from an account to a counterparty */
export interface Payment {
  /** Id of this record */
  id: string
  /** `achPayment` by ACH to an external account; `bookPayment` within the bank: a book transfer, or the payout of a reward */
  type: 'achPayment' | 'bookPayment' | (string & {})
  /** Amount in cents */
  amount: number
  /** Time of creation, in bank time */
  createdAt: string
  /** Purpose that the sender gave */
  description: string
  /** `Credit` sends money to the counterparty, `Debit` collects it from there */
  direction: 'Credit' | 'Debit' | (string & {})
  /** A payment that leaves with an ACH file is `Pending` until the cut-off, `Clearing` until it settles, then `Sent`; a debit is `Clearing` until its clearing days are over. */
  status: 'Pending' | 'PendingReview' | 'Clearing' | 'Sent' | 'Rejected' | 'Canceled' | 'Returned' | (string & {})
  /** The network that carries the payment; `BOOK` for a book transfer, `REWARD` for a payout */
  originalType: string
  counterparty: Counterparty
  /** The recurring payment whose run made it; only then */
  recurringPaymentId?: string
  /** The debit that it presents again; only then */
  retryOf?: string
  /** The payment that it takes back; only then */
  reversalOf?: string
  /** Why it takes the other payment back */
  reversalReason?: 'Duplicate' | 'WrongReceiver' | 'WrongAmount' | 'WrongDate' | (string & {})
  /** True for a payment that settles on the day on which it leaves */
  sameDay?: boolean
  /** SEC code of the entry */
  secCode?: 'PPD' | 'CCD' | 'WEB' | 'TEL' | (string & {})
  /** Day on which the payment is to settle */
  expectedCompletionDate?: string
  /** Trace number of the entry, from `Clearing` on */
  traceNumber?: string
  /** Day on which the payment settled, from `Sent` on */
  settlementDate?: string
  /** Nacha code of the return, on what was returned */
  returnCode?: string
  /** The return code in words; absent if the code is unknown */
  returnReason?: string
  /** The reason that the reviewer gave; only on a payment that was approved or rejected by one */
  reason?: string
}

/** A payment in a list, with its account and without `originalType` */
export interface ListedPayment extends Omit<Payment, 'originalType'> {
  /** The account that the payment leaves, or that a debit arrives at */
  accountId?: string
  /** Why it waits for a reviewer */
  reviewReason?: 'accountLimit' | 'organisationLimit' | 'firstPayment' | 'externalAccount' | 'screening' | 'accountFrozen' | 'paymentsBlocked' | 'legalHold' | 'stopped' | (string & {})
}

export interface CreateExternalAccountRequest {
  /** Kind of holder */
  type: 'Business' | 'Person' | 'Unknown'
  /** Name of the holder */
  name: string
  /** ABA routing number of the bank */
  routingNumber: string
  /** Account number at that bank */
  accountNumber: string
  /** Kind of account */
  accountType: 'Checking' | 'Savings' | 'Loan'
  /** `CreditOnly`, even if it is absent: money can only be sent there */
  permissions?: 'CreditOnly' | undefined
}

/** The authorization of a customer to collect money from an external account */
export interface Mandate {
  /** How the customer gave it */
  authorization: 'Online' | 'Written' | 'Phone' | (string & {})
  /** Version of the text that the customer agreed to */
  textVersion: string
  /** When the customer gave it */
  authorizedAt: string
  /** Where it came from, such as an IP address */
  address: string
  /** When it was revoked, in bank time; absent while money can be collected with it */
  revokedAt?: string
}

/** The verification of an external account */
export interface ExternalAccountVerification {
  /** `Attestation`: the operator has verified the account elsewhere. `MicroEntries`: the customer names two small amounts. */
  method: 'Attestation' | 'MicroEntries' | 'Prenote' | (string & {})
  /** `Pending` before its entries have left and settled, `Sent` while they can be confirmed or returned, then `Verified` or `Failed` */
  status: 'Pending' | 'Sent' | 'Verified' | 'Failed' | (string & {})
  /** When it began, in bank time; absent for an attestation */
  startedAt?: string
  /** While it is `Sent`: until then amounts can be confirmed; a prenote that is not returned verifies the account then */
  endsAt?: string
  /** While micro-entries are `Sent`: wrong amounts that can still be sent */
  attemptsLeft?: number
  /** When it was verified, in bank time */
  verifiedAt?: string
  /** The proof that the operator named */
  reference?: string
  /** Why it failed: too many wrong amounts, no confirmation in time, an entry that the other bank returned, a batch that the receiving bank rejected, or another number of the account */
  reason?: 'WrongAmounts' | 'Expired' | 'Returned' | 'Rejected' | 'NumberChanged' | (string & {})
  /** NACHA code of the return that made it fail */
  returnCode?: string
}

/** An account at any bank that a customer can pay */
export interface ExternalAccount {
  /** Id of this record */
  id: string
  /** Time of creation, in bank time */
  createdAt: string
  /** Name of the holder */
  name: string
  /** ABA routing number of the bank */
  routingNumber: string
  /** Name of the bank with this routing number */
  bank: string
  /** Account number at that bank */
  accountNumber: string
  /** Kind of account */
  accountType: 'Checking' | 'Savings' | 'Loan' | (string & {})
  /** Kind of holder */
  type: 'Business' | 'Person' | 'Unknown' | (string & {})
  /** `CreditOnly`: money can be sent there, and not collected. `CreditAndDebit`: the account is verified, and money can be collected with a mandate */
  permissions: 'CreditOnly' | 'CreditAndDebit' | (string & {})
  /** The customer who can pay it */
  customerId: string
  /** Present if the screening asked for a review. With `PendingReview` payments to the account wait until a reviewer decides */
  review?: 'PendingReview' | 'Approved' | 'Rejected' | (string & {})
  mandate?: Mandate
  verification?: ExternalAccountVerification
}

/** The statement of an account for one month */
export interface Statement {
  /** Always `accountStatementDTO` */
  type: 'accountStatementDTO' | (string & {})
  /** Id of this record */
  id: string
  /** Calendar month in UTC, YYYY-MM */
  period: string
  /** The account of the statement */
  accountId: string
  /** The customer who owns the account */
  customerId: string
}

export interface CreateAccountRequest {
  /** The customer who will own the account */
  customerId: string
  tags?: TagsInput | undefined
}

/** Names and values of your own, kept with the record: at most 15, each up to 255 characters */
export type Tags = Record<string, string>

/** Why outgoing payments of the account are refused; absent if they are not */
export interface PaymentBlock {
  /** Why outgoing payments are refused */
  reason: string
  /** UTC, with milliseconds */
  since: string
  /** The returned payment, if the return of a debit blocked the account */
  paymentId?: string
}

/** A checking account of a customer */
export interface DepositAccount {
  /** Id of this record */
  id: string
  /** Always `depositAccount` */
  type: 'depositAccount' | (string & {})
  /** The customer who owns the account */
  customerId: string
  /** Time of creation, in bank time */
  createdAt: string
  /** Name of the account holder */
  name: string
  /** Kind of account */
  depositProduct: 'checking' | (string & {})
  /** ABA routing number of the bank */
  routingNumber: string
  /** Account number at the bank */
  accountNumber: string
  /** ISO 4217 code of the currency */
  currency: 'USD' | (string & {})
  /** Balance minus hold, in cents; negative if the account is overdrawn, or more is held than it has */
  available: number
  /** Booked balance, in cents; negative if the account is overdrawn */
  balance: number
  /** Sum that open card authorizations and active holds reserve, in cents */
  hold: number
  /** `Open`; `Frozen`: money arrives and none leaves; or `Closed` */
  status: 'Open' | 'Frozen' | 'Closed' | (string & {})
  tags: Tags
  paymentBlock?: PaymentBlock
}

export interface UploadDocumentBackRequest {
  /** The file in Base64, at most 20 MiB when decoded */
  file: string
  /** Media type of the file; it must match the content */
  contentType: 'image/png' | 'image/jpeg' | 'application/pdf'
}

/** A document that an application needs */
export interface Document {
  /** Id of this record */
  id: string
  /** Kind of document */
  documentType: 'Passport' | (string & {})
  /** `Required` until a file arrives. The built-in bank goes on to `PendingReview` or `Approved`; `Invalid` needs another upload */
  status: 'Required' | 'ReceivedFront' | 'ReceivedBack' | 'PendingReview' | 'Approved' | 'Invalid' | (string & {})
  /** Instruction for the applicant, and the reason of a rejection */
  description: string
}

/** The merchant of an offer */
export interface Merchant {
  /** Id of this record */
  id: string
  /** Name of the merchant */
  name: string
  /** Short text about the merchant */
  description: string
  /** Website of the merchant */
  websiteURL: string
  /** Picture of the merchant */
  imgUrl: string
}

/** Opening hours, one text for each day */
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

/** Address of the shop */
export interface OfferAddress {
  /** Street and number */
  street: string
  /** City or town */
  city: string
  /** State by its two letters */
  state: string
  /** ZIP or ZIP+4 code; abroad the postal code */
  zip: string
}

/** Place of the shop */
export interface GeoLocation {
  /** Latitude in degrees */
  lat: number
  /** Longitude in degrees */
  long: number
}

/** Cash back for purchases in a shop */
export interface LocalOffer {
  /** Id of this record */
  id: string
  /** Headline of the offer */
  title: string
  /** Terms of the offer; may be empty */
  terms: string
  /** Whether a partner user earns by the offer only once */
  redeemableOnce: boolean
  /** An offer in a shop */
  offerType: 'INSTORE'
  /** Cash back in percent of the purchase, with at most two decimals */
  commission: number
  /** When the offer ends, in bank time */
  expirationDate: string
  merchant: Merchant
  operationHours: OperationHours
  address: OfferAddress
  geoLocation: GeoLocation
  /** Phone number of the shop */
  phone: string
}

/** A page of local offers */
export interface LocalOffers {
  /** The offers of this page */
  localRewardOffers: LocalOffer[]
  /** Number of the next page; null on the last page */
  nextPage: number | null
}

/** Cash back for purchases online */
export interface NationalOffer {
  /** Id of this record */
  id: string
  /** Headline of the offer */
  title: string
  /** Terms of the offer; may be empty */
  terms: string
  /** Whether a partner user earns by the offer only once */
  redeemableOnce: boolean
  /** An offer online */
  offerType: 'ONLINE'
  /** Cash back in percent of the purchase, with at most two decimals */
  commission: number
  /** When the offer ends, in bank time */
  expirationDate: string
  merchant: Merchant
}

/** A page of national offers */
export interface NationalOffers {
  /** The offers of this page */
  nationalRewardOffers: NationalOffer[]
  /** Number of the next page; null on the last page */
  nextPage: number | null
}

/** A user who takes part in rewards */
export interface PartnerUser {
  /** Id of this record */
  id: number
  /** Your own number of the user */
  userId: number
  /** Whether the user was removed from rewards */
  isRemoved: boolean
  /** Time of creation, in bank time */
  createdAt: string
  /** Time of the last change, in bank time; null before the first */
  updatedAt: string | null
}

/** A settled purchase with a linked card */
export interface RewardableTransaction {
  /** Id of this record */
  id: number
  /** The link of the card that paid */
  partnerUserCardId: number
  /** Id of the transaction of the settlement */
  bankTransactionId: string
  /** Time of creation, in bank time */
  createdAt: string
  /** Time of the last change, in bank time; null before the first */
  updatedAt: string | null
}

/** The payout of a reward */
export interface RewardPayment {
  /** Id of this record */
  id: number
  /** The reward that was paid */
  rewardId: number
  /** The payment that carried the money, here as a number */
  paymentId: number
  /** Time of creation, in bank time */
  createdAt: string
  /** Time of the last change, in bank time; null before the first */
  updatedAt: string | null
}

export interface CloseAccountRequest {
  /** Why the account is closed */
  reason: 'ByCustomer' | 'Fraud' | 'NegativeBalance'
  /** Another account of the same customer, to which the whole balance is moved */
  closeTo?: string | undefined
}

/** Limits of one payment */
export interface PaymentLimit {
  /** Above this amount a payment waits for a review; null for none */
  soft: number | null
  /** Above this amount a payment is refused; null for none */
  hard: number | null
}

/** Limits of the payments of a day, from midnight UTC in bank time */
export interface DayLimit extends PaymentLimit {
  /** Amount of the payments of the period so far; null if there are no limits */
  used: number | null
}

/** Limits of the payments of a month, from its first midnight UTC in bank time */
export interface MonthLimit extends DayLimit {
}

/** Limits of one debit */
export interface DebitLimit extends PaymentLimit {
}

/** Limits of the debits of a day, from midnight UTC in bank time */
export interface DebitDayLimit extends DayLimit {
}

/** Limits of the debits of a month, from its first midnight UTC in bank time */
export interface DebitMonthLimit extends DayLimit {
}

/** The limits and terms of payments that collect money */
export interface DebitLimits {
  payment: DebitLimit
  day: DebitDayLimit
  month: DebitMonthLimit
  /** Debits of a day, more are refused; null for no limit */
  dayCount: number | null
  /** Banking days from the settlement of a debit to its credit; null for the setting */
  clearingDays: number | null
  /** Amount of debits that may be credited at their settlement, ahead of the clearing days; null for the setting */
  earlyAvailability: number | null
  /** Whether the return of a debit blocks outgoing payments of the account; absent for the setting */
  blockOnReturn?: boolean
}

/** The limits of an account */
export interface AccountLimits {
  /** Id of the account */
  id: string
  payment: PaymentLimit
  day: DayLimit
  month: MonthLimit
  /** Amount by which payments and card purchases may overdraw the account; null for the setting of the operator */
  overdraft: number | null
  debits?: DebitLimits
}

/** All limits of the account. A member that is absent removes its limit */
export interface SetAccountLimitsRequest {
  /** Limit of one payment */
  payment?: {
  /** Above this amount in cents a payment waits for a review; absent for none */
  soft?: number | undefined
  /** Above this amount in cents a payment is refused; absent for none */
  hard?: number | undefined
} | undefined
  /** Limit of the payments of a UTC day in bank time */
  day?: {
  /** Above this amount in cents a payment waits for a review; absent for none */
  soft?: number | undefined
  /** Above this amount in cents a payment is refused; absent for none */
  hard?: number | undefined
} | undefined
  /** Limit of the payments of a UTC month in bank time */
  month?: {
  /** Above this amount in cents a payment waits for a review; absent for none */
  soft?: number | undefined
  /** Above this amount in cents a payment is refused; absent for none */
  hard?: number | undefined
} | undefined
  /** Amount in cents by which payments and card purchases may overdraw the account; absent for the setting of the operator */
  overdraft?: number | undefined
  /** Limits and terms of payments that collect money; absent for none */
  debits?: {
  /** Limit of one payment */
  payment?: {
  /** Above this amount in cents a payment waits for a review; absent for none */
  soft?: number | undefined
  /** Above this amount in cents a payment is refused; absent for none */
  hard?: number | undefined
} | undefined
  /** Limit of the payments of a UTC day in bank time */
  day?: {
  /** Above this amount in cents a payment waits for a review; absent for none */
  soft?: number | undefined
  /** Above this amount in cents a payment is refused; absent for none */
  hard?: number | undefined
} | undefined
  /** Limit of the payments of a UTC month in bank time */
  month?: {
  /** Above this amount in cents a payment waits for a review; absent for none */
  soft?: number | undefined
  /** Above this amount in cents a payment is refused; absent for none */
  hard?: number | undefined
} | undefined
  /** Debits of a UTC day in bank time; more are refused */
  dayCount?: number | undefined
  /** Banking days from the settlement of a debit to its credit; absent for the setting of the operator */
  clearingDays?: number | undefined
  /** Amount in cents of debits that may be credited at their settlement, ahead of the clearing days; absent for the setting of the operator */
  earlyAvailability?: number | undefined
  /** Whether the return of a debit blocks outgoing payments of the account; absent for the setting of the operator */
  blockOnReturn?: boolean | undefined
} | undefined
}

/** The person or the key behind a decision */
export interface Signer {
  /** Whether a person signed, or an API key proposed or rejected */
  type: 'person' | 'apiKey'
  /** Id of the person or of the key */
  id: string
  /** Name at the time of the decision; null if the key has none */
  name: string | null
}

/** Why the operation was refused after the approval */
export interface ProposalProblem {
  /** Code of the refusal */
  code: string
  /** The refusal in words */
  detail: string
}

/** A decision that waits for a second person, or what became of it */
export interface Proposal {
  /** Id of this record */
  id: string
  /** `Approved` while the operation runs; `Failed` if it was refused then */
  state: 'Waiting' | 'Approved' | 'Executed' | 'Failed' | 'Rejected' | 'Withdrawn' | 'Expired' | (string & {})
  /** The kind of decision */
  decision: 'paymentApproval' | 'limits' | 'holdRelease' | 'writeOff' | 'railResume' | 'personalExport' | 'personRights' | (string & {})
  /** The operation that an approval runs */
  operation: string
  /** Parameters in the path of the operation */
  params: Record<string, string>
  /** Body of the operation */
  body: Record<string, unknown>
  /** Id of the record that the operation changes */
  recordId: string
  /** Amount in cents; null for a decision without one */
  amount: number | null
  /** The reason of the proposer; null if there is none */
  reason: string | null
  proposedBy: Signer
  /** The person or key that decided; null for nobody */
  decidedBy: Signer | null
  /** The reason of who decided; null without one */
  decisionReason: string | null
  /** The refusal of a `Failed` proposal; null for others */
  problem: ProposalProblem | null
  /** Time of creation, in bank time */
  createdAt: string
  /** Bank time until which it can be approved */
  expiresAt: string
  /** Bank time of the approval, rejection, withdrawal or expiry; null while it waits */
  decidedAt: string | null
}

export interface CreateAccountHoldRequest {
  /** Amount to hold, in cents */
  amount: number
  /** Why the money is held: `LegalOrder` for a levy or a court order, which may exceed what is available; `Dispute`, `Fraud` or `Other` */
  reason: 'LegalOrder' | 'Dispute' | 'Fraud' | 'Other'
  /** Note of your own */
  description?: string | undefined
  /** When the hold ends by itself, a bank time in the future; absent for a hold without an end */
  expiresAt?: string | undefined
}

/** An amount that is reserved on an account and cannot be spent */
export interface AccountHold {
  /** Id of this record */
  id: string
  /** `Active` while the amount is held; then `Released` by a request, or `Expired` at `expiresAt` */
  status: 'Active' | 'Released' | 'Expired' | (string & {})
  /** The account on which the amount is held */
  accountId: string
  /** The customer who owns the account */
  customerId: string
  /** Amount that is held while the hold is `Active`, in cents */
  amount: number
  /** Why the money is held */
  reason: 'LegalOrder' | 'Dispute' | 'Fraud' | 'Other' | (string & {})
  /** Note of the app; null without one */
  description: string | null
  /** Time of creation, in bank time */
  createdAt: string
  /** Bank time at which the hold ends by itself; null for a hold without an end */
  expiresAt: string | null
  /** Bank time of the release or of the expiry; null while the hold is `Active` */
  endedAt: string | null
}

export interface BlockPaymentsRequest {
  /** Why; the account shows it */
  reason: string
}

/** Whether outgoing payments of an account are refused, and why */
export interface AccountPaymentBlock {
  /** Id of the account */
  id: string
  /** Why outgoing payments are refused; null if they are not */
  reason: string | null
  /** Since when, in bank time; null if they are not */
  since: string | null
  /** The returned payment, if the return of a debit blocked the account */
  paymentId?: string
}

export interface ReleasePaymentsRequest {
  /** Why; the account shows it */
  reason: string
}

/** The limit of one purchase */
export interface CardPurchaseLimit {
  /** Largest amount of one purchase, in cents; null for no limit */
  amount: number | null
}

/** The limit of a day or a month, which begin at midnight UTC in bank time, and what is used of it */
export interface CardPeriodLimit {
  /** Largest amount of the purchases of the period together, in cents; null for no limit */
  amount: number | null
  /** Largest number of purchases of the period; null for no limit */
  count: number | null
  /** Amount of the approved purchases of the present period, in cents */
  usedAmount: number
  /** Number of approved purchases of the present period */
  usedCount: number
}

/** The spending limits of a card */
export interface CardLimits {
  /** Id of the card */
  id: string
  purchase: CardPurchaseLimit
  day: CardPeriodLimit
  month: CardPeriodLimit
  /** The only merchant categories that are approved; null for all */
  allowedCategories: string[] | null
  /** Merchant categories that are declined; null for none */
  blockedCategories: string[] | null
}

/** All limits of the card. A member that is absent removes its limit */
export interface SetCardLimitsRequest {
  /** Limit of one purchase */
  purchase?: {
  /** Largest amount of one purchase, in cents; absent for no limit */
  amount?: number | undefined
} | undefined
  /** Limit of the purchases of a UTC day in bank time */
  day?: {
  /** Largest amount of the purchases together, in cents; absent for no limit */
  amount?: number | undefined
  /** Largest number of purchases; absent for no limit */
  count?: number | undefined
} | undefined
  /** Limit of the purchases of a UTC month in bank time */
  month?: {
  /** Largest amount of the purchases together, in cents; absent for no limit */
  amount?: number | undefined
  /** Largest number of purchases; absent for no limit */
  count?: number | undefined
} | undefined
  /** The only merchant categories that are approved; absent for all */
  allowedCategories?: string[] | undefined
  /** Merchant categories that are declined; absent for none */
  blockedCategories?: string[] | undefined
}

/** An authorization with its card, account and customer, and the amounts that were settled and refunded */
export interface OwnedAuthorization extends Authorization {
  /** Amount taken from the account so far, in cents */
  settled: number
  /** Amount given back so far, in cents */
  refunded: number
  /** The card */
  cardId: string
  /** The account of the card */
  accountId: string
  /** The customer who holds the card */
  customerId: string
  /** Name of the customer */
  customerName: string
}

/** A person who can have accounts */
export interface Customer {
  /** Id of this record */
  id: string
  /** Kind of customer */
  type: 'individualCustomer' | (string & {})
  /** Time of creation, in bank time */
  createdAt: string
  /** Full name; `Erased` after the erasure */
  name: string
  /** E-mail address; null if it is unknown */
  email: string | null
  /** Phone number; null if it is unknown */
  phone: string | null
  /** Postal address; null if it is unknown */
  address: Address | null
  /** `Active`, or `Erased` if the operator has erased the personal data; another provider may archive a customer, and may have other words */
  status: 'Active' | 'Archived' | 'Erased' | (string & {})
  tags: Tags
}

/** A payment of a batch: the body of createPayment, its account, and its own key */
export interface BatchedPaymentInput extends CreatePaymentRequest {
  /** The account that pays */
  accountId: string
  /** The idempotency key of this payment; by default the key of the request, `/` and the place in the list */
  idempotencyKey?: string | undefined
}

export interface CreatePaymentBatchRequest {
  /** The payments; those of one account are made in this order */
  payments: BatchedPaymentInput[]
}

/** One fault of a payment of a batch */
export interface ItemFault {
  /** The member of the item */
  pointer?: string
  /** Kind of fault; stable */
  code: string
  /** The fault in a sentence; may change between versions */
  message: string
}

/** The limit that a payment of a batch would exceed (`limit_exceeded`) */
export interface ItemLimit {
  /** Whose limit it is */
  scope: 'account' | 'organisation'
  /** Whether it limits one payment, or the payments of a UTC day or month in bank time */
  period: 'payment' | 'day' | 'month'
  /** The limit in cents */
  limit: number
  /** The rest of it in cents */
  left: number
}

/** The outcome of a payment of a batch: the payment, or the problem */
export interface BatchOutcome {
  /** The idempotency key of the payment; null if neither it nor the request has one */
  idempotencyKey: string | null
  /** The status that createPayment would answer with */
  status: number
  payment?: Payment
  /** Why there is no payment, in the form of a refusal of createPayment */
  problem?: {
  /** Address of the description of the code */
  type: string
  /** Short text for people */
  title: string
  /** The same as the status beside the problem */
  status: number
  /** The reason in a sentence; may change between versions */
  detail: string
  /** Stable code */
  code: string
  /** Id of the request, for support */
  requestId: string
  /** The faults of the item; pointers begin at the item */
  errors?: ItemFault[]
  limit?: ItemLimit
}
}

export interface CreateBookTransferRequest {
  /** The account that receives the money, of any customer of the organisation */
  toAccountId: string
  /** Amount to move, in cents */
  amount: number
  /** Purpose that both accounts show */
  description: string
}

/** A recurring payment by ACH */
export interface RecurringAchPaymentInput {
  /** Payments to or from an external account */
  type: 'achPayment'
  /** The account that pays, or that a debit collects money for */
  accountId: string
  /** Amount of each payment, in cents */
  amount: number
  /** How often it pays; `Once` is a payment on a future date */
  interval: 'Once' | 'Weekly' | 'EveryTwoWeeks' | 'TwiceAMonth' | 'Monthly' | 'Yearly'
  /** Day from which on it pays, in Eastern time: today or a later day */
  startDate: string
  /** Last day on which a payment may be due */
  endDate?: string | undefined
  /** Number of due dates */
  count?: number | undefined
  /** Days of the month: one for `Monthly`, by default that of `startDate`; two for `TwiceAMonth`, by default 1 and 15. */
  days?: number[] | undefined
  /** On a weekend or a bank holiday: pay on the banking day `Before` or, by default, `After`, or `AsItComes` */
  onClosedDay?: 'Before' | 'After' | 'AsItComes' | undefined
  /** If money is missing: `Skip` the due date, by default, `Retry` on the next days, or `Stop` for good */
  onMissingMoney?: 'Skip' | 'Retry' | 'Stop' | undefined
  /** With `Retry`, the number of days after the first try on which it is tried again; 3 by default */
  retryDays?: number | undefined
  /** When a payment is returned: `Stop` for good, by default, or `GoOn` */
  onReturn?: 'Stop' | 'GoOn' | undefined
  /** The external account to pay or to collect from, of the same customer */
  counterpartyAccountId: string
  /** `Credit`, by default, sends money; `Debit` collects it */
  direction?: 'Credit' | 'Debit' | undefined
  /** Purpose that the statement of the payee shows */
  description: string
  /** Further text for the payee */
  addenda?: string | undefined
  tags?: TagsInput | undefined
  /** Asks for settlement on the day of the next cut-off */
  sameDay?: boolean | undefined
  /** SEC code of the ACH entries */
  secCode?: 'PPD' | 'CCD' | 'WEB' | undefined
}

/** A recurring book transfer */
export interface RecurringBookPaymentInput extends Omit<CreateBookTransferRequest, 'amount'> {
  /** Book transfers within the bank */
  type: 'bookPayment'
  /** The account that pays, or that a debit collects money for */
  accountId: string
  /** Amount of each payment, in cents */
  amount: number
  /** How often it pays; `Once` is a payment on a future date */
  interval: 'Once' | 'Weekly' | 'EveryTwoWeeks' | 'TwiceAMonth' | 'Monthly' | 'Yearly'
  /** Day from which on it pays, in Eastern time: today or a later day */
  startDate: string
  /** Last day on which a payment may be due */
  endDate?: string | undefined
  /** Number of due dates */
  count?: number | undefined
  /** Days of the month: one for `Monthly`, by default that of `startDate`; two for `TwiceAMonth`, by default 1 and 15. */
  days?: number[] | undefined
  /** On a weekend or a bank holiday: pay on the banking day `Before` or, by default, `After`, or `AsItComes` */
  onClosedDay?: 'Before' | 'After' | 'AsItComes' | undefined
  /** If money is missing: `Skip` the due date, by default, `Retry` on the next days, or `Stop` for good */
  onMissingMoney?: 'Skip' | 'Retry' | 'Stop' | undefined
  /** With `Retry`, the number of days after the first try on which it is tried again; 3 by default */
  retryDays?: number | undefined
  /** When a payment is returned: `Stop` for good, by default, or `GoOn` */
  onReturn?: 'Stop' | 'GoOn' | undefined
}

export type CreateRecurringPaymentRequest = RecurringAchPaymentInput | RecurringBookPaymentInput

/** The last run */
export interface LastRun {
  /** Id of the run */
  id: string
  /** Due date by the schedule */
  dueDate: string
  /** `Succeeded` made the payment; `Waiting` lacks money and is tried again; `Skipped` and `Failed` made none */
  status: 'Succeeded' | 'Waiting' | 'Skipped' | 'Failed' | (string & {})
  /** Why there is no payment: the code of the refusal, such as `insufficient_funds`, or `requested`, `paused`, `overdue` or `sentBeforeRestore`; null if there is one */
  reason: string | null
  /** Amount in cents */
  amount: number
  /** The payment; absent if there is none */
  paymentId?: string
  /** Bank time of the last try */
  at: string
}

/** A payment that is made by itself on the due dates of a schedule */
export interface RecurringPayment {
  /** Id of this record */
  id: string
  /** `Active` pays; `Paused` skips its due dates; `Completed` is behind its last one; `Canceled` by a request; `Stopped` by a rule or because it cannot go on */
  status: 'Active' | 'Paused' | 'Completed' | 'Canceled' | 'Stopped' | (string & {})
  /** Why it is `Stopped`: the code of a refusal, or `Returned` and the code of the return. Only then */
  reason?: string
  /** The type of its payments */
  type: 'achPayment' | 'bookPayment' | (string & {})
  /** `Credit` sends money, `Debit` collects it */
  direction: 'Credit' | 'Debit' | (string & {})
  /** The account that pays, or that a debit collects money for */
  accountId: string
  /** The owner of the account */
  customerId: string
  /** The external account, for an `achPayment` */
  counterpartyAccountId?: string
  /** The account that receives the money, for a `bookPayment` */
  toAccountId?: string
  /** Amount of the next payment, in cents */
  amount: number
  /** Purpose, which its payments have */
  description: string
  /** Further text for the payee */
  addenda?: string
  tags?: Tags
  /** True if its payments ask for settlement on the same day */
  sameDay?: boolean
  /** How often it pays */
  interval: 'Once' | 'Weekly' | 'EveryTwoWeeks' | 'TwiceAMonth' | 'Monthly' | 'Yearly' | (string & {})
  /** Day from which on it pays */
  startDate: string
  /** Last day on which a payment may be due */
  endDate?: string
  /** Number of due dates, those without a payment too */
  count?: number
  /** Days of the month: one for `Monthly`, by default that of `startDate`; two for `TwiceAMonth`, by default 1 and 15. */
  days?: number[]
  /** The rule of a weekend or a bank holiday */
  onClosedDay: 'Before' | 'After' | 'AsItComes' | (string & {})
  /** The rule if money is missing */
  onMissingMoney: 'Skip' | 'Retry' | 'Stop' | (string & {})
  /** With `Retry`, the number of days after the first try on which it is tried again; 3 by default */
  retryDays?: number
  /** The rule when one of its payments is returned */
  onReturn: 'Stop' | 'GoOn' | (string & {})
  /** The next due date; absent once it has ended */
  nextDueDate?: string
  /** Bank time of the next run, or of the next try of one */
  nextRunAt?: string
  /** Number of due dates that are over */
  runs: number
  lastRun?: LastRun
  /** Amounts of later due dates */
  amountChanges: {
  /** Due date from which on */
  from: string
  /** Amount in cents */
  amount: number
}[]
  /** Due dates ahead on which it does not pay */
  skippedDates: string[]
  /** Time of creation, in bank time */
  createdAt: string
  /** Bank time of its end; null while it goes on */
  endedAt: string | null
}

export interface SkipRecurringPaymentRequest {
  /** The due date to skip; the next one by default */
  date?: string | undefined
}

export interface ChangeRecurringPaymentRequest {
  /** The new amount in cents */
  amount: number
  /** Due date from which on it applies; at once by default */
  from?: string | undefined
}

/** The outcome of a due date of a recurring payment */
export interface RecurringPaymentRun extends LastRun {
  /** The recurring payment */
  recurringPaymentId: string
  /** Number of tries; 0 if it was skipped */
  tries: number
  /** Time of creation, in bank time */
  createdAt: string
}

/** A payment that is to be made */
export interface PlannedPayment {
  /** Day on which it is made */
  date: string
  /** Bank time at which it is made */
  at: string
  /** Due date by the schedule */
  dueDate: string
  /** The recurring payment */
  recurringPaymentId: string
  /** The type of the payment */
  type: 'achPayment' | 'bookPayment' | (string & {})
  /** `Credit` sends money, `Debit` collects it */
  direction: 'Credit' | 'Debit' | (string & {})
  /** Amount in cents */
  amount: number
  /** Purpose */
  description: string
  /** Whether it was skipped by a request: no payment is made */
  isSkipped: boolean
}

export interface ReversePaymentRequest {
  /** The error: the payment is a duplicate, or has the wrong receiver, amount or date */
  reason: 'Duplicate' | 'WrongReceiver' | 'WrongAmount' | 'WrongDate'
  /** When the error was discovered, in bank time; absent for now */
  discoveredAt?: string | undefined
}

/** A batch of an outgoing ACH file */
export interface AchBatch {
  /** Id of this record */
  id: string
  /** `payments` are payments of the organisation, `returns` are received payments that go back, `verifications` are micro-entries and prenotes, which are not listed one by one */
  type: 'payments' | 'returns' | 'verifications' | (string & {})
  /** `Clearing` from the cut-off on, `Settled` from the settlement on, `Rejected` if the receiving bank refused it */
  status: 'Clearing' | 'Settled' | 'Rejected' | (string & {})
  /** Side of the entries. A batch of returns has that of the received payments */
  direction: 'Credit' | 'Debit' | (string & {})
  /** The ACH file that holds the batch */
  fileId: string
  /** The Standard Entry Class */
  secCode: string
  /** Company of the payments; for returns the company that sent the received payments */
  companyName: string
  /** Its company identification */
  companyId: string
  /** Purpose of the entries */
  description: string
  /** Effective entry date */
  effectiveDate: string
  /** Day of the settlement, in Eastern time. A rejected batch does not settle */
  settlementDate: string
  /** Number of entries */
  entryCount: number
  /** Sum of the entries, in cents */
  amount: number
  /** Cut-off with which the batch left, in bank time */
  createdAt: string
  /** Time of the settlement, in bank time */
  settledAt?: string
  /** Time at which the rejection was noted, in bank time */
  rejectedAt?: string
}

/** An entry of a batch */
export interface AchEntry {
  /** The payment that left with the entry */
  paymentId?: string
  /** The received payment that the entry returns; absent if it named no account */
  receivedPaymentId?: string
  /** Trace number of the entry */
  traceNumber: string
  /** Amount in cents */
  amount: number
  /** Present status of the payment or the received payment */
  status: string
  /** Code of the return */
  returnCode?: string
}

/** Entries of ACH files that settle on the day */
export interface AchSum {
  /** Number of entries */
  count: number
  /** Sum of the credits, in cents */
  credits: number
  /** Sum of the debits, in cents */
  debits: number
}

/** The ACH entries of a settlement day, by files and by the ledger */
export interface AchReconciliation {
  /** A settlement day, in Eastern time */
  date: string
  originated: AchSum
  received: AchSum
  returnsSent: AchSum
  returnsReceived: AchSum
  /** Money that the files bring, in cents; negative if more leaves */
  net: number
  /** The part of it that is not booked yet, in cents */
  pending: number
  /** Money that the ledger has booked for the day, in cents */
  ledgerNet: number
  /** `net` less `pending` less `ledgerNet`, in cents; always 0 */
  difference: number
}

/** The rate of some returns of debits */
export interface ReturnRate {
  /** `unauthorized` (R05, R07, R10, R11, R29, R51), `administrative` (R02, R03, R04) or `all` returns */
  kind: 'unauthorized' | 'administrative' | 'all' | (string & {})
  /** Debits that were returned with such a code */
  returns: number
  /** Their part of the debits, in hundredths of a percent */
  rate: number
  /** Limit of the ACH rules, in hundredths of a percent */
  limit: number
  /** Rate from which on new debits are refused, in hundredths of a percent; null for none */
  stopAt: number | null
  /** `Warning` from 80 % of the limit on, `Over` above it, `Stopped` from `stopAt` on; `Normal` below 50 debits */
  status: 'Normal' | 'Warning' | 'Over' | 'Stopped' | (string & {})
}

/** The return rates of a company */
export interface CompanyReturnRates {
  /** Company identification of the batches */
  companyId: string
  /** Company name of the batches */
  companyName: string
  /** Debits that have left */
  debits: number
  /** The rates */
  rates: ReturnRate[]
}

/** How many debits of 60 days were returned */
export interface ReturnRates {
  /** Beginning of the 60 days, in bank time */
  since: string
  /** Their end: now, in bank time */
  until: string
  /** Debits that have left */
  debits: number
  /** The rates */
  rates: ReturnRate[]
  /** The same by company, of debits that are in ACH files */
  companies: CompanyReturnRates[]
}

/** A payment that another bank sent to an account */
export interface ReceivedPayment {
  /** Id of this record */
  id: string
  /** Kind of received payment */
  type: 'achReceivedPayment' | (string & {})
  /** The account that it reached */
  accountId: string
  /** Amount in cents */
  amount: number
  /** Time of creation, in bank time */
  createdAt: string
  /** Purpose that the sender gave */
  description: string
  /** `Credit` pays into the account, `Debit` takes from it */
  direction: 'Credit' | 'Debit' | (string & {})
  /** `Pending` until it is booked on the settlement day, then `Completed`. `MarkedForReturn` until the return settles, then `Returned` */
  status: 'Pending' | 'PendingReview' | 'Advanced' | 'MarkedForReturn' | 'Completed' | 'Returned' | (string & {})
  counterparty: Counterparty
  /** The holder of the account, as the sender names it */
  receiverName?: string
  /** The Standard Entry Class */
  secCode?: string
  /** Trace number of the ACH entry */
  traceNumber?: string
  /** Further text of the sender */
  addenda?: string
  /** The day on which it completes */
  expectedCompletionDate?: string
  /** Whether the money was available before settlement */
  wasAdvanced?: boolean
  /** Nacha code of the return, on what was returned */
  returnCode?: string
  /** The return code in words; absent if the code is unknown */
  returnReason?: string
  tags: Tags
}

export interface ReturnReceivedPaymentRequest {
  /** Code of the return */
  returnCode: string
}

export interface UpdateExternalAccountRequest {
  /** Name of the holder */
  name?: string | undefined
  /** Kind of account */
  accountType?: 'Checking' | 'Savings' | 'Loan' | undefined
  /** Kind of holder */
  type?: 'Business' | 'Person' | 'Unknown' | undefined
}

export interface GiveMandateRequest {
  /** How the customer gave it: on a website or in an app, in writing, or by telephone */
  authorization: 'Online' | 'Written' | 'Phone'
  /** Version of the text that the customer agreed to */
  textVersion: string
  /** When the customer gave it; not later than bank time */
  authorizedAt: string
  /** Where it came from: an IP address, a telephone number, or a place */
  address: string
}

export interface StartVerificationRequest {
  /** `MicroEntries`: two credits below $1 and a debit of their sum, whose amounts the customer confirms. */
  method: 'MicroEntries' | 'Prenote'
}

export interface ConfirmVerificationRequest {
  /** The amounts of the two credits, in cents, in any order */
  amounts: number[]
}

export interface AttestExternalAccountRequest {
  /** Where the proof is: the id of the check at a data provider, or of a case */
  reference: string
}

/** The document of a statement */
export interface StatementHtml {
  /** The statement as an HTML page */
  html: string
}

export interface CreateApplicationRequest {
  /** Full name of the applicant */
  name: string
  /** Day of birth, not in the future */
  dateOfBirth: string
  /** Social security number, nine digits */
  ssn: string
  /** E-mail address */
  email: string
  /** Phone number in the form of E.164 */
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

/** The application of a person who wants to become a customer */
export interface Application extends ListedApplication {
  /** The documents that the application needs; often none */
  documents: Document[]
}

/** An application in a list, without its documents */
export interface ListedApplication {
  /** Id of this record */
  id: string
  /** `Approved` and `Denied` are final; the others wait for documents or for a decision */
  status: 'AwaitingDocuments' | 'PendingReview' | 'Approved' | 'Denied' | (string & {})
  /** Time of creation, in bank time */
  createdAt: string
  /** Full name of the applicant */
  name: string
  /** E-mail address of the applicant */
  email: string
  /** The customer that the approval created; absent before it */
  customerId?: string
}

export interface UploadDocumentFrontRequest extends UploadDocumentBackRequest {
}

export interface CreatePartnerUserRequest {
  /** Your own number of the user */
  userId: number
  tags?: TagsInput | undefined
}

/** A user who takes part in rewards, with its tags */
export interface TaggedPartnerUser extends PartnerUser {
  tags: Tags
}

export interface UpdatePartnerUserRequest {
  /** True removes the user, false enrols it again */
  isRemoved?: boolean | undefined
  tags?: TagsInput | undefined
}

export interface CreatePartnerUserCardRequest {
  /** The partner user who earns with the card */
  partnerUserId: number
  /** The card to link */
  bankCardId: string
}

/** The link between a card and the partner user who earns with it */
export interface PartnerUserCard {
  /** Id of this record */
  id: number
  /** The partner user who earns with the card */
  partnerUserId: number
  /** Id of the card */
  bankCardId: string
  /** Whether the link was removed: purchases earn nothing */
  isRemoved: boolean
  /** Time of creation, in bank time */
  createdAt: string
  /** Time of the last change, in bank time; null before the first */
  updatedAt: string | null
}

export interface UpdatePartnerUserCardRequest {
  /** True removes the link, false restores it */
  isRemoved: boolean
}

export interface CreateRewardableTransactionRequest {
  /** The card that paid */
  bankCardId: string
  /** The transaction of the settlement */
  bankTransactionId: string
  /** Facts about the merchant. They count as far as the authorization does not have them */
  merchant?: {
  /** Id of the merchant at the card network */
  id?: string | undefined
  /** Merchant category code (MCC) */
  categoryCode?: string | undefined
} | undefined
}

/** The cash back of a purchase */
export interface Reward {
  /** Id of this record */
  id: number
  /** The partner user who earned it */
  partnerUserId: number
  /** The purchase that earned it */
  rewardableTransactionId: number
  /** Id of the offer that matched */
  offerId: string
  /** Name of the merchant of the offer */
  merchantName: string
  /** Amount of the purchase, in cents */
  amount: number
  /** Cash back of the user, in cents; less after a refund */
  userAmount: number
  /** `PENDING` until the payout; `CONFIRMED` by a provider or before a payout at another bank; `PAID`; `REJECTED` by a provider; `REVERSED` by a refund before the payout, `CLAWED_BACK` by one after it */
  state: 'PENDING' | 'CONFIRMED' | 'PAID' | 'REJECTED' | 'REVERSED' | 'CLAWED_BACK'
  /** Time of creation, in bank time */
  createdAt: string
  /** Time of the last change, in bank time; null before the first */
  updatedAt: string | null
}

/** The amounts that a merchant owes for the rewards of a month */
export interface MerchantBill {
  /** A month of bank time, in UTC */
  month: string
  /** The merchant of the catalogue; null if the catalogue does not have the offers */
  merchantId: string | null
  /** Name of the merchant */
  merchantName: string
  /** How many purchases earned in the month */
  purchases: number
  /** Sum of these purchases, in cents */
  purchaseAmount: number
  /** Commission that they earned, of users and issuer, in cents */
  earned: number
  /** Commission that refunds of the month took back, also of earlier purchases, in cents */
  clawedBack: number
  /** `earned` less `clawedBack`, in cents; negative for a credit */
  due: number
  /** Cash back that users were paid in the month, in cents */
  paid: number
}

/** An offer of the merchant and its outcome for the purchase */
export interface ConsideredOffer {
  /** Id of the offer */
  offerId: string
  /** Title of the offer; null if the catalogue no longer has it */
  title: string | null
  /** The cash back in cents that the offer gives for the purchase, its other conditions aside */
  userAmount: number
  /** `Won`, or the first reason why not: `NotLive` (not started, expired or paused at the time of the purchase), `OtherMerchant` (the same name, another merchant id), `OtherCategory` (not for this category code), `OtherPlace` (a local offer of another city), `OtherDay`, `NotEligible` (the condition of the offer), `BelowMinimumSpend` (all parts of the purchase together), `AlreadyRedeemed` (redeemable once), `NotActivated`, `BudgetSpent` (too little is left for it), `NoCashBack` (less than a cent), `LowerCashBack`, `OlderOffer` (the same cash back, and the newer offer wins), `ChangedSince` (would win by its present terms, which it did not have then) */
  outcome: 'Won' | 'NotLive' | 'OtherMerchant' | 'OtherCategory' | 'OtherPlace' | 'OtherDay' | 'NotEligible' | 'BelowMinimumSpend' | 'AlreadyRedeemed' | 'NotActivated' | 'BudgetSpent' | 'NoCashBack' | 'LowerCashBack' | 'OlderOffer' | 'ChangedSince' | (string & {})
}

/** The offers that were considered for a purchase, and the one that won */
export interface RewardExplanation {
  /** Id of this record */
  rewardId: number
  /** Id of the offer that won */
  offerId: string
  /** The merchant as the purchase names it */
  merchantName: string
  /** Merchant id of the purchase, if it is known */
  merchantId: string | null
  /** Category code of the purchase, if it is known */
  categoryCode: string | null
  /** UTC, with milliseconds */
  purchasedAt: string
  /** Whole cents */
  amount: number
  /** Amount of all parts of the purchase so far, which counts for minimums */
  countedAmount: number
  /** The most that the partner user did with the offer in the 30 days before; null for nothing */
  attribution: 'Impression' | 'View' | 'Click' | (string & {}) | null
  /** The offers of the merchant: the winner, then the live ones, by commission; at most 100 */
  offers: ConsideredOffer[]
  /** False if the merchant has more offers than are listed */
  complete: boolean
  /** True if the present catalogue would lead to another offer or other terms: offers changed after the purchase, or a part of it had been refunded before it was rewarded */
  catalogueChanged: boolean
}

/** Why a purchase earned cash back, or none */
export interface PurchaseExplanation {
  /** The transaction of the settlement */
  bankTransactionId: string
  /** `NotLinked` if the card was not linked when it settled, and nobody handed the purchase in */
  outcome: 'Earned' | 'NothingEarned' | 'NotLinked' | (string & {})
  /** The reward; null if there is none */
  rewardId: number | null
  /** The merchant as the purchase names it */
  merchantName: string
  /** Merchant id of the purchase, if it is known */
  merchantId: string | null
  /** Category code of the purchase, if it is known */
  categoryCode: string | null
  /** UTC, with milliseconds */
  purchasedAt: string
  /** Whole cents */
  amount: number
  /** Amount of all parts of the purchase so far, which counts for minimums */
  countedAmount: number
  /** The offers of the merchant: the live ones first, by commission; at most 100 */
  offers: ConsideredOffer[]
  /** False if the merchant has more offers than are listed */
  complete: boolean
}

/** The limits of a period */
export interface BudgetLimitInput {
  /** Most cash back, in cents */
  amount?: number | undefined
  /** Most purchases that earn */
  count?: number | undefined
}

/** Limits of UTC days and months in bank time, and in all */
export interface BudgetInput {
  day?: BudgetLimitInput | undefined
  month?: BudgetLimitInput | undefined
  total?: BudgetLimitInput | undefined
}

export interface CreateCampaignRequest {
  /** Name of the campaign */
  name: string
  /** The most that all users together earn; null for no limit */
  budget?: BudgetInput | null | undefined
  /** The most that each user earns; null for no limit */
  userBudget?: BudgetInput | null | undefined
}

/** The limits of a period */
export interface BudgetLimit {
  /** Most cash back, in cents */
  amount?: number
  /** Most purchases that earn */
  count?: number
}

/** Limits of UTC days and months in bank time, and in all */
export interface Budget {
  day?: BudgetLimit
  month?: BudgetLimit
  total?: BudgetLimit
}

/** The rest of a period */
export interface BudgetRest {
  /** Cash back in cents; null for no limit */
  amount: number | null
  /** Purchases; null for no limit */
  count: number | null
}

/** The rest of budgets now */
export interface BudgetLeft {
  day: BudgetRest
  month: BudgetRest
  total: BudgetRest
}

/** The use of a budget in all */
export interface BudgetUse {
  /** Cash back in cents, without what was taken back */
  amount: number
  /** Purchases that earned */
  count: number
}

/** Offers that are run together */
export interface Campaign {
  /** Id of this record */
  id: string
  /** Name of the campaign */
  name: string
  /** `Ended` is final */
  status: 'Active' | 'Paused' | 'Ended'
  /** The most that all users together earn; null for no limit */
  budget: Budget | null
  /** The most that each user earns; null for no limit */
  userBudget: Budget | null
  budgetLeft: BudgetLeft
  used: BudgetUse
  /** Time of creation, in bank time */
  createdAt: string
  /** Time of the last change, in bank time; null before the first */
  updatedAt: string | null
}

export interface UpdateCampaignRequest extends Omit<CreateCampaignRequest, 'name'> {
  /** Name of the campaign */
  name?: string | undefined
  /** `Ended` is final */
  status?: 'Active' | 'Paused' | 'Ended' | undefined
}

/** A condition in the filter language; its columns are tags of the partner user */
export interface UserConditionInput {
  /** The condition */
  whereClause: string
  /** Names of tags */
  columnNames?: string | undefined
  /** Values */
  values?: string | undefined
}

/** The terms of an activation */
export interface OfferActivationTermsInput {
  /** Days for which an activation is good */
  days: number
  /** Most purchases that earn by it */
  uses?: number | undefined
}

export interface CreateCampaignOfferRequest extends Omit<CreateCampaignRequest, 'name'> {
  /** Name of the merchant */
  merchantName: string
  /** Headline */
  title: string
  /** Terms; may be empty */
  terms?: string | undefined
  /** A purchase that has a merchant id earns at these alone; null to compare names */
  merchantIds?: string[] | null | undefined
  /** A purchase that has a category code earns with these alone; null for all */
  categoryCodes?: string[] | null | undefined
  /** Cash back in percent, with at most two decimals */
  commission?: number | undefined
  /** Cash back in cents, whatever the purchase; at most its amount */
  amount?: number | undefined
  /** Smallest purchase, in cents */
  minimumSpend?: number | undefined
  /** Most cash back of a purchase, in cents; null for no limit */
  maximumReward?: number | null | undefined
  /** Days of purchases, in UTC; null for every day */
  days?: ('sunday' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday')[] | null | undefined
  /** First time of purchases; now if it is left out */
  validFrom?: string | undefined
  /** Purchases from then on earn nothing; null for no end */
  expirationDate?: string | null | undefined
  /** Days until the payout; null for the delay of the service */
  settlementDelayDays?: number | null | undefined
  /** Which users earn; null for all */
  condition?: UserConditionInput | null | undefined
  /** Users have to activate the offer; null if they need not */
  activation?: OfferActivationTermsInput | null | undefined
}

/** A condition in the filter language; its columns are tags of the partner user */
export interface UserCondition {
  /** The condition */
  whereClause: string
  /** Names of tags */
  columnNames?: string
  /** Values */
  values?: string
}

/** The terms of an activation */
export interface OfferActivationTerms {
  /** Days for which an activation is good */
  days: number
  /** Most purchases that earn by it */
  uses?: number
}

/** An offer of a campaign */
export interface CampaignOffer extends Omit<Campaign, 'name'> {
  /** Id of the campaign */
  campaignId: string
  /** Name of the merchant */
  merchantName: string
  /** Headline */
  title: string
  /** Terms; may be empty */
  terms: string
  /** A purchase that has a merchant id earns at these alone; null to compare names */
  merchantIds: string[] | null
  /** A purchase that has a category code earns with these alone; null for all */
  categoryCodes: string[] | null
  /** Cash back in percent; null for an offer of an amount */
  commission: number | null
  /** Cash back in cents; null for an offer of a percentage */
  amount: number | null
  /** Smallest purchase, in cents */
  minimumSpend: number
  /** Most cash back of a purchase, in cents; null for no limit */
  maximumReward: number | null
  /** Days of purchases, in UTC; null for every day */
  days: ('sunday' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday')[] | null
  /** UTC, with milliseconds */
  validFrom: string
  /** End; null for none */
  expirationDate: string | null
  /** Days until the payout; null for the delay of the service */
  settlementDelayDays: number | null
  /** Which users earn; null for all */
  condition: UserCondition | null
  /** Users have to activate the offer; null if they need not */
  activation: OfferActivationTerms | null
}

export interface UpdateCampaignOfferRequest extends Omit<CreateCampaignOfferRequest, 'merchantName' | 'title'> {
  /** `Ended` is final */
  status?: 'Active' | 'Paused' | 'Ended' | undefined
  /** Headline */
  title?: string | undefined
}

export interface ActivateOfferRequest {
  /** Id of the partner user */
  partnerUserId: number
}

/** The activation of an offer by a partner user */
export interface OfferActivation {
  /** Id of this record; that of the provider for its own offers */
  id: string
  /** Id of the offer */
  offerId: string
  /** Id of the partner user */
  partnerUserId: number
  /** Whether it was canceled */
  status: 'Active' | 'Canceled'
  /** Purchases from then on do not earn; null if the provider of the offer does not say */
  expiresAt: string | null
  /** Purchases that may earn; null for any number */
  uses: number | null
  /** Purchases that earned */
  used: number
  /** Time of creation, in bank time */
  createdAt: string
  /** Time of the last change, in bank time; null before the first */
  updatedAt: string | null
}

/** An offer, and what a partner user can earn by it */
export interface UserOffer {
  /** Id of this record */
  id: string
  offer: CampaignOffer
  /** `Eligible`, or the first reason why a purchase now would not earn */
  eligibility: 'Eligible' | 'NotLive' | 'OtherDay' | 'NotEligible' | 'NotActivated' | 'BudgetSpent' | (string & {})
  /** The activation whose time is not over; null if there is none */
  activation: OfferActivation | null
  left: BudgetLeft
}

/** A ZIP code with its centre, from which R1 measures distances */
export interface ZipCode {
  /** The five digits */
  zip: string
  /** The city of the ZIP code */
  city: string
  /** Two letters */
  state: string
  geoLocation: GeoLocation
}

/** Purchases with linked cards that settled on the day */
export interface PurchaseSum {
  /** Number of purchases */
  count: number
  /** Sum of the purchases, in cents */
  amount: number
}

/** Rewards that were earned on the day */
export interface RewardSum {
  /** Number of rewards */
  count: number
  /** Cash back of the users, in cents */
  userAmount: number
  /** Share of the issuer in the commissions, in cents */
  issuerAmount: number
}

/** Payouts of the day, by the records */
export interface PayoutSum {
  /** Number of payouts */
  count: number
  /** Sum of the payouts, in cents */
  amount: number
}

/** The same day, by the ledger */
export interface LedgerSum {
  /** Payouts that were booked on the day, in cents */
  payouts: number
  /** Rewards that were taken back on the day, in cents */
  clawBacks: number
  /** Balance now of the account that pays rewards, in cents; negative by what it has paid */
  fundingBalance: number
}

/** The rewards of a day, by the records and by the ledger */
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

/** An impression, a view or a click of an offer */
export interface AttributionInput {
  /** Your own id; one that was counted before does not count again */
  id: string
  /** `Impression` if the offer was on the screen, `View` if its page was opened, `Click` on the way to the merchant */
  type: 'Impression' | 'View' | 'Click'
  /** The offer */
  offerId: string
  /** The partner user */
  partnerUserId: number
  /** When it happened, in bank time; now if it is absent. At most 7 days ago */
  occurredAt?: string | undefined
}

export interface CreateAttributionsRequest {
  /** The attributions to count */
  attributions: AttributionInput[]
}

/** The outcome of a batch of attributions */
export interface AttributionCount {
  /** How many now count */
  counted: number
  /** How many counted before */
  repeated: number
  /** Ids of those whose offer or partner user is unknown; they do not count */
  unknown: string[]
}

/** The way from the impression of an offer to its cash back, on one day */
export interface OfferFunnel {
  /** The day in UTC, in bank time */
  date: string
  /** Id of the offer */
  offerId: string
  /** Title of the offer; null if the catalogue does not have it */
  title: string | null
  /** How often it was on the screen */
  impressions: number
  /** How often its page was opened */
  views: number
  /** How often the way to the merchant was taken */
  clicks: number
  /** How many purchases earned by it */
  purchases: number
  /** How many of them followed an impression, view or click within 30 days */
  attributedPurchases: number
  /** Cash back of the purchases, less what refunds took back, in cents */
  earned: number
}

/** Another customer or application with some of the same personal data */
export interface SamePerson {
  /** Kind of the other record */
  type: 'customer' | 'application'
  /** Id of the other record */
  id: string
  /** Name in the other record */
  name: string
  /** Status of the other record */
  status: string
  /** The parts that are the same: street and postal code, e-mail, phone, or social security number */
  on: ('address' | 'email' | 'phone' | 'ssn')[]
}

/** A file of a document, without its content */
export interface DocumentFileFacts {
  /** Side of the document */
  side: 'front' | 'back'
  /** Media type of the file */
  contentType: string
  /** Time of the upload, in bank time */
  uploadedAt: string
}

/** A document of an application, as its reviewer sees it */
export interface ReviewDocument extends Document {
  /** The files that were uploaded. `GET /v0/review/documents/:documentId/content` returns them */
  files: DocumentFileFacts[]
}

/** An application that waits for documents or a decision */
export interface ReviewApplication extends ListedApplication {
  /** Answer of the screening about the person; null if it was not asked */
  screening: 'pass' | 'review' | 'refuse' | (string & {}) | null
  /** Day of birth */
  dateOfBirth: string
  /** The last four digits of the social security number */
  ssnLastDigits: string
  /** Phone number */
  phone: string
  address: Address
  /** Other customers and applications of the organisation with the same number, e-mail, phone or address, newest first; at most 20 for each of these */
  samePeople: SamePerson[]
  /** The documents that the application needs; often none */
  documents: ReviewDocument[]
}

export interface ApproveReviewApplicationRequest {
  /** Why it is approved; the audit log shows it */
  reason?: string | undefined
}

export interface DenyReviewApplicationRequest {
  /** Why it is decided so */
  reason: string
}

export interface RequestReviewDocumentRequest {
  /** Why it is approved; the audit log shows it */
  reason?: string | undefined
}

export interface ApproveReviewDocumentRequest {
  /** Why it is approved; the audit log shows it */
  reason?: string | undefined
}

export interface RejectReviewDocumentRequest {
  /** Why it is decided so */
  reason: string
}

/** A payment that waits for a review */
export interface ReviewPayment extends Payment {
  /** Why the payment waits: a limit of the account (`accountLimit`) or of the organisation (`organisationLimit`), the first payment to a new external account (`firstPayment`), the review of that account alone (`externalAccount`), the screening (`screening`), or a stop before it left: by a freeze (`accountFrozen`), a block of payments (`paymentsBlocked`), a legal order above what is available (`legalHold`) or a reviewer (`stopped`) */
  reviewReason: 'accountLimit' | 'organisationLimit' | 'firstPayment' | 'externalAccount' | 'screening' | 'accountFrozen' | 'paymentsBlocked' | 'legalHold' | 'stopped' | (string & {})
  /** The account that pays */
  accountId: string
  /** The customer who owns the account */
  customerId: string
  mandate?: Mandate
}

export interface ApprovePaymentRequest {
  /** Why it is decided so */
  reason: string
}

export interface RejectPaymentRequest {
  /** Why it is decided so */
  reason: string
}

export interface StopPaymentRequest {
  /** Why it is decided so */
  reason: string
}

export interface ApproveExternalAccountRequest {
  /** Why it is approved; the audit log shows it */
  reason?: string | undefined
}

export interface RejectExternalAccountRequest {
  /** Why it is decided so */
  reason: string
}

/** A card authorization that settled for more than its trade explains */
export interface OverSettlement {
  /** Id of the authorization */
  id: string
  /** `Open` while it waits for a reviewer. A later settlement opens a `Resolved` one again */
  status: 'Open' | 'Resolved' | (string & {})
  /** Amount that was authorized, with later changes, in cents */
  amount: number
  /** Amount up to which settlements need no review, in cents */
  tolerated: number
  /** Amount that has settled, in cents */
  settled: number
  /** Amount of it that was refunded, in cents */
  refunded: number
  merchant: AuthorizationMerchant
  /** The card that was charged */
  cardId: string
  /** Last four digits of the card number */
  cardLast4Digits: string
  /** The account that paid */
  accountId: string
  /** The customer who owns the account */
  customerId: string
  /** Time of creation, in bank time */
  createdAt: string
}

export interface ResolveOverSettlementRequest {
  /** Why it is decided so */
  reason: string
}

export interface ApproveProposalRequest {
  /** Why it is approved; the audit log shows it */
  reason?: string | undefined
}

export interface RejectProposalRequest {
  /** Why it is decided so */
  reason: string
}

export interface PermitExportRequest {
  /** Why it is decided so */
  reason: string
}

export interface PermitRailResumeRequest {
  /** Decisions about the files, in the words of `purser ach resume` */
  decisions: string[]
  /** The digest that `purser ach resume` prints: of the decisions, the files and what is held */
  digest: string
  /** Why it is decided so */
  reason: string
}

export interface PermitPersonRightsRequest {
  /** The role that the person gets, or has and keeps */
  role: string
  /** Why it is decided so */
  reason: string
}

/** A banking day of the calendar. `missing` is what the lines that are in no match bring, less such movements of the ledger */
export interface ClosingDay {
  /** Banking day, in Eastern time */
  day: string
  /** Whether the day has a valid certificate */
  state: 'closed' | 'open'
  /** Whether a final statement of the day was taken */
  hasStatement: boolean
  /** Version of the certificate; null for an open day */
  version: number | null
  /** Items of the day that are in no match */
  openItems: number
  /** Whole cents: positive if money came to the settlement account */
  missing: number
}

/** The terms of the day, in cents */
export interface SettlementTerms {
  /** The settlement account by the statement */
  statement: number
  /** The settlement account by the ledger */
  ledger: number
  /** Lines of the statement that the ledger does not have */
  statementItems: number
  /** Movements of the ledger that the statement does not have */
  ledgerItems: number
  /** The rest, which no item explains; 0 on a closed day */
  difference: number
}

/** The balance of all accounts of a kind */
export interface KindBalance {
  /** Kind of account; `customers` for those of all customers */
  kind: string
  /** Balance at the end of the day, in cents */
  balance: number
}

/** The certificate of a closed banking day */
export interface DayCertificate {
  /** Banking day, in Eastern time */
  day: string
  /** 1, and one more after each reopening */
  version: number
  /** SHA-256 of the certificate, by which the next one names it */
  sha256: string
  /** When the day was closed, in real time */
  closedAt: string
  /** When the day was reopened, in real time; null if this version is valid */
  reopenedAt: string | null
  /** The reason of the reopening */
  reopenedBecause: string | null
  /** The signed certificate, byte for byte as `purser day verify` takes it */
  certificate: string
}

/** A banking day with all terms to the cent */
export interface ClosingDayDetails {
  /** Banking day, in Eastern time */
  day: string
  /** Whether the day has a valid certificate */
  state: 'closed' | 'open'
  /** Each fact that keeps the day open, with its cents; empty if it can be closed, or is */
  reasons: string[]
  settlement: SettlementTerms
  /** The balances of all accounts, which add up to zero */
  ledger: KindBalance[]
  /** The certificates of the day, the newest first */
  certificates: DayCertificate[]
}

export interface ReopenDayRequest {
  /** Why it is decided so */
  reason: string
}

/** A line of the statement, or a movement of the ledger */
export interface SettlementItem {
  /** Id of the item */
  id: string
  /** `statement` for a line of the bank, `ledger` for a movement of the settlement account of the ledger */
  side: 'statement' | 'ledger'
  /** Day of the line or the movement, in Eastern time */
  day: string
  /** Days since then */
  ageDays: number
  /** Whole cents: positive if money came to the settlement account; null if the line does not say it */
  amount: number | null
  /** Code, references and text */
  description: string
  /** Guess about an item that is in no match, for the person who looks at it */
  hint: string | null
  /** Person who answers for the item; null for nobody */
  owner: string | null
  /** Note of the owner */
  note: string | null
  /** The match that the item is in; the items of one match have the same */
  match: string | null
  /** Reason of the match */
  reason: string | null
}

/** A day can be closed with the item; its certificate lists it */
export interface NoteDecisionInput {
  /** Somebody answers for the item, which stays open */
  decision: 'note'
  /** Person who answers for it */
  owner: string
  /** Why it is decided so */
  reason: string
}

/** A match by hand */
export interface MatchDecisionInput {
  /** The items are the same money */
  decision: 'match'
  /** The other items. Lines and movements must have the same sum */
  with: string[]
  /** Why it is decided so */
  reason: string
}

/** The end of a match */
export interface UnmatchDecisionInput {
  /** The match of the item ends, and no rule matches its items again */
  decision: 'unmatch'
  /** Why it is decided so */
  reason: string
}

/** A split */
export interface SplitDecisionInput {
  /** The item becomes parts, which are matched each by itself */
  decision: 'split'
  /** Cents of the parts, which add up to the item */
  amounts: number[]
  /** Why it is decided so */
  reason: string
}

/** A booking of today, in the first organisation */
export interface BookDecisionInput {
  /** The ledger books a line that it does not have, or takes a movement back */
  decision: 'book'
  /** Account that the money comes from or goes to */
  to: 'fees' | 'funding' | 'suspense' | 'write-off'
  /** Why it is decided so */
  reason: string
}

/** The direction of a line whose type code does not say it */
export interface DirectDecisionInput {
  /** The person says which way the money of a line went */
  decision: 'direct'
  /** `credit` if money came */
  direction: 'credit' | 'debit'
  /** Why it is decided so */
  reason: string
}

export type DecideSettlementItemRequest = NoteDecisionInput | MatchDecisionInput | UnmatchDecisionInput | SplitDecisionInput | BookDecisionInput | DirectDecisionInput

/** A file with statements of the settlement account, and one statement in it */
export interface BankStatementFile {
  /** Name of the file */
  file: string
  /** Outcome of the file */
  state: 'taken' | 'refused'
  /** Content of the file, or the reason of its refusal */
  detail: string
  /** UTC, with milliseconds */
  takenAt: string
  /** Day of the statement; null if the file has none */
  asOf: string | null
  /** Page of the statement */
  page: number | null
  /** Opening balance in cents */
  opening: number | null
  /** Closing balance in cents */
  closing: number | null
  /** Number of lines */
  entries: number | null
  /** Habits of the bank that the format does not allow */
  flags: string[] | null
  /** Whether the statement counts */
  standing: 'current' | 'replaced' | 'interim' | null
}

export interface TakeBankStatementRequest {
  /** Name of the file */
  name: string
  /** The file in Base64, at most 20 MiB when decoded */
  file: string
  /** Reason to take it in the place of another statement of its day */
  replace?: string | undefined
}

/** A statement of the settlement account */
export interface TakenStatement {
  /** Banking day, in Eastern time */
  asOf: string
  /** Number of lines */
  entries: number
  /** Habits of the bank that the format does not allow */
  flags: string[]
  /** Outcome of the statement. No day is closed on an `interim` one */
  effect: 'taken' | 'duplicate' | 'replaced' | 'deleted' | 'interim' | 'test'
}

/** The outcome of a file */
export interface StatementIntake {
  /** Outcome of the file */
  state: 'taken' | 'already taken' | 'refused'
  /** Content of the file, or the reason of its refusal */
  detail: string
  /** The statements of the settlement account in the file */
  statements: TakenStatement[]
}

/** A card as its processor sees it */
export interface ProcessorCard extends Omit<Card, 'createdAt' | 'design' | 'shippingAddress'> {
  /** The name by which the card processor knows the card; null if it has none */
  reference: string | null
}

export interface SetCardReferenceRequest {
  /** Reference of the card; null removes it */
  reference: string | null
}

/** The merchant that charges the card */
export interface ChargingMerchantInput {
  /** Name of the merchant; offers match by it if its id is not known */
  name: string
  /** Trade of the merchant */
  category?: string | undefined
  /** Place of the purchase */
  location?: string | undefined
  /** Id of the merchant at the card network */
  id?: string | undefined
  /** Merchant category code (MCC) */
  categoryCode?: string | undefined
}

export interface CreateProcessorAuthorizationRequest {
  /** Amount to hold, in cents */
  amount: number
  merchant: ChargingMerchantInput
  /** Your own id of this message. The same id with the same content always gets the same answer; with another content it is refused */
  processorId: string
}

export interface IncrementAuthorizationRequest {
  /** Amount to hold in addition, in cents */
  amount: number
  /** Your own id of this message. The same id with the same content always gets the same answer; with another content it is refused */
  processorId: string
}

/** A further amount that a merchant asked for on an open authorization */
export interface AuthorizationIncrement {
  /** Id of the authorization */
  id: string
  /** Amount that the merchant asked for in addition, in cents */
  amount: number
  /** Whether the amount is held; false leaves the hold as it was */
  approved: boolean
  /** Why it was declined: one of these words, or one that your decision hook answered; absent otherwise */
  reason?: 'CardNotActive' | 'AccountNotOpen' | 'InsufficientFunds' | 'PurchaseLimitExceeded' | 'DailyLimitExceeded' | 'MonthlyLimitExceeded' | 'MerchantCategoryNotAllowed' | 'DeclinedByApp' | 'DecisionUnavailable' | (string & {})
  authorization: Authorization
}

export interface AdviseAuthorizationRequest {
  /** Amount of the authorization, with the parts that settled, in cents */
  amount: number
  /** Your own id of this message. The same id with the same content always gets the same answer; with another content it is refused */
  processorId: string
}

export interface SettleProcessorAuthorizationRequest extends SettleAuthorizationRequest {
  /** Your own id of this message. The same id with the same content always gets the same answer; with another content it is refused */
  processorId: string
}

export interface ReverseProcessorAuthorizationRequest {
  /** Your own id of this message. The same id with the same content always gets the same answer; with another content it is refused */
  processorId: string
}

export interface RefundProcessorAuthorizationRequest {
  /** Amount to give back, in cents; absent for all that is left */
  amount?: number | undefined
  /** Your own id of this message. The same id with the same content always gets the same answer; with another content it is refused */
  processorId: string
}

/** The owner of an account: a customer, or the bank for an internal account */
export interface LedgerAccountOwner {
  /** Kind of owner */
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
  /** `deposit` for an account of a customer. */
  kind: 'deposit' | 'achClearing' | 'cardSettlement' | 'rewardsFunding' | 'achSettlement' | 'achSuspense' | 'achWriteOff' | 'bankFees' | 'bankFunding' | 'bankSuspense' | 'movedIn' | (string & {})
  /** Name of the account */
  name: string
  owner: LedgerAccountOwner
  /** State of the account; an internal one is `Open` */
  status: 'Open' | 'Frozen' | 'Closed' | (string & {})
  /** Number under which other banks know the account; null for an internal account */
  accountNumber: string | null
  /** Number that distinguishes internal accounts of one kind: parallel writers post to different accounts. Null for a deposit account */
  slot: number | null
  /** Posted balance in cents. That of an internal account is negative if more money came in than went out */
  balance: number
  /** Cents that open card authorizations hold */
  hold: number
  /** Balance less hold, in cents */
  available: number
  /** Number of transfers that have touched the account */
  transfers: number
  /** Bank time of the latest transfer; null before the first */
  lastTransferAt: string | null
  /** Time of creation, in bank time */
  createdAt: string
}

/** One of the two accounts of a transfer */
export interface LedgerTransferSide {
  /** Id of the account; negative for an internal account, which only the operations on the ledger know */
  accountId: string
  /** `deposit` for an account of a customer. */
  kind: 'deposit' | 'achClearing' | 'cardSettlement' | 'rewardsFunding' | 'achSettlement' | 'achSuspense' | 'achWriteOff' | 'bankFees' | 'bankFunding' | 'bankSuspense' | 'movedIn' | (string & {})
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
  /** Type of the record */
  type: 'payment' | 'authorization' | 'reward' | 'receivedPayment' | 'achBatch' | 'achException' | (string & {})
  /** Id of the record */
  id: string
}

/** A movement of money from the debited to the credited account. A transfer never changes */
export interface LedgerTransfer {
  /** Id of this record */
  id: string
  /** Cause of the transfer */
  kind: 'payment' | 'paymentReturn' | 'debit' | 'debitReturn' | 'receivedAch' | 'cardSettlement' | 'cardRefund' | 'reward' | 'rewardClawback' | 'achSettlement' | 'achReturn' | 'achException' | 'achResolution' | 'statementBooking' | 'receivedAchReturn' | (string & {})
  /** Amount in cents, always positive */
  amount: number
  debit: LedgerTransferSide
  credit: LedgerTransferSide
  /** The record that caused the transfer; null for an ACH transfer that was simulated, which has no other record */
  source: LedgerTransferSource | null
  /** Purpose of the transfer; null without one */
  description: string | null
  /** Id of the request that made the transfer; null if the bank made it by itself */
  requestId: string | null
  /** Time of creation, in bank time */
  createdAt: string
}

/** The money that moved from the accounts of one kind (`debitKind`) to those of another (`creditKind`) */
export interface LedgerFlow {
  /** The day in UTC, if the days are summed apart */
  date?: string
  /** `deposit` for an account of a customer. */
  debitKind: 'deposit' | 'achClearing' | 'cardSettlement' | 'rewardsFunding' | 'achSettlement' | 'achSuspense' | 'achWriteOff' | 'bankFees' | 'bankFunding' | 'bankSuspense' | 'movedIn' | (string & {})
  /** `deposit` for an account of a customer. */
  creditKind: 'deposit' | 'achClearing' | 'cardSettlement' | 'rewardsFunding' | 'achSettlement' | 'achSuspense' | 'achWriteOff' | 'bankFees' | 'bankFunding' | 'bankSuspense' | 'movedIn' | (string & {})
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
  /** `deposit` for an account of a customer. */
  kind: 'deposit' | 'achClearing' | 'cardSettlement' | 'rewardsFunding' | 'achSettlement' | 'achSuspense' | 'achWriteOff' | 'bankFees' | 'bankFunding' | 'bankSuspense' | 'movedIn' | (string & {})
  /** Balance at the end of the day in cents; of today, the balance now */
  balance: number
  /** Number of transfers of the day; null for the sum of deposit accounts */
  transfers: number | null
}

/** Money of one kind that the bank holds now, and the records that it belongs to */
export interface LedgerPosition {
  /** `deposits` of customers, in accounts that are not closed; `outgoing` payments to other banks that have not settled; `purchases` that are authorized and hold money within the deposits; `cashBack` that is earned and not paid out */
  kind: 'deposits' | 'outgoing' | 'purchases' | 'cashBack' | (string & {})
  /** Money of the counted records in cents; of `deposits`, all */
  amount: number
  /** Number of records; at most 10,000 are counted */
  count: number
  /** Whether there are more than `count` */
  more: boolean
  /** When the first of them settles, expires or is paid out, in bank time; null if there is none, or no such time */
  due: string | null
}

/** A row of the database that breaks a law: names of columns with their values */
export type LedgerBreach = Record<string, string | number | boolean | null>

/** An invariant of the ledger, and whether it holds */
export interface LedgerLaw {
  /** The law as a sentence */
  law: string
  /** Null if the law was not checked */
  holds: boolean | null
  /** Up to 20 rows that break the law; empty if it holds */
  rows: LedgerBreach[]
  /** Whether further rows break the law */
  more: boolean
}

/** A check of the laws of the ledger for one organisation */
export interface LedgerVerification {
  /** `NotRun` before the first check; `Holds` if every law holds; `Broken` if one does not; `Incomplete` if the time was over before every law was checked, and those that were checked hold */
  status: 'NotRun' | 'Holds' | 'Broken' | 'Incomplete' | (string & {})
  /** Bank time of the state that was checked; null before the first check */
  checkedAt: string | null
  /** Duration of the check in milliseconds; null before the first check */
  durationMs: number | null
  /** Every law, checked or not */
  laws: LedgerLaw[]
}

export interface CreateApiKeyRequest {
  /** Purpose of the key */
  name: string
  /** Scopes of the key; absent for all but `processor:write`, `review:write` and `risk:write`. A write scope includes reading */
  scopes?: ('banking:read' | 'banking:write' | 'rewards:read' | 'rewards:write' | 'events:read' | 'webhooks:write' | 'keys:write' | 'sandbox:write' | 'processor:write' | 'review:write' | 'risk:write')[] | undefined
  /** When the key stops working, a time in the future; absent for never */
  expiresAt?: string | undefined
}

/** An API key with its secret */
export interface IssuedApiKey extends ApiKey {
  /** The secret, for the header `X-Service-API-Key`; shown only in this answer */
  key: string
}

/** An API key without its secret */
export interface ApiKey {
  /** Id of the key; it stays when the secret is rotated */
  id: string
  /** Purpose of the key */
  name: string
  /** Scopes of the key; null for all but `processor:write`, `review:write` and `risk:write`. A write scope includes reading */
  scopes: ('banking:read' | 'banking:write' | 'rewards:read' | 'rewards:write' | 'events:read' | 'webhooks:write' | 'keys:write' | 'sandbox:write' | 'processor:write' | 'review:write' | 'risk:write' | 'personal:read' | 'audit:read' | 'people:write')[] | null
  /** Time of creation, in real time */
  createdAt: string
  /** When the key stops working, in real time; null for never */
  expiresAt: string | null
  /** Last use, to the minute; null before the first */
  lastUsedAt: string | null
}

export interface RotateApiKeyRequest {
  /** Seconds for which the earlier secrets go on working, at most 7 days */
  graceSeconds: number
}

/** The organisation that the key belongs to */
export interface MyOrganisation {
  /** Id of the organisation */
  id: string
  /** Name of the organisation */
  name: string
}

/** The key that made the request */
export interface MyApiKey {
  /** Id of the key */
  id: string
  /** Purpose of the key */
  name: string
  /** Scopes of the key; null for all but `processor:write`, `review:write` and `risk:write`. A write scope includes reading */
  scopes: ('banking:read' | 'banking:write' | 'rewards:read' | 'rewards:write' | 'events:read' | 'webhooks:write' | 'keys:write' | 'sandbox:write' | 'processor:write' | 'review:write' | 'risk:write' | 'personal:read' | 'audit:read' | 'people:write')[] | null
  /** When the secret that was sent stops working: at the expiry of the key, or at the end of its grace after a rotation. Null for no end */
  expiresAt: string | null
}

/** The person who is signed in; absent for an API key */
export interface Myself {
  /** Id of the person */
  id: string
  /** Name of the person */
  name: string
  /** Role of the person in the organisation */
  role: string
  /** The organisations in which the person has a role */
  organisations: {
  /** Name of the organisation */
  name: string
  /** Role of the person there */
  role: string
}[]
}

/** The provider of each area */
export interface Providers {
  /** Provider of accounts, payments and cards */
  banking: 'builtin' | 'unit' | (string & {})
  /** Provider of the offers */
  rewards: 'builtin' | 'kard' | (string & {})
}

/** The caller, and the service that it calls */
export interface Me {
  organisation: MyOrganisation
  key: MyApiKey
  person?: Myself
  /** The mode of the service */
  mode: 'sandbox' | 'live' | (string & {})
  /** Version of the service */
  version: string
  providers: Providers
  /** Faults of the settings that the operator should know; absent if there are none */
  warnings?: string[]
  /** Ids of the operations that this service has and the key may call, in the order of the index */
  operations: string[]
}

/** The record that changed, and its version after the change */
export interface EventEntity {
  /** Type of the record: the part of the event type before the dot */
  type: string
  /** Id of the record */
  id: string
  /** Number of the change of this record, 1 for a new one. Ignore versions that you have seen */
  version: number
}

/** The request that made the change; its members are null if the bank made it by itself */
export interface EventRequest {
  /** `X-Request-Id` of the request */
  id: string | null
  /** Idempotency key of the request; null if the caller sent none */
  idempotencyKey: string | null
}

/** An event of the feed; its type decides the schema of `data` */
export type Event = AccountCreatedEvent | AccountClosedEvent | AccountReopenedEvent | AccountFrozenEvent | AccountUnfrozenEvent | AccountLimitsChangedEvent | AccountPaymentsBlockedEvent | AccountPaymentsReleasedEvent | AccountHoldCreatedEvent | AccountHoldReleasedEvent | AccountHoldExpiredEvent | AchExceptionResolvedEvent | ApiKeyCreatedEvent | ApiKeyRotatedEvent | ApiKeyRevokedEvent | ApiKeyScopesChangedEvent | ApplicationCreatedEvent | ApplicationAwaitingDocumentsEvent | ApplicationPendingReviewEvent | ApplicationApprovedEvent | ApplicationDeniedEvent | ApplicationCanceledEvent | AuditLogExportedEvent | AuthorizationCreatedEvent | AuthorizationDeclinedEvent | AuthorizationAmountChangedEvent | AuthorizationIncrementDeclinedEvent | AuthorizationCanceledEvent | AuthorizationCompletedEvent | AuthorizationOverSettledEvent | AuthorizationReviewedEvent | CampaignCreatedEvent | CampaignUpdatedEvent | CampaignBudgetReachedEvent | CampaignOfferCreatedEvent | CampaignOfferUpdatedEvent | CardCreatedEvent | CardActivatedEvent | CardReplacedEvent | CardStatusChangedEvent | CardReferenceChangedEvent | CardLimitsChangedEvent | CustomerCreatedEvent | CustomerUpdatedEvent | CustomerArchivedEvent | CustomerErasedEvent | DocumentRequestedEvent | DocumentViewedEvent | DocumentApprovedEvent | DocumentRejectedEvent | ExternalAccountCreatedEvent | ExternalAccountApprovedEvent | ExternalAccountRejectedEvent | ExternalAccountCorrectedEvent | ExternalAccountMandateGivenEvent | ExternalAccountMandateRevokedEvent | ExternalAccountVerificationStartedEvent | ExternalAccountVerificationSentEvent | ExternalAccountVerificationAttemptedEvent | ExternalAccountVerificationFailedEvent | ExternalAccountVerifiedEvent | ExternalAccountDeletedEvent | OfferActivationCreatedEvent | OfferActivationUpdatedEvent | OrganisationCreatedEvent | OrganisationLimitsChangedEvent | PartnerUserCreatedEvent | PartnerUserUpdatedEvent | PartnerUserCardCreatedEvent | PartnerUserCardUpdatedEvent | PaymentCreatedEvent | PaymentPendingReviewEvent | PaymentPendingEvent | PaymentClearingEvent | PaymentSentEvent | PaymentRejectedEvent | PaymentCanceledEvent | PaymentReturnedEvent | PersonSignedInEvent | PersonSignInRefusedEvent | PersonSignedOutEvent | PersonSessionEndedEvent | PersonInvitedEvent | PersonRoleChangedEvent | PersonRemovedEvent | PersonalDataViewedEvent | ProposalCreatedEvent | ProposalApprovedEvent | ProposalExecutedEvent | ProposalFailedEvent | ProposalRejectedEvent | ProposalWithdrawnEvent | ProposalExpiredEvent | ReceivedPaymentCreatedEvent | ReceivedPaymentAdvancedEvent | ReceivedPaymentCompletedEvent | ReceivedPaymentMarkedForReturnEvent | ReceivedPaymentReturnedEvent | RecurringPaymentCreatedEvent | RecurringPaymentChangedEvent | RecurringPaymentPausedEvent | RecurringPaymentResumedEvent | RecurringPaymentCanceledEvent | RecurringPaymentCompletedEvent | RecurringPaymentStoppedEvent | RecurringPaymentRunSucceededEvent | RecurringPaymentRunWaitingEvent | RecurringPaymentRunSkippedEvent | RecurringPaymentRunFailedEvent | RewardCreatedEvent | RewardAmountChangedEvent | RewardConfirmedEvent | RewardPaidEvent | RewardRejectedEvent | RewardReversedEvent | RewardClawedBackEvent | RewardableTransactionCreatedEvent | RewardPaymentCreatedEvent | StatementCreatedEvent | TransactionCreatedEvent | UpstreamEventFailedEvent | VerificationTokenCreatedEvent | WebhookEndpointCreatedEvent | WebhookEndpointDeletedEvent | WebhookEndpointDisabledEvent | WebhookEndpointSecretRotatedEvent | WebhookEndpointUpdatedEvent

/** JSON Schema (2020-12) of the `data` of an event. It refers to nothing outside itself */
export type JsonSchema = Record<string, unknown>

/** A type of event, with the schema of its data and a sample */
export interface EventTypeInfo {
  /** The type, as `type` of an event names it */
  type: EventType
  /** When the event is emitted */
  description: string
  schema: JsonSchema
  sample: Event
}

/** One attempt to deliver an event */
export interface DeliveryAttempt {
  /** Time of the attempt, in real time */
  at: string
  /** `Succeeded` if the endpoint answered 2xx */
  status: 'Succeeded' | 'Failed'
  /** HTTP status of the endpoint; null without an answer */
  responseStatus: number | null
  /** Milliseconds until the answer or the failure */
  durationMs: number
  /** Why the attempt failed; null for a success */
  error: string | null
  /** First 200 characters of the body of an answer that is not 2xx; otherwise null */
  response: string | null
}

/** An event on its way to a webhook endpoint */
export interface Delivery {
  /** Id of the delivery */
  id: string
  /** Id of the webhook endpoint */
  endpointId: string
  /** Id of the event or of a test, also the header `webhook-id` */
  eventId: string
  /** Type of the event; webhookEndpoint.test for a test */
  eventType: string
  /** `Pending` until the endpoint answers 2xx or the last attempt fails */
  status: 'Pending' | 'Succeeded' | 'Failed'
  /** Time of creation, in bank time */
  createdAt: string
  /** Time of the next attempt, in bank time; null unless `Pending` */
  nextAttemptAt: string | null
  /** The latest twenty attempts, oldest first */
  attempts: DeliveryAttempt[]
}

export interface CreateWebhookEndpointRequest {
  /** Absolute URL without user name, password and fragment; https in live mode */
  url: string
  /** Types of the events to send: `payment.*` stands for all types of a kind of record, `*` for all events */
  events: EventFilter[]
  /** Purpose of the endpoint */
  description?: string | undefined
}

/** A webhook endpoint with the secret that signs its deliveries */
export interface WebhookEndpointWithSecret extends WebhookEndpoint {
  /** Signs the deliveries; shown only in this answer */
  secret: string
}

/** Attempts of the last 24 hours of real time by their outcome, counted by the hour; tests count too */
export interface WebhookOutcomes {
  /** Attempts that the receiver accepted */
  succeeded: number
  /** Attempts that failed and are repeated later */
  retried: number
  /** Attempts that failed for the last time */
  failed: number
}

/** A webhook endpoint with the outcomes of the last day */
export interface WebhookEndpointWithOutcomes extends WebhookEndpoint {
  /** Real time since when no attempt was accepted: the endpoint fails; null if the latest attempt was accepted, and before the first. Tests do not count */
  failingSince: string | null
  lastDay: WebhookOutcomes
}

export interface UpdateWebhookEndpointRequest {
  /** Absolute URL without user name, password and fragment; https in live mode */
  url?: string | undefined
  /** Types of the events to send: `payment.*` stands for all types of a kind of record, `*` for all events */
  events?: EventFilter[] | undefined
  /** Purpose of the endpoint; null removes it */
  description?: string | null | undefined
  /** `Disabled` stops deliveries, `Enabled` resumes them */
  status?: 'Enabled' | 'Disabled' | undefined
}

/** A URL that events of the organisation are sent to */
export interface WebhookEndpoint {
  /** Id of this record */
  id: string
  /** URL that events are sent to */
  url: string
  /** Types of the events to send: `payment.*` stands for all types of a kind of record, `*` for all events */
  events: string[]
  /** Purpose of the endpoint; null without one */
  description: string | null
  /** Events are sent while the endpoint is `Enabled`; those of a `Disabled` one wait */
  status: 'Enabled' | 'Disabled'
  /** `Requested` by a caller, `Gone` after an answer 410, `Failing` after five days; null while `Enabled` */
  disabledReason: 'Requested' | 'Gone' | 'Failing' | null
  /** Time of creation, in bank time */
  createdAt: string
}

export interface RecoverWebhookEndpointRequest {
  /** Failed deliveries created after this time are sent again */
  since: string
}

/** The headers and the body that an attempt sent */
export interface DeliveryRequest {
  /** The headers that Purser set, with names in lower case; those of the connection are not shown */
  headers: Record<string, string>
  /** The body to the byte; null for a key without the scope `events:read` */
  body: string | null
}

/** A delivery with the request that was sent */
export interface DeliveryDetail extends Delivery {
  /** The request of the latest attempt; null before the first */
  request: DeliveryRequest | null
}

/** The headers as they were received, in any letter case. Others than the three of the signature are ignored */
export type ReceivedHeadersInput = Record<string, string>

export interface VerifyDeliveryRequest {
  headers: ReceivedHeadersInput
  /** The body to the byte as it was received, before it was parsed */
  body: string
  /** When the request was received, by the clock of the receiver; now if it is absent */
  receivedAt?: string | undefined
}

/** The finding about the signature of a received webhook */
export interface DeliveryVerdict {
  /** right: signature and time are right. clock_skew: only the time is wrong, by more than five minutes. body_changed: another body was signed. header_changed: it was signed with another timestamp. other_secret: the secret is not one of this endpoint now. unknown_delivery: nothing with this id was sent there. header_missing, header_malformed: a header is absent or cannot be read */
  result: 'right' | 'clock_skew' | 'body_changed' | 'header_changed' | 'other_secret' | 'unknown_delivery' | 'header_missing' | 'header_malformed' | (string & {})
  /** The finding in a sentence, for people */
  message: string
  /** Id of the delivery that the headers name; null if there is none */
  deliveryId: string | null
  /** Seconds from `webhook-timestamp` to the receipt; null if the header cannot be read */
  skewSeconds: number | null
}

/** The API key, the person, the operator or the bank that acted */
export interface Actor {
  /** `operator` if the command line of the operator changed a person, `bank` if the bank acted by itself, such as at a month’s end */
  type: 'apiKey' | 'person' | 'operator' | 'bank'
  /** Id of the API key or the person; null for others */
  id: string | null
  /** Name of the API key or the person; null for others */
  name: string | null
  /** Session of the person; null for others */
  session: {
  /** Id of the session; null for a sign-in that was refused */
  id: string | null
  /** IP address of the person */
  address: string
} | null
}

/** A record by its type and id */
export interface RecordReference {
  /** Type of the record, as event types name it */
  type: string
  /** Id of the record */
  id: string
}

/** A request that was denied */
export interface Denial {
  /** `forbidden` if the key lacks a scope; `unauthorized` if it does not work any more */
  code: 'unauthorized' | 'forbidden'
  /** Path of the request */
  path: string
  /** IP address of the caller */
  address: string
  /** Number of denied requests of the key since its previous entry that were not stored */
  unwritten: number
}

/** A change with its actor, or a request that was denied */
export interface AuditEntry {
  /** Time of the change or of the denied request, in bank time */
  at: string
  /** `Done` for a change, `Denied` for a denied request */
  outcome: 'Done' | 'Denied'
  /** The type of the event; for a denied request, the operation */
  action: string
  actor: Actor
  /** The record that changed; null for a denied request */
  record: RecordReference | null
  /** The reason that a reviewer or the screening gave; null if there is none */
  reason: string | null
  /** `X-Request-Id` of the request; null if the bank acted by itself */
  requestId: string | null
  /** Id of the event; null for a denied request */
  eventId: string | null
  /** The `data` of an event about a person, a look at personal data or an export; null for all others */
  detail: Record<string, unknown> | null
  /** The denied request; null for a change */
  denial: Denial | null
}

/** The newest link of the chain of hashes over the events of an organisation */
export interface AuditLogHead {
  /** Id of the organisation */
  organisationId: string
  /** Number of the latest event in the chain; null before the first one */
  sequence: number | null
  /** The newest link, a SHA-256 in hexadecimal digits; null before the first one */
  link: string | null
  /** Time of the latest event, in bank time; null before the first one */
  timestamp: string | null
}

/** A request of the organisation, without headers and bodies */
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
  /** HTTP method */
  method: string
  /** Path without the query string */
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

/** Headers and body of a request or of its answer */
export interface LoggedMessage {
  /** Names in lower case. Keys, tokens and cookies read `[redacted]` */
  headers: Record<string, string>
  /** The body as text; null without one and for a file. Secrets and documents read `[redacted]`, and so does a body that cannot be searched for them */
  body: string | null
  /** Whether the body was longer than 10 KB and only a part of it is shown */
  truncated: boolean
}

/** A request with its answer and the events that it caused */
export interface LoggedRequestDetail extends LoggedRequest {
  request: LoggedMessage
  response: LoggedMessage
  /** Ids of the events that the request caused */
  events: string[]
}

/** A record that is linked to another one */
export interface RelatedRecord {
  /** How the record is related: its type, or its part, such as `destinationAccount` of a payment */
  relation: string
  /** Type of the record */
  type: 'account' | 'accountHold' | 'achBatch' | 'achFile' | 'apiKey' | 'application' | 'authorization' | 'campaign' | 'campaignOffer' | 'card' | 'customer' | 'delivery' | 'document' | 'event' | 'externalAccount' | 'offerActivation' | 'partnerUser' | 'partnerUserCard' | 'payment' | 'proposal' | 'receivedPayment' | 'recurringPayment' | 'request' | 'reward' | 'rewardableTransaction' | 'rewardPayment' | 'statement' | 'transaction' | 'webhookEndpoint'
  /** Id of the related record */
  id: string
}

/** An operation that changes the record, and whether it is possible now */
export interface RecordAction {
  /** Id of the operation */
  operation: string
  /** Whether the present state of the record allows the operation; amounts are not judged. Null if a connector serves the record: then its provider decides */
  allowed: boolean | null
  /** Code of the problem that would refuse the operation; null if none would */
  problem: string | null
}

export interface LookedUpDepositAccount extends LookedUpBase {
  type: 'account'
  record: DepositAccount
}

export interface LookedUpAccountHold extends LookedUpBase {
  type: 'accountHold'
  record: AccountHold
}

export interface LookedUpAchBatch extends LookedUpBase {
  type: 'achBatch'
  record: AchBatch
}

/** An ACH file of a sandbox */
export interface AchFile {
  /** Id of this record */
  id: string
  /** `Outgoing` to other banks, `Incoming` from them */
  direction: 'Outgoing' | 'Incoming' | (string & {})
  /** An outgoing file is `Building`, `Built`, `Delivering`, `Delivered`, then `Acknowledged` or `Rejected` by the receiving bank; `Unknown` if the outcome of its delivery is not known. */
  status: 'Building' | 'Built' | 'Delivering' | 'Unknown' | 'Delivered' | 'Acknowledged' | 'Rejected' | 'Taken' | 'Applied' | 'Refused' | (string & {})
  /** Name of the file */
  name: string
  /** Cut-off of an outgoing file, or time at which an incoming one was taken */
  createdAt: string
  /** Number of entries */
  entryCount: number
  /** Sum of the credits, in cents */
  credits: number
  /** Sum of the debits, in cents */
  debits: number
  /** SHA-256 of the content, in hexadecimal digits */
  sha256?: string
  /** Time of the delivery, in bank time */
  deliveredAt?: string
}

export interface LookedUpAchFile extends LookedUpBase {
  type: 'achFile'
  record: AchFile
}

export interface LookedUpApiKey extends LookedUpBase {
  type: 'apiKey'
  record: ApiKey
}

export interface LookedUpApplication extends LookedUpBase {
  type: 'application'
  record: Application
}

export interface LookedUpAuthorization extends LookedUpBase {
  type: 'authorization'
  record: Authorization
}

export interface LookedUpCampaign extends LookedUpBase {
  type: 'campaign'
  record: Campaign
}

export interface LookedUpCampaignOffer extends LookedUpBase {
  type: 'campaignOffer'
  record: CampaignOffer
}

export interface LookedUpCard extends LookedUpBase {
  type: 'card'
  record: Card
}

export interface LookedUpCustomer extends LookedUpBase {
  type: 'customer'
  record: Customer
}

export interface LookedUpDelivery extends LookedUpBase {
  type: 'delivery'
  record: DeliveryDetail
}

export interface LookedUpDocument extends LookedUpBase {
  type: 'document'
  record: Document
}

export interface LookedUpEvent extends LookedUpBase {
  type: 'event'
  record: Event
}

export interface LookedUpExternalAccount extends LookedUpBase {
  type: 'externalAccount'
  record: ExternalAccount
}

export interface LookedUpOfferActivation extends LookedUpBase {
  type: 'offerActivation'
  record: OfferActivation
}

export interface LookedUpPartnerUser extends LookedUpBase {
  type: 'partnerUser'
  record: TaggedPartnerUser
}

export interface LookedUpPartnerUserCard extends LookedUpBase {
  type: 'partnerUserCard'
  record: PartnerUserCard
}

export interface LookedUpPayment extends LookedUpBase {
  type: 'payment'
  record: Payment
}

export interface LookedUpProposal extends LookedUpBase {
  type: 'proposal'
  record: Proposal
}

export interface LookedUpReceivedPayment extends LookedUpBase {
  type: 'receivedPayment'
  record: ReceivedPayment
}

export interface LookedUpRecurringPayment extends LookedUpBase {
  type: 'recurringPayment'
  record: RecurringPayment
}

export interface LookedUpRequest extends LookedUpBase {
  type: 'request'
  record: LoggedRequestDetail
}

export interface LookedUpReward extends LookedUpBase {
  type: 'reward'
  record: Reward
}

export interface LookedUpRewardableTransaction extends LookedUpBase {
  type: 'rewardableTransaction'
  record: RewardableTransaction
}

export interface LookedUpRewardPayment extends LookedUpBase {
  type: 'rewardPayment'
  record: RewardPayment
}

export interface LookedUpStatement extends LookedUpBase {
  type: 'statement'
  record: Statement
}

export interface LookedUpTransaction extends LookedUpBase {
  type: 'transaction'
  record: Transaction
}

export interface LookedUpWebhookEndpoint extends LookedUpBase {
  type: 'webhookEndpoint'
  record: WebhookEndpointWithOutcomes
}

/** A record with the records and operations around it; `type` chooses the schema of `record` */
export type LookedUp = LookedUpDepositAccount | LookedUpAccountHold | LookedUpAchBatch | LookedUpAchFile | LookedUpApiKey | LookedUpApplication | LookedUpAuthorization | LookedUpCampaign | LookedUpCampaignOffer | LookedUpCard | LookedUpCustomer | LookedUpDelivery | LookedUpDocument | LookedUpEvent | LookedUpExternalAccount | LookedUpOfferActivation | LookedUpPartnerUser | LookedUpPartnerUserCard | LookedUpPayment | LookedUpProposal | LookedUpReceivedPayment | LookedUpRecurringPayment | LookedUpRequest | LookedUpReward | LookedUpRewardableTransaction | LookedUpRewardPayment | LookedUpStatement | LookedUpTransaction | LookedUpWebhookEndpoint

/** The API key or the person of a request */
export interface HistoryKey {
  /** Id of the API key; for a person, that of the seat */
  id: string
  /** Name of the API key or the person */
  name: string
  /** Id of the person; null for an API key */
  personId: string | null
}

/** A request in the log of a sandbox */
export interface HistoryRequest {
  /** Id of the entry, which `GET /v0/requests/:id` shows */
  id: string
  /** HTTP method */
  method: string
  /** Path without the query string */
  path: string
  /** Id of the operation */
  operation: string
  /** HTTP status of the answer */
  status: number
}

/** The request behind a step, or the bank */
export interface HistoryCause {
  /** `bank` if the bank acted by itself, such as at a cut-off */
  type: 'request' | 'bank'
  /** `X-Request-Id` of the request; null for the bank */
  requestId: string | null
  /** Idempotency key of the request; null if the caller sent none */
  idempotencyKey: string | null
  /** The key or the person of the request; null for the bank */
  apiKey: HistoryKey | null
  /** The request; null for the bank, in live mode, and once the log has it no more */
  request: HistoryRequest | null
}

/** A change of the record, with its reason */
export interface HistoryChange {
  /** Type of the event */
  type: string
  /** Status after the change; null for a record without a status */
  status: string | null
  /** Status before the change; null for a new record */
  before: string | null
  /** Why it changed, in words; null without a reason */
  reason: string | null
  /** Code or word of the reason, such as a return code or a reason of a decline */
  code: string | null
}

/** An event of a step */
export interface HistoryEvent {
  /** Id of the event */
  id: string
  /** Type of the event */
  type: string
  entity: RecordReference
}

/** An ACH file with an entry of the record */
export interface HistoryFile {
  /** Id of the ACH file */
  id: string
  /** Name of the file */
  name: string
  /** `Outgoing` to other banks, `Incoming` from them */
  direction: 'Outgoing' | 'Incoming'
  /** Cut-off of an outgoing file, or bank time at which an incoming one was taken */
  at: string
  /** Id of the batch, which `GET /v0/banking/ach-batches/:achBatchId` shows; null for an incoming file */
  batchId: string | null
  /** Trace number of the entry */
  traceNumber: string | null
}

/** A review of a payment */
export interface HistoryReview {
  /** Why the payment waits, as `reviewReason` says it */
  reason: string
  /** `Approved`, `Rejected` or `Canceled`; null while it waits */
  decision: string | null
  /** Bank time of the decision; null while it waits */
  decidedAt: string | null
}

/** A request or an act of the bank, with all that it did to a record */
export interface HistoryStep {
  /** Bank time of the step */
  at: string
  /** Day of the step, in UTC */
  day: string
  /** The changes with their reasons, in words */
  summary: string
  cause: HistoryCause
  /** Changes of the record */
  changes: HistoryChange[]
  /** Transfers of the ledger with both sides; null for a key without the scope `banking:read` */
  transfers: LedgerTransfer[] | null
  /** Events about the record and about the transactions of its transfers */
  events: HistoryEvent[]
  /** The first 10 deliveries of each event with their attempts; null for a key without the scope `webhooks:write` */
  deliveries: Delivery[] | null
  /** ACH files in which a payment left or came back */
  files: HistoryFile[]
  /** Reviews that began with the step */
  reviews: HistoryReview[]
}

/** The call that lists what needs attention */
export interface AttentionOperation {
  /** Id of the operation */
  id: string
  /** Path of the request, with the filters */
  path: string
  /** The filters, by the names of the parameters */
  input: Record<string, string | number | boolean | string[]>
}

/** Something that a person should look at */
export interface AttentionItem {
  /** Kind of the item. The latest attempt of `failingEndpoints` was not accepted; at least 80 % of `nearLimits` are used */
  kind: 'failingEndpoints' | 'waitingProposals' | 'returnedPayments' | 'reviewedPayments' | 'reviewedApplications' | 'reviewedExternalAccounts' | 'overSettlements' | 'railExceptions' | 'openDays' | 'openItems' | 'railHeld' | 'returnRates' | 'nearLimits' | 'ledgerCheck' | (string & {})
  /** `urgent` is wrong now, `soon` waits for a person, `inOrder` is fine */
  level: 'urgent' | 'soon' | 'inOrder'
  /** The item as a sentence */
  words: string
  /** Why, in words */
  cause: string | null
  /** Number of records; at most 1,000 are counted */
  count: number
  /** Whether there are more than `count` */
  more: boolean
  /** Sum of the amounts in cents; null for records without amounts */
  amount: number | null
  /** Since when the oldest waits, in bank time (endpoints: in real time); null if not known */
  since: string | null
  /** Seconds since then; null if not known */
  ageSeconds: number | null
  /** The first 10 records, the oldest first */
  records: RecordReference[]
  /** The operation that lists the records; null if only a command of the operator does */
  operation: AttentionOperation | null
  /** The command of the operator that shows what to do; null if an operation does */
  command: string | null
}

/** A figure before and after an import; both are equal */
export interface ImportFigure {
  /** Kind of figure */
  what: string
  /** In the archive or the files */
  before: string
  /** In this bank, after the import */
  after: string
}

/** An import of records into the organisation */
export interface OrganisationImport {
  /** `archive`: another bank of Purser, with the same ids. `files`: another system, whose ids are kept as former ones */
  source: 'archive' | 'files' | (string & {})
  /** UTC, with milliseconds */
  importedAt: string
  /** The figures side by side */
  figures: ImportFigure[]
  /** Number of the last event of the import */
  sequence: number
  /** Link of that event in the chain of hashes, in hexadecimal digits; null without links */
  link: string | null
}

/** A record that matches the text of a search */
export interface SearchResult {
  /** Type of the record */
  type: 'account' | 'accountHold' | 'achBatch' | 'achFile' | 'apiKey' | 'application' | 'authorization' | 'campaign' | 'campaignOffer' | 'card' | 'customer' | 'delivery' | 'document' | 'event' | 'externalAccount' | 'offerActivation' | 'partnerUser' | 'partnerUserCard' | 'payment' | 'proposal' | 'receivedPayment' | 'recurringPayment' | 'request' | 'reward' | 'rewardableTransaction' | 'rewardPayment' | 'statement' | 'transaction' | 'webhookEndpoint'
  /** Id of the record as a text */
  id: string
  /** A short text for people; it says if a record is closed or deleted */
  label: string
}

export interface CreateOrganisationRequest extends ResetOrganisationRequest {
  /** Name to recognise it by; by default made of its id */
  name?: string | undefined
}

/** A new organisation with its first API key */
export interface CreatedOrganisation extends SandboxOrganisation {
  apiKey: IssuedApiKey
}

export interface ResetOrganisationRequest {
  /** Bank time at which the clock starts, from 2000 to 2999; the present by default */
  now?: string | undefined
  /** Whether the clock stands still until it is advanced; it runs by default */
  frozen?: boolean | undefined
}

/** An organisation of a sandbox: a tenant with its own records and clock */
export interface SandboxOrganisation {
  /** Id of the organisation */
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
  eventType?: EventFilter | undefined
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
  eventType?: EventFilter
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
  /** Id of this record */
  id: string
  match: FaultMatch
  effect: FaultEffect
  /** Share of the matching requests or deliveries that the effect happens to */
  probability: number
  /** The effect happens so often at most; null for no limit */
  times: number | null
  /** How often the effect can still happen; 0 for a rule that is used up, null for no limit */
  remaining: number | null
  /** The seed of the draws; null if they differ every time */
  seed: number | null
  /** UTC, with milliseconds */
  createdAt: string
}

export interface CreateScenarioRequest {
  /** The same seed gives the same names, amounts and days every time */
  seed?: number | undefined
  /** `true`: the customer also funds the account by debits, and one of them is returned */
  debits?: boolean | undefined
}

/** The ids of the records that a scenario created */
export interface Scenario {
  /** The customer */
  customerId: string
  /** The account, which has money */
  accountId: string
  /** A closed account, for reopening */
  closedAccountId: string
  /** The physical card, which is active */
  cardId: string
  /** The virtual card */
  virtualCardId: string
  /** The external account of the landlord */
  externalAccountId: string
  /** The payment of the rent */
  paymentId: string
  /** The transaction of the salary */
  transactionId: string
  /** The open authorization */
  authorizationId: string
  /** The statement of the month before */
  statementId: string
  /** The application that waits for a document */
  applicationId: string
  /** The document that it needs */
  documentId: string
  /** The partner user of the customer, whose card earns rewards */
  partnerUserId: number
  /** With `debits`: the external account of the customer, which is verified and has a mandate */
  fundingAccountId?: string
  /** With `debits`: the debit that collected money from it */
  debitId?: string
  /** With `debits`: the debit from another one that its bank returns */
  returnedDebitId?: string
}

/** A postal address, as the caller sent it */
export interface AddressInput extends MailingAddressInput {
}

export interface CreateCustomerRequest {
  /** Full name */
  name: string
  /** E-mail address */
  email?: string | undefined
  /** Phone number in the form of E.164 */
  phone?: string | undefined
  address?: AddressInput | undefined
}

export interface ReceiveAchRequest {
  /** Amount in cents */
  amount: number
  /** Name of the sender */
  companyName: string
  /** Purpose; by default `ACH credit` or `ACH debit` */
  description?: string | undefined
  /** `Credit` brings money, `Debit` takes it; absent for `Credit` */
  direction?: 'Credit' | 'Debit' | undefined
}

export interface ReturnPaymentRequest {
  /** NACHA code of the reason, such as `R01` for insufficient funds */
  returnCode: string
}

/** A micro-entry on an account at another bank */
export interface MicroEntry {
  /** `Credit` to the customer at the other bank, `Debit` from there */
  direction: 'Credit' | 'Debit' | (string & {})
  /** Amount in cents */
  amount: number
  /** Text that the other bank shows */
  description: string
  /** When the other bank posted it, in bank time */
  postedAt: string
}

/** The micro-entries on an account at another bank */
export interface MicroEntries {
  /** Two credits and a debit; none before they have settled */
  entries: MicroEntry[]
}

export interface ApproveDocumentRequest {
  /** Why the document is rejected; the applicant sees it. An approval ignores it */
  reason?: string | undefined
}

export interface RejectDocumentRequest {
  /** Why the document is rejected; the applicant sees it. An approval ignores it */
  reason?: string | undefined
}

export interface CreateAuthorizationRequest {
  /** Amount to hold, in cents */
  amount: number
  merchant: ChargingMerchantInput
}

export interface SettleAuthorizationRequest {
  /** Amount to take, in cents; absent for the amount that is held */
  amount?: number | undefined
  /** False keeps the authorization open for further settlements; true by default */
  final?: boolean | undefined
}

export interface RefundAuthorizationRequest {
  /** Amount to give back, in cents; absent for all that is left */
  amount?: number | undefined
}

/** Work that becomes due when bank time reaches it */
export interface Upcoming {
  /** Bank time at which it is due */
  at: string
  /** The thing that is due, such as an authorization that expires, the end of a month with its statements, the payout of a reward, a webhook, a payment that leaves with an ACH file, or the next run of a recurring payment */
  type: 'authorization.canceled' | 'accountHold.expired' | 'month.ended' | 'reward.paid' | 'webhook.delivered' | 'payment.clearing' | 'achBatch.settled' | 'achFile.answered' | 'receivedPayment.completed' | 'receivedPayment.returning' | 'recurringPayment.run' | 'externalAccount.verifying' | 'externalAccount.verified' | 'externalAccount.verificationFailed' | 'proposal.expired' | (string & {})
  /** Id of the record; the month as YYYY-MM */
  id: string
  /** Number of things: the pending deliveries to one endpoint, of which `id` is the next, are one line. At most 1,000 are counted */
  count: number
}

/** The clock of an organisation */
export interface Clock {
  /** Bank time */
  now: string
  /** Whether bank time stands still and moves only when it is advanced */
  frozen: boolean
  /** The next 20 things that are due, the earliest first */
  upcoming: Upcoming[]
}

export interface AdvanceClockRequest {
  /** Time to advance to: an RFC 3339 date-time, a date, or `next` for the first thing but webhooks that is due after the present bank time. Either this or `by` */
  to?: string | 'next' | undefined
  /** Duration to advance by, in the form of ISO 8601. Either this or `to` */
  by?: string | undefined
}

/** Work that became due while the clock advanced */
export interface Happening {
  /** Bank time at which it was due */
  at: string
  /** Type of the event that it caused */
  type: string
  /** Id of the record that changed */
  id: string
}

/** The result of an advance of the clock */
export interface ClockAdvance {
  /** Bank time after the advance */
  now: string
  /** The first 1,000 things that happened, in order */
  happened: Happening[]
  /** Number of things that happened, with those that are not listed */
  total: number
}

export interface CreateStatementRequest {
  /** Calendar month in UTC, YYYY-MM */
  period: string
}

/** An account was opened. */
export interface AccountCreatedEvent extends EventBase {
  type: 'account.created'
  data: DepositAccount
}

/** An account was closed. */
export interface AccountClosedEvent extends EventBase {
  type: 'account.closed'
  data: DepositAccount
}

/** A closed account was reopened. */
export interface AccountReopenedEvent extends EventBase {
  type: 'account.reopened'
  data: DepositAccount
}

/** An account was frozen: money comes in, and none leaves. */
export interface AccountFrozenEvent extends EventBase {
  type: 'account.frozen'
  data: DepositAccount
}

/** A frozen account is open again. */
export interface AccountUnfrozenEvent extends EventBase {
  type: 'account.unfrozen'
  data: DepositAccount
}

/** The limits of the payments of an account or its overdraft changed. */
export interface AccountLimitsChangedEvent extends EventBase {
  type: 'account.limitsChanged'
  data: AccountLimits
}

/** Outgoing payments of an account are refused: the operator or the return of a debit blocked them. */
export interface AccountPaymentsBlockedEvent extends EventBase {
  type: 'account.paymentsBlocked'
  data: AccountPaymentBlock
}

/** The operator ended the block of outgoing payments of an account. */
export interface AccountPaymentsReleasedEvent extends EventBase {
  type: 'account.paymentsReleased'
  data: AccountPaymentBlock
}

/** An amount is held on an account. */
export interface AccountHoldCreatedEvent extends EventBase {
  type: 'accountHold.created'
  data: AccountHold
}

/** A hold was released; its amount is available again. */
export interface AccountHoldReleasedEvent extends EventBase {
  type: 'accountHold.released'
  data: AccountHold
}

/** A hold expired; its amount is available again. */
export interface AccountHoldExpiredEvent extends EventBase {
  type: 'accountHold.expired'
  data: AccountHold
}

/** An exception of an ACH file that the operator resolved */
export interface AchException {
  /** Id of this record */
  id: string
  /** Cause of the exception */
  kind: string
  /** The entry or the fault */
  detail: string
  /** Amount of the entry in cents; 0 without money */
  amount: number
  /** `Credit` brought money to the bank, `Debit` took it */
  direction?: 'Credit' | 'Debit' | (string & {})
  /** Time of creation, in bank time */
  createdAt: string
  /** `Account` if an account of a customer has the money, `WrittenOff` if the bank has it, `Dishonored` or `Contested` if the next file sends it back, `Noted` without money */
  resolution: 'Noted' | 'Account' | 'WrittenOff' | 'Dishonored' | 'Contested' | (string & {})
  /** Reason that the operator gave */
  reason: string
  /** The account of the customer */
  accountId?: string
  /** Code with which the entry is sent back */
  returnCode?: string
  /** Time of the resolution, in bank time */
  resolvedAt: string
}

/** The operator resolved an exception of an ACH file. */
export interface AchExceptionResolvedEvent extends EventBase {
  type: 'achException.resolved'
  data: AchException
}

/** An API key was created. The secret is not part of the event. */
export interface ApiKeyCreatedEvent extends EventBase {
  type: 'apiKey.created'
  data: ApiKey
}

/** An API key got a new secret. */
export interface ApiKeyRotatedEvent extends EventBase {
  type: 'apiKey.rotated'
  data: ApiKey
}

/** An API key was deleted and no longer works. */
export interface ApiKeyRevokedEvent extends EventBase {
  type: 'apiKey.revoked'
  data: ApiKey
}

/** The operator granted scopes to an API key. */
export interface ApiKeyScopesChangedEvent extends EventBase {
  type: 'apiKey.scopesChanged'
  data: ApiKey
}

/** A person applied for an account. */
export interface ApplicationCreatedEvent extends EventBase {
  type: 'application.created'
  data: Application
}

/** An application needs documents, or other ones than those uploaded. */
export interface ApplicationAwaitingDocumentsEvent extends EventBase {
  type: 'application.awaitingDocuments'
  data: Application
}

/** An application waits for a decision. */
export interface ApplicationPendingReviewEvent extends EventBase {
  type: 'application.pendingReview'
  data: Application
}

/** An application was approved; its customer exists. */
export interface ApplicationApprovedEvent extends EventBase {
  type: 'application.approved'
  data: Application
}

/** An application was denied. */
export interface ApplicationDeniedEvent extends EventBase {
  type: 'application.denied'
  data: Application
}

/** An application was canceled by the provider. */
export interface ApplicationCanceledEvent extends EventBase {
  type: 'application.canceled'
  data: Application
}

/** An export of the audit log */
export interface AuditLogExport {
  /** Id of the export */
  id: string
  /** Format of the file */
  format: 'csv' | 'jsonl'
  /** Begin of the period; null for no begin */
  since: string | null
  /** End of the period; null for no end */
  until: string | null
}

/** The audit log was exported. */
export interface AuditLogExportedEvent extends EventBase {
  type: 'auditLog.exported'
  data: AuditLogExport
}

/** A merchant charged a card, and the amount is held. */
export interface AuthorizationCreatedEvent extends EventBase {
  type: 'authorization.created'
  data: Authorization
}

/** A charge of a card was declined; `reason` says why. */
export interface AuthorizationDeclinedEvent extends EventBase {
  type: 'authorization.declined'
  data: Authorization
}

/** The amount that an authorization holds changed: a part settled, or the merchant or the network changed it. */
export interface AuthorizationAmountChangedEvent extends EventBase {
  type: 'authorization.amountChanged'
  data: Authorization
}

/** A merchant asked for more on an authorization and was declined; `reason` says why, and the hold stays. */
export interface AuthorizationIncrementDeclinedEvent extends EventBase {
  type: 'authorization.incrementDeclined'
  data: AuthorizationIncrement
}

/** An authorization was reversed or expired, and nothing is held. */
export interface AuthorizationCanceledEvent extends EventBase {
  type: 'authorization.canceled'
  data: Authorization
}

/** An authorization settled, and nothing more is held. */
export interface AuthorizationCompletedEvent extends EventBase {
  type: 'authorization.completed'
  data: Authorization
}

/** An authorization settled for more than its trade explains. The money is booked, and a reviewer has to look. */
export interface AuthorizationOverSettledEvent extends EventBase {
  type: 'authorization.overSettled'
  data: OverSettlement
}

/** A reviewer has dealt with an over-settlement. */
export interface AuthorizationReviewedEvent extends EventBase {
  type: 'authorization.reviewed'
  data: OverSettlement
}

/** A campaign was created. */
export interface CampaignCreatedEvent extends EventBase {
  type: 'campaign.created'
  data: Campaign
}

/** A campaign was changed, paused, resumed or ended. */
export interface CampaignUpdatedEvent extends EventBase {
  type: 'campaign.updated'
  data: Campaign
}

/** A limit of a budget that is reached, or nearly */
export interface BudgetAlert {
  /** Id of the campaign */
  id: string
  /** Name of the campaign */
  name: string
  /** Status of the campaign */
  status: string
  /** The offer; null for the whole campaign */
  offerId: string | null
  /** The period of the limit */
  period: 'day' | 'month' | 'total' | (string & {})
  /** The measure of the limit */
  measure: 'amount' | 'count' | (string & {})
  /** 80 or 100 */
  percent: number
  /** The limit */
  limit: number
  /** The used part of it */
  used: number
}

/** Purchases have used 80 or 100 percent of a budget of a campaign or an offer. */
export interface CampaignBudgetReachedEvent extends EventBase {
  type: 'campaign.budgetReached'
  data: BudgetAlert
}

/** An offer was added to a campaign. */
export interface CampaignOfferCreatedEvent extends EventBase {
  type: 'campaignOffer.created'
  data: CampaignOffer
}

/** An offer of a campaign was changed, paused, resumed or ended. */
export interface CampaignOfferUpdatedEvent extends EventBase {
  type: 'campaignOffer.updated'
  data: CampaignOffer
}

/** A card was created. */
export interface CardCreatedEvent extends EventBase {
  type: 'card.created'
  data: Card
}

/** A card was activated by its holder. */
export interface CardActivatedEvent extends EventBase {
  type: 'card.activated'
  data: Card
}

/** A card was replaced by another one, which has its own `card.created`. */
export interface CardReplacedEvent extends EventBase {
  type: 'card.replaced'
  data: Card
}

/** A card was frozen, unfrozen, closed or reported. */
export interface CardStatusChangedEvent extends EventBase {
  type: 'card.statusChanged'
  data: Card
}

/** A card got, changed or lost the reference of the card processor. */
export interface CardReferenceChangedEvent extends EventBase {
  type: 'card.referenceChanged'
  data: ProcessorCard
}

/** The spending limits of a card changed. */
export interface CardLimitsChangedEvent extends EventBase {
  type: 'card.limitsChanged'
  data: CardLimits
}

/** A customer was created. */
export interface CustomerCreatedEvent extends EventBase {
  type: 'customer.created'
  data: Customer
}

/** The data of a customer changed at the provider. */
export interface CustomerUpdatedEvent extends EventBase {
  type: 'customer.updated'
  data: Customer
}

/** A customer was archived by the provider. */
export interface CustomerArchivedEvent extends EventBase {
  type: 'customer.archived'
  data: Customer
}

/** The personal data of a customer was erased by the operator. */
export interface CustomerErasedEvent extends EventBase {
  type: 'customer.erased'
  data: Customer
}

/** A reviewer asked an applicant for a document. */
export interface DocumentRequestedEvent extends EventBase {
  type: 'document.requested'
  data: Document
}

/** A reviewer looked at a file of a document. */
export interface DocumentViewedEvent extends EventBase {
  type: 'document.viewed'
  data: Document
}

/** A document of an application was approved. */
export interface DocumentApprovedEvent extends EventBase {
  type: 'document.approved'
  data: Document
}

/** A document of an application was rejected; another one is needed. */
export interface DocumentRejectedEvent extends EventBase {
  type: 'document.rejected'
  data: Document
}

/** An external account was added to a customer. */
export interface ExternalAccountCreatedEvent extends EventBase {
  type: 'externalAccount.created'
  data: ExternalAccount
}

/** A reviewer approved an external account; its payments leave. */
export interface ExternalAccountApprovedEvent extends EventBase {
  type: 'externalAccount.approved'
  data: ExternalAccount
}

/** A reviewer rejected an external account, which is deleted; its payments are rejected. */
export interface ExternalAccountRejectedEvent extends EventBase {
  type: 'externalAccount.rejected'
  data: ExternalAccount
}

/** An external account was corrected: by a request, or by a notification of change of another bank. */
export interface ExternalAccountCorrectedEvent extends EventBase {
  type: 'externalAccount.corrected'
  data: ExternalAccount
}

/** A customer authorized debits of an external account. */
export interface ExternalAccountMandateGivenEvent extends EventBase {
  type: 'externalAccount.mandateGiven'
  data: ExternalAccount
}

/** The authorization of debits of an external account was revoked; debits that have not left are canceled. */
export interface ExternalAccountMandateRevokedEvent extends EventBase {
  type: 'externalAccount.mandateRevoked'
  data: ExternalAccount
}

/** The verification of an external account began. */
export interface ExternalAccountVerificationStartedEvent extends EventBase {
  type: 'externalAccount.verificationStarted'
  data: ExternalAccount
}

/** The entries that verify an external account have settled. Those that left with no file have `externalAccount.verificationStarted` alone. */
export interface ExternalAccountVerificationSentEvent extends EventBase {
  type: 'externalAccount.verificationSent'
  data: ExternalAccount
}

/** Wrong amounts were sent to confirm the micro-entries of an external account. */
export interface ExternalAccountVerificationAttemptedEvent extends EventBase {
  type: 'externalAccount.verificationAttempted'
  data: ExternalAccount
}

/** The verification of an external account failed. */
export interface ExternalAccountVerificationFailedEvent extends EventBase {
  type: 'externalAccount.verificationFailed'
  data: ExternalAccount
}

/** An external account was verified: money can be collected from it with a mandate. */
export interface ExternalAccountVerifiedEvent extends EventBase {
  type: 'externalAccount.verified'
  data: ExternalAccount
}

/** An external account was deleted. */
export interface ExternalAccountDeletedEvent extends EventBase {
  type: 'externalAccount.deleted'
  data: ExternalAccount
}

/** A partner user activated an offer. */
export interface OfferActivationCreatedEvent extends EventBase {
  type: 'offerActivation.created'
  data: OfferActivation
}

/** An activation was used by a purchase, got a use back by a refund, or was canceled. */
export interface OfferActivationUpdatedEvent extends EventBase {
  type: 'offerActivation.updated'
  data: OfferActivation
}

/** A sandbox organisation was created, or replaced the one before by a reset. */
export interface OrganisationCreatedEvent extends EventBase {
  type: 'organisation.created'
  data: SandboxOrganisation
}

/** The limits of all payments of an organisation together */
export interface OrganisationLimits {
  /** Id of the organisation */
  id: string
  payment: PaymentLimit
  day: DayLimit
  month: MonthLimit
}

/** The operator changed the limits of all payments of the organisation. */
export interface OrganisationLimitsChangedEvent extends EventBase {
  type: 'organisation.limitsChanged'
  data: OrganisationLimits
}

/** A user was enrolled in rewards. */
export interface PartnerUserCreatedEvent extends EventBase {
  type: 'partnerUser.created'
  data: PartnerUser
}

/** A user was removed from rewards or enrolled again, or its tags changed, which the event does not show. */
export interface PartnerUserUpdatedEvent extends EventBase {
  type: 'partnerUser.updated'
  data: PartnerUser
}

/** A card was linked; its purchases earn rewards. */
export interface PartnerUserCardCreatedEvent extends EventBase {
  type: 'partnerUserCard.created'
  data: PartnerUserCard
}

/** The link of a card was removed or restored. */
export interface PartnerUserCardUpdatedEvent extends EventBase {
  type: 'partnerUserCard.updated'
  data: PartnerUserCard
}

/** A payment was created. */
export interface PaymentCreatedEvent extends EventBase {
  type: 'payment.created'
  data: Payment
}

/** A payment was stopped before it left, and waits for a review; or it waits for a review by the provider. */
export interface PaymentPendingReviewEvent extends EventBase {
  type: 'payment.pendingReview'
  data: Payment
}

/** A payment was approved by a reviewer, and leaves with the next file. */
export interface PaymentPendingEvent extends EventBase {
  type: 'payment.pending'
  data: Payment
}

/** A payment left with an ACH file, or is being cleared by the provider. */
export interface PaymentClearingEvent extends EventBase {
  type: 'payment.clearing'
  data: Payment
}

/** A payment was sent to the other bank, or the money of a debit is on the account. One that is created as `Sent` has `payment.created` alone. */
export interface PaymentSentEvent extends EventBase {
  type: 'payment.sent'
  data: Payment
}

/** A payment was rejected by a reviewer, by the receiving bank or by the provider: the money is back, and that of a debit does not come. */
export interface PaymentRejectedEvent extends EventBase {
  type: 'payment.rejected'
  data: Payment
}

/** A payment was canceled before it was sent. */
export interface PaymentCanceledEvent extends EventBase {
  type: 'payment.canceled'
  data: Payment
}

/** A payment was returned by the other bank: the money is back, and that of a debit was taken back. */
export interface PaymentReturnedEvent extends EventBase {
  type: 'payment.returned'
  data: Payment
}

/** A sign-in of a person, or a change of what they may do */
export interface PersonChange {
  /** Id of the person */
  id: string
  /** Name of the person */
  name: string
  /** Role of the person in the organisation now; null for none */
  role: string | null
  /** Role before a change of it or a removal; null otherwise */
  formerRole: string | null
  /** Id of the session that began or ended; null for none, and for all of a person */
  session: string | null
  /** Why; null if the type says all */
  cause: string | null
}

/** A person with a role in the organisation signed in. */
export interface PersonSignedInEvent extends EventBase {
  type: 'person.signedIn'
  data: PersonChange
}

/** A sign-in of a person was refused; `cause` says why. Of one person at most ten a minute are noted. */
export interface PersonSignInRefusedEvent extends EventBase {
  type: 'person.signInRefused'
  data: PersonChange
}

/** A person signed out. */
export interface PersonSignedOutEvent extends EventBase {
  type: 'person.signedOut'
  data: PersonChange
}

/** A session of a person, or all of them, was ended from another one. */
export interface PersonSessionEndedEvent extends EventBase {
  type: 'person.sessionEnded'
  data: PersonChange
}

/** A person was invited, or got a new link for a lost device. */
export interface PersonInvitedEvent extends EventBase {
  type: 'person.invited'
  data: PersonChange
}

/** A person got another role in the organisation, or lost it. */
export interface PersonRoleChangedEvent extends EventBase {
  type: 'person.roleChanged'
  data: PersonChange
}

/** A person was removed from the bank. */
export interface PersonRemovedEvent extends EventBase {
  type: 'person.removed'
  data: PersonChange
}

/** A look of a person at personal data */
export interface PersonalDataView {
  /** Id of the look */
  id: string
  /** Operation that showed the data */
  operation: string
  /** Path of the request */
  path: string
  /** Ids of the records that were shown; none for an export, whose records the operation and the path name */
  records: string[]
}

/** A person saw numbers of accounts in full, or a document with personal data. Records that the same person sees again within 15 minutes are left out. */
export interface PersonalDataViewedEvent extends EventBase {
  type: 'personalData.viewed'
  data: PersonalDataView
}

/** A decision waits for a second person. */
export interface ProposalCreatedEvent extends EventBase {
  type: 'proposal.created'
  data: Proposal
}

/** A second person approved a proposal; its operation runs now. */
export interface ProposalApprovedEvent extends EventBase {
  type: 'proposal.approved'
  data: Proposal
}

/** The operation of an approved proposal has run. */
export interface ProposalExecutedEvent extends EventBase {
  type: 'proposal.executed'
  data: Proposal
}

/** The operation of an approved proposal was refused; `problem` says why. */
export interface ProposalFailedEvent extends EventBase {
  type: 'proposal.failed'
  data: Proposal
}

/** A proposal was rejected with a reason. */
export interface ProposalRejectedEvent extends EventBase {
  type: 'proposal.rejected'
  data: Proposal
}

/** A proposal was withdrawn by who made it. */
export interface ProposalWithdrawnEvent extends EventBase {
  type: 'proposal.withdrawn'
  data: Proposal
}

/** A proposal was not decided in time. */
export interface ProposalExpiredEvent extends EventBase {
  type: 'proposal.expired'
  data: Proposal
}

/** Another bank announced a payment to an account here. */
export interface ReceivedPaymentCreatedEvent extends EventBase {
  type: 'receivedPayment.created'
  data: ReceivedPayment
}

/** The money of a received payment is available before it settles. */
export interface ReceivedPaymentAdvancedEvent extends EventBase {
  type: 'receivedPayment.advanced'
  data: ReceivedPayment
}

/** A received payment settled. */
export interface ReceivedPaymentCompletedEvent extends EventBase {
  type: 'receivedPayment.completed'
  data: ReceivedPayment
}

/** A received payment will be returned. */
export interface ReceivedPaymentMarkedForReturnEvent extends EventBase {
  type: 'receivedPayment.markedForReturn'
  data: ReceivedPayment
}

/** A received payment was returned to the other bank. */
export interface ReceivedPaymentReturnedEvent extends EventBase {
  type: 'receivedPayment.returned'
  data: ReceivedPayment
}

/** A recurring payment was created. */
export interface RecurringPaymentCreatedEvent extends EventBase {
  type: 'recurringPayment.created'
  data: RecurringPayment
}

/** Its amount was changed, or one of its due dates is skipped. */
export interface RecurringPaymentChangedEvent extends EventBase {
  type: 'recurringPayment.changed'
  data: RecurringPayment
}

/** It was paused. */
export interface RecurringPaymentPausedEvent extends EventBase {
  type: 'recurringPayment.paused'
  data: RecurringPayment
}

/** It was resumed. */
export interface RecurringPaymentResumedEvent extends EventBase {
  type: 'recurringPayment.resumed'
  data: RecurringPayment
}

/** It was canceled by a request. */
export interface RecurringPaymentCanceledEvent extends EventBase {
  type: 'recurringPayment.canceled'
  data: RecurringPayment
}

/** Its last due date is over. */
export interface RecurringPaymentCompletedEvent extends EventBase {
  type: 'recurringPayment.completed'
  data: RecurringPayment
}

/** It was stopped by a rule, or cannot go on; `reason` says why. */
export interface RecurringPaymentStoppedEvent extends EventBase {
  type: 'recurringPayment.stopped'
  data: RecurringPayment
}

/** A run made a payment, which `lastRun` names. */
export interface RecurringPaymentRunSucceededEvent extends EventBase {
  type: 'recurringPayment.runSucceeded'
  data: RecurringPayment
}

/** A run lacked money, and is tried again at `nextRunAt`. */
export interface RecurringPaymentRunWaitingEvent extends EventBase {
  type: 'recurringPayment.runWaiting'
  data: RecurringPayment
}

/** A due date was skipped; `lastRun` says why. */
export interface RecurringPaymentRunSkippedEvent extends EventBase {
  type: 'recurringPayment.runSkipped'
  data: RecurringPayment
}

/** A run was refused; `lastRun` says why. */
export interface RecurringPaymentRunFailedEvent extends EventBase {
  type: 'recurringPayment.runFailed'
  data: RecurringPayment
}

/** The cash back of a purchase, as a provider of offers reports it */
export interface UpstreamReward {
  /** The provider's id of the purchase, after `kard_` */
  id: string
  /** The partner user who earned it; null if the provider did not send it */
  partnerUserId: number | null
  /** The purchase that earned it; null if the provider did not send it */
  rewardableTransactionId: number | null
  /** Id of the offer at the provider; null if the provider did not send it */
  offerId: string | null
  /** Name of the merchant */
  merchantName: string
  /** Amount of the purchase, in cents; null if the provider did not send it */
  amount: number | null
  /** Cash back of the user, in cents; null if the provider did not send it */
  userAmount: number | null
  /** `PENDING` until the payout; `CONFIRMED` by a provider or before a payout at another bank; `PAID`; `REJECTED` by a provider; `REVERSED` by a refund before the payout, `CLAWED_BACK` by one after it */
  state: 'PENDING' | 'CONFIRMED' | 'PAID' | 'REJECTED' | 'REVERSED' | 'CLAWED_BACK'
  /** Time of the purchase; null if the provider did not send it */
  createdAt: string | null
  /** Time of the last change, in bank time; null before the first */
  updatedAt: string | null
}

/** A purchase earned a reward. */
export interface RewardCreatedEvent extends EventBase {
  type: 'reward.created'
  /** The reward after the change */
  data: Reward | UpstreamReward
}

/** A part of a purchase was refunded, and its reward is smaller. */
export interface RewardAmountChangedEvent extends EventBase {
  type: 'reward.amountChanged'
  /** The reward after the change */
  data: Reward | UpstreamReward
}

/** A reward is certain and waits for its payout. */
export interface RewardConfirmedEvent extends EventBase {
  type: 'reward.confirmed'
  /** The reward after the change */
  data: Reward | UpstreamReward
}

/** A reward was paid to the account of the card. One that is created as `PAID` has `reward.created` alone. */
export interface RewardPaidEvent extends EventBase {
  type: 'reward.paid'
  /** The reward after the change */
  data: Reward | UpstreamReward
}

/** A purchase earned no reward after all. */
export interface RewardRejectedEvent extends EventBase {
  type: 'reward.rejected'
  /** The reward after the change */
  data: Reward | UpstreamReward
}

/** A purchase was refunded before its reward was paid. */
export interface RewardReversedEvent extends EventBase {
  type: 'reward.reversed'
  /** The reward after the change */
  data: Reward | UpstreamReward
}

/** A purchase was refunded, and its reward was taken back. */
export interface RewardClawedBackEvent extends EventBase {
  type: 'reward.clawedBack'
  /** The reward after the change */
  data: Reward | UpstreamReward
}

/** A purchase by a linked card settled. */
export interface RewardableTransactionCreatedEvent extends EventBase {
  type: 'rewardableTransaction.created'
  data: RewardableTransaction
}

/** The payout of a reward was made. */
export interface RewardPaymentCreatedEvent extends EventBase {
  type: 'rewardPayment.created'
  data: RewardPayment
}

/** The statement of a month is ready. */
export interface StatementCreatedEvent extends EventBase {
  type: 'statement.created'
  data: Statement
}

/** Money moved into or out of an account. */
export interface TransactionCreatedEvent extends EventBase {
  type: 'transaction.created'
  data: Transaction
}

/** The reason for which an event of a provider was not applied */
export interface UpstreamFault {
  /** The code of the problem */
  code: string
  /** The reason in a sentence */
  detail: string
  /** The reasons that the provider gave */
  errors?: Fault[]
}

/** An event of a provider that could not be applied */
export interface FailedUpstreamEvent {
  /** The provider's id of the event */
  id: string
  /** The provider that sent the event */
  provider: string
  /** The provider's type of the event */
  type: string
  /** The record that the event is about; null if it is unknown */
  record: RecordReference | null
  fault: UpstreamFault
}

/** An event of a provider could not be applied; an operator should look. */
export interface UpstreamEventFailedEvent extends EventBase {
  type: 'upstreamEvent.failed'
  data: FailedUpstreamEvent
}

/** A verification token without the token itself */
export interface CreatedVerificationToken {
  /** Id of this record */
  id: string
  /** The customer who was verified */
  customerId: string
  /** Time of creation, in real time */
  createdAt: string
  /** When the token stops working, in real time */
  expiresAt: string
}

/** A verification token was created; the token is not part of it. */
export interface VerificationTokenCreatedEvent extends EventBase {
  type: 'verificationToken.created'
  data: CreatedVerificationToken
}

/** A webhook endpoint was registered. */
export interface WebhookEndpointCreatedEvent extends EventBase {
  type: 'webhookEndpoint.created'
  data: WebhookEndpoint
}

/** A webhook endpoint was deleted. */
export interface WebhookEndpointDeletedEvent extends EventBase {
  type: 'webhookEndpoint.deleted'
  data: WebhookEndpoint
}

/** A webhook endpoint was disabled; `disabledReason` says why. */
export interface WebhookEndpointDisabledEvent extends EventBase {
  type: 'webhookEndpoint.disabled'
  data: WebhookEndpoint
}

/** A webhook endpoint got a new secret. */
export interface WebhookEndpointSecretRotatedEvent extends EventBase {
  type: 'webhookEndpoint.secretRotated'
  data: WebhookEndpoint
}

/** A webhook endpoint was changed. */
export interface WebhookEndpointUpdatedEvent extends EventBase {
  type: 'webhookEndpoint.updated'
  data: WebhookEndpoint
}

export interface ListAuthorizationsQuery extends PageQuery {
  /** The customer who holds the cards */
  customerId: string
  /** Always `Authorized`: only open authorizations are listed */
  status: 'Authorized'
  /** Only authorizations on this account */
  accountId?: string | undefined
  /** Only authorizations of this card */
  cardId?: string | undefined
  /** Only records created after this time; the time itself is not included */
  since?: string | undefined
  /** Only records created before this time; the time itself is not included */
  until?: string | undefined
  /** Only authorizations of at least this amount, in cents */
  fromAmount?: number | undefined
  /** Only authorizations of at most this amount, in cents */
  toAmount?: number | undefined
}

export interface GetTransactionQuery {
  /** The account of the transaction */
  accountId: string
}

export interface ListTransactionsQuery extends PageQuery {
  /** Only transactions of this customer */
  customerId?: string | undefined
  /** Only transactions of this account */
  accountId?: string | undefined
  /** `Credit` for money in, `Debit` for money out */
  direction?: 'Credit' | 'Debit' | undefined
  /** Only records created after this time; the time itself is not included */
  since?: string | undefined
  /** Only records created before this time; the time itself is not included */
  until?: string | undefined
  /** Only transactions of at least this amount, in cents */
  fromAmount?: number | undefined
  /** Only transactions of at most this amount, in cents */
  toAmount?: number | undefined
  /** `true` adds the header `X-Total-Count`: how many records match the filters, on all pages together. */
  count?: boolean | undefined
}

export interface ListCardsQuery extends PageQuery {
  /** Only cards of this account */
  accountId?: string | undefined
  /** Only cards of this customer */
  customerId?: string | undefined
  /** Only cards in this state */
  status?: 'Inactive' | 'Active' | 'Frozen' | 'Lost' | 'Stolen' | 'ClosedByCustomer' | 'SuspectedFraud' | undefined
  type?: 'individualDebitCard' | 'individualVirtualDebitCard' | undefined
  /** Only cards with these last digits */
  last4Digits?: string | undefined
  /** Only records created after this time; the time itself is not included */
  since?: string | undefined
  /** Only records created before this time; the time itself is not included */
  until?: string | undefined
}

export interface ListPaymentsQuery extends PageQuery {
  /** Only the payment with this id */
  paymentId?: string | undefined
  /** Only payments of this account */
  accountId?: string | undefined
  /** Only payments of this customer */
  customerId?: string | undefined
  /** Only payments to this external account */
  counterpartyAccountId?: string | undefined
  /** A JSON object of tags; every one must match */
  tags?: string | undefined
  /** Only payments in one of these states */
  status?: ('Pending' | 'PendingReview' | 'Clearing' | 'Sent' | 'Rejected' | 'Canceled' | 'Returned')[] | undefined
  /** Only payments of these types */
  type?: ('achPayment' | 'bookPayment')[] | undefined
  /** `Credit` sends money to the counterparty, `Debit` collects it from there */
  direction?: ('Credit' | 'Debit')[] | undefined
  /** Only records created after this time; the time itself is not included */
  since?: string | undefined
  /** Only records created before this time; the time itself is not included */
  until?: string | undefined
  /** Only payments returned then or later */
  returnedSince?: string | undefined
  /** Only payments of at least this amount, in cents */
  fromAmount?: number | undefined
  /** Only payments of at most this amount, in cents */
  toAmount?: number | undefined
  /** Only payments whose description or counterparty has these words, in any letter case; the last one may be the beginning of a word. */
  search?: string | undefined
  /** Only payments of this recurring payment */
  recurringPaymentId?: string | undefined
  /** Only payments with this feature */
  paymentFeature?: 'SameDay' | 'RecurringPayment' | undefined
  /** `true` adds the header `X-Total-Count`: how many records match the filters, on all pages together. */
  count?: boolean | undefined
}

export interface ListExternalAccountsQuery extends PageQuery {
  /** Only accounts with this routing number */
  routingNumber?: string | undefined
  /** Only accounts with this account number */
  accountNumber?: string | undefined
}

export interface ListStatementsQuery extends SortedQuery {
  /** The account whose statements are listed */
  accountId: string
  /** Only the statement of this month, YYYY-MM */
  period?: string | undefined
}

export interface ListLocalOffersQuery {
  /** ZIP or ZIP+4 code to search around */
  zipCode: string
  /** User whose offers are listed. The built-in catalogue ignores it; a connector passes it on */
  userId: string
  /** Number of the page, from 0 */
  page: number
  /** Most offers on a page */
  pageSize?: number | undefined
  /** Only offers of this category, in any letter case */
  category?: string | undefined
  /** Only offers with this text in the title or the merchant’s name, in any letter case */
  search?: string | undefined
  /** Miles around the centre of the ZIP code */
  radius?: number | undefined
  /** Order of the offers; a leading `-` means descending */
  sort?: 'distance' | '-distance' | 'commission' | '-commission' | 'expirationDate' | '-expirationDate' | 'merchantName' | '-merchantName' | undefined
}

export interface ListNationalOffersQuery {
  /** User whose offers are listed. The built-in catalogue ignores it; a connector passes it on */
  userId: string
  /** Number of the page, from 0 */
  page: number
  /** Most offers on a page */
  pageSize?: number | undefined
  /** Only offers of this category, in any letter case */
  category?: string | undefined
  /** Only offers with this text in the title or the merchant’s name, in any letter case */
  search?: string | undefined
  /** Order of the offers; a leading `-` means descending */
  sort?: 'commission' | '-commission' | 'expirationDate' | '-expirationDate' | 'merchantName' | '-merchantName' | undefined
}

export interface ListPartnerUsersQuery extends ClauseQuery {
}

export interface ListRewardableTransactionsQuery extends ClauseQuery {
}

export interface ListRewardPaymentsQuery extends ClauseQuery {
}

export interface ListAccountsQuery extends PageQuery {
  /** Only these accounts */
  accountId?: string[] | undefined
  /** Only accounts of this customer */
  customerId?: string | undefined
  /** Only accounts in this state */
  status?: 'Open' | 'Frozen' | 'Closed' | undefined
  /** Only accounts that match this text, in any letter case: the beginning of the name, of its last word or of the customer’s e-mail address, the account number or its last four digits, or the id of the account or customer */
  search?: string | undefined
  /** Whether 80 % of a payment limit are used */
  nearLimit?: boolean | undefined
  /** Only records created after this time; the time itself is not included */
  since?: string | undefined
  /** Only records created before this time; the time itself is not included */
  until?: string | undefined
  /** `true` adds the header `X-Total-Count`: how many records match the filters, on all pages together. */
  count?: boolean | undefined
}

export interface ListAccountHoldsQuery extends PageQuery {
  /** Only holds in this state */
  status?: 'Active' | 'Released' | 'Expired' | undefined
}

export interface ListAllAuthorizationsQuery extends PageQuery {
  /** Only authorizations in one of these states */
  status?: ('Authorized' | 'Completed' | 'Canceled' | 'Declined')[] | undefined
  /** Only authorizations that were declined for this reason */
  reason?: string | undefined
  /** Only authorizations of this customer */
  customerId?: string | undefined
  /** Only authorizations on this account */
  accountId?: string | undefined
  /** Only authorizations of this card */
  cardId?: string | undefined
  /** Only authorizations at merchants whose name or place has these words. Among the newest 10,000 */
  search?: string | undefined
  /** Only records created after this time; the time itself is not included */
  since?: string | undefined
  /** Only records created before this time; the time itself is not included */
  until?: string | undefined
  /** Only authorizations of at least this amount, in cents */
  fromAmount?: number | undefined
  /** Only authorizations of at most this amount, in cents */
  toAmount?: number | undefined
}

export interface ListCustomersQuery extends PageQuery {
  /** Only customers that match this text, in any letter case: the beginning of the name, of its last word or of the e-mail address, or the id */
  search?: string | undefined
  /** Only customers in this state */
  status?: 'Active' | 'Archived' | 'Erased' | undefined
  /** Only records created after this time; the time itself is not included */
  since?: string | undefined
  /** Only records created before this time; the time itself is not included */
  until?: string | undefined
  /** `true` adds the header `X-Total-Count`: how many records match the filters, on all pages together. */
  count?: boolean | undefined
}

export interface ListRecurringPaymentsQuery extends PageQuery {
  /** Only those of this account */
  accountId?: string | undefined
  /** Only those of this customer */
  customerId?: string | undefined
  /** Only those with this external account */
  counterpartyAccountId?: string | undefined
  /** Only those in one of these states */
  status?: ('Active' | 'Paused' | 'Completed' | 'Canceled' | 'Stopped')[] | undefined
  /** Only records created after this time; the time itself is not included */
  since?: string | undefined
  /** Only records created before this time; the time itself is not included */
  until?: string | undefined
  /** Only those of at least this amount, in cents */
  fromAmount?: number | undefined
  /** Only those of at most this amount, in cents */
  toAmount?: number | undefined
  /** `true` adds the header `X-Total-Count`: how many records match the filters, on all pages together. */
  count?: boolean | undefined
}

export interface ListRecurringPaymentRunsQuery extends PageQuery {
  /** Only runs in this state */
  status?: 'Succeeded' | 'Waiting' | 'Skipped' | 'Failed' | undefined
}

export interface ListPlannedPaymentsQuery {
  /** The last day that is shown, in Eastern time: at most and by default a year ahead */
  until?: string | undefined
  /** Most records on a page. The Link header leads to the next page */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
}

export interface ListAchBatchesQuery extends PageQuery {
  /** Only batches of these types */
  type?: ('payments' | 'returns' | 'verifications')[] | undefined
  /** Only batches in one of these states */
  status?: ('Clearing' | 'Settled' | 'Rejected')[] | undefined
  /** Only batches of this side */
  direction?: ('Credit' | 'Debit')[] | undefined
  /** A settlement day, in Eastern time */
  settlementDate?: string | undefined
  /** Only batches of this ACH file */
  fileId?: string | undefined
  /** Only records created after this time; the time itself is not included */
  since?: string | undefined
  /** Only records created before this time; the time itself is not included */
  until?: string | undefined
}

export interface ListAchEntriesQuery {
  /** Only entries after this one; the Link header of a page has the value for the next */
  after?: string | undefined
  /** Most records on a page. The Link header leads to the next page */
  limit?: number | undefined
}

export interface GetAchReconciliationQuery {
  /** A settlement day, in Eastern time */
  date: string
}

export interface ListReceivedPaymentsQuery extends PageQuery {
  /** Only received payments of this account */
  accountId?: string | undefined
  /** Only received payments of this customer */
  customerId?: string | undefined
  /** Only those in one of these states */
  status?: ('Pending' | 'PendingReview' | 'Advanced' | 'MarkedForReturn' | 'Completed' | 'Returned')[] | undefined
  /** `Credit` pays into the account, `Debit` takes from it */
  direction?: ('Credit' | 'Debit')[] | undefined
  /** Only records created after this time; the time itself is not included */
  since?: string | undefined
  /** Only records created before this time; the time itself is not included */
  until?: string | undefined
  /** Only those of at least this amount, in cents */
  fromAmount?: number | undefined
  /** Only those of at most this amount, in cents */
  toAmount?: number | undefined
}

export interface GetStatementQuery {
  /** `html` returns the document instead of the record */
  format?: 'html' | undefined
}

export interface ListApplicationsQuery extends PageQuery {
  /** Only applications in this status. `Pending` and `Canceled` exist at an upstream only */
  status?: 'AwaitingDocuments' | 'PendingReview' | 'Approved' | 'Denied' | 'Pending' | 'Canceled' | undefined
  /** Only applications that match this text, in any letter case: the beginning of the name, of its last word or of the e-mail address, or the id */
  search?: string | undefined
  /** Only records created after this time; the time itself is not included */
  since?: string | undefined
  /** Only records created before this time; the time itself is not included */
  until?: string | undefined
}

export interface ListPartnerUserCardsQuery extends ClauseQuery {
}

export interface ListRewardsQuery extends ClauseQuery {
}

export interface ListMerchantBillsQuery {
  /** A month of bank time, in UTC */
  month: string
  /** Most records on a page. The Link header leads to the next page */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
}

export interface ListCampaignsQuery extends PageQuery {
  /** Only those in this state */
  status?: 'Active' | 'Paused' | 'Ended' | undefined
}

export interface ListCampaignOffersQuery extends PageQuery {
  /** Only those of this campaign */
  campaignId?: string | undefined
  /** Only those in this state */
  status?: 'Active' | 'Paused' | 'Ended' | undefined
}

export interface ListActivationsQuery extends PageQuery {
  /** Only those of this partner user */
  partnerUserId?: string | undefined
  /** Only those of this offer */
  offerId?: string | undefined
}

export interface ListPartnerUserOffersQuery extends PageQuery {
}

export interface GetDailyReconciliationQuery {
  /** A day of bank time, in UTC */
  date: string
}

export interface ListOfferFunnelQuery {
  /** The first day, or a time in it; by default 29 days before the last one */
  since?: string | undefined
  /** The last day, or a time in it; by default today, in bank time */
  until?: string | undefined
  /** Only this offer */
  offerId?: string | undefined
  /** Most records on a page. The Link header leads to the next page */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
}

export interface ListReviewApplicationsQuery extends PageQuery {
  /** `PendingReview` for applications that wait for a reviewer, `AwaitingDocuments` for those that wait for the applicant; leave it out for both */
  status?: 'AwaitingDocuments' | 'PendingReview' | undefined
  /** Only records created after this time; the time itself is not included */
  since?: string | undefined
  /** Only records created before this time; the time itself is not included */
  until?: string | undefined
}

export interface GetReviewDocumentContentQuery {
  /** Side of the document: `front` or `back` */
  side?: 'front' | 'back' | undefined
}

export interface ListReviewPaymentsQuery extends PageQuery {
  /** Only payments of this account */
  accountId?: string | undefined
}

export interface ListReviewExternalAccountsQuery extends PageQuery {
}

export interface ListOverSettlementsQuery extends PageQuery {
}

export interface ListProposalsQuery extends PageQuery {
  /** Only proposals about the record with this id */
  recordId?: string | undefined
  /** Only proposals in this state */
  state?: 'Waiting' | 'Approved' | 'Executed' | 'Failed' | 'Rejected' | 'Withdrawn' | 'Expired' | undefined
}

export interface ListClosingDaysQuery {
  /** The month, YYYY-MM */
  month: string
}

export interface ListSettlementItemsQuery {
  /** All items of this day, in Eastern time; of a banking day also those of the weekend and holidays before it */
  day?: string | undefined
  /** Most records on a page. The Link header leads to the next page */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
}

export interface ListBankStatementsQuery {
  /** Most records on a page. The Link header leads to the next page */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
}

export interface ListProcessorCardsQuery {
  /** The card processor’s name for the card, unique in the organisation */
  reference: string
}

export interface ListLedgerAccountsQuery {
  /** Only accounts of these kinds */
  kind?: ('deposit' | 'achClearing' | 'cardSettlement' | 'rewardsFunding' | 'achSettlement' | 'achSuspense' | 'achWriteOff' | 'bankFees' | 'bankFunding' | 'bankSuspense' | 'movedIn')[] | undefined
  /** Only accounts with a higher id; the Link header of a page has the value for the next */
  after?: string | undefined
  /** Most records on a page. The Link header leads to the next page */
  limit?: number | undefined
}

export interface ListLedgerTransfersQuery {
  /** Only transfers from or to this account, which may be an internal one */
  accountId?: string | undefined
  /** Only transfers of this kind of record. Without `sourceId` a call looks at up to 10,000 transfers, so a page may be short or empty while its Link header leads on */
  sourceType?: 'payment' | 'authorization' | 'reward' | 'receivedPayment' | 'achBatch' | 'achException' | undefined
  /** Only transfers of this payment, authorization or reward */
  sourceId?: string | undefined
  /** Only records created after this time; the time itself is not included */
  since?: string | undefined
  /** Only records created before this time; the time itself is not included */
  until?: string | undefined
  /** `createdAt` for oldest first, `-createdAt` for newest first */
  sort?: 'createdAt' | '-createdAt' | undefined
  /** Only transfers after this one in the order of the list; the Link header of a page has the value for the next */
  after?: string | undefined
  /** Most records on a page. The Link header leads to the next page */
  limit?: number | undefined
}

export interface ListLedgerFlowsQuery {
  /** Only transfers from this time on; by default 30 days before the end of the range */
  since?: string | undefined
  /** Only transfers before this time; by default now, in bank time */
  until?: string | undefined
  /** Sums each day apart, oldest first */
  interval?: 'day' | undefined
}

export interface ListLedgerBalancesQuery {
  /** The account, which may be an internal one. Leave it out for the balances of all accounts, summed by kind */
  accountId?: string | undefined
  /** The step between two balances */
  interval?: 'day' | undefined
  /** The first day, or a time in it; by default 29 days before the last one */
  since?: string | undefined
  /** The last day, or a time in it; by default today, in bank time */
  until?: string | undefined
}

export interface ListApiKeysQuery extends SortedQuery {
}

export interface ListEventsQuery {
  /** Only entries with a higher sequence number; `latest` for those after this call. The Link header then leads on from there, even from an empty page */
  after?: number | 'latest' | undefined
  /** Only entries with a lower sequence number */
  before?: number | undefined
  /** `sequence` for oldest first, `-sequence` for newest first */
  sort?: 'sequence' | '-sequence' | undefined
  /** Maximum number of entries to return */
  limit?: number | undefined
  /** Long poll: seconds to wait for an entry if there is none yet. Only with oldest first and without `before` */
  wait?: number | undefined
  /** Only events of these types; `payment.*` stands for all types of that record. */
  type?: EventFilter[] | undefined
  /** Only events of records of this kind; with `entityId`, of one of them */
  entityType?: 'account' | 'accountHold' | 'achException' | 'apiKey' | 'application' | 'auditLog' | 'authorization' | 'campaign' | 'campaignOffer' | 'card' | 'customer' | 'document' | 'externalAccount' | 'offerActivation' | 'organisation' | 'partnerUser' | 'partnerUserCard' | 'payment' | 'person' | 'personalData' | 'proposal' | 'receivedPayment' | 'recurringPayment' | 'reward' | 'rewardableTransaction' | 'rewardPayment' | 'statement' | 'transaction' | 'upstreamEvent' | 'verificationToken' | 'webhookEndpoint' | undefined
  /** Only events of the record with this id; needs `entityType` */
  entityId?: string | undefined
  /** Only events that the request with this `X-Request-Id` caused. */
  requestId?: string | undefined
}

export interface ListWebhookEndpointsQuery extends SortedQuery {
  /** `true` for endpoints whose latest attempt was not accepted or that were disabled for it; `false` for the others */
  failing?: boolean | undefined
}

export interface ListDeliveriesQuery {
  /** Only deliveries in this state */
  status?: 'Pending' | 'Succeeded' | 'Failed' | undefined
  /** `true` for deliveries whose latest attempt was not accepted, repeated or given up; `false` for the others */
  failing?: boolean | undefined
  /** Only records created after this time; the time itself is not included */
  since?: string | undefined
  /** Only records created before this time; the time itself is not included */
  until?: string | undefined
  /** Only deliveries after this position, from the Link header of the previous page */
  after?: number | undefined
  /** Most records on a page. The Link header leads to the next page */
  limit?: number | undefined
  /** Deliveries to skip; to go far back, follow the Link header */
  offset?: number | undefined
  /** `createdAt` for oldest first, `-createdAt` for newest first */
  sort?: 'createdAt' | '-createdAt' | undefined
}

export interface ListAllDeliveriesQuery {
  /** Id of the webhook endpoint */
  endpointId?: string | undefined
  /** Id of the event */
  eventId?: string | undefined
  /** Only deliveries of events of this type; `payment.*` stands for all types of that record. With a single type a call looks at up to 1,000 deliveries */
  eventType?: EventFilter | 'webhookEndpoint.test' | undefined
  /** Only deliveries in this state */
  status?: 'Pending' | 'Succeeded' | 'Failed' | undefined
  /** `true` for deliveries whose latest attempt was not accepted, repeated or given up; `false` for the others */
  failing?: boolean | undefined
  /** Only records created after this time; the time itself is not included */
  since?: string | undefined
  /** Only records created before this time; the time itself is not included */
  until?: string | undefined
  /** Only deliveries after this position, from the Link header of the previous page */
  after?: number | undefined
  /** Most records on a page. The Link header leads to the next page */
  limit?: number | undefined
  /** Deliveries to skip; to go far back, follow the Link header */
  offset?: number | undefined
  /** `createdAt` for oldest first, `-createdAt` for newest first */
  sort?: 'createdAt' | '-createdAt' | undefined
}

export interface ListAuditLogQuery {
  /** Only records created after this time; the time itself is not included */
  since?: string | undefined
  /** Only records created before this time; the time itself is not included */
  until?: string | undefined
  /** Only changes, or only denied requests */
  outcome?: 'Done' | 'Denied' | undefined
  /** Only actions with this text, in any letter case */
  action?: string | undefined
  /** Only entries of the key or person with this id, or with this text in the name */
  actor?: string | undefined
  /** Only changes of this record */
  recordId?: string | undefined
  /** Only entries after this position, from the Link header of the previous page */
  before?: string | undefined
  /** Most records on a page. The Link header leads to the next page */
  limit?: number | undefined
  /** Entries to skip; to go far back, follow the Link header */
  offset?: number | undefined
}

export interface ListRequestsQuery {
  /** Only entries with a higher sequence number; `latest` for those after this call. The Link header then leads on from there, even from an empty page */
  after?: number | 'latest' | undefined
  /** Only entries with a lower sequence number */
  before?: number | undefined
  /** `sequence` for oldest first, `-sequence` for newest first */
  sort?: 'sequence' | '-sequence' | undefined
  /** Maximum number of entries to return */
  limit?: number | undefined
  /** Long poll: seconds to wait for an entry if there is none yet. Only with oldest first and without `before` */
  wait?: number | undefined
  /** Only answers with this status; `4xx` for all from 400 to 499 */
  status?: string | undefined
  /** Only this operation */
  operation?: string | undefined
  /** Only refusals with this code */
  code?: string | undefined
  /** Only requests of this API key */
  apiKeyId?: string | undefined
  /** Only requests with this idempotency key */
  idempotencyKey?: string | undefined
  /** Only requests with this `X-Request-Id` */
  requestId?: string | undefined
}

export interface LookUpIdQuery {
  /** Id of a record of any type */
  id: string
}

export interface ListHistoryQuery {
  /** Only what came after the event with this sequence number; the Link header has it for the next page */
  after?: number | undefined
  /** Most events of the record on a page */
  limit?: number | undefined
}

export interface ExportListQuery {
  /** `jsonl` is JSON Lines */
  format?: 'csv' | 'jsonl' | undefined
  /** Most records of the file, which then ends properly. Without it the file has all */
  limit?: number | undefined
  /** Only records created after this time; the time itself is not included */
  since?: string | undefined
  /** Only records created before this time; the time itself is not included */
  until?: string | undefined
}

export interface SearchQuery {
  /** A name, an e-mail address, an id, a number, an amount, a code or words of a description */
  q: string
}

export interface ListFaultRulesQuery extends SortedQuery {
}

export interface ListAchFilesQuery extends PageQuery {
  /** Only files in this direction */
  direction?: ('Outgoing' | 'Incoming')[] | undefined
  /** Only files in one of these states */
  status?: ('Building' | 'Built' | 'Delivering' | 'Unknown' | 'Delivered' | 'Acknowledged' | 'Rejected' | 'Taken' | 'Applied' | 'Refused')[] | undefined
  /** Only records created after this time; the time itself is not included */
  since?: string | undefined
  /** Only records created before this time; the time itself is not included */
  until?: string | undefined
}

/** The members of every event. */
export interface EventBase {
  /** Id of the event, also the header `webhook-id` */
  id: string
  /** Time of the change, in bank time */
  timestamp: string
  /** Version of the interface that `data` follows */
  apiVersion: string
  /** Number of the event within the organisation, without gaps */
  sequence: number
  entity: EventEntity
  request: EventRequest
}

/** A record that was looked up, with the records and operations around it. */
export interface LookedUpBase {
  /** Id of the record as a text */
  id: string
  /** A short text for people */
  label: string
  /** Records that are linked to this one, in both directions, of the types that the key may read: the newest 10 of each relation */
  related: RelatedRecord[]
  /** The operations of this service that change the record, each with whether it is possible now */
  actions: RecordAction[]
}

/** The choice of a page. */
export interface PageQuery {
  /** Most records on a page. The Link header leads to the next page */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
  /** `createdAt` for oldest first, `-createdAt` for newest first */
  sort?: 'createdAt' | '-createdAt' | undefined
  /** Where the page begins: the value in the `Link` header of the page before, sent with the same filters and `sort`, and without `offset`. */
  cursor?: string | undefined
}

/** A filter of a reward list, and the choice of a page. */
export interface ClauseQuery {
  /** Condition with placeholders: `$C1` stands for the first name in `columnNames`, `$V1` for the first value in `values`. Leave it out for all records */
  whereClause?: string | undefined
  /** Names of the columns `$C1`, `$C2`, … separated by commas, at most 20 */
  columnNames?: string | undefined
  /** Values of `$V1`, `$V2`, … in brackets. If only `$V1` is used, it stands for the whole list */
  values?: string | undefined
  /** Up to five columns to order by, each with `ASC` or `DESC`; ties are ordered by `id` */
  orderByClause?: string | undefined
  /** Most records on a page. The Link header leads to the next page */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
}

/** The choice of a part of a short list. */
export interface SortedQuery {
  /** Most records on a page. The Link header leads to the next page */
  limit?: number | undefined
  /** Number of records to skip */
  offset?: number | undefined
  /** `createdAt` for oldest first, `-createdAt` for newest first */
  sort?: 'createdAt' | '-createdAt' | undefined
}

/** The type of an event. */
export type EventType = Event['type']

/** A type of event, or all types of a kind of record. */
export type EventFilter = EventType | 'account.*' | 'accountHold.*' | 'achException.*' | 'apiKey.*' | 'application.*' | 'auditLog.*' | 'authorization.*' | 'campaign.*' | 'campaignOffer.*' | 'card.*' | 'customer.*' | 'document.*' | 'externalAccount.*' | 'offerActivation.*' | 'organisation.*' | 'partnerUser.*' | 'partnerUserCard.*' | 'payment.*' | 'person.*' | 'personalData.*' | 'proposal.*' | 'receivedPayment.*' | 'recurringPayment.*' | 'reward.*' | 'rewardableTransaction.*' | 'rewardPayment.*' | 'statement.*' | 'transaction.*' | 'upstreamEvent.*' | 'verificationToken.*' | 'webhookEndpoint.*' | '*'

/** The reasons for which the service refuses requests. Later versions may add some. */
export type ProblemCode = Operations[OperationId]['problems'] | 'invalid_signature'

/** The reasons for which every operation can be refused. */
export type CommonProblemCode = 'invalid_request' | 'unauthorized' | 'forbidden' | 'method_not_allowed' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'unavailable'

/** The reasons for which every POST can be refused. */
export type PostProblemCode = 'idempotency_in_progress' | 'idempotency_key_reused' | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown'

/** The reasons for which every operation that a connector can serve can be refused. */
export type UpstreamProblemCode = 'refused_by_provider' | 'not_supported_by_provider' | 'upstream_error' | 'upstream_unavailable' | 'upstream_timeout'

/** The reasons for which every write that a connector can serve can be refused. */
export type UpstreamWriteProblemCode = 'already_exists' | 'wrong_state' | 'upstream_outcome_unknown'

/** Input, data and problems of every operation. */
export interface Operations {
  listAuthorizations: {
    query: ListAuthorizationsQuery
    data: Authorization[]
    problems: CommonProblemCode | UpstreamProblemCode
  }
  createVerificationToken: {
    params: { customerId: string }
    data: VerificationToken
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'customer_not_found' | 'customer_erased'
  }
  getTransaction: {
    params: { transactionId: string }
    query: GetTransactionQuery
    data: Transaction
    problems: CommonProblemCode | UpstreamProblemCode | 'transaction_not_found'
  }
  listTransactions: {
    query?: ListTransactionsQuery
    data: ListedTransaction[]
    problems: CommonProblemCode | UpstreamProblemCode
  }
  createCard: {
    body: CreateCardRequest
    data: Card
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'account_not_found' | 'customer_not_found' | 'account_not_open' | 'customer_erased'
  }
  replaceCard: {
    params: { cardId: string }
    body: ReplaceCardRequest
    data: Card
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'card_not_found' | 'card_wrong_state' | 'account_not_open' | 'customer_erased'
  }
  listCards: {
    query?: ListCardsQuery
    data: ListedCard[]
    problems: CommonProblemCode | UpstreamProblemCode
  }
  createPayment: {
    params: { accountId: string }
    body: CreatePaymentRequest
    data: Payment
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'account_not_found' | 'account_not_open' | 'payments_blocked' | 'external_account_not_found' | 'insufficient_funds' | 'limit_exceeded' | 'same_account' | 'balance_limit' | 'payment_rejected' | 'invalid_routing_number' | 'amount_over_rail_limit' | 'reserved_description' | 'external_account_not_debitable' | 'debit_not_permitted' | 'debits_stopped' | 'mandate_missing' | 'sec_code_not_allowed'
  }
  getPayment: {
    params: { paymentId: string }
    data: Payment
    problems: CommonProblemCode | UpstreamProblemCode | 'payment_not_found'
  }
  listPayments: {
    query?: ListPaymentsQuery
    data: ListedPayment[]
    problems: CommonProblemCode | UpstreamProblemCode
  }
  createExternalAccount: {
    params: { customerId: string }
    body: CreateExternalAccountRequest
    data: ExternalAccount
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'customer_not_found' | 'invalid_routing_number' | 'external_account_refused' | 'customer_erased'
  }
  listExternalAccounts: {
    params: { customerId: string }
    query?: ListExternalAccountsQuery
    data: ExternalAccount[]
    problems: CommonProblemCode | UpstreamProblemCode | 'customer_not_found'
  }
  listStatements: {
    query: ListStatementsQuery
    data: Statement[]
    problems: CommonProblemCode | UpstreamProblemCode
  }
  createAccount: {
    body: CreateAccountRequest
    data: DepositAccount
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'customer_not_found' | 'customer_erased'
  }
  reopenAccount: {
    params: { accountId: string }
    data: DepositAccount
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'account_not_found' | 'account_not_closed' | 'risk_key_required' | 'customer_erased'
  }
  getAccount: {
    params: { accountId: string }
    data: DepositAccount
    problems: CommonProblemCode | UpstreamProblemCode | 'account_not_found'
  }
  uploadDocumentBack: {
    params: { applicationId: string; documentId: string }
    body: UploadDocumentBackRequest
    data: Document
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'application_not_found' | 'document_not_found' | 'application_wrong_state' | 'content_type_mismatch' | 'customer_erased'
  }
  listLocalOffers: {
    query: ListLocalOffersQuery
    data: LocalOffers
    problems: CommonProblemCode | UpstreamProblemCode
  }
  listNationalOffers: {
    query: ListNationalOffersQuery
    data: NationalOffers
    problems: CommonProblemCode | UpstreamProblemCode
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
    problems: CommonProblemCode | UpstreamProblemCode
  }
  closeAccount: {
    params: { accountId: string }
    body: CloseAccountRequest
    data: DepositAccount
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'account_not_found' | 'account_closed' | 'account_not_empty' | 'account_not_open' | 'payments_blocked' | 'risk_key_required' | 'same_account' | 'balance_limit' | 'customer_erased'
  }
  getAccountLimits: {
    params: { accountId: string }
    data: AccountLimits
    problems: CommonProblemCode | UpstreamProblemCode | 'account_not_found'
  }
  setAccountLimits: {
    params: { accountId: string }
    body: SetAccountLimitsRequest
    data: AccountLimits | Proposal
    problems: CommonProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'account_not_found' | 'proposal_waiting'
  }
  createAccountHold: {
    params: { accountId: string }
    body: CreateAccountHoldRequest
    data: AccountHold
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'account_not_found' | 'account_closed' | 'insufficient_funds' | 'balance_limit'
  }
  listAccountHolds: {
    params: { accountId: string }
    query?: ListAccountHoldsQuery
    data: AccountHold[]
    problems: CommonProblemCode | UpstreamProblemCode | 'account_not_found'
  }
  getAccountHold: {
    params: { accountId: string; holdId: string }
    data: AccountHold
    problems: CommonProblemCode | UpstreamProblemCode | 'account_not_found' | 'account_hold_not_found'
  }
  releaseAccountHold: {
    params: { accountId: string; holdId: string }
    data: AccountHold | Proposal
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'account_not_found' | 'account_hold_not_found' | 'account_hold_not_active' | 'risk_key_required' | 'proposal_waiting'
  }
  freezeAccount: {
    params: { accountId: string }
    data: DepositAccount
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'account_not_found' | 'account_not_open' | 'customer_erased'
  }
  unfreezeAccount: {
    params: { accountId: string }
    data: DepositAccount
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'account_not_found' | 'account_not_frozen' | 'risk_key_required' | 'customer_erased'
  }
  blockPayments: {
    params: { accountId: string }
    body: BlockPaymentsRequest
    data: AccountPaymentBlock
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'account_not_found' | 'customer_erased'
  }
  releasePayments: {
    params: { accountId: string }
    body: ReleasePaymentsRequest
    data: AccountPaymentBlock
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'account_not_found' | 'payments_not_blocked' | 'customer_erased'
  }
  getCard: {
    params: { cardId: string }
    data: Card
    problems: CommonProblemCode | UpstreamProblemCode | 'card_not_found'
  }
  getCardLimits: {
    params: { cardId: string }
    data: CardLimits
    problems: CommonProblemCode | UpstreamProblemCode | 'card_not_found'
  }
  setCardLimits: {
    params: { cardId: string }
    body: SetCardLimitsRequest
    data: CardLimits
    problems: CommonProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'card_not_found' | 'card_wrong_state'
  }
  activateCard: {
    params: { cardId: string }
    data: Card
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'card_not_found' | 'card_wrong_state' | 'account_not_open' | 'customer_erased'
  }
  freezeCard: {
    params: { cardId: string }
    data: Card
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'card_not_found' | 'card_wrong_state' | 'customer_erased'
  }
  unfreezeCard: {
    params: { cardId: string }
    data: Card
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'card_not_found' | 'card_wrong_state' | 'customer_erased'
  }
  closeCard: {
    params: { cardId: string }
    data: Card
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'card_not_found' | 'card_wrong_state' | 'customer_erased'
  }
  reportLostCard: {
    params: { cardId: string }
    data: Card
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'card_not_found' | 'card_wrong_state' | 'customer_erased'
  }
  reportStolenCard: {
    params: { cardId: string }
    data: Card
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'card_not_found' | 'card_wrong_state' | 'customer_erased'
  }
  getAuthorization: {
    params: { authorizationId: string }
    data: Authorization
    problems: CommonProblemCode | UpstreamProblemCode | 'authorization_not_found'
  }
  listAllAuthorizations: {
    query?: ListAllAuthorizationsQuery
    data: OwnedAuthorization[]
    problems: CommonProblemCode | UpstreamProblemCode
  }
  listCustomers: {
    query?: ListCustomersQuery
    data: Customer[]
    problems: CommonProblemCode | UpstreamProblemCode
  }
  getCustomer: {
    params: { customerId: string }
    data: Customer
    problems: CommonProblemCode | UpstreamProblemCode | 'customer_not_found'
  }
  createPaymentBatch: {
    body: CreatePaymentBatchRequest
    data: BatchOutcome[]
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode
  }
  createBookTransfer: {
    params: { accountId: string }
    body: CreateBookTransferRequest
    data: Payment
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'account_not_found' | 'account_not_open' | 'payments_blocked' | 'account_closed' | 'insufficient_funds' | 'same_account' | 'balance_limit' | 'payment_rejected'
  }
  createRecurringPayment: {
    body: CreateRecurringPaymentRequest
    data: RecurringPayment
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'account_not_found' | 'account_not_open' | 'account_closed' | 'external_account_not_found' | 'same_account' | 'external_account_not_debitable' | 'debit_not_permitted' | 'mandate_missing' | 'sec_code_not_allowed' | 'invalid_routing_number' | 'amount_over_rail_limit' | 'reserved_description' | 'too_many_recurring_payments'
  }
  listRecurringPayments: {
    query?: ListRecurringPaymentsQuery
    data: RecurringPayment[]
    problems: CommonProblemCode | UpstreamProblemCode
  }
  getRecurringPayment: {
    params: { recurringPaymentId: string }
    data: RecurringPayment
    problems: CommonProblemCode | UpstreamProblemCode | 'recurring_payment_not_found'
  }
  pauseRecurringPayment: {
    params: { recurringPaymentId: string }
    data: RecurringPayment
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'recurring_payment_not_found' | 'recurring_payment_not_active'
  }
  resumeRecurringPayment: {
    params: { recurringPaymentId: string }
    data: RecurringPayment
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'recurring_payment_not_found' | 'recurring_payment_not_paused'
  }
  skipRecurringPayment: {
    params: { recurringPaymentId: string }
    body?: SkipRecurringPaymentRequest
    data: RecurringPayment
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'recurring_payment_not_found' | 'recurring_payment_ended'
  }
  changeRecurringPayment: {
    params: { recurringPaymentId: string }
    body: ChangeRecurringPaymentRequest
    data: RecurringPayment
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'recurring_payment_not_found' | 'recurring_payment_ended'
  }
  cancelRecurringPayment: {
    params: { recurringPaymentId: string }
    data: RecurringPayment
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'recurring_payment_not_found' | 'recurring_payment_ended'
  }
  listRecurringPaymentRuns: {
    params: { recurringPaymentId: string }
    query?: ListRecurringPaymentRunsQuery
    data: RecurringPaymentRun[]
    problems: CommonProblemCode | UpstreamProblemCode | 'recurring_payment_not_found'
  }
  listPlannedPayments: {
    params: { accountId: string }
    query?: ListPlannedPaymentsQuery
    data: PlannedPayment[]
    problems: CommonProblemCode | UpstreamProblemCode | 'account_not_found'
  }
  cancelPayment: {
    params: { paymentId: string }
    data: Payment
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'payment_not_found' | 'payment_not_cancelable' | 'balance_limit'
  }
  retryPayment: {
    params: { paymentId: string }
    data: Payment
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'payment_not_found' | 'payment_not_retryable' | 'account_not_open' | 'external_account_not_found' | 'external_account_not_debitable' | 'debit_not_permitted' | 'debits_stopped' | 'mandate_missing' | 'limit_exceeded' | 'balance_limit' | 'amount_over_rail_limit' | 'invalid_routing_number'
  }
  reversePayment: {
    params: { paymentId: string }
    body: ReversePaymentRequest
    data: Payment
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'payment_not_found' | 'payment_not_reversible' | 'reversal_too_late' | 'account_not_open' | 'insufficient_funds' | 'limit_exceeded' | 'balance_limit'
  }
  listAchBatches: {
    query?: ListAchBatchesQuery
    data: AchBatch[]
    problems: CommonProblemCode | UpstreamProblemCode
  }
  getAchBatch: {
    params: { achBatchId: string }
    data: AchBatch
    problems: CommonProblemCode | UpstreamProblemCode | 'ach_batch_not_found'
  }
  listAchEntries: {
    params: { achBatchId: string }
    query?: ListAchEntriesQuery
    data: AchEntry[]
    problems: CommonProblemCode | UpstreamProblemCode | 'ach_batch_not_found'
  }
  getAchReconciliation: {
    query: GetAchReconciliationQuery
    data: AchReconciliation
    problems: CommonProblemCode | UpstreamProblemCode
  }
  getReturnRates: {
    data: ReturnRates
    problems: CommonProblemCode | UpstreamProblemCode
  }
  listReceivedPayments: {
    query?: ListReceivedPaymentsQuery
    data: ReceivedPayment[]
    problems: CommonProblemCode | UpstreamProblemCode
  }
  getReceivedPayment: {
    params: { receivedPaymentId: string }
    data: ReceivedPayment
    problems: CommonProblemCode | UpstreamProblemCode | 'received_payment_not_found'
  }
  returnReceivedPayment: {
    params: { receivedPaymentId: string }
    body: ReturnReceivedPaymentRequest
    data: ReceivedPayment
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'received_payment_not_found' | 'received_payment_not_returnable' | 'return_code_not_allowed' | 'return_too_late' | 'insufficient_funds' | 'account_not_open' | 'balance_limit'
  }
  updateExternalAccount: {
    params: { externalAccountId: string }
    body?: UpdateExternalAccountRequest
    data: ExternalAccount
    problems: CommonProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'external_account_not_found' | 'external_account_refused' | 'customer_erased'
  }
  deleteExternalAccount: {
    params: { externalAccountId: string }
    data: undefined
    problems: CommonProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'outcome_unknown' | 'external_account_not_found'
  }
  giveMandate: {
    params: { externalAccountId: string }
    body: GiveMandateRequest
    data: ExternalAccount
    problems: CommonProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'external_account_not_found' | 'customer_erased'
  }
  revokeMandate: {
    params: { externalAccountId: string }
    data: ExternalAccount
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'external_account_not_found' | 'mandate_missing' | 'customer_erased'
  }
  startVerification: {
    params: { externalAccountId: string }
    body: StartVerificationRequest
    data: ExternalAccount
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'external_account_not_found' | 'external_account_not_debitable' | 'external_account_verified' | 'external_account_in_review' | 'verification_under_way' | 'verification_locked' | 'invalid_routing_number' | 'customer_erased'
  }
  confirmVerification: {
    params: { externalAccountId: string }
    body: ConfirmVerificationRequest
    data: ExternalAccount
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'external_account_not_found' | 'verification_not_confirmable' | 'customer_erased'
  }
  attestExternalAccount: {
    params: { externalAccountId: string }
    body: AttestExternalAccountRequest
    data: ExternalAccount
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'external_account_not_found' | 'external_account_not_debitable' | 'customer_erased'
  }
  getStatement: {
    params: { statementId: string }
    query?: GetStatementQuery
    data: Statement | StatementHtml
    problems: CommonProblemCode | UpstreamProblemCode | 'statement_not_found' | 'statement_too_long'
  }
  getStatementPdf: {
    params: { statementId: string }
    data: Uint8Array
    problems: CommonProblemCode | UpstreamProblemCode | 'statement_not_found' | 'statement_too_long'
  }
  createApplication: {
    body: CreateApplicationRequest
    data: Application
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'customer_erased'
  }
  getApplication: {
    params: { applicationId: string }
    data: Application
    problems: CommonProblemCode | UpstreamProblemCode | 'application_not_found'
  }
  listApplications: {
    query?: ListApplicationsQuery
    data: ListedApplication[]
    problems: CommonProblemCode | UpstreamProblemCode
  }
  uploadDocumentFront: {
    params: { applicationId: string; documentId: string }
    body: UploadDocumentFrontRequest
    data: Document
    problems: CommonProblemCode | PostProblemCode | UpstreamProblemCode | UpstreamWriteProblemCode | 'application_not_found' | 'document_not_found' | 'application_wrong_state' | 'content_type_mismatch' | 'customer_erased'
  }
  createPartnerUser: {
    body: CreatePartnerUserRequest
    data: TaggedPartnerUser
    problems: CommonProblemCode | PostProblemCode | 'partner_user_exists'
  }
  getPartnerUser: {
    params: { partnerUserId: string | number }
    data: TaggedPartnerUser
    problems: CommonProblemCode | 'partner_user_not_found'
  }
  updatePartnerUser: {
    params: { partnerUserId: string | number }
    body?: UpdatePartnerUserRequest
    data: TaggedPartnerUser
    problems: CommonProblemCode | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'partner_user_not_found'
  }
  createPartnerUserCard: {
    body: CreatePartnerUserCardRequest
    data: PartnerUserCard
    problems: CommonProblemCode | PostProblemCode | 'partner_user_not_found' | 'card_not_found' | 'card_already_linked'
  }
  listPartnerUserCards: {
    query?: ListPartnerUserCardsQuery
    data: PartnerUserCard[]
    problems: CommonProblemCode
  }
  updatePartnerUserCard: {
    params: { partnerUserCardId: string | number }
    body: UpdatePartnerUserCardRequest
    data: PartnerUserCard
    problems: CommonProblemCode | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'partner_user_card_not_found' | 'card_already_linked'
  }
  createRewardableTransaction: {
    body: CreateRewardableTransactionRequest
    data: RewardableTransaction
    problems: CommonProblemCode | PostProblemCode | 'transaction_not_found' | 'card_not_found' | 'card_not_linked' | 'balance_limit'
  }
  listRewards: {
    query?: ListRewardsQuery
    data: Reward[]
    problems: CommonProblemCode
  }
  listMerchantBills: {
    query: ListMerchantBillsQuery
    data: MerchantBill[]
    problems: CommonProblemCode | 'balance_limit'
  }
  getReward: {
    params: { rewardId: string | number }
    data: Reward
    problems: CommonProblemCode | 'reward_not_found'
  }
  getRewardExplanation: {
    params: { rewardId: string | number }
    data: RewardExplanation
    problems: CommonProblemCode | 'reward_not_found' | 'not_supported_by_provider'
  }
  getPurchaseExplanation: {
    params: { bankTransactionId: string }
    data: PurchaseExplanation
    problems: CommonProblemCode | 'transaction_not_found' | 'not_supported_by_provider'
  }
  createCampaign: {
    body: CreateCampaignRequest
    data: Campaign
    problems: CommonProblemCode | PostProblemCode
  }
  listCampaigns: {
    query?: ListCampaignsQuery
    data: Campaign[]
    problems: CommonProblemCode
  }
  getCampaign: {
    params: { campaignId: string }
    data: Campaign
    problems: CommonProblemCode | 'campaign_not_found'
  }
  updateCampaign: {
    params: { campaignId: string }
    body?: UpdateCampaignRequest
    data: Campaign
    problems: CommonProblemCode | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'campaign_not_found' | 'campaign_ended'
  }
  createCampaignOffer: {
    params: { campaignId: string }
    body: CreateCampaignOfferRequest
    data: CampaignOffer
    problems: CommonProblemCode | PostProblemCode | 'campaign_not_found' | 'campaign_ended' | 'too_many_offers'
  }
  listCampaignOffers: {
    query?: ListCampaignOffersQuery
    data: CampaignOffer[]
    problems: CommonProblemCode
  }
  getCampaignOffer: {
    params: { offerId: string }
    data: CampaignOffer
    problems: CommonProblemCode | 'campaign_offer_not_found'
  }
  updateCampaignOffer: {
    params: { offerId: string }
    body?: UpdateCampaignOfferRequest
    data: CampaignOffer
    problems: CommonProblemCode | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'campaign_offer_not_found' | 'campaign_ended'
  }
  activateOffer: {
    params: { offerId: string }
    body: ActivateOfferRequest
    data: OfferActivation
    problems: CommonProblemCode | PostProblemCode | 'campaign_offer_not_found' | 'partner_user_not_found' | 'offer_not_available' | 'offer_activated' | 'refused_by_provider'
  }
  listActivations: {
    query?: ListActivationsQuery
    data: OfferActivation[]
    problems: CommonProblemCode
  }
  cancelActivation: {
    params: { activationId: string }
    data: OfferActivation
    problems: CommonProblemCode | PostProblemCode | 'offer_activation_not_found'
  }
  listPartnerUserOffers: {
    params: { partnerUserId: string | number }
    query?: ListPartnerUserOffersQuery
    data: UserOffer[]
    problems: CommonProblemCode | 'partner_user_not_found'
  }
  getZipCode: {
    params: { zip: string }
    data: ZipCode
    problems: CommonProblemCode | 'zip_code_not_found'
  }
  getDailyReconciliation: {
    query: GetDailyReconciliationQuery
    data: DailyReconciliation
    problems: CommonProblemCode | 'balance_limit'
  }
  createAttributions: {
    body: CreateAttributionsRequest
    data: AttributionCount
    problems: CommonProblemCode | PostProblemCode | 'not_supported_by_provider'
  }
  listOfferFunnel: {
    query?: ListOfferFunnelQuery
    data: OfferFunnel[]
    problems: CommonProblemCode | 'range_too_long' | 'balance_limit' | 'not_supported_by_provider'
  }
  listReviewApplications: {
    query?: ListReviewApplicationsQuery
    data: ReviewApplication[]
    problems: CommonProblemCode
  }
  approveReviewApplication: {
    params: { applicationId: string }
    body?: ApproveReviewApplicationRequest
    data: Application
    problems: CommonProblemCode | PostProblemCode | 'application_not_found' | 'application_wrong_state' | 'customer_erased'
  }
  denyReviewApplication: {
    params: { applicationId: string }
    body: DenyReviewApplicationRequest
    data: Application
    problems: CommonProblemCode | PostProblemCode | 'application_not_found' | 'application_wrong_state' | 'customer_erased'
  }
  requestReviewDocument: {
    params: { applicationId: string }
    body?: RequestReviewDocumentRequest
    data: Document
    problems: CommonProblemCode | PostProblemCode | 'application_not_found' | 'application_wrong_state' | 'document_wrong_state' | 'customer_erased'
  }
  getReviewDocumentContent: {
    params: { documentId: string }
    query?: GetReviewDocumentContentQuery
    data: Uint8Array
    problems: CommonProblemCode | 'document_not_found' | 'document_not_uploaded' | 'customer_erased'
  }
  approveReviewDocument: {
    params: { documentId: string }
    body?: ApproveReviewDocumentRequest
    data: Document
    problems: CommonProblemCode | PostProblemCode | 'document_not_found' | 'application_wrong_state' | 'document_wrong_state' | 'customer_erased'
  }
  rejectReviewDocument: {
    params: { documentId: string }
    body: RejectReviewDocumentRequest
    data: Document
    problems: CommonProblemCode | PostProblemCode | 'document_not_found' | 'application_wrong_state' | 'document_wrong_state' | 'customer_erased'
  }
  listReviewPayments: {
    query?: ListReviewPaymentsQuery
    data: ReviewPayment[]
    problems: CommonProblemCode
  }
  approvePayment: {
    params: { paymentId: string }
    body: ApprovePaymentRequest
    data: Payment | Proposal
    problems: CommonProblemCode | PostProblemCode | 'proposal_waiting' | 'payment_not_found' | 'payment_not_in_review' | 'balance_limit' | 'amount_over_rail_limit' | 'invalid_routing_number'
  }
  rejectPayment: {
    params: { paymentId: string }
    body: RejectPaymentRequest
    data: Payment
    problems: CommonProblemCode | PostProblemCode | 'payment_not_found' | 'payment_not_in_review' | 'balance_limit'
  }
  stopPayment: {
    params: { paymentId: string }
    body: StopPaymentRequest
    data: Payment
    problems: CommonProblemCode | PostProblemCode | 'payment_not_found' | 'payment_not_stoppable'
  }
  listReviewExternalAccounts: {
    query?: ListReviewExternalAccountsQuery
    data: ExternalAccount[]
    problems: CommonProblemCode
  }
  approveExternalAccount: {
    params: { externalAccountId: string }
    body?: ApproveExternalAccountRequest
    data: ExternalAccount
    problems: CommonProblemCode | PostProblemCode | 'external_account_not_found' | 'external_account_not_in_review' | 'customer_erased'
  }
  rejectExternalAccount: {
    params: { externalAccountId: string }
    body: RejectExternalAccountRequest
    data: ExternalAccount
    problems: CommonProblemCode | PostProblemCode | 'external_account_not_found' | 'external_account_not_in_review' | 'customer_erased'
  }
  listOverSettlements: {
    query?: ListOverSettlementsQuery
    data: OverSettlement[]
    problems: CommonProblemCode
  }
  resolveOverSettlement: {
    params: { authorizationId: string }
    body: ResolveOverSettlementRequest
    data: OverSettlement
    problems: CommonProblemCode | PostProblemCode | 'authorization_not_found' | 'over_settlement_not_open'
  }
  listProposals: {
    query?: ListProposalsQuery
    data: Proposal[]
    problems: CommonProblemCode
  }
  getProposal: {
    params: { proposalId: string }
    data: Proposal
    problems: CommonProblemCode | 'proposal_not_found'
  }
  approveProposal: {
    params: { proposalId: string }
    body?: ApproveProposalRequest
    data: Proposal
    problems: CommonProblemCode | PostProblemCode | 'proposal_not_found' | 'proposal_not_waiting' | 'second_person_required'
  }
  rejectProposal: {
    params: { proposalId: string }
    body: RejectProposalRequest
    data: Proposal
    problems: CommonProblemCode | PostProblemCode | 'proposal_not_found' | 'proposal_not_waiting'
  }
  withdrawProposal: {
    params: { proposalId: string }
    data: Proposal
    problems: CommonProblemCode | PostProblemCode | 'proposal_not_found' | 'proposal_not_waiting' | 'not_proposer'
  }
  permitExport: {
    params: { list: string }
    body: PermitExportRequest
    data: undefined | Proposal
    problems: CommonProblemCode | PostProblemCode | 'proposal_waiting' | 'route_not_found'
  }
  permitRailResume: {
    body: PermitRailResumeRequest
    data: undefined | Proposal
    problems: CommonProblemCode | PostProblemCode | 'proposal_waiting'
  }
  permitPersonRights: {
    params: { personId: string }
    body: PermitPersonRightsRequest
    data: undefined | Proposal
    problems: CommonProblemCode | PostProblemCode | 'proposal_waiting'
  }
  listClosingDays: {
    query: ListClosingDaysQuery
    data: ClosingDay[]
    problems: CommonProblemCode | 'closing_unavailable'
  }
  getClosingDay: {
    params: { day: string }
    data: ClosingDayDetails
    problems: CommonProblemCode | 'closing_unavailable' | 'closing_day_not_found'
  }
  closeDay: {
    params: { day: string }
    data: DayCertificate
    problems: CommonProblemCode | PostProblemCode | 'closing_unavailable' | 'closing_day_not_found' | 'closing_day_open' | 'closing_day_wrong_state'
  }
  reopenDay: {
    params: { day: string }
    body: ReopenDayRequest
    data: DayCertificate
    problems: CommonProblemCode | PostProblemCode | 'closing_unavailable' | 'closing_day_not_found' | 'closing_day_wrong_state'
  }
  listSettlementItems: {
    query?: ListSettlementItemsQuery
    data: SettlementItem[]
    problems: CommonProblemCode | 'closing_unavailable'
  }
  decideSettlementItem: {
    params: { settlementItemId: string }
    body: DecideSettlementItemRequest
    data: undefined | Proposal
    problems: CommonProblemCode | PostProblemCode | 'closing_unavailable' | 'settlement_item_not_found' | 'settlement_item_wrong_state' | 'settlement_sums_differ' | 'proposal_waiting'
  }
  listBankStatements: {
    query?: ListBankStatementsQuery
    data: BankStatementFile[]
    problems: CommonProblemCode | 'closing_unavailable'
  }
  takeBankStatement: {
    body: TakeBankStatementRequest
    data: StatementIntake
    problems: CommonProblemCode | PostProblemCode | 'closing_unavailable'
  }
  listProcessorCards: {
    query: ListProcessorCardsQuery
    data: ProcessorCard[]
    problems: CommonProblemCode
  }
  setCardReference: {
    params: { cardId: string }
    body: SetCardReferenceRequest
    data: ProcessorCard
    problems: CommonProblemCode | 'request_timeout' | 'payload_too_large' | 'unsupported_media_type' | 'outcome_unknown' | 'card_not_found' | 'card_reference_taken'
  }
  createProcessorAuthorization: {
    params: { cardId: string }
    body: CreateProcessorAuthorizationRequest
    data: Authorization
    problems: CommonProblemCode | PostProblemCode | 'card_not_found' | 'balance_limit' | 'processor_id_reused'
  }
  incrementAuthorization: {
    params: { authorizationId: string }
    body: IncrementAuthorizationRequest
    data: AuthorizationIncrement
    problems: CommonProblemCode | PostProblemCode | 'authorization_not_found' | 'authorization_not_open' | 'balance_limit' | 'processor_id_reused'
  }
  adviseAuthorization: {
    params: { authorizationId: string }
    body: AdviseAuthorizationRequest
    data: Authorization
    problems: CommonProblemCode | PostProblemCode | 'authorization_not_found' | 'authorization_not_open' | 'balance_limit' | 'processor_id_reused'
  }
  settleProcessorAuthorization: {
    params: { authorizationId: string }
    body: SettleProcessorAuthorizationRequest
    data: ListedTransaction
    problems: CommonProblemCode | PostProblemCode | 'authorization_not_found' | 'authorization_not_open' | 'nothing_held' | 'balance_limit' | 'processor_id_reused'
  }
  reverseProcessorAuthorization: {
    params: { authorizationId: string }
    body: ReverseProcessorAuthorizationRequest
    data: Authorization
    problems: CommonProblemCode | PostProblemCode | 'authorization_not_found' | 'authorization_not_open' | 'processor_id_reused'
  }
  refundProcessorAuthorization: {
    params: { authorizationId: string }
    body: RefundProcessorAuthorizationRequest
    data: ListedTransaction
    problems: CommonProblemCode | PostProblemCode | 'authorization_not_found' | 'authorization_not_settled' | 'refund_exceeds_settlement' | 'balance_limit' | 'processor_id_reused'
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
  listLedgerPosition: {
    data: LedgerPosition[]
    problems: CommonProblemCode | 'not_supported_by_provider'
  }
  getLedgerVerification: {
    data: LedgerVerification
    problems: CommonProblemCode | 'not_supported_by_provider'
  }
  runLedgerVerification: {
    data: LedgerVerification
    problems: CommonProblemCode | PostProblemCode | 'not_supported_by_provider'
  }
  createApiKey: {
    body: CreateApiKeyRequest
    data: IssuedApiKey
    problems: CommonProblemCode | PostProblemCode
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
    problems: CommonProblemCode | PostProblemCode | 'api_key_not_found' | 'api_key_expired'
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
    problems: CommonProblemCode | 'events_rewound' | 'events_expired'
  }
  getEvent: {
    params: { eventId: string }
    data: Event
    problems: CommonProblemCode | 'event_not_found' | 'event_expired'
  }
  listEventTypes: {
    data: EventTypeInfo[]
    problems: CommonProblemCode
  }
  redeliverEvent: {
    params: { eventId: string }
    data: Event
    problems: CommonProblemCode | PostProblemCode | 'event_not_found' | 'event_expired'
  }
  redeliverDelivery: {
    params: { deliveryId: string }
    data: Delivery
    problems: CommonProblemCode | PostProblemCode | 'delivery_not_found' | 'event_not_found' | 'event_expired'
  }
  createWebhookEndpoint: {
    body: CreateWebhookEndpointRequest
    data: WebhookEndpointWithSecret
    problems: CommonProblemCode | PostProblemCode | 'webhook_url_refused' | 'webhook_endpoint_limit'
  }
  listWebhookEndpoints: {
    query?: ListWebhookEndpointsQuery
    data: WebhookEndpointWithOutcomes[]
    problems: CommonProblemCode
  }
  getWebhookEndpoint: {
    params: { webhookEndpointId: string }
    data: WebhookEndpointWithOutcomes
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
    problems: CommonProblemCode | PostProblemCode | 'webhook_endpoint_not_found'
  }
  testWebhookEndpoint: {
    params: { webhookEndpointId: string }
    data: WebhookEndpoint
    problems: CommonProblemCode | PostProblemCode | 'webhook_endpoint_not_found' | 'webhook_endpoint_disabled'
  }
  recoverWebhookEndpoint: {
    params: { webhookEndpointId: string }
    body: RecoverWebhookEndpointRequest
    data: WebhookEndpoint
    problems: CommonProblemCode | PostProblemCode | 'webhook_endpoint_not_found'
  }
  listDeliveries: {
    params: { webhookEndpointId: string }
    query?: ListDeliveriesQuery
    data: Delivery[]
    problems: CommonProblemCode | 'webhook_endpoint_not_found'
  }
  listAllDeliveries: {
    query?: ListAllDeliveriesQuery
    data: Delivery[]
    problems: CommonProblemCode
  }
  getDelivery: {
    params: { deliveryId: string }
    data: DeliveryDetail
    problems: CommonProblemCode | 'delivery_not_found'
  }
  verifyDelivery: {
    params: { webhookEndpointId: string }
    body: VerifyDeliveryRequest
    data: DeliveryVerdict
    problems: CommonProblemCode | PostProblemCode | 'webhook_endpoint_not_found'
  }
  listAuditLog: {
    query?: ListAuditLogQuery
    data: AuditEntry[]
    problems: CommonProblemCode | 'event_expired'
  }
  getAuditLogHead: {
    data: AuditLogHead
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
    params: { type: 'account' | 'accountHold' | 'achBatch' | 'achFile' | 'apiKey' | 'application' | 'authorization' | 'campaign' | 'campaignOffer' | 'card' | 'customer' | 'delivery' | 'document' | 'event' | 'externalAccount' | 'offerActivation' | 'partnerUser' | 'partnerUserCard' | 'payment' | 'proposal' | 'receivedPayment' | 'recurringPayment' | 'request' | 'reward' | 'rewardableTransaction' | 'rewardPayment' | 'statement' | 'transaction' | 'webhookEndpoint'; id: string }
    data: LookedUp
    problems: CommonProblemCode | 'record_not_found' | 'not_supported_by_provider'
  }
  lookUpId: {
    query: LookUpIdQuery
    data: LookedUp[]
    problems: CommonProblemCode
  }
  listHistory: {
    params: { type: 'account' | 'accountHold' | 'achBatch' | 'achFile' | 'apiKey' | 'application' | 'authorization' | 'campaign' | 'campaignOffer' | 'card' | 'customer' | 'delivery' | 'document' | 'event' | 'externalAccount' | 'offerActivation' | 'partnerUser' | 'partnerUserCard' | 'payment' | 'proposal' | 'receivedPayment' | 'recurringPayment' | 'request' | 'reward' | 'rewardableTransaction' | 'rewardPayment' | 'statement' | 'transaction' | 'webhookEndpoint'; id: string }
    query?: ListHistoryQuery
    data: HistoryStep[]
    problems: CommonProblemCode | 'record_not_found' | 'not_supported_by_provider'
  }
  listAttention: {
    data: AttentionItem[]
    problems: CommonProblemCode
  }
  listImports: {
    data: OrganisationImport[]
    problems: CommonProblemCode
  }
  exportList: {
    params: { list: string }
    query?: ExportListQuery
    data: Uint8Array
    problems: CommonProblemCode | 'route_not_found' | 'not_supported_by_provider' | 'second_person_required'
  }
  search: {
    query: SearchQuery
    data: SearchResult[]
    problems: CommonProblemCode
  }
  createOrganisation: {
    body?: CreateOrganisationRequest
    data: CreatedOrganisation
    problems: CommonProblemCode | PostProblemCode | 'clock_out_of_range' | 'too_many_organisations'
  }
  deleteOrganisation: {
    data: undefined
    problems: CommonProblemCode | 'outcome_unknown' | 'organisation_not_deletable'
  }
  resetOrganisation: {
    body?: ResetOrganisationRequest
    data: SandboxOrganisation
    problems: CommonProblemCode | PostProblemCode | 'clock_out_of_range'
  }
  createFaultRule: {
    body: CreateFaultRuleRequest
    data: FaultRule
    problems: CommonProblemCode | PostProblemCode | 'account_not_found' | 'fault_rule_mismatch' | 'too_many_fault_rules'
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
    problems: CommonProblemCode | PostProblemCode
  }
  createCustomer: {
    body: CreateCustomerRequest
    data: Customer
    problems: CommonProblemCode | PostProblemCode | 'customer_erased'
  }
  receiveAch: {
    params: { accountId: string }
    body: ReceiveAchRequest
    data: ListedTransaction
    problems: CommonProblemCode | PostProblemCode | 'account_not_found' | 'account_closed' | 'account_not_open' | 'insufficient_funds' | 'balance_limit' | 'amount_over_rail_limit'
  }
  returnPayment: {
    params: { paymentId: string }
    body: ReturnPaymentRequest
    data: Payment
    problems: CommonProblemCode | PostProblemCode | 'payment_not_found' | 'payment_not_returnable' | 'balance_limit' | 'return_code_not_allowed'
  }
  getMicroEntries: {
    params: { externalAccountId: string }
    data: MicroEntries
    problems: CommonProblemCode | 'external_account_not_found'
  }
  listAchFiles: {
    query?: ListAchFilesQuery
    data: AchFile[]
    problems: CommonProblemCode
  }
  getAchFile: {
    params: { achFileId: string }
    data: AchFile
    problems: CommonProblemCode | 'ach_file_not_found'
  }
  getAchFileContent: {
    params: { achFileId: string }
    data: Uint8Array
    problems: CommonProblemCode | 'ach_file_not_found' | 'ach_file_without_content'
  }
  approveApplication: {
    params: { applicationId: string }
    data: Application
    problems: CommonProblemCode | PostProblemCode | 'application_not_found' | 'application_wrong_state' | 'customer_erased'
  }
  denyApplication: {
    params: { applicationId: string }
    data: Application
    problems: CommonProblemCode | PostProblemCode | 'application_not_found' | 'application_wrong_state' | 'customer_erased'
  }
  approveDocument: {
    params: { applicationId: string; documentId: string }
    body?: ApproveDocumentRequest
    data: Document
    problems: CommonProblemCode | PostProblemCode | 'application_not_found' | 'document_not_found' | 'application_wrong_state' | 'document_wrong_state' | 'customer_erased'
  }
  rejectDocument: {
    params: { applicationId: string; documentId: string }
    body?: RejectDocumentRequest
    data: Document
    problems: CommonProblemCode | PostProblemCode | 'application_not_found' | 'document_not_found' | 'application_wrong_state' | 'document_wrong_state' | 'customer_erased'
  }
  createAuthorization: {
    params: { cardId: string }
    body: CreateAuthorizationRequest
    data: Authorization
    problems: CommonProblemCode | PostProblemCode | 'card_not_found' | 'balance_limit'
  }
  settleAuthorization: {
    params: { authorizationId: string }
    body?: SettleAuthorizationRequest
    data: ListedTransaction
    problems: CommonProblemCode | PostProblemCode | 'authorization_not_found' | 'authorization_not_open' | 'nothing_held' | 'balance_limit'
  }
  reverseAuthorization: {
    params: { authorizationId: string }
    data: Authorization
    problems: CommonProblemCode | PostProblemCode | 'authorization_not_found' | 'authorization_not_open'
  }
  refundAuthorization: {
    params: { authorizationId: string }
    body?: RefundAuthorizationRequest
    data: ListedTransaction
    problems: CommonProblemCode | PostProblemCode | 'authorization_not_found' | 'authorization_not_settled' | 'refund_exceeds_settlement' | 'balance_limit'
  }
  getClock: {
    data: Clock
    problems: CommonProblemCode
  }
  advanceClock: {
    body?: AdvanceClockRequest
    data: ClockAdvance
    problems: CommonProblemCode | PostProblemCode | 'clock_not_forward' | 'nothing_upcoming'
  }
  createStatement: {
    params: { accountId: string }
    body: CreateStatementRequest
    data: Statement
    problems: CommonProblemCode | PostProblemCode | 'account_not_found' | 'period_not_over' | 'period_before_account'
  }
}

export type OperationId = keyof Operations
