import type { OperationId } from '../../client/src/index.ts'
import type { Field } from '../components/forms/form.tsx'
import { recordPath } from '../routes.ts'

/** How an operation on a record is offered. Without fields it runs at once. */
export interface ActionForm {
  label: string
  /** The title of its dialog, if the label says less. */
  title?: string
  fields?: readonly Field[]
  /** Asks before it runs, because nothing undoes it. */
  confirm?: string
  /** Members of the body beside the fields. */
  body?: Record<string, unknown>
  /** The type of the record that it makes, whose screen follows. */
  opens?: string
  /** The path of the screen that follows, if the record is gone. */
  leadsTo?(target: Record<string, string>): string
  /** Nothing leads back, so that it stands apart from the others. */
  isFinal?: true
}

const person = [
  { name: 'name', label: 'Full name' },
  { name: 'email', label: 'E-mail address' },
  { name: 'phone', label: 'Phone', hint: 'In the form +12125550123' },
  { name: 'address.street', label: 'Street' },
  { name: 'address.city', label: 'City' },
  { name: 'address.state', label: 'State', hint: 'Two letters' },
  { name: 'address.postalCode', label: 'ZIP code' },
] as const satisfies readonly Field[]

/** The address that a card is sent to. */
export const shippingFields: readonly Field[] = [
  { name: 'shippingAddress.street', label: 'Street' },
  { name: 'shippingAddress.city', label: 'City' },
  { name: 'shippingAddress.state', label: 'State' },
  { name: 'shippingAddress.postalCode', label: 'ZIP code' },
  { name: 'shippingAddress.country', label: 'Country', initial: 'US' },
]

const reason: Field = { name: 'reason', label: 'Reason', hint: 'The audit log keeps it' }

const campaignStatus: Field = {
  name: 'status',
  label: 'State',
  options: choices('Active', 'Paused', 'Ended'),
  optional: true,
  hint: 'Ended is final',
}

/** An example of a budget. */
const budgetHint = 'JSON, in cents, such as {"total": {"amount": 100000}}'

