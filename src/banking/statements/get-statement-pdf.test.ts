import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { organisationNamed, setBankTime } from '../../../test/support/bank-time.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { pdfPages } from '../../../test/support/pdf-text.ts'
import { makeAccount, makeCustomer } from '../../../test/support/world.ts'

let bank: TestBank
let accountId: string
let path: string

beforeAll(async () => {
  bank = await openTestBank()
  const organisationId = await organisationNamed(bank, 'first')
  await setBankTime(bank, organisationId, '2026-01-10T12:00:00Z')
  const address = { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701' }
  accountId = await makeAccount(bank, { customerId: await makeCustomer(bank, { name: 'Zoë Example', address }) })
  for (const [amount, companyName] of [
    [1_000_00, 'Sample Payroll'],
    [23_45, 'Café Ada'],
  ] as const) {
    const body = { amount, companyName, description: 'Salary' }
    await bank.call('POST', `/v0/sandbox/accounts/${accountId}/receive-ach`, { body })
  }
  await setBankTime(bank, organisationId, '2026-02-03T00:00:00Z')
  const body = { period: '2026-01' }
  const { json } = await bank.call('POST', `/v0/sandbox/accounts/${accountId}/statements`, { body })
  path = `/v0/banking/statements/${json.data.id}/pdf`
})
afterAll(() => bank.close())

describe('get statement as PDF', () => {
  test('answers a document that says all there is to say', async () => {
    const { status, headers, bytes } = await bank.call('GET', path)
    expect([status, headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(headers['content-disposition']).toMatch(/^attachment; filename="statement-\d+\.pdf"$/)
    const { json } = await bank.call('GET', `/v0/banking/accounts/${accountId}`)
    const [page = [], ...more] = pdfPages(bytes)
    expect(more).toEqual([])
    expect(page.join('\n')).toBe(
      [
        ...['Purser', 'Account statement', 'January 1, 2026 to January 31, 2026'],
        ...['Zoë Example', '1 Sample Street', 'Springfield, IL 62701'],
        ...['Account', 'Checking', 'Account number', json.data.accountNumber, 'Routing number', '812345678'],
        ...['Statement number', path.split('/')[4], 'Statement date', 'February 3, 2026'],
        ...['Opening balance', '$0.00', 'Total credits (2)', '+$1,023.45', 'Total debits (0)', '$0.00'],
        ...['Closing balance', '$1,023.45', 'Transactions', 'Date', 'Description', 'Amount', 'Balance'],
        ...['Jan 1', 'Opening balance', '$0.00'],
        ...['Jan 10', 'Sample Payroll | Salary', '+$1,000.00', '$1,000.00'],
        ...['Jan 10', 'Café Ada | Salary', '+$23.45', '$1,023.45'],
        ...['Closing balance on January 31, 2026', '$1,023.45'],
        'Amounts are in US dollars. Dates are in Coordinated Universal Time (UTC).',
        ...[`Purser, statement ${path.split('/')[4]}`, 'Page 1 of 1'],
      ].join('\n'),
    )
  })

  test('is the same to the byte, so that it need not be sent again', async () => {
    const [first, second] = [await bank.call('GET', path), await bank.call('GET', path)]
    expect(second.bytes.equals(first.bytes)).toBe(true)
    const etag = String(first.headers.etag)
    expect(etag).toMatch(/^"[\w-]{27}"$/)
    const again = await bank.call('GET', path, { headers: { 'if-none-match': etag } })
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag])
  })

  test('answers HEAD with the length alone', async () => {
    const [whole, head] = [await bank.call('GET', path), await bank.call('HEAD', path)]
    expect([head.status, head.bytes.length, head.headers.etag]).toEqual([200, 0, whole.headers.etag])
    expect(head.headers['content-length']).toBe(String(whole.bytes.length))
  })

  test('refuses an unknown id', async () => {
    const { status, json } = await bank.call('GET', '/v0/banking/statements/1000/pdf')
    expect([status, json.code]).toEqual([404, 'statement_not_found'])
  })

  test('refuses a document of more than 20,000 transactions', async () => {
    const [, , , , id] = path.split('/')
    const grow = (by: number) =>
      bank.database.query(`update statement set last_seq = last_seq + $2::int where id = $1::bigint`, [id, by])
    await grow(20_000)
    const { status, json } = await bank.call('GET', path)
    expect([status, json.code]).toEqual([422, 'statement_too_long'])
    await grow(-20_000)
  })
})
