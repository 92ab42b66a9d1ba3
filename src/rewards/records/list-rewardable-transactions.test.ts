import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { idsOf, insertRecord, listRecords } from '../../../test/support/rewards.ts'

const texts = ['0039523', '39523', 'abc', 'ABC', '50%', '5000', 'a_c', 'a\\c', 'é', 'É']
const rows = texts.map((bankTransactionId, at) => ({
  id: at + 1,
  partnerUserCardId: at % 2 === 0 ? 70 : 71,
  bankTransactionId,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: null,
}))

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
  const partnerUserId = await insertRecord(bank, 'partner_user', { userId: 1 })
  await insertRecord(bank, 'partner_user_card', { id: 70, partnerUserId, bankCardId: '1' })
  await insertRecord(bank, 'partner_user_card', { id: 71, partnerUserId, bankCardId: '2' })
  for (const row of rows) await insertRecord(bank, 'rewardable_transaction', row)
})
afterAll(() => bank.close())

const found = async (condition: string, ...values: string[]) => {
  const whereClause = `$C1 ${condition}`
  const query = { whereClause, columnNames: 'bankTransactionId', values: JSON.stringify(values) }
  return (await idsOf(bank, 'rewardable-transactions', query)).map((id) => texts[id - 1])
}

describe('R4 list rewardable transactions', () => {
  test('answers whole records by id', async () => {
    const { status, json } = await listRecords(bank, 'rewardable-transactions')
    expect([status, json]).toEqual([200, { data: rows }])
    expect(await idsOf(bank, 'rewardable-transactions', {}, bank.otherKey)).toEqual([])
  })

  test('filters by card and by list of ids', async () => {
    const ids = (columnNames: string, values: string) =>
      idsOf(bank, 'rewardable-transactions', {
        whereClause: '$C1 IN ( $V1 )',
        columnNames,
        values,
        orderByClause: '$C1 DESC',
      })
    expect(await ids('id', '[1,2,3]')).toEqual([3, 2, 1])
    expect(await ids('partnerUserCardId', '[71]')).toEqual([2, 4, 6, 8, 10])
  })

  test('compares texts without converting them to numbers', async () => {
    expect(await found('= $V1', '0039523')).toEqual(['0039523'])
    expect(await found('IN ($V1, $V2)', '39523', 'abc')).toEqual(['39523', 'abc'])
    expect(await found('<> $V1', 'x')).toHaveLength(texts.length)
    expect(await found('< $V1', '5')).toEqual(['0039523', '39523'])
    expect(await found('BETWEEN $V1 AND $V2', 'A', 'a')).toEqual(['ABC'])
  })

  test('matches patterns', async () => {
    expect(await found('LIKE $V1', '%395%')).toEqual(['0039523', '39523'])
    expect(await found('LIKE $V1', 'a_c')).toEqual(['abc', 'a_c', 'a\\c'])
    expect(await found('LIKE $V1', 'a\\_c')).toEqual(['a_c'])
    expect(await found('LIKE $V1', 'a\\\\c')).toEqual(['a\\c'])
    expect(await found('LIKE $V1', '50\\%')).toEqual(['50%'])
    expect(await found('LIKE $V1', '')).toEqual([])
    expect(await found('NOT LIKE $V1', '%a%')).not.toContain('abc')
    expect(await found('ILIKE $V1', 'AB%')).toEqual(['abc', 'ABC'])
    expect(await found('ILIKE $V1', 'é')).toEqual(['é', 'É'])
    expect(await found('NOT ILIKE $V1', '%')).toEqual([])
  })

  test('orders texts by their characters', async () => {
    const query = { columnNames: 'bankTransactionId', orderByClause: '$C1' }
    const ids = await idsOf(bank, 'rewardable-transactions', query)
    expect(ids.map((id) => texts[id - 1])).toEqual([...texts].sort())
  })

  test('refuses unknown columns and values of the wrong type', async () => {
    for (const [columnNames, values, code] of [
      ['userId', '[1]', 'unknown_column'],
      ['organisationId', '[1]', 'unknown_column'],
      ['authorizationId', '[1]', 'unknown_column'],
      ['partnerUserCardId', '[x]', 'value_type'],
    ] as const) {
      const reply = await listRecords(bank, 'rewardable-transactions', {
        whereClause: '$C1 = $V1',
        columnNames,
        values,
      })
      expect([reply.status, reply.json.errors[0].code], columnNames).toEqual([400, code])
    }
  })
})
