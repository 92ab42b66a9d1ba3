// Generated from the operations by `npm run client`. Do not edit.

import type { List } from '../list.ts'
import type { Result } from '../purser.ts'
import type { CallOptions } from '../transport.ts'
import type * as types from './types.ts'

export interface AuthorizationsResource {
  /** Lists the open card authorizations of a customer, newest first. */
  list(query: types.ListAuthorizationsQuery, options?: CallOptions): List<types.Authorization>
  /** Returns an authorization in any state. */
  get(authorizationId: string, options?: CallOptions): Result<types.Authorization>
  /** Lists the card authorizations of the organisation in all states, newest first: open, settled, canceled, expired, and declined ones with the reason. */
  listAll(query?: types.ListAllAuthorizationsQuery, options?: CallOptions): List<types.OwnedAuthorization>
}

export interface CustomersResource {
  /** Creates a token that proves for ten minutes that the customer was verified. Pass it to the part of your app that asks for the proof. */
  createVerificationToken(customerId: string, options?: CallOptions): Result<types.VerificationToken>
  /** Lists the customers of the organisation, newest first. */
  list(query?: types.ListCustomersQuery, options?: CallOptions): List<types.Customer>
  /** Returns a customer. */
  get(customerId: string, options?: CallOptions): Result<types.Customer>
}

export interface TransactionsResource {
  /** Returns a transaction of an account with its attributes and related records. */
  get(transactionId: string, query: types.GetTransactionQuery, options?: CallOptions): Result<types.Transaction>
  /** Lists the transactions of customers’ accounts, newest first. */
  list(query?: types.ListTransactionsQuery, options?: CallOptions): List<types.ListedTransaction>
}

export interface CardsResource {
  /**
   * Creates a debit card for an account. A physical card (`type` `individualDebitCard`) needs a `shippingAddress`, has a `design`, and is `Inactive` until its holder activates it.
   *
   * @example
   * const card = await purser.cards.create({
   *   type: 'individualDebitCard',
   *   accountId,
   *   shippingAddress: { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' },
   * })
   */
  create(body: types.CreateCardRequest, options?: CallOptions): Result<types.Card>
  /**
   * Orders a new physical card to replace one that is worn, lost or stolen. It has the same account and design, other digits, and is `Inactive`.
   *
   * @example
   * const card = await purser.cards.replace(cardId, {
   *   shippingAddress: { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' },
   * })
   */
  replace(cardId: string, body: types.ReplaceCardRequest, options?: CallOptions): Result<types.Card>
  /** Lists the cards of the organisation in all states, newest first. */
  list(query?: types.ListCardsQuery, options?: CallOptions): List<types.ListedCard>
  /** Returns a card in any state. */
  get(cardId: string, options?: CallOptions): Result<types.Card>
  /** Activates an `Inactive` card and closes the cards that it replaces. */
  activate(cardId: string, options?: CallOptions): Result<types.Card>
  /** Freezes an `Active` card: new purchases are declined. Open authorizations still settle. */
  freeze(cardId: string, options?: CallOptions): Result<types.Card>
  /** Makes a `Frozen` card `Active` again. A card in another state is refused with `card_wrong_state`. */
  unfreeze(cardId: string, options?: CallOptions): Result<types.Card>
  /** Closes a card for good: its status becomes `ClosedByCustomer`. New purchases are declined, and open authorizations still settle. */
  close(cardId: string, options?: CallOptions): Result<types.Card>
  /** Ends a card that its holder has lost: its status becomes `Lost` for good, and new purchases are declined. `POST /v0/banking/cards/:cardId/replace` orders a new one. */
  reportLost(cardId: string, options?: CallOptions): Result<types.Card>
  /** Ends a card that was stolen from its holder: its status becomes `Stolen` for good, and new purchases are declined. `POST /v0/banking/cards/:cardId/replace` orders a new one. */
  reportStolen(cardId: string, options?: CallOptions): Result<types.Card>
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
  create(accountId: string, body: types.CreatePaymentRequest, options?: CallOptions): Result<types.Payment>
  /** Returns a payment with its current status. */
  get(paymentId: string, options?: CallOptions): Result<types.Payment>
  /** Lists the payments of the organisation, newest first. */
  list(query?: types.ListPaymentsQuery, options?: CallOptions): List<types.ListedPayment>
  /**
   * Makes 1 to 1,000 payments from any accounts of the organisation in one request. Each payment stands alone, as if sent by createPayment: some may succeed while others fail.
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
  createBatch(body: types.CreatePaymentBatchRequest, options?: CallOptions): Result<types.BatchOutcome[]>
  /**
   * Moves money from an account to another account of the organisation, of the same customer or of another one. No network is involved: the money is available at once.
   *
   * @example
   * const payment = await purser.payments.transfer(accountId, { toAccountId, amount: 10000, description: 'Savings' })
   */
  transfer(accountId: string, body: types.CreateBookTransferRequest, options?: CallOptions): Result<types.Payment>
  /** Cancels a payment before it leaves. The money returns to the account, whatever its state, and the payment becomes `Canceled`. */
  cancel(paymentId: string, options?: CallOptions): Result<types.Payment>
  /** Presents a debit again that was returned with `R01` or `R09`, because money was missing. The new payment has the amount and the external account of the first one, the description `RETRY PYMT`, and its id in `retryOf`. */
  retry(paymentId: string, options?: CallOptions): Result<types.Payment>
  /**
   * Takes back an erroneous payment to another bank that has left, with a payment of the other direction: the same amount and counterparty, the description `REVERSAL`, and the id of the first one in `reversalOf`. The money of a reversed credit is collected like a debit, and reaches the account after the clearing days; it needs no mandate.
   *
   * @example
   * const payment = await purser.payments.reverse(paymentId, { reason: 'Duplicate' })
   */
  reverse(paymentId: string, body: types.ReversePaymentRequest, options?: CallOptions): Result<types.Payment>
}

