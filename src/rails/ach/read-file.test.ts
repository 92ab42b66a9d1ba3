import { describe, expect, test } from 'vitest'
import {
  answerOf,
  batchOf,
  changed,
  entryOf,
  fileOf,
  note,
  numbered,
  otherBank,
  ownBank,
  readText,
  replaced,
  returned,
  samples,
  textOf,
} from '../../../test/support/rails/ach-files.ts'
import { receivedFile } from '../../../test/support/rails/received-file.ts'
import { receiverNameOf } from './codes.ts'
import type { AchFile, Batch, Entry } from './file.ts'
import { addTotals, noTotals } from './file.ts'
import { explanations } from './findings.ts'
import { readAchFile } from './read-file.ts'
import { writeAchFile } from './write-file.ts'

const NINES = '9'.repeat(94)

/** Two credits, the first with an addenda: lines 1 header, 2 batch, 3 entry, 4 addenda, 5 entry, 6 and 7 controls. */
const plain = textOf(samples['two credits, one with an addenda'] as AchFile)
/** A return: lines 1 header, 2 batch, 3 entry, 4 addenda 99, 5 and 6 controls. */
const back = textOf(fileOf(numbered([answerOf([{ addenda: returned }])])))
const change = textOf(fileOf(numbered([answerOf([{ amount: 0, addenda: changed }], { secCode: 'COR' })])))
const web = textOf(
  fileOf([batchOf([entryOf({ code: 27, discretionary: 'S' })], { serviceClass: 225, secCode: 'WEB' })]),
)

const own = { code: 22, amount: 5_00, accountNumber: '4455', sequence: 1 }

/** The findings as `line:column code`. */
function found(text: string | Buffer, list: 'faults' | 'warnings' = 'faults'): string[] {
  return readAchFile(Buffer.from(text as string))[list].map(({ line, column, code }) => `${line}:${column} ${code}`)
}

/** The findings for which a file is not written. */
function refused(batch: Partial<Batch>, ...entries: Partial<Entry>[]): string[] {
  const list = entries.map((each) => entryOf(each))
  const { findings } = writeAchFile(fileOf(numbered([batchOf(list, batch)])))
  return (findings ?? []).map(({ line, column, code }) => `${line}:${column} ${code}`)
}

function lines(text: string, edit: (lines: string[]) => void): string {
  const list = text.split('\n')
  edit(list)
  return list.join('\n')
}

