import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { type ConnectedRewards, openConnectedRewards } from '../../../src/bank/rewards/connected-rewards.ts'
import { addDays, clock } from '../../../src/base/clock.ts'
import { openUnitClient } from '../../../src/connectors/unit/client.ts'
import { openUnitPayouts } from '../../../src/connectors/unit/payouts.ts'
import { purchaseReader } from '../../../src/connectors/unit/purchases.ts'
import { openUnitBank } from '../../../src/connectors/unit/unit.ts'
import { type InboundSource, openInbox } from '../../../src/events/inbound/inbound.ts'
import { openClaims } from '../../../src/idempotency/upstream-claim.ts'
import { verifyLedger } from '../../../src/ledger/verify.ts'
import { openSeals } from '../../../src/secrets/seals.ts'
import { type FakeUnit, openFakeUnit } from '../../support/fakes/unit.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { localOffer, merchant, nationalOffer } from '../../support/offers.ts'
import { listRecords, type RecordList } from '../../support/rewards.ts'
import { newUserId } from '../../support/world.ts'

const market = merchant('Tamberly Market')
const offers = [
  nationalOffer({ merchant: market, commission: 5, totalCommission: 8 }),
  localOffer({ merchant: merchant('Quillbrook Coffee'), commission: 10, totalCommission: 10 }),
  nationalOffer({ merchant: merchant('Jetquill Toys'), commission: 10, totalCommission: 15, redeemableOnce: true }),
  nationalOffer({ merchant: merchant('Past Market'), expirationDate: addDays(clock.now().toISOString(), -1) }),
]

interface World {
  bank: TestBank
  fake: FakeUnit
  rewards: ConnectedRewards
  fundingAccountId: string
  accountId: string
  cardId: string
  partnerUserId: number
  /** Sends the upstream's webhook about a transaction. */
  tell(transactionId: string): Promise<void>
  close(): Promise<void>
}

const worlds: World[] = []
afterEach(async () => {
  for (const world of worlds.splice(0)) {
    await world.close()
    expect([...world.fake.undescribed, ...world.fake.misshapen]).toEqual([])
  }
})

/** Banking by a fake Unit with a linked card; without a funding account if `funding` is 0. */
async function open({ funding = 1_000_00, payoutDelayMs = 0 } = {}): Promise<World> {
  const fake = await openFakeUnit()
  const log = pino({ level: 'silent' })
  const timeouts = { callMs: 2_000, totalMs: 4_000, uploadMs: 4_000 }
  const client = openUnitClient({ url: fake.url, token: fake.token, requestsPerMinute: 0, timeouts, log })
  const add = (collection: 'accounts' | 'cards', type: string, attributes: object, relationships: object) =>
    fake.books.add(collection, type, { ...attributes }, { ...relationships })
  const customer = { customer: { data: { type: 'customer', id: fake.addCustomer().id } } }
  const account = {
    ...{ name: 'Ada Example', depositProduct: 'checking', currency: 'USD', status: 'Open', tags: {} },
    ...{ routingNumber: '812345678', accountNumber: '1000000001', balance: 0, available: 0, hold: 0 },
  }
  const fundingAccountId = add('accounts', 'depositAccount', account, customer).id
  const accountId = add('accounts', 'depositAccount', account, customer).id
  const related = { account: { data: { type: 'account', id: accountId } }, ...customer }
  const card = { last4Digits: '4242', expirationDate: '2030-01', status: 'Active' }
  const cardId = add('cards', 'individualVirtualDebitCard', card, related).id
  fake.fund(accountId, 1_000_00)
  if (funding > 0) fake.fund(fundingAccountId, funding)

  let rewards: ConnectedRewards | undefined
  let organisationId = 0
  let readPurchase: ReturnType<typeof purchaseReader> | undefined
  const bank = await openTestBank({
    catalogue: offers,
    banking: ({ database, runOnce, seals }) => {
      const parts = { client, claims: openClaims({ database, runOnce, seals, waitMs: 10_000 }) }
      readPurchase = purchaseReader(parts)
      return openUnitBank(parts)
    },
    records: ({ database, runOnce, seals, ...parts }) => {
      organisationId = parts.organisationId
      const claims = openClaims({ database, runOnce, seals, waitMs: 10_000 })
      const payouts = funding > 0 ? openUnitPayouts({ client, claims }, fundingAccountId) : undefined
      rewards = openConnectedRewards({ database, runOnce, ...parts, payoutDelayMs, payouts, log })
      return rewards.records
    },
  })
  const source: InboundSource = {
    provider: 'sample',
    signatureHeader: 'x-sample',
    isAuthentic: () => true,
    read: (transactionId) => [
      {
        upstreamId: `event of ${transactionId} ${clock.elapsedMs()}`,
        type: 'transaction.created',
        async fetch() {
          const purchase = await readPurchase?.(accountId, transactionId as string)
          return async (transaction, id) =>
            purchase ? (rewards as ConnectedRewards).takePurchase(transaction, id, purchase) : []
        },
      },
    ],
  }
  const inbox = openInbox({
    database: bank.database,
    seals: openSeals(bank.database, [Buffer.alloc(32, 7)]),
    organisationId,
    log,
  })
  const user = await bank.call('POST', '/v0/rewards/partner-users', { body: { userId: newUserId() } })
  const partnerUserId = user.json.data.id
  const link = { partnerUserId, bankCardId: cardId }
  expect((await bank.call('POST', '/v0/rewards/partner-user-cards', { body: link })).status).toBe(201)
  const world: World = {
    bank,
    fake,
    rewards: rewards as unknown as ConnectedRewards,
    fundingAccountId,
    accountId,
    cardId,
    partnerUserId,
    tell: (transactionId) => inbox(source, transactionId),
    close: async () => {
      await bank.close()
      await client.close()
      await fake.close()
    },
  }
  worlds.push(world)
  return world
}

