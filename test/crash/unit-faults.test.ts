import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenedUnit, openUnitBanking } from '../support/banking-providers.ts'
import { ask, shippingAddress } from '../support/cards.ts'
import type { Fault } from '../support/fakes/server.ts'
import type { Reply } from '../support/harness.ts'
import { applicant } from '../support/world.ts'

/** A busy machine must be able to answer a call within its limit, and to make all attempts. */
const timeouts = { callMs: 1_000, totalMs: 10_000, uploadMs: 2_500 }
/** Time that a busy machine may take beyond the limit. */
const SLACK_MS = 15_000
const file = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let opened: OpenedUnit
let customerId: string
beforeAll(async () => {
  opened = await openUnitBanking({ timeouts, limitMs: 300 })
  customerId = await opened.arrange.customer()
})
afterAll(() => opened.close())

interface Request {
  method: 'POST' | 'DELETE'
  path: string
  body?: unknown
}

/** Every write: whether the upstream accepts an idempotency key for it, and a request that succeeds once. */
interface Case {
  operation: string
  keyed: boolean
  prepare(): Promise<Request>
}

const post = (path: string, body?: unknown): Request => ({ method: 'POST', path: `/v0/banking${path}`, body })

/** The state is set in the fake: a change through the gateway has no second try, and a busy machine may be too slow for it. */
async function makeAccount(status = 'Open'): Promise<string> {
  const { id } = await ask(opened.bank, 'POST', '/v0/banking/accounts', { customerId })
  await opened.arrange.fund(id, 100_00)
  opened.fake.books.get('accounts', id).attributes.status = status
  return id
}

async function makeCard(status = 'Active'): Promise<string> {
  const body = { type: 'individualDebitCard', accountId: await makeAccount(), shippingAddress }
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
const externalPath = () => `/customers/${customerId}/external-accounts`
const makeExternal = async () => (await ask(opened.bank, 'POST', `/v0/banking${externalPath()}`, external)).id

async function uploadTo(side: string): Promise<Request> {
  const { applicationId, documentId } = await opened.arrange.application()
  return post(`/applications/${applicationId}/documents/${documentId}${side}`, { file, contentType: 'image/png' })
}

const cardMove = (operation: string, move: string, from?: string): Case => ({
  operation,
  keyed: false,
  prepare: async () => post(`/cards/${await makeCard(from)}/${move}`),
})
const accountMove = (operation: string, move: string, from?: string): Case => ({
  operation,
  keyed: false,
  prepare: async () =>
    post(`/accounts/${await makeAccount(from)}/${move}`, move === 'close' ? { reason: 'Fraud' } : undefined),
})

const cases: Case[] = [
  { operation: 'createAccount', keyed: true, prepare: async () => post('/accounts', { customerId }) },
  {
    operation: 'createCard',
    keyed: true,
    prepare: async () => post('/cards', { type: 'individualVirtualDebitCard', accountId: await makeAccount() }),
  },
  {
    operation: 'createPayment',
    keyed: true,
    prepare: async () =>
      post(`/accounts/${await makeAccount()}/payments`, {
        amount: 20_00,
        counterpartyAccountId: await makeExternal(),
        description: 'Rent',
        originalType: 'ACH',
      }),
  },
  { operation: 'createExternalAccount', keyed: true, prepare: async () => post(externalPath(), external) },
  { operation: 'createApplication', keyed: true, prepare: async () => post('/applications', applicant) },
  {
    operation: 'replaceCard',
    keyed: false,
    prepare: async () => post(`/cards/${await makeCard()}/replace`, { shippingAddress }),
  },
  {
    operation: 'createVerificationToken',
    keyed: false,
    prepare: async () => post(`/customers/${customerId}/token-verifications`),
  },
  { operation: 'uploadDocumentBack', keyed: false, prepare: () => uploadTo('/back') },
  { operation: 'uploadDocumentFront', keyed: false, prepare: () => uploadTo('') },
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
    prepare: async () => ({ method: 'DELETE', path: `/v0/banking/external-accounts/${await makeExternal()}` }),
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

const effects = () => opened.fake.books.effects.length

async function send({ method, path, body }: Request, key: string | undefined): Promise<Reply> {
  const startedMs = performance.now()
  const reply = await opened.bank.call(method, path, { body, headers: key ? { 'idempotency-key': key } : {} })
  expect(performance.now() - startedMs, 'took longer than its budget').toBeLessThan(timeouts.totalMs + SLACK_MS)
  return reply
}

const outcomeOf = ({ status, json }: Reply) => (status < 300 ? 'success' : json?.code)

describe.each(cases)('$operation', ({ operation, keyed, prepare }) => {
  describe.each(faults)('meets $what', ({ fault, effects: made }) => {
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
      const request = await prepare()
      const key = named && `${operation}-${fault}`
      const before = effects()
      opened.fake.server.misbehave(fault)
      const reply = await send(request, key)
      expect([outcomeOf(reply), effects() - before], reply.text).toEqual([expected, expectedEffects])
      expect(opened.fake.server.left()).toBe(0)
      if (key === undefined || request.method === 'DELETE') return
      const calls = opened.fake.server.calls.length
      const retried = await send(request, key)
      expect([outcomeOf(retried), effects() - before]).toEqual([expected, expectedEffects])
      expect(opened.fake.server.calls, 'a retry asks the upstream for nothing').toHaveLength(calls)
      if (expected === 'success') expect(retried.text).toBe(reply.text)
    })
  })

  test('ends in time if the upstream never answers', async () => {
    const request = await prepare()
    const before = effects()
    opened.fake.server.misbehave(...Array<Fault>(4).fill('slow'))
    const reply = await send(request, `${operation}-never`)
    expect(outcomeOf(reply)).toBe(keyed ? 'upstream_timeout' : 'upstream_outcome_unknown')
    expect(reply.status).toBe(keyed ? 504 : 502)
    opened.fake.server.misbehave()
    const retried = await send(request, `${operation}-never`)
    if (keyed) expect([retried.status, effects() - before]).toEqual([201, 1])
    else if (request.method === 'POST') expect([outcomeOf(retried), effects() - before]).toEqual([outcomeOf(reply), 0])
  })

  // A change has no key at the upstream and is never sent twice.
  if (!keyed) return
  test('has one effect if connections drop repeatedly after the commit', async () => {
    const request = await prepare()
    const before = effects()
    opened.fake.server.misbehave('drop', 'drop', 'drop', 'drop')
    expect(outcomeOf(await send(request, `${operation}-drops`))).toBe('upstream_error')
    const retried = await send(request, `${operation}-drops`)
    expect([retried.status, effects() - before]).toEqual([201, 1])
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
      const request = await prepare()
      const key = `${operation}-${met.join('-')}`
      const before = effects()
      opened.fake.server.misbehave(...met)
      expect(outcomeOf(await send(request, key))).toBe(code)
      expect(opened.fake.server.left()).toBe(0)
      const retried = await send(request, key)
      expect([retried.status, effects() - before]).toEqual([201, 1])
    },
  )
})
