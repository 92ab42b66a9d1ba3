import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setOrganisationLimits } from '../../../src/bank/limits/organisation-limits.ts'
import { retireOrganisations, sweepOrganisations } from '../../../src/bank/organisations/sweep.ts'
import { organisationsWithWorkDue } from '../../../src/bank/time/clock.sql.ts'
import { verifyLedger } from '../../../src/ledger/verify.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { makeSandboxOrganisation } from '../../support/organisations.ts'
import { testAch } from '../../support/rails/ach.ts'
import { makeWorld } from '../../support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank({ log: pino({ level: 'silent' }), ach: testAch() })
})
afterAll(() => bank.close())

/** The number of rows of each table that name an organisation, directly or by the record that they belong to. */
async function rowsOf(organisationId: string): Promise<Record<string, number>> {
  const tables = await bank.database.query<{ name: string }>(
    `select table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where table_schema = 'public' and column_name = 'organisation_id' and table_type = 'BASE TABLE'`,
  )
  const sources = [
    ...tables.map(({ name }) => [name, `${name} where organisation_id = $1::bigint`]),
    ['organisation', `organisation where id = $1::bigint`],
    ['document_file', `document_file f join document d on d.id = f.document_id where d.organisation_id = $1::bigint`],
    ['api_key_retired', `api_key_retired r join api_key k on k.id = r.api_key_id where k.organisation_id = $1::bigint`],
    [
      'webhook_cursor',
      `webhook_cursor c join webhook_endpoint e on e.id = c.endpoint_id where e.organisation_id = $1::bigint`,
    ],
  ] as [string, string][]
  const counts = await bank.database.query<{ name: string; count: number }>(
    sources.map(([name, from]) => `select '${name}' as name, count(*) as count from ${from}`).join(' union all '),
    [organisationId],
  )
  return Object.fromEntries(counts.map(({ name, count }) => [name, count]))
}

