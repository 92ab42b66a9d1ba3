import { describe, expect, test } from 'vitest'
import { openTable } from './table.ts'
import { dollars, figure } from './text.ts'

const headings = { name: 'NAME', state: 'STATE', count: 'COUNT', amount: 'AMOUNT', at: 'AT', detail: 'DETAIL' }
const rows = [
  { name: 'Acme', state: 'active', count: 7, amount: 120, at: '2026-02-03T04:05:06.789Z', detail: null },
  { name: 'Söhne 💶', state: null, count: 1_234, amount: -5, at: null, detail: 'the server does not answer' },
]
const linesAt = (width: number, records: object[] = rows) => {
  const { heading, row, hidden } = openTable(records, headings, width, { money: ['amount'] })
  return { lines: [heading, ...records.map(row)], hidden }
}

describe('a table', () => {
  test('has numbers and amounts on the right, and times without milliseconds', () => {
    expect(linesAt(120)).toEqual({
      lines: [
        'NAME      STATE   COUNT  AMOUNT  AT                    DETAIL',
        'Acme      active      7    1.20  2026-02-03T04:05:06Z',
        'Söhne 💶           1234   -0.05                        the server does not answer',
      ],
      hidden: [],
    })
  })

  test('cuts texts of several words first, then leaves later columns out', () => {
    expect(linesAt(72).lines.at(-1)).toMatch(/ {2}the server .*…$/)
    expect(linesAt(60)).toMatchObject({ hidden: ['DETAIL'] })
    for (const width of [20, 40, 60, 72]) {
      expect(Math.max(...linesAt(width).lines.map((line) => line.length))).toBeLessThanOrEqual(width)
    }
  })

  test('without records has the headings that there is room for', () => {
    expect(linesAt(20, [])).toEqual({ lines: ['NAME  STATE  COUNT'], hidden: [] })
  })

  test('shows its first column on the narrowest terminal', () => {
    expect(linesAt(1)).toMatchObject({ hidden: ['STATE', 'COUNT', 'AMOUNT', 'AT', 'DETAIL'] })
    expect(linesAt(3).lines[1]).toBe('Ac…')
  })

  test('writes characters that a terminal would act on as text', () => {
    const name = 'a\u001b[2J\n\u202eb'
    expect(openTable([{ name }], { name: 'NAME' }, 80).row({ name })).toBe('a\\u001b[2J\\u000a\\u202eb')
  })
})

test.each([
  [0, '0.00', '$0.00'],
  [-5, '-0.05', '-$0.05'],
  [123_456, '1234.56', '$1,234.56'],
  [9_007_199_254_740_991, '90071992547409.91', '$90,071,992,547,409.91'],
])('%i cents are %s and %s', (cents, plain, text) => {
  expect([figure(cents), dollars(cents), dollars(BigInt(cents))]).toEqual([plain, text, text])
})
