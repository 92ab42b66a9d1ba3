import * as fc from 'fast-check'
import { isProblem } from '../client/src/index.ts'
import { dollars } from '../ground/text.ts'
import { faults, type Network, type NetworkFault } from './network.ts'
import type { Organisation } from './organisation.ts'
import type { Post } from './post.ts'
import type { PlainStep } from './step.ts'

/** The parts of a life that the steps of the bank work with. */
export interface Parts extends Organisation {
  network: Network
  post: Post
  /** The bank time at which the life is over. */
  end: string
}

/** A step in words; undefined if there was nothing that it could be done to. */
type Words = Promise<string | undefined>
type Drawn<Members> = { [Name in keyof Members]: fc.Arbitrary<Members[Name]> }

/** A kind of steps. */
interface Kind {
  /** How often it is drawn, compared with the others. */
  weight: number
  /** The members of a step, which are drawn from the seed alone. */
  members: Drawn<Record<string, unknown>>
  run(step: PlainStep, parts: Parts): Words
}

function kind<Members>(weight: number, members: Drawn<Members>, run: (step: Members, parts: Parts) => Words): Kind {
  return { weight, members, run: run as Kind['run'] }
}

/** A kind of steps that are done to one of several records. */
function kindOn<Item, Members>(
  weight: number,
  find: (parts: Parts, step: Members) => Promise<Item[]>,
  members: Drawn<Members>,
  run: (item: Item, step: Members, parts: Parts) => Words,
): Kind {
  return kind<object>(weight, { which, ...members }, async (step, parts) => {
    const item = pick(await find(parts, step as Members), (step as { which: number }).which)
    return item && run(item, step as Members, parts)
  })
}

const which = fc.nat({ max: 5 })
const amount = fc.oneof(fc.constantFrom(1, 999, 1_000, 1_999, 12_345, 100_000), fc.integer({ min: 1, max: 250_000 }))
const decision = fc.constantFrom('approve' as const, 'reject' as const)
const change = fc.constantFrom('freeze' as const, 'unfreeze' as const)
/** Waits around the edges of banking days, weekends, months and the change to daylight saving time. */
const waits = { PT1H: '1 hour', PT6H: '6 hours', P1D: '1 day', P2D: '2 days', P7D: '7 days', P31D: '31 days' }
/** Reasons for which a bank returns a payment by the second banking day. */
const returnCodes = ['R02', 'R03', 'R04', 'R16', 'R20']
/** Numbers of applicants who are denied, approved, asked for documents and reviewed. */
const applicants = ['000000001', '000000002', '000000003', '000000004']
const DAY_MS = 24 * 3_600_000

/**
 * Faults of the next requests, which are lost, refused, or answered late. Most clients try again by themselves: only an outage that
 * lasts longer than their tries is seen by the app. The first try may have been carried out nevertheless.
 */
const outage = fc
  .record({
    first: fc.constantFrom(...keysOf(faults).filter((name) => name !== 'inProgress')),
    next: fc.constantFrom<NetworkFault>('rateLimited', 'unavailable', 'lostRequest'),
    times: fc.constantFrom(0, 2, 5),
  })
  .map(({ first, next, times }): NetworkFault[] =>
    first === 'slow' ? [first, ...many<NetworkFault>('inProgress', times + 1)] : [first, ...many(next, times)],
  )

