import type { Amount, Order, Time } from './model-orders.ts'
import { describeReview } from './model-reviews.ts'

/** Describes an order in the report of a shrunk case. */
export function describeOrder(order: Order): string {
  const key = 'key' in order && order.key !== undefined ? ` with key ${order.key}` : ''
  const signed = (number: number) => (number < 0 ? `${number}` : `+${number}`)
  const cents = (amount: Amount, there: string) => ('cents' in amount ? `${amount.cents}` : there + signed(amount.more))
  switch (order.do) {
    case 'pay':
      return `pay ${cents(order.amount, 'available')} from account ${order.account} to external ${order.external}${key}`
    case 'transfer':
      return `transfer ${cents(order.amount, 'available')} from account ${order.account} to account ${order.to}${key}`
    case 'receive':
      return `receive ${order.direction} ${cents(order.amount, 'available')} on account ${order.account}${key}`
    case 'batch':
      return `batch { ${order.items.map((item) => describeOrder({ do: 'pay', ...item })).join('; ')} }${key}`
    case 'return':
    case 'cancel':
    case 'approve':
    case 'reject':
      return `${order.do} payment ${order.payment}`
    case 'decideExternal':
      return `${order.move} external ${order.external}`
    case 'limits':
      return `limit account ${order.account} to ${JSON.stringify(order.limits)}`
    case 'cardLimits':
      return `limit card ${order.card} to ${JSON.stringify(order.limits)}`
    case 'organisation':
      return `limit the organisation to ${JSON.stringify(order.limits)}`
    case 'move':
      return `${order.move} account ${order.account}${order.closeTo === undefined ? '' : ` to ${order.closeTo}`}`
    case 'delete':
      return `delete external ${order.external}`
    case 'card':
      return `make a card of account ${order.account}${key}`
    case 'moveCard':
      return `${order.move} card ${order.card}`
    case 'authorize':
      return `authorize ${cents(order.amount, 'available')} on card ${order.card}${key}`
    case 'settle': {
      const amount = order.amount ? cents(order.amount, 'held') : 'what is held'
      return `settle ${amount} of authorization ${order.authorization}${order.final ? '' : ', not the last'}${key}`
    }
    case 'reverse':
      return `reverse authorization ${order.authorization}`
    case 'refund': {
      const amount = order.amount ? cents(order.amount, 'left') : 'what is left'
      return `refund ${amount} of authorization ${order.authorization}${key}`
    }
    case 'increment':
    case 'advise':
      return `${order.do} authorization ${order.authorization} with ${cents(order.amount, 'available')}`
    case 'hold': {
      const end = order.hours === undefined ? '' : ` for ${order.hours} hours`
      return `hold ${cents(order.amount, 'available')} on account ${order.account}${order.isLegal ? ' by law' : ''}${end}${key}`
    }
    case 'releaseHold':
      return `release hold ${order.hold} on account ${order.account}`
    case 'advance':
      return `advance the clock ${describeTime(order.to, signed)}`
    case 'again':
      return `repeat keyed request ${order.request}`
    default:
      return `${describeReview(order)}${key}`
  }
}

function describeTime(time: Time, signed: (number: number) => string): string {
  if ('hours' in time) return `by ${time.hours} hours`
  const edge = 'monthEnd' in time ? "the month's end" : `the expiry of authorization ${time.expiryOf}`
  return `to ${edge}${time.ms === 0 ? '' : ` ${signed(time.ms)} ms`}`
}
