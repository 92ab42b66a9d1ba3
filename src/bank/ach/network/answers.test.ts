import { describe, expect, test } from 'vitest'
import {
  answerOf,
  batchOf,
  entryOf,
  fileOf,
  note,
  numbered,
  returned,
} from '../../../../test/support/rails/ach-files.ts'
import { changeCodes, returnCodes } from '../../../rails/ach/codes.ts'
import { correctionOf } from '../../../rails/ach/corrections.ts'
import type { AchFile, Entry } from '../../../rails/ach/file.ts'
import { readAchFile } from '../../../rails/ach/read-file.ts'
import { writeAchFile } from '../../../rails/ach/write-file.ts'
import { entriesOf } from '../incoming/entries.ts'
import { answersOf } from './answers.ts'
import { behaviourOf, mayBeAnswered } from './behaviour.ts'

const answered = { fileId: 1_000_123, routingNumber: '812345678', rejected: new Set<number>() }
const numbersOf = (kind: number) =>
  Array.from({ length: 100 }, (_, code) => `999${kind}0000${String(code).padStart(2, '0')}`)

/** Our file with an entry for each number, which settles on Tuesday, 3 February 2026. */
function sentTo(...numbers: string[]): AchFile {
  const codes = [22, 32, 52]
  return fileOf(
    numbered([
      batchOf(
        numbers.map((accountNumber, index) =>
          entryOf({ accountNumber, code: codes[index % 3] as number, addenda: index % 2 === 0 ? null : note }),
        ),
      ),
    ]),
  )
}
function entriesIn(bytes: Buffer) {
  const { file, faults, warnings } = readAchFile(bytes)
  expect([faults, warnings]).toEqual([[], []])
  return entriesOf(file as AchFile)
}
const codeIn = ({ addenda }: Entry) => (addenda && 'code' in addenda ? addenda.code : undefined)

describe('the number of the account', () => {
  test('names the code, and other numbers are silent', () => {
    expect(behaviourOf('9990000001')).toEqual({ type: 'return', code: 'R01', isLate: false })
    expect(behaviourOf('9991000010 ')).toEqual({ type: 'return', code: 'R10', isLate: true })
    expect(behaviourOf('9992000003')).toEqual({ type: 'change', code: 'C03' })
    expect(behaviourOf('9993030073')).toEqual({ type: 'return', code: 'R03', isLate: true })
    for (const number of ['9990000000', '9990000054', '9990000099', '9990000061', '9992000008', '9993000001']) {
      expect(behaviourOf(number), number).toBeUndefined()
    }
    for (const number of ['999000001', '99900000011', '09990000001', '9876543210', '999000000A']) {
      expect(behaviourOf(number), number).toBeUndefined()
    }
  })
})

test('returns come two banking days after the settlement, with every code that exists', () => {
  const [answer, ...more] = answersOf(sentTo(...numbersOf(0)), answered)
  expect([answer?.at, more]).toEqual(['2026-02-05T13:30:00.000Z', []])
  const entries = entriesIn(answer?.bytes as Buffer)
  expect(entries.map(codeIn)).toEqual(Object.keys(returnCodes))
  expect(new Set(entries.map(({ settlesOn }) => settlesOn))).toEqual(new Set(['2026-02-05']))
  expect(entries[0]).toMatchObject({
    ...{ code: 31, amount: 125_000, accountNumber: '9990000001', routingNumber: '812345678' },
    ...{ traceNumber: '021000020000002', name: 'MARY EXAMPLE', identification: '900001' },
    addenda: { type: 'return', originalTrace: '812345670000002', originalBank: '02100002' },
  })
})

test('late returns come after 45 days, on a banking day', () => {
  const answers = answersOf(sentTo('9991000010', '9990000003', '1234567890'), answered)
  // 20 March is a Friday; the clocks have changed.
  expect(answers.map(({ at }) => at)).toEqual(['2026-02-05T13:30:00.000Z', '2026-03-20T12:30:00.000Z'])
  expect(answers.map(({ bytes }) => entriesIn(bytes).map(codeIn))).toEqual([['R03'], ['R10']])
  const overHoliday = { ...sentTo('9991000007'), header: fileOf([]).header }
  for (const batch of overHoliday.batches) batch.effectiveDate = '2026-01-02'
  // 16 February is a holiday, and the 45th day.
  expect(answersOf(overHoliday, answered).map(({ at }) => at)).toEqual(['2026-02-17T13:30:00.000Z'])
})

test('notifications of change have data of their form, and name another account', () => {
  const [answer] = answersOf(sentTo(...numbersOf(2)), answered)
  const entries = entriesIn(answer?.bytes as Buffer)
  expect(entries.map(codeIn)).toEqual(Object.keys(changeCodes))
  for (const { addenda, amount, batch } of entries) {
    if (addenda?.type !== 'change') throw new Error('no notification of change')
    expect([amount, batch.secCode]).toEqual([0, 'COR'])
    if (addenda.code === 'C13') continue
    const correction = correctionOf(addenda.code, addenda.correctedData)
    expect(correction, addenda.code).toBeDefined()
    expect(behaviourOf(correction?.accountNumber ?? '')).toBeUndefined()
  }
})

test('answers are in batches of their bank, their original batch and their kind', () => {
  const bank = { accountNumber: '9990000002', routingNumber: '011401533' }
  const file = fileOf(
    numbered([
      batchOf([entryOf({ accountNumber: '9990000002' }), entryOf(bank), entryOf({ accountNumber: '9992000001' })]),
      batchOf([entryOf(bank), entryOf({ ...bank, code: 27 })], {
        serviceClass: 200,
        secCode: 'CCD',
        companyName: 'OTHER',
      }),
    ]),
  )
  const [answer] = answersOf(file, answered)
  const { file: read } = readAchFile(answer?.bytes as Buffer)
  expect(
    read?.batches.map(({ bank: of, secCode, companyName, serviceClass, entries }) => [
      ...[of, secCode, companyName, serviceClass],
      entries.map(({ code }) => code),
    ]),
  ).toEqual([
    ['02100002', 'PPD', 'NORTHWIND', 220, [21]],
    ['01140153', 'PPD', 'NORTHWIND', 220, [21]],
    ['02100002', 'COR', 'NORTHWIND', 220, [21]],
    ['01140153', 'CCD', 'OTHER', 220, [21]],
    ['01140153', 'CCD', 'OTHER', 225, [26]],
  ])
  expect(answersOf(file, { ...answered, rejected: new Set([1, 2]) })).toEqual([])
  expect(answersOf(file, answered)).toEqual([answer])
  const other = answersOf(file, { ...answered, fileId: 1_000_124 })[0]
  expect(other?.bytes.equals(answer?.bytes as Buffer)).toBe(false)
})

test('a return that we send is not answered, and a quick look finds every number', () => {
  const own = fileOf(numbered([answerOf([{ accountNumber: '9990000001', addenda: returned }])]))
  expect(answersOf(own, answered)).toEqual([])
  const bytesOf = (file: AchFile) => Buffer.from(writeAchFile(file).bytes ?? [])
  expect(mayBeAnswered(bytesOf(sentTo('1234567890', '9991000010')))).toBe(true)
  expect(mayBeAnswered(bytesOf(sentTo('1234567890', '99900000011')))).toBe(false)
  expect(mayBeAnswered(bytesOf(sentTo('1234567890', '9993030073')))).toBe(true)
})
