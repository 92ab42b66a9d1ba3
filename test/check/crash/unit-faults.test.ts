import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenedUnit, openUnitBanking } from '../../support/banking-providers.ts'
import { ask, shippingAddress } from '../../support/cards.ts'
import type { Fault } from '../../support/fakes/server.ts'
import type { Reply } from '../../support/harness.ts'
import { applicant } from '../../support/world.ts'

/** The limits of calls that are not answered. A busy machine must be able to answer the others within them, and to make all attempts. */
const hasty = { callMs: 1_000, totalMs: 10_000, uploadMs: 2_500 }
/** Longer ones, if the upstream answers every call: a change has no second try. */
const patient = { callMs: 5_000, totalMs: 25_000, uploadMs: 5_000 }
/** Time that a busy machine may take beyond the limit. */
const SLACK_MS = 15_000
const file = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A gateway with an upstream of its own, whose faults meet the requests of one test. */
interface Gateway {
  opened: OpenedUnit
  customerId: string
}

interface Request {
  method: 'POST' | 'DELETE'
  path: string
  body?: unknown
}

/** Every write: whether the upstream accepts an idempotency key for it, and a request that succeeds once. */
interface Case {
  operation: string
  keyed: boolean
  prepare(gateway: Gateway): Promise<Request>
}

const post = (path: string, body?: unknown): Request => ({ method: 'POST', path: `/v0/banking${path}`, body })

/** The state is set in the fake: a change through the gateway has no second try, and a busy machine may be too slow for it. */
async function makeAccount({ opened, customerId }: Gateway, status = 'Open'): Promise<string> {
  const { id } = await ask(opened.bank, 'POST', '/v0/banking/accounts', { customerId })
  await opened.arrange.fund(id, 100_00)
  opened.fake.books.get('accounts', id).attributes.status = status
  return id
}

async function makeCard(gateway: Gateway, status = 'Active'): Promise<string> {
  const { opened } = gateway
  const body = { type: 'individualDebitCard', accountId: await makeAccount(gateway), shippingAddress }
  const { id } = await ask(opened.bank, 'POST', '/v0/banking/cards', body)
  opened.fake.books.get('cards', id).attributes.status = status
  return id
}

const external = {
  type: 'Person',
  name: 'Grace Sample',
  routingNumber: '021000021',
  accountNumber: '9876543210',
  accountType: 'Checking',
}
const externalPath = ({ customerId }: Gateway) => `/customers/${customerId}/external-accounts`
const makeExternal = async (gateway: Gateway) =>
  (await ask(gateway.opened.bank, 'POST', `/v0/banking${externalPath(gateway)}`, external)).id

async function uploadTo({ opened }: Gateway, side: string): Promise<Request> {
  const { applicationId, documentId } = await opened.arrange.application()
  return post(`/applications/${applicationId}/documents/${documentId}${side}`, { file, contentType: 'image/png' })
}

const cardMove = (operation: string, move: string, from?: string): Case => ({
  operation,
  keyed: false,
  prepare: async (gateway) => post(`/cards/${await makeCard(gateway, from)}/${move}`),
})
const accountMove = (operation: string, move: string, from?: string): Case => ({
  operation,
  keyed: false,
  prepare: async (gateway) =>
    post(`/accounts/${await makeAccount(gateway, from)}/${move}`, move === 'close' ? { reason: 'Fraud' } : undefined),
})

