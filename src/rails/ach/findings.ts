/** Faults make a file invalid, warnings do not. The codes are stable; docs/ach.md lists them. */
const faultCodes = {
  empty_file: 'The file has no records',
  not_text: 'The file is binary, not text',
  line_length: 'A line has more than 94 characters. A shorter line is padded with blanks',
  record_type: 'A line begins with a character that is not a record type',
  record_order: 'A record is not allowed in this place',
  missing_record: 'The file header, a batch control or the file control is missing',
  bad_constant: 'A field that is the same in every file has another value',
  blank_field: 'A mandatory field is blank',
  bad_character: 'A text has a character that is not printable',
  bad_number: 'A field of digits has another character or a blank',
  bad_date: 'A date does not exist in the calendar',
  bad_time: 'A time does not exist on the clock',
  bad_day: 'A settlement day is not between 001 and 366',
  file_id_modifier: 'The file id modifier is neither A–Z nor 0–9',
  routing_checksum: 'A routing number fails its checksum',
  service_class: 'The service class is not 200, 220 or 225',
  service_class_side: 'A batch of credits only has a debit, or a batch of debits only a credit',
  sec_code: 'The SEC code is not PPD, CCD, WEB, TEL, CTX, CIE, POS, ARC, BOC, POP, RCK, XCK or COR',
  sec_side: 'The SEC code or the account type does not allow this side, except in a reversal',
  originator_status: 'The originator status is not 0, 1 or 2',
  transaction_code: 'The transaction code does not exist, or not with this SEC code',
  amount_zero: 'The amount of a live entry is zero',
  amount_not_zero: 'The amount of a prenote, a zero-dollar entry or a notification of change is not zero',
  trace_bank: 'A trace number does not begin with the bank of its batch',
  trace_order: 'Trace numbers do not rise within a batch',
  trace_duplicate: 'A trace number occurs twice in the file',
  addenda_indicator: 'The addenda indicator does not match the addenda that follow',
  addenda_type: 'The addenda type does not exist, or not with this entry',
  addenda_count: 'An entry has more addenda than its SEC code allows, or a CTX entry names another number of them',
  addenda_number: 'Addenda are not numbered from 1',
  addenda_trace: 'An addenda names another entry than the one before it',
  forward_code: 'A return has the transaction code of a forward entry',
  return_code: 'The return code does not exist',
  change_code: 'The change code does not exist',
  corrected_data: 'A notification of change has no corrected data',
  batch_number: 'Batch numbers do not rise within the file',
  batch_mismatch: 'A batch control differs from its batch header',
  empty_batch: 'A batch has no entries',
  no_batches: 'The file has no batches',
  batch_count: 'The batch count does not match the file',
  block_count: 'The block count does not match the lines of the file',
  entry_count: 'The number of entries and addenda does not match',
  entry_hash: 'The entry hash does not match',
  debit_total: 'The total of debits does not match',
  credit_total: 'The total of credits does not match',
  does_not_fit: 'A value that is to be written does not fit its field',
} as const

const warningCodes = {
  same_day_limit: 'A same-day entry is over the limit, so it settles on the next banking day',
  closed_day: 'The effective entry date is not a banking day',
  payment_type: 'A WEB or TEL entry does not say whether it is single (S) or recurring (R)',
  reserved_word: 'The entry description is a word that the rules reserve for other entries',
  not_ascii: 'A text has a letter outside ASCII, which is read as one character and never written',
  reserved_field: 'A reserved field is not blank; its content is ignored',
  change_trace: 'The addenda of a notification of change names another entry; it belongs to the one before it',
  corrected_data_form: 'Corrected data does not have the form of its change code',
} as const

export type FaultCode = keyof typeof faultCodes
export type WarningCode = keyof typeof warningCodes

export interface Finding<Code = FaultCode | WarningCode> {
  /** From 1. In a file without line ends it is the number of the record. */
  line: number
  /** The column of the field or the character, from 1. */
  column: number
  code: Code
  text: string
}

export interface Findings {
  faults: Finding<FaultCode>[]
  warnings: Finding<WarningCode>[]
  /** Whether there may be more findings: reading stops at the limit of faults. */
  truncated: boolean
}

/** Findings that are kept. Without a limit, the faults of a large file of garbage need more memory than the file. */
export const MAX_FINDINGS = 10_000

export const explanations: Record<'fault' | 'warning', Readonly<Record<string, string>>> = {
  fault: faultCodes,
  warning: warningCodes,
}

export function noFindings(): Findings {
  return { faults: [], warnings: [], truncated: false }
}

/** A place in a file. */
export type Place = Pick<Finding, 'line' | 'column'>

export function addFault(findings: Findings, { line, column }: Place, code: FaultCode, text: string): void {
  add(findings, findings.faults, { line, column, code, text })
}

export function addWarning(findings: Findings, { line, column }: Place, code: WarningCode, text: string): void {
  add(findings, findings.warnings, { line, column, code, text })
}

function add<Code>(findings: Findings, list: Finding<Code>[], finding: Finding<Code>): void {
  if (list.length < MAX_FINDINGS) list.push(finding)
  else findings.truncated = true
}

/** The findings in the order of the file. A batch is judged when it ends, so they are found in another. */
export function inOrder({ faults, warnings, truncated }: Findings): Findings {
  const byPlace = (a: Finding, b: Finding) => a.line - b.line || a.column - b.column
  return { faults: faults.toSorted(byPlace), warnings: warnings.toSorted(byPlace), truncated }
}
