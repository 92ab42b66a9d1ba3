import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { applicant, makeCustomer } from '../../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

describe('get application', () => {
  test('answers each application as it was created', async () => {
    for (const ssn of ['123456789', '000000001', '000000003', '000000004']) {
      const created = await bank.call('POST', '/v0/banking/applications', { body: { ...applicant, ssn } })
      const { status, json } = await bank.call('GET', `/v0/banking/applications/${created.json.data.id}`)
      expect([status, json]).toEqual([200, created.json])
    }
  })

  test('refuses an unknown id and the id of another kind of record, and names the operation that creates an application', async () => {
    for (const id of ['1000', await makeCustomer(bank)]) {
      const { json } = await bank.call('GET', `/v0/banking/applications/${id}`)
      expect(json).toMatchObject({ status: 404, code: 'application_not_found' })
      expect(json.detail).toContain('POST /v0/banking/applications creates one')
    }
  })
})