/** The operations that change records. One that is not here has a screen of its own or is offered by the reference. */
export const actionForms: Partial<Record<OperationId, ActionForm>> = {
  freezeAccount: { label: 'Freeze' },
  unfreezeAccount: { label: 'Unfreeze' },
  reopenAccount: { label: 'Reopen' },
  retryPayment: { label: 'Present again', opens: 'payment' },
  reversePayment: {
    label: 'Reverse…',
    opens: 'payment',
    fields: [
      {
        name: 'reason',
        label: 'Error',
        options: [
          { value: 'Duplicate', label: 'Duplicate' },
          { value: 'WrongReceiver', label: 'Wrong receiver' },
          { value: 'WrongAmount', label: 'Wrong amount' },
          { value: 'WrongDate', label: 'Wrong date' },
        ],
      },
    ],
  },
  blockPayments: { label: 'Block payments…', fields: [reason] },
  releasePayments: { label: 'Release payments…', fields: [reason] },
  closeAccount: {
    label: 'Close…',
    isFinal: true,
    fields: [
      {
        name: 'reason',
        label: 'Reason',
        options: [
          { value: 'ByCustomer', label: 'By the customer' },
          { value: 'Fraud', label: 'Fraud' },
        ],
      },
      {
        ...{ name: 'closeTo', label: 'Balance goes to', optional: true },
        hint: 'The id of another account of the customer. In live mode an account with a balance needs it',
      },
    ],
  },
  receiveAch: {
    label: 'Receive money…',
    fields: [
      { name: 'amount', label: 'Amount', kind: 'money', initial: '100.00' },
      { name: 'companyName', label: 'Sender', initial: 'Example Payroll' },
      { name: 'description', label: 'Purpose', optional: true },
      {
        name: 'direction',
        label: 'Direction',
        options: [
          { value: 'Credit', label: 'Credit: money in' },
          { value: 'Debit', label: 'Debit: money out' },
        ],
      },
    ],
  },
  createAccountHold: {
    label: 'New hold…',
    fields: [
      { name: 'amount', label: 'Amount', kind: 'money' },
      {
        name: 'reason',
        label: 'Reason',
        options: [{ value: 'LegalOrder', label: 'Legal order' }, ...choices('Dispute', 'Fraud', 'Other')],
        hint: 'A legal order may exceed what is available',
      },
      { name: 'description', label: 'Note', optional: true },
      {
        ...{ name: 'expiresAt', label: 'Ends', optional: true, placeholder: '2027-12-31' },
        hint: 'A day or a time in UTC. Without one the hold lasts until it is released',
      },
    ],
  },
  releaseAccountHold: { label: 'Release', confirm: 'The amount is available to the customer again.' },
  activateCard: { label: 'Activate' },
  freezeCard: { label: 'Freeze' },
  unfreezeCard: { label: 'Unfreeze' },
  closeCard: { label: 'Close…', isFinal: true, confirm: 'A closed card stays closed.' },
  reportLostCard: { label: 'Report lost…', isFinal: true, confirm: 'A lost card cannot be used again.' },
  reportStolenCard: { label: 'Report stolen…', isFinal: true, confirm: 'A stolen card cannot be used again.' },
  replaceCard: { label: 'Replace…', fields: shippingFields },
  settleAuthorization: {
    label: 'Settle…',
    fields: [
      { name: 'amount', label: 'Amount', kind: 'money', optional: true, hint: 'The held amount if it is left out' },
      { name: 'final', label: 'Final', kind: 'boolean' },
    ],
  },
  reverseAuthorization: { label: 'Reverse' },
  refundAuthorization: {
    label: 'Refund…',
    fields: [
      { name: 'amount', label: 'Amount', kind: 'money', optional: true, hint: 'All that is left if it is left out' },
    ],
  },
  returnPayment: {
    label: 'Return…',
    fields: [
      {
        name: 'returnCode',
        label: 'Reason',
        options: [
          { value: 'R01', label: 'R01 Insufficient funds' },
          { value: 'R02', label: 'R02 Account closed' },
          { value: 'R03', label: 'R03 No account' },
          { value: 'R04', label: 'R04 Invalid account number' },
          { value: 'R10', label: 'R10 Not authorized' },
        ],
      },
    ],
  },
  cancelPayment: { label: 'Cancel', confirm: 'The money goes back to the account, and the payment does not leave.' },
  pauseRecurringPayment: { label: 'Pause' },
  resumeRecurringPayment: { label: 'Resume' },
  skipRecurringPayment: {
    label: 'Skip…',
    fields: [{ name: 'date', label: 'Due date', kind: 'date', optional: true, hint: 'The next one if it is left out' }],
  },
  changeRecurringPayment: {
    label: 'Change amount…',
    fields: [
      { name: 'amount', label: 'Amount', kind: 'money' },
      { name: 'from', label: 'From', kind: 'date', optional: true, hint: 'At once if it is left out' },
    ],
  },
  cancelRecurringPayment: { label: 'Cancel…', isFinal: true, confirm: 'It ends for good.' },
  returnReceivedPayment: {
    label: 'Return…',
    fields: [
      {
        name: 'returnCode',
        label: 'Reason',
        options: [
          { value: 'R03', label: 'R03 No account (two banking days)' },
          { value: 'R01', label: 'R01 Insufficient funds, of a debit (two banking days)' },
          { value: 'R08', label: 'R08 Stop payment, of a debit (two banking days)' },
          { value: 'R10', label: 'R10 Not authorized, of a debit (60 days)' },
          { value: 'R23', label: 'R23 Refused by the receiver, of a credit (two banking days)' },
        ],
      },
    ],
  },
  approveApplication: { label: 'Approve' },
  denyApplication: { label: 'Deny', confirm: 'A denied application stays denied.' },
  approveDocument: { label: 'Approve' },
  rejectDocument: { label: 'Reject…', fields: [{ name: 'reason', label: 'Reason', optional: true }] },
  approveReviewApplication: { label: 'Approve as reviewer…', fields: [{ ...reason, optional: true }] },
  denyReviewApplication: {
    label: 'Deny as reviewer…',
    fields: [reason],
    confirm: 'A denied application stays denied.',
  },
  requestReviewDocument: { label: 'Ask for a passport…', fields: [{ ...reason, optional: true }] },
  approveReviewDocument: { label: 'Approve as reviewer…', fields: [{ ...reason, optional: true }] },
  rejectReviewDocument: { label: 'Reject as reviewer…', fields: [{ ...reason, hint: 'The applicant sees it' }] },
  approveExternalAccount: { label: 'Approve…', fields: [{ ...reason, optional: true }] },
  rejectExternalAccount: {
    label: 'Reject…',
    fields: [reason],
    confirm: 'The external account is deleted, and payments to it that wait are rejected.',
  },
  approvePayment: { label: 'Approve…', fields: [reason] },
  stopPayment: {
    label: 'Stop…',
    fields: [reason],
    confirm: 'The payment does not leave until a reviewer has approved it.',
  },
  rejectPayment: { label: 'Reject…', fields: [reason], confirm: 'The money goes back to the account.' },
  approveProposal: { label: 'Approve…', fields: [{ ...reason, optional: true }] },
  rejectProposal: { label: 'Reject…', fields: [reason] },
  withdrawProposal: { label: 'Withdraw', confirm: 'Nothing changes then. It can be proposed again.' },
  createCustomer: {
    label: 'New customer…',
    opens: 'customer',
    fields: person.map((field) => (field.name === 'name' ? field : { ...field, optional: true })),
  },
  createApplication: {
    label: 'New application…',
    opens: 'application',
    fields: [
      ...person.slice(0, 3),
      { name: 'dateOfBirth', label: 'Day of birth', initial: '1990-01-31', hint: 'In the form 1990-01-31' },
      {
        name: 'ssn',
        label: 'Social security number',
        hint: 'Nine digits. In a sandbox 000000001 is denied, 000000003 needs a passport, 000000004 waits for a review, and all others are approved',
      },
      ...person.slice(3),
    ],
  },
  createVerificationToken: { label: 'New verification token' },
  createAccount: { label: 'New account', opens: 'account' },
  createExternalAccount: {
    label: 'New external account…',
    fields: [
      { name: 'name', label: 'Holder' },
      { name: 'routingNumber', label: 'Routing number', initial: '021000021' },
      { name: 'accountNumber', label: 'Account number' },
      { name: 'accountType', label: 'Kind of account', options: choices('Checking', 'Savings') },
      { name: 'type', label: 'Kind of holder', options: choices('Person', 'Business') },
    ],
  },
  updateExternalAccount: {
    label: 'Correct…',
    fields: [
      { name: 'name', label: 'Holder', optional: true },
      { name: 'accountType', label: 'Kind of account', options: choices('Checking', 'Savings'), optional: true },
      { name: 'type', label: 'Kind of holder', options: choices('Person', 'Business'), optional: true },
    ],
  },
  startVerification: {
    label: 'Verify…',
    title: 'Verify external account',
    fields: [
      {
        name: 'method',
        label: 'Method',
        options: [
          { value: 'MicroEntries', label: 'Micro-entries: the customer confirms two amounts' },
          { value: 'Prenote', label: 'Prenote: an entry without money' },
        ],
      },
    ],
  },
  confirmVerification: {
    label: 'Confirm amounts…',
    fields: [
      { name: 'amounts.0', label: 'First credit', kind: 'money', placeholder: '0.32' },
      { name: 'amounts.1', label: 'Second credit', kind: 'money', placeholder: '0.45', hint: 'In any order' },
    ],
  },
  attestExternalAccount: {
    label: 'Attest…',
    title: 'Attest external account',
    fields: [{ name: 'reference', label: 'Reference', hint: 'The proof of a verification elsewhere' }],
  },
  giveMandate: {
    label: 'Note a mandate…',
    fields: [
      { name: 'authorization', label: 'Given', options: choices('Online', 'Written', 'Phone') },
      { name: 'textVersion', label: 'Version of the text' },
      { name: 'authorizedAt', label: 'Given on', kind: 'date' },
      { name: 'address', label: 'Address', hint: 'An IP address, a telephone number or a place' },
    ],
  },
  revokeMandate: { label: 'Revoke the mandate', confirm: 'Debits that have not left are canceled.' },
  deleteExternalAccount: {
    label: 'Delete…',
    confirm: 'Payments to it are no longer possible.',
    leadsTo: ({ customerId }) => recordPath('customer', customerId ?? ''),
  },
  updateCampaign: {
    label: 'Change…',
    fields: [
      campaignStatus,
      { name: 'budget', label: 'Budget', kind: 'json', optional: true, hint: budgetHint },
      { name: 'userBudget', label: 'Budget of each user', kind: 'json', optional: true },
    ],
  },
  createCampaignOffer: {
    label: 'Add an offer…',
    opens: 'campaignOffer',
    fields: [
      { name: 'merchantName', label: 'Merchant' },
      { name: 'title', label: 'Headline' },
      { name: 'amount', label: 'Cash back of a purchase', kind: 'money' },
      { name: 'minimumSpend', label: 'Smallest purchase', kind: 'money', optional: true },
      { name: 'budget', label: 'Budget', kind: 'json', optional: true, hint: budgetHint },
    ],
  },
  updateCampaignOffer: {
    label: 'Change…',
    fields: [campaignStatus, { name: 'budget', label: 'Budget', kind: 'json', optional: true, hint: budgetHint }],
  },
  cancelActivation: { label: 'Cancel', confirm: 'Purchases no longer earn by it.' },
  updatePartnerUser: {
    label: 'Change…',
    fields: [{ name: 'isRemoved', label: 'Removed from rewards', kind: 'boolean' }],
  },
  updatePartnerUserCard: {
    label: 'Change…',
    fields: [{ name: 'isRemoved', label: 'Link removed', kind: 'boolean' }],
  },
  resolveOverSettlement: { label: 'Resolve…', fields: [reason] },
  redeliverEvent: { label: 'Send again' },
  redeliverDelivery: { label: 'Send again' },
  deleteApiKey: {
    label: 'Delete…',
    confirm: 'Programs that use the key are refused at once.',
    leadsTo: () => '/access',
  },
  testWebhookEndpoint: { label: 'Send a test' },
  deleteWebhookEndpoint: {
    label: 'Delete…',
    isFinal: true,
    confirm: 'Events are no longer sent there.',
    leadsTo: () => '/webhooks',
  },
}

function choices(...values: string[]) {
  return values.map((value) => ({ value, label: value }))
}