describe('a file with a fault is refused', () => {
  test.each<[about: string, text: string, ...faults: string[]]>([
    ['an entry hash of the batch', replaced(plain, 6, 20, '9'), '6:11 entry_hash'],
    ['a count of the batch', replaced(plain, 6, 10, '9'), '6:5 entry_count'],
    ['a total of debits of the batch', replaced(plain, 6, 32, '1'), '6:21 debit_total'],
    ['a total of credits of the batch', replaced(plain, 6, 44, '0'), '6:33 credit_total'],
    ['another service class in the batch control', replaced(plain, 6, 2, '200'), '6:2 batch_mismatch'],
    ['another company in the batch control', replaced(plain, 6, 45, '2'), '6:45 batch_mismatch'],
    ['another bank in the batch control', replaced(plain, 6, 80, '7'), '6:80 batch_mismatch'],
    ['another number in the batch control', replaced(plain, 6, 94, '2'), '6:88 batch_mismatch'],
    ['a batch count', replaced(plain, 7, 7, '2'), '7:2 batch_count'],
    ['a block count', replaced(plain, 7, 13, '2'), '7:8 block_count'],
    ['a count of the file', replaced(plain, 7, 21, '9'), '7:14 entry_count'],
    ['an entry hash of the file', replaced(plain, 7, 31, '9'), '7:22 entry_hash'],
    ['a total of debits of the file', replaced(plain, 7, 43, '1'), '7:32 debit_total'],
    ['a total of credits of the file', replaced(plain, 7, 55, '9'), '7:44 credit_total'],
    ['a check digit', replaced(plain, 3, 12, '2'), '3:12 routing_checksum'],
    ['the checksum of the destination', replaced(plain, 1, 13, '7'), '1:5 routing_checksum'],
    ['a destination without its blank', replaced(plain, 1, 4, '0'), '1:4 bad_constant'],
    ['a blank origin', replaced(plain, 1, 14, ' '.repeat(10)), '1:14 blank_field'],
    ['a creation date that does not exist', replaced(plain, 1, 24, '260229'), '1:24 bad_date'],
    ['a creation time that does not exist', replaced(plain, 1, 30, '2460'), '1:30 bad_time'],
    ['a file id modifier in lower case', replaced(plain, 1, 34, 'a'), '1:34 file_id_modifier'],
    ['another record size', replaced(plain, 1, 35, '095'), '1:35 bad_constant'],
    ['a service class of advices', replaced(replaced(plain, 2, 2, '280'), 6, 2, '280'), '2:2 service_class'],
    ['a blank company name', replaced(plain, 2, 5, ' '.repeat(16)), '2:5 blank_field'],
    ['a company name of zeros', replaced(plain, 2, 5, '0'.repeat(16)), '2:5 blank_field'],
    ['an SEC code that does not exist', replaced(plain, 2, 51, 'ABC'), '2:51 sec_code'],
    ['IAT', replaced(plain, 2, 51, 'IAT'), '2:51 sec_code'],
    [
      'a CTX entry that does not name its addenda',
      replaced(plain, 2, 51, 'CTX'),
      '3:55 addenda_count',
      '5:55 addenda_count',
    ],
    [
      'IAT, whatever else its header has',
      replaced(replaced(plain, 2, 51, 'IAT'), 2, 5, ' '.repeat(16)),
      '2:51 sec_code',
    ],
    ['a blank description', replaced(plain, 2, 54, ' '.repeat(10)), '2:54 blank_field'],
    ['an effective date that does not exist', replaced(plain, 2, 70, '260431'), '2:70 bad_date'],
    ['a blank effective date', replaced(plain, 2, 70, '      '), '2:70 blank_field'],
    ['a settlement day', replaced(plain, 2, 76, '367'), '2:76 bad_day'],
    ['the settlement day 000', replaced(plain, 2, 76, '000'), '2:76 bad_day'],
    ['an originator status', replaced(plain, 2, 79, '3'), '2:79 originator_status'],
    ['a transaction code', replaced(plain, 3, 2, '25'), '3:2 transaction_code'],
    ['a blank account', replaced(plain, 3, 13, ' '.repeat(17)), '3:13 blank_field'],
    ['a blank name', replaced(plain, 3, 55, ' '.repeat(22)), '3:55 blank_field'],
    ['an amount with a blank', replaced(plain, 3, 30, ' '), '3:30 bad_number'],
    ['a control character', replaced(plain, 3, 59, '\t'), '3:59 bad_character'],
    ['a character that is no letter', replaced(plain, 3, 60, '\u00a0'), '3:60 bad_character'],
    ['an emoji', plain.replace('MARY', 'M\u{1f600}RY'), '3:56 bad_character'],
    ['an indicator of addenda that do not follow', replaced(plain, 5, 79, '1'), '5:79 addenda_indicator'],
    ['addenda without an indicator', replaced(plain, 3, 79, '0'), '3:79 addenda_indicator'],
    ['a trace number of another bank', replaced(plain, 5, 80, '9'), '5:80 trace_bank'],
    ['a trace number twice in a batch', replaced(plain, 5, 94, '1'), '5:80 trace_duplicate'],
    ['a falling trace number', replaced(plain, 5, 94, '0'), '5:80 trace_order'],
    ['an addenda type', replaced(plain, 4, 2, '06'), '4:2 addenda_type'],
    ['an addenda that does not begin with 1', replaced(plain, 4, 87, '2'), '4:84 addenda_number'],
    ['an addenda of another entry', replaced(plain, 4, 94, '2'), '4:88 addenda_trace'],
    ['a return code', replaced(back, 4, 4, 'R66'), '4:4 return_code'],
    ['a return addenda with another trace number', replaced(back, 4, 94, '2'), '4:80 addenda_trace'],
    ['a return of an unknown entry', replaced(back, 4, 7, ' '.repeat(15)), '4:7 bad_number'],
    ['a return under a forward code', replaced(back, 3, 2, '22'), '4:2 forward_code'],
    ['a change code', replaced(change, 4, 4, 'C10'), '4:4 change_code'],
    ['a notification without data', replaced(change, 4, 36, ' '.repeat(29)), '4:36 corrected_data'],
    ['a notification of change under PPD', replaced(change, 2, 51, 'PPD'), '4:2 addenda_type'],
    ['a return under COR', replaced(back, 2, 51, 'COR'), '3:30 amount_not_zero', '4:2 addenda_type'],
    ['a line of 95', plain.replace('MARY', 'MMARY'), '3:95 line_length'],
    ['a record type', replaced(plain, 4, 1, '4'), '3:79 addenda_indicator', '4:1 record_type'],
  ])('%s', (_about, text, ...faults) => expect(found(text)).toEqual(faults))

  test('records in the wrong place, and missing ones', () => {
    const [header = '', batch = '', entry = '', addenda = ''] = plain.split('\n')
    const drop = (at: number) => lines(plain, (list) => list.splice(at - 1, 1) && list.splice(-1, 0, NINES))
    expect(found(lines(plain, (list) => list.splice(1, 0, header)))).toEqual(['2:1 record_order', '8:8 block_count'])
    expect(found(drop(1))).toEqual(['1:1 missing_record'])
    expect(found(drop(2))).toEqual([
      '2:1 record_order',
      '3:1 record_order',
      '4:1 record_order',
      '5:1 record_order',
      '6:1 no_batches',
    ])
    expect(found(drop(6))).toEqual(['6:1 missing_record'])
    expect(found(drop(7))).toEqual(['7:1 missing_record'])
    expect(found(plain.split('\n').slice(0, 6).join('\n'))).toEqual(['6:1 missing_record'])
    expect(found(plain.split('\n').slice(0, 3).join('\n'))).toContain('3:1 missing_record')
    expect(found(lines(plain, (list) => list.splice(7, 1, batch)))).toEqual(['8:1 record_order'])
    expect(found([header, addenda, entry].join('\n'))).toEqual([
      '2:1 record_order',
      '3:1 record_order',
      '3:1 missing_record',
    ])
    expect(found(lines(plain, (list) => list.splice(3, 1, addenda, addenda) && list.splice(9, 1)))).toContain(
      '5:1 addenda_count',
    )
    expect(found('')).toEqual(['1:1 empty_file'])
    expect(found('\r\n\n')).toEqual(['1:1 empty_file'])
    expect(found(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 2, 3, 0]) as never)).toEqual(['1:1 not_text'])
  })

  test('a batch without entries, a file without batches, and a batch number that does not rise', () => {
    const { batches, header } = samples['both sides in one batch, and another batch of debits'] as AchFile
    const refusedOf = (file: AchFile) => writeAchFile(file).findings?.map(({ line, code }) => `${line} ${code}`)
    expect(refusedOf({ header, batches: [batchOf([])] })).toEqual(['2 empty_batch'])
    expect(refusedOf({ header, batches: [] })).toEqual(['2 no_batches'])
    expect(refusedOf({ header, batches: batches.map((each) => ({ ...each, number: 7 })) })).toEqual(['7 batch_number'])
    const copies = batches.map((each, at) => ({
      ...each,
      entries: each.entries.map((entry) => ({
        ...entry,
        traceNumber: `${each.bank}000000${at === 1 ? 2 : entry.code % 10}`,
      })),
    }))
    expect(
      refusedOf({ header, batches: copies.map((each) => ({ ...each, entries: each.entries.slice(0, 1) })) }),
    ).toEqual(['6 trace_duplicate'])
  })

  test('sides, amounts and codes that the batch does not allow', () => {
    expect(refused({}, { code: 27 })).toEqual(['3:2 service_class_side'])
    expect(refused({ serviceClass: 225 }, { code: 22 })).toEqual(['3:2 service_class_side'])
    expect(refused({ secCode: 'TEL' }, { discretionary: 'S' })).toEqual(['3:2 sec_side'])
    expect(refused({ secCode: 'TEL', description: 'REVERSAL' }, { discretionary: 'S' })).toEqual([])
    expect(refused({ serviceClass: 225, secCode: 'TEL' }, { code: 27, discretionary: 'S', addenda: note })).toEqual([
      '4:2 addenda_type',
    ])
    expect(refused({ serviceClass: 225 }, { code: 55 })).toEqual(['3:2 sec_side'])
    expect(refused({}, { amount: 0 })).toEqual(['3:30 amount_zero'])
    expect(refused({}, { code: 23 })).toEqual(['3:30 amount_not_zero'])
    expect(refused({}, { code: 24 })).toEqual(['3:30 amount_not_zero'])
    expect(refused({}, { code: 21 })).toEqual(['3:2 addenda_type'])
    expect(refused({ secCode: 'COR' }, { amount: 0, code: 23 })).toEqual(['3:2 transaction_code'])
    expect(refused({ secCode: 'COR' }, { code: 21, addenda: changed })).toEqual(['3:30 amount_not_zero'])
    expect(refused({ secCode: 'CCD' }, { name: '' })).toEqual([])
  })

  test('all faults are reported at once, and consequences of an unreadable record are not', () => {
    const text = replaced(replaced(replaced(plain, 1, 34, '?'), 3, 12, '9'), 7, 13, '5')
    expect(found(text)).toEqual(['1:34 file_id_modifier', '3:12 routing_checksum', '7:8 block_count'])
    expect(found(replaced(plain, 5, 30, 'x'))).toEqual(['5:30 bad_number'])
    const { faults, file } = readText(replaced(plain, 3, 30, 'x'))
    expect(faults).toEqual([
      { line: 3, column: 30, code: 'bad_number', text: 'amount is "x000125000", which is not 10 digits' },
    ])
    expect(file).toBeUndefined()
  })
})

