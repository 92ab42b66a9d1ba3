import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  advance,
  ask,
  authorize,
  bankNow,
  later,
  makeFunded,
  makeVirtualCard,
  settle,
} from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { merchant, nationalOffer } from '../../../test/support/offers.ts'
import { insertRecord, makeCampaignOffer, makeLink, makePartnerUser } from '../../../test/support/rewards.ts'
import { newUserId } from '../../../test/support/world.ts'

let bank: TestBank
let offerId: string
let otherOfferId: string
let partnerUserId: number
beforeAll(async () => {
  const coffee = nationalOffer({
    merchant: merchant('Sample Coffee'),
    commission: 5,
    totalCommission: 8,
    title: 'coffee',
  })
  bank = await openTestBank({ catalogue: [coffee, nationalOffer({ title: 'tea' })] })
  const list = '/v0/rewards/reward-offers/national-reward-offers?userId=1&page=0'
  const { nationalRewardOffers } = await ask(bank, 'GET', list)
  const idOf = (title: string) => nationalRewardOffers.find((one: { title: string }) => one.title === title).id
  offerId = idOf('coffee')
  otherOfferId = idOf('tea')
  partnerUserId = (await makePartnerUser(bank)).id
})
afterAll(() => bank.close())

const path = '/v0/rewards/attributions'
let made = 0
const attribution = (own: Record<string, unknown> = {}) => ({
  ...{ id: `a-${++made}`, type: 'Click', offerId, partnerUserId },
  ...own,
})
const send = (attributions: unknown[]) => ask(bank, 'POST', path, { attributions })

/** The counts of an offer by day. */
async function funnelOf(id: string, query = '') {
  return ask(bank, 'GET', `/v0/rewards/offer-funnel?offerId=${id}${query}`)
}

describe('createAttributions', () => {
  test('counts offers of campaigns, which the funnel names', async () => {
    const offer = await makeCampaignOffer(bank, { title: 'Weekend' })
    expect(await send([attribution({ offerId: offer.id })])).toEqual({ counted: 1, repeated: 0, unknown: [] })
    expect(await funnelOf(offer.id)).toEqual([expect.objectContaining({ title: 'Weekend', clicks: 1 })])
  })

  test('counts each id once, in a batch, again and at the same time', async () => {
    const batch = ['Impression', 'Impression', 'View', 'Click'].map((type) =>
      attribution({ type, offerId: otherOfferId }),
    )
    const [first] = batch
    expect(await send([...batch, first])).toEqual({ counted: 4, repeated: 1, unknown: [] })
    const more = [...batch, attribution({ type: 'Impression', offerId: otherOfferId })]
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(more)))
    expect(answers.reduce((sum, { counted }) => sum + counted, 0)).toBe(1)
    expect(await funnelOf(otherOfferId)).toEqual([
      {
        date: (await bankNow(bank)).slice(0, 10),
        offerId: otherOfferId,
        title: 'tea',
        ...{ impressions: 3, views: 1, clicks: 1, purchases: 0, attributedPurchases: 0, earned: 0 },
      },
    ])
  })

  test('counts in the day in which it happened, and leaves out what is unknown', async () => {
    const now = await bankNow(bank)
    const removed = await insertRecord(bank, 'partner_user', { userId: newUserId(), isRemoved: true })
    const theirs = await insertRecord(bank, 'partner_user', { userId: newUserId() }, 'second')
    const unknown = [
      attribution({ offerId: '999' }),
      attribution({ offerId: 'none' }),
      attribution({ partnerUserId: removed }),
      attribution({ partnerUserId: theirs }),
    ]
    const day = later(now, -3).slice(0, 10)
    const good = attribution({ occurredAt: `${day}T12:00:00+02:00` })
    const answer = await send([...unknown, good])
    expect(answer).toEqual({ counted: 1, repeated: 0, unknown: unknown.map(({ id }) => id) })
    const days = await funnelOf(offerId, `&since=${day}&until=${day}`)
    expect(days).toMatchObject([{ date: day, clicks: 1 }])
  })

  test.each([
    ['in the future', 1],
    ['too long ago', -7.01],
  ])('refuses a time %s, and counts nothing of the batch', async (_when, days) => {
    const good = attribution()
    const bad = attribution({ occurredAt: later(await bankNow(bank), days) })
    const { status, json } = await bank.call('POST', path, { body: { attributions: [good, bad] } })
    expect([status, json.errors[0].pointer]).toEqual([400, '/attributions/1/occurredAt'])
    expect(await send([good])).toMatchObject({ counted: 1 })
  })

  test.each([
    ['none', []],
    ['more than 100', Array.from({ length: 101 }, () => ({ id: 'x', type: 'View', offerId: '1', partnerUserId: 1 }))],
    ['an unknown type', [{ id: 'x', type: 'Look', offerId: '1', partnerUserId: 1 }]],
    ['a time that is none', [{ id: 'x', type: 'View', offerId: '1', partnerUserId: 1, occurredAt: 'yesterday' }]],
  ])('refuses %s', async (_what, attributions) => {
    expect((await bank.call('POST', path, { body: { attributions } })).status).toBe(400)
  })
})