const cases: Case[] = [
  { operation: 'createAccount', keyed: true, prepare: async ({ customerId }) => post('/accounts', { customerId }) },
  {
    operation: 'createCard',
    keyed: true,
    prepare: async (gateway) =>
      post('/cards', { type: 'individualVirtualDebitCard', accountId: await makeAccount(gateway) }),
  },
  {
    operation: 'createPayment',
    keyed: true,
    prepare: async (gateway) =>
      post(`/accounts/${await makeAccount(gateway)}/payments`, {
        amount: 20_00,
        counterpartyAccountId: await makeExternal(gateway),
        description: 'Rent',
        originalType: 'ACH',
      }),
  },
  {
    operation: 'createExternalAccount',
    keyed: true,
    prepare: async (gateway) => post(externalPath(gateway), external),
  },
  { operation: 'createApplication', keyed: true, prepare: async () => post('/applications', applicant) },
  {
    operation: 'replaceCard',
    keyed: false,
    prepare: async (gateway) => post(`/cards/${await makeCard(gateway)}/replace`, { shippingAddress }),
  },
  {
    operation: 'createVerificationToken',
    keyed: false,
    prepare: async ({ customerId }) => post(`/customers/${customerId}/token-verifications`),
  },
  { operation: 'uploadDocumentBack', keyed: false, prepare: (gateway) => uploadTo(gateway, '/back') },
  { operation: 'uploadDocumentFront', keyed: false, prepare: (gateway) => uploadTo(gateway, '') },
  accountMove('reopenAccount', 'reopen', 'Closed'),
  accountMove('closeAccount', 'close'),
  accountMove('freezeAccount', 'freeze'),
  accountMove('unfreezeAccount', 'unfreeze', 'Frozen'),
  cardMove('freezeCard', 'freeze'),
  cardMove('unfreezeCard', 'unfreeze', 'Frozen'),
  cardMove('closeCard', 'close'),
  cardMove('reportLostCard', 'report-lost'),
  cardMove('reportStolenCard', 'report-stolen'),
  {
    operation: 'deleteExternalAccount',
    keyed: false,
    prepare: async (gateway) => ({
      method: 'DELETE',
      path: `/v0/banking/external-accounts/${await makeExternal(gateway)}`,
    }),
  },
]

/** The faults; `effects` counts the effects before the failure. */
const faults: { fault: Fault; what: string; effects: 0 | 1 }[] = [
  { fault: 'slow', what: 'a time-out before', effects: 0 },
  { fault: 'drop', what: 'a connection dropped after the commit', effects: 1 },
  { fault: 500, what: '500, then 200', effects: 0 },
  { fault: 'late-500', what: '500 after the commit', effects: 1 },
  { fault: 'limited', what: '429 with Retry-After', effects: 0 },
  { fault: 429, what: '429 without Retry-After', effects: 0 },
  { fault: 'garbage', what: 'a body that is garbage', effects: 1 },
]

const effects = ({ opened }: Gateway) => opened.fake.books.effects.length

async function send({ opened }: Gateway, { method, path, body }: Request, key: string | undefined): Promise<Reply> {
  const startedMs = performance.now()
  const reply = await opened.bank.call(method, path, { body, headers: key ? { 'idempotency-key': key } : {} })
  expect(performance.now() - startedMs, 'took longer than its budget').toBeLessThan(hasty.totalMs + SLACK_MS)
  return reply
}

const outcomeOf = ({ status, json }: Reply) => (status < 300 ? 'success' : json?.code)

/** Most of the time of these tests is waiting for time limits, so several gateways do it at once. */
const sharesOf = (gateways: number) =>
  Array.from({ length: gateways }, (_, number) => ({
    number,
    share: cases.filter((_case, index) => index % gateways === number),
  }))

describe.concurrent.each(sharesOf(6))('hasty gateway $number', ({ share }) => {
  const gateway = openGateway(hasty)
  describe.sequential.each(share)('$operation', (one) => {
    testFaults(gateway, one, ['slow', 'drop'])
    testSilence(gateway, one)
    // A change has no key at the upstream and is never sent twice.
    if (one.keyed) testRepeatedFaults(gateway, one)
  })
})

describe.concurrent.each(sharesOf(4))('patient gateway $number', ({ share }) => {
  const gateway = openGateway(patient)
  describe.sequential.each(share)('$operation', (one) => {
    testFaults(gateway, one, [500, 'late-500', 'limited', 429, 'garbage'])
  })
})

function openGateway(timeouts: typeof hasty): Gateway {
  const gateway = {} as Gateway
  beforeAll(async () => {
    gateway.opened = await openUnitBanking({ timeouts, limitMs: 300 })
    gateway.customerId = await gateway.opened.arrange.customer()
  })
  afterAll(() => gateway.opened.close())
  return gateway
}