export interface ExternalAccountsResource {
  /**
   * Records an account at any bank, which the customer can then pay with `POST /v0/banking/accounts/:accountId/payments`. Nothing is sent to the other bank, and the same account may be recorded more than once.
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
  create(customerId: string, body: types.CreateExternalAccountRequest, options?: CallOptions): Result<types.ExternalAccount>
  /** Lists the external accounts of a customer, without deleted ones. */
  list(customerId: string, query?: types.ListExternalAccountsQuery, options?: CallOptions): List<types.ExternalAccount>
  /**
   * Changes the members that are sent, for future payments; earlier ones keep a copy of the former data. A new number means a new account, so `routingNumber` and `accountNumber` are refused with `invalid_request`: delete the account and create another.
   *
   * @example
   * const externalAccount = await purser.externalAccounts.update(externalAccountId, { name: 'Grace Example', accountType: 'Savings' })
   */
  update(externalAccountId: string, body?: types.UpdateExternalAccountRequest, options?: CallOptions): Result<types.ExternalAccount>
  /** Deletes an external account, so that it can no longer be paid. Its earlier payments keep a copy of its data. */
  delete(externalAccountId: string, options?: CallOptions): Result<undefined>
  /**
   * Records that the holder of an external account authorized you to collect money from it, and replaces an earlier mandate. Payments with the direction `Debit` need a mandate and keep a copy as evidence.
   *
   * @example
   * const externalAccount = await purser.externalAccounts.giveMandate(externalAccountId, {
   *   authorization: 'Online',
   *   textVersion: '2026-01',
   *   authorizedAt: '2025-11-03T15:04:05Z',
   *   address: '203.0.113.7',
   * })
   */
  giveMandate(externalAccountId: string, body: types.GiveMandateRequest, options?: CallOptions): Result<types.ExternalAccount>
  /** Records that the customer revoked the mandate of an external account. No more money is collected from it until `PUT /v0/banking/external-accounts/:externalAccountId/mandate` records another one. */
  revokeMandate(externalAccountId: string, options?: CallOptions): Result<types.ExternalAccount>
  /**
   * Sends entries to the account, so that `permissions` becomes `CreditAndDebit` after them. `verification` of the external account shows the progress.
   *
   * @example
   * const externalAccount = await purser.externalAccounts.startVerification(externalAccountId, { method: 'MicroEntries' })
   */
  startVerification(externalAccountId: string, body: types.StartVerificationRequest, options?: CallOptions): Result<types.ExternalAccount>
  /**
   * Takes the amounts of the two micro-entries as the customer read them. If they are right, `permissions` becomes `CreditAndDebit`.
   *
   * @example
   * const externalAccount = await purser.externalAccounts.confirmVerification(externalAccountId, { amounts: [32, 32] })
   */
  confirmVerification(externalAccountId: string, body: types.ConfirmVerificationRequest, options?: CallOptions): Result<types.ExternalAccount>
  /**
   * Records that the operator has verified that the account exists and belongs to the customer, for example with a data provider, and where the proof is. `permissions` becomes `CreditAndDebit`, and with a mandate of the customer money can be collected from the account.
   *
   * @example
   * const externalAccount = await purser.externalAccounts.attest(externalAccountId, { reference: 'case 2026-0042' })
   */
  attest(externalAccountId: string, body: types.AttestExternalAccountRequest, options?: CallOptions): Result<types.ExternalAccount>
}

export interface StatementsResource {
  /** Lists the monthly statements of an account, latest month first. */
  list(query: types.ListStatementsQuery, options?: CallOptions): List<types.Statement>
  /** Returns the record of a statement, or with `format=html` its document as an HTML page, both in the usual envelope. */
  get(statementId: string, query?: types.GetStatementQuery, options?: CallOptions): Result<types.Statement | types.StatementHtml>
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
  create(body: types.CreateAccountRequest, options?: CallOptions): Result<types.DepositAccount>
  /** Reopens a `Closed` account with its balance and account number. Its former cards stay closed; create new ones. */
  reopen(accountId: string, options?: CallOptions): Result<types.DepositAccount>
  /** Returns an account with its current balance. */
  get(accountId: string, options?: CallOptions): Result<types.DepositAccount>
  /** Lists the accounts of the organisation with their balances, newest first. */
  list(query?: types.ListAccountsQuery, options?: CallOptions): List<types.DepositAccount>
  /**
   * Closes an `Open` or `Frozen` account and ends its cards. In live mode its balance must be zero and nothing may be held, else it is refused with `account_not_empty`; in sandbox mode an account closes whatever its balance, and its holds stay in force.
   *
   * @example
   * const account = await purser.accounts.close(accountId, { reason: 'ByCustomer' })
   */
  close(accountId: string, body: types.CloseAccountRequest, options?: CallOptions): Result<types.DepositAccount>
  /** Freezes an `Open` account. No payment leaves it, its cards decline purchases, and no card can be created or activated. */
  freeze(accountId: string, options?: CallOptions): Result<types.DepositAccount>
  /** Makes a `Frozen` account `Open` again. Its cards and payments work as before. */
  unfreeze(accountId: string, options?: CallOptions): Result<types.DepositAccount>
  /**
   * Blocks outgoing payments of an account: payments and book transfers that send its money are refused until the block is released. Everything else goes on: money arrives, debits are collected, cards and received debits take money.
   *
   * @example
   * const accountPaymentBlock = await purser.accounts.blockPayments(accountId, { reason: 'Return R10 of a debit' })
   */
  blockPayments(accountId: string, body: types.BlockPaymentsRequest, options?: CallOptions): Result<types.AccountPaymentBlock>
  /**
   * Ends the block of outgoing payments of an account. The audit log shows the reason.
   *
   * @example
   * const accountPaymentBlock = await purser.accounts.releasePayments(accountId, { reason: 'The customer has paid' })
   */
  releasePayments(accountId: string, body: types.ReleasePaymentsRequest, options?: CallOptions): Result<types.AccountPaymentBlock>
}

export interface ApplicationsResource {
  /**
   * Uploads the back side of a document of an application, as Base64 in JSON. It replaces an earlier upload.
   *
   * @example
   * const document = await purser.applications.uploadDocumentBack(applicationId, documentId, { file, contentType: 'image/png' })
   */
  uploadDocumentBack(applicationId: string, documentId: string, body: types.UploadDocumentBackRequest, options?: CallOptions): Result<types.Document>
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
  create(body: types.CreateApplicationRequest, options?: CallOptions): Result<types.Application>
  /** Returns an application with its status and the documents that it needs. */
  get(applicationId: string, options?: CallOptions): Result<types.Application>
  /** Lists the applications of the organisation, newest first, denied ones too. */
  list(query?: types.ListApplicationsQuery, options?: CallOptions): List<types.ListedApplication>
  /**
   * Uploads the front side of a document of an application, as Base64 in JSON. It replaces an earlier upload.
   *
   * @example
   * const document = await purser.applications.uploadDocumentFront(applicationId, documentId, { file, contentType: 'image/png' })
   */
  uploadDocumentFront(applicationId: string, documentId: string, body: types.UploadDocumentFrontRequest, options?: CallOptions): Result<types.Document>
}

export interface OffersResource {
  /** Lists the live offers of shops around a ZIP code, nearest first, by bank time. */
  listLocal(query: types.ListLocalOffersQuery, options?: CallOptions): Result<types.LocalOffers>
  /** Lists the live online offers, highest commission first, by bank time. */
  listNational(query: types.ListNationalOffersQuery, options?: CallOptions): Result<types.NationalOffers>
}

export interface PartnerUsersResource {
  /** Lists the users who take part in rewards, removed ones too, by `id` unless `orderByClause` says otherwise. */
  list(query?: types.ListPartnerUsersQuery, options?: CallOptions): List<types.PartnerUser>
  /**
   * Enrols one of your users in rewards. `userId` is your own number for the user, unique within the organisation.
   *
   * @example
   * const partnerUser = await purser.partnerUsers.create({ userId })
   */
  create(body: types.CreatePartnerUserRequest, options?: CallOptions): Result<types.PartnerUser>
  /**
   * Removes a partner user from rewards, or enrols a removed one again. While a user is removed, purchases earn nothing; rewards earned before are still paid.
   *
   * @example
   * const partnerUser = await purser.partnerUsers.update(partnerUserId, { isRemoved: true })
   */
  update(partnerUserId: string | number, body: types.UpdatePartnerUserRequest, options?: CallOptions): Result<types.PartnerUser>
}

