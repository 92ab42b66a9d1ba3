import { afterEach, expect, test } from 'vitest'
import type { KardOptions } from '../../../src/connectors/kard/kard.ts'
import { nationalOffer } from '../../support/offers.ts'
import { makeCampaignOffer, makePartnerUser } from '../../support/rewards.ts'
import { type OpenedKard, openKardRewards } from '../../support/rewards-providers.ts'

const opened: OpenedKard[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) {
    await one.close()
    expect(one.fake.misfits).toEqual([])
  }
})

async function open(own: Partial<KardOptions> = {}) {
  const one = await openKardRewards([nationalOffer()], own)
  opened.push(one)
  const { bank, fake } = one
  const [offerId] = fake.current.offers.map(({ id }) => id)
  const send = (attributions: object[], options = {}) =>
    bank.call('POST', '/v0/rewards/attributions', { body: { attributions }, ...options })
  const activate = (offer: string, partnerUserId: number, options = {}) =>
    bank.call('POST', `/v0/rewards/offers/${encodeURIComponent(offer)}/activations`, {
      body: { partnerUserId },
      ...options,
    })
  const funnel = async () => (await bank.call('GET', '/v0/rewards/offer-funnel')).json.data
  return { ...one, offerId: String(offerId), send, activate, funnel }
}

test("impressions and views of Kard's offers are passed on once, user by user, and counted; clicks are only counted", async () => {
  const { bank, fake, offerId, send, funnel } = await open()
  const [ada, bob] = [await makePartnerUser(bank), await makePartnerUser(bank)]
  const of = (user: { id: number }, id: string, type: string, offer = offerId) => ({
    ...{ id, type, offerId: offer, partnerUserId: user.id },
  })
  const own = await makeCampaignOffer(bank)
  const batch = [
    of(ada, 'a-1', 'Impression'),
    of(ada, 'a-2', 'View'),
    of(ada, 'a-2', 'View'),
    of(bob, 'b-1', 'Impression'),
    of(bob, 'b-2', 'Click'),
    of(bob, 'b-3', 'View', own.id),
    of({ id: 999_999 }, 'c-1', 'View'),
  ]
  const { status, json } = await send(batch)
  expect([status, json.data]).toEqual([201, { counted: 5, repeated: 1, unknown: ['c-1'] }])
  expect((await send(batch)).json.data).toEqual({ counted: 0, repeated: 6, unknown: ['c-1'] })
  expect(fake.events.map(({ user, attributes }) => [user, attributes.eventCode, attributes.entityId])).toEqual([
    [String(ada.userId), 'IMPRESSION', offerId],
    [String(ada.userId), 'VIEW', offerId],
    [String(bob.userId), 'IMPRESSION', offerId],
  ])
  const rows = await funnel()
  expect(rows.map((row: Record<string, unknown>) => [row.offerId, row.impressions, row.views, row.clicks])).toEqual(
    [
      [own.id, 0, 1, 0],
      [offerId, 2, 1, 1],
    ].sort(),
  )
})

test('attributions of users that Kard has taken count, and a batch that broke off is completed when it is sent again', async () => {
  const { bank, fake, offerId, send } = await open()
  const [ada, bob] = [await makePartnerUser(bank), await makePartnerUser(bank)]
  fake.strangers.add(String(bob.userId))
  const batch = [ada, bob].map(({ id: partnerUserId }, at) => ({ id: `a-${at}`, type: 'View', offerId, partnerUserId }))
  const refused = await send(batch)
  expect([refused.status, refused.json.code, refused.json.errors[0].message]).toEqual([
    422,
    'refused_by_provider',
    'Not Found: User not found',
  ])
  fake.strangers.clear()
  expect((await send(batch)).json.data).toEqual({ counted: 1, repeated: 1, unknown: [] })
  expect(fake.events.map(({ user }) => user)).toEqual([ada, bob].map(({ userId }) => String(userId)))
})

test('an attribution that may have arrived is not sent to Kard again by this service', async () => {
  const { bank, fake, offerId, send } = await open()
  const { id: partnerUserId } = await makePartnerUser(bank)
  fake.api.misbehave('drop')
  expect((await send([{ id: 'a-1', type: 'View', offerId, partnerUserId }])).status).toBe(502)
  expect(fake.events).toHaveLength(1)
})

test("an activation of Kard's offer is passed on, once a key; those of campaigns stay here", async () => {
  const { bank, fake, offerId, activate } = await open()
  const user = await makePartnerUser(bank)
  const key = { headers: { 'idempotency-key': 'activation-1' } }
  const { status, json } = await activate(offerId, user.id, key)
  expect(status).toBe(201)
  expect(json.data).toEqual({
    ...{
      id: expect.any(String),
      offerId,
      partnerUserId: user.id,
      status: 'Active',
      expiresAt: null,
      uses: null,
      used: 0,
    },
    ...{ createdAt: '2030-01-31T12:00:00.000Z', updatedAt: null },
  })
  expect((await activate(offerId, user.id, key)).json).toEqual(json)
  expect(fake.events).toMatchObject([{ user: String(user.userId), attributes: { eventCode: 'ACTIVATE' } }])
  const own = await makeCampaignOffer(bank, { activation: { days: 1 } })
  expect((await activate(own.id, user.id)).json.data).toMatchObject({ offerId: own.id, expiresAt: expect.any(String) })
  expect(fake.events).toHaveLength(1)
  expect((await activate('unknown', user.id)).json).toMatchObject({ status: 422, code: 'refused_by_provider' })
  expect((await activate(offerId, 999_999)).json).toMatchObject({ status: 404, code: 'partner_user_not_found' })
  const { json: listed } = await bank.call('GET', '/v0/rewards/activations')
  expect(listed.data.map((one: { offerId: string }) => one.offerId)).toEqual([own.id])
})

test.each([['not JSON'], [{ data: {} }], [{ data: { id: 'x', attributes: { eventDate: 'soon' } } }]])(
  'an activation that Kard answers with %j is 502',
  async (body) => {
    const { bank, fake, offerId, activate } = await open()
    const user = await makePartnerUser(bank)
    fake.instead.api = () => ({ status: 201, body })
    expect((await activate(offerId, user.id)).json).toMatchObject({ status: 502, code: 'upstream_error' })
  },
)

test("with Kard's legacy API attributions are not supported, and activations are those of campaigns", async () => {
  const { bank, offerId, send, activate } = await open({ organizationId: undefined })
  const user = await makePartnerUser(bank)
  expect((await send([{ id: 'a-1', type: 'View', offerId, partnerUserId: user.id }])).status).toBe(501)
  expect((await activate(offerId, user.id)).json.code).toBe('campaign_offer_not_found')
})
