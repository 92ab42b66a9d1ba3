import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { applicant } from '../../../test/support/world.ts'

let bank: TestBank
/** Applications as they were created, newest first, without their documents. */
let created: Record<string, unknown>[]

beforeAll(async () => {
  bank = await openTestBank()
  created = []
  for (const ssn of ['123456789', '000000001', '000000003', '000000004', '000000003']) {
    const { json } = await bank.call('POST', '/v0/banking/applications', { body: { ...applicant, ssn } })
    const { documents: _, ...listed } = json.data
    created.unshift(listed)
  }
})
afterAll(() => bank.close())

const list = (query = '', key = bank.key) => bank.call('GET', `/v0/banking/applications${query}`, { key })

describe('list applications', () => {
  test('answers all, newest first, without their documents', async () => {
    const { status, json, headers } = await list()
    expect([status, json, headers.link]).toEqual([200, { data: created }, undefined])
    expect((await list('?sort=createdAt')).json.data).toEqual(created.toReversed())
    expect((await list('', bank.otherKey)).json).toEqual({ data: [] })
  })

  test.each([
    ['awaitingDocuments', [0, 2]],
    ['PendingReview', [1]],
    ['Denied', [3]],
    ['Approved', [4]],
    ['Canceled', []],
  ])('finds those with the status %s', async (status, places) => {
    const { json } = await list(`?status=${status}`)
    expect(json.data).toEqual(places.map((place) => created[place]))
  })

  test.each([
    ['search=ADA', [0, 1, 2, 3, 4]],
    ['search=exa&status=Denied', [3]],
    ['search=grace', []],
    ['since=2020-01-01&status=Approved', [4]],
    ['until=2020-01-01', []],
  ])('finds those with %s', async (query, places) => {
    expect((await list(`?${query}`)).json.data).toEqual(places.map((place) => created[place]))
    expect((await list(`?${query}`, bank.otherKey)).json.data).toEqual([])
  })

  test('finds one by its id', async () => {
    expect((await list(`?search=${created[2]?.id}`)).json.data).toEqual([created[2]])
  })

  test('shows an approved application with its customer', async () => {
    const { json } = await list('?status=Approved')
    const { status } = await bank.call('GET', `/v0/banking/customers/${json.data[0].customerId}`)
    expect(status).toBe(200)
  })

  test('answers pages, and Link leads on without a shift', async () => {
    expect((await list('?limit=2&offset=1')).json.data).toEqual(created.slice(1, 3))
    const first = await list('?limit=3')
    await bank.call('POST', '/v0/banking/applications', { body: { ...applicant, ssn: '000000001' } })
    const [, next = ''] = /^<\/v0\/banking\/applications(.*)>; rel="next"$/.exec(String(first.headers.link)) ?? []
    const second = await list(next)
    expect([...first.json.data, ...second.json.data]).toEqual(created)
    expect(second.headers.link).toBeUndefined()
  })

  test('refuses an unknown status', async () => {
    const { json } = await list('?status=Open')
    expect(json).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ parameter: 'status' }] })
  })
})
