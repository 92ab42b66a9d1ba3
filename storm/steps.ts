import * as fc from 'fast-check'
import { isProblem, type Purser } from '../client/src/index.ts'
import { dollars } from '../ground/text.ts'
import { faultInWords, type Network, type NetworkFault, networkFaults } from './network.ts'
import type { Post } from './post.ts'
import type { StormCustomer } from './step.ts'

/** The parts of a life that the steps of the bank work with. */
interface StepParts {
  purser: Purser
  /** The client of the person at the bank who decides about payments. */
  reviewer: Purser
  network: Network
  post: Post
  customers: StormCustomer[]
  /** Bank time. */
  now: string
  /** The time at which the life is over. */
  end: string
}

/** A kind of steps. Its members are drawn from the seed alone. */
interface Kind<Members> {
  /** How often it is drawn, compared with the others. */
  weight: number
  members: { [Name in keyof Members]: fc.Arbitrary<Members[Name]> }
  /** Does a step, and returns it in words. Undefined if there is nothing that it could be done to. */
  run(step: Members, parts: StepParts): Promise<string | undefined>
}

const kind = <Members>(
  weight: number,
  members: Kind<Members>['members'],
  run: Kind<Members>['run'],
): Kind<Members> => ({ weight, members, run })

const which = fc.nat({ max: 5 })
const amount = fc.oneof(fc.constantFrom(1, 999, 1_000, 1_999, 12_345, 100_000), fc.integer({ min: 1, max: 250_000 }))
/** Waits around the edges of banking days, weekends, months and the change to daylight saving time. */
const waits = { PT1H: '1 hour', PT6H: '6 hours', P1D: '1 day', P2D: '2 days', P7D: '7 days', P31D: '31 days' }
/** Reasons for which a bank returns a credit by the second banking day. */
const returnCodes = ['R02', 'R03', 'R04', 'R16', 'R20']
/** The outcomes of applications, by the number that asks for each. */
const applicants = { '000000001': 'Denied', '000000002': 'Approved', '000000003': 'Awaiting', '000000004': 'Review' }
const DAY_MS = 24 * 3_600_000