describe('a file with a warning is read', () => {
  test.each<[about: string, text: string, ...warnings: string[]]>([
    ['an effective date on a holiday', replaced(plain, 2, 70, '260216'), '2:70 closed_day'],
    ['an effective date on a Sunday', replaced(plain, 2, 70, '260208'), '2:70 closed_day'],
    ['WEB without a payment type', replaced(web, 3, 77, ' '), '3:77 payment_type'],
    ['a letter outside ASCII', plain.replace('MARY', 'M\u00c1RY'), '3:56 not_ascii'],
    ['a reserved field', replaced(plain, 7, 60, 'x'), '7:56 reserved_field'],
    ['corrected data of another form', replaced(change, 4, 4, 'C02'), '4:36 corrected_data_form'],
    ['a purchase that is a credit', replaced(plain, 2, 54, 'PURCHASE  '), '2:54 reserved_word'],
    ['a fee that is a credit', replaced(plain, 2, 54, 'return fee'), '2:54 reserved_word'],
    ['pay of WEB', replaced(web, 2, 54, 'PAYROLL   '), '2:54 reserved_word'],
    ['a notification with the trace number of another entry', replaced(change, 4, 94, '9'), '4:80 change_trace'],
  ])('%s', (_about, text, ...warnings) => {
    expect(found(text, 'warnings')).toEqual(warnings)
    expect(found(text)).toEqual([])
    expect(readText(text).file).toBeDefined()
  })

  test('same-day entries over the limit, by the descriptive date or by the effective date', () => {
    const sameDay = { effectiveDate: '2026-02-02', secCode: 'CCD' }
    expect(refused(sameDay, { amount: 100_000_001 })).toEqual(['3:30 same_day_limit'])
    expect(refused(sameDay, { amount: 100_000_000 })).toEqual([])
    expect(refused({ descriptiveDate: 'SD1300' }, { amount: 100_000_001 })).toEqual(['3:30 same_day_limit'])
    expect(refused({ ...sameDay, settlementDay: '034' }, { amount: 100_000_001 })).toEqual([])
    expect(refused({}, { amount: 9_999_999_999 })).toEqual([])
    const returns = answerOf([{ addenda: returned, amount: 200_000_000 }], {
      settlementDay: '',
      effectiveDate: '2026-02-02',
    })
    expect(writeAchFile(fileOf(numbered([returns]))).findings).toBeNull()
    const limits = { sameDayLimit: 10 }
    const file = fileOf(numbered([batchOf([entryOf({ amount: 11 })], sameDay)]))
    expect(writeAchFile(file, { limits }).findings).toHaveLength(1)
  })

  test('a letter counts as one character, in UTF-8 and in Latin-1', () => {
    const text = plain.replace('MARY', 'M\u00c1RY')
    expect(found(Buffer.from(text, 'latin1') as never, 'warnings')).toEqual(['3:56 not_ascii'])
    expect(readText(text).file?.batches[0]?.entries[0]?.name).toBe('M\u00c1RY EXAMPLE')
    expect(readText(text).file).toEqual(readAchFile(Buffer.from(text, 'latin1')).file)
  })
})