describe('listOfferFunnel', () => {
  async function buy() {
    const { id: cardId } = await makeVirtualCard(bank, await makeFunded(bank, 1_000_00))
    const user = (await makePartnerUser(bank)).id
    await makeLink(bank, user, cardId)
    return {
      user,
      async purchase() {
        expect((await settle(bank, (await authorize(bank, cardId, 100_00)).id)).status).toBe(201)
        const [reward] = await bank.database.query<{ id: number }>('select max(id) as id from reward', [], 'once')
        return (await ask(bank, 'GET', `/v0/rewards/rewards/${reward?.id}/explanation`)).attribution
      },
    }
  }

  test('joins purchases with what happened within 30 days before', async () => {
    const { user, purchase } = await buy()
    const seen = []
    seen.push(await purchase())
    for (const type of ['Impression', 'View', 'Click']) {
      await send([attribution({ type, partnerUserId: user })])
      seen.push(await purchase())
    }
    await advance(bank, { by: 'P20D' })
    await send([attribution({ type: 'Impression', partnerUserId: user })])
    seen.push(await purchase())
    await advance(bank, { by: 'P11D' })
    seen.push(await purchase())
    expect(seen).toEqual([null, 'Impression', 'View', 'Click', 'Click', 'Impression'])
    const days = await funnelOf(offerId, `&since=${later(await bankNow(bank), -40)}`)
    const sumOf = (name: string) => days.reduce((sum: number, day: Record<string, number>) => sum + (day[name] ?? 0), 0)
    expect(['purchases', 'attributedPurchases', 'earned'].map(sumOf)).toEqual([6, 5, 30_00])
    const [first, ...rest] = days
    expect(await funnelOf(offerId, `&limit=1&since=${first.date}`)).toEqual([first])
    expect(await funnelOf(offerId, `&offset=1&since=${first.date}`)).toEqual(rest)
    const csv = await bank.call('GET', `/v0/exports/offer-funnel?offerId=${offerId}&since=${first.date}`)
    expect(csv.text.split('\r\n')).toHaveLength(days.length + 2)
  })

  test.each([
    'since=0001-01-01&until=0001-01-02',
    'until=0001-01-01',
    'since=9999-12-31',
    'since=2026-02-01&until=2026-01-01',
  ])('has no days of %s', async (range) => {
    expect((await bank.call('GET', `/v0/rewards/offer-funnel?${range}`)).json.data).toEqual([])
  })

  test('refuses more than a year, and shows nothing to others', async () => {
    const url = '/v0/rewards/offer-funnel?since=2025-01-01&until=2026-01-02'
    expect((await bank.call('GET', url)).json.code).toBe('range_too_long')
    expect((await bank.call('GET', '/v0/rewards/offer-funnel', { key: bank.otherKey })).json.data).toEqual([])
  })
})
