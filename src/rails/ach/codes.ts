export type Side = 'credit' | 'debit'
export type AccountType = 'Checking' | 'Savings' | 'GeneralLedger' | 'Loan'
/** `return` stands for returns and notifications of change. */
export type EntryKind = 'live' | 'prenote' | 'zeroDollar' | 'return'

export interface TransactionCode {
  code: number
  side: Side
  account: AccountType
  kind: EntryKind
}

const codeRows: [account: AccountType, side: Side, codes: Partial<Record<EntryKind, number>>][] = [
  ['Checking', 'credit', { live: 22, prenote: 23, zeroDollar: 24, return: 21 }],
  ['Checking', 'debit', { live: 27, prenote: 28, zeroDollar: 29, return: 26 }],
  ['Savings', 'credit', { live: 32, prenote: 33, zeroDollar: 34, return: 31 }],
  ['Savings', 'debit', { live: 37, prenote: 38, zeroDollar: 39, return: 36 }],
  ['GeneralLedger', 'credit', { live: 42, prenote: 43, zeroDollar: 44, return: 41 }],
  ['GeneralLedger', 'debit', { live: 47, prenote: 48, zeroDollar: 49, return: 46 }],
  ['Loan', 'credit', { live: 52, prenote: 53, zeroDollar: 54, return: 51 }],
  // A loan is debited to reverse a credit only.
  ['Loan', 'debit', { live: 55, return: 56 }],
]

const byCode: ReadonlyMap<number, TransactionCode> = new Map(
  codeRows.flatMap(([account, side, codes]) =>
    Object.entries(codes).map(([kind, code]) => [code, { code, side, account, kind: kind as EntryKind }] as const),
  ),
)

/** The meaning of a transaction code, if it exists. */
export function transactionCode(code: number): TransactionCode | undefined {
  return byCode.get(code)
}

/** The transaction code of an entry, if there is one for this account and side. */
export function codeFor(account: AccountType, side: Side, kind: EntryKind): number | undefined {
  return codeRows.find(([ownAccount, ownSide]) => ownAccount === account && ownSide === side)?.[2][kind]
}

/** The SEC codes of payments and notifications that the bank sends. */
export type SecCode = 'PPD' | 'CCD' | 'WEB' | 'TEL' | 'COR'

/** The rules of an SEC code for entries that are neither returns nor notifications of change. */
export interface EntryClass {
  /** The only side, but for reversals. */
  side?: Side
  /** The kind of addenda, and the largest number of them. */
  addenda?: 'payment' | 'terminal'
  maxAddenda: number
  /** Whether the name of the receiver is mandatory. */
  isNamed: boolean
}

const classOf = (isNamed: boolean, addenda?: EntryClass['addenda'], side?: Side, maxAddenda = addenda ? 1 : 0) => ({
  ...{ isNamed, maxAddenda },
  ...(addenda && { addenda }),
  ...(side && { side }),
})

/** The SEC codes whose entries are read: bank, account and amount are in the same columns. */
export const entryClasses: ReadonlyMap<string, EntryClass> = new Map([
  ['PPD', classOf(true, 'payment')],
  ['CCD', classOf(false, 'payment')],
  ['WEB', classOf(true, 'payment')],
  ['TEL', classOf(true, undefined, 'debit')],
  ['CTX', classOf(false, 'payment', undefined, 9_999)],
  ['CIE', classOf(false, 'payment', 'credit')],
  ['POS', classOf(true, 'terminal', 'debit')],
  ...['ARC', 'BOC', 'POP', 'RCK', 'XCK'].map((code) => [code, classOf(false, undefined, 'debit')] as const),
  ['COR', classOf(false)],
])

/** The name of the receiver in an entry. CIE has it in the place of the identification, CTX after the number of addenda. */
export function receiverNameOf(
  secCode: string,
  { name, identification }: { name: string; identification: string },
): string {
  if (secCode === 'CIE') return identification.trim()
  return (secCode === 'CTX' ? name.slice(4, 20) : name).trim()
}

/**
 * How long a return is possible. `bankingDays` and `calendarDays` count from the settlement of the entry that is answered;
 * a return of `nextDelivery` is made by the operator with its next file; `agreed` is a matter between the two banks.
 */
export type ReturnLimit = { bankingDays: number } | { calendarDays: number } | 'nextDelivery' | 'agreed'

export interface ReturnCode {
  meaning: string
  /** The side of the entries that can be returned so. */
  of: Side | 'both'
  limit: ReturnLimit
}

const twoDays = { bankingDays: 2 }
const sixtyDays = { calendarDays: 60 }
const code = (of: Side | 'both', limit: ReturnLimit, meaning: string): ReturnCode => ({ meaning, of, limit })

