import { describe, expect, test } from 'vitest'
import type { ListedTransaction } from '../transactions/transaction.ts'
import { statementDocument } from './statement-document.ts'
import { statementHtml } from './statement-html.ts'

const hostile = `<img src=x onerror="alert('&')">`
const escaped = '&lt;img src=x onerror=&quot;alert(&#39;&amp;&#39;)&quot;&gt;'

function htmlOf(transactions: ListedTransaction[]): Promise<string> {
  const address = { street: hostile, street2: null, city: 'Springfield', state: 'IL', postalCode: '62701' }
  const facts = {
    statementId: '1000345',
    createdAt: '2026-02-01T00:00:00.123Z',
    holder: hostile,
    address,
    accountNumber: '1000000042',
    routingNumber: '812345678',
    period: '2026-01',
    openingBalance: 5_00,
    closingBalance: 3_00,
  }
  return statementHtml(statementDocument(facts, transactions))
}

const transaction: ListedTransaction = {
  type: 'bookTransaction',
  id: '1000346',
  createdAt: '2026-01-31T23:59:59.999Z',
  amount: 2_00,
  direction: 'Debit',
  balance: 3_00,
  summary: `${hostile}  |  Ада 😀`,
  counterparty: { name: hostile, routingNumber: '812345678', accountNumber: '1', accountType: 'Checking' },
}

describe("a statement's HTML", () => {
  test('escapes whatever people wrote, and keeps every letter', async () => {
    const html = await htmlOf([transaction])
    expect(html).not.toContain('<img')
    expect(html.split(escaped)).toHaveLength(4)
    expect(html).toContain(
      `<tr><td>Jan 31</td><td>${escaped} | Ада 😀</td><td class="number">-$2.00</td><td class="number">$3.00</td></tr>`,
    )
  })

  test('needs nothing from elsewhere', async () => {
    expect(await htmlOf([transaction])).not.toMatch(/<(script|link|img|iframe)|url\(|@import|https?:/)
  })

  test('says so when nothing moved', async () => {
    expect(await htmlOf([])).toContain('No transactions in this period.')
    expect(await htmlOf([transaction])).not.toContain('No transactions in this period.')
  })
})
