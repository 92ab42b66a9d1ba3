import { afterEach, beforeEach, expect, test } from 'vitest'
import { advanceTo, recurring } from '../../support/bank/recurring.ts'
import { ModelPlan, type Rules } from '../../support/bank/recurring-model.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { accountOf, expectSoundLedger, makePayer, type Payer, receiveAch, returnPayment } from '../../support/ledger.ts'
import { type Choices, choicesOfTest } from '../../support/random.ts'

/** Lives of some years with recurring payments of random rules, compared with a model that looks at each day. */

const DAY_MS = 86_400_000
/** A Monday, 10:00 in New York. */
const START = Date.parse('2030-02-04T15:00:00Z')
/** The first balance of an account, in cents. */
const MONEY = 500_00
/** One goes on to the end of the lives. */
const lasting = { interval: 'Monthly', onClosedDay: 'Before', onMissingMoney: 'Retry', onReturn: 'GoOn' } as const
const PLANS = process.env.SOAK ? 40 : 6
const STEPS = process.env.SOAK ? 100 : 16

let bank: TestBank
beforeEach(async () => {
  bank = await openTestBank()
  await bank.database.query(`update organisation set frozen_at = $1::timestamptz, clock_offset = interval '0'`, [
    new Date(START).toISOString(),
  ])
})
afterEach(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

const textOf = (ms: number) => new Date(ms).toISOString()
const dayOf = (ms: number) => textOf(ms).slice(0, 10)

function randomRules({ below, pick }: Choices, now: number): Rules {
  const interval = pick('Once', 'Weekly', 'EveryTwoWeeks', 'TwiceAMonth', 'Monthly', 'Yearly', 'Monthly')
  const start = now + below(60) * DAY_MS
  const days =
    interval === 'Monthly' ? [1 + below(31)] : interval === 'TwiceAMonth' ? [1 + below(27), 28 + below(4)] : undefined
  const onMissingMoney = pick('Skip', 'Retry', 'Stop', 'Retry')
  return {
    interval,
    startDate: dayOf(start),
    ...pick({}, {}, { count: 1 + below(20) }, { endDate: dayOf(start + (40 + below(700)) * DAY_MS) }),
    ...(days && below(3) > 0 && { days }),
    onClosedDay: pick('Before', 'After', 'AsItComes'),
    onMissingMoney,
    ...(onMissingMoney === 'Retry' && { retryDays: 1 + below(10) }),
    onReturn: pick('Stop', 'GoOn', 'GoOn'),
    amount: 1 + below(100_00),
  }
}

/** A recurring payment at the bank, its model, and the account that only it draws on. */
async function makePlan(rules: Rules, now: number) {
  const payer: Payer = await makePayer(bank, MONEY)
  const plan = await recurring(bank, payer, { ...rules })
  return { payer, plan, model: new ModelPlan(rules, now), money: MONEY }
}
type Plan = Awaited<ReturnType<typeof recurring>>
type Life = Awaited<ReturnType<typeof makePlan>>

/** Lets the model of a life do all that is due until a time. */
function follow(life: Life, until: number): void {
  const { model } = life
  while (model.at !== undefined && model.at <= until) life.money -= model.run(life.money)
}

async function expectAsModel({ payer, plan, model, money }: Life): Promise<void> {
  const payments = new Map((await plan.payments()).map((each: { id: string }) => [each.id, each]))
  const runs = (await plan.allRuns())
    .filter(({ status }: { status: string }) => status !== 'Waiting')
    .map(({ dueDate, status, reason, amount, paymentId }: Record<string, never>) => {
      const payment = payments.get(paymentId) as { createdAt: string; amount: number } | undefined
      payments.delete(paymentId)
      if (payment) expect(payment.amount).toBe(amount)
      return { dueDate, status, reason, amount, ...(payment && { paidAt: Date.parse(payment.createdAt) }) }
    })
  expect(runs).toEqual(model.runs)
  expect([...payments.keys()], 'payments without a run').toEqual([])
  const { status, reason } = await plan.read()
  expect({ status, reason }).toEqual({ status: model.status, reason: model.reason })
  expect((await accountOf(bank, payer.accountId)).balance).toBe(money)
}

/** Something that people or other banks do, at the bank and in the model. */
async function act(life: Life, now: number, { below, pick }: Choices): Promise<void> {
  const { payer, plan, model } = life
  const isGoing = model.at !== undefined
  switch (pick('money', 'money', 'pause', 'skip', 'amount', 'return', 'cancel')) {
    case 'money': {
      const amount = 1 + below(300_00)
      expect((await receiveAch(bank, payer.accountId, { amount })).status).toBe(201)
      life.money += amount
      return
    }
    case 'pause':
      if (!isGoing) return
      await plan.send(model.status === 'Paused' ? 'resume' : 'pause')
      model.status = model.status === 'Paused' ? 'Active' : 'Paused'
      return
    case 'skip':
      if (!isGoing || model.rules.interval === 'Once' || model.rules.count || model.rules.endDate) return
      await plan.send('skip', {})
      model.skipNext()
      return
    case 'amount': {
      if (!isGoing) return
      const [amount, from] = [1 + below(100_00), dayOf(now + below(400) * DAY_MS)]
      await plan.send('amount', { amount, from })
      model.change(amount, from)
      return
    }
    case 'return': {
      const payment = (await plan.payments()).at(-1)
      if (payment?.status !== 'Sent') return
      const { status, text } = await returnPayment(bank, payment.id, 'R03')
      expect(status, text).toBe(200)
      life.money += payment.amount
      if (isGoing && model.rules.onReturn === 'Stop') model.stop('Stopped', 'Returned R03')
      return
    }
    case 'cancel':
      if (!isGoing || model.rules.retryDays === undefined || below(4) > 0) return
      await plan.send('cancel')
      model.stop('Canceled')
  }
}

/** Advances the clock while all connections of the bank are cut again and again. */
async function advanceCut(to: string): Promise<void> {
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`
  for (let cuts = 3; ; cuts--) {
    const answer = bank.call('POST', '/v0/sandbox/clock/advance', { body: { to } })
    if (cuts > 0) await bank.database.query(cut, [], 'once')
    const { status } = await answer
    if (status === 200) return
    expect([500, 503]).toContain(status)
    const { json } = await bank.call('GET', '/v0/sandbox/clock')
    if (json.data.now >= to) return
  }
}

test('each due date is paid, failed or skipped exactly once, as a calendar apart says', {
  timeout: process.env.SOAK ? 1_200_000 : 120_000,
}, async () => {
  const choices = choicesOfTest()
  const { below, pick } = choices
  const first: Rules = { ...lasting, days: [31], startDate: dayOf(START), amount: 70_00 }
  const lives = [await makePlan(first, START)]
  for (let plan = 1; plan < PLANS; plan++) lives.push(await makePlan(randomRules(choices, START), START))
  let now = START
  for (let step = 0; step < STEPS; step++) {
    now += pick(1, 1, 2, 5, 30, 30, 365) * DAY_MS + below(9) * 3_600_000
    if (below(4) === 0) await advanceCut(textOf(now))
    else await advanceTo(bank, textOf(now))
    for (const life of lives) {
      follow(life, now)
      if (below(3) === 0) await act(life, now, choices)
    }
  }
  for (const life of lives) await expectAsModel(life)
  expect(lives[0]?.model.runs.length).toBeGreaterThan(3)
})

test('a jump of a year makes the runs of 365 single days', { timeout: 120_000 }, async () => {
  const choices = choicesOfTest()
  const rules = Array.from({ length: PLANS }, () => randomRules(choices, START))
  const key = bank.otherKey
  const other = {
    ...bank,
    key,
    call: ((method, path, options) => bank.call(method, path, { key, ...options })) as TestBank['call'],
  }
  const made: [Plan, Plan][] = []
  for (const each of rules) {
    const money = 1 + choices.below(2_000_00)
    const make = async (at: TestBank) => recurring(at, await makePayer(at, money), { ...each })
    made.push([await make(bank), await make(other)])
  }
  await advanceTo(bank, textOf(START + 365 * DAY_MS))
  for (let day = 1; day <= 365; day++) await advanceTo(other, textOf(START + day * DAY_MS))
  const facts = async (plan: Plan) => {
    const payments = await plan.payments()
    const { status, reason, nextDueDate, nextRunAt } = await plan.read()
    const paid = payments.map(({ createdAt, amount }: Record<string, unknown>) => [createdAt, amount])
    return { runs: await plan.runs(), paid, status, reason, nextDueDate, nextRunAt }
  }
  for (const [jumped, walked] of made) expect(await facts(jumped)).toEqual(await facts(walked))
})