/** The steps of the bank, its other customers, other banks, merchants and the network. */
const bankSteps = {
  wait: kind(8, { by: fc.constantFrom(...keysOf(waits)) }, async ({ by }, { purser, now, end }) => {
    const [, days = 0, hours = 0] = /^P(?:(\d+)D)?(?:T(\d+)H)?$/.exec(by) ?? []
    if (Date.parse(now) + (Number(days) * 24 + Number(hours)) * 3_600_000 > Date.parse(end)) return undefined
    await purser.sandbox.clock.advance({ by })
    return `bank time moves by ${waits[by]}`
  }),
  waitForNext: kind(4, {}, async (_step, { purser, now, end }) => {
    const next = (await purser.sandbox.clock.get()).upcoming.find(({ at }) => at > now)
    if (!next || next.at > end) return undefined
    await purser.sandbox.clock.advance({ to: next.at })
    return `bank time moves to the next thing that is due: ${next.type} ${next.id}`
  }),
  holdWebhooks: kind(4, { events: fc.integer({ min: 1, max: 4 }) }, async ({ events }, { post }) => {
    post.hold(events)
    return `the next ${events} webhooks come late`
  }),
  duplicateWebhooks: kind(4, { events: fc.constantFrom(1, 10) }, async ({ events }, { post }) => {
    post.duplicate(events)
    return `the next ${events} webhooks come twice`
  }),
  // Most clients try again by themselves: only an outage that lasts longer than their tries is seen by the app. The first try may have
  // been carried out nevertheless.
  breakRequests: kind(
    16,
    {
      fault: fc.constantFrom(...networkFaults),
      next: fc.constantFrom('rateLimited' as const, 'unavailable' as const, 'lostRequest' as const),
      times: fc.constantFrom(1, 3, 6),
    },
    async ({ fault, next, times }, { network }) => {
      network.arm(fault, ...Array<NetworkFault>(times - 1).fill(next))
      const first = `the next request of the app for a change ${faultInWords(fault)}`
      return times === 1 || fault === 'slow'
        ? first
        : `${first}; each of the ${times - 1} after it ${faultInWords(next)}`
    },
  ),
  apply: kind(2, { ssn: fc.constantFrom(...keysOf(applicants)) }, async ({ ssn }, { purser }) => {
    const address = { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }
    const person = { name: 'Cy Example', dateOfBirth: '1990-01-31', email: 'cy@example.com', phone: '+12175550100' }
    const { id, status, customerId } = await purser.applications.create({ ...person, ssn, address })
    if (customerId) await purser.accounts.create({ customerId })
    return `somebody applies for an account: application ${id} is ${status}`
  }),
  decide: kind(3, { which, approved: fc.boolean() }, async ({ which: at, approved }, { purser, reviewer }) => {
    const [applications, payments] = await Promise.all([
      purser.applications.list({ limit: 50 }).page(),
      purser.payments.list({ limit: 50, status: ['PendingReview'] }).page(),
    ])
    const open = applications.data.filter(({ status }) => /AwaitingDocuments|PendingReview/.test(status))
    const verb = approved ? 'approve' : 'reject'
    const payment = (id: string) => reviewer.reviewPayments[verb](id, { reason: 'looked at' })
    const application = (id: string) => purser.sandbox.applications[approved ? 'approve' : 'deny'](id)
    const chosen = pick(
      [
        ...payments.data.map(({ id }) => ({ name: `payment ${id}`, decide: () => payment(id) })),
        ...open.map(({ id }) => ({ name: `application ${id}`, decide: () => application(id) })),
      ],
      at,
    )
    await chosen?.decide()
    return chosen && `the bank ${verb}s ${chosen.name}`
  }),
  receive: kind(3, { which, amount }, async ({ which: at, amount: cents }, { purser }) => {
    const account = await accountAt(purser, at)
    if (!account) return undefined
    await purser.sandbox.accounts.receiveAch(account.id, { amount: cents, companyName: 'Employer' })
    return `account ${account.id} receives ${dollars(cents)}`
  }),
  debit: kind(1, { which, amount }, async ({ which: at, amount: cents }, { purser }) => {
    const account = await accountAt(purser, at)
    if (!account) return undefined
    const debit = { amount: cents, companyName: 'Utility', direction: 'Debit' } as const
    await purser.sandbox.accounts.receiveAch(account.id, debit)
    return `another company takes ${dollars(cents)} from account ${account.id}`
  }),
  return: kind(
    6,
    { which, code: fc.constantFrom(...returnCodes), lastDay: fc.boolean() },
    async ({ which: at, code, lastDay }, { purser, now, end }) => {
      const { data } = await purser.payments.list({ limit: 50, status: ['Sent'] }).page()
      const inTime = data.filter((each) => each.type === 'achPayment' && now <= lastReturn(each))
      const payment = pick(inTime, at)
      if (!payment) return undefined
      const last = lastReturn(payment)
      const waits = lastDay && now < last && last <= end
      if (waits) await purser.sandbox.clock.advance({ to: last })
      await purser.sandbox.payments.return(payment.id, { returnCode: code })
      return `the other bank returns payment ${payment.id} with ${code}${waits ? ', on the last day on which it may' : ''}`
    },
  ),
  buy: kind(
    6,
    { which, amount, offer: fc.constantFrom(true, true, false), settles: fc.boolean() },
    async ({ which: at, amount: cents, offer, settles }, { purser, customers }) => {
      const customer = pick(customers, at)
      if (!customer) return undefined
      const { cardId, partnerUserId } = customer
      const { nationalRewardOffers } = await purser.offers.listNational({ userId: String(partnerUserId), page: 0 })
      const name = (offer ? pick(nationalRewardOffers, at)?.merchant.name : undefined) ?? 'Corner Shop'
      const { authorizations } = purser.sandbox
      const merchant = { name, category: 'Groceries', location: 'Springfield, IL' }
      const { id, status } = await authorizations.create(cardId, { amount: cents, merchant })
      const takes = settles && status === 'Authorized'
      if (takes) await authorizations.settle(id)
      const taken = takes ? ', and the merchant takes the money' : ''
      return `card ${cardId} buys for ${dollars(cents)} at ${name}: authorization ${id} is ${status}${taken}`
    },
  ),
  settle: kind(4, { which, part: fc.constantFrom(100, 50, 33, 110) }, async ({ which: at, part }, { purser }) => {
    const open = await authorizationAt(purser, at, 'Authorized')
    if (!open) return undefined
    const cents = Math.max(1, Math.floor((open.amount * part) / 100))
    await purser.sandbox.authorizations.settle(open.id, { amount: cents, final: part >= 50 })
    return `the merchant takes ${dollars(cents)} for authorization ${open.id}`
  }),
  refund: kind(5, { which, part: fc.constantFrom(100, 50, 33) }, async ({ which: at, part }, { purser }) => {
    const completed = await authorizationAt(purser, at, 'Completed')
    if (!completed) return undefined
    const cents = Math.max(1, Math.floor((completed.amount * part) / 100))
    await purser.sandbox.authorizations.refund(completed.id, { amount: cents })
    return `the merchant refunds ${dollars(cents)} of authorization ${completed.id}`
  }),
  reverse: kind(1, { which }, async ({ which: at }, { purser }) => {
    const open = await authorizationAt(purser, at, 'Authorized')
    if (!open) return undefined
    await purser.sandbox.authorizations.reverse(open.id)
    return `the merchant gives up authorization ${open.id}`
  }),
  freeze: accountKind(3, 'freezes', 'Open', ({ accounts }, id) => accounts.freeze(id)),
  unfreeze: accountKind(3, 'unfreezes', 'Frozen', ({ accounts }, id) => accounts.unfreeze(id)),
  close: accountKind(1, 'closes', 'Open', ({ accounts }, id) => accounts.close(id, { reason: 'ByCustomer' })),
  freezeCard: cardKind('freezes', ({ cards }, id) => cards.freeze(id)),
  unfreezeCard: cardKind('unfreezes', ({ cards }, id) => cards.unfreeze(id)),
  closeCard: cardKind('closes', ({ cards }, id) => cards.close(id)),
}