export interface RewardableTransactionsResource {
  /** Lists the settled purchases with linked cards, whether or not an offer matched, by `id` unless `orderByClause` says otherwise. */
  list(query?: types.ListRewardableTransactionsQuery, options?: CallOptions): List<types.RewardableTransaction>
  /**
   * Submits a card purchase that settled before its card was linked, to reward it now. A purchase that is already recorded is returned as it is.
   *
   * @example
   * const rewardableTransaction = await purser.rewardableTransactions.create({ bankCardId, bankTransactionId })
   */
  create(body: types.CreateRewardableTransactionRequest, options?: CallOptions): Result<types.RewardableTransaction>
}

export interface RewardPaymentsResource {
  /** Lists the payouts of rewards, by `id` unless `orderByClause` says otherwise. */
  list(query?: types.ListRewardPaymentsQuery, options?: CallOptions): List<types.RewardPayment>
}

export interface AccountLimitsResource {
  /** Returns the payment limits of an account, how much of them the current day and month have used, and its overdraft. */
  get(accountId: string, options?: CallOptions): Result<types.AccountLimits>
  /**
   * Replaces the limits of the payments of an account and its overdraft. A payment above a `soft` limit becomes `PendingReview`, unless the screening of the operator lets it pass; one above a `hard` limit is refused.
   *
   * @example
   * const accountLimits = await purser.accountLimits.set(accountId, {
   *   payment: { soft: 50000, hard: 500000 },
   *   day: { hard: 1000000 },
   *   overdraft: 10000,
   * })
   */
  set(accountId: string, body: types.SetAccountLimitsRequest, options?: CallOptions): Result<types.AccountLimits | types.Proposal>
}

export interface AccountHoldsResource {
  /**
   * Holds an amount on an `Open` or `Frozen` account: its `hold` grows, `available` falls, and the balance stays. Payments, transfers and card purchases cannot spend the amount until `POST /v0/banking/accounts/:accountId/holds/:holdId/release` releases the hold, or bank time reaches `expiresAt`.
   *
   * @example
   * const accountHold = await purser.accountHolds.create(accountId, {
   *   amount: 20000,
   *   reason: 'LegalOrder',
   *   description: 'Levy 2026-0042',
   *   expiresAt: '2026-12-31',
   * })
   */
  create(accountId: string, body: types.CreateAccountHoldRequest, options?: CallOptions): Result<types.AccountHold>
  /** Lists the holds on an account, newest first. */
  list(accountId: string, query?: types.ListAccountHoldsQuery, options?: CallOptions): List<types.AccountHold>
  /** Returns a hold on an account in any state. */
  get(accountId: string, holdId: string, options?: CallOptions): Result<types.AccountHold>
  /** Ends an `Active` hold on an account in any state: its `hold` falls, and `available` grows. A hold for a `LegalOrder`, or by a key with `risk:write`, can only be released by such a key; others get `risk_key_required`. */
  release(accountId: string, holdId: string, options?: CallOptions): Result<types.AccountHold | types.Proposal>
}

export interface CardLimitsResource {
  /** Returns the spending limits of a card, and what the purchases of the current day and month have used. */
  get(cardId: string, options?: CallOptions): Result<types.CardLimits>
  /**
   * Replaces the spending limits of a card. An authorization or an increment past a limit is declined with `PurchaseLimitExceeded`, `DailyLimitExceeded` or `MonthlyLimitExceeded`, one at another merchant with `MerchantCategoryNotAllowed`.
   *
   * @example
   * const cardLimits = await purser.cardLimits.set(cardId, {
   *   purchase: { amount: 25000 },
   *   day: { amount: 50000, count: 10 },
   *   blockedCategories: ['Gambling'],
   * })
   */
  set(cardId: string, body: types.SetCardLimitsRequest, options?: CallOptions): Result<types.CardLimits>
}

export interface RecurringPaymentsResource {
  /**
   * Pays by itself on the due dates of a schedule: by ACH to an external account, collected from there (`direction` `Debit`, with a mandate), or as a book transfer (`type` `bookPayment`). Each run makes a payment with `recurringPaymentId` at 09:00 Eastern time, refused and reviewed as `createPayment` would; nothing is held before.
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
  create(body: types.CreateRecurringPaymentRequest, options?: CallOptions): Result<types.RecurringPayment>
  /** Lists the recurring payments of the organisation, newest first. */
  list(query?: types.ListRecurringPaymentsQuery, options?: CallOptions): List<types.RecurringPayment>
  /** Returns a recurring payment in any state. */
  get(recurringPaymentId: string, options?: CallOptions): Result<types.RecurringPayment>
  /** Pauses an `Active` recurring payment: due dates that come are skipped, with the reason `paused`, until `POST …/resume`. Other states are `recurring_payment_not_active`. */
  pause(recurringPaymentId: string, options?: CallOptions): Result<types.RecurringPayment>
  /** Resumes a `Paused` recurring payment: it pays from its next due date on. Due dates that came meanwhile stay skipped. */
  resume(recurringPaymentId: string, options?: CallOptions): Result<types.RecurringPayment>
  /**
   * Skips one due date: the next one that is not skipped, or the one in `date`, among the next 60. A day on which nothing is due is `invalid_request`.
   *
   * @example
   * const recurringPayment = await purser.recurringPayments.skip(recurringPaymentId, { date: '2026-08-01' })
   */
  skip(recurringPaymentId: string, body?: types.SkipRecurringPaymentRequest, options?: CallOptions): Result<types.RecurringPayment>
  /**
   * Changes the amount of the due dates from a date on, by default of all that lie ahead. It replaces changes that were to apply from that date on.
   *
   * @example
   * const recurringPayment = await purser.recurringPayments.changeAmount(recurringPaymentId, { amount: 95000, from: '2026-10-01' })
   */
  changeAmount(recurringPaymentId: string, body: types.ChangeRecurringPaymentRequest, options?: CallOptions): Result<types.RecurringPayment>
  /** Cancels a recurring payment for good. Payments that it has made stay; one that has not left is canceled by `cancelPayment`. */
  cancel(recurringPaymentId: string, options?: CallOptions): Result<types.RecurringPayment>
  /** Lists what became of the due dates of a recurring payment, newest first: one run for each due date that has come, with its payment or the reason why there is none. */
  listRuns(recurringPaymentId: string, query?: types.ListRecurringPaymentRunsQuery, options?: CallOptions): List<types.RecurringPaymentRun>
  /** The calendar of an account: the payments that its `Active` recurring payments will make in the next year, the earliest first, on the days to which weekends and bank holidays move them. */
  calendar(accountId: string, query?: types.ListPlannedPaymentsQuery, options?: CallOptions): List<types.PlannedPayment>
}

export interface AchBatchesResource {
  /** Lists the organisation’s batches of payments and returns in outgoing ACH files, newest first. */
  list(query?: types.ListAchBatchesQuery, options?: CallOptions): List<types.AchBatch>
  /** Returns a batch of an outgoing ACH file with its current status. */
  get(achBatchId: string, options?: CallOptions): Result<types.AchBatch>
  /** Lists the entries of a batch in the order of their payment ids, with trace numbers, amounts and current status. */
  listEntries(achBatchId: string, query?: types.ListAchEntriesQuery, options?: CallOptions): List<types.AchEntry>
}