/** The steps of the bank, its other customers, other banks, merchants and the network. */
const bankSteps: Record<string, Kind> = {
  wait: kind(8, { by: fc.constantFrom(...keysOf(waits)) }, async ({ by }, { purser, post, end }) => {
    const [, days = 0, hours = 0] = /^P(?:(\d+)D)?(?:T(\d+)H)?$/.exec(by) ?? []
    if (Date.parse(post.now) + (Number(days) * 24 + Number(hours)) * 3_600_000 > Date.parse(end)) return undefined
    await purser.sandbox.clock.advance({ by })
    return `bank time moves by ${waits[by]}`
  }),
  waitForNext: kind(4, {}, async (_step, { purser, post, end }) => {
    const next = (await purser.sandbox.clock.get()).upcoming.find(({ at }) => at > post.now)
    if (!next || next.at > end) return undefined
    await purser.sandbox.clock.advance({ to: next.at })
    return `bank time moves to the next thing that is due: ${next.type} ${next.id}`
  }),
  holdWebhooks: kind(4, { events: fc.integer({ min: 1, max: 4 }) }, async ({ events }, { post }) => {
    post.hold(events)
    return `the next ${events} webhooks come late`
  }),
  duplicateWebhooks: kind(4, { events: fc.constantFrom(5, 10) }, async ({ events }, { post }) => {
    post.duplicate(events)
    return `the next ${events} webhooks come twice`
  }),
  rotateSecret: kind(2, {}, async (_step, { post }) => {
    if (post.isSecretMissing) return undefined
    post.rotate()
    return 'the webhook secret is rotated; the app gets the new one with its next start'
  }),
  breakRequests: kind(16, { outage }, async ({ outage: [first = 'slow', ...rest] }, { network }) => {
    network.arm(first, ...rest)
    const later = rest[0] ? `; each of the ${rest.length} after it ${faults[rest[0]].words}` : ''
    return `the next request of the app for a change ${faults[first].words}${later}`
  }),
  apply: kind(2, { ssn: fc.constantFrom(...applicants) }, async ({ ssn }, { purser }) => {
    const address = { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }
    const person = { name: 'Cy Example', dateOfBirth: '1990-01-31', email: 'cy@example.com', phone: '+12175550100' }
    const { id, status, customerId } = await purser.applications.create({ ...person, ssn, address })
    if (customerId) await purser.accounts.create({ customerId })
    return `somebody applies for an account: application ${id} is ${status}`
  }),
  decideApplication: kindOn(2, openApplications, { decision }, async ({ id }, { decision }, { purser }) => {
    await purser.sandbox.applications[decision === 'approve' ? 'approve' : 'deny'](id)
    return `the bank decides to ${decision} application ${id}`
  }),
  decidePayment: kindOn(2, paymentsInReview, { decision }, async ({ id }, { decision }, { reviewer }) => {
    await reviewer.reviewPayments[decision](id, { reason: 'looked at' })
    return `the bank decides to ${decision} payment ${id}`
  }),
  receive: kindOn(3, accounts(), { amount }, async ({ id }, { amount }, { purser }) => {
    await purser.sandbox.accounts.receiveAch(id, { amount, companyName: 'Employer' })
    return `account ${id} receives ${dollars(amount)}`
  }),
  debit: kindOn(1, accounts(), { amount }, async ({ id }, { amount }, { purser }) => {
    await purser.sandbox.accounts.receiveAch(id, { amount, companyName: 'Utility', direction: 'Debit' })
    return `another company takes ${dollars(amount)} from account ${id}`
  }),
  return: kindOn(
    6,
    returnable,
    { code: fc.constantFrom(...returnCodes), lastDay: fc.boolean() },
    async ({ id, returnCode, last }, { lastDay }, { purser, post, end }) => {
      const waits = lastDay && post.now < last && last <= end
      if (waits) await purser.sandbox.clock.advance({ to: last })
      await purser.sandbox.payments.return(id, { returnCode })
      const when = waits ? `, on ${last.slice(0, 10)}, the last day on which it may` : ''
      return `the other bank returns payment ${id} with ${returnCode}${when}`
    },
  ),
  buy: kindOn(
    9,
    everyCustomer,
    { amount, offer: fc.option(which, { freq: 2 }), settles: fc.boolean() },
    async ({ cardId, partnerUserId }, { amount, offer, settles }, { purser }) => {
      const { nationalRewardOffers } = await purser.offers.listNational({ userId: String(partnerUserId), page: 0 })
      const name = (offer !== null && pick(nationalRewardOffers, offer)?.merchant.name) || 'Corner Shop'
      const { authorizations } = purser.sandbox
      const merchant = { name, category: 'Groceries', location: 'Springfield, IL' }
      const { id, status } = await authorizations.create(cardId, { amount, merchant })
      const takes = settles && status === 'Authorized'
      if (takes) await authorizations.settle(id)
      const taken = takes ? ', and the merchant takes the money' : ''
      return `card ${cardId} buys for ${dollars(amount)} at ${name}: authorization ${id} is ${status}${taken}`
    },
  ),
  settle: kindOn(
    4,
    authorizations('Authorized'),
    { part: fc.constantFrom(100, 50, 33, 110) },
    async (open, step, parts) => {
      const amount = partOf(open.amount, step.part)
      await parts.purser.sandbox.authorizations.settle(open.id, { amount, final: step.part >= 50 })
      return `the merchant takes ${dollars(amount)} for authorization ${open.id}`
    },
  ),
  refund: kindOn(
    8,
    authorizations('Completed'),
    { part: fc.constantFrom(100, 50, 33) },
    async (settled, step, parts) => {
      const amount = partOf(settled.amount, step.part)
      await parts.purser.sandbox.authorizations.refund(settled.id, { amount })
      return `the merchant refunds ${dollars(amount)} of authorization ${settled.id}`
    },
  ),
  reverse: kindOn(1, authorizations('Authorized'), {}, async ({ id }, _step, { purser }) => {
    await purser.sandbox.authorizations.reverse(id)
    return `the merchant gives up authorization ${id}`
  }),
  // The second freeze of an account finds an app that takes its event for the first one, come again.
  freeze: kindOn(6, accounts(), { times: fc.constantFrom(1, 1, 3) }, async ({ id, status }, { times }, { purser }) => {
    if (status === 'Closed') return undefined
    const [change, back] = status === 'Frozen' ? (['unfreeze', 'freeze'] as const) : (['freeze', 'unfreeze'] as const)
    const changes = [change, back, change].slice(0, times)
    for (const each of changes) await purser.accounts[each](id)
    return `the bank ${changes.map((each) => `${each}s`).join(', ')} account ${id}`
  }),
  close: kindOn(1, accounts('Open'), {}, async ({ id }, _step, { purser }) => {
    await purser.accounts.close(id, { reason: 'ByCustomer' })
    return `the bank closes account ${id}`
  }),
  freezeCard: kindOn(2, everyCustomer, { change }, async ({ cardId }, { change }, { purser }) => {
    await purser.cards[change](cardId)
    return `the holder ${change}s card ${cardId}`
  }),
  closeCard: kindOn(1, everyCustomer, {}, async ({ cardId }, _step, { purser }) => {
    await purser.cards.close(cardId)
    return `the holder closes card ${cardId}`
  }),
}

