import type { AchFile, Addenda, Batch, Entry } from '../../../src/rails/ach/file.ts'
import { type Reading, readAchFile } from '../../../src/rails/ach/read-file.ts'
import { writeAchFile } from '../../../src/rails/ach/write-file.ts'

export const ownBank = '81234567'
export const otherBank = '02100002'

/** A file of Monday, 2 February 2026, to the operator. */
export function fileOf(batches: Batch[], header: Partial<AchFile['header']> = {}): AchFile {
  return {
    header: {
      destination: '061000146',
      origin: ' 812345678',
      createdOn: '2026-02-02',
      createdAt: '10:15',
      modifier: 'A',
      destinationName: 'OPERATOR',
      originName: 'PURSER',
      reference: '',
      ...header,
    },
    batches,
  }
}

/** Numbers batches and entries, the entries across the file. */
export function numbered(batches: Batch[]): Batch[] {
  let sequence = 0
  return batches.map((batch, index) => ({
    ...batch,
    number: index + 1,
    entries: batch.entries.map((entry) => ({
      ...entry,
      traceNumber: batch.bank + String(++sequence).padStart(7, '0'),
    })),
  }))
}

export function batchOf(entries: Entry[], changes: Partial<Batch> = {}): Batch {
  return {
    serviceClass: 220,
    companyName: 'NORTHWIND',
    companyData: '',
    companyId: '1555000111',
    secCode: 'PPD',
    description: 'WAGES',
    descriptiveDate: '',
    effectiveDate: '2026-02-03',
    settlementDay: '',
    originatorStatus: '1',
    bank: ownBank,
    number: 1,
    authentication: '',
    ...changes,
    entries,
  }
}

export function entryOf(changes: Partial<Entry> = {}): Entry {
  return {
    code: 22,
    routingNumber: '021000021',
    accountNumber: '4455667788',
    amount: 125_000,
    identification: '900001',
    name: 'MARY EXAMPLE',
    discretionary: '',
    traceNumber: `${ownBank}0000001`,
    addenda: null,
    ...changes,
  }
}

export const note: Addenda = { type: 'payment', text: 'Week 5' }

export const returned: Addenda = {
  ...{ type: 'return', code: 'R03', originalTrace: `${ownBank}0000001`, dateOfDeath: '' },
  ...{ originalBank: otherBank, information: '' },
}

export const changed: Addenda = {
  ...{ type: 'change', code: 'C01', originalTrace: `${ownBank}0000001`, originalBank: otherBank },
  correctedData: '5566778899',
}

/** A batch that another bank sends back to us. */
export function answerOf(entries: Partial<Entry>[], changes: Partial<Batch> = {}): Batch {
  const own = entries.map((each) => entryOf({ code: 21, routingNumber: '812345678', ...each }))
  return batchOf(own, { bank: otherBank, settlementDay: '035', ...changes })
}

/** Files of every kind of entry and addenda. */
export const samples: Record<string, AchFile> = {
  'two credits, one with an addenda': fileOf(
    numbered([batchOf([entryOf({ addenda: note }), entryOf({ code: 32, routingNumber: '011401533', amount: 1 })])]),
  ),
  'both sides in one batch, and another batch of debits': fileOf(
    numbered([
      batchOf([entryOf(), entryOf({ code: 27 }), entryOf({ code: 47 })], { serviceClass: 200, secCode: 'CCD' }),
      batchOf([entryOf({ code: 37, discretionary: 'R' })], { serviceClass: 225, secCode: 'WEB' }),
    ]),
  ),
  'a same-day debit by telephone': fileOf([
    batchOf([entryOf({ code: 27, discretionary: 'S', amount: 100_000_000 })], {
      ...{ serviceClass: 225, secCode: 'TEL', descriptiveDate: 'SD1700', effectiveDate: '2026-02-02' },
    }),
  ]),
  'prenotes and a zero-dollar entry': fileOf(
    numbered([
      batchOf(
        [23, 28, 33, 38, 43, 48, 53].map((code) => entryOf({ code, amount: 0 })),
        { serviceClass: 200 },
      ),
      batchOf([entryOf({ code: 24, amount: 0, addenda: note })], { secCode: 'CCD' }),
    ]),
  ),
  'returns of a credit, of a debit and of a prenote': fileOf(
    numbered([
      answerOf([{ addenda: returned }, { amount: 0, addenda: { ...returned, code: 'R04' } }]),
      answerOf(
        [{ code: 36, addenda: { ...returned, code: 'R15', dateOfDeath: '2026-01-30', information: 'ESTATE' } }],
        {
          ...{ serviceClass: 225, effectiveDate: '' },
        },
      ),
    ]),
  ),
  'notifications of change, one of them refused': fileOf(
    numbered([
      answerOf(
        [
          { amount: 0, addenda: changed },
          {
            amount: 0,
            addenda: { ...changed, type: 'refusedChange', code: 'C61', refusedCode: 'C01', refusedSequence: '0000009' },
          },
        ],
        { secCode: 'COR' },
      ),
    ]),
  ),
  'a dishonoured return and a contested one': fileOf(
    numbered([
      answerOf([
        {
          addenda: {
            ...{ type: 'dishonour', code: 'R68', originalTrace: `${ownBank}0000001`, originalBank: otherBank },
            ...{
              returnTrace: `${otherBank}0000004`,
              returnSettlementDay: '034',
              returnReason: '03',
              information: 'LATE',
            },
          },
        },
        {
          addenda: {
            ...{ type: 'contest', code: 'R73', originalTrace: `${ownBank}0000001`, originalBank: otherBank },
            ...{ returnedOn: '2026-02-03', originalSettlementDay: '033', returnTrace: `${otherBank}0000004` },
            ...{ returnSettlementDay: '034', returnReason: '03', dishonourTrace: `${ownBank}0000007` },
            ...{ dishonourSettlementDay: '036', dishonourReason: '68' },
          },
        },
      ]),
    ]),
  ),
  'a reversal of a credit to a loan': fileOf([
    batchOf([entryOf({ code: 55 })], { serviceClass: 225, description: 'REVERSAL' }),
  ]),
  'credits to general ledger and loan accounts': fileOf(
    numbered([batchOf([entryOf({ code: 42 }), entryOf({ code: 52 })])]),
  ),
}

/** The text of a file that can be written. */
export function textOf(file: AchFile): string {
  const { bytes, findings } = writeAchFile(file)
  if (!bytes) throw new Error(JSON.stringify(findings))
  return Buffer.from(bytes).toString('latin1')
}

export function readText(text: string): Reading {
  return readAchFile(Buffer.from(text))
}

/** The text with the characters of a line replaced from a column on. */
export function replaced(text: string, line: number, column: number, by: string): string {
  const lines = text.split('\n')
  const old = lines[line - 1] ?? ''
  lines[line - 1] = old.slice(0, column - 1) + by + old.slice(column - 1 + by.length)
  return lines.join('\n')
}
