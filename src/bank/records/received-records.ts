/** An entry of an incoming ACH file that credits or debits an account. */
export interface LedgerReceived {
  id: number
  organisationId: number
  /** Null if the entry names no account of the bank. */
  accountId: number | null
  customerId: number | null
  fileId: number
  line: number
  direction: 'Credit' | 'Debit'
  status: 'Pending' | 'Completed' | 'MarkedForReturn' | 'Returned'
  amount: number
  secCode: string
  companyName: string
  description: string
  /** The first eight digits of the routing number of the bank that sent it. */
  sendingBank: string
  traceNumber: string
  receiverName: string
  addenda: string | null
  settlesOn: string
  /** The time from which the money is booked. */
  dueAt: string
  createdAt: string
  /** Null before the money was booked. */
  bookedAt: string | null
  /** All null unless it is returned. */
  returnCode: string | null
  returnCutoffAt: string | null
  returnSettlesAt: string | null
  version: number
}

/** An entry of an incoming ACH file, with its outcome; or one of an outgoing file whose payment or return a restored database has lost. */
export interface ReceivedEntry {
  fileId: number
  line: number
  organisationId: number
  /** `other` is an entry that could be neither booked nor returned. */
  kind:
    | 'payment'
    | 'prenote'
    | 'return'
    | 'change'
    | 'refusedChange'
    | 'dishonour'
    | 'contest'
    | 'other'
    | 'lostPayment'
    | 'lostReturn'
  outcome: 'applied' | 'exception' | 'repeated'
  code: number
  amount: number
  traceNumber: string
  settlesOn: string
  paymentId: number | null
  receivedPaymentId: number | null
  exceptionId: number | null
}

/** How the operator resolved an exception. */
export interface AchResolution {
  exceptionId: number
  resolution: 'Noted' | 'Account' | 'WrittenOff' | 'Dishonored' | 'Contested'
  reason: string
  accountId: number | null
  resolvedAt: string
}

/** An incoming ACH file. */
export interface IncomingAchFile {
  id: number
  /** Null in live mode. */
  organisationId: number | null
  /** The organisation with whose key its bytes are sealed. */
  keyOrganisationId: number
  name: string
  header: string | null
  modifier: string
  createdOn: string
  state: 'taken' | 'applied' | 'refused'
  sealedContent: Buffer | null
  sha256: Buffer
  entryCount: number
  debits: number
  credits: number
}

/** A file or an entry that needs the operator. The money of an entry is in the suspense account. */
export interface AchException {
  id: number
  organisationId: number
  fileId: number
  /** Null for a whole file. */
  line: number | null
  kind:
    | 'file_refused'
    | 'entry_unsupported'
    | 'entry_invalid'
    | 'return_unmatched'
    | 'return_late'
    | 'return_repeated'
    | 'return_not_bookable'
    | 'return_dishonored'
    | 'dishonor_contested'
    | 'change_unmatched'
    | 'change_not_usable'
    | 'change_refused'
    | 'payment_lost'
    | 'return_lost'
    | 'verification_returned'
  detail: string
  /** Null without money. */
  direction: 'Credit' | 'Debit' | null
  amount: number
  paymentId: number | null
  createdAt: string
}
