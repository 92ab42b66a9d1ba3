import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { moveCopies } from '../../../src/bank/first-states/move-copies.ts'
import { openSeals } from '../../../src/secrets/seals.ts'
import { storeCopies } from '../../support/baseline/copies.ts'
import { type Consumer, openConsumer } from '../../support/consumer.ts'
import { createDatabase, openTestBank, type TestBank, type TestDatabase } from '../../support/harness.ts'
import { expectSoundLedger, makeExternalAccount, makeOwnBankAccount, makePayer } from '../../support/ledger.ts'
import { merchant, nationalOffer } from '../../support/offers.ts'
import { seedOfTest } from '../../support/random.ts'
import { newUserId } from '../../support/world.ts'

/** Each database has a few histories: an upgrade works on all of a database, so that many would take their square. */
const DATABASES = process.env.SOAK ? 12 : 1
const HISTORIES = process.env.SOAK ? 10 : 6

const market = merchant('Tamberly Market')
const offers = [nationalOffer({ key: 'market', merchant: market, commission: 5, totalCommission: 8 })]

/** Requests with their first answers, and events as they were first seen. */
const requests: { path: string; body: unknown; key: string; status: number; text: string }[] = []
const events = new Map<number, string>()

let place: TestDatabase
let bank: TestBank
let consumer: Consumer

/** Opens the service on the database of the test, as after a restart. */
const openBank = () => openTestBank({ on: place, webhooks: {} })

beforeEach(async () => {
  requests.length = 0
  events.clear()
  place = await createDatabase()
  const first = await openTestBank({ on: place, catalogue: offers })
  await first.close()
  bank = await openBank()
  consumer = await openConsumer()
})
afterEach(async () => {
  await bank.close()
  await consumer.close()
  await place.drop()
})

/** One thing that happens; `which` picks among the payments or purchases there are. */
type Step =
  | { kind: 'pay' | 'payOwn' | 'buy'; amount: number }
  | { kind: 'return' | 'refund'; which: number }
  | { kind: 'forget' | 'restart' | 'upgrade' }

const amount = fc.integer({ min: 1_00, max: 50_00 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({ kind: fc.constantFrom('pay' as const, 'payOwn' as const, 'buy' as const), amount }),
    weight: 6,
  },
  {
    arbitrary: fc.record({ kind: fc.constantFrom('return' as const, 'refund' as const), which: fc.nat(20) }),
    weight: 3,
  },
  {
    arbitrary: fc.record({ kind: fc.constantFrom('forget' as const, 'restart' as const, 'upgrade' as const) }),
    weight: 2,
  },
)

test.each(Array.from({ length: DATABASES }, (_, index) => index + 1))(
  'every event and every replay is the same to the byte at any later time (database %i)',
  async () => {
    const endpoint = await bank.call('POST', '/v0/webhook-endpoints', { body: { url: consumer.url, events: ['*'] } })
    expect(endpoint.status, endpoint.text).toBe(201)
    const history = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), live)
    await fc.assert(history, { seed: seedOfTest(), numRuns: HISTORIES, endOnFailure: true })
    await expectSame()
    await expect.poll(() => consumer.received.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(events.size - 1)
    for (const { body, event } of consumer.received) expect(`{"data":${body}}`).toBe(events.get(event.sequence))
    await expectSoundLedger(bank)
    process.stdout.write(`${events.size} events and ${requests.length} answers stayed the same\n`)
  },
)

