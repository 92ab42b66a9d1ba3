import { afterAll, beforeAll, expect, test } from 'vitest'
import { organisationNamed, setBankTime } from '../../test/support/bank-time.ts'
import { refund } from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { expectSoundLedger } from '../../test/support/ledger.ts'
import { buy, makeCampaignOffer, makeShopper } from '../../test/support/rewards.ts'
import { parseConfig } from '../config.ts'
import { openRetention } from './retention.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank({ own: true })
})
afterAll(() => bank.close())

async function prune(): Promise<void> {
  const retention = openRetention({
    database: bank.database,
    keep: parseConfig({}).keep,
    failed: (error) => {
      throw error
    },
    limits: { kindMs: 10_000, restMs: 1 },
  })
  await retention.prune()
}

const periods = async () => {
  const rows = await bank.database.query<{ period: string }>(
    'select distinct period from campaign_usage order by period',
  )
  return rows.map(({ period }) => period)
}

test('the use of budgets by day and month goes after 400 days of bank time, and the use in all stays exact', async () => {
  const organisation = await organisationNamed(bank, 'first')
  await setBankTime(bank, organisation, '2030-03-10T12:00:00Z')
  const shopper = await makeShopper(bank)
  const { id, campaignId, merchantName } = await makeCampaignOffer(bank, {
    ...{ amount: 5_00, budget: { total: { amount: 100_00 } }, userBudget: { day: { count: 1 } } },
  })
  const used = async () =>
    (
      await Promise.all(
        [`campaigns/${campaignId}`, `offers/${id}`].map((path) => bank.call('GET', `/v0/rewards/${path}`)),
      )
    ).map(({ json }) => json.data.used)
  const early = await buy(bank, shopper, merchantName, 50_00)
  await setBankTime(bank, organisation, '2031-04-14T12:00:00Z')
  await prune()
  expect(await periods()).toEqual(['2030-03-10', 'total'])
  const use = { amount: 5_00, count: 1 }
  expect(await used()).toEqual([use, use])
  await expectSoundLedger(bank)

  await setBankTime(bank, organisation, '2031-04-15T12:00:00Z')
  const late = await buy(bank, shopper, merchantName, 50_00)
  await prune()
  expect(await periods()).toEqual(['2031-04', '2031-04-15', 'total'])
  expect(await used()).toEqual([
    { amount: 10_00, count: 2 },
    { amount: 10_00, count: 2 },
  ])
  await expectSoundLedger(bank)

  // The first refund is of a day that is no longer kept: it gives back to the use in all.
  expect((await refund(bank, early)).status).toBe(201)
  expect(await used()).toEqual([use, use])
  expect(await periods()).toEqual(['2031-04', '2031-04-15', 'total'])
  expect((await refund(bank, late)).status).toBe(201)
  const none = { amount: 0, count: 0 }
  expect(await used()).toEqual([none, none])
  await expectSoundLedger(bank)
})
