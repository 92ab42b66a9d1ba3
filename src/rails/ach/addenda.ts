import { changeCodes, contestCodes, dishonourCodes, isRefusalOfChange, returnCodes } from './codes.ts'
import { correctionOf } from './corrections.ts'
import type { Addenda } from './file.ts'
import { addFault, addWarning, type Findings } from './findings.ts'
import {
  changeAddenda,
  contestAddenda,
  dishonourAddenda,
  paymentAddenda,
  refusedChangeAddenda,
  returnAddenda,
  terminalAddenda,
} from './layouts.ts'
import { type Layout, readRecord, shown, writeFields } from './record.ts'

const layouts: Record<Addenda['type'], Layout> = {
  payment: paymentAddenda,
  terminal: terminalAddenda,
  change: changeAddenda,
  refusedChange: refusedChangeAddenda,
  return: returnAddenda,
  dishonour: dishonourAddenda,
  contest: contestAddenda,
}

/** An addenda of a file that is being read. */
export interface ReadAddenda {
  line: number
  /** Undefined if the line cannot be read. */
  type: Addenda['type'] | undefined
  /** Complete if the line has no fault. */
  content: Addenda | undefined
  /** The number of an addenda 05. */
  number: number | undefined
  /** The trace number of the entry, or its last seven digits. */
  entryTrace: string | undefined
}

export function readAddenda(content: string | undefined, line: number, findings: Findings): ReadAddenda {
  const type = content === undefined ? undefined : typeOf(content, line, findings)
  if (content === undefined || type === undefined) {
    return { line, type, content: undefined, number: undefined, entryTrace: undefined }
  }
  const { number, entrySequence, entryTrace, ...rest } = readRecord(layouts[type], content, line, findings)
  const read = { type, ...rest } as Addenda
  if (read.type === 'change') checkCorrection(read, line, findings)
  const trace = (entryTrace ?? entrySequence) as string | undefined
  return { line, type, content: read, number: number as number | undefined, entryTrace: trace }
}

function typeOf(content: string, line: number, findings: Findings): Addenda['type'] | undefined {
  const kind = content.slice(1, 3)
  const code = content.slice(3, 6)
  if (kind === '05') return 'payment'
  if (kind === '02') return 'terminal'
  if (kind === '98') {
    if (Object.hasOwn(changeCodes, code)) return 'change'
    if (isRefusalOfChange(code)) return 'refusedChange'
    addFault(findings, { line, column: 4 }, 'change_code', `change code ${shown(code)} does not exist`)
  } else if (kind === '99') {
    if (Object.hasOwn(returnCodes, code)) return 'return'
    if (Object.hasOwn(dishonourCodes, code)) return 'dishonour'
    if (Object.hasOwn(contestCodes, code)) return 'contest'
    addFault(findings, { line, column: 4 }, 'return_code', `return code ${shown(code)} does not exist`)
  } else addFault(findings, { line, column: 2 }, 'addenda_type', `addenda type ${shown(kind)} does not exist`)
  return undefined
}

function checkCorrection(
  { code, correctedData }: Partial<Addenda & { type: 'change' }>,
  line: number,
  findings: Findings,
): void {
  // C13 asks for another format of the addenda and names no value.
  if (code === undefined || correctedData === undefined || code === 'C13') return
  const place = { line, column: 36 }
  if (correctedData === '') addFault(findings, place, 'corrected_data', `${code} has no corrected data`)
  else if (!correctionOf(code, correctedData)) {
    addWarning(findings, place, 'corrected_data_form', `${shown(correctedData)} does not have the form of ${code}`)
  }
}

/** Writes an addenda of an entry with its number. */
export function writeAddenda(
  addenda: Addenda,
  { traceNumber, number }: { traceNumber: string; number: number },
  line: number,
  findings: Findings,
): string {
  const { type, ...content } = addenda
  const own = { number, entrySequence: traceNumber.slice(-7), entryTrace: traceNumber }
  return writeFields(layouts[type], { ...content, ...own }, line, findings)
}