export interface AchReconciliationsResource {
  /** Sums the organisation’s ACH entries that settle on a day, once from the files and once from the ledger. */
  get(query: types.GetAchReconciliationQuery, options?: CallOptions): Result<types.AchReconciliation>
}

export interface ReturnRatesResource {
  /** Returns how many of the debits that were made in the last 60 days of bank time and have left were returned: as unauthorized, for administrative reasons, and in all; of the organisation, and by the company of the ACH batches. */
  get(options?: CallOptions): Result<types.ReturnRates>
}

export interface ReceivedPaymentsResource {
  /** Lists the payments that other banks sent to accounts of the organisation, newest first. */
  list(query?: types.ListReceivedPaymentsQuery, options?: CallOptions): List<types.ReceivedPayment>
  /** Returns a received payment with its current status. */
  get(receivedPaymentId: string, options?: CallOptions): Result<types.ReceivedPayment>
  /**
   * Marks a received payment for return. The return leaves with the next ACH file, and the payment becomes `Returned` when it settles.
   *
   * @example
   * const receivedPayment = await purser.receivedPayments.return(receivedPaymentId, { returnCode: 'R10' })
   */
  return(receivedPaymentId: string, body: types.ReturnReceivedPaymentRequest, options?: CallOptions): Result<types.ReceivedPayment>
}

export interface PartnerUserCardsResource {
  /**
   * Links a card to a partner user. From now on, settled purchases earn rewards if an offer matches; `POST /v0/rewards/rewardable-transactions` submits earlier ones.
   *
   * @example
   * const partnerUserCard = await purser.partnerUserCards.create({ partnerUserId, bankCardId })
   */
  create(body: types.CreatePartnerUserCardRequest, options?: CallOptions): Result<types.PartnerUserCard>
  /** Lists the links between cards and partner users, removed ones too, by `id` unless `orderByClause` says otherwise. */
  list(query?: types.ListPartnerUserCardsQuery, options?: CallOptions): List<types.PartnerUserCard>
  /**
   * Removes the link of a card, or restores it. While it is removed, purchases earn nothing; rewards earned before are still paid.
   *
   * @example
   * const partnerUserCard = await purser.partnerUserCards.update(partnerUserCardId, { isRemoved: true })
   */
  update(partnerUserCardId: string | number, body: types.UpdatePartnerUserCardRequest, options?: CallOptions): Result<types.PartnerUserCard>
}

export interface RewardsResource {
  /** Lists the cash back that purchases earned, by `id` unless `orderByClause` says otherwise. */
  list(query?: types.ListRewardsQuery, options?: CallOptions): List<types.Reward>
  /** Returns a reward in its current state. */
  get(rewardId: string | number, options?: CallOptions): Result<types.Reward>
  /** Lists the offers of the merchant at which a reward was earned: the cash back of each for this purchase, and why the winner won. */
  explain(rewardId: string | number, options?: CallOptions): Result<types.RewardExplanation>
  /** Sums a day of rewards twice, from the records and from the ledger. */
  getDailyReconciliation(query: types.GetDailyReconciliationQuery, options?: CallOptions): Result<types.DailyReconciliation>
}

export interface ZipCodesResource {
  /** Returns the city, the state and the centre of a ZIP code. */
  get(zip: string, options?: CallOptions): Result<types.ZipCode>
}

export interface ReviewApplicationsResource {
  /** Lists the undecided applications, oldest first, with the applicants’ personal data, the files of their documents, and `samePeople`: other customers and applications of the organisation with the same social security number, e-mail, phone or address. */
  list(query?: types.ListReviewApplicationsQuery, options?: CallOptions): List<types.ReviewApplication>
  /**
   * Approves an application that waits for documents or a review and creates the customer, whatever the state of its documents. The audit log shows the key and the `reason`.
   *
   * @example
   * const application = await purser.reviewApplications.approve(applicationId, { reason: 'All checked' })
   */
  approve(applicationId: string, body?: types.ApproveReviewApplicationRequest, options?: CallOptions): Result<types.Application>
  /**
   * Denies an application that waits for documents or a review. It takes no more documents.
   *
   * @example
   * const application = await purser.reviewApplications.deny(applicationId, { reason: 'The identity could not be verified' })
   */
  deny(applicationId: string, body: types.DenyReviewApplicationRequest, options?: CallOptions): Result<types.Application>
  /**
   * Asks the applicant for a passport. The application gets one more `Required` document, and its status is `AwaitingDocuments` until the file is uploaded.
   *
   * @example
   * const document = await purser.reviewApplications.requestDocument(applicationId, { reason: 'The address is new' })
   */
  requestDocument(applicationId: string, body?: types.RequestReviewDocumentRequest, options?: CallOptions): Result<types.Document>
}

export interface ReviewDocumentsResource {
  /** Returns the file of one side of a document as it was uploaded, with its media type and without the usual envelope. */
  getContent(documentId: string, query?: types.GetReviewDocumentContentQuery, options?: CallOptions): Result<Uint8Array>
  /**
   * Approves a document of an application, even without an uploaded file. When nothing is missing, the application becomes `PendingReview` and waits for its own decision; one that only waited for its documents is approved with the last of them.
   *
   * @example
   * const document = await purser.reviewDocuments.approve(documentId, { reason: 'Seen at the branch' })
   */
  approve(documentId: string, body?: types.ApproveReviewDocumentRequest, options?: CallOptions): Result<types.Document>
  /**
   * Rejects a document of an application. Its status becomes `Invalid`, and the applicant has to upload it again.
   *
   * @example
   * const document = await purser.reviewDocuments.reject(documentId, { reason: 'The picture is blurred' })
   */
  reject(documentId: string, body: types.RejectReviewDocumentRequest, options?: CallOptions): Result<types.Document>
}

export interface ReviewPaymentsResource {
  /** Lists the payments in `PendingReview`, oldest first, with the reason why each waits. */
  list(query?: types.ListReviewPaymentsQuery, options?: CallOptions): List<types.ReviewPayment>
  /**
   * Approves a payment in `PendingReview`. It becomes `Sent`, or with `PURSER_ACH=windows` `Pending`, and leaves at the next cut-off.
   *
   * @example
   * const payment = await purser.reviewPayments.approve(paymentId, { reason: 'The invoice was checked' })
   */
  approve(paymentId: string, body: types.ApprovePaymentRequest, options?: CallOptions): Result<types.Payment | types.Proposal>
  /**
   * Rejects a payment in `PendingReview`. The money returns to the account, whatever its state, and the payment becomes `Rejected`.
   *
   * @example
   * const payment = await purser.reviewPayments.reject(paymentId, { reason: 'The invoice is not known' })
   */
  reject(paymentId: string, body: types.RejectPaymentRequest, options?: CallOptions): Result<types.Payment>
  /**
   * Stops a `Pending` payment before it is in a file. It becomes `PendingReview`, loses its cut-off, and its money stays reserved.
   *
   * @example
   * const payment = await purser.reviewPayments.stop(paymentId, { reason: 'The payee is not known' })
   */
  stop(paymentId: string, body: types.StopPaymentRequest, options?: CallOptions): Result<types.Payment>
}