const records = async ({ bank }: World, list: RecordList) => (await listRecords(bank, list)).json.data
const balance = ({ fake }: World, id: string) => fake.books.get('accounts', id).attributes.balance
async function eventTypes({ bank }: World): Promise<string[]> {
  const rows = await bank.database.query<{ type: string }>('select type from event order by sequence')
  return rows.map(({ type }) => type)
}

async function buy(world: World, amount: number, name: string, location = 'Springfield, IL'): Promise<string> {
  const { id } = world.fake.purchase(world.cardId, amount, { name, location })
  await world.tell(id)
  return id
}

describe('a purchase at another bank', () => {
  test('is paid once, and another one under the id of its reward too, by a database that was restored', async () => {
    const world = await open()
    const first = await buy(world, 100_00, 'TAMBERLY MARKET #12')
    await world.rewards.catchUp()
    await world.bank.database.transaction(async (transaction) => {
      await transaction.query('set local session_replication_role = replica')
      for (const table of ['reward_payment', 'reward', 'rewardable_transaction', 'answer', 'claim', 'inbound_event']) {
        await transaction.query(`delete from ${table}`)
      }
      await transaction.query(`select setval(pg_get_serial_sequence('reward', 'id'), 1, false)`)
    })
    await buy(world, 60_00, 'TAMBERLY MARKET #12')
    await world.tell(first)
    await world.rewards.catchUp()
    expect((await records(world, 'rewards')).map(({ state }: { state: string }) => state)).toEqual(['PAID', 'PAID'])
    expect(balance(world, world.fundingAccountId)).toBe(1_000_00 - 5_00 - 3_00)
  })

  test('earns a reward, which is paid by a book payment there and emits events', async () => {
    const world = await open()
    const transactionId = await buy(world, 100_00, 'TAMBERLY MARKET #12')
    expect(await records(world, 'rewardable-transactions')).toMatchObject([{ bankTransactionId: transactionId }])
    expect(await records(world, 'rewards')).toMatchObject([
      { partnerUserId: world.partnerUserId, amount: 100_00, userAmount: 5_00, state: 'PENDING', updatedAt: null },
    ])
    await world.rewards.catchUp()
    const [reward] = await records(world, 'rewards')
    const [payment] = await records(world, 'reward-payments')
    expect([reward.state, payment.rewardId]).toEqual(['PAID', reward.id])
    expect(balance(world, world.accountId)).toBe(1_000_00 - 100_00 + 5_00)
    expect(balance(world, world.fundingAccountId)).toBe(1_000_00 - 5_00)
    const shown = await world.bank.call('GET', `/v0/banking/payments/${payment.paymentId}`)
    expect(shown.json.data).toMatchObject({ type: 'bookPayment', amount: 5_00, originalType: 'REWARD' })
    expect(await eventTypes(world)).toEqual([
      'partnerUser.created',
      'partnerUserCard.created',
      'rewardableTransaction.created',
      'reward.created',
      'reward.confirmed',
      'reward.paid',
      'rewardPayment.created',
    ])
    expect(await verifyLedger(world.bank.database)).toEqual([])
  })

  test('earns one reward if it is received twice and paid by two processes at once', async () => {
    const world = await open()
    const id = await buy(world, 100_00, 'Tamberly Market')
    await Promise.all([world.tell(id), world.tell(id)])
    await Promise.all([world.rewards.catchUp(), world.rewards.catchUp(), world.rewards.catchUp()])
    expect(await records(world, 'rewards')).toHaveLength(1)
    expect(await records(world, 'reward-payments')).toHaveLength(1)
    expect(balance(world, world.fundingAccountId)).toBe(1_000_00 - 5_00)
    expect((await eventTypes(world)).filter((type) => type === 'reward.paid')).toHaveLength(1)
  })

  test('earns by the same rules as with the built-in bank', async () => {
    const world = await open()
    await buy(world, 100_00, 'Quillbrook Coffee', 'Boston, MA')
    await buy(world, 100_00, 'Quillbrook Coffee', 'New York, NY')
    await buy(world, 50_00, 'Jetquill Toys')
    await buy(world, 60_00, 'Jetquill Toys')
    await buy(world, 60_00, 'Past Market')
    await buy(world, 1, 'Tamberly Market')
    expect(await records(world, 'rewardable-transactions')).toHaveLength(6)
    const earned = (await records(world, 'rewards')).map(({ userAmount }: { userAmount: number }) => userAmount)
    expect(earned).toEqual([10_00, 5_00])
  })

  test.each([
    ['CONFIRMED', 0],
    ['PAID', 1_000_00],
  ])('earns once by an offer that is redeemable once, also while its reward is %s', async (state, funding) => {
    const world = await open({ funding })
    await buy(world, 50_00, 'Jetquill Toys')
    await world.rewards.catchUp()
    await buy(world, 60_00, 'Jetquill Toys')
    expect(await records(world, 'rewards')).toMatchObject([{ userAmount: 5_00, state }])
  })

  test('earns nothing if its card is not linked or the transaction is not a purchase', async () => {
    const world = await open()
    const [link] = await records(world, 'partner-user-cards')
    const remove = { body: { isRemoved: true } }
    expect((await world.bank.call('PATCH', `/v0/rewards/partner-user-cards/${link.id}`, remove)).status).toBe(200)
    await buy(world, 100_00, 'Tamberly Market')
    await world.tell(world.fake.fund(world.accountId, 5_00).id)
    expect(await records(world, 'rewardable-transactions')).toEqual([])
  })
})