type BankSteps = typeof bankSteps
type BankStep = {
  [Name in keyof BankSteps]: { do: Name } & (BankSteps[Name] extends Kind<infer Members> ? Members : never)
}[keyof BankSteps]

/** One step of a life. Plain data: it comes from the seed alone, is printed, stored and replayed. */
export type Step =
  | { do: 'act'; action: string; customer: number; number: number; amount: number }
  | { do: 'look' }
  | { do: 'restart' }
  | { do: 'rotate'; late: boolean }
  | BankStep

function accountKind(
  weight: number,
  verb: string,
  status: 'Open' | 'Frozen',
  change: (purser: Purser, accountId: string) => PromiseLike<unknown>,
): Kind<{ which: number }> {
  return kind(weight, { which }, async ({ which: at }, { purser }) => {
    const account = await accountAt(purser, at, status)
    if (!account) return undefined
    await change(purser, account.id)
    return `the bank ${verb} account ${account.id}`
  })
}

function cardKind(
  verb: string,
  change: (purser: Purser, cardId: string) => PromiseLike<unknown>,
): Kind<{ which: number }> {
  return kind(1, { which }, async ({ which: at }, { purser, customers }) => {
    const cardId = pick(customers, at)?.cardId
    if (cardId === undefined) return undefined
    await change(purser, cardId)
    return `the holder ${verb} card ${cardId}`
  })
}

/** The steps of a life with these actions of the app. */
export function drawSteps(actions: string[], most: number): fc.Arbitrary<Step[]> {
  const draw = (name: string, members: object) => fc.record({ do: fc.constant(name), ...members })
  const act = { action: fc.constantFrom(...actions), customer: fc.nat({ max: 1 }), number: fc.nat({ max: 3 }), amount }
  const all = fc.oneof(
    { weight: 36, arbitrary: draw('act', act) },
    { weight: 3, arbitrary: draw('look', {}) },
    { weight: 2, arbitrary: draw('restart', {}) },
    { weight: 2, arbitrary: draw('rotate', { late: fc.boolean() }) },
    ...Object.entries(bankSteps).map(([name, { weight, members }]) => ({ weight, arbitrary: draw(name, members) })),
  )
  // A short life costs nearly as much as a long one: its bank is new.
  const minLength = Math.floor(most / 3)
  return fc.array(all as fc.Arbitrary<Step>, { minLength, maxLength: most, size: 'max' })
}

/** Does a step of the bank. A refusal belongs to bank life: it is part of the story. */
export async function doBankStep(one: BankStep, parts: StepParts): Promise<string | undefined> {
  const kind = bankSteps[one.do] as Pick<Kind<BankStep>, 'run'> | undefined
  if (!kind) throw new Error(`the storm has no step "${one.do}"`)
  try {
    return await kind.run(one, parts)
  } catch (error) {
    // A request that is malformed is a fault of the storm.
    if (isProblem(error) && error.status < 500 && error.status !== 400)
      return `the bank refuses to ${one.do} with ${error.code}`
    throw error
  }
}

/** The record at a drawn place, of those that there are. */
export function pick<Item>(items: readonly Item[], at: number): Item | undefined {
  return items[at % Math.max(1, items.length)]
}

/**
 * The opening of the second weekday after the settlement: until then a bank may return a credit. Holidays may make it later, and
 * never earlier.
 */
function lastReturn({ settlementDate, createdAt }: { settlementDate?: string; createdAt: string }): string {
  let day = Date.parse(settlementDate ?? createdAt.slice(0, 10))
  for (let left = 2; left > 0; ) {
    day += DAY_MS
    if (new Date(day).getUTCDay() % 6 !== 0) left--
  }
  return `${new Date(day).toISOString().slice(0, 10)}T12:30:00.000Z`
}

async function accountAt(purser: Purser, at: number, status?: 'Open' | 'Frozen'): Promise<{ id: string } | undefined> {
  const { data } = await purser.accounts.list({ limit: 50, sort: 'createdAt', ...(status && { status }) }).page()
  return pick(data, at)
}

async function authorizationAt(
  purser: Purser,
  at: number,
  status: string,
): Promise<{ id: string; amount: number } | undefined> {
  const latest = new Map<string, { id: string; amount: number; status: string }>()
  for await (const { data } of purser.events.list({ type: ['authorization.*'], limit: 1_000 })) {
    const authorization = data as { id: string; amount: number; status: string }
    latest.set(authorization.id, authorization)
  }
  const found = [...latest.values()].filter((each) => each.status === status)
  return pick(found, at)
}

function keysOf<Key extends string>(record: Record<Key, unknown>): Key[] {
  return Object.keys(record) as Key[]
}