export interface ReviewExternalAccountsResource {
  /** Lists the external accounts that the screening (the operator’s check of names) left to a reviewer, oldest first. */
  list(query?: types.ListReviewExternalAccountsQuery, options?: CallOptions): List<types.ExternalAccount>
  /**
   * Approves an external account that the screening left to a reviewer. Payments that wait only for this leave within seconds; those with another reason, and those that `PURSER_TWO_SIGNATURES` asks two persons for, need a decision of their own.
   *
   * @example
   * const externalAccount = await purser.reviewExternalAccounts.approve(externalAccountId, { reason: 'The holder was called' })
   */
  approve(externalAccountId: string, body?: types.ApproveExternalAccountRequest, options?: CallOptions): Result<types.ExternalAccount>
  /**
   * Rejects an external account that the screening left to a reviewer. It is deleted, and the payments that wait for it become `Rejected` within seconds.
   *
   * @example
   * const externalAccount = await purser.reviewExternalAccounts.reject(externalAccountId, { reason: 'The holder is not known' })
   */
  reject(externalAccountId: string, body: types.RejectExternalAccountRequest, options?: CallOptions): Result<types.ExternalAccount>
}

export interface OverSettlementsResource {
  /** Lists the card authorizations that settled for more than their trade explains, oldest first. */
  list(query?: types.ListOverSettlementsQuery, options?: CallOptions): List<types.OverSettlement>
  /**
   * Records that a reviewer has dealt with an authorization that settled for more than its trade explains. No money moves; what the merchant gives back arrives as a refund.
   *
   * @example
   * const overSettlement = await purser.overSettlements.resolve(authorizationId, { reason: 'The merchant refunds the difference' })
   */
  resolve(authorizationId: string, body: types.ResolveOverSettlementRequest, options?: CallOptions): Result<types.OverSettlement>
}

export interface ProposalsResource {
  /** Lists decisions that `PURSER_TWO_SIGNATURES` asks a second person for, newest first, in all states or one, about all records or one. */
  list(query?: types.ListProposalsQuery, options?: CallOptions): List<types.Proposal>
  /** Shows a proposal: the operation with its input, who proposed it, and what became of it. */
  get(proposalId: string, options?: CallOptions): Result<types.Proposal>
  /**
   * Signs a `Waiting` proposal and runs its operation once: the answer is `Executed`, or `Failed` with the refusal. A caller needs the scopes of the operation.
   *
   * @example
   * const proposal = await purser.proposals.approve(proposalId, { reason: 'I called the payee' })
   */
  approve(proposalId: string, body?: types.ApproveProposalRequest, options?: CallOptions): Result<types.Proposal>
  /**
   * Rejects a `Waiting` proposal with a reason: its operation does not run. The caller needs the scopes of the operation.
   *
   * @example
   * const proposal = await purser.proposals.reject(proposalId, { reason: 'The payee is not known' })
   */
  reject(proposalId: string, body: types.RejectProposalRequest, options?: CallOptions): Result<types.Proposal>
  /** Takes a `Waiting` proposal back. Only who made it may: the same person in any session, or the same API key. */
  withdraw(proposalId: string, options?: CallOptions): Result<types.Proposal>
}

export interface PermitsResource {
  /**
   * Proposes the export of a list with personal data, if `PURSER_TWO_SIGNATURES` has `personalExport`. For a day after another person has approved it, who proposed it may export this list with `GET /v0/exports/:list`.
   *
   * @example
   * await purser.permits.export('customers', { reason: 'The invoice was checked' })
   */
  export(list: string, body: types.PermitExportRequest, options?: CallOptions): Result<undefined | types.Proposal>
  /**
   * Proposes the decisions with which `purser ach resume` lets ACH files leave again, if `PURSER_TWO_SIGNATURES` has `railResume`. The command prints this request, and works after another person has approved it: for these decisions, files and lines of the journal alone.
   *
   * @example
   * await purser.permits.railResume({
   *   decisions: ['purser-260203A.ach left'],
   *   digest,
   *   reason: 'The invoice was checked',
   * })
   */
  railResume(body: types.PermitRailResumeRequest, options?: CallOptions): Result<undefined | types.Proposal>
  /**
   * Proposes a role for a person, or a new link for a person with the role, if `PURSER_TWO_SIGNATURES` has `personRights`. For a day after another person has approved it, who proposed it may give this role or make the link in the console.
   *
   * @example
   * await purser.permits.personRights(personId, { role: 'administrator', reason: 'Grace leads the team now' })
   */
  personRights(personId: string, body: types.PermitPersonRightsRequest, options?: CallOptions): Result<undefined | types.Proposal>
}

export interface ClosingDaysResource {
  /** Lists the banking days of a month that are over, from the first statement on, the earliest first. */
  list(query: types.ListClosingDaysQuery, options?: CallOptions): List<types.ClosingDay>
  /** Returns every term of a banking day to the cent. */
  get(day: string, options?: CallOptions): Result<types.ClosingDayDetails>
  /** Closes a banking day against the statement of the settlement account, and signs its certificate with PURSER_CLOSING_KEY. A day that cannot be closed is refused with `closing_day_open` and all reasons, in cents; one that is closed with `closing_day_wrong_state`. */
  close(day: string, options?: CallOptions): Result<types.DayCertificate>
  /**
   * Opens the last closed day again. Its certificate stays, and the next version names it and the reason.
   *
   * @example
   * const dayCertificate = await purser.closingDays.reopen('2024-06-14', { reason: 'The bank corrects its statement' })
   */
  reopen(day: string, body: types.ReopenDayRequest, options?: CallOptions): Result<types.DayCertificate>
}

export interface SettlementItemsResource {
  /** Lists the items that are in no match, the oldest first. */
  list(query?: types.ListSettlementItemsQuery, options?: CallOptions): List<types.SettlementItem>
  /**
   * Matches, splits, books or notes an item with a reason, or ends its match. Afterwards the rules match what follows from it.
   *
   * @example
   * await purser.settlementItems.decide(settlementItemId, { decision: 'note', owner: 'Ada', reason: 'The bank was asked' })
   */
  decide(settlementItemId: string, body: types.DecideSettlementItemRequest, options?: CallOptions): Result<undefined | types.Proposal>
}

export interface BankStatementsResource {
  /** Lists the latest 400 statements of the settlement account that were taken or refused, the latest first. */
  list(query?: types.ListBankStatementsQuery, options?: CallOptions): List<types.BankStatementFile>
  /**
   * Takes a file with statements of the settlement account (BAI2, camt.053, or CSV if PURSER_STATEMENT_CSV describes it), and matches its lines. A file is taken once.
   *
   * @example
   * const statementIntake = await purser.bankStatements.take({ name: '2024-06-14.bai', file })
   */
  take(body: types.TakeBankStatementRequest, options?: CallOptions): Result<types.StatementIntake>
}

export interface ProcessorCardsResource {
  /** Returns the card with this `reference` of the processor, in any state, as a list of one. */
  list(query: types.ListProcessorCardsQuery, options?: CallOptions): List<types.ProcessorCard>
  /**
   * Sets or replaces the reference by which the processor knows a card, in any state. A replacement card has none at first.
   *
   * @example
   * const processorCard = await purser.processorCards.setReference(cardId, { reference: 'crd_9f31c2' })
   */
  setReference(cardId: string, body: types.SetCardReferenceRequest, options?: CallOptions): Result<types.ProcessorCard>
}

