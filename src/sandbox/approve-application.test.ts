import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { applicant } from '../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const apply = async (ssn: string) =>
  (await bank.call('POST', '/v0/banking/applications', { body: { ...applicant, ssn } })).json.data
const approve = (id: string) => bank.call('POST', `/v0/sandbox/applications/${id}/approve`)

describe('approve application', () => {
  test('approves an application that is in review or awaits documents, and creates the customer', async () => {
    for (const ssn of ['000000004', '000000003']) {
      const application = await apply(ssn)
      const { status, json } = await approve(application.id)
      expect(status).toBe(200)
      expect(json).toEqual({
        data: { ...application, status: 'Approved', customerId: expect.stringMatching(/^[1-9]\d{6,}$/) },
      })
      expect((await bank.call('GET', `/v0/banking/applications/${application.id}`)).json).toEqual(json)
      const customer = await bank.call('GET', `/v0/banking/customers/${json.data.customerId}`)
      expect(customer.json.data).toMatchObject({
        name: applicant.name,
        email: applicant.email,
        phone: applicant.phone,
        address: applicant.address,
      })
    }
  })

  test('refuses an application that is decided', async () => {
    for (const ssn of ['123456789', '000000001']) {
      const { status, json } = await approve((await apply(ssn)).id)
      expect([status, json.code]).toEqual([409, 'application_wrong_state'])
      expect(json.detail).toContain('000000003')
    }
  })

  test('creates one customer when it is sent twice at once', async () => {
    const { id } = await apply('000000004')
    const replies = await Promise.all([approve(id), approve(id), approve(id)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('refuses an unknown application', async () => {
    const { status, json } = await approve('1000')
    expect([status, json.code]).toEqual([404, 'application_not_found'])
  })
})