/** Lives one history with a customer of its own. */
async function live(steps: Step[]): Promise<void> {
  const [payer, friend] = [await makePayer(bank, 10_000_00), await makePayer(bank)]
  const own = await makeOwnBankAccount(bank, payer.customerId, friend.accountId)
  const { id: cardId } = await post('banking/cards', { type: 'individualVirtualDebitCard', accountId: payer.accountId })
  const partner = await post('rewards/partner-users', { userId: newUserId() })
  await post('rewards/partner-user-cards', { partnerUserId: partner.id, bankCardId: cardId })
  let externalAccountId = payer.externalAccountId
  const returnable: string[] = []
  const purchases: string[] = []
  const payTo = (counterpartyAccountId: string, cents: number) =>
    post(`banking/accounts/${payer.accountId}/payments`, {
      amount: cents,
      counterpartyAccountId,
      description: 'Rent "é"',
      originalType: 'ACH',
    })

  async function take(one: Step): Promise<void> {
    if (one.kind === 'pay') returnable.push((await payTo(externalAccountId, one.amount)).id)
    else if (one.kind === 'payOwn') await payTo(own, one.amount)
    else if (one.kind === 'buy') {
      const { id } = await post(`sandbox/cards/${cardId}/authorizations`, {
        amount: one.amount,
        merchant: { name: 'TAMBERLY MARKET' },
      })
      await post(`sandbox/authorizations/${id}/settle`, {})
      purchases.push(id)
    } else if (one.kind === 'return') {
      const [id] = returnable.splice(one.which % Math.max(1, returnable.length), 1)
      if (id) await post(`sandbox/payments/${id}/return`, { returnCode: 'R01' })
    } else if (one.kind === 'refund') {
      const [id] = purchases.splice(one.which % Math.max(1, purchases.length), 1)
      if (id) await post(`sandbox/authorizations/${id}/refund`, {})
    } else if (one.kind === 'forget') {
      const gone = await bank.call('DELETE', `/v0/banking/external-accounts/${externalAccountId}`)
      expect(gone.status, gone.text).toBeLessThan(300)
      externalAccountId = await makeExternalAccount(bank, payer.customerId, { name: 'Joan Sample' })
    } else if (one.kind === 'restart') {
      await bank.close()
      bank = await reopened()
    } else await upgrade()
  }

  for (const one of steps) {
    await take(one)
    await seeNew()
  }
}

async function reopened(): Promise<TestBank> {
  const { key } = bank
  const opened = await openBank()
  return { ...opened, key, call: (method, path, options) => opened.call(method, path, { key, ...options }) }
}

/** Sends a request under a key, and keeps its answer. */
async function post(path: string, body: unknown) {
  const key = `history-${requests.length}`
  const made = await bank.call('POST', `/v0/${path}`, { body, headers: { 'idempotency-key': key } })
  expect(made.status, `${path}: ${made.text}`).toBeLessThan(300)
  requests.push({ path, body, key, status: made.status, text: made.text })
  return made.json.data
}

/** Keeps the events that there are since the last look. A payment's first event shows what the answer showed. */
async function seeNew(): Promise<void> {
  const after = Math.max(0, ...events.keys())
  const { json } = await bank.call('GET', `/v0/events?after=${after}&limit=1000`)
  for (const event of json.data) {
    const { text } = await bank.call('GET', `/v0/events/${event.id}`)
    expect(text).toBe(`{"data":${JSON.stringify(event)}}`)
    events.set(event.sequence, text)
    if (event.type === 'transaction.created') {
      const { account } = event.data.relationships
      const shown = await bank.call('GET', `/v0/banking/transactions/${event.entity.id}?accountId=${account.data.id}`)
      expect(shown.text).toBe(`{"data":${JSON.stringify(event.data)}}`)
    }
  }
}

/** Stores all events and answers as former versions did, and removes the copies as this one does. */
async function upgrade(): Promise<void> {
  const named = (id: number, status: string | null) => `${id} ${status === 'Returned' ? status : ''}`
  const bodies = new Map(
    requests.map(({ text }) => {
      const { id, status } = JSON.parse(text).data
      return [named(id, status), text]
    }),
  )
  await storeCopies(bank.database, {
    dataOf: (_organisationId, sequence) => JSON.stringify(JSON.parse(events.get(sequence) ?? '').data.data),
    bodyOf: (paymentId, status) => bodies.get(named(paymentId, status)) ?? '',
  })
  while (!(await moveCopies(bank.database, openSeals(bank.database, [Buffer.alloc(32, 7)]), { pages: 7, answers: 7 })));
}

/** Reads every event by its number, in the feed and by its record, and sends every request again. */
async function expectSame(): Promise<void> {
  for (let after = 0; ; ) {
    const { json } = await bank.call('GET', `/v0/events?after=${after}&limit=100`)
    for (const event of json.data) {
      expect(`{"data":${JSON.stringify(event)}}`).toBe(events.get(event.sequence))
      expect((await bank.call('GET', `/v0/events/${event.id}`)).text).toBe(events.get(event.sequence))
      const { type, id } = event.entity
      const own = await bank.call('GET', `/v0/events?entityType=${type}&entityId=${id}`)
      expect(own.json.data).toContainEqual(event)
      after = event.sequence
    }
    if (json.data.length === 0) break
  }
  for (const { path, body, key, status, text } of requests) {
    const again = await bank.call('POST', `/v0/${path}`, { body, headers: { 'idempotency-key': key } })
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([status, text, 'true'])
  }
}
