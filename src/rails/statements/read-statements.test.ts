import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type BankDay, baiFile, camtFile, testAccount } from '../../../test/support/rails/statements.ts'
import { kindOf } from './codes.ts'
import type { CsvMapping } from './csv.ts'
import { readStatements } from './read-statements.ts'
import { type BankStatement, MAX_BYTES, StatementFault } from './statement.ts'

const csv: CsvMapping = {
  ...{ date: 'Date', dates: 'MM/DD/YYYY', amount: { signed: 'Amount' }, balance: 'Balance' },
  ...{ code: 'Code', reference: 'Ref', text: 'Text', separator: ',' },
}
const read = (text: string | Uint8Array, mapping = csv): BankStatement[] =>
  readStatements(typeof text === 'string' ? Buffer.from(text) : text, {
    kinds: new Map(),
    csv: mapping,
    account: testAccount,
  })
const only = (text: string) => {
  const [statement, ...others] = read(text)
  expect(others).toEqual([])
  return statement as BankStatement
}
const faultOf = (text: string | Uint8Array) => {
  try {
    read(text)
  } catch (error) {
    if (error instanceof StatementFault) return error.code
    throw error
  }
  return 'read'
}

const day: BankDay = {
  asOf: '2026-03-02',
  opening: 900_000_00,
  lines: [
    { amount: -1_250_75, code: '466', reference: '0000004', text: 'ACH CREDITS BATCH 0000004' },
    { amount: 300_00, code: '257', text: 'RETURN TRACE 061000140000009' },
    { amount: -15_00, code: '698' },
  ],
}
const closing = 900_000_00 - 1_250_75 + 300_00 - 15_00

