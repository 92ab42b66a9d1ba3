import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Operation, keyScopes as scopes } from '../../../src/base/operation.ts'
import { operations } from '../../../src/operations.ts'
import { operationsOn } from '../../../src/tools/actions.ts'
import { type RecordType, recordTypeNames } from '../../../src/tools/record-types.ts'
import { ask, moveCard } from '../../support/cards.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { exceptions } from '../../support/schemas/exceptions.ts'
import { sampleRequest, urlOf } from '../../support/schemas/samples.ts'
import { applicant, makeWorld, type World } from '../../support/world.ts'

/**
 * Brings a record into every state that the built-in bank knows, and holds `actions` of the look-up against the answers of
 * the operations themselves. An operation that succeeds changes the record, so that the next one is tried on a new record.
 */
let bank: TestBank
/** A world whose records serve all tests if their state decides about no operation that is tried. */
let others: World
/** A key with every scope, also those that a key has only by name. */
let allScopes: string

beforeAll(async () => {
  bank = await openTestBank({ review: 'manual' })
  allScopes = await bank.makeKey('first', [...scopes])
  others = await makeWorld(bank)
})
afterAll(() => bank.close())

/** Makes a record of a type in one state; returns a world whose ids name it. */
type Maker = (type: RecordType) => Promise<World>

/** The records that an operation on a record of the type may need in their first state. */
function madeAnew(type: RecordType): (keyof World)[] {
  if (type === 'application' || type === 'document') return ['application', 'document']
  if (type === 'webhookEndpoint' || type === 'delivery') return ['webhookEndpoint', 'delivery']
  if (type === 'apiKey') return [type]
  if (type === 'campaign' || type === 'campaignOffer' || type === 'offerActivation')
    return ['campaign', 'campaignOffer', 'offerActivation']
  return Object.keys(others).filter((name) => !shared.includes(name as keyof World)) as (keyof World)[]
}

/** The records beside an account with its payments and cards. */
const shared: (keyof World)[] = [
  ...(['event', 'request', 'statement', 'application', 'document', 'apiKey', 'webhookEndpoint', 'delivery'] as const),
  ...(['secondAccount', 'partnerUser', 'partnerUserCard', 'reward', 'purchase', 'faultRule'] as const),
  ...(['campaign', 'campaignOffer', 'offerActivation'] as const),
]

function without(world: World, names: (keyof World)[]): Partial<World> {
  return Object.fromEntries(Object.entries(world).filter(([name]) => !names.includes(name as keyof World)))
}

const post = (path: string, body: unknown = {}) => ask(bank, 'POST', path, body as Record<string, unknown>)

const after =
  (...steps: ((world: World) => Promise<unknown>)[]): Maker =>
  async (type) => {
    const world = await makeWorld(bank, bank.key, without(others, madeAnew(type)))
    for (const step of steps) await step(world)
    return world
  }
const account =
  (move: string, body = {}) =>
  (world: World) =>
    post(`/v0/banking/accounts/${world.account}/${move}`, body)
const close = account('close', { reason: 'ByCustomer' })
const card = (move: string) => (world: World) => moveCard(bank, world.card, move)
const authorization =
  (move: string, body = {}) =>
  (world: World) =>
    post(`/v0/sandbox/authorizations/${world.authorization}/${move}`, body)
const campaign = (status: string) => (world: World) =>
  ask(bank, 'PATCH', `/v0/rewards/campaigns/${world.campaign}`, { status })
const application = (move: string) => (world: World) => post(`/v0/sandbox/applications/${world.application}/${move}`)
const document = (move: string) => (world: World) =>
  post(`/v0/sandbox/applications/${world.application}/documents/${world.document}/${move}`)
const upload = (world: World) =>
  post(`/v0/banking/applications/${world.application}/documents/${world.document}/back`, {
    file: Buffer.from('sample').toString('base64'),
    contentType: 'image/png',
  })

