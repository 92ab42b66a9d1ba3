import * as fc from 'fast-check'
import { isProblem, type Purser } from '../client/src/index.ts'
import { dollars } from '../ground/text.ts'
import { faultInWords, type Network, networkFaults } from './network.ts'
import type { Post } from './post.ts'
import type { Step, StormCustomer } from './step.ts'

type StepOf<Name extends Step['do']> = Extract<Step, { do: Name }>

/** The parts of a life that the bank's steps work with. */
export interface StepParts {
  purser: Purser
  network: Network
  post: Post
  customers: StormCustomer[]
}

interface Kind<Name extends Step['do']> {
  /** How often it is drawn, compared with the others. */
  weight: number
  draw: fc.Arbitrary<StepOf<Name>>
  /** The step in words, after it was done. Undefined if there is nothing that it could be done to. */
  run(step: StepOf<Name>, parts: StepParts): Promise<string | undefined>
}

const which = fc.nat({ max: 5 })
const amount = fc.oneof(fc.constantFrom(1, 999, 1_000, 1_999, 12_345, 100_000), fc.integer({ min: 1, max: 250_000 }))
/** Waits around the edges of banking days, weekends, months and the change to daylight saving time. */
const waits = ['PT1H', 'PT6H', 'P1D', 'P2D', 'P3D', 'P7D', 'P31D']
/** Reasons for which a bank returns a credit. */
const returnCodes = ['R01', 'R02', 'R03', 'R04', 'R16', 'R20']

const step = <Name extends Step['do']>(name: Name, members: Record<string, fc.Arbitrary<unknown>> = {}) =>
  fc.record({ do: fc.constant(name), ...members }) as unknown as fc.Arbitrary<StepOf<Name>>

/** The steps of the bank, its other customers, other banks, merchants and the network. */
const bankSteps: { [Name in Exclude<Step['do'], 'act' | 'look' | 'restart' | 'rotate'>]: Kind<Name> } = {
  wait: {
    weight: 8,
    draw: step('wait', { by: fc.constantFrom(...waits) }),
    run: async ({ by }, { purser }) => {
      const { now } = await purser.sandbox.clock.advance({ by })
      return `bank time moves by ${waitInWords(by)}, to ${now}`
    },
  },
  waitForNext: {
    weight: 4,
    draw: step('waitForNext'),
    run: async (_step, { purser }) => {
      const { now, happened } = await purser.sandbox.clock.advance({ to: 'next' })
      return `bank time moves to the next thing that is due, ${now}: ${happened.length} happened`
    },
  },
  holdWebhooks: {
    weight: 4,
    draw: step('holdWebhooks', { events: fc.integer({ min: 1, max: 4 }) }),
    run: async ({ events }, { post }) => {
      post.hold(events)
      return `the next ${events} webhooks come late`
    },
  },
  duplicateWebhooks: {
    weight: 4,
    draw: step('duplicateWebhooks', { events: fc.integer({ min: 1, max: 4 }) }),
    run: async ({ events }, { post }) => {
      post.duplicate(events)
      return `the next ${events} webhooks come twice`
    },
  },
  breakRequests: {
    weight: 8,
    // Most clients try again by themselves: only an outage that lasts longer than their tries is seen by the app.
    draw: step('breakRequests', { fault: fc.constantFrom(...networkFaults), times: fc.constantFrom(1, 6) }),
    run: async ({ fault, times }, { network }) => {
      for (let time = 0; time < times; time++) network.arm(fault)
      const next = times === 1 ? 'the next change' : `each of the next ${times} changes`
      return `${next} that the app asks for ${faultInWords(fault)}`
    },
  },
  receive: {
    weight: 3,
    draw: step('receive', { which, amount }),
    run: async ({ which: at, amount: cents }, { purser }) => {
      const account = await accountAt(purser, at)
      if (!account) return undefined
      await purser.sandbox.accounts.receiveAch(account.id, { amount: cents, companyName: 'Employer' })
      return `account ${account.id} receives ${dollars(cents)}`
    },
  },
  debit: {
    weight: 1,
    draw: step('debit', { which, amount }),
    run: async ({ which: at, amount: cents }, { purser }) => {
      const account = await accountAt(purser, at)
      if (!account) return undefined
      const debit = { amount: cents, companyName: 'Utility', direction: 'Debit' } as const
      await purser.sandbox.accounts.receiveAch(account.id, debit)
      return `another company takes ${dollars(cents)} from account ${account.id}`
    },
  },
  return: {
    weight: 6,
    draw: step('return', { which, code: fc.constantFrom(...returnCodes), late: fc.boolean() }),
    run: async ({ which: at, code, late }, { purser }) => {
      const { data } = await purser.payments.list({ limit: 50, status: ['Sent'] }).page()
      const payment = pick(data, at)
      if (!payment) return undefined
      if (late) await purser.sandbox.clock.advance({ by: 'P2D' })
      await purser.sandbox.payments.return(payment.id, { returnCode: code })
      return `the other bank returns payment ${payment.id} with ${code}${late ? ', two days later' : ''}`
    },
  },
  buy: {
    weight: 3,
    draw: step('buy', { which, amount }),
    run: async ({ which: at, amount: cents }, { purser, customers }) => {
      const cardId = pick(customers, at)?.cardId
      if (cardId === undefined) return undefined
      const merchant = { name: 'Corner Shop', category: 'Groceries', location: 'Springfield, IL' }
      const { id, status } = await purser.sandbox.authorizations.create(cardId, { amount: cents, merchant })
      return `card ${cardId} buys for ${dollars(cents)}: authorization ${id} is ${status}`
    },
  },
  settle: {
    weight: 3,
    draw: step('settle', { which, part: fc.constantFrom(100, 50, 33, 110) }),
    run: async ({ which: at, part }, { purser }) => {
      const open = await authorizationAt(purser, at, 'Authorized')
      if (!open) return undefined
      const cents = Math.max(1, Math.floor((open.amount * part) / 100))
      await purser.sandbox.authorizations.settle(open.id, { amount: cents, final: part >= 50 })
      return `the merchant takes ${dollars(cents)} for authorization ${open.id}`
    },
  },
  refund: {
    weight: 2,
    draw: step('refund', { which, part: fc.constantFrom(100, 50, 33) }),
    run: async ({ which: at, part }, { purser }) => {
      const completed = await authorizationAt(purser, at, 'Completed')
      if (!completed) return undefined
      const cents = Math.max(1, Math.floor((completed.amount * part) / 100))
      await purser.sandbox.authorizations.refund(completed.id, { amount: cents })
      return `the merchant refunds ${dollars(cents)} of authorization ${completed.id}`
    },
  },
  reverse: {
    weight: 1,
    draw: step('reverse', { which }),
    run: async ({ which: at }, { purser }) => {
      const open = await authorizationAt(purser, at, 'Authorized')
      if (!open) return undefined
      await purser.sandbox.authorizations.reverse(open.id)
      return `the merchant gives up authorization ${open.id}`
    },
  },
  freeze: accountStep('freeze', 2, 'Open', (purser, id) => purser.accounts.freeze(id)),
  unfreeze: accountStep('unfreeze', 2, 'Frozen', (purser, id) => purser.accounts.unfreeze(id)),
  close: accountStep('close', 1, 'Open', (purser, id) => purser.accounts.close(id, { reason: 'ByCustomer' })),
  closeCard: cardStep('closeCard', 'closes', (purser, id) => purser.cards.close(id)),
  freezeCard: cardStep('freezeCard', 'freezes', (purser, id) => purser.cards.freeze(id)),
}

