import { expect, test } from 'vitest'
import { codeFor, transactionCode } from './codes.ts'
import { correctionOf } from './corrections.ts'
import * as layouts from './layouts.ts'
import type { Field } from './record.ts'

test.each(Object.entries(layouts))('%s fills the columns 1 to 94 without gaps', (_name, layout) => {
  let next = 1
  for (const { start, length } of Object.values(layout as Record<string, Field>)) {
    expect(start).toBe(next)
    next = start + length
  }
  expect(next).toBe(95)
})

test('the last digit of a transaction code says its side: 1 to 4 is a credit', () => {
  const codes = Array.from({ length: 100 }, (_, code) => transactionCode(code)).filter((each) => each !== undefined)
  expect(codes).toHaveLength(30)
  for (const { code, side } of codes) expect(side).toBe(code % 10 < 5 ? 'credit' : 'debit')
  expect(codeFor('Savings', 'debit', 'prenote')).toBe(38)
  expect(codeFor('Loan', 'debit', 'prenote')).toBeUndefined()
})

test.each<[code: string, data: string, correction: object | undefined]>([
  ['C01', '12345678901234567', { accountNumber: '12345678901234567' }],
  ['C02', '011401533', { routingNumber: '011401533' }],
  ['C02', '011401534', undefined],
  ['C03', '011401533   4455', { routingNumber: '011401533', accountNumber: '4455' }],
  ['C03', '011401533               4455', { routingNumber: '011401533', accountNumber: '4455' }],
  ['C03', '011401533 12345678901234567', { routingNumber: '011401533', accountNumber: '12345678901234567' }],
  ['C04', 'NEW NAME', { name: 'NEW NAME' }],
  ['C05', '32', { code: 32 }],
  ['C05', '99', undefined],
  ['C06', '4455                32', { accountNumber: '4455', code: 32 }],
  ['C06', '4455 32', { accountNumber: '4455', code: 32 }],
  ['C07', '0114015331234567890123456732', { routingNumber: '011401533', accountNumber: '12345678901234567', code: 32 }],
  ['C07', '0114015334455             32', { routingNumber: '011401533', accountNumber: '4455', code: 32 }],
  ['C07', '0114015334455              32', { routingNumber: '011401533', accountNumber: '4455', code: 32 }],
  [
    'C07',
    '01140153312345678901234567 32',
    { routingNumber: '011401533', accountNumber: '12345678901234567', code: 32 },
  ],
  ['C07', '011401533 4455 32', { routingNumber: '011401533', accountNumber: '4455', code: 32 }],
  ['C07', '0114015334455', undefined],
  ['C07', '011401533 4455', undefined],
  ['C09', 'A-17', { individualId: 'A-17' }],
  ['C13', 'x', undefined],
])('%s with "%s"', (code, data, correction) => expect(correctionOf(code, data)).toEqual(correction))