async function newCard(world: World, type: string): Promise<void> {
  const shippingAddress = { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701' }
  const body = { type, accountId: world.account, ...(type === 'individualDebitCard' && { shippingAddress }) }
  world.card = (await post('/v0/banking/cards', body)).id
}
const virtual = (world: World) => newCard(world, 'individualVirtualDebitCard')
const inactive = (world: World) => newCard(world, 'individualDebitCard')

async function internalPayment(world: World): Promise<void> {
  const other = await makeWorld(bank)
  const { routingNumber, accountNumber } = await ask(bank, 'GET', `/v0/banking/accounts/${other.account}`)
  const payee = { type: 'Person', name: 'Grace Sample', routingNumber, accountNumber, accountType: 'Checking' }
  const external = await post(`/v0/banking/customers/${world.customer}/external-accounts`, payee)
  const payment = { amount: 1, counterpartyAccountId: external.id, description: 'Gift', originalType: 'ACH' }
  world.payment = (await post(`/v0/banking/accounts/${world.account}/payments`, payment)).id
}

/** A payment above a soft limit of its account. */
async function paymentToReview(world: World): Promise<void> {
  await ask(bank, 'PUT', `/v0/banking/accounts/${world.account}/limits`, { payment: { soft: 0 } })
  const payment = { amount: 1, counterpartyAccountId: world.externalAccount, description: 'Rent', originalType: 'ACH' }
  world.payment = (await post(`/v0/banking/accounts/${world.account}/payments`, payment)).id
}

/** As the screening leaves it. */
async function externalAccountToReview({ externalAccount }: World): Promise<void> {
  const statement = `update external_account set review = 'PendingReview' where id = $1::bigint`
  await bank.database.query(statement, [externalAccount])
}

/** The external accounts of all worlds have one number, which has one verification at a time. */
async function endVerifications(): Promise<void> {
  await bank.database.query(`update account_verification set status = 'Failed' where status in ('Pending', 'Sent')`)
}

async function expiredKey(world: World): Promise<void> {
  await bank.database.query(`update api_key set expires_at = clock_timestamp() where id = $1::bigint`, [world.apiKey])
}

const apply = (ssn: string) => async (world: World) => {
  world.application = (await post('/v0/banking/applications', { ...applicant, ssn })).id
}

/** Every state of the records whose state decides about operations. The others have one. */
const states: Partial<Record<RecordType, Record<string, Maker>>> = {
  account: { Open: after(), Frozen: after(account('freeze')), Closed: after(close) },
  apiKey: { restricted: after(), expired: after(expiredKey) },
  application: {
    AwaitingDocuments: after(),
    PendingReview: after(apply('000000004')),
    Approved: after(application('approve')),
    Denied: after(application('deny')),
  },
  authorization: {
    Authorized: after(),
    'Authorized in part': after(authorization('settle', { amount: 1, final: false })),
    Completed: after(authorization('settle')),
    'Settled for too much': after(authorization('settle', { amount: 900_00 })),
    Refunded: after(authorization('settle'), authorization('refund')),
    Canceled: after(authorization('reverse')),
    'Canceled in part': after(authorization('settle', { amount: 1, final: false }), authorization('reverse')),
    Declined: after(card('freeze'), async (world) => {
      const body = { amount: 1, merchant: { name: 'Sample Coffee' } }
      world.authorization = (await post(`/v0/sandbox/cards/${world.card}/authorizations`, body)).id
    }),
  },
  campaign: { Active: after(), Paused: after(campaign('Paused')), Ended: after(campaign('Ended')) },
  campaignOffer: {
    Active: after(),
    Ended: after(({ campaignOffer }) => ask(bank, 'PATCH', `/v0/rewards/offers/${campaignOffer}`, { status: 'Ended' })),
    'Active, campaign ended': after(campaign('Ended')),
  },
  card: {
    Inactive: after(inactive),
    'Inactive, account frozen': after(inactive, account('freeze')),
    Active: after(),
    'Active, account frozen': after(account('freeze')),
    Virtual: after(virtual),
    Frozen: after(card('freeze')),
    Lost: after(card('report-lost')),
    'Lost, account closed': after(card('report-lost'), close),
    Stolen: after(card('report-stolen')),
    ClosedByCustomer: after(card('close')),
    SuspectedFraud: after(async ({ card: id }) => {
      await bank.database.query(`update card set status = 'SuspectedFraud' where id = $1::bigint`, [id])
    }),
  },
  document: {
    Required: after(),
    PendingReview: after(upload),
    Approved: after(upload, document('approve')),
    Invalid: after(upload, (world) =>
      post(`/v0/sandbox/applications/${world.application}/documents/${world.document}/reject`, { reason: 'Blurred' }),
    ),
    'Required, application denied': after(application('deny')),
    'Required, application approved': after(application('approve')),
  },
  externalAccount: {
    'without a review': after(endVerifications),
    PendingReview: after(endVerifications, externalAccountToReview),
    Approved: after(endVerifications, externalAccountToReview, ({ externalAccount }) =>
      bank.call('POST', `/v0/review/external-accounts/${externalAccount}/approve`, { key: allScopes, body: {} }),
    ),
  },
  offerActivation: {
    Active: after(),
    Canceled: after(({ offerActivation }) => post(`/v0/rewards/activations/${offerActivation}/cancel`)),
  },
  payment: {
    Sent: after(),
    'Sent to this bank': after(internalPayment),
    PendingReview: after(paymentToReview),
    Canceled: after(paymentToReview, (world) => post(`/v0/banking/payments/${world.payment}/cancel`)),
    Returned: after((world) => post(`/v0/sandbox/payments/${world.payment}/return`, { returnCode: 'R01' })),
  },
  webhookEndpoint: {
    Enabled: after(),
    Disabled: after(({ webhookEndpoint }) =>
      bank.call('PATCH', `/v0/webhook-endpoints/${webhookEndpoint}`, { body: { status: 'Disabled' } }),
    ),
  },
}

/** The types that operations change. */
const changed = recordTypeNames.filter((type) => operationsOn(type).length > 0)

describe.each(changed)('the actions on a record of type %s', (type) => {
  const makers = Object.entries(states[type] ?? { 'its only state': after() })

  test.each(makers)('in the state %s are those that the operations allow', async (_state, make) => {
    const seen: unknown[] = []
    let world = await make(type)
    for (const id of operationsOn(type)) {
      const path = `/v0/lookup/${type}/${world[type as keyof World]}`
      const { actions } = (await bank.call('GET', path, { key: allScopes })).json.data
      expect(actions.map(({ operation }: { operation: string }) => operation).sort()).toEqual(operationsOn(type).sort())
      const claimed = actions.find(({ operation }: { operation: string }) => operation === id)
      const operation = operations.find((each) => each.id === id) as Operation
      const { status, json } = await call(operation, world)
      if (status < 300) world = await make(type)
      seen.push(status < 300 ? { operation: id, allowed: true, problem: null } : refusal(id, json))
      expect(seen.at(-1), JSON.stringify(json)).toEqual(claimed)
    }
  })
})

test('the last full key can be rotated and not deleted', async () => {
  const lonely = await bank.makeKey('third', null)
  const { json } = await bank.call('GET', '/v0/me', { key: lonely })
  const path = `/v0/lookup/apiKey/${json.data.key.id}`
  const { actions } = (await bank.call('GET', path, { key: lonely })).json.data
  expect(actions).toEqual([
    { operation: 'rotateApiKey', allowed: true, problem: null },
    { operation: 'deleteApiKey', allowed: false, problem: 'last_api_key' },
  ])
  const refused = await bank.call('DELETE', `/v0/api-keys/${json.data.key.id}`, { key: lonely })
  expect(refused.json.code).toBe('last_api_key')
})

/** Bodies for the operations on this very record, if a generated one would be refused for another reason. */
const bodies: Record<string, Record<string, unknown>> = {
  createPayment: { amount: 1 },
  settleAuthorization: { amount: 1, final: true },
  refundAuthorization: { amount: 1 },
  updateWebhookEndpoint: { description: 'Sample' },
}

function call(operation: Operation, world: World) {
  const sample = sampleRequest(operation, world)
  const body = sample.body && { ...sample.body, ...(operation.id in exceptions.bodies ? {} : bodies[operation.id]) }
  return bank.call(operation.method, urlOf(operation.path, sample), body ? { body } : {})
}

function refusal(operation: string, { code }: { code: string }) {
  return { operation, allowed: false, problem: code }
}
