import type { Steps } from '../../base/pace.ts'
import type { AchFile, Batch, Entry } from './file.ts'
import type { FaultCode, Finding, Findings } from './findings.ts'
import type { OpenBatch, OpenEntry, Reader } from './read-file.ts'

type Fault = Finding<FaultCode>

/** Faults in the lines of a batch that let its end or its content be in doubt. */
const FRAMING: ReadonlySet<FaultCode> = new Set(['missing_record', 'empty_batch'])

/**
 * The faults because of which the framing of a file cannot be trusted: lengths, the order of records, the file header and
 * controls. A fault in a batch header or an entry concerns the entries there alone, as long as all totals agree.
 */
export function untrustedBy({ batches, spoiled }: Reader, { faults, truncated }: Findings): Fault[] {
  if (faults.length === 0) return []
  const own = new Set(batches.flatMap(({ line, entries }) => [line, ...entries.flatMap(linesOf)]))
  const found = faults.filter(({ line, code }) => !own.has(line) || FRAMING.has(code))
  return found.length === 0 && (spoiled || truncated) ? faults : found
}

function linesOf({ line, addenda }: OpenEntry): number[] {
  return [line, ...addenda.map((each) => each.line)]
}

/** Entries of a step. */
const STEP = 100

/** The file of a reading whose framing can be trusted. Entries with faults are marked; all others are complete. */
export function* readFileOf({ header, batches }: Reader, faults: Fault[]): Steps<AchFile> {
  const byLine = new Map(faults.toReversed().map((fault) => [fault.line, fault]))
  const read: Batch[] = []
  for (const open of batches) {
    const batch: Batch = { ...blankHeader, ...open.header, authentication: open.authentication, entries: [] }
    const ofBatch = byLine.get(open.line)
    for (const entry of open.entries) {
      const fault = ofBatch ?? linesOf(entry).flatMap((line) => byLine.get(line) ?? [])[0]
      batch.entries.push(fault ? refusedEntry(open, entry, fault) : entryOf(entry))
      if (batch.entries.length % STEP === 0) yield
    }
    read.push(batch)
  }
  return { header: header as AchFile['header'], batches: read }
}

function entryOf({ values, addenda }: OpenEntry): Entry {
  const { addendaIndicator: _, ...content } = values as Required<typeof values>
  const [first, ...further] = addenda.flatMap(({ content: each }) => each ?? [])
  return { ...content, addenda: first ?? null, ...(further.length > 0 && { further }) }
}

const blankHeader = {
  ...{ serviceClass: 200, companyName: '', companyData: '', companyId: '', secCode: '', description: '' },
  ...{ descriptiveDate: '', effectiveDate: '', settlementDay: '', originatorStatus: '', bank: '', number: 0 },
}

const blankEntry = {
  ...{ code: 0, routingNumber: '', accountNumber: '', amount: 0, identification: '', name: '', discretionary: '' },
  ...{ traceNumber: '' },
}

function refusedEntry({ form, header }: OpenBatch, { line, values, addenda }: OpenEntry, fault: Fault): Entry {
  const { addendaIndicator: _, ...content } = { ...blankEntry, ...values }
  const { traceNumber, amount } = content
  const ofTrace = traceNumber === '' ? '' : `, trace ${traceNumber}`
  const refused =
    form === 'read'
      ? { kind: 'invalid' as const, reason: `${fault.line}:${fault.column} ${fault.code}: ${fault.text}` }
      : { kind: 'unsupported' as const, reason: `${header.secCode} entry in line ${line}${ofTrace}` }
  return {
    ...content,
    // An advice names money that was settled otherwise.
    ...(form === 'advices' && { amount: 0 }),
    addenda: null,
    refused: {
      ...refused,
      ...(form === 'advices' && { reason: `${refused.reason}, advice of ${amount} cents` }),
      addendaLines: addenda.length,
    },
  }
}