export interface ProcessorAuthorizationsResource {
  /**
   * Decides a purchase at once. It is approved if the card is `Active` and not expired, its account is `Open`, the purchase is within the limits of the card, the amount is available, and the decision hook of your app, if there is one, does not decline it.
   *
   * @example
   * const authorization = await purser.processorAuthorizations.create(cardId, {
   *   amount: 12000,
   *   merchant: { name: 'Sample Hotel', category: 'Lodging', location: 'Springfield, IL' },
   *   processorId,
   * })
   */
  create(cardId: string, body: types.CreateProcessorAuthorizationRequest, options?: CallOptions): Result<types.Authorization>
  /**
   * Asks for `amount` in addition to what an open authorization holds, as a hotel or a fuel pump does. It is decided like an authorization: `approved` is true if the amount is held; otherwise `reason` says why not, and the hold does not change.
   *
   * @example
   * const authorizationIncrement = await purser.processorAuthorizations.increment(authorizationId, { amount: 3000, processorId })
   */
  increment(authorizationId: string, body: types.IncrementAuthorizationRequest, options?: CallOptions): Result<types.AuthorizationIncrement>
  /**
   * Sets the amount of an open authorization to the one that the network has decided on, higher or lower. Nothing is checked: the amount is held even if it exceeds the balance.
   *
   * @example
   * const authorization = await purser.processorAuthorizations.advise(authorizationId, { amount: 14000, processorId })
   */
  advise(authorizationId: string, body: types.AdviseAuthorizationRequest, options?: CallOptions): Result<types.Authorization>
  /**
   * Settles an open authorization for the held amount, or for `amount`, which may be less or more. The answer is the transaction of the account.
   *
   * @example
   * const transaction = await purser.processorAuthorizations.settle(authorizationId, { amount: 14000, processorId })
   */
  settle(authorizationId: string, body: types.SettleProcessorAuthorizationRequest, options?: CallOptions): Result<types.ListedTransaction>
  /**
   * Releases the rest of the hold of an open authorization. Settled amounts stay settled.
   *
   * @example
   * const authorization = await purser.processorAuthorizations.reverse(authorizationId, { processorId })
   */
  reverse(authorizationId: string, body: types.ReverseProcessorAuthorizationRequest, options?: CallOptions): Result<types.Authorization>
  /**
   * Refunds money that settled: `amount`, or all that was not refunded yet. The answer is the transaction of the account, which is credited in any state.
   *
   * @example
   * const transaction = await purser.processorAuthorizations.refund(authorizationId, { amount: 1500, processorId })
   */
  refund(authorizationId: string, body: types.RefundProcessorAuthorizationRequest, options?: CallOptions): Result<types.ListedTransaction>
}

export interface LedgerResource {
  /**
   * Lists the chart of accounts of the organisation in the order of their ids: internal accounts, whose ids are
   * negative, come first, then the deposit accounts of customers, oldest first.
   */
  listAccounts(query?: types.ListLedgerAccountsQuery, options?: CallOptions): List<types.LedgerAccount>
  /**
   * Lists the journal of the ledger, newest first: every movement of money once, with the debited and the credited account, the
   * record that caused it and the request that made it.
   */
  listTransfers(query?: types.ListLedgerTransfersQuery, options?: CallOptions): List<types.LedgerTransfer>
  /**
   * Sums the transfers of a period by the kinds of the debited and the credited account: how much money came in, went
   * out and moved between customers.
   */
  listFlows(query?: types.ListLedgerFlowsQuery, options?: CallOptions): List<types.LedgerFlow>
  /**
   * Lists the balance at the end of each day from `since` to `until`, oldest first: of one account, or of all
   * accounts summed by kind.
   */
  listBalances(query?: types.ListLedgerBalancesQuery, options?: CallOptions): List<types.LedgerBalance>
  /**
   * Lists the money that the bank holds now by what it is for, with the number of accounts, payments, purchases and
   * rewards behind it, and when the next of them is due.
   */
  listPosition(options?: CallOptions): List<types.LedgerPosition>
  /**
   * Returns the last check of the laws of the ledger, which are statements that must always hold: each law for this organisation,
   * whether it holds, and rows that break it.
   */
  getVerification(options?: CallOptions): Result<types.LedgerVerification>
  /**
   * Checks the laws of the ledger and the chain of hashes over the events now, for this organisation alone, and keeps the result for
   * `GET /v0/ledger/verification`. All laws of the ledger are checked on one snapshot, without locks, so payments go on meanwhile.
   */
  runVerification(options?: CallOptions): Result<types.LedgerVerification>
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
  create(body: types.CreateApiKeyRequest, options?: CallOptions): Result<types.IssuedApiKey>
  /** Lists the API keys of the organisation, newest first, without their secrets. */
  list(query?: types.ListApiKeysQuery, options?: CallOptions): List<types.ApiKey>
  /**
   * Replaces the secret of an API key and shows the new one, only once. Id, name, scopes and expiry stay.
   *
   * @example
   * const apiKey = await purser.apiKeys.rotate(apiKeyId, { graceSeconds: 3600 })
   */
  rotate(apiKeyId: string, body: types.RotateApiKeyRequest, options?: CallOptions): Result<types.IssuedApiKey>
  /** Deletes an API key with all its secrets. It stops working at once (within five seconds in other processes) and cannot be restored. */
  delete(apiKeyId: string, options?: CallOptions): Result<undefined>
}

export interface MeResource {
  /**
   * Returns the API key that made the request, its organisation, and the service: mode, version, providers, and the
   * operations that the key may call here.
   */
  get(options?: CallOptions): Result<types.Me>
}

export interface EventsResource {
  /** Lists the events of the organisation by their sequence numbers, which have no gaps: oldest first, or newest first with `sort=-sequence`. */
  list(query?: types.ListEventsQuery, options?: CallOptions): List<types.Event>
  /** Returns one event of the organisation. */
  get(eventId: string, options?: CallOptions): Result<types.Event>
  /** Sends an event again to every endpoint that subscribes to its type or has received it before, with the same id and new retries. An endpoint that has not reached the event yet receives it in its turn, and a disabled one when it is enabled again. */
  redeliver(eventId: string, options?: CallOptions): Result<types.Event>
}

export interface EventTypesResource {
  /**
   * Lists every type of event in alphabetical order: a sentence that says when it is emitted, the
   * JSON Schema of its `data`, and a sample.
   */
  list(options?: CallOptions): List<types.EventTypeInfo>
}

export interface DeliveriesResource {
  /** Sends a delivery again to its endpoint alone, with the same id of the event and new retries, whatever became of it before. `POST /v0/events/:eventId/redeliver` sends to every endpoint. */
  redeliver(deliveryId: string, options?: CallOptions): Result<types.Delivery>
  /** Lists the deliveries to all webhook endpoints of the organisation, newest first, with their latest attempts. */
  list(query?: types.ListAllDeliveriesQuery, options?: CallOptions): List<types.Delivery>
  /** Shows a delivery with its attempts, and the headers and the body that the latest attempt sent. */
  get(deliveryId: string, options?: CallOptions): Result<types.DeliveryDetail>
}

