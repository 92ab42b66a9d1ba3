import { hasRoutingChecksum } from '../../base/routing-number.ts'
import type { ReadAddenda } from './addenda.ts'
import { isBankingDay } from './calendar.ts'
import { entryClasses, type TransactionCode, transactionCode } from './codes.ts'
import { isReversal } from './file.ts'
import { addFault, addWarning, type FaultCode } from './findings.ts'
import type { batchControl } from './layouts.ts'
import type { OpenBatch, OpenEntry, Reader } from './read-file.ts'
import { type Read, shown } from './record.ts'
import { reservedWordIn } from './reserved-words.ts'

/** The side of all entries of a batch, by service class. */
const sides: ReadonlyMap<number, TransactionCode['side'] | 'both'> = new Map([
  [200, 'both'],
  [220, 'credit'],
  [225, 'debit'],
])

/** The rules of a batch header by itself. Of one whose SEC code is not read, only the code is a fault. */
export function checkBatchHeader(reader: Reader, { header, line, form }: OpenBatch): void {
  const fault = (column: number, code: FaultCode, text: string) =>
    addFault(reader.findings, { line, column }, code, text)
  const { serviceClass, secCode, settlementDay, originatorStatus, number } = header
  if (form !== 'read') {
    fault(51, 'sec_code', `SEC code is ${shown(secCode ?? '')}, not one of ${[...entryClasses.keys()].join(', ')}`)
  } else {
    if (serviceClass !== undefined && !sides.has(serviceClass)) {
      fault(2, 'service_class', `service class is ${serviceClass}, not one of ${[...sides.keys()].join(', ')}`)
    }
    if (settlementDay && !isDayNumber(settlementDay)) fault(76, 'bad_day', `settlement day is ${shown(settlementDay)}`)
    if (originatorStatus !== undefined && !'012'.includes(originatorStatus)) {
      fault(79, 'originator_status', `originator status is ${shown(originatorStatus)}`)
    }
  }
  if (number === undefined) return
  if (number <= reader.lastBatchNumber) {
    fault(88, 'batch_number', `batch number ${number} is not above ${reader.lastBatchNumber}`)
  }
  reader.lastBatchNumber = Math.max(number, reader.lastBatchNumber)
}

function isDayNumber(digits: string): boolean {
  return Number(digits) >= 1 && Number(digits) <= 366
}

/** The rules of an entry and its addenda, in its batch. */
export function checkEntry(reader: Reader, batch: OpenBatch, entry: OpenEntry): void {
  const { code, routingNumber } = entry.values
  const meaning = code === undefined ? undefined : transactionCode(code)
  const fault = faultIn(reader, entry)
  if (code !== undefined && !meaning) {
    fault(2, 'transaction_code', `transaction code ${code} does not exist`)
    batch.isUncertain = true
  }
  if (routingNumber !== undefined && !hasRoutingChecksum(routingNumber)) {
    fault(12, 'routing_checksum', `check digit of ${shown(routingNumber)} is wrong`)
  }
  checkTrace(reader, batch, entry)
  if (meaning) {
    checkSide(reader, batch, entry, meaning)
    checkAmount(reader, batch, entry, meaning)
    if (meaning.kind !== 'return') checkForward(reader, batch, entry)
  }
  checkAddenda(reader, batch, entry, meaning)
}

function faultIn({ findings }: Reader, { line }: { line: number }) {
  return (column: number, code: FaultCode, text: string) => addFault(findings, { line, column }, code, text)
}

function checkTrace(reader: Reader, batch: OpenBatch, entry: OpenEntry): void {
  const { traceNumber } = entry.values
  if (traceNumber === undefined) return
  const fault = faultIn(reader, entry)
  const { bank } = batch.header
  if (bank !== undefined && !traceNumber.startsWith(bank)) {
    fault(80, 'trace_bank', `trace number ${traceNumber} does not begin with ${bank}, the bank of the batch`)
  }
  if (reader.traces.has(traceNumber)) fault(80, 'trace_duplicate', `trace number ${traceNumber} occurs before`)
  else if (traceNumber < batch.lastTrace) {
    fault(80, 'trace_order', `trace number ${traceNumber} is below ${batch.lastTrace}, the one before`)
  }
  reader.traces.add(traceNumber)
  batch.lastTrace = traceNumber
}

function checkSide(reader: Reader, { header }: OpenBatch, entry: OpenEntry, meaning: TransactionCode): void {
  const fault = faultIn(reader, entry)
  const { code, side, account } = meaning
  const { serviceClass = 200, secCode, description = '' } = header
  const allowed = sides.get(serviceClass) ?? 'both'
  if (allowed !== 'both' && side !== allowed) {
    fault(2, 'service_class_side', `transaction code ${code} is a ${side}, service class ${serviceClass} has none`)
  }
  if (isReversal(description) || meaning.kind === 'return') return
  const { side: only = side } = entryClasses.get(secCode ?? '') ?? {}
  if (side !== only) fault(2, 'sec_side', `${secCode} has ${side}s in a reversal only`)
  if (account === 'Loan' && side === 'debit') fault(2, 'sec_side', 'a loan is debited in a reversal only')
}

