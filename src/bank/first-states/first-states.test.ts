import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConsumer } from '../../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import {
  accountOf,
  makeExternalAccount,
  makeOwnBankAccount,
  makePayer,
  pay,
  returnPayment,
} from '../../../test/support/ledger.ts'
import type { Database } from '../../database/database.ts'
import { verifyLedger } from '../../ledger/verify.ts'

let bank: TestBank
/** The look-ups for first states. */
let lookUps = 0

const around = (database: Database): Database => ({
  ...database,
  query: (text, values, use) => {
    if (text.includes('"sideAmount"') || /from payment where id = any/.test(text)) lookUps++
    return database.query(text, values, use)
  },
})

beforeAll(async () => {
  bank = await openTestBank({ around, webhooks: {} })
})
afterAll(() => bank.close())

const eventsOf = async (path: string) => (await bank.call('GET', `/v0/events?${path}`)).json.data
const firstEvent = (id: string) =>
  bank.call('GET', `/v0/events?entityType=payment&entityId=${id}&type=payment.created`).then(({ json }) => json.data[0])

describe('a payment', () => {
  test('is stored without copies, and its event and its replay show its first state for ever', async () => {
    const payer = await makePayer(bank, 100_00)
    const options = { headers: { 'idempotency-key': 'first-state' } }
    const made = await pay(bank, payer, { amount: 5_00 }, options)
    const { id } = made.json.data
    const [stored] = await bank.database.query<{ events: number; body: string }>(
      `select (select count(*) from event where data is null and type in ('payment.created', 'transaction.created')
         and request_id = (select request_id from event where entity_id = $1::text limit 1)) as events,
         (select body from answer where payment_id = $1::bigint) as body`,
      [id],
    )
    expect(stored).toEqual({ events: 2, body: '' })
    const event = await firstEvent(id)
    expect(`{"data":${JSON.stringify(event.data)}}`).toBe(made.text)
    expect((await returnPayment(bank, id)).status).toBe(200)
    const deleted = await bank.call('DELETE', `/v0/banking/external-accounts/${payer.externalAccountId}`)
    expect(deleted.status, deleted.text).toBeLessThan(300)
    expect(await firstEvent(id)).toEqual(event)
    const again = await pay(bank, payer, { amount: 5_00 }, options)
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([made.status, made.text, 'true'])
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('of another first status shows that one in its event and its replay', async () => {
    const payer = await makePayer(bank, 100_00)
    const options = { headers: { 'idempotency-key': 'pending-first' } }
    const { id } = (await pay(bank, payer, { amount: 5_00 }, options)).json.data
    await bank.database.query(`update payment set first_status = 'Pending' where id = $1::bigint`, [id])
    expect((await firstEvent(id)).data.status).toBe('Pending')
    expect((await pay(bank, payer, { amount: 5_00 }, options)).json.data.status).toBe('Pending')
    expect((await bank.call('GET', `/v0/banking/payments/${id}`)).json.data.status).toBe('Sent')
  })

  test('under a key that was used for another request is refused and not shown', async () => {
    const payer = await makePayer(bank, 100_00)
    const options = { headers: { 'idempotency-key': 'other-request' } }
    expect((await pay(bank, payer, { amount: 5_00 }, options)).status).toBe(201)
    expect((await pay(bank, payer, { amount: 6_00 }, options)).json.code).toBe('idempotency_key_reused')
  })
})

describe('the other side of a payment', () => {
  test('keeps a copy, which shows the name and the routing number of its time', async () => {
    const [payer, payee] = [await makePayer(bank, 100_00), await makePayer(bank)]
    const own = await makeOwnBankAccount(bank, payer.customerId, payee.accountId)
    await pay(bank, { ...payer, externalAccountId: own }, { amount: 3_00 })
    const { routingNumber } = await accountOf(bank, payer.accountId)
    const [, received] = (await eventsOf('type=transaction.created&sort=-sequence&limit=2')).reverse()
    expect(received.data.attributes).toMatchObject({ direction: 'Credit', counterparty: { routingNumber } })
    const [row] = await bank.database.query<{ copied: boolean }>(
      `select data is not null as copied from event where type = 'transaction.created' and entity_id = $1::text`,
      [received.entity.id],
    )
    expect(row).toEqual({ copied: true })
  })
})

test('A page of the feed needs one look-up, and an event with its data none', async () => {
  const payer = await makePayer(bank, 1_000_00)
  for (let made = 0; made < 20; made++) await pay(bank, payer, { amount: 1_00 })
  lookUps = 0
  const page = await eventsOf('type=payment.created,transaction.created&sort=-sequence&limit=40')
  expect([page.length, lookUps]).toEqual([40, 1])
  await eventsOf('type=customer.created')
  expect(lookUps).toBe(1)
})

test('A webhook, a shown delivery and a redelivery have the body of the feed', async () => {
  const consumer = await openConsumer()
  const { json } = await bank.call('POST', '/v0/webhook-endpoints', {
    body: { url: consumer.url, events: ['payment.created', 'transaction.created'] },
  })
  const payer = await makePayer(bank)
  const { accountId } = await makePayer(bank, 100_00)
  const externalAccountId = await makeExternalAccount(bank, (await accountOf(bank, accountId)).customerId)
  const { id } = (await pay(bank, { ...payer, accountId, externalAccountId }, { amount: 1_00 })).json.data
  const event = await firstEvent(id)
  await expect.poll(() => consumer.received.find(({ event: sent }) => sent.id === event.id)?.event).toEqual(event)
  const sent = consumer.received.find(({ event: one }) => one.id === event.id)
  expect(sent?.body).toBe(JSON.stringify(event))
  const again = await bank.call('POST', `/v0/events/${event.id}/redeliver`)
  expect(again.json.data).toEqual(event)
  await expect.poll(() => consumer.received.filter(({ body }) => body === sent?.body).length).toBe(2)
  const list = await bank.call('GET', `/v0/deliveries?eventId=${event.id}&endpointId=${json.data.id}`)
  // An attempt is recorded after the consumer has answered.
  const recorded = async () => (await bank.call('GET', `/v0/deliveries/${list.json.data[0]?.id}`)).json.data.request
  await expect.poll(recorded).toMatchObject({ body: sent?.body })
  await bank.call('DELETE', `/v0/webhook-endpoints/${json.data.id}`)
  await consumer.close()
})

test("A payment's account number is nowhere in clear text", async () => {
  const number = '31415926535897932'
  const payer = await makePayer(bank, 100_00)
  const externalAccountId = await makeExternalAccount(bank, payer.customerId, { accountNumber: number })
  const before = await holdersOf(number)
  expect(before).toEqual({})
  for (const key of ['seen', undefined]) {
    const headers: Record<string, string> = key ? { 'idempotency-key': key } : {}
    expect((await pay(bank, { ...payer, externalAccountId }, { amount: 1_00 }, { headers })).status).toBe(201)
  }
  expect(await holdersOf(number)).toEqual({})
})

async function holdersOf(text: string): Promise<Record<string, number>> {
  const tables = await bank.database.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
  const found: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await bank.database.query<{ count: number }>(
      `select count(*) as count from ${name} t where position($1::text in t::text) > 0`,
      [text],
    )
    if (row && row.count > 0) found[name] = row.count
  }
  return found
}