export interface WebhookEndpointsResource {
  /**
   * Registers a URL that receives the events of the organisation from now on, filtered by `events`. `secret` in the answer signs the deliveries as Standard Webhooks defines; it is shown only once.
   *
   * @example
   * const webhookEndpoint = await purser.webhookEndpoints.create({
   *   url: 'https://example.com/webhooks',
   *   events: ['payment.*'],
   *   description: 'Notifies the app',
   * })
   */
  create(body: types.CreateWebhookEndpointRequest, options?: CallOptions): Result<types.WebhookEndpointWithSecret>
  /** Lists the webhook endpoints of the organisation, newest first, without their secrets. */
  list(query?: types.ListWebhookEndpointsQuery, options?: CallOptions): List<types.WebhookEndpointWithOutcomes>
  /** Returns a webhook endpoint without its secret. */
  get(webhookEndpointId: string, options?: CallOptions): Result<types.WebhookEndpointWithOutcomes>
  /**
   * Changes the members that are sent. The status `Disabled` stops deliveries; events that happen meanwhile are sent when the endpoint is `Enabled` again.
   *
   * @example
   * const webhookEndpoint = await purser.webhookEndpoints.update(webhookEndpointId, { events: ['card.*', 'statement.created'] })
   */
  update(webhookEndpointId: string, body?: types.UpdateWebhookEndpointRequest, options?: CallOptions): Result<types.WebhookEndpoint>
  /** Deletes a webhook endpoint and returns it for the last time. Its pending deliveries are not sent. */
  delete(webhookEndpointId: string, options?: CallOptions): Result<types.WebhookEndpoint>
  /** Gives a webhook endpoint a new secret and shows it, only once. For 24 hours deliveries are signed with both the new and the previous secret, so that the receiver has time to change over. */
  rotateSecret(webhookEndpointId: string, options?: CallOptions): Result<types.WebhookEndpointWithSecret>
  /** Sends an event of the type webhookEndpoint.test to the endpoint once, without retries. It is not in the feed, and its result does not disable the endpoint. */
  test(webhookEndpointId: string, options?: CallOptions): Result<types.WebhookEndpoint>
  /**
   * Sends every delivery to the endpoint again that was created after `since` and has failed for good, such as after a long outage. The first 1,000 become pending at once, the others in the background.
   *
   * @example
   * const webhookEndpoint = await purser.webhookEndpoints.recover(webhookEndpointId, { since: '2026-06-15T00:00:00Z' })
   */
  recover(webhookEndpointId: string, body: types.RecoverWebhookEndpointRequest, options?: CallOptions): Result<types.WebhookEndpoint>
  /** Lists the deliveries to a webhook endpoint, newest first: the event, the state of the delivery and its latest attempts with their results. */
  listDeliveries(webhookEndpointId: string, query?: types.ListDeliveriesQuery, options?: CallOptions): List<types.Delivery>
  /**
   * Takes headers and body as a receiver got them and says whether the signature is right for this endpoint, and why not: the
   * body was changed on its way, another secret signed, or the clocks differ. During a rotation both secrets count.
   *
   * @example
   * const deliveryVerdict = await purser.webhookEndpoints.verify(webhookEndpointId, {
   *   headers: {
   *     'webhook-id': 'evt_1000001_209',
   *     'webhook-timestamp': '1781535600',
   *     'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
   *   },
   *   body,
   * })
   */
  verify(webhookEndpointId: string, body: types.VerifyDeliveryRequest, options?: CallOptions): Result<types.DeliveryVerdict>
}

export interface AuditLogResource {
  /** Lists who changed what, newest first: one entry for each event, with the key or person that caused it, and one for each request that was denied for its key or scope. */
  list(query?: types.ListAuditLogQuery, options?: CallOptions): List<types.AuditEntry>
  /** Returns the newest link of the chain of hashes over the events of the organisation. */
  head(options?: CallOptions): Result<types.AuditLogHead>
}

export interface RequestsResource {
  /** Lists the latest requests of the organisation in the order of their answers, oldest first. */
  list(query?: types.ListRequestsQuery, options?: CallOptions): List<types.LoggedRequest>
  /** Returns a request with headers and body, its answer, and the ids of the events that it caused. */
  get(id: string, options?: CallOptions): Result<types.LoggedRequestDetail>
}

export interface LookupResource {
  /**
   * Shows a record of any type with a short label, the records that are linked to it, and the operations that change
   * it.
   */
  get(type: 'account' | 'accountHold' | 'apiKey' | 'application' | 'authorization' | 'card' | 'customer' | 'delivery' | 'document' | 'event' | 'externalAccount' | 'partnerUser' | 'partnerUserCard' | 'payment' | 'proposal' | 'recurringPayment' | 'request' | 'reward' | 'rewardableTransaction' | 'rewardPayment' | 'statement' | 'transaction' | 'webhookEndpoint', id: string, options?: CallOptions): Result<types.LookedUp>
  /** Finds the records with this id, of every type that the key may read. */
  find(query: types.LookUpIdQuery, options?: CallOptions): List<types.LookedUp>
}

export interface HistoryResource {
  /** Lists what happened to a record, oldest first. */
  list(type: 'account' | 'accountHold' | 'apiKey' | 'application' | 'authorization' | 'card' | 'customer' | 'delivery' | 'document' | 'event' | 'externalAccount' | 'partnerUser' | 'partnerUserCard' | 'payment' | 'proposal' | 'recurringPayment' | 'request' | 'reward' | 'rewardableTransaction' | 'rewardPayment' | 'statement' | 'transaction' | 'webhookEndpoint', id: string, query?: types.ListHistoryQuery, options?: CallOptions): List<types.HistoryStep>
}

export interface AttentionResource {
  /**
   * Lists what a person should look at, the most urgent first: webhook endpoints that fail, payments returned today (in UTC,
   * by bank time), decisions that wait for a second signature, reviews and how long they wait, exceptions of the ACH rail, a rail that is held, banking days that are not closed,
   * items of the settlement account without a match and an owner, return rates of debits from 80 % of their limits on, limits nearly
   * used, and the last check of the ledger with its age, which is always there.
   */
  list(options?: CallOptions): List<types.AttentionItem>
}

export interface ExportsResource {
  /** Streams the records that a list operation shows, as CSV or JSON Lines. */
  get(list: string, query?: types.ExportListQuery, options?: CallOptions): Result<Uint8Array>
}

export interface SearchResource {
  /** Finds up to 20 records of the types that the key may read, in any letter case, the best match first: */
  find(query: types.SearchQuery, options?: CallOptions): List<types.SearchResult>
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
  create(body?: types.CreateOrganisationRequest, options?: CallOptions): Result<types.CreatedOrganisation>
  /** Deletes the organisation of the key that makes the request. All its keys stop working at once (within five seconds in other processes of the service), no more webhooks are sent, and its records are deleted in the background. */
  delete(options?: CallOptions): Result<undefined>
  /**
   * Gives all keys of the caller’s organisation a new, empty organisation of the same name. Its records, webhook endpoints and events are gone, and no id or event number is used again: `GET /v0/events` goes on after the last event with an `organisation.created`.
   *
   * @example
   * const organisation = await purser.sandbox.organisations.reset({ now: '2026-06-15T15:00:00.000Z', frozen: true })
   */
  reset(body?: types.ResetOrganisationRequest, options?: CallOptions): Result<types.SandboxOrganisation>
}