/** An organisation with rows in every table that the built-in bank writes. */
async function fullOrganisation(): Promise<{ id: string; key: string }> {
  const { id, key } = await makeSandboxOrganisation(bank)
  const world = await makeWorld(bank, key)
  const { application, document, customer, apiKey, webhookEndpoint } = world
  const post = (path: string, body: unknown = {}) => bank.call('POST', path, { key, body })
  const pdf = Buffer.from('%PDF-1.4 sample').toString('base64')
  const file = { file: pdf, contentType: 'application/pdf' }
  await post(`/v0/sandbox/applications/${application}/documents/${document}/reject`, { reason: 'Blurred' })
  await post(`/v0/banking/applications/${application}/documents/${document}`, file)
  await post(`/v0/banking/customers/${customer}/token-verifications`)
  await post(`/v0/api-keys/${apiKey}/rotate`, { graceSeconds: 60 })
  await post(`/v0/webhook-endpoints/${webhookEndpoint}/test`)
  const narrow = (await post('/v0/api-keys', { name: 'Narrow', scopes: ['events:read'] })).json.data.key
  await bank.call('GET', '/v0/banking/customers', { key: narrow })
  await bank.denials.save()
  // A payment that waits for a reviewer, of an account and an organisation with limits.
  await bank.call('PUT', `/v0/banking/accounts/${world.account}/limits`, { key, body: { payment: { soft: 0 } } })
  const none = { soft: null, hard: null }
  const [named] = await bank.database.query<{ name: string }>(`select name from organisation where id = $1::bigint`, [
    id,
  ])
  await setOrganisationLimits(bank.database, named?.name ?? '', {
    payment: none,
    day: none,
    month: { ...none, hard: 1_000_00 },
  })
  const payment = { amount: 1, counterpartyAccountId: world.externalAccount, description: 'Rent', originalType: 'ACH' }
  await post(`/v0/banking/accounts/${world.account}/payments`, payment)
  // A debit with its mandate.
  const debited = `/v0/banking/external-accounts/${world.externalAccount}`
  const mandate = { authorization: 'Online', textVersion: '1', authorizedAt: '2025-11-03', address: '203.0.113.7' }
  await post(`${debited}/attest`, { reference: 'case 1' })
  await bank.call('PUT', `${debited}/mandate`, { key, body: mandate })
  await post(`/v0/banking/accounts/${world.account}/payments`, { ...payment, direction: 'Debit' })
  // A verification by a prenote, and a payment that repeats.
  const other = {
    type: 'Person',
    name: 'Grace Sample',
    routingNumber: '021000021',
    accountNumber: '1234567890',
    accountType: 'Checking',
  }
  const savings = (await post(`/v0/banking/customers/${customer}/external-accounts`, other)).json.data.id
  expect((await post(`/v0/banking/external-accounts/${savings}/verification`, { method: 'Prenote' })).status).toBe(201)
  const today = (await bank.call('GET', '/v0/sandbox/clock', { key })).json.data.now.slice(0, 10)
  const transfer = { type: 'achPayment', counterpartyAccountId: world.externalAccount, description: 'Rent', amount: 1 }
  const weekly = { ...transfer, accountId: world.account, interval: 'Weekly', startDate: today }
  expect((await post('/v0/banking/recurring-payments', weekly)).status).toBe(201)
  // A purchase that earns by an offer with a budget, was clicked before, and is refunded in part.
  await post('/v0/rewards/partner-user-cards', { partnerUserId: Number(world.partnerUser), bankCardId: world.card })
  const terms = {
    merchantName: 'Tamberly Market',
    title: '10% cash back',
    commission: 10,
    budget: { total: { count: 5 } },
  }
  const offer = (await post(`/v0/rewards/campaigns/${world.campaign}/offers`, terms)).json.data.id
  const click = { id: 'click', type: 'Click', offerId: offer, partnerUserId: Number(world.partnerUser) }
  expect((await post('/v0/rewards/attributions', { attributions: [click] })).json.data.counted).toBe(1)
  const purchase = { amount: 5_00, merchant: { name: 'Tamberly Market' } }
  const bought = (await post(`/v0/sandbox/cards/${world.card}/authorizations`, purchase)).json.data.id
  expect((await post(`/v0/sandbox/authorizations/${bought}/settle`)).status).toBe(201)
  expect((await post(`/v0/sandbox/authorizations/${bought}/refund`, { amount: 1_00 })).status).toBe(201)
  // A file that is refused leaves an exception.
  await bank.takeFile({ name: 'in.ach', bytes: Buffer.from('no ACH file'), organisationId: Number(id) })
  // The payment leaves with a file.
  await post('/v0/sandbox/clock/advance', { by: 'P7D' })
  await post('/v0/ledger/verification')
  await bank.database.query(`select mark_retention()`)
  return { id, key }
}

const total = (counts: Record<string, number>) => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** All at once, also on a busy machine: a call ends after half a second otherwise. */
const toTheEnd = { graceMs: 0, callMs: 60_000 }