test.each<[text: string, description: string]>([
  [plain, 'PAYROLL   '],
  [plain, 'PAYROLL 7 '],
  [plain, 'PURCHASES '],
  [web, 'PURCHASE  '],
  [web, 'RETRY PYMT'],
  [back, 'PURCHASE  '],
])('entries that may have a reserved word, and words that are none, leave no warning: %#', (text, description) => {
  expect(found(replaced(text, 2, 54, description), 'warnings')).toEqual([])
})

describe('forms that are common are accepted', () => {
  const { file } = readText(plain)

  test('CRLF, no line ends, no padding, short lines, and blank lines at the end', () => {
    const unpadded = plain.replaceAll(`${NINES}\n`, '')
    const short = plain.replace(/ +$/gm, '')
    for (const text of [
      ...[
        plain.replaceAll('\n', '\r\n'),
        plain.replaceAll('\n', ''),
        `${plain.replaceAll('\n', '')}\r\n`,
        plain.trimEnd(),
      ],
      ...[unpadded, unpadded.replaceAll('\n', ''), short, `${plain}\n\r\n\x1a`, `\ufeff${plain}`],
    ]) {
      expect(readText(text)).toMatchObject({ file, faults: [], warnings: [] })
    }
  })

  test('zeros in the place of the effective date of a notification of change', () => {
    const { file: read, faults } = readText(replaced(change, 2, 70, '000000'))
    expect(faults).toEqual([])
    expect(read?.batches[0]?.effectiveDate).toBe('')
  })

  test('a company id that is justified to the right in the batch control', () => {
    const header = replaced(plain, 2, 41, '155500011 ')
    expect(found(replaced(header, 6, 45, ' 155500011'))).toEqual([])
    expect(found(replaced(header, 6, 45, ' 155500012'))).toEqual(['6:45 batch_mismatch'])
  })

  test('further blocks of nines, if the block count includes them', () => {
    const more = replaced(plain, 7, 13, '2') + `${NINES}\n`.repeat(10)
    expect(readText(more)).toMatchObject({ file, faults: [] })
  })
})

