import { describe, expect, test } from 'vitest'
import { dollars } from '../../../ground/text.ts'
import { pdfPages } from '../../../test/support/pdf-text.ts'
import { type StatementDocument, statementDocument } from '../../banking/statements/statement-document.ts'
import type { ListedTransaction } from '../../banking/transactions/transaction.ts'
import { statementPdf } from './statement-pdf.ts'

const counterparty = { name: 'x', routingNumber: '812345678', accountNumber: '1', accountType: 'Checking' }

function documentOf(
  count: number,
  change: Partial<StatementDocument> = {},
  summary = 'Sample Payroll',
): StatementDocument {
  let balance = 100_00
  const transactions = Array.from({ length: count }, (_, index): ListedTransaction => {
    const direction = index % 3 === 0 ? 'Credit' : 'Debit'
    balance += direction === 'Credit' ? index + 1 : -(index + 1)
    const day = String(1 + Math.floor((index * 31) / count)).padStart(2, '0')
    const createdAt = `2026-01-${day}T12:00:00.000Z`
    return {
      ...{ type: 'bookTransaction', id: String(1_000_000 + index), createdAt, amount: index + 1, direction, balance },
      ...{ summary: `${summary}  |  number ${index + 1}`, counterparty },
    }
  })
  const facts = {
    statementId: '1000345',
    createdAt: '2026-02-01T00:00:00.123Z',
    holder: 'Ada Example',
    address: null,
    accountNumber: '1000000042',
    routingNumber: '812345678',
    period: '2026-01',
    openingBalance: 100_00,
    closingBalance: balance,
  }
  return { ...statementDocument(facts, transactions), ...change }
}

describe("a statement's PDF", () => {
  test.each([
    [0, 1],
    [1, 1],
    [60, 3],
    [2_000, 60],
  ])('with %i rows has %i pages, each with its number and the head of the table', async (count, expected) => {
    const document = documentOf(count)
    const pages = pdfPages(await statementPdf(document))
    expect(pages).toHaveLength(expected)
    for (const [index, page] of pages.entries()) {
      expect(page.at(-1)).toBe(`Page ${index + 1} of ${expected}`)
      const head = page.indexOf('Date')
      expect(page.slice(head, head + 4)).toEqual(['Date', 'Description', 'Amount', 'Balance'])
      if (index > 0) expect(page).toContain('Account 1000000042, January 2026')
    }
    const texts = pages.flat()
    expect(texts).toContain(`Total credits (${document.credits.count})`)
    expect(texts).toContain(count === 0 ? '$0.00' : `+${dollars(document.credits.total)}`)
    expect(texts).toContain(dollars(document.debits.total))
    const drawn = texts.filter((text) => text.startsWith('Sample Payroll | '))
    expect(drawn).toEqual(Array.from({ length: count }, (_, index) => `Sample Payroll | number ${index + 1}`))
    const last = texts.indexOf('Closing balance on January 31, 2026')
    expect(texts[last + 1]).toBe(dollars(document.closingBalance))
    expect(texts.includes('No transactions in this period.')).toBe(count === 0)
  })

  test('never leaves the closing balance and the notes without room, however many rows there are', async () => {
    for (let count = 20; count < 30; count++) {
      const pages = pdfPages(await statementPdf(documentOf(count)))
      expect(pages.at(-1)).toContain('Closing balance on January 31, 2026')
      expect(pages.length, String(count)).toBeLessThanOrEqual(2)
    }
  })

  test('is the same bytes for the same statement, and others for another', async () => {
    const first = await statementPdf(documentOf(3))
    expect((await statementPdf(documentOf(3))).equals(first)).toBe(true)
    expect((await statementPdf(documentOf(3, { statementId: '1000346' }))).equals(first)).toBe(false)
  })

  test('wraps a long description onto a second line and cuts what is longer', async () => {
    const [wrapped = []] = pdfPages(
      await statementPdf(documentOf(1, {}, 'The Very Long Company Name That Goes On And On')),
    )
    expect(wrapped).toContain('The Very Long Company Name That Goes On And On |')
    expect(wrapped).toContain('number 1')
    const [unbroken = []] = pdfPages(await statementPdf(documentOf(1, {}, 'W'.repeat(255))))
    const lines = unbroken.filter((text) => /^W+…?$/.test(text))
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/W…$/)
    const [named = []] = pdfPages(await statementPdf(documentOf(1, { holder: 'Ada '.repeat(63).trim() })))
    expect(named.filter((text) => text.startsWith('Ada Ada'))).toEqual([
      expect.stringMatching(/Ada$/),
      expect.stringMatching(/…$/),
    ])
  })

  test('prints a question mark for a character without a letter, and a note', async () => {
    const note = /^A question mark stands for a character/
    const [odd = []] = pdfPages(await statementPdf(documentOf(1, { holder: 'Ада 😀' }, 'Łukasz 日本')))
    expect(odd).toContain('??? ?')
    expect(odd).toContain('Lukasz ?? | number 1')
    expect(odd.some((text) => note.test(text))).toBe(true)
    const [plain = []] = pdfPages(await statementPdf(documentOf(1, {}, 'Zoë?')))
    expect(plain.some((text) => note.test(text))).toBe(false)
  })

  test('holds the largest balances', async () => {
    const limits = { openingBalance: Number.MAX_SAFE_INTEGER, closingBalance: -Number.MAX_SAFE_INTEGER }
    const credits = { count: 9_000, total: 9n * 10n ** 18n }
    const [page = []] = pdfPages(await statementPdf(documentOf(0, { ...limits, credits })))
    for (const text of ['$90,071,992,547,409.91', '-$90,071,992,547,409.91', '+$90,000,000,000,000,000.00']) {
      expect(page).toContain(text)
    }
  })
})