describe('the payout of a reward', () => {
  test('does not happen without a funding account: the reward stays CONFIRMED', async () => {
    const world = await open({ funding: 0 })
    await buy(world, 100_00, 'Tamberly Market')
    for (let time = 0; time < 2; time++) await world.rewards.catchUp()
    expect(await records(world, 'rewards')).toMatchObject([{ state: 'CONFIRMED' }])
    expect(await records(world, 'reward-payments')).toEqual([])
    expect((await eventTypes(world)).slice(-1)).toEqual(['reward.confirmed'])
    expect(world.fake.books.records.payments).toEqual([])
  })

  test('waits for the configured delay', async () => {
    const world = await open({ payoutDelayMs: 60_000 })
    await buy(world, 100_00, 'Tamberly Market')
    await world.rewards.catchUp()
    expect(await records(world, 'rewards')).toMatchObject([{ state: 'PENDING' }])
    await world.bank.database.query(`update reward set payout_due_at = payout_due_at - interval '1 minute'`)
    await world.rewards.catchUp()
    expect(await records(world, 'rewards')).toMatchObject([{ state: 'PAID' }])
  })

  const due = ({ bank }: World) => bank.database.query(`update reward set payout_due_at = created_at`)

  test('is tried again later by another payment if the upstream rejects it', async () => {
    const world = await open({ funding: 1_00 })
    await buy(world, 100_00, 'Tamberly Market')
    await world.rewards.catchUp()
    await world.rewards.catchUp()
    expect(await records(world, 'rewards')).toMatchObject([{ state: 'CONFIRMED' }])
    // The second run was too early.
    expect(world.fake.books.records.payments).toHaveLength(1)
    world.fake.fund(world.fundingAccountId, 100_00)
    await due(world)
    await world.rewards.catchUp()
    expect(await records(world, 'rewards')).toMatchObject([{ state: 'PAID' }])
    expect(balance(world, world.fundingAccountId)).toBe(1_00 + 100_00 - 5_00)
  })

  test.each(['drop', 'garbage', 'late-500', 'slow', 500] as const)(
    'has one effect where the upstream answers with %s',
    async (fault) => {
      const world = await open()
      await buy(world, 100_00, 'Tamberly Market')
      world.fake.server.misbehave(...Array(4).fill(fault))
      await world.rewards.catchUp()
      world.fake.server.misbehave()
      await due(world)
      await world.rewards.catchUp()
      expect(await records(world, 'rewards')).toMatchObject([{ state: 'PAID' }])
      expect(balance(world, world.fundingAccountId)).toBe(1_000_00 - 5_00)
      expect(world.fake.books.records.payments).toHaveLength(1)
    },
  )
})