describe('the sweep', () => {
  test('deletes every row of an ended organisation in small steps, and none of another', async () => {
    const [gone, kept] = [await fullOrganisation(), await fullOrganisation()]
    const before = await rowsOf(gone.id)
    const empty = Object.entries(before).filter(([, count]) => count === 0)
    // Only a connector or an import writes these, and sums of flows are kept for hours that are over.
    expect(empty.map(([name]) => name).sort()).toEqual([
      'claim',
      'former_id',
      'inbound_event',
      'inbound_version',
      'ledger_flow_hour',
    ])
    expect((await bank.call('DELETE', '/v0/sandbox/organisations/current', { key: gone.key })).status).toBe(204)
    const rows = await rowsOf(kept.id)

    let left = total(await rowsOf(gone.id))
    for (let call = 0; left > 0 && call < 500; call++) {
      // As a process that is killed after each statement that deletes rows.
      await sweepOrganisations(bank, { graceMs: 0, callMs: 0, rows: 10 })
      expect(await verifyLedger(bank.database)).toEqual([])
      left = total(await rowsOf(gone.id))
    }
    expect(left).toBe(0)
    expect(await rowsOf(kept.id)).toEqual(rows)
    expect((await bank.call('GET', '/v0/banking/customers', { key: kept.key })).status).toBe(200)
  })

  test('waits until requests of the ended organisation are over, and while its clock is being advanced', async () => {
    const { id, key } = await makeSandboxOrganisation(bank)
    await bank.call('DELETE', '/v0/sandbox/organisations/current', { key })
    await sweepOrganisations(bank)
    expect((await rowsOf(id)).organisation).toBe(1)
    await bank.database.transaction(async (transaction) => {
      await transaction.query(`select pg_advisory_xact_lock(7275739, $1::int)`, [id])
      await sweepOrganisations(bank, { graceMs: 0 })
      expect((await rowsOf(id)).organisation).toBe(1)
    })
    await sweepOrganisations(bank, toTheEnd)
    expect(total(await rowsOf(id))).toBe(0)
  })

  test('by two processes at once deletes everything', async () => {
    const made = await Promise.all([1, 2, 3].map(() => fullOrganisation()))
    for (const { key } of made) await bank.call('DELETE', '/v0/sandbox/organisations/current', { key })
    await Promise.all([1, 2, 3].map(() => sweepOrganisations(bank, { ...toTheEnd, rows: 5 })))
    await sweepOrganisations(bank, toTheEnd)
    for (const { id } of made) expect(total(await rowsOf(id))).toBe(0)
  })

  test('takes the organisation that a reset replaced', async () => {
    const { id, key } = await fullOrganisation()
    const { json } = await bank.call('POST', '/v0/sandbox/reset', { key })
    await sweepOrganisations(bank, toTheEnd)
    expect(total(await rowsOf(id))).toBe(0)
    expect((await rowsOf(json.data.id)).api_key).toBeGreaterThan(0)
    expect((await bank.call('GET', '/v0/banking/customers', { key })).json.data).toEqual([])
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test.each(['transfer', 'event_page', 'denied_request'])(
    '%s keeps the rows of an organisation that has not ended',
    async (table) => {
      await fullOrganisation()
      await expect(bank.database.query(`delete from ${table}`)).rejects.toThrow(`${table} is append-only`)
    },
  )
})

describe('an organisation that is not used', () => {
  const unusedFor = (id: string, hours: number) =>
    bank.database.query(
      `update api_key set created_at = clock_timestamp() - make_interval(mins => $2::int), last_used_at = null where organisation_id = $1::bigint`,
      [id, hours * 60],
    )
  const found = async (id: string) =>
    (await organisationsWithWorkDue(bank.database)).some(({ organisationId }) => organisationId === Number(id))

  test('is skipped by background work until one of its keys is used', async () => {
    const { id, key } = await makeSandboxOrganisation(bank)
    await bank.database.query(`update organisation set statements_from = '2020-01-01' where id = $1::bigint`, [id])
    await retireOrganisations(bank.database)
    expect(await found(id)).toBe(true)
    await unusedFor(id, 1)
    await retireOrganisations(bank.database)
    expect(await found(id)).toBe(false)
    expect((await bank.call('GET', '/v0/events', { key })).status).toBe(200)
    expect(await found(id)).toBe(true)
    await retireOrganisations(bank.database)
    expect(await found(id)).toBe(true)
  })

  test('has no work due as long as nothing is open in it', async () => {
    const { id } = await makeSandboxOrganisation(bank)
    expect(await found(id)).toBe(false)
  })

  test('expires after 24 hours and not before, unless no request made it', async () => {
    const [old, younger] = [await makeSandboxOrganisation(bank), await makeSandboxOrganisation(bank)]
    const { id: first } = (await bank.call('POST', '/v0/sandbox/reset')).json.data
    await unusedFor(old.id, 24.1)
    await unusedFor(younger.id, 23.9)
    await unusedFor(first, 100)
    await retireOrganisations(bank.database)
    const statuses = await Promise.all(
      [old.key, younger.key, bank.key].map(async (key) => (await bank.call('GET', '/v0/events', { key })).status),
    )
    expect(statuses).toEqual([401, 200, 200])
  })
})
