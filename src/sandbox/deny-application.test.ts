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
const deny = (id: string) => bank.call('POST', `/v0/sandbox/applications/${id}/deny`)

describe('deny application', () => {
  test('denies an application that is in review or awaits documents', async () => {
    for (const ssn of ['000000004', '000000003']) {
      const application = await apply(ssn)
      const { status, json } = await deny(application.id)
      expect([status, json]).toEqual([200, { data: { ...application, status: 'Denied' } }])
      expect((await bank.call('GET', `/v0/banking/applications/${application.id}`)).json).toEqual(json)
    }
  })

  test('refuses an application that is decided', async () => {
    for (const ssn of ['123456789', '000000001']) {
      const { status, json } = await deny((await apply(ssn)).id)
      expect([status, json.code]).toEqual([409, 'application_wrong_state'])
    }
  })

  test('refuses an unknown application', async () => {
    const { status, json } = await deny('1000')
    expect([status, json.code]).toEqual([404, 'application_not_found'])
  })
})