export interface SandboxFaultsResource {
  /**
   * Makes requests of an operation fail, to test how your app copes: with a problem (429, 500, 503) before anything is done, after a
   * delay, or by a closed connection after the change was committed. A retry with the same idempotency key then gets the stored
   * answer, and a request that was answered with a problem has not used up its key.
   *
   * @example
   * const faultRule = await purser.sandbox.faults.create({
   *   match: { operation: 'createPayment', accountId },
   *   effect: { status: 503 },
   *   times: 1,
   * })
   */
  create(body: types.CreateFaultRuleRequest, options?: CallOptions): Result<types.FaultRule>
  /** Lists the fault rules of the organisation, newest first, with how often each can still take effect. */
  list(query?: types.ListFaultRulesQuery, options?: CallOptions): List<types.FaultRule>
  /** Shows a fault rule of the organisation, with how often it can still take effect. */
  get(faultRuleId: string, options?: CallOptions): Result<types.FaultRule>
  /** Deletes a fault rule of the organisation. It applies to no further request, at once in this process and within a second in others. */
  delete(faultRuleId: string, options?: CallOptions): Result<undefined>
  /** Deletes all fault rules of the organisation, used up or not; call it at the end of a test. It succeeds even if there is none. */
  deleteAll(options?: CallOptions): Result<undefined>
}

export interface SandboxScenariosResource {
  /**
   * Creates a customer with an account that has received a salary and paid a rent, cards, an open authorization, a purchase, a statement of the previous month, and an application that waits for a document. If the catalogue has a live national offer, the purchase is at its merchant and earns a reward.
   *
   * @example
   * const scenario = await purser.sandbox.scenarios.create({ seed: 42 })
   */
  create(body?: types.CreateScenarioRequest, options?: CallOptions): Result<types.Scenario>
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
  create(body: types.CreateCustomerRequest, options?: CallOptions): Result<types.Customer>
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
  receiveAch(accountId: string, body: types.ReceiveAchRequest, options?: CallOptions): Result<types.ListedTransaction>
}

export interface SandboxPaymentsResource {
  /**
   * Returns a payment as the receiving bank would. The money comes back to the account, whatever its state, and the payment becomes `Returned`.
   *
   * @example
   * const payment = await purser.sandbox.payments.return(paymentId, { returnCode: 'R03' })
   */
  return(paymentId: string, body: types.ReturnPaymentRequest, options?: CallOptions): Result<types.Payment>
}

export interface SandboxExternalAccountsResource {
  /** Shows the latest micro-entries of an external account as the other bank shows them to its customer: two credits and a debit of their sum. */
  getMicroEntries(externalAccountId: string, options?: CallOptions): Result<types.MicroEntries>
}

export interface SandboxAchFilesResource {
  /** Lists the outgoing and incoming ACH files of the organisation, newest first. */
  list(query?: types.ListAchFilesQuery, options?: CallOptions): List<types.AchFile>
  /** Returns an ACH file of the organisation. */
  get(achFileId: string, options?: CallOptions): Result<types.AchFile>
  /** Returns the bytes of an ACH file as they left or arrived: lines of 94 characters. */
  getContent(achFileId: string, options?: CallOptions): Result<Uint8Array>
}

export interface SandboxApplicationsResource {
  /** Approves an application that waits for documents or a review and creates the customer, whatever the state of its documents. */
  approve(applicationId: string, options?: CallOptions): Result<types.Application>
  /** Denies an application that waits for documents or a review. It takes no more documents. */
  deny(applicationId: string, options?: CallOptions): Result<types.Application>
  /**
   * Approves a document of an application, even without an uploaded file. When all documents are approved, so is the application, and its customer is created.
   *
   * @example
   * const document = await purser.sandbox.applications.approveDocument(applicationId, documentId)
   */
  approveDocument(applicationId: string, documentId: string, body?: types.ApproveDocumentRequest, options?: CallOptions): Result<types.Document>
  /**
   * Rejects a document of an application. Its status becomes `Invalid`, and the applicant has to upload it again.
   *
   * @example
   * const document = await purser.sandbox.applications.rejectDocument(applicationId, documentId, { reason: 'The picture is blurred' })
   */
  rejectDocument(applicationId: string, documentId: string, body?: types.RejectDocumentRequest, options?: CallOptions): Result<types.Document>
}

export interface SandboxAuthorizationsResource {
  /**
   * Charges a card as a merchant would. It is approved if the card is `Active` and not expired, its account is `Open`, the purchase is within the limits of the card, the amount is available, and the decision hook of your app, if there is one, does not decline it.
   *
   * @example
   * const authorization = await purser.sandbox.authorizations.create(cardId, {
   *   amount: 6420,
   *   merchant: { name: 'Sample Bistro', category: 'Restaurants', location: 'Springfield, IL' },
   * })
   */
  create(cardId: string, body: types.CreateAuthorizationRequest, options?: CallOptions): Result<types.Authorization>
  /**
   * Settles an open authorization for the held amount, or for `amount`, which may be less or more. The answer is the transaction of the account.
   *
   * @example
   * const transaction = await purser.sandbox.authorizations.settle(authorizationId, { amount: 4000, final: false })
   */
  settle(authorizationId: string, body?: types.SettleAuthorizationRequest, options?: CallOptions): Result<types.ListedTransaction>
  /** Releases the rest of the hold of an open authorization, as a merchant does who decides not to charge it. Settled amounts stay settled. */
  reverse(authorizationId: string, options?: CallOptions): Result<types.Authorization>
  /**
   * Refunds money that settled: `amount`, or all that was not refunded yet. The answer is the transaction of the account, which is credited in any state.
   *
   * @example
   * const transaction = await purser.sandbox.authorizations.refund(authorizationId, { amount: 1000 })
   */
  refund(authorizationId: string, body?: types.RefundAuthorizationRequest, options?: CallOptions): Result<types.ListedTransaction>
}

export interface SandboxClockResource {
  /** Reads the bank time of the organisation, whether it stands still, and what it brings next: expiries of authorizations and holds, the end of the month, payouts of rewards, webhooks by endpoint, the runs of recurring payments, and the cut-offs, settlements and answers of ACH files, those of returns included. */
  get(options?: CallOptions): Result<types.Clock>
  /**
   * Moves the bank time of the organisation forward and does in order what becomes due on the way: authorizations and holds expire, months end with their statements, rewards are paid, webhooks are retried. `happened` lists it.
   *
   * @example
   * const clockAdvance = await purser.sandbox.clock.advance({ by: 'P1D' })
   */
  advance(body?: types.AdvanceClockRequest, options?: CallOptions): Result<types.ClockAdvance>
}

export interface SandboxStatementsResource {
  /**
   * Writes the statement of a past month at once, without waiting for the work of the month’s end. An existing statement is returned.
   *
   * @example
   * const statement = await purser.sandbox.statements.create(accountId, { period: '2026-05' })
   */
  create(accountId: string, body: types.CreateStatementRequest, options?: CallOptions): Result<types.Statement>
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
  zipCodes: ZipCodesResource
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
  exports: ExportsResource
  search: SearchResource
  sandbox: SandboxResource
}
