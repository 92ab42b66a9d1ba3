import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileOf, ownBank } from '../../../test/support/rails/ach-files.ts'
import { seedOfTest } from '../../../test/support/random.ts'
import { checkDigitOf } from '../../base/routing-number.ts'
import { batchesOf, type OutgoingPayment } from './batching.ts'
import type { Batch } from './file.ts'
import { folded, plainText } from './plain-text.ts'
import { readAchFile } from './read-file.ts'
import { writeAchFile } from './write-file.ts'

const routingNumber = fc
  .integer({ min: 0, max: 99_999_999 })
  .map((number) => String(number).padStart(8, '0'))
  .map((bank) => bank + checkDigitOf(bank))

const payment: fc.Arbitrary<OutgoingPayment> = fc.record({
  ...{ id: fc.integer({ min: 1, max: 10 ** 14 }).map(String), amount: fc.integer({ min: 1, max: 9_999_999_999 }) },
  side: fc.constantFrom('credit' as const, 'debit' as const),
  companyName: fc.constantFrom('Northwind', 'Söder & Möller Handels-Gesellschaft', '東京'),
  companyId: fc.constantFrom('1555000111', '9-BANK'),
  description: fc.oneof(fc.constantFrom('WAGES', 'Rent'), fc.string({ unit: 'grapheme' })),
  addenda: fc.string({ unit: 'grapheme', maxLength: 120 }),
  ...{ effectiveDate: fc.constantFrom('2026-02-03', '2026-02-04'), descriptiveDate: fc.constant('') },
  receiver: fc.record({
    name: fc.string({ unit: 'grapheme' }),
    type: fc.constantFrom('Person' as const, 'Business' as const, 'Unknown' as const),
    accountType: fc.constantFrom('Checking' as const, 'Savings' as const),
    routingNumber,
    accountNumber: fc.integer({ min: 1_000, max: 10 ** 15 }).map(String),
  }),
  sequence: fc.constant(0),
})

test('drawn payments become files that pass the check, and reading them gives the payments back', () => {
  fc.assert(
    fc.property(fc.array(payment, { minLength: 1, maxLength: 30 }), (drawn) => {
      const payments = drawn.map((each, index) => ({ ...each, sequence: 9_999_000 - index * 7 }))
      const files = batchesOf(payments, ownBank)
      const read = files.flatMap((batches) => {
        const { bytes, findings } = writeAchFile(fileOf(batches))
        expect(findings).toBeNull()
        const reading = readAchFile(bytes as Uint8Array)
        expect(reading).toMatchObject({ faults: [], warnings: [], file: fileOf(batches) })
        return reading.file?.batches ?? []
      })
      expect(read.flatMap(paymentsIn).toSorted(bySequence)).toEqual(payments.map(asWritten).toSorted(bySequence))
      expect(new Set(files.flat().map(keyOf)).size).toBe(files.flat().length)
    }),
    { seed: seedOfTest(), numRuns: 150 },
  )
})

/** The payments of a batch that was read, as `asWritten` describes them. */
function paymentsIn(batch: Batch) {
  return batch.entries.map((entry) => ({
    sequence: Number(entry.traceNumber.slice(8)),
    ...{ id: entry.identification, amount: entry.amount, side: entry.code % 10 < 5 ? 'credit' : 'debit' },
    ...{ companyName: batch.companyName, companyId: batch.companyId, description: batch.description },
    ...{ secCode: batch.secCode, effectiveDate: batch.effectiveDate, name: entry.name },
    addenda: entry.addenda?.type === 'payment' ? entry.addenda.text : '',
    ...{ routingNumber: entry.routingNumber, accountNumber: entry.accountNumber },
    accountType: Math.floor(entry.code / 10) === 2 ? 'Checking' : 'Savings',
  }))
}

function asWritten({ receiver, addenda = '', ...payment }: OutgoingPayment): ReturnType<typeof paymentsIn>[number] {
  return {
    sequence: payment.sequence,
    ...{ id: payment.id, amount: payment.amount, side: payment.side },
    companyName: plainText(payment.companyName, 16),
    companyId: payment.companyId,
    description: plainText(payment.description, 10),
    secCode: receiver.type === 'Business' ? 'CCD' : 'PPD',
    ...{ effectiveDate: payment.effectiveDate, name: plainText(receiver.name, 22), addenda: folded(addenda, 80) },
    ...{ routingNumber: receiver.routingNumber, accountNumber: receiver.accountNumber },
    accountType: receiver.accountType,
  }
}

const bySequence = (a: { sequence: number }, b: { sequence: number }) => a.sequence - b.sequence

function keyOf({ companyName, companyId, secCode, description, effectiveDate, serviceClass }: Batch): string {
  return JSON.stringify([companyName, companyId, secCode, description, effectiveDate, serviceClass])
}

const [sample] = fc.sample(payment, { numRuns: 1, seed: 1 }) as [OutgoingPayment]

test('a batch whose total would not fit is split, and so is a file', () => {
  const large = Array.from({ length: 250 }, (_, sequence) => ({ ...sample, amount: 9_999_999_999, sequence }))
  const files = batchesOf(large, ownBank)
  expect(files.map((batches) => batches.map(({ number, entries }) => [number, entries.length]))).toEqual([
    [[1, 100]],
    [[1, 100]],
    [[1, 50]],
  ])
  for (const batches of files) expect(writeAchFile(fileOf(batches)).findings).toBeNull()
})

test('WEB and TEL are single payments, TEL has no addenda, and a debit of a loan is no payment', () => {
  const of = (secCode: 'WEB' | 'TEL') => batchesOf([{ ...sample, secCode, addenda: 'x' }], ownBank)[0]?.[0]?.entries[0]
  expect(of('WEB')).toMatchObject({ discretionary: 'S', addenda: { text: 'x' } })
  expect(of('TEL')).toMatchObject({ discretionary: 'S', addenda: null })
  const receiver = { ...sample.receiver, accountType: 'Loan' as const }
  expect(batchesOf([{ ...sample, side: 'credit', receiver }], ownBank)[0]?.[0]?.entries[0]?.code).toBe(52)
})

test.each([
  ['Łódź – “Straße”', 'Lodz - "Strasse"'],
  ['Søren Ægir', 'Soren AEgir'],
  ['a\tb\n\nc', 'a b c'],
  ['😀😀', 'PAYMENT'],
  ['  ', 'PAYMENT'],
  ['1234567890123456789012345', '1234567890123456789012'],
])('%s in ASCII is %s', (text, plain) => expect(plainText(text, 22)).toBe(plain))

test('a value that does not fit its field is refused with its place', () => {
  const [batches = []] = batchesOf([{ ...sample, sequence: 1 }], ownBank)
  const faults = (change: object) => {
    const entry = { ...batches[0]?.entries[0], ...change } as Batch['entries'][number]
    const { findings } = writeAchFile(fileOf([{ ...(batches[0] as Batch), entries: [entry] }]))
    return findings?.map(({ line, column, code }) => `${line}:${column} ${code}`)
  }
  expect(faults({ name: 'x'.repeat(23) })).toEqual(['3:55 does_not_fit'])
  expect(faults({ name: 'Zoë' })).toEqual(['3:55 does_not_fit'])
  expect(faults({ amount: 10_000_000_000 })).toContain('3:30 does_not_fit')
  for (const amount of [-1, 0.5, Number.NaN]) expect(faults({ amount })).toContain('3:30 does_not_fit')
  expect(faults({ routingNumber: '12345678' })).toEqual(['3:4 does_not_fit'])
  expect(faults({ accountNumber: '' })).toEqual(['3:13 blank_field'])
})
