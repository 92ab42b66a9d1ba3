import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openedAt, organisationNamed, setBankTime } from '../../../test/support/bank-time.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeAccount, makeCustomer } from '../../../test/support/world.ts'

let bank: TestBank
let accountId: string
let statement: { id: string; period: string }

beforeAll(async () => {
  bank = await openTestBank()
  const organisationId = await organisationNamed(bank, 'first')
  await setBankTime(bank, organisationId, '2026-01-10T12:00:00Z')
  accountId = await makeAccount(bank, { customerId: await makeCustomer(bank, { name: 'Ada <b>& "Example"' }) })
  for (const [amount, direction] of [
    [1_000_00, 'Credit'],
    [250_01, 'Debit'],
  ] as const) {
    const body = { amount, direction, companyName: "O'Neil <script>alert(1)</script>" }
    await bank.call('POST', `/v0/sandbox/accounts/${accountId}/receive-ach`, { body })
  }
  await setBankTime(bank, organisationId, '2026-02-01T00:00:00Z')
  const body = { period: '2026-01' }
  statement = (await bank.call('POST', `/v0/sandbox/accounts/${accountId}/statements`, { body })).json.data
})
afterAll(() => bank.close())

const get = (id: string, query = '') => bank.call('GET', `/v0/banking/statements/${id}${query}`)

describe('get statement', () => {
  test('answers the record as it was made', async () => {
    const { status, json } = await get(statement.id)
    expect([status, json]).toEqual([200, { data: statement }])
  })

  test('answers the document as HTML, in which nothing of a name is markup', async () => {
    const { status, json } = await get(statement.id, '?format=html')
    expect([status, Object.keys(json.data)]).toEqual([200, ['html']])
    expect(json.data.html).toContain('Ada &lt;b&gt;&amp; &quot;Example&quot;')
    expect(json.data.html).toContain('O&#39;Neil &lt;script&gt;alert(1)&lt;/script&gt; | ACH credit')
    expect(json.data.html).not.toContain('<script')
    for (const text of ['January 1, 2026 to January 31, 2026', '+$1,000.00', '-$250.01', '$749.99', '812345678']) {
      expect(json.data.html).toContain(text)
    }
    const { json: account } = await bank.call('GET', `/v0/banking/accounts/${accountId}`)
    expect(json.data.html).toContain(account.data.accountNumber)
  })

  test('refuses another format', async () => {
    const { status, json } = await get(statement.id, '?format=docx')
    expect([status, json.errors[0].parameter]).toEqual([400, 'format'])
  })

  test('refuses an unknown id and the id of another kind of record', async () => {
    for (const id of ['1000', accountId]) {
      const { status, json } = await get(id)
      expect([status, json.code]).toEqual([404, 'statement_not_found'])
    }
  })

  test('refuses a document of more than 20,000 transactions, but not the record', async () => {
    const body = { period: '2025-12' }
    await openedAt(bank, accountId, '2025-12-15T12:00:00Z')
    const { json: made } = await bank.call('POST', `/v0/sandbox/accounts/${accountId}/statements`, { body })
    const { id } = made.data
    const lengthen = (count: number) =>
      bank.database.query(`update statement set last_seq = first_seq + $2::int - 1 where id = $1::bigint`, [id, count])
    await lengthen(20_000)
    expect((await get(id, '?format=html')).status).toBe(200)
    await lengthen(20_001)
    const { status, json } = await get(id, '?format=html')
    expect([status, json.code]).toEqual([422, 'statement_too_long'])
    expect((await get(id)).status).toBe(200)
    await bank.database.query(`delete from statement where id = $1::bigint`, [id])
  })
})