function accountStep<Name extends 'freeze' | 'unfreeze' | 'close'>(
  name: Name,
  weight: number,
  status: 'Open' | 'Frozen',
  change: (purser: Purser, accountId: string) => PromiseLike<unknown>,
): Kind<Name> {
  return {
    weight,
    draw: step(name, { which }),
    run: async (one, { purser }) => {
      const { which: at } = one as { which: number }
      const { data } = await purser.accounts.list({ limit: 50, status }).page()
      const account = pick(data, at)
      if (!account) return undefined
      await change(purser, account.id)
      return `the bank ${name}s account ${account.id}`
    },
  }
}

function cardStep<Name extends 'closeCard' | 'freezeCard'>(
  name: Name,
  verb: string,
  change: (purser: Purser, cardId: string) => PromiseLike<unknown>,
): Kind<Name> {
  return {
    weight: 1,
    draw: step(name, { which }),
    run: async (one, { purser, customers }) => {
      const { which: at } = one as { which: number }
      const cardId = pick(customers, at)?.cardId
      if (cardId === undefined) return undefined
      await change(purser, cardId)
      return `the holder ${verb} card ${cardId}`
    },
  }
}

/** The steps of a life with these actions of the app. */
export function drawSteps(actions: string[], most: number): fc.Arbitrary<Step[]> {
  const act = step('act', {
    action: fc.constantFrom(...actions),
    customer: fc.nat({ max: 1 }),
    number: fc.nat({ max: 3 }),
    amount,
  })
  const others = Object.values(bankSteps).map(({ weight, draw }) => ({ weight, arbitrary: draw as fc.Arbitrary<Step> }))
  const all = fc.oneof(
    { weight: 24, arbitrary: act },
    { weight: 3, arbitrary: step('look') },
    { weight: 2, arbitrary: step('restart') },
    { weight: 1, arbitrary: step('rotate') },
    ...others,
  )
  return fc.array(all, { maxLength: most, size: 'max' })
}

/** Does a step of the bank. A refusal belongs to bank life: it is part of the story. */
export async function doBankStep(one: Step, parts: StepParts): Promise<string | undefined> {
  const kind = bankSteps[one.do as keyof typeof bankSteps] as unknown as Kind<Step['do']>
  try {
    return await kind.run(one as never, parts)
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

async function accountAt(purser: Purser, at: number): Promise<{ id: string } | undefined> {
  const { data } = await purser.accounts.list({ limit: 50, sort: 'createdAt' }).page()
  return pick(data, at)
}

async function authorizationAt(
  purser: Purser,
  at: number,
  status: string,
): Promise<{ id: string; amount: number } | undefined> {
  const { data } = await purser.events.list({ type: ['authorization.created'], limit: 50 }).page()
  const all = await Promise.all(data.map(({ data: { id } }) => purser.authorizations.get(String(id))))
  return pick(
    all.filter((each) => each.status === status),
    at,
  )
}

function waitInWords(by: string): string {
  const [, days, hours] = /^P(?:(\d+)D)?(?:T(\d+)H)?$/.exec(by) ?? []
  const counted = (count: string, unit: string) => `${count} ${unit}${count === '1' ? '' : 's'}`
  return days ? counted(days, 'day') : counted(hours ?? '0', 'hour')
}
