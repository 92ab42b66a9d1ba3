import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../support/harness.ts'
import { expectSoundLedger } from '../support/ledger.ts'
import { merchant, nationalOffer } from '../support/offers.ts'
import { seedOfTest } from '../support/random.ts'
import { makeAccount, newUserId } from '../support/world.ts'

const RUNS = process.env.SOAK ? 200 : 4

/** Each run has its own: the laws are checked on all records, so that those of earlier runs would be checked again. */
let bank: TestBank

const offers = [
  nationalOffer({
    merchant: merchant('Tamberly Market'),
    commission: 4.99,
    totalCommission: 7.77,
    maximumReward: 40_00,
  }),
  nationalOffer({ merchant: merchant('Tamberly Market'), commission: 1, totalCommission: 9 }),
  nationalOffer({ merchant: merchant('Jetquill Toys'), commission: 10, totalCommission: 10, redeemableOnce: true }),
]

/** A step of a shopper or a merchant; `which` picks one of the authorizations or settlements so far. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('buy' as const),
      amount: fc.integer({ min: 1, max: 2_000_00 }),
      toys: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('settle part' as const),
      which: fc.nat(),
      amount: fc.integer({ min: 1, max: 500_00 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('refund' as const),
      which: fc.nat(),
      amount: fc.integer({ min: 1, max: 900_00 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('remove or return' as const), isRemoved: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('hand in' as const), which: fc.nat() }) },
)

test('whatever is bought, settled in parts and refunded, the laws of the rewards hold after each step', async () => {
  const property = fc
    .asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const accountId = await makeAccount(bank)
      const post = (path: string, body: unknown = {}) => bank.call('POST', path, { body })
      const { json: card } = await post('/v0/banking/cards', { type: 'individualVirtualDebitCard', accountId })
      const { json: user } = await post('/v0/rewards/partner-users', { userId: newUserId() })
      await post('/v0/rewards/partner-user-cards', { partnerUserId: user.data.id, bankCardId: card.data.id })
      const authorizations: string[] = []
      const settlements: string[] = []
      for (const one of steps) {
        if (one.does === 'buy') {
          const name = one.toys ? 'Jetquill Toys' : 'Tamberly Market'
          const { json } = await post(`/v0/sandbox/cards/${card.data.id}/authorizations`, {
            amount: one.amount,
            merchant: { name },
          })
          authorizations.push(json.data.id)
          const settled = await post(`/v0/sandbox/authorizations/${json.data.id}/settle`, {
            amount: one.amount,
            final: false,
          })
          settlements.push(settled.json.data.id)
        } else if (one.does === 'hand in') {
          const bankTransactionId = settlements[one.which % settlements.length]
          if (bankTransactionId === undefined) continue
          const { status } = await post('/v0/rewards/rewardable-transactions', {
            bankCardId: card.data.id,
            bankTransactionId,
          })
          expect([201, 409]).toContain(status)
        } else if (one.does === 'remove or return') {
          await bank.call('PATCH', `/v0/rewards/partner-users/${user.data.id}`, { body: { isRemoved: one.isRemoved } })
        } else if (authorizations.length > 0) {
          const id = authorizations[one.which % authorizations.length]
          const { json } = await post(
            `/v0/sandbox/authorizations/${id}/${one.does === 'refund' ? 'refund' : 'settle'}`,
            {
              amount: one.amount,
              ...(one.does === 'settle part' && { final: false }),
            },
          )
          if (one.does === 'settle part' && json.data) settlements.push(json.data.id)
        }
        await expectLaws(user.data.id)
      }
    })
    .beforeEach(async () => {
      bank = await openTestBank({ catalogue: offers, overdraftCents: 1_000_000_00 })
    })
    .afterEach(() => bank.close())
  await fc.assert(property, { seed: seedOfTest(), numRuns: RUNS })
})

async function expectLaws(partnerUserId: number): Promise<void> {
  await expectSoundLedger(bank)
  const [funding] = await bank.database.query<{ balance: number; paid: number }>(
    `select coalesce(sum(a.balance), 0)::bigint as balance,
       (select coalesce(sum(user_amount), 0)::bigint from reward where state = 'PAID') as paid
     from account a where kind = 'rewards_funding'`,
  )
  const total = (funding?.balance ?? 0) + (funding?.paid ?? 0)
  expect(total, 'what was paid and not taken back came from the funding accounts').toBe(0)
  const live = await bank.database.query(
    `select rewardable_transaction_id from reward where state in ('PENDING', 'CONFIRMED', 'PAID')
     group by 1 having count(*) > 1`,
  )
  expect(live, 'a transaction has one living reward at most').toEqual([])
  const [once] = await bank.database.query<{ count: number }>(
    `select count(*) as count from reward where partner_user_id = $1 and merchant_name = 'Jetquill Toys'
       and state in ('PENDING', 'CONFIRMED', 'PAID')`,
    [partnerUserId],
  )
  expect(once?.count, 'redeemable once').toBeLessThanOrEqual(1)
  const refunds = await bank.database.query(
    `select a.id from card_authorization a
     join (select authorization_id, sum(amount) as bought, sum(refunded) as taken from rewardable_transaction
       group by authorization_id) b on b.authorization_id = a.id
     where a.refunded - b.taken not between 0 and a.settled - b.bought`,
  )
  expect(refunds, 'purchases take each refund off once; settlements that are no purchases take the rest').toEqual([])
}
