import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderingOf } from '../../src/bank/ach/file-bytes.ts'
import type { LedgerPayment } from '../../src/bank/records/records.ts'
import { atOnce } from '../../src/base/pace.ts'
import { readAchFile } from '../../src/rails/ach/read-file.ts'
import { testAch } from '../support/rails/ach.ts'
import { seedOfTest } from '../support/random.ts'

const runs = process.env.SOAK ? 2_000 : 100
const routingNumbers = ['021000021', '061000146', '812345678', '011401533']

const text = (minLength: number, maxLength: number) =>
  fc.string({ unit: 'grapheme', minLength, maxLength }).filter((each) => each.trim() !== '')

const payment = fc.record({
  organisationId: fc.constantFrom(1, 2),
  direction: fc.constantFrom('Credit', 'Debit'),
  amount: fc.integer({ min: 1, max: 9_999_999_999 }),
  sameDay: fc.boolean(),
  secCode: fc.constantFrom('PPD', 'CCD', 'WEB', 'TEL'),
  description: text(1, 10),
  addenda: fc.option(text(1, 80)),
  name: text(1, 100),
  accountType: fc.constantFrom('Checking', 'Savings'),
  accountNumber: fc.stringMatching(/^\d{4,17}$/),
  routingNumber: fc.constantFrom(...routingNumbers),
})

test('drawn payments become a file without a fault, which reads back as the payments', () => {
  fc.assert(
    fc.property(fc.array(payment, { minLength: 1, maxLength: 40 }), (drawn) => {
      const payments = drawn.map(({ name, accountType, accountNumber, routingNumber, ...own }, index) => ({
        ...own,
        // An entry by telephone is a debit.
        direction: own.secCode === 'TEL' ? 'Debit' : own.direction,
        // Same-day entries are within their limit.
        amount: own.sameDay ? (own.amount % 1_000_000_00) + 1 : own.amount,
        id: 1_000_000 + index,
        cutoffAt: '2026-02-02T15:00:00.000Z',
        settlesAt: own.sameDay ? '2026-02-02T18:00:00.000Z' : '2026-02-03T13:30:00.000Z',
        traceNumber: `81234567${String(index + 1).padStart(7, '0')}`,
        counterparty: { name, accountType, accountNumber, routingNumber },
      })) as unknown as LedgerPayment[]
      const companies = new Map([1, 2].map((id) => [id, { name: 'SAMPLE', companyId: '1234567890' }]))
      const file = { windowAt: '2026-02-02T15:00:00.000Z', modifier: 'A', createdOn: '2026-02-02' }
      const settings = testAch('')
      const { writing, batches } = atOnce(
        renderingOf(file, payments, companies, { settings, routingNumber: '812345678' }),
      )
      expect(writing.bytes).not.toBeNull()
      const { file: read, faults } = readAchFile(Buffer.from(writing.bytes ?? []))
      expect(faults).toEqual([])
      expect(batches.map(({ number }) => number)).toEqual(batches.map((_, index) => index + 1))
      const entries = read?.batches.flatMap((batch) =>
        batch.entries.map((entry) => [
          Number(entry.identification),
          entry.code % 10 < 5 ? 'Credit' : 'Debit',
          entry.amount,
          entry.routingNumber,
          entry.accountNumber,
          entry.traceNumber,
          batch.secCode,
          batch.effectiveDate,
        ]),
      )
      const expected = payments.map(({ id, direction, amount, counterparty, traceNumber, secCode, sameDay }) => [
        ...[id, direction, amount, counterparty.routingNumber, counterparty.accountNumber, traceNumber, secCode],
        sameDay ? '2026-02-02' : '2026-02-03',
      ])
      const byId = (a: unknown[], b: unknown[]) => Number(a[0]) - Number(b[0])
      expect(entries?.sort(byId)).toEqual(expected.sort(byId))
    }),
    { seed: seedOfTest(), numRuns: runs },
  )
})