export const returnCodes: Readonly<Record<string, ReturnCode>> = {
  R01: code('debit', twoDays, 'Insufficient funds'),
  R02: code('both', twoDays, 'Account closed'),
  R03: code('both', twoDays, 'No account, or unable to locate it'),
  R04: code('both', twoDays, 'Invalid account number'),
  R05: code('debit', sixtyDays, 'Unauthorized debit to a consumer with a corporate SEC code'),
  R06: code('both', 'agreed', 'Returned at the request of the originating bank'),
  R07: code('debit', sixtyDays, 'Authorization revoked by the customer'),
  R08: code('debit', twoDays, 'Payment stopped'),
  R09: code('debit', twoDays, 'Uncollected funds'),
  R10: code('debit', sixtyDays, 'Originator unknown or not authorized'),
  R11: code('debit', sixtyDays, 'Not in accordance with the terms of the authorization'),
  R12: code('both', twoDays, 'Branch sold to another bank'),
  R13: code('both', 'nextDelivery', 'Receiving bank not qualified to participate'),
  R14: code('both', twoDays, 'Representative payee deceased or unable to continue'),
  R15: code('both', twoDays, 'Beneficiary or account holder deceased'),
  R16: code('both', twoDays, 'Account frozen'),
  R17: code('both', twoDays, 'Fields cannot be processed, or the entry is questionable'),
  R18: code('both', 'nextDelivery', 'Improper effective entry date'),
  R19: code('both', 'nextDelivery', 'Amount field error'),
  R20: code('both', twoDays, 'Non-transaction account'),
  R21: code('both', twoDays, 'Invalid company identification'),
  R22: code('both', twoDays, 'Invalid individual id number'),
  R23: code('credit', twoDays, 'Credit refused by the receiver'),
  R24: code('both', twoDays, 'Duplicate entry'),
  R25: code('both', 'nextDelivery', 'Addenda error'),
  R26: code('both', 'nextDelivery', 'Mandatory field error'),
  R27: code('both', 'nextDelivery', 'Trace number error'),
  R28: code('both', 'nextDelivery', 'Routing number check digit error'),
  R29: code('debit', twoDays, 'Corporate customer advises not authorized'),
  R30: code('both', 'nextDelivery', 'Receiving bank not a participant in check truncation'),
  R31: code('both', 'agreed', 'Late return that the originating bank permits'),
  R32: code('both', 'nextDelivery', 'Receiving bank cannot settle'),
  R33: code('debit', sixtyDays, 'Return of a destroyed-check entry'),
  R34: code('both', 'nextDelivery', 'Limited participation of a bank'),
  R35: code('debit', 'nextDelivery', 'Improper debit entry'),
  R36: code('credit', 'nextDelivery', 'Improper credit entry'),
  R37: code('debit', sixtyDays, 'Source document presented for payment'),
  R38: code('debit', sixtyDays, 'Stop payment on the source document'),
  R39: code('debit', twoDays, 'Improper source document'),
  ...Object.fromEntries(
    [40, 41, 42, 43, 44, 45, 46, 47].map((number) => [
      `R${number}`,
      code('both', 'agreed', 'Enrollment entry returned'),
    ]),
  ),
  R50: code('debit', twoDays, 'State law affecting the acceptance of represented checks'),
  R51: code('debit', sixtyDays, 'Represented check entry ineligible or improper'),
  R52: code('debit', sixtyDays, 'Stop payment on the represented check'),
  R53: code('debit', sixtyDays, 'Check and its entry presented for payment'),
  ...Object.fromEntries(
    [80, 81, 82, 83, 84, 85].map((number) => [`R${number}`, code('both', 'agreed', 'International entry returned')]),
  ),
  R90: code('both', 'agreed', 'Returned for sanctions'),
}

/** A return code, and its meaning if the code exists. */
export function returnInWords(code: string): { returnCode: string; returnReason?: string } {
  const known = Object.hasOwn(returnCodes, code) ? returnCodes[code] : undefined
  return { returnCode: code, ...(known && { returnReason: known.meaning }) }
}

const RETURN = 'Return '

/** The description of the transfer that a return makes. */
export function describeReturn(code: string): string {
  return RETURN + code
}

/** The code and its meaning in the description of a transfer; undefined if no return made the transfer. */
export function returnDescribed(description: string | null) {
  return description?.startsWith(RETURN) ? returnInWords(description.slice(RETURN.length)) : undefined
}

const toDishonour = { bankingDays: 5 }

/** Returns of returns, by the bank that sent the original entry. Time runs from the settlement of the return. */
export const dishonourCodes: Readonly<Record<string, ReturnCode>> = {
  R61: code('both', toDishonour, 'Misrouted return'),
  R62: code('both', toDishonour, 'Return of an erroneous or reversing debit'),
  R67: code('both', toDishonour, 'Duplicate return'),
  R68: code('both', toDishonour, 'Untimely return'),
  R69: code('both', toDishonour, 'Field errors in the return'),
  R70: code('both', toDishonour, 'Permissible return not accepted'),
}

/** Returns of dishonours, by the bank that made the return. Time runs from the settlement of the dishonour. */
export const contestCodes: Readonly<Record<string, ReturnCode>> = {
  R71: code('both', twoDays, 'Misrouted dishonored return'),
  R72: code('both', twoDays, 'Untimely dishonored return'),
  R73: code('both', twoDays, 'Timely original return'),
  R74: code('both', twoDays, 'Corrected return'),
  R75: code('both', twoDays, 'Return not a duplicate'),
  R76: code('both', twoDays, 'No errors found'),
  R77: code('both', twoDays, 'Dishonor with R62 not accepted'),
}

/** The changes that a notification can ask for. C08 and C14 are for IAT, C10 to C12 are obsolete. */
export const changeCodes: Readonly<Record<string, string>> = {
  C01: 'Account number',
  C02: 'Routing number',
  C03: 'Routing number and account number',
  C04: 'Name of the receiver',
  C05: 'Transaction code',
  C06: 'Account number and transaction code',
  C07: 'Routing number, account number and transaction code',
  C09: 'Individual id number',
  C13: 'Format of the addenda',
}

/** The codes that refuse a notification of change. */
export function isRefusalOfChange(code: string): boolean {
  return /^C6[1-9]$/.test(code)
}