describe('a BAI2 file', () => {
  test('gives balances, entries with the sign of their type codes, and references', () => {
    const statement = only(baiFile(day))
    expect(statement).toMatchObject({
      ...{ format: 'bai2', servicer: '061000146', account: testAccount, currency: 'USD', asOf: '2026-03-02' },
      ...{ opening: 900_000_00, closing, isInterim: false, status: 'update', flags: [], notBooked: 0 },
      names: { sender: '061000146', fileCreated: '2026-03-02', fileId: '1' },
    })
    expect(statement.entries).toEqual([
      {
        ...{ place: 1, amount: -1_250_75, direction: 'Debit', codes: ['466'], bookedOn: '2026-03-02', valueOn: null },
        ...{ bankReference: 'B1', references: ['0000004'], text: 'ACH CREDITS BATCH 0000004' },
      },
      expect.objectContaining({ place: 2, amount: 300_00, direction: 'Credit', references: [] }),
      expect.objectContaining({ place: 3, amount: -15_00, text: '' }),
    ])
  })

  test('continues records anywhere, and has funds types whose amounts are no entries', () => {
    const text = [
      '01,061000146,PROGRAM,260303,0200,1,80,,2/   ',
      '02,PROGRAM,061000146,1,260302,9999,,/',
      '03,01,,010,+5000,,,015/',
      '88,5300,,,100,500,1,/',
      '88,400,200,1/',
      '16,166,500,S,200,300,,R1,K/',
      '88,/A, B/',
      '88,C,D',
      '16,466,200,D,2,0,100,1,100,R2,,',
      '16,890,,,,,NEWS/',
      '49,11700,9/',
      '98,11700,1,11/',
      '99,11700,1,13/',
    ]
    const statement = only(text.join('\r\n'))
    expect(statement).toMatchObject({ opening: 5_000, closing: 5_300, notBooked: 1, flags: ['message_890'] })
    expect(statement.entries.map(({ amount, text: said, references }) => [amount, said, references])).toEqual([
      [500, '/A, B C,D', ['K']],
      [-200, '', []],
    ])
  })

  test('is read with habits of banks, which are noted', () => {
    const signed = baiFile(day).replaceAll(
      /^(49|98|99),\d+/gm,
      (_, code) => `${code},${day.opening + closing - 1_250_75 + 300_00 - 15_00}`,
    )
    expect(only(signed).flags).toEqual(['control_total_signed'])
    const details = baiFile(day).replaceAll(/^(49|98|99),\d+/gm, (_, code) => `${code},${1_250_75 + 300_00 + 15_00}`)
    expect(only(details).flags).toEqual(['control_total_details'])
    expect(only(baiFile(day).replace('BATCH 0000004', 'BATCH\n0000004'))).toMatchObject({
      flags: ['text_without_88'],
      entries: [expect.objectContaining({ text: 'ACH CREDITS BATCH 0000004' }), {}, {}],
    })
    expect(only(baiFile({ ...day, modifier: '3' })).isInterim).toBe(true)
    expect(only(baiFile(day).replace(/\/\n02/, '/02')).entries).toHaveLength(3)
  })

  test('may have records behind a text on its line, and a text that looks like a record', () => {
    const expected = only(baiFile(day)).entries
    const oneLine = baiFile(day).replaceAll(/(.)\/?\n(16|49)/g, '$1/   $2')
    expect(oneLine.split('\n')).toHaveLength(6)
    expect(only(oneLine)).toMatchObject({ entries: expected, flags: [] })
    const text = 'FROM 1/ 16,50 OF 2'
    expect(only(baiFile(day).replace('ACH CREDITS BATCH 0000004', text)).entries[0]?.text).toBe(text)
  })

  test('may have a comma too many behind the balances, and no control total for an account without amounts', () => {
    const more = baiFile(day)
      .replace(/^(03,.*,,)\/$/m, '$1,/\n88,040,,,/')
      .replaceAll(/^((?:49|98|99),.*),(\d+)\/$/gm, (_, before, lines) => `${before},${Number(lines) + 1}/`)
    expect(only(more)).toMatchObject({ opening: 900_000_00, closing, flags: [] })
    const empty = ['01,A,B,260302,0200,1,,,2/', '02,B,061000146,1,260302,2359,,2/', `03,${testAccount},/`, '49,,2/']
    expect(only([...empty, '98,0,1,4/', '99,0,1,6/'].join('\n'))).toMatchObject({ entries: [], opening: null })
    expect(faultOf(baiFile(day).replace(/^49,\d+/m, '49,'))).toBe('control_total')
  })

  test('leaves the direction open if the type code does not say it, and takes it from the mapping', () => {
    const loan = baiFile({ ...day, lines: [{ amount: 7_00, code: '721' }] })
    expect(only(loan)).toMatchObject({ flags: ['type_code_unknown'], entries: [{ amount: 7_00, direction: null }] })
    const kinds = new Map([['721', { kind: 'other' as const, direction: 'Credit' as const }]])
    const [mapped] = readStatements(Buffer.from(loan), { kinds, account: testAccount })
    expect(mapped?.entries).toMatchObject([{ amount: 7_00, direction: 'Credit' }])
  })

  test.each([
    ['control_total', (text: string) => text.replace('16,466,125075', '16,466,125057')],
    ['record_count', (text: string) => text.replace(/^16,698.*\n/m, '').replace(/,(\d+),5\//, ',$1,5/')],
    ['unexpected_end', (text: string) => text.slice(0, text.indexOf('\n49') + 1)],
    ['unexpected_end', (text: string) => text.slice(0, text.indexOf('\n99') + 1)],
    ['record_order', (text: string) => text.replace(/^03.*\n/m, '')],
    ['record_unknown', (text: string) => text.replace(/^02,/m, '2,')],
    ['amount', (text: string) => text.replace('16,466,125075', '16,466,1250.75')],
    ['amount', (text: string) => text.replace('16,466,125075', '16,466,-125075')],
    ['date', (text: string) => text.replace(',260302,2359', ',260230,2359')],
    ['field', (text: string) => text.replace('16,466,', '16,4X6,')],
    ['field', (text: string) => text.replace('125075,0,', '125075,Q,')],
    ['field', (text: string) => text.replace('02,PROGRAM,061000146,1', '02,PROGRAM,061000146,7')],
    ['format', (text: string) => text.replace(',,2/', ',,3/')],
    ['encoding', (text: string) => text.replace('CREDITS', 'CR\u0000')],
  ])('is refused for %s', (code, change) => {
    const text = change(baiFile(day))
    expect(text).not.toBe(baiFile(day))
    // A line that is left out changes the sum first.
    expect([code, 'control_total']).toContain(faultOf(text))
    expect(faultOf(text) === code || code === 'record_count').toBe(true)
  })

  test('is refused if opening and entries do not make closing, with the difference', () => {
    expect(() => read(baiFile({ ...day, closing: closing - 9 }))).toThrow(/the difference is 9 cents/)
  })
})

describe('a camt.053 document', () => {
  test.each(['02', '08', '14'])('of version %s gives the same as BAI2', (version) => {
    const statement = only(camtFile(day, { version }))
    expect(statement).toMatchObject({
      ...{ format: 'camt.053', account: testAccount, asOf: '2026-03-02', opening: 900_000_00, closing, flags: [] },
      ...{ reference: 'S-2026-03-02', names: { messageId: 'M1' } },
    })
    expect(statement.entries.map(({ amount, codes }) => [amount, codes])).toEqual([
      [-1_250_75, ['466']],
      [300_00, ['257']],
      [-15_00, ['698']],
    ])
    expect(statement.entries[0]).toMatchObject({ references: ['0000004'], text: 'ACH CREDITS BATCH 0000004' })
  })

  test('is one page of a statement, whose interim balances stand in', () => {
    const page = (number: number, last: boolean) =>
      `<StmtPgntn><PgNb>${number}</PgNb><LastPgInd>${last}</LastPgInd></StmtPgntn>`
    const first = camtFile(day, { page: page(1, false), balances: ['OPBD', 'ITBD'] })
    expect(only(first)).toMatchObject({ page: { number: 1, last: false }, opening: 900_000_00, closing: null })
    expect(only(first).flags).toEqual(['pages_missing', 'closing_missing'])
    expect(only(camtFile(day, { page: page(2, true), balances: ['ITBD', 'CLBD'] }))).toMatchObject({
      ...{ page: { number: 2, last: true }, opening: null, closing, flags: [] },
    })
    const wrong = camtFile({ ...day, closing: closing + 1 }, { page: page(1, false), balances: ['OPBD', 'ITBD'] })
    expect(faultOf(wrong)).toBe('balances')
    expect(only(camtFile(day, { page: page(1, true) })).page).toBeNull()
  })

  test('counts booked entries alone, by the Eastern day of their times, and never turns a reversal', () => {
    const text = camtFile(day)
      .replace('<Sts><Cd>BOOK</Cd></Sts>', '<RvslInd>true</RvslInd><Sts><Cd>BOOK</Cd></Sts>')
      .replace('<BookgDt><Dt>2026-03-02</Dt>', '<BookgDt><DtTm>2026-03-03T02:00:00Z</DtTm>')
      .replace(
        '</Stmt>',
        '<Ntry><Amt Ccy="USD">1</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>PDNG</Cd></Sts></Ntry></Stmt>',
      )
    expect(only(text)).toMatchObject({ notBooked: 1, flags: ['entries_not_booked'] })
    expect(only(text).entries[0]).toMatchObject({ amount: -1_250_75, bookedOn: '2026-03-02' })
  })

  test.each([
    ['balances', (text: string) => text.replace('DBIT', 'CRDT')],
    ['amount', (text: string) => text.replace('1250.75', '1250.755')],
    ['amount', (text: string) => text.replace('1250.75', '1e3')],
    ['amount', (text: string) => text.replace('1250.75', '+1250.75')],
    ['date', (text: string) => text.replaceAll('2026-03-02</Dt>', '2026-02-30</Dt>')],
    ['field', (text: string) => text.replace('DBIT', 'DEBIT')],
    ['field', (text: string) => text.replace('<BookgDt>', '<Extra><Amt Ccy="USD">1</Amt></Extra><BookgDt>')],
    ['field', (text: string) => text.replace(/<Sts>.*?<\/Sts>/, '')],
    ['namespace', (text: string) => text.replace('camt.053.001.08', 'camt.052.001.08')],
    ['namespace', (text: string) => text.replace(/ xmlns="[^"]*"/, '')],
    ['dtd_forbidden', (text: string) => text.replace('<Document', '<!DOCTYPE Document [<!ENTITY a "b">]><Document')],
    ['xml', (text: string) => text.replace('ACH CREDITS', '&a;')],
    ['xml', (text: string) => text.replace('ACH CREDITS', '&#0;')],
    ['xml', (text: string) => text.replace('ACH CREDITS', '&#xD800;')],
    ['xml', (text: string) => text.replace('ACH CREDITS', '\u0001')],
    ['xml', (text: string) => text.replace('<Document', '<?xml-stylesheet href="x"?><Document')],
    ['xml', (text: string) => text.replace('</Ntry>', '</Entry>')],
    ['xml', (text: string) => text.replace('Ccy="USD"', 'Ccy="USD" Ccy="USD"')],
    ['xml', (text: string) => text.replace('<Stmt>', '<x:Stmt>')],
    ['xml', (text: string) => `${text}<Document/>`],
    ['encoding', (text: string) => text.replace('UTF-8', 'UTF-16')],
    ['unexpected_end', (text: string) => text.slice(0, text.lastIndexOf('</Stmt>'))],
  ])('is refused for %s', (code, change) => {
    const text = change(camtFile(day))
    expect(text).not.toBe(camtFile(day))
    expect(faultOf(text)).toBe(code)
  })

  test('may have references, CDATA, comments and any prefix', () => {
    const text = camtFile(day)
      .replace('ACH CREDITS', '<!-- c --><![CDATA[A<&]]> &amp;&#x2013;&#38;')
      .replaceAll(/<(\/?)(\w)/g, '<$1n:$2')
      .replace('<n:xml', '<?xml')
      .replace('xmlns=', 'xmlns:n=')
    expect(only(text).entries[0]?.text).toBe('A<& &–& BATCH 0000004')
  })
})

describe('a CSV', () => {
  const rows = [
    'Date,Amount,Balance,Code,Ref,Text',
    '03/02/2026,"-1,250.75","$8,749.25",466,4,"ACH ""CREDITS"", ALL"',
    '03/02/2026,(49.25),8700.00,,,FEE',
    '03/03/2026,300,9000.00,,,',
  ]

  test('is read in either order, a statement for each day, with the balance before the first line', () => {
    const falling = [rows[0], ...rows.slice(1).reverse()].join('\r\n')
    for (const text of [rows.join('\n'), falling]) {
      const [first, second, ...others] = read(text)
      expect(others).toEqual([])
      expect(first).toMatchObject({ asOf: '2026-03-02', opening: 10_000_00, closing: 8_700_00, account: testAccount })
      expect(first?.entries).toMatchObject([
        { amount: -1_250_75, codes: ['466'], references: ['4'], text: 'ACH "CREDITS", ALL' },
        { amount: -49_25, codes: [], references: [] },
      ])
      expect(second).toMatchObject({ asOf: '2026-03-03', opening: 8_700_00, closing: 9_000_00 })
    }
  })

  test.each([
    ['balances', rows.join('\n').replace('8700.00', '8700.01')],
    ['amount', rows.join('\n').replace('300', '3OO')],
    ['amount', rows.join('\n').replace('(49.25)', '(49.25')],
    ['date', rows.join('\n').replace('03/03/2026', '13/03/2026')],
    ['format', rows.join('\n').replace('Amount', 'Sum')],
    ['format', rows.join('\n').replace(',466', '')],
    ['format', rows.join('\n').replace('ALL"', 'ALL')],
  ])('is refused for %s', (code, text) => expect(faultOf(text)).toBe(code))

  test('has amounts in two columns, and is not read without a mapping', () => {
    const mapping: CsvMapping = { ...csv, amount: { credit: 'In', debit: 'Out' }, separator: ';', dates: 'DD.MM.YYYY' }
    const text = 'Date;In;Out;Balance;Code;Ref;Text\n02.03.2026;5.00;;15.00;;;\n02.03.2026;;4.00;11.00;;;'
    expect(read(text, mapping)[0]).toMatchObject({
      opening: 10_00,
      closing: 11_00,
      entries: [{ amount: 5_00 }, { amount: -4_00 }],
    })
    expect(() => readStatements(Buffer.from(text), { kinds: new Map(), account: testAccount })).toThrow(/neither BAI2/)
  })
})

test('the bank’s own codes come before those of the standards', () => {
  const kinds = new Map([['447', { kind: 'fee' as const }]])
  expect(kindOf(['447'], kinds)).toBe('fee')
  expect(kindOf(['447'], new Map())).toBe('settlement')
  expect(kindOf(['X1', 'PMNT/IDDT/ARET'], new Map())).toBe('return')
  expect(kindOf(['X1', 'PMNT/RCDT/ASET'], new Map())).toBe('received')
  expect(kindOf(['399'], new Map())).toBe('other')
})

describe('a hostile file is refused in bounded time', () => {
  const half = MAX_BYTES / 2
  const document = (inner: string) => camtFile(day).replace('</Stmt>', `${inner}</Stmt>`)
  const declared = (depth: number) => Array.from({ length: 31 }, (_, n) => `xmlns:b${depth}-${n}="c"`).join(' ')
  test.each<[string, string | Uint8Array]>([
    ['more bytes than allowed', new Uint8Array(MAX_BYTES + 1)],
    ['UTF-16', Buffer.from(camtFile(day), 'utf16le')],
    ['bytes that are no UTF-8', Buffer.concat([Buffer.from(camtFile(day)), Buffer.from([0xff])])],
    ['deep nesting', document('<a>'.repeat(half / 4))],
    ['many elements', document('<a/>'.repeat(half / 4))],
    [
      'many namespaces',
      document(
        Array.from({ length: 28 }, (_, n) => `<a ${declared(n)}>`).join('') + '<a xmlns:b="c"/>'.repeat(half / 80),
      ),
    ],
    ['many attributes', document(`<a ${Array.from({ length: 1_000 }, (_, n) => `b${n}="1"`).join(' ')}/>`)],
    ['a long name', document(`<${'a'.repeat(half)}/>`)],
    ['a long text', document(`<a>${'b'.repeat(half)}</a>`)],
    ['blanks in a tag', document(`<a${' '.repeat(half)}`)],
    ['references without an end', document(`<a>${'&amp'.repeat(half / 8)}</a>`)],
    ['a comment without an end', document(`<!--${'-'.repeat(half)}`)],
    ['a tag without an end', document('<a b="'.repeat(half / 8))],
    ['lines alone', `01,${'\n'.repeat(half)}`],
    ['continuations alone', `${baiFile(day).split('\n16')[0]}\n16,466,1\n${'88,\n'.repeat(half / 8)}`],
    ['records on one line', '01,/'.repeat(half / 4)],
    ['fields alone', `${baiFile(day).split('\n16')[0]}\n${`88,${',,/'.repeat(5_000)}\n`.repeat(1_000)}`],
    ['a quote without an end', `Date,Amount\n"${'a'.repeat(half)}`],
    ['quotes alone', `Date,Amount\n${'"'.repeat(half)}`],
    ['separators alone', `Date,Amount\n${','.repeat(half)}`],
  ])('%s', (_, file) => {
    const startedMs = performance.now()
    expect(faultOf(file)).not.toBe('read')
    // Far above what any of them takes: what grows with the square of the length takes hours.
    expect(performance.now() - startedMs).toBeLessThan(20_000)
  })
})

/** Files that several products share; they stand beside the repository where it is worked on, and nowhere else. */
const shared = join(import.meta.dirname, '../../../../shared/rails/statement-vectors')

interface Vector {
  name: string
  expected?: { statements: Record<string, unknown>[]; flags?: string[] }
  fault?: { code: string }
}

if (existsSync(shared)) {
  const { files } = JSON.parse(readFileSync(join(shared, 'manifest.json'), 'utf8')) as { files: Vector[] }
  const contentOf = (name: string) => readFileSync(join(shared, name))
  const sumOf = (amounts: number[]) => ({
    count: amounts.length,
    sum: amounts.reduce((sum, amount) => sum + Math.abs(amount), 0),
  })

  describe('the shared vectors', () => {
    test.each(files.filter(({ expected }) => expected))('$name is read as its manifest says', ({ name, expected }) => {
      const statements = read(contentOf(name))
      expect(statements).toHaveLength(expected?.statements.length ?? 0)
      for (const [at, { identity, currency, opening, closing, entries, credits, debits, ...more }] of (
        expected?.statements ?? []
      ).entries()) {
        const found = statements[at] as BankStatement
        const { account, asOf = more.date } = identity as Record<string, unknown>
        expect(found).toMatchObject({ account, asOf, currency, opening, closing })
        const amounts = found.entries.map(({ amount }) => amount)
        expect(amounts).toHaveLength(Number(entries))
        expect(sumOf(amounts.filter((amount) => amount > 0))).toEqual(credits)
        expect(sumOf(amounts.filter((amount) => amount < 0))).toEqual(debits)
        expect(found.flags.toSorted()).toEqual((expected?.flags ?? []).toSorted())
        if (more.notBooked !== undefined) expect(found.notBooked).toBe(more.notBooked)
        if (more.page) expect(found.page).toEqual(more.page)
      }
    })

    test.each(files.filter(({ fault }) => fault))('$name is refused as its manifest says', ({ name, fault }) => {
      expect(faultOf(contentOf(name))).toBe(fault?.code)
    })
  })
}
