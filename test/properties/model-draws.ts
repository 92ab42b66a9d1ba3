import fc from 'fast-check'
import type { Amount, Order, Time } from './model-orders.ts'
import { anyOpening, anyReview } from './model-reviews.ts'

/** Four accounts at the beginning, and some that are opened. */
const ACCOUNTS = 6
const EXTERNALS = 8

const amount: fc.Arbitrary<Amount> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ more: fc.integer({ min: -1, max: 1 }) }) },
  { weight: 3, arbitrary: fc.record({ cents: fc.integer({ min: 1, max: 150 }) }) },
)
const account = fc.nat({ max: ACCOUNTS - 1 })
const external = fc.nat({ max: EXTERNALS - 1 })
const card = fc.nat({ max: 4 })
const authorization = fc.oneof(fc.constant(-1), fc.integer({ min: -5, max: -1 }))
const key = fc.option(fc.nat({ max: 9 }), { nil: undefined, freq: 1 })
const whatIsThere = fc.option(amount, { nil: undefined, freq: 2 })
const ms = fc.integer({ min: -1, max: 1 })
const to: fc.Arbitrary<Time> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ hours: fc.integer({ min: 1, max: 200 }) }) },
  { weight: 3, arbitrary: fc.record({ expiryOf: authorization, ms }) },
  { weight: 2, arbitrary: fc.record({ monthEnd: fc.constant(true as const), ms }) },
  // Back, over several months, and further than one call goes.
  { weight: 1, arbitrary: fc.record({ hours: fc.constantFrom(-1, 24 * 70, 24 * 401) }) },
)

const cents = fc.nat({ max: 400 })
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 })
/** Members that are undefined are left out, as in a request. */
const compact = <T>(limits: T): T => JSON.parse(JSON.stringify(limits))
const limit = fc
  .record({ soft: maybe(cents), hard: maybe(cents) })
  .map(({ soft, hard }) =>
    soft !== undefined && hard !== undefined && soft > hard ? { soft: hard, hard: soft } : { soft, hard },
  )
const period = fc.record({
  amount: maybe(fc.integer({ min: 1, max: 300 })),
  count: maybe(fc.integer({ min: 1, max: 3 })),
})
const none = { payment: {}, day: {}, month: {} }
const organisationLimits = fc.oneof(
  fc.constant(undefined),
  fc.record({ payment: limit, day: limit, month: limit }).map(compact),
)
const limits = fc.oneof(
  fc.constant(none),
  fc.record({ payment: limit, day: limit, month: limit, overdraft: maybe(fc.nat({ max: 100 })) }).map(compact),
)
const cardLimits = fc.oneof(
  fc.constant({}),
  fc
    .record({
      purchase: maybe(fc.record({ amount: fc.integer({ min: 1, max: 200 }) })),
      day: maybe(period),
      month: maybe(period),
    })
    .map(compact),
)
const items = fc.array(fc.record({ account, external, amount, key }), { minLength: 1, maxLength: 4 })

const weighted = (weight: number, name: Order['do'], members: Record<string, fc.Arbitrary<unknown>>) => ({
  weight,
  arbitrary: fc.record({ do: fc.constant(name), ...members }),
})

export const anyOrder = fc.oneof(
  weighted(12, 'pay', { account, external, amount, key }),
  weighted(4, 'transfer', { account, to: account, amount, key }),
  weighted(4, 'receive', { account, direction: fc.constantFrom('Credit', 'Debit'), amount, key }),
  weighted(6, 'batch', { items, key }),
  weighted(4, 'cancel', { payment: fc.nat({ max: 9 }) }),
  weighted(5, 'approve', { payment: fc.nat({ max: 9 }) }),
  weighted(5, 'reject', { payment: fc.nat({ max: 9 }) }),
  weighted(1, 'decideExternal', {
    external: fc.integer({ min: 5, max: EXTERNALS - 1 }),
    move: fc.constantFrom('approve', 'reject'),
  }),
  weighted(3, 'limits', { account, limits }),
  weighted(2, 'cardLimits', { card, limits: cardLimits }),
  weighted(1, 'organisation', { limits: organisationLimits }),
  weighted(3, 'hold', { account, amount, isLegal: fc.boolean(), hours: maybe(fc.integer({ min: -1, max: 100 })), key }),
  weighted(2, 'releaseHold', { account, hold: fc.nat({ max: 9 }) }),
  weighted(2, 'return', { payment: fc.nat({ max: 9 }) }),
  weighted(3, 'move', {
    account,
    move: fc.constantFrom('freeze', 'unfreeze', 'close', 'reopen'),
    closeTo: maybe(account),
  }),
  weighted(1, 'delete', { external }),
  weighted(2, 'card', { account, key }),
  weighted(2, 'moveCard', { card, move: fc.constantFrom('freeze', 'unfreeze', 'close') }),
  weighted(7, 'authorize', { card, amount, key }),
  weighted(6, 'settle', { authorization, amount: whatIsThere, final: fc.boolean(), key }),
  weighted(2, 'reverse', { authorization }),
  weighted(3, 'refund', { authorization, amount: whatIsThere, key }),
  weighted(3, 'increment', { authorization, amount }),
  weighted(2, 'advise', { authorization, amount }),
  weighted(3, 'advance', { to }),
  weighted(2, 'again', { request: fc.nat({ max: 9 }) }),
  { weight: 14, arbitrary: anyReview },
  { weight: 2, arbitrary: anyOpening },
) as fc.Arbitrary<Order>