function checkAmount(reader: Reader, { header }: OpenBatch, entry: OpenEntry, { code, kind }: TransactionCode): void {
  const { amount } = entry.values
  if (amount === undefined) return
  const fault = faultIn(reader, entry)
  const mustBeZero = kind === 'prenote' || kind === 'zeroDollar' || header.secCode === 'COR'
  if (mustBeZero && amount > 0) {
    const name = header.secCode === 'COR' ? 'SEC code COR' : `transaction code ${code}`
    fault(30, 'amount_not_zero', `amount is ${amount}, with ${name} it must be zero`)
  }
  if (kind === 'live' && amount === 0) fault(30, 'amount_zero', `amount with transaction code ${code} is zero`)
}

/** The rules of entries that are neither returns nor notifications of change. */
function checkForward(reader: Reader, { header }: OpenBatch, entry: OpenEntry): void {
  const { findings, limits } = reader
  const { name, discretionary, amount } = entry.values
  const { secCode } = header
  if (secCode === 'COR') faultIn(reader, entry)(2, 'transaction_code', 'COR has codes of notifications of change only')
  if (name === '' && entryClasses.get(secCode ?? '')?.isNamed)
    faultIn(reader, entry)(55, 'blank_field', 'name is blank')
  if ((secCode === 'WEB' || secCode === 'TEL') && discretionary !== undefined && !/^[SR]$/.test(discretionary)) {
    const text = `payment type is ${shown(discretionary)}, neither S nor R`
    addWarning(findings, { line: entry.line, column: 77 }, 'payment_type', text)
  }
  if (amount !== undefined && amount > limits.sameDayLimit && isSameDay(reader, header)) {
    const text = `same-day amount ${amount} is over the limit of ${limits.sameDayLimit}`
    addWarning(findings, { line: entry.line, column: 30 }, 'same_day_limit', text)
  }
}

/** A batch asks for same-day settlement by its descriptive date, or by an effective date that is not after the file's. */
function isSameDay(
  reader: Reader,
  { descriptiveDate = '', effectiveDate, settlementDay }: OpenBatch['header'],
): boolean {
  if (/^SD\d{4}$/.test(descriptiveDate)) return true
  const created = reader.header?.createdOn
  return Boolean(effectiveDate && created && effectiveDate <= created && settlementDay === '')
}

type Kinds = readonly (ReadAddenda['type'] | undefined)[]

const RETURNS: Kinds = ['return', 'dishonour', 'contest']
const CHANGES: Kinds = ['change', 'refusedChange']

function checkAddenda(reader: Reader, batch: OpenBatch, entry: OpenEntry, meaning: TransactionCode | undefined): void {
  const { addenda, values } = entry
  const fault = faultIn(reader, entry)
  const { addendaIndicator } = values
  const expected = addenda.length > 0 ? '1' : '0'
  if (addendaIndicator !== undefined && addendaIndicator !== expected) {
    const follow = addenda.length === 0 ? 'no addenda follow' : 'addenda follow'
    fault(79, 'addenda_indicator', `addenda indicator is ${addendaIndicator}, and ${follow}`)
  }
  if (meaning?.kind === 'return' && addenda.length === 0) {
    fault(2, 'addenda_type', `transaction code ${meaning.code} needs an addenda 98 or 99`)
  }
  const isForward = meaning?.kind !== 'return'
  checkNumberOfAddenda(reader, batch, entry, isForward)
  for (const [index, each] of addenda.entries()) {
    const most = isForward ? Math.max(1, entryClasses.get(batch.header.secCode ?? '')?.maxAddenda ?? 1) : 1
    if (index === most) faultIn(reader, each)(1, 'addenda_count', `an entry has ${most} addenda at most`)
    checkAddendaTrace(reader, entry, each, index + 1)
    if (each.type !== undefined && meaning) checkAddendaType(reader, batch, each, meaning)
  }
}

/** A CTX entry says how many addenda follow it. A return repeats that number, and has one. */
function checkNumberOfAddenda(reader: Reader, { header }: OpenBatch, entry: OpenEntry, isForward: boolean): void {
  const { addenda, values } = entry
  if (header.secCode !== 'CTX' || !isForward || values.name === undefined) return
  const stated = values.name.slice(0, 4)
  if (/^\d{4}$/.test(stated) && Number(stated) === addenda.length) return
  faultIn(reader, entry)(55, 'addenda_count', `number of addenda is ${shown(stated)}, and ${addenda.length} follow`)
}

