import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { smallCatalogue } from '../../../test/support/offers.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank({ catalogue: smallCatalogue() })
})
afterAll(() => bank.close())

const get = (zip: string) => bank.call('GET', `/v0/rewards/zip-codes/${zip}`)

describe('get ZIP code', () => {
  test.each(['10001', '10001-1234'])('answers the place of %s', async (zip) => {
    const { status, json } = await get(zip)
    expect([status, json.data]).toEqual([
      200,
      { zip: '10001', city: 'New York', state: 'NY', geoLocation: { lat: 40.7484, long: -73.9967 } },
    ])
  })

  test('refuses an unknown one with 404, and a malformed one with 400', async () => {
    const unknown = await get('99999')
    expect([unknown.status, unknown.json.code]).toEqual([404, 'zip_code_not_found'])
    for (const zip of ['1000', '100010', '1000a', '10001-', '10001-12345', '%20', '١٠٠٠١']) {
      const { status, json } = await get(encodeURI(decodeURI(zip)))
      expect([status, json.errors], zip).toEqual([400, [expect.objectContaining({ parameter: 'zip' })]])
    }
  })
})
