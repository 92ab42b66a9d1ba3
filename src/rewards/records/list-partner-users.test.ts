import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { filterUrl, idsOf, insertRecord, listRecords } from '../../../test/support/rewards.ts'

const rows = [
  { id: 11, userId: 30, isRemoved: false, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: null },
  { id: 12, userId: 10, isRemoved: true, createdAt: '2026-01-02T00:00:00.000Z', updatedAt: '2026-02-01T00:00:00.000Z' },
  { id: 13, userId: 20, isRemoved: false, createdAt: '2026-01-03T00:00:00.001Z', updatedAt: null },
  { id: 14, userId: 40, isRemoved: true, createdAt: '2026-01-04T00:00:00.000Z', updatedAt: '2026-02-03T00:00:00.000Z' },
]

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
  for (const row of rows) await insertRecord(bank, 'partner_user', row)
  await insertRecord(bank, 'partner_user', { id: 99, userId: 10 }, 'second')
})
afterAll(() => bank.close())

const ids = (texts: Parameters<typeof idsOf>[2]) => idsOf(bank, 'partner-users', texts)
const ask = (texts: Parameters<typeof idsOf>[2]) => listRecords(bank, 'partner-users', texts)

describe('R3 list partner users', () => {
  test('answers all of them by id, and none of another organisation', async () => {
    const { status, json } = await bank.call('GET', '/v0/rewards/partner-users')
    expect([status, json]).toEqual([200, { data: rows }])
    expect(await idsOf(bank, 'partner-users', {}, bank.otherKey)).toEqual([99])
    const whereClause = '$C1 = $V1 OR NOT $C1 = $V1'
    expect(await ids({ whereClause, columnNames: 'userId', values: '[10]' })).toEqual([11, 12, 13, 14])
  })

  test('finds a list of users in the order asked for', async () => {
    const whereClause = '$C1 IN ( $V1 )'
    const texts = { whereClause, columnNames: 'userId', values: '[10, 20, 30]', orderByClause: '$C1 DESC' }
    expect(await ids(texts)).toEqual([11, 13, 12])
    expect(await ids({ ...texts, whereClause: '$C1 NOT IN ($V1)' })).toEqual([14])
    expect(await ids({ ...texts, values: '[]' })).toEqual([])
    expect(await ids({ ...texts, whereClause: '$C1 NOT IN ($V1)', values: '[]' })).toEqual([14, 11, 13, 12])
  })

  test('filters by every column', async () => {
    const found = (columnNames: string, condition: string, values?: string) =>
      ids({ whereClause: `$C1 ${condition}`, columnNames, ...(values && { values }) })
    expect(await found('id', '>= $V1', '[13]')).toEqual([13, 14])
    expect(await found('userId', 'BETWEEN $V1 AND $V2', '[15, 30]')).toEqual([11, 13])
    expect(await found('isRemoved', '= $V1', '[true]')).toEqual([12, 14])
    expect(await found('createdAt', '< $V1', '[2026-01-03]')).toEqual([11, 12])
    expect(await found('createdAt', '> $V1', '["2026-01-03T00:00:00.0009Z"]')).toEqual([13, 14])
    expect(await found('createdAt', '= $V1', '["2026-01-03T01:00:00.001+01:00"]')).toEqual([13])
    expect(await found('updatedAt', 'IS NULL')).toEqual([11, 13])
    expect(await found('updatedAt', '<> $V1', '[2026-02-01]')).toEqual([14])
    expect(await ids({ whereClause: 'NOT $C1 = $V1', columnNames: 'updatedAt', values: '[2026-02-01]' })).toEqual([14])
  })

  test('orders by every column, nulls last going up and first going down', async () => {
    const ordered = (columnNames: string, orderByClause: string) => ids({ columnNames, orderByClause })
    expect(await ordered('id', '$C1 DESC')).toEqual([14, 13, 12, 11])
    expect(await ordered('userId', '$C1')).toEqual([12, 13, 11, 14])
    expect(await ordered('isRemoved,id', '$C1, $C2 DESC')).toEqual([13, 11, 14, 12])
    expect(await ordered('createdAt', '$C1 DESC')).toEqual([14, 13, 12, 11])
    expect(await ordered('updatedAt', '$C1')).toEqual([12, 14, 11, 13])
    expect(await ordered('updatedAt', '$C1 DESC')).toEqual([11, 13, 14, 12])
    expect(await ordered('updatedAt', '$C1 NULLS FIRST')).toEqual([11, 13, 12, 14])
    expect(await ordered('updatedAt', '$C1 DESC NULLS LAST')).toEqual([14, 12, 11, 13])
  })

  test('limits and skips, and links to what follows with the same clauses', async () => {
    const texts = { columnNames: 'userId', orderByClause: '$C1 DESC', limit: '3' }
    const first = await ask(texts)
    expect(first.json.data.map(({ id }: { id: number }) => id)).toEqual([14, 11, 13])
    const [, next = ''] = /^<(.*)>; rel="next"$/.exec(String(first.headers.link)) ?? []
    const second = await bank.call('GET', next)
    expect(second.json.data.map(({ id }: { id: number }) => id)).toEqual([12])
    expect(second.headers.link).toBeUndefined()
    expect(await ids({ offset: '4' })).toEqual([])
    expect((await ask({ limit: '4' })).headers.link).toBeUndefined()
  })

  test('treats blank parameters as absent', async () => {
    expect(await ids({ whereClause: '', columnNames: '  ', values: '', orderByClause: ' ' })).toEqual([11, 12, 13, 14])
    expect((await bank.call('GET', '/v0/rewards/partner-users?whereClause&values=+')).status).toBe(200)
  })

  test('refuses a faulty clause with a code, the parameter and the position', async () => {
    const { status, json } = await ask({ whereClause: '$C1 = $V1; DROP TABLE x', columnNames: 'id', values: '[1]' })
    const message = 'whereClause, character 10: AND, OR or the end was expected'
    expect([status, json.code, json.detail, json.errors]).toEqual([
      400,
      'invalid_request',
      message,
      [{ parameter: 'whereClause', code: 'syntax', message }],
    ])
    for (const parameter of ['whereClause', 'columnNames', 'values', 'orderByClause'] as const) {
      for (const text of ['\u0000', '\n', '\u0085']) {
        expect((await ask({ [parameter]: text })).json.errors, parameter).toMatchObject([{ parameter, code: 'syntax' }])
      }
    }
  })

  test('refuses a parameter that is repeated, unknown or no UTF-8', async () => {
    const faults = async (search: string) => (await bank.call('GET', `/v0/rewards/partner-users?${search}`)).json.errors
    expect(await faults('values=[]&values=[]')).toMatchObject([{ parameter: 'values', code: 'repeated' }])
    expect(await faults('where=1')).toMatchObject([{ parameter: 'where', code: 'unknown' }])
    expect(await faults('sort=createdAt')).toMatchObject([{ parameter: 'sort', code: 'unknown' }])
    expect(await faults('values=%FF')).toMatchObject([{ parameter: 'values', code: 'bad_format' }])
    expect(await faults('limit=1001&offset=-1')).toMatchObject([{ parameter: 'offset' }, { parameter: 'limit' }])
  })

  test('returns at most a thousand records where no limit is sent', async () => {
    const key = await bank.makeKey('many', null)
    await bank.database.query(
      `insert into partner_user (id, organisation_id, user_id, created_at)
       select 1000 + n, o.id, n, now() from organisation o, generate_series(1, 1001) n where o.name = 'many'`,
    )
    const { json, headers } = await bank.call('GET', '/v0/rewards/partner-users', { key })
    expect([json.data.length, headers.link]).toEqual([1_000, '</v0/rewards/partner-users?offset=1000>; rel="next"'])
    const values = JSON.stringify(Array.from({ length: 1_000 }, (_, at) => at + 2))
    const texts = { whereClause: '$C1 IN ($V1)', columnNames: 'userId', values }
    expect((await bank.call('GET', filterUrl('partner-users', texts), { key })).json.data).toHaveLength(1_000)
  })
})