function testFaults(gateway: Gateway, { operation, keyed, prepare }: Case, met: Fault[]): void {
  const chosen = faults.filter(({ fault }) => met.includes(fault))
  describe.each(chosen)('meets $what', ({ fault, effects: made }) => {
    /** Sent again if a key makes that safe, or if it had no effect; otherwise the outcome is unknown. */
    const isLimited = fault === 'limited' || fault === 429
    const again = keyed || isLimited
    // A deletion has no body that could be garbage.
    const harmless = operation === 'deleteExternalAccount' && fault === 'garbage'
    const expected = again || harmless ? 'success' : 'upstream_outcome_unknown'
    const expectedEffects = again ? 1 : made

    // Waiting for the limit is the same with and without a key.
    const keys = isLimited ? ['a key of the caller’s'] : ['a key of the caller’s', undefined]
    test.each(keys)('with %s', async (named) => {
      const request = await prepare(gateway)
      const key = named && `${operation}-${fault}`
      const before = effects(gateway)
      gateway.opened.fake.server.misbehave(fault)
      const reply = await send(gateway, request, key)
      expect([outcomeOf(reply), effects(gateway) - before], reply.text).toEqual([expected, expectedEffects])
      expect(gateway.opened.fake.server.left()).toBe(0)
      if (key === undefined || request.method === 'DELETE') return
      const calls = gateway.opened.fake.server.calls.length
      const retried = await send(gateway, request, key)
      expect([outcomeOf(retried), effects(gateway) - before]).toEqual([expected, expectedEffects])
      expect(gateway.opened.fake.server.calls, 'a retry asks the upstream for nothing').toHaveLength(calls)
      if (expected === 'success') expect(retried.text).toBe(reply.text)
    })
  })
}

function testSilence(gateway: Gateway, { operation, keyed, prepare }: Case): void {
  test('ends in time if the upstream never answers', async () => {
    const request = await prepare(gateway)
    const before = effects(gateway)
    gateway.opened.fake.server.misbehave(...Array<Fault>(4).fill('slow'))
    const reply = await send(gateway, request, `${operation}-never`)
    expect(outcomeOf(reply)).toBe(keyed ? 'upstream_timeout' : 'upstream_outcome_unknown')
    expect(reply.status).toBe(keyed ? 504 : 502)
    gateway.opened.fake.server.misbehave()
    const retried = await send(gateway, request, `${operation}-never`)
    if (keyed) expect([retried.status, effects(gateway) - before]).toEqual([201, 1])
    else if (request.method === 'POST')
      expect([outcomeOf(retried), effects(gateway) - before]).toEqual([outcomeOf(reply), 0])
  })
}

function testRepeatedFaults(gateway: Gateway, { operation, prepare }: Case): void {
  test('has one effect if connections drop repeatedly after the commit', async () => {
    const request = await prepare(gateway)
    const before = effects(gateway)
    gateway.opened.fake.server.misbehave('drop', 'drop', 'drop', 'drop')
    expect(outcomeOf(await send(gateway, request, `${operation}-drops`))).toBe('upstream_error')
    const retried = await send(gateway, request, `${operation}-drops`)
    expect([retried.status, effects(gateway) - before]).toEqual([201, 1])
  })

  const refusedLater: [Fault[], string][] = [
    [['drop', 400], 'refused_by_provider'],
    [['drop', 401], 'upstream_error'],
    [['garbage', 400], 'refused_by_provider'],
    [['garbage', 'limited', 'limited', 'limited', 'limited'], 'upstream_unavailable'],
  ]
  test.each(refusedLater)(
    'meets %j: a refusal after the commit is no reason for a second effect',
    async (met, code) => {
      const request = await prepare(gateway)
      const key = `${operation}-${met.join('-')}`
      const before = effects(gateway)
      gateway.opened.fake.server.misbehave(...met)
      expect(outcomeOf(await send(gateway, request, key))).toBe(code)
      expect(gateway.opened.fake.server.left()).toBe(0)
      const retried = await send(gateway, request, key)
      expect([retried.status, effects(gateway) - before]).toEqual([201, 1])
    },
  )
}
