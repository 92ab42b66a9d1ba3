/** One kind of refusal: status, title, default detail, and in sandbox mode a hint at the call that helps. */
interface Refusal {
  status: number
  title: string
  detail: string
  sandboxHint?: string
}

/** Every refusal that the service can answer with. Codes are stable: clients branch on them. */
export const refusals = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    detail: 'The request is not valid; errors lists every fault.',
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    detail: 'Send a valid API key in the header X-Service-API-Key.',
    sandboxHint: 'The service prints its key when it starts.',
  },
  invalid_signature: {
    status: 401,
    title: 'Invalid signature',
    detail: 'The signature does not match the body.',
  },
  forbidden: { status: 403, title: 'Forbidden', detail: 'The API key lacks the scope that this operation needs.' },
  route_not_found: {
    status: 404,
    title: 'Route not found',
    detail: 'There is no such path; /docs lists every operation.',
  },
  account_not_found: {
    status: 404,
    title: 'Account not found',
    detail: 'There is no account with this id.',
    sandboxHint: 'POST /v0/banking/accounts creates one.',
  },
  customer_not_found: {
    status: 404,
    title: 'Customer not found',
    detail: 'There is no customer with this id.',
    sandboxHint: 'POST /v0/sandbox/customers creates one.',
  },
  customer_erased: {
    status: 410,
    title: 'Customer erased',
    detail: 'The personal data of the customer was erased; its records can be read and not changed any more.',
  },
  account_hold_not_found: {
    status: 404,
    title: 'Account hold not found',
    detail: 'The account has no hold with this id; GET /v0/banking/accounts/:accountId/holds lists them.',
  },
  recurring_payment_not_found: {
    status: 404,
    title: 'Recurring payment not found',
    detail: 'There is no recurring payment with this id; GET /v0/banking/recurring-payments lists them.',
  },
  authorization_not_found: {
    status: 404,
    title: 'Authorization not found',
    detail: 'There is no authorization with this id.',
    sandboxHint: 'POST /v0/sandbox/cards/:cardId/authorizations creates one.',
  },
  card_not_found: {
    status: 404,
    title: 'Card not found',
    detail: 'There is no card with this id.',
    sandboxHint: 'POST /v0/banking/cards creates one.',
  },
  external_account_not_found: {
    status: 404,
    title: 'External account not found',
    detail: 'There is no external account with this id, or it belongs to another customer.',
    sandboxHint: 'POST /v0/banking/customers/:customerId/external-accounts creates one.',
  },
  external_account_not_debitable: {
    status: 422,
    title: 'External account cannot be debited',
    detail: 'No money can be collected from loans and from accounts at this bank.',
  },
  debit_not_permitted: {
    status: 422,
    title: 'Debit not permitted',
    detail: 'The permissions of the external account are CreditOnly: it has to be verified before money is collected.',
    sandboxHint: 'POST /v0/banking/external-accounts/:externalAccountId/attest verifies it.',
  },
  external_account_verified: {
    status: 409,
    title: 'External account verified',
    detail: 'The permissions of the external account are CreditAndDebit already: no verification is needed.',
  },
  external_account_in_review: {
    status: 409,
    title: 'External account in review',
    detail: 'The external account waits for a reviewer: nothing is sent to it before that.',
  },
  verification_under_way: {
    status: 409,
    title: 'Verification under way',
    detail:
      'An account with this number is being verified: confirm its micro-entries, or wait for the end of that verification.',
    sandboxHint: 'GET /v0/sandbox/external-accounts/:externalAccountId/micro-entries shows their amounts.',
  },
  verification_locked: {
    status: 422,
    title: 'Verification locked',
    detail: 'Three wrong answers were given for an account with this number: only the operator can verify it.',
    sandboxHint: 'POST /v0/banking/external-accounts/:externalAccountId/attest verifies it.',
  },
  verification_not_confirmable: {
    status: 409,
    title: 'Verification not confirmable',
    detail:
      'Amounts can be confirmed while the verification of the external account by micro-entries is Sent. It has not started, is still Pending, or is over.',
    sandboxHint: 'POST /v0/banking/external-accounts/:externalAccountId/verification sends micro-entries.',
  },
  sec_code_not_allowed: {
    status: 422,
    title: 'SEC code not allowed',
    detail: 'The SEC code of a debit follows from its mandate: leave secCode out.',
  },
  mandate_missing: {
    status: 422,
    title: 'Mandate missing',
    detail: 'The customer has not authorized debits of the external account, or has revoked that.',
    sandboxHint: 'PUT /v0/banking/external-accounts/:externalAccountId/mandate notes an authorization.',
  },
  campaign_not_found: {
    status: 404,
    title: 'Campaign not found',
    detail: 'There is no campaign with this id.',
    sandboxHint: 'POST /v0/rewards/campaigns creates one.',
  },
  offer_activation_not_found: {
    status: 404,
    title: 'Offer activation not found',
    detail: 'There is no activation with this id; GET /v0/rewards/activations lists them.',
  },
  campaign_offer_not_found: {
    status: 404,
    title: 'Campaign offer not found',
    detail: 'No campaign has an offer with this id.',
    sandboxHint: 'POST /v0/rewards/campaigns/:campaignId/offers creates one.',
  },
  partner_user_not_found: {
    status: 404,
    title: 'Partner user not found',
    detail: 'There is no partner user with this id.',
    sandboxHint: 'POST /v0/rewards/partner-users creates one.',
  },
  partner_user_card_not_found: {
    status: 404,
    title: 'Partner user card not found',
    detail: 'There is no partner user card with this id.',
    sandboxHint: 'POST /v0/rewards/partner-user-cards creates one.',
  },
  payment_not_found: {
    status: 404,
    title: 'Payment not found',
    detail: 'There is no payment with this id.',
    sandboxHint: 'POST /v0/banking/accounts/:accountId/payments creates one.',
  },
  received_payment_not_found: {
    status: 404,
    title: 'Received payment not found',
    detail: 'There is no received payment with this id; GET /v0/banking/received-payments lists them.',
  },
  reward_not_found: {
    status: 404,
    title: 'Reward not found',
    detail: 'There is no reward with this id; GET /v0/rewards/rewards lists them.',
  },
  transaction_not_found: {
    status: 404,
    title: 'Transaction not found',
    detail: 'The account has no transaction with this id.',
    sandboxHint: 'POST /v0/sandbox/accounts/:accountId/receive-ach creates one.',
  },
  statement_not_found: {
    status: 404,
    title: 'Statement not found',
    detail: 'There is no statement with this id.',
    sandboxHint: 'POST /v0/sandbox/accounts/:accountId/statements creates one.',
  },
  application_not_found: {
    status: 404,
    title: 'Application not found',
    detail: 'There is no application with this id.',
    sandboxHint: 'POST /v0/banking/applications creates one.',
  },
  document_not_found: {
    status: 404,
    title: 'Document not found',
    detail: 'The application has no document with this id.',
    sandboxHint: 'POST /v0/banking/applications with the ssn 000000003 creates an application that needs one.',
  },
  api_key_not_found: {
    status: 404,
    title: 'API key not found',
    detail: 'There is no API key with this id; GET /v0/api-keys lists them.',
  },
  event_not_found: {
    status: 404,
    title: 'Event not found',
    detail: 'There is no event with this id; GET /v0/events lists them.',
  },
  events_rewound: {
    status: 410,
    title: 'Events rewound',
    detail:
      'The database was restored to an earlier time, and no event has this number any more; go on with after set to resumeAfter, which misses no event.',
  },
  event_expired: {
    status: 410,
    title: 'Event expired',
    detail: 'The event is not kept any more; read the record that it was about.',
  },
  events_expired: {
    status: 410,
    title: 'Events expired',
    detail:
      'The events after this number are not kept any more; go on with after set to resumeAfter, and read the records that the missed events may have changed.',
  },
  record_not_found: {
    status: 404,
    title: 'Record not found',
    detail: 'There is no record of this type with this id; GET /v0/lookup?id=… finds the types that have the id.',
  },
  request_not_found: {
    status: 404,
    title: 'Request not found',
    detail: 'No request with this id is remembered; GET /v0/requests lists those that are.',
  },
  ach_batch_not_found: {
    status: 404,
    title: 'ACH batch not found',
    detail: 'There is no ACH batch with this id; GET /v0/banking/ach-batches lists them.',
  },
  ach_file_not_found: {
    status: 404,
    title: 'ACH file not found',
    detail: 'There is no ACH file with this id; GET /v0/sandbox/ach-files lists them.',
  },
  settlement_item_not_found: {
    status: 404,
    title: 'Settlement item not found',
    detail: 'There is no settlement item with this id; GET /v0/closing/items lists those that are open.',
  },
  closing_day_not_found: {
    status: 404,
    title: 'Closing day not found',
    detail: 'This is no banking day of the settlement account; GET /v0/closing/days lists them.',
  },
  fault_rule_not_found: {
    status: 404,
    title: 'Fault rule not found',
    detail: 'There is no fault rule with this id; GET /v0/sandbox/faults lists them.',
  },
  zip_code_not_found: {
    status: 404,
    title: 'ZIP code not found',
    detail: 'There is no such ZIP code, or its place is not known.',
  },
  webhook_endpoint_not_found: {
    status: 404,
    title: 'Webhook endpoint not found',
    detail: 'There is no webhook endpoint with this id; POST /v0/webhook-endpoints creates one.',
  },
  delivery_not_found: {
    status: 404,
    title: 'Delivery not found',
    detail: 'There is no delivery with this id; GET /v0/deliveries lists them.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    detail: 'This path does not support this method; the header Allow lists the methods it supports.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    detail: 'The request did not arrive in time; send it again.',
  },
  account_not_open: {
    status: 409,
    title: 'Account not open',
    detail:
      'The account must be Open. POST /v0/banking/accounts/:accountId/unfreeze opens a Frozen account, …/reopen a Closed one.',
  },
  debits_stopped: {
    status: 409,
    title: 'Debits stopped',
    detail:
      'Too many debits of the organisation were returned: GET /v0/banking/return-rates shows the rates, and when debits are taken again.',
  },
  payment_not_retryable: {
    status: 409,
    title: 'Payment not retryable',
    detail:
      'Only a debit that was returned with R01 or R09 is presented again: twice, within 180 days of its settlement.',
  },
  payment_not_reversible: {
    status: 409,
    title: 'Payment not reversible',
    detail:
      'Only a payment with another bank that has left, and that was neither returned nor reversed, can be reversed. A payment that has not left can be canceled.',
  },
  reversal_too_late: {
    status: 422,
    title: 'Reversal too late',
    detail:
      'A reversal leaves within five banking days of the settlement of the payment, and within a day of the discovery of the error.',
  },
  payments_blocked: {
    status: 409,
    title: 'Payments blocked',
    detail:
      'The operator has blocked outgoing payments of this account. POST /v0/banking/accounts/:accountId/release-payments, with the scope risk:write, ends that.',
  },
  payments_not_blocked: {
    status: 409,
    title: 'Payments not blocked',
    detail: 'Outgoing payments of this account are not blocked.',
  },
  account_not_frozen: { status: 409, title: 'Account not frozen', detail: 'Only a Frozen account can be unfrozen.' },
  risk_key_required: {
    status: 409,
    title: 'Risk key required',
    detail:
      'The bank has stopped this: only an API key with the scope risk:write releases it, which `purser keys create --scopes risk:write` makes.',
  },
  account_not_closed: { status: 409, title: 'Account not closed', detail: 'Only a Closed account can be reopened.' },
  account_closed: {
    status: 409,
    title: 'Account closed',
    detail: 'The account is Closed; POST /v0/banking/accounts/:accountId/reopen opens it again.',
  },
  api_key_expired: {
    status: 409,
    title: 'API key expired',
    detail: 'An expired key cannot be rotated; POST /v0/api-keys creates a new one.',
  },
  last_api_key: {
    status: 409,
    title: 'Last API key',
    detail:
      'This is the last key without restrictions. Create another one first, or rotate this one with a graceSeconds of 0.',
  },
  application_wrong_state: {
    status: 409,
    title: 'Application in the wrong state',
    detail: 'The application has been decided already, or it is Denied and takes no documents.',
    sandboxHint: 'POST /v0/banking/applications with the ssn 000000003 creates one that is not decided yet.',
  },
  document_wrong_state: {
    status: 409,
    title: 'Document in the wrong state',
    detail: 'The document has been reviewed already; upload it again to have it reviewed again.',
    sandboxHint: 'POST /v0/banking/applications/:applicationId/documents/:documentId uploads one.',
  },
  document_not_uploaded: {
    status: 409,
    title: 'Document not uploaded',
    detail: 'No file of this side of the document was uploaded.',
    sandboxHint: 'POST /v0/banking/applications/:applicationId/documents/:documentId uploads one.',
  },
  card_not_linked: {
    status: 409,
    title: 'Card not linked',
    detail: 'The card is linked to no partner user; POST /v0/rewards/partner-user-cards links it.',
  },
  already_exists: {
    status: 409,
    title: 'Already exists',
    detail: 'The provider has a record like this already; existingIds in errors lists its ids.',
  },
  account_not_empty: {
    status: 409,
    title: 'Account not empty',
    detail: 'An account is closed when its balance is zero and nothing is held; closeTo moves the balance.',
  },
  account_hold_not_active: {
    status: 409,
    title: 'Account hold not active',
    detail: 'Only an Active hold can be released.',
  },
  recurring_payment_not_active: {
    status: 409,
    title: 'Recurring payment not active',
    detail: 'Only an Active recurring payment can be paused.',
  },
  recurring_payment_not_paused: {
    status: 409,
    title: 'Recurring payment not paused',
    detail: 'Only a Paused recurring payment can be resumed.',
  },
  recurring_payment_ended: {
    status: 409,
    title: 'Recurring payment ended',
    detail: 'The recurring payment has ended and makes no further payments; create another one.',
  },
  too_many_recurring_payments: {
    status: 409,
    title: 'Too many recurring payments',
    detail: 'The account has 1,000 recurring payments that have not ended; cancel one first.',
  },
  authorization_not_open: {
    status: 409,
    title: 'Authorization not open',
    detail: 'Only an Authorized authorization can be settled, reversed or changed.',
  },
  authorization_not_settled: {
    status: 409,
    title: 'Authorization not settled',
    detail: 'No part of the authorization has settled, so nothing can be refunded.',
    sandboxHint: 'POST /v0/sandbox/authorizations/:authorizationId/settle settles it.',
  },
  card_already_linked: {
    status: 409,
    title: 'Card already linked',
    detail: 'The card is linked already; PATCH /v0/rewards/partner-user-cards/:partnerUserCardId removes the link.',
  },
  card_reference_taken: {
    status: 409,
    title: 'Card reference taken',
    detail: 'Another card has this reference; GET /v0/processor/cards?reference= finds it.',
  },
  processor_id_reused: {
    status: 409,
    title: 'Processor id reused',
    detail: 'A message with this processorId and another content was answered before; a new message needs a new id.',
  },
  card_wrong_state: {
    status: 409,
    title: 'Card in the wrong state',
    detail: 'The status or the type of the card does not allow this; GET /v0/banking/cards/:cardId shows both.',
  },
  campaign_ended: {
    status: 409,
    title: 'Campaign ended',
    detail:
      'The campaign or the offer has ended, and does not change any more; POST /v0/rewards/campaigns creates another.',
  },
  offer_activated: {
    status: 409,
    title: 'Offer activated',
    detail: 'The partner user has activated the offer; GET /v0/rewards/activations shows until when.',
  },
  offer_not_available: {
    status: 409,
    title: 'Offer not available',
    detail:
      'The offer needs no activation, is not live, or is not for this user; GET /v0/rewards/partner-users/:partnerUserId/offers says which.',
  },
  too_many_offers: {
    status: 409,
    title: 'Too many offers',
    detail: 'The merchant has 50 offers that have not ended; PATCH /v0/rewards/offers/:offerId ends one.',
  },
  partner_user_exists: {
    status: 409,
    title: 'Partner user exists',
    detail:
      'A partner user with this userId exists already; PATCH /v0/rewards/partner-users/:partnerUserId enrols a removed one again.',
  },
  external_account_not_in_review: {
    status: 409,
    title: 'External account not in review',
    detail:
      'Only an external account in PendingReview can be approved or rejected; GET /v0/review/external-accounts lists them.',
  },
  closing_unavailable: {
    status: 409,
    title: 'Closing not available',
    detail: 'The operator has to set PURSER_STATEMENT_ACCOUNT before statements are taken and days are closed.',
  },
  closing_day_open: {
    status: 409,
    title: 'Closing day open',
    detail: 'The day cannot be closed; GET /v0/closing/days/:day says why.',
  },
  closing_day_wrong_state: {
    status: 409,
    title: 'Closing day in the wrong state',
    detail: 'The state of the day does not allow this; GET /v0/closing/days/:day shows it.',
  },
  settlement_item_wrong_state: {
    status: 409,
    title: 'Settlement item in the wrong state',
    detail: 'The state of the item does not allow this; GET /v0/closing/items shows it.',
  },
  settlement_sums_differ: {
    status: 409,
    title: 'Settlement sums differ',
    detail: 'Lines and movements of a match have the same sum, and the parts of an item add up to it.',
  },
  over_settlement_not_open: {
    status: 409,
    title: 'Over-settlement not open',
    detail:
      'Only an authorization with an Open over-settlement can be resolved; GET /v0/review/over-settlements lists them.',
  },
  payment_not_cancelable: {
    status: 409,
    title: 'Payment not cancelable',
    detail: 'Only a Pending payment, or one in PendingReview, can be canceled; after the cut-off it is in a file.',
  },
  payment_not_stoppable: {
    status: 409,
    title: 'Payment not stoppable',
    detail:
      'Only a Pending payment can be stopped, before it is in a file; POST /v0/review/payments/:paymentId/reject rejects one in PendingReview.',
  },
  proposal_not_found: {
    status: 404,
    title: 'Proposal not found',
    detail: 'There is no proposal with this id; GET /v0/proposals lists those that you may decide.',
  },
  proposal_not_waiting: {
    status: 409,
    title: 'Proposal not waiting',
    detail:
      'Only a Waiting proposal can be decided or withdrawn; GET /v0/proposals/:proposalId shows what became of it.',
  },
  proposal_waiting: {
    status: 409,
    title: 'Proposal waiting',
    detail: 'This decision about the record is proposed already; GET /v0/proposals?state=Waiting lists it.',
  },
  second_person_required: {
    status: 409,
    title: 'Second person required',
    detail:
      'A proposal is approved by a person who is signed in, did not propose it, and neither invited the proposer nor was invited by them. An API key never counts as a person.',
  },
  not_proposer: {
    status: 409,
    title: 'Not the proposer',
    detail: 'Only who made a proposal withdraws it; others reject it with POST /v0/proposals/:proposalId/reject.',
  },
  payment_not_in_review: {
    status: 409,
    title: 'Payment not in review',
    detail: 'Only a payment in PendingReview can be approved or rejected; GET /v0/review/payments lists them.',
  },
  ach_file_without_content: {
    status: 409,
    title: 'ACH file without content',
    detail:
      'The file is being built, was refused, or has more than 16 MiB: its content cannot be sent; `purser ach show ID --content` writes a large one.',
  },
  received_payment_not_returnable: {
    status: 409,
    title: 'Received payment not returnable',
    detail: 'Only a Pending or Completed received payment can be returned, and only once.',
  },
  return_too_late: {
    status: 409,
    title: 'Return too late',
    detail: 'The return would settle after the deadline of its code.',
  },
  payment_not_returnable: {
    status: 409,
    title: 'Payment not returnable',
    detail: 'Only a Clearing or Sent payment to an account outside this bank can be returned, and only once.',
  },
  wrong_state: {
    status: 409,
    title: 'Wrong state',
    detail: 'The state of a record that the request names does not allow this.',
  },
  webhook_endpoint_disabled: {
    status: 409,
    title: 'Webhook endpoint disabled',
    detail:
      'A Disabled endpoint receives nothing; PATCH /v0/webhook-endpoints/:webhookEndpointId with the status Enabled enables it.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Idempotency key in progress',
    detail: 'A request with this idempotency key is still in progress; retry in a moment.',
  },
  payload_too_large: {
    status: 413,
    title: 'Payload too large',
    detail:
      'The body is too large: at most 1 MiB, for a batch of payments 10 MiB, for an upload 28 MiB with a file of at most 20 MiB.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    detail: 'Send the body as application/json in UTF-8.',
  },
  insufficient_funds: {
    status: 422,
    title: 'Insufficient funds',
    detail: 'The amount exceeds the available balance of the account.',
    sandboxHint: 'POST /v0/sandbox/accounts/:accountId/receive-ach adds money.',
  },
  limit_exceeded: {
    status: 422,
    title: 'Limit exceeded',
    detail:
      'The amount exceeds a limit of the account or the organisation; limit says which one, and what is left of it.',
  },
  nothing_held: {
    status: 422,
    title: 'Nothing held',
    detail: 'The whole hold has settled already; send an amount to settle more.',
  },
  refund_exceeds_settlement: {
    status: 422,
    title: 'Refund exceeds settlement',
    detail: 'The amount exceeds the settled amount that has not been refunded yet.',
  },
  organisation_not_deletable: {
    status: 409,
    title: 'Organisation not deletable',
    detail:
      'Only an organisation that POST /v0/sandbox/organisations made can be deleted; POST /v0/sandbox/reset empties this one.',
  },
  too_many_organisations: {
    status: 422,
    title: 'Too many organisations',
    detail:
      'There are 10,000 sandbox organisations: delete some with DELETE /v0/sandbox/organisations/current, or wait until they expire after 24 idle hours.',
  },
  too_many_fault_rules: {
    status: 422,
    title: 'Too many fault rules',
    detail:
      'An organisation has at most 100 fault rules that are not used up, and all organisations together 10,000; DELETE /v0/sandbox/faults deletes those of the organisation.',
  },
  fault_rule_mismatch: {
    status: 422,
    title: 'Fault rule mismatch',
    detail: 'The effect does not fit the match.',
  },
  clock_out_of_range: {
    status: 422,
    title: 'Clock out of range',
    detail: 'The clock of an organisation starts in one of the years from 2000 to 2999.',
  },
  clock_not_forward: {
    status: 422,
    title: 'Clock not forward',
    detail: 'Bank time only moves forward; GET /v0/sandbox/clock shows the current time.',
  },
  nothing_upcoming: {
    status: 422,
    title: 'Nothing upcoming',
    detail: 'Nothing is due after the present bank time; advance the clock to a time or by a duration.',
  },
  same_account: {
    status: 422,
    title: 'Same account',
    detail: 'The external account is the paying account itself.',
  },
  return_code_not_allowed: {
    status: 422,
    title: 'Return code not allowed',
    detail: 'The return code does not exist, is for the other direction, or is one that only the ACH operator uses.',
  },
  amount_over_rail_limit: {
    status: 422,
    title: 'Amount over the limit of the rail',
    detail: 'An ACH entry has at most 9999999999 cents, a same-day entry at most the same-day limit of the bank.',
  },
  reserved_description: {
    status: 422,
    title: 'Reserved description',
    detail:
      'The description begins with a word that the ACH rules reserve for other entries: REVERSAL, ACCTVERIFY, NONSETTLED, RECLAIM, RETRY PYMT, RETURN FEE, PURCHASE, and PAYROLL but for PPD. Choose another one.',
  },
  invalid_routing_number: {
    status: 422,
    title: 'Invalid routing number',
    detail: 'The checksum of the routing number is wrong.',
  },
  content_type_mismatch: {
    status: 422,
    title: 'Content type mismatch',
    detail: 'The content of the file does not match contentType.',
  },
  external_account_refused: {
    status: 422,
    title: 'External account refused',
    detail: 'The screening of the operator refused this account, and it was not recorded. Ask the operator.',
  },
  balance_limit: {
    status: 422,
    title: 'Balance limit',
    detail: 'The balance would exceed 9,007,199,254,740,991 cents.',
  },
  period_not_over: {
    status: 422,
    title: 'Period not over',
    detail: 'The month is not over in bank time, so it has no statement yet.',
    sandboxHint: 'POST /v0/sandbox/clock/advance advances bank time.',
  },
  period_before_account: {
    status: 422,
    title: 'Period before account',
    detail: 'The month was over before the account was opened, and has no statement.',
  },
  statement_too_long: {
    status: 422,
    title: 'Statement too long',
    detail: 'A document holds at most 20,000 transactions; GET /v0/banking/transactions lists them all.',
  },
  range_too_long: {
    status: 422,
    title: 'Range too long',
    detail: 'The time from since to until is too long for one answer; ask for shorter ranges.',
  },
  payment_rejected: {
    status: 422,
    title: 'Payment rejected',
    detail: 'The provider rejected the payment; errors holds the reason and the id of the rejected payment.',
  },
  refused_by_provider: {
    status: 422,
    title: 'Refused by the provider',
    detail: 'The provider refused the request; errors holds its reasons.',
  },
  webhook_endpoint_limit: {
    status: 422,
    title: 'Webhook endpoint limit',
    detail:
      'An organisation has at most 1,000 webhook endpoints; DELETE /v0/webhook-endpoints/:webhookEndpointId removes one.',
  },
  webhook_url_refused: {
    status: 422,
    title: 'Webhook URL refused',
    detail: 'Webhooks are not sent to this address.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    detail: 'This idempotency key was used for another request; send a new key with a new request.',
  },
  rate_limited: {
    status: 429,
    title: 'Rate limited',
    detail: 'The API key has exceeded its rate limit; retry after the number of seconds in Retry-After.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    detail: 'The request line and the headers together exceed 64 KiB.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    detail: 'The service failed unexpectedly; quote the requestId when you report it.',
  },
  not_supported_by_provider: {
    status: 501,
    title: 'Not supported by the provider',
    detail: 'The configured provider does not support this operation.',
  },
  upstream_error: {
    status: 502,
    title: 'Upstream error',
    detail:
      'The provider closed the connection, sent an unreadable response, or refused the credentials of this service.',
  },
  upstream_outcome_unknown: {
    status: 502,
    title: 'Upstream outcome unknown',
    detail:
      'The request was sent to the provider, and its outcome is unknown; check the record before you send it with a new idempotency key.',
  },
  upstream_unavailable: {
    status: 503,
    title: 'Upstream unavailable',
    detail: 'The provider is not available; retry after the number of seconds in Retry-After.',
  },
  upstream_timeout: {
    status: 504,
    title: 'Upstream timeout',
    detail: 'The provider did not answer in time.',
  },
  outcome_unknown: {
    status: 503,
    title: 'Outcome unknown',
    detail:
      'The database went away while the change was being saved, so it may or may not have taken effect. Repeat the request with the same idempotency key to learn the outcome; without a key, look at the record first.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    detail: 'The service is temporarily unavailable; retry after the number of seconds in Retry-After.',
  },
} as const satisfies Record<string, Refusal>

export type ProblemCode = keyof typeof refusals