function checkAddendaTrace(reader: Reader, { values }: OpenEntry, addenda: ReadAddenda, number: number): void {
  const fault = faultIn(reader, addenda)
  if (addenda.number !== undefined && addenda.number !== number) {
    fault(84, 'addenda_number', `addenda number is ${addenda.number}, must be ${number}`)
  }
  const { entryTrace, type } = addenda
  if (entryTrace === undefined || values.traceNumber?.endsWith(entryTrace) !== false) return
  const text = `addenda names the entry ${entryTrace}, and follows ${values.traceNumber}`
  if (type === 'change') addWarning(reader.findings, { line: addenda.line, column: 80 }, 'change_trace', text)
  else fault(type === 'payment' ? 88 : 80, 'addenda_trace', text)
}

function checkAddendaType(reader: Reader, { header }: OpenBatch, addenda: ReadAddenda, meaning: TransactionCode): void {
  const fault = faultIn(reader, addenda)
  const { type } = addenda
  if (type === undefined) return
  const { secCode } = header
  const isReturn = RETURNS.includes(type)
  if ((isReturn || CHANGES.includes(type)) && meaning.kind !== 'return') {
    fault(2, 'forward_code', `transaction code ${meaning.code} of the entry is not one of a return`)
    return
  }
  const forward = entryClasses.get(secCode ?? '')?.addenda
  const allowed: Kinds = meaning.kind !== 'return' ? [forward] : secCode === 'COR' ? CHANGES : RETURNS
  if (!allowed.includes(type)) {
    fault(2, 'addenda_type', `addenda type is not allowed with ${secCode} and transaction code ${meaning.code}`)
  }
}

/** The rules of a batch that need all of its entries. */
export function checkBatchEnd(reader: Reader, batch: OpenBatch): void {
  const { header, line, entries, spoiled } = batch
  if (entries.length === 0 && !spoiled) faultIn(reader, { line })(1, 'empty_batch', 'the batch has no entries')
  const hasForward = entries.some(({ values }) => transactionCode(values.code ?? 0)?.kind !== 'return')
  // Returns and notifications of change repeat the description and the date of the entry that they answer.
  if (!hasForward) return
  checkReservedWord(reader, batch)
  if (header.effectiveDate === undefined) return
  if (header.effectiveDate === '') faultIn(reader, batch)(70, 'blank_field', 'effective date is blank')
  else if (!isBankingDay(header.effectiveDate)) {
    const text = `effective date ${header.effectiveDate} is no banking day`
    addWarning(reader.findings, { line, column: 70 }, 'closed_day', text)
  }
}

/** A batch of both sides may have the words of each. */
function checkReservedWord(reader: Reader, { header, line }: OpenBatch): void {
  const { description = '', secCode = '', serviceClass = 200 } = header
  const allowed = sides.get(serviceClass) ?? 'both'
  const found = (['credit', 'debit'] as const)
    .filter((side) => allowed === 'both' || allowed === side)
    .map((side) => reservedWordIn(description, { secCode, side }))
  if (!found[0] || found.some((each) => each?.isAllowed)) return
  const text = `${found[0].word} is reserved, and not for ${allowed === 'both' ? 'entries' : `${allowed}s`} of ${secCode}`
  addWarning(reader.findings, { line, column: 54 }, 'reserved_word', text)
}

export function checkBatchControl(reader: Reader, batch: OpenBatch, control: Partial<Read<typeof batchControl>>): void {
  const { line } = reader
  const { header, totals } = batch
  const same = <T>(column: number, code: FaultCode, stated: T | undefined, right: T | undefined, noun: string) => {
    if (stated === undefined || right === undefined || stated === right) return
    const other = code === 'batch_mismatch' ? 'in the batch header' : 'by the entries'
    faultIn(reader, { line })(column, code, `${noun} is ${stated} in the batch control, and ${right} ${other}`)
  }
  same(2, 'batch_mismatch', control.serviceClass, header.serviceClass, 'service class')
  // Some banks justify it to the right in one of the two records, and leave it out after IAT entries.
  const companyId = control.companyId?.trim()
  if (companyId || batch.form === 'read') {
    same(45, 'batch_mismatch', companyId, header.companyId?.trim(), 'company id')
  }
  same(80, 'batch_mismatch', control.bank, header.bank, 'bank')
  same(88, 'batch_mismatch', control.number, header.number, 'batch number')
  // The side of a transaction code that does not exist is a guess, which the totals confirm or not.
  batch.spoiled ||= batch.isUncertain && (control.debits !== totals.debits || control.credits !== totals.credits)
  if (batch.spoiled) return
  same(5, 'entry_count', control.entryCount, totals.entryCount, 'number of entries and addenda')
  same(11, 'entry_hash', control.entryHash, totals.entryHash, 'entry hash')
  same(21, 'debit_total', control.debits, totals.debits, 'total of debits')
  same(33, 'credit_total', control.credits, totals.credits, 'total of credits')
}