describe('the records over another bank', () => {
  test('link only cards that the bank has', async () => {
    const world = await open()
    const body = { partnerUserId: world.partnerUserId, bankCardId: '999' }
    const reply = await world.bank.call('POST', '/v0/rewards/partner-user-cards', { body })
    expect([reply.status, reply.json.code]).toEqual([404, 'card_not_found'])
    const again = await world.bank.call('POST', '/v0/rewards/partner-user-cards', {
      body: { ...body, bankCardId: world.cardId },
    })
    expect([again.status, again.json.code]).toEqual([409, 'card_already_linked'])
  })

  test('replay the link of a card that the bank no longer has', async () => {
    const world = await open()
    const [link] = await records(world, 'partner-user-cards')
    await world.bank.call('PATCH', `/v0/rewards/partner-user-cards/${link.id}`, { body: { isRemoved: true } })
    const request = {
      body: { partnerUserId: world.partnerUserId, bankCardId: world.cardId },
      headers: { 'idempotency-key': 'link-again' },
    }
    const first = await world.bank.call('POST', '/v0/rewards/partner-user-cards', request)
    expect(first.status).toBe(201)
    world.fake.books.records.cards.splice(0)
    const again = await world.bank.call('POST', '/v0/rewards/partner-user-cards', request)
    expect([again.status, again.text]).toEqual([201, first.text])
  })

  test('emit events of partner users and links', async () => {
    const world = await open()
    const [link] = await records(world, 'partner-user-cards')
    await world.bank.call('PATCH', `/v0/rewards/partner-user-cards/${link.id}`, { body: { isRemoved: true } })
    expect(await eventTypes(world)).toEqual([
      'partnerUser.created',
      'partnerUserCard.created',
      'partnerUserCard.updated',
    ])
  })

  test('support no operation that needs the purchases or the ledger of the built-in bank', async () => {
    const { bank, cardId } = await open()
    const handedIn = await bank.call('POST', '/v0/rewards/rewardable-transactions', {
      body: { bankCardId: cardId, bankTransactionId: '1000000' },
    })
    expect([handedIn.status, handedIn.json.code]).toEqual([501, 'not_supported_by_provider'])
    const compared = await bank.call('GET', '/v0/rewards/reconciliations/daily?date=2026-01-31')
    expect(compared.status).toBe(501)
    const explained = await bank.call('GET', '/v0/rewards/rewards/1/explanation')
    expect([explained.status, explained.json.code]).toEqual([501, 'not_supported_by_provider'])
    const { paths } = (await bank.call('GET', '/openapi.json')).json
    expect(paths).toHaveProperty(['/v0/rewards/rewards/{rewardId}'])
    expect(paths).not.toHaveProperty(['/v0/rewards/rewards/{rewardId}/explanation'])
    expect(paths['/v0/rewards/rewardable-transactions']).not.toHaveProperty('post')
    const { operations } = (await bank.call('GET', '/v0/me')).json.data
    expect(operations).toContain('getReward')
    expect(operations).not.toContain('getRewardExplanation')
  })
})
