import type { TSchema } from 'typebox'
import type { ResourceName } from '../../src/base/ids.ts'
import type { Operation } from '../../src/base/operation.ts'
import { openSeals } from '../../src/secrets/seals.ts'
import { openedAt } from './bank-time.ts'
import type { TestBank } from './harness.ts'

/** One record of each resource, by the resource's name, and a second account for money to go to. */
export type World = Record<ResourceName | 'secondAccount', string>

type Maker = (bank: TestBank, key: string, made: World) => Promise<string>

/** All that an application needs; an `ssn` of the sandbox's own decides what becomes of it. */
export const applicant = {
  name: 'Ada Example',
  dateOfBirth: '1990-01-31',
  ssn: '123456789',
  email: 'ada@example.com',
  phone: '+12125550123',
  address: { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701' },
}

/** How to make one record of each resource. A maker may use the records of the makers above it. */
const makers: Record<keyof World, Maker> = {
  customer: (bank, key) => made(bank, key, '/v0/sandbox/customers', { name: 'Ada Example' }),
  account: (bank, key, { customer }) => made(bank, key, '/v0/banking/accounts', { customerId: customer }),
  secondAccount: async (bank, key) => {
    const customerId = await made(bank, key, '/v0/sandbox/customers', { name: 'Mary Second' })
    return made(bank, key, '/v0/banking/accounts', { customerId })
  },
  externalAccount: (bank, key, { customer }) =>
    made(bank, key, `/v0/banking/customers/${customer}/external-accounts`, {
      type: 'Person',
      name: 'Grace Sample',
      routingNumber: '021000021',
      accountNumber: '9876543210',
      accountType: 'Checking',
    }),
  transaction: (bank, key, { account }) =>
    made(bank, key, `/v0/sandbox/accounts/${account}/receive-ach`, {
      amount: 1_000_000_00,
      companyName: 'Sample Payroll',
    }),
  accountHold: (bank, key, { account }) =>
    made(bank, key, `/v0/banking/accounts/${account}/holds`, { amount: 5_00, reason: 'Dispute' }),
  payment: (bank, key, { account, externalAccount }) =>
    made(bank, key, `/v0/banking/accounts/${account}/payments`, {
      amount: 20_00,
      counterpartyAccountId: externalAccount,
      description: 'Rent',
      originalType: 'ACH',
    }),
  // Making the records above has emitted events.
  event: async (bank, key) => (await bank.call('GET', '/v0/events?limit=1', { key })).json.data[0].id,
  application: (bank, key) => made(bank, key, '/v0/banking/applications', { ...applicant, ssn: '000000003' }),
  document: async (bank, key, { application }) =>
    (await bank.call('GET', `/v0/banking/applications/${application}`, { key })).json.data.documents[0].id,
  card: async (bank, key, { account }) => {
    const shippingAddress = { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701' }
    const body = { type: 'individualDebitCard', accountId: account, shippingAddress }
    const card = await made(bank, key, '/v0/banking/cards', body)
    await bank.call('POST', `/v0/banking/cards/${card}/activate`, { key })
    return card
  },
  authorization: (bank, key, { card }) =>
    made(bank, key, `/v0/sandbox/cards/${card}/authorizations`, { amount: 5_00, merchant: { name: 'Sample Coffee' } }),
  // The period is the example of the schema, which the generated calls send too.
  statement: async (bank, key, { account }) => {
    await openedAt(bank, account, '2026-01-15T12:00:00Z')
    return made(bank, key, `/v0/sandbox/accounts/${account}/statements`, { period: '2026-01' })
  },
  partnerUser: (bank, key) => made(bank, key, '/v0/rewards/partner-users', { userId: newUserId() }),
  // With a card of its own, so that the other one is free to be linked.
  partnerUserCard: async (bank, key, { account, partnerUser }) => {
    const card = { type: 'individualVirtualDebitCard', accountId: account }
    const bankCardId = await made(bank, key, '/v0/banking/cards', card)
    return made(bank, key, '/v0/rewards/partner-user-cards', { partnerUserId: Number(partnerUser), bankCardId })
  },
  // Of no more scopes than a key needs that may make keys.
  apiKey: (bank, key) => made(bank, key, '/v0/api-keys', { name: 'Sample', scopes: ['keys:write'] }),
  reward: (bank, _key, { partnerUserCard }) => insertReward(bank, partnerUserCard),
  // The transaction of a settled purchase.
  purchase: async (bank, key, { card }) => {
    const body = { amount: 5_00, merchant: { name: 'Sample Coffee' } }
    const authorization = await made(bank, key, `/v0/sandbox/cards/${card}/authorizations`, body)
    return made(bank, key, `/v0/sandbox/authorizations/${authorization}/settle`, {})
  },
  webhookEndpoint: (bank, key) =>
    made(bank, key, '/v0/webhook-endpoints', { url: 'https://example.com/webhooks', events: ['statement.created'] }),
  // The number of rules is limited, and there are many worlds.
  faultRule: async (bank, key) => {
    await bank.call('DELETE', '/v0/sandbox/faults', { key })
    return made(bank, key, '/v0/sandbox/faults', {
      match: { eventType: 'customer.archived' },
      effect: { duplicate: true },
    })
  },
  // A test is a delivery at once.
  delivery: async (bank, key, { webhookEndpoint }) => {
    await bank.call('POST', `/v0/webhook-endpoints/${webhookEndpoint}/test`, { key })
    return (await bank.call('GET', '/v0/deliveries?limit=1', { key })).json.data[0].id
  },
  // Making the records above has left them.
  request: async (bank, key) =>
    (await bank.call('GET', '/v0/requests?sort=-sequence&limit=1', { key })).json.data[0].id,
  receivedPayment: (bank, _key, { account }) => insertReceivedPayment(bank, account),
  achFile: (bank, _key, { account }) => insertAchFile(bank, account),
  achBatch: (bank, _key, { account, achFile }) => insertAchBatch(bank, account, achFile),
  // The sample of `lookUpRecord` asks for an account.
  record: async (_bank, _key, { account }) => account,
  // No payment of the built-in bank recurs: an id that names nothing.
  recurringPayment: async () => '9000000',
}

/** Exceptions from the schemas, by operation id. */
export const exceptions = {
  /** Valid bodies where the one generated from the schema is refused. */
  bodies: {
    advanceClock: () => ({ by: 'PT1H' }),
    // A key gives only the scopes that it has.
    createApiKey: () => ({ name: 'Sample', scopes: ['keys:write'], expiresAt: '2099-12-31T00:00:00Z' }),
    // A message has an id of its own, and a card a reference of its own.
    createProcessorAuthorization: () => ({
      amount: 5_00,
      merchant: { name: 'Sample Coffee', category: 'Restaurants', location: 'Springfield, IL' },
      processorId: newMessageId(),
    }),
    incrementAuthorization: () => ({ amount: 2_00, processorId: newMessageId() }),
    adviseAuthorization: () => ({ amount: 6_00, processorId: newMessageId() }),
    settleProcessorAuthorization: () => ({ amount: 5_00, final: false, processorId: newMessageId() }),
    reverseProcessorAuthorization: () => ({ processorId: newMessageId() }),
    refundProcessorAuthorization: () => ({ amount: 1, processorId: newMessageId() }),
    setCardReference: () => ({ reference: newMessageId() }),
    // Of the two lists of categories one at most is taken.
    setCardLimits: () => ({
      purchase: { amount: 500_00 },
      day: { amount: 1_000_00, count: 10 },
      month: { count: 100 },
    }),
    // A rule that keeps the calls of other tests as they are.
    createFaultRule: ({ account }) => ({
      match: { operation: 'listStatements', accountId: account },
      effect: { delayMs: 1 },
      probability: 0.5,
      times: 1,
      seed: 42,
    }),
    // A user is enrolled once.
    createPartnerUser: () => ({ userId: newUserId() }),
    // The balance goes to another account of the same customer, which this world has not.
    closeAccount: () => ({ reason: 'ByCustomer' }),
    // The two accounts differ.
    createBookTransfer: ({ secondAccount }) => ({ toAccountId: secondAccount, amount: 20_00, description: 'Savings' }),
    // The worlds that follow are made at the present time.
    resetOrganisation: () => ({ now: new Date().toISOString(), frozen: false }),
  } as Record<string, (world: World) => Record<string, unknown>>,
  /** `operation/pointer`: a rule beside the schema refuses the schema's edge. */
  narrowerEdges: [
    // A scope is named once.
    'createApiKey/scopes',
    // A soft limit is not above the hard one.
    ...['payment', 'day', 'month'].flatMap((name) => [
      `setAccountLimits/${name}/soft`,
      `setAccountLimits/${name}/hard`,
    ]),
    ...['createApplication/address', 'createCard/shippingAddress', 'replaceCard/shippingAddress'].flatMap((address) => [
      `${address}/state`,
      `${address}/postalCode`,
    ]),
  ],
  /** `operation/parameter`: a filter that finds nothing in the world. */
  // Of the deliveries there is a test alone.
  findNothing: [
    'listAllDeliveries/eventId',
    'listReviewPayments/accountId',
    'listPayments/recurringPaymentId',
    'listRequests/apiKeyId',
  ],
  /** Operations that end the organisation of their key, which is therefore one of their own. */
  endOrganisation: ['deleteOrganisation', 'resetOrganisation'],
  /** Operations that read a file, which generated calls upload in the world of a whole round alone. */
  needFile: ['getReviewDocumentContent'],
  /** Operations that need a preparation step which the generated calls do not perform. */
  needMore: [
    'activateCard',
    'approvePayment',
    'cancelPayment',
    'rejectPayment',
    'approveExternalAccount',
    'rejectExternalAccount',
    'requestReviewDocument',
    'unfreezeCard',
    'createRewardableTransaction',
  ],
}

/** A small bank for one key. Records that are there already, and that the test does not change, need not be made again. */
export async function makeWorld(
  opened: TestBank,
  key: string = opened.key,
  there: Partial<World> = {},
): Promise<World> {
  const bank = { ...opened, database: opened.databaseOf(key) }
  const world = {} as World
  for (const [name, make] of Object.entries(makers) as [keyof World, Maker][])
    world[name] = there[name] ?? (await make(bank, key, world))
  return world
}

export async function makeCustomer(bank: TestBank, body: Record<string, unknown> = {}): Promise<string> {
  return made(bank, bank.key, '/v0/sandbox/customers', { name: 'Ada Example', ...body })
}

export async function makeAccount(bank: TestBank, body: Record<string, unknown> = {}): Promise<string> {
  const customerId = body.customerId ?? (await makeCustomer(bank))
  return made(bank, bank.key, '/v0/banking/accounts', { ...body, customerId })
}

/** An application that awaits a passport. */
export async function makeApplication(bank: TestBank): Promise<{ applicationId: string; documentId: string }> {
  const { json } = await bank.call('POST', '/v0/banking/applications', { body: { ...applicant, ssn: '000000003' } })
  return { applicationId: json.data.id, documentId: json.data.documents[0].id }
}

let userIds = 1_000

/** A number that no partner user has yet. */
export function newUserId(): number {
  return userIds++
}

let messageIds = 1

/** An id that no message has yet. */
export function newMessageId(): string {
  return `message-${messageIds++}`
}

/** A reward as the engine will leave it, with its transaction and its payout. */
async function insertReward(bank: TestBank, partnerUserCard: string): Promise<string> {
  const [row] = await bank.database.query<{ id: number }>(
    `with link as (select *, bank_time(organisation_id) as now from partner_user_card where id = $1::bigint),
     bought as (
       insert into rewardable_transaction (organisation_id, partner_user_card_id, bank_transaction_id, created_at)
       select organisation_id, id, 'transaction of link ' || id, now from link returning id),
     earned as (
       insert into reward (organisation_id, partner_user_id, rewardable_transaction_id, offer_id, merchant_name,
         commission_basis_points, total_basis_points, amount, user_amount, issuer_amount, state, created_at)
       select organisation_id, partner_user_id, bought.id, '1', 'Sample Coffee', 500, 800, 1000, 50, 30, 'PAID', now
       from link, bought returning id)
     insert into reward_payment (organisation_id, reward_id, payment_id, created_at)
     select organisation_id, earned.id, 1000000 + earned.id, now from link, earned returning reward_id as id`,
    [partnerUserCard],
  )
  return String(row?.id)
}

/** A debit of an ACH file that is not booked yet. */
async function insertReceivedPayment(bank: TestBank, account: string): Promise<string> {
  const [row] = await bank.database.query<{ id: number }>(
    `with of as (
       select *, nextval('record_id') as file, nextval('record_id') as received from account where id = $1::bigint),
     file as (
       insert into ach_file (id, organisation_id, key_organisation_id, direction, window_at, part, modifier, created_on, name,
         state, header, sealed_content, sha256, entry_count, debits)
       select file, organisation_id, organisation_id, 'in', bank_time(organisation_id), 1, 'A', '2099-01-05', 'sample.ach', 'applied',
         'header ' || file, ''::bytea, sha256(file::text::bytea), 1, 100 from of),
     entry as (
       insert into ach_received_entry (file_id, line, organisation_id, kind, outcome, code, amount, trace_number, settles_on,
         received_payment_id)
       select file, 3, organisation_id, 'payment', 'applied', 27, 100, '021000020000001', '2099-01-05', received from of)
     insert into received_payment (id, organisation_id, account_id, customer_id, file_id, line, direction, status, amount,
       sec_code, company_name, description, sending_bank, trace_number, receiver_name, settles_on, due_at, created_at)
     select received, organisation_id, id, customer_id, file, 3, 'Debit', 'Pending', 100, 'PPD', 'SAMPLE GYM', 'DUES',
       '02100002', '021000020000001', 'ADA EXAMPLE', '2099-01-05', '2099-01-05T13:30:00Z', bank_time(organisation_id)
     from of returning id`,
    [account],
  )
  return String(row?.id)
}

/** A file that was delivered, with a content. Its batch comes with the next maker. */
async function insertAchFile(bank: TestBank, account: string): Promise<string> {
  const [of] = await bank.database.query<{ organisationId: number; id: number }>(
    `select organisation_id as "organisationId", nextval('record_id') as id from account where id = $1::bigint`,
    [account],
  )
  if (!of) throw new Error(`there is no account ${account}`)
  const seal = await openSeals(bank.database, [Buffer.alloc(32, 7)]).of(of.organisationId)
  const content = seal.seal(Buffer.from('101'), { table: 'ach_file', row: of.id, column: 'sealed_content' })
  await bank.database.query(
    `insert into ach_file (id, organisation_id, key_organisation_id, direction, window_at, part, modifier, created_on, name,
       state, sealed_content, sha256, entry_count, debits)
     select $1::bigint, $2::bigint, $2::bigint, 'out', bank_time($2), 1, 'A', '2099-01-05'::date + ($1::bigint % 1000000)::int, 'sample.ach', 'delivered',
       $3::bytea, sha256($1::text::bytea), 1, 100`,
    [of.id, of.organisationId, content],
  )
  return String(of.id)
}

/** A batch of a file with the return of a debit, which settles long after the tests. */
async function insertAchBatch(bank: TestBank, account: string, achFile: string): Promise<string> {
  const received = await insertReceivedPayment(bank, account)
  const [row] = await bank.database.query<{ id: number }>(
    `with batch as (
       insert into ach_batch (id, organisation_id, file_id, number, company_name, company_id, sec_code, description,
         effective_date, entry_count, debits, credits, settles_at, created_at, return_side)
       select nextval('record_id'), organisation_id, $2::bigint, 1, 'SAMPLE GYM', '1234567890', 'PPD', 'DUES', '2099-01-06', 1, 100, 0,
         '2099-01-06T13:30:00Z', bank_time(organisation_id), 'Debit'
       from received_payment where id = $1::bigint returning id)
     update received_payment r set status = 'MarkedForReturn', return_code = 'R10', return_cutoff_at = '2099-01-05T15:00:00Z',
       return_settles_at = '2099-01-06T13:30:00Z', return_file_id = $2::bigint, return_batch_id = batch.id,
       return_trace = '812345670000001'
     from batch where r.id = $1::bigint returning batch.id`,
    [received, achFile],
  )
  return String(row?.id)
}

async function made(bank: TestBank, key: string, path: string, body: unknown): Promise<string> {
  const { status, text, json } = await bank.call('POST', path, { key, body })
  if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${text}`)
  return String(json.data.id)
}

/** The parts of JSON Schema that our schemas use. */
export interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
  propertyNames?: Schema
  items?: Schema
  examples?: unknown[]
  default?: unknown
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
  'x-resource'?: ResourceName
  'x-null'?: 'refused'
  'x-each'?: true
}

/** A schema as the generated tests read it. Of a union of bodies they read the first branch. */
export function schemaOf(schema: TSchema | undefined): Schema {
  const read = (schema ?? {}) as Schema & { discriminator?: object }
  return read.discriminator ? (read.anyOf?.[0] ?? {}) : read
}

/** A valid value of a schema, with ids from the world. */
export function sampleOf(schema: Schema, world: World, where: string): unknown {
  const resource = schema['x-resource']
  if (resource !== undefined) {
    const id = world[resource]
    if (id === undefined) throw new Error(`${where}: the world has no ${resource}; add a maker to test/world.ts`)
    return schema.type === 'integer' ? Number(id) : id
  }
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.examples) return schema.examples[0]
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], world, where)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, member]) => [
          name,
          sampleOf(member, world, `${where}/${name}`),
        ]),
      )
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, () => sampleOf(schema.items ?? {}, world, `${where}/0`))
    case 'string':
      if (schema.pattern) throw new Error(`${where}: a pattern needs an example in its schema`)
      return 'x'.repeat(Math.max(1, schema.minLength ?? 1))
    case 'integer':
    case 'number':
      return schema.default ?? schema.minimum ?? 1
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      throw new Error(`${where}: no sample can be made of ${JSON.stringify(schema)}`)
  }
}

/** A whole valid request: every parameter and every member, the optional ones too. */
export interface Sample {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown> | undefined
}

export function sampleRequest(operation: Operation, world: World): Sample {
  const sample = (part: TSchema) => sampleOf(schemaOf(part), world, operation.id) as Record<string, unknown>
  return {
    params: operation.params ? sample(operation.params) : {},
    query: requiredOnly(operation.query, operation.query ? sample(operation.query) : {}),
    body: exceptions.bodies[operation.id]?.(world) ?? (operation.body ? sample(operation.body) : undefined),
  }
}

function requiredOnly(schema: TSchema | undefined, values: Record<string, unknown>): Record<string, unknown> {
  const { required = [] } = schemaOf(schema)
  return Object.fromEntries(Object.entries(values).filter(([name]) => required.includes(name)))
}

/** The address of a request; parameters that are encoded already pass as they are. */
export function urlOf(path: string, { params, query }: Pick<Sample, 'params' | 'query'>, encoded = false): string {
  const place = path.replace(/:(\w+)/g, (_, name) =>
    encoded ? String(params[name]) : encodeURIComponent(String(params[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) search.set(name, String(value))
  return search.size > 0 ? `${place}?${search}` : place
}