/** The steps of a life with these actions of the app. */
export function drawSteps(actions: string[], most: number): fc.Arbitrary<PlainStep[]> {
  const act = { action: fc.constantFrom(...actions), customer: fc.nat({ max: 1 }), number: fc.nat({ max: 3 }), amount }
  const kinds = {
    act: { weight: 36, members: act },
    look: { weight: 3, members: {} },
    restart: { weight: 2, members: {} },
    ...bankSteps,
  }
  const drawn = Object.entries(kinds).map(([name, { weight, members }]) => ({
    weight,
    arbitrary: fc.record({ do: fc.constant(name), ...members }),
  }))
  // A short life costs nearly as much as a long one: its bank is new.
  return fc.array(fc.oneof(...drawn), { minLength: Math.floor(most / 3), maxLength: most, size: 'max' })
}

/** Does a step of the bank. A refusal belongs to bank life: it is part of the story. */
export async function doBankStep(step: PlainStep, parts: Parts): Words {
  const kind = bankSteps[step.do]
  if (!kind) throw new Error(`the storm has no step "${step.do}"`)
  try {
    return await kind.run(step, parts)
  } catch (error) {
    // A request that is malformed is a fault of the storm.
    if (isProblem(error) && error.status < 500 && error.status !== 400)
      return `the bank refuses "${step.do}" with ${error.code}`
    throw error
  }
}

/** The record at a drawn place, of those that there are. */
export function pick<Item>(items: readonly Item[], at: number): Item | undefined {
  return items[at % Math.max(1, items.length)]
}

function accounts(status?: 'Open') {
  const query = { limit: 50, sort: 'createdAt', ...(status && { status }) } as const
  return async ({ purser }: Parts) => (await purser.accounts.list(query).page()).data
}

function authorizations(status: string) {
  return async ({ purser }: Parts) => {
    const latest = new Map<string, { id: string; amount: number; status: string }>()
    for await (const { data } of purser.events.list({ type: ['authorization.*'], limit: 1_000 })) {
      const authorization = data as { id: string; amount: number; status: string }
      latest.set(authorization.id, authorization)
    }
    return [...latest.values()].filter((each) => each.status === status)
  }
}

async function everyCustomer({ customers }: Parts) {
  return customers
}

async function openApplications({ purser }: Parts) {
  const { data } = await purser.applications.list({ limit: 50 }).page()
  return data.filter(({ status }) => status === 'AwaitingDocuments' || status === 'PendingReview')
}

async function paymentsInReview({ purser }: Parts) {
  return (await purser.payments.list({ limit: 50, status: ['PendingReview'] }).page()).data
}

/** Payments that the other bank may still return, each with the code and the last time for it. */
async function returnable({ purser, post }: Parts, { code, lastDay }: { code: string; lastDay: boolean }) {
  const { data } = await purser.payments.list({ limit: 50, status: ['Clearing', 'Sent'] }).page()
  const settled = data.filter(({ status, settlementDate }) => status === 'Sent' || settlementDate !== undefined)
  return settled.flatMap(({ id, type, direction, settlementDate, createdAt }) => {
    const day = Date.parse(settlementDate ?? createdAt.slice(0, 10))
    // The holder of an account has 60 days to say that a debit was not authorized.
    const isUnauthorized = direction === 'Debit' && lastDay
    const end = new Date(isUnauthorized ? day + 60 * DAY_MS : secondWeekdayAfter(day)).toISOString()
    const last = end.replace('T00:00', 'T12:30')
    return type === 'achPayment' && post.now <= last ? [{ id, last, returnCode: isUnauthorized ? 'R10' : code }] : []
  })
}

/** The day at whose opening the time for most returns ends. Holidays may make it later, and never earlier. */
function secondWeekdayAfter(settled: number): number {
  let day = settled
  for (let left = 2; left > 0; ) {
    day += DAY_MS
    if (new Date(day).getUTCDay() % 6 !== 0) left--
  }
  return day
}

function partOf(amount: number, percent: number): number {
  return Math.max(1, Math.floor((amount * percent) / 100))
}

function many<Item>(item: Item, times: number): Item[] {
  return Array.from({ length: times }, () => item)
}

function keysOf<Key extends string>(record: Record<Key, unknown>): Key[] {
  return Object.keys(record) as Key[]
}