test.each(Object.entries(samples))('%s: reading what was written gives it back', (_about, file) => {
  const text = textOf(file)
  expect(
    text
      .split('\n')
      .slice(0, -1)
      .every((line) => line.length === 94),
  ).toBe(true)
  expect(text.split('\n').length % 10).toBe(1)
  const read = readText(text)
  expect(read).toMatchObject({ faults: [], warnings: [], truncated: false })
  expect(read.file).toEqual(file)
})

describe('a file whose framing can be trusted', () => {
  const refusedIn = (text: string | Buffer) =>
    readAchFile(Buffer.from(text as string)).trusted?.batches.flatMap(({ entries }) =>
      entries.map(({ refused: why, amount }) => (why ? `${why.kind} ${amount}` : amount)),
    )

  test.each<[about: string, text: string, entries: (string | number)[] | undefined]>([
    ['a check digit', replaced(plain, 3, 12, '2'), ['invalid 125000', 1]],
    ['a fault of an addenda', replaced(plain, 4, 94, '2'), ['invalid 125000', 1]],
    ['a blank account', replaced(plain, 3, 13, ' '.repeat(17)), ['invalid 125000', 1]],
    ['a transaction code of the same side', replaced(plain, 5, 2, '60'), [125_000, 'invalid 1']],
    ['a fault of the batch header', replaced(plain, 2, 79, '3'), ['invalid 125000', 'invalid 1']],
    ['an SEC code', replaced(plain, 2, 51, 'ZZZ'), ['unsupported 125000', 'unsupported 1']],
    ['a transaction code whose side does not fit the totals', replaced(plain, 3, 2, '25'), undefined],
    ['an amount that cannot be read', replaced(plain, 3, 30, 'x'), undefined],
    ['a bank that cannot be read', replaced(plain, 3, 4, 'x'), undefined],
    ['totals', replaced(plain, 6, 44, '0'), undefined],
    ['totals of an SEC code that is not read', replaced(replaced(plain, 2, 51, 'ZZZ'), 6, 44, '0'), undefined],
    ['the file header', replaced(plain, 1, 24, '260229'), undefined],
    ['a batch control that is missing', plain.replace(/^8.*\n/m, ''), undefined],
  ])('and %s: entries are refused by themselves, or the file is', (_about, text, entries) => {
    expect(refusedIn(text)).toEqual(entries)
    expect(readText(text).file).toBeUndefined()
  })

  test('has the addenda of a CTX entry, the terminal of a POS entry, and the name where its SEC code has it', () => {
    const { file } = readAchFile(
      receivedFile(
        [
          { secCode: 'CTX', entries: [{ ...own, text: `${' '.repeat(15)}0002GRACE SAMPLE`, addenda: ['05', '05'] }] },
          { secCode: 'CIE', entries: [{ ...own, sequence: 2, text: 'GRACE SAMPLE   ID 7' }] },
          {
            secCode: 'POS',
            entries: [{ ...own, code: 27, sequence: 3, text: `${' '.repeat(15)}GRACE SAMPLE`, addenda: ['02'] }],
          },
        ],
        '2026-02-03',
      ),
    )
    const batches = file?.batches ?? []
    expect(batches.map(({ secCode, entries: [entry] }) => entry && receiverNameOf(secCode, entry))).toEqual(
      Array(3).fill('GRACE SAMPLE'),
    )
    expect(batches[0]?.entries[0]).toMatchObject({
      addenda: { text: 'Remittance 1' },
      further: [{ text: 'Remittance 2' }],
    })
    expect(batches[2]?.entries[0]?.addenda).toEqual({ type: 'terminal', text: 'TERMINAL 1' })
    const { bytes } = writeAchFile(file as AchFile)
    expect(readAchFile(bytes as Uint8Array).file).toEqual(file)
  })

  test('has an advice without money, in the columns of its own', () => {
    const advice = `681812345678${'4455'.padEnd(15)}000000070000${' '.repeat(15)}${'NORTHWIND'.padEnd(22)}  0${'0'.repeat(15)}`
    const totals = `${'0'.repeat(20)}${'70000'.padStart(20, '0')}`
    const end = `${otherBank}0000001`
    const text = [
      plain.slice(0, 94),
      `5280${'NORTHWIND'.padEnd(36)}1555000111ADV${'ADVICE'.padEnd(16)}260203   1${end}`,
      advice,
      `82800000010081234567${totals}${' '.repeat(19)}${end}`,
      `9000001000001000000010081234567${totals}${' '.repeat(23)}`,
    ].join('\n')
    expect(refusedIn(text)).toEqual(['unsupported 0'])
    expect(readText(text).trusted?.batches[0]?.entries[0]?.refused?.reason).toContain('advice of 70000 cents')
  })
})

test('every code is explained, and garbage leaves a limited number of findings', () => {
  const { faults, truncated, lines: count } = readText('garbage\n'.repeat(12_000))
  expect([faults.length, truncated, count]).toEqual([10_000, true, 10_000])
  for (const { code } of faults) expect(explanations.fault).toHaveProperty(code)
})

test('the entry hash keeps its right ten digits, in the batch and in the file', () => {
  const totals = noTotals()
  for (let at = 0; at < 3; at++) addTotals(totals, { ...noTotals(), entryHash: 9_999_999_999 })
  expect(totals.entryHash).toBe(9_999_999_997)
  const many = Array.from({ length: 150 }, () => entryOf({ routingNumber: '812345678' }))
  const text = textOf(fileOf(numbered([batchOf(many), batchOf(many, { bank: otherBank })])))
  expect(text).toMatch(new RegExp(`^8220000150${(150 * Number(ownBank)) % 10 ** 10}`, 'm'))
  expect(readText(text).totals).toMatchObject({ entryCount: 300, entryHash: (300 * Number(ownBank)) % 10 ** 10 })
})
