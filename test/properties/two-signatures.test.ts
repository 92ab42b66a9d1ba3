import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestBank, type Reply, type TestBank } from '../support/harness.ts'
import { expectSoundLedger, makePayer, type Payer, pay } from '../support/ledger.ts'
import { type SignedInPerson, signIn } from '../support/people/sign-in.ts'
import { choicesOfTest } from '../support/random.ts'

const LEAST = 50_00
const STEPS = process.env.SOAK ? 3_000 : 150
let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank({ own: true, signatures: { from: { paymentApproval: LEAST }, expiryMs: 86_400_000 } })
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

type Actor = Pick<SignedInPerson, 'call'>

/** Reviewers, alone and in several sessions, and a key. */
async function makeActors(): Promise<Actor[]> {
  const people = [await signIn(bank, { first: 'reviewer' }), await signIn(bank, { first: 'administrator' })]
  const key = await bank.makeKey('first', ['review:write', 'risk:write', 'banking:write'])
  const again = await Promise.all(people.map(({ id }) => signIn(bank, {}, { as: id })))
  return [...people, ...again, { call: (method, path, options) => bank.call(method, path, { ...options, key }) }]
}

/** Payments that left with a review, and whose approval is not that of two persons, or of a key and a person. */
const unsigned = `
  select p.id, p.status from payment p join payment_review r on r.id = p.id
  where p.status not in ('PendingReview', 'Rejected', 'Canceled') and p.amount >= $1::bigint
    and (select count(*) from proposal q where q.record_id = p.id::text and q.operation_id = 'approvePayment'
      and q.state = 'Executed' and q.signer_person_id is not null
      and q.proposer_person_id is distinct from q.signer_person_id) <> 1`

test('no payment from the amount of the rule on leaves a review without two persons, whatever comes at the same time', async () => {
  const { below, pick } = choicesOfTest()
  const actors = await makeActors()
  const payers: Payer[] = []
  for (let number = 0; number < 3; number++) {
    const payer = await makePayer(bank, 1_000_000_00)
    await bank.call('PUT', `/v0/banking/accounts/${payer.accountId}/limits`, { body: { payment: { soft: 1 } } })
    payers.push(payer)
  }
  const [waits] = payers as [Payer]
  const payments: string[] = []
  const proposals: string[] = []
  const body = { reason: 'Checked' }
  const actor = () => actors[below(actors.length)] as Actor
  const one = (list: string[]) => list[Math.max(0, list.length - 1 - below(6))] ?? '1'
  const order = async (payer: Payer, amount: number) => {
    const reply = await pay(bank, payer, { amount })
    // A frozen account takes no order.
    if (reply.status === 201) payments.push(reply.json.data.id)
    return reply
  }
  const review = (state: string) =>
    bank.database.query('update external_account set review = $2::text where id = $1::bigint', [
      Number(waits.externalAccountId),
      state,
    ])
  const moves: (() => Promise<Reply | undefined>)[] = [
    async () => {
      const amount = pick(LEAST - 1, LEAST, 3 * LEAST)
      return order(payers[below(payers.length)] as Payer, amount)
    },
    async () => {
      const reply = await actor().call('POST', `/v0/review/payments/${one(payments)}/approve`, { body })
      if (reply.status === 202) proposals.push(reply.json.data.id)
      return reply
    },
    () => actor().call('POST', `/v0/proposals/${one(proposals)}/approve`, { body: {} }),
    () => actor().call('POST', `/v0/proposals/${one(proposals)}/${pick('withdraw', 'reject')}`, { body }),
    () => actor().call('POST', `/v0/review/payments/${one(payments)}/reject`, { body }),
    async () => {
      // Payments that wait for their external account alone are below no limit.
      await bank.call('PUT', `/v0/banking/accounts/${waits.accountId}/limits`, { body: {} })
      await review('PendingReview')
      await order(waits, pick(LEAST - 1, 2 * LEAST))
      return actor().call('POST', `/v0/review/external-accounts/${waits.externalAccountId}/approve`, { body })
    },
    () =>
      bank.call('POST', `/v0/banking/accounts/${pick(...payers).accountId}/${pick('freeze', 'unfreeze')}`, {
        body: {},
      }),
    () => bank.call('POST', '/v0/sandbox/clock/advance', { body: { by: pick('PT1M', 'PT1H') } }),
  ]
  const weights = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 4, 5, 6, 7]
  for (let step = 0; step < STEPS; step++) {
    const now = Array.from({ length: 1 + below(4) }, () => moves[pick(...weights)]?.())
    for (const reply of await Promise.all(now)) expect(reply?.status, reply?.text).toBeLessThan(500)
    if (step % 10 === 9) expect(await bank.database.query(unsigned, [LEAST])).toEqual([])
  }
  await bank.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'PT1H' } })
  expect(await bank.database.query(unsigned, [LEAST])).toEqual([])
  const left = await bank.database.query<{ count: number }>(
    `select count(*)::int as count from payment p join payment_review r on r.id = p.id
     where p.status = 'Sent' and p.amount >= $1::bigint`,
    [LEAST],
  )
  expect(left[0]?.count).toBeGreaterThan(0)
})
