import type { Event } from '../../../client/src/index.ts'
import { lastFour, money, words } from '../format.ts'

/** An event in the words of people. */
export interface Activity {
  /** The person, the merchant or the thing that it is about, and the rest of the sentence. */
  who: string
  did: string
  /** The reason, or what follows. */
  more?: string | undefined
  /** With a sign if a balance changed by it. */
  amount?: string
  bad?: boolean
}

/** The members of events that activities show. */
interface Shown {
  amount?: number
  name?: string
  counterparty?: { name: string; accountNumber: string }
  direction?: string
  description?: string
  merchant?: { name: string }
  merchantName?: string
  userAmount?: number
  cardLast4Digits?: string
  last4Digits?: string
  status?: string
  reason?: string
  returnCode?: string
  returnReason?: string
}

type Writer = (data: Shown) => Activity

const payment = (did: string, rest: (data: Shown) => Omit<Activity, 'who' | 'did'>): Writer => {
  return (data) => ({ who: data.counterparty?.name ?? 'A payment', did, ...rest(data) })
}
const dollars = ({ amount = 0 }: Shown) => money(amount)
/** The balance grows if `grows` is said of a credit, and shrinks otherwise. */
const signed = (data: Shown, grows: boolean) => (grows === (data.direction !== 'Debit') ? '+' : '−') + dollars(data)
const returned = ({ returnReason, returnCode }: Shown) =>
  returnReason ? `${returnReason} (${returnCode})` : returnCode
const purchase = ({ merchant, cardLast4Digits = '' }: Shown, did: string) => ({
  ...{ who: merchant?.name ?? 'A merchant', did: `${did}, card ${lastFour(cardLast4Digits)}` },
})
const person =
  (did: string): Writer =>
  (data) => ({ who: data.name ?? 'Somebody', did, more: data.reason && words(data.reason) })

/** The events about people and their money. */
const writers: Record<string, Writer> = {
  'payment.created': (data) => ({
    ...{ who: data.counterparty?.name ?? 'A payment', did: data.direction === 'Debit' ? 'is debited' : 'is paid' },
    ...{ more: data.description, amount: signed(data, false) },
  }),
  'payment.pendingReview': payment('waits for a review of its payment', (data) => ({ amount: dollars(data) })),
  'payment.returned': payment('did not get its payment: it came back', (data) => ({
    ...{ more: returned(data), amount: signed(data, true), bad: true },
  })),
  'payment.rejected': payment('does not get its payment: it was rejected', (data) => ({
    ...{ more: data.reason, amount: signed(data, true), bad: true },
  })),
  'payment.canceled': payment('does not get its payment: it was canceled', (data) => ({ amount: signed(data, true) })),
  'receivedPayment.created': (data) => ({
    ...{
      who: data.counterparty?.name ?? 'Another bank',
      did: data.direction === 'Debit' ? 'takes money' : 'sends money',
    },
    ...{ more: data.description, amount: signed(data, true) },
  }),
  'receivedPayment.returned': payment('gets its entry back', (data) => ({
    ...{ more: returned(data), amount: signed(data, false), bad: true },
  })),
  'authorization.completed': (data) => ({ ...purchase(data, 'was paid'), amount: `−${dollars(data)}` }),
  'authorization.declined': (data) => ({
    ...{ ...purchase(data, 'was declined'), more: words(data.reason ?? ''), amount: dollars(data), bad: true },
  }),
  'reward.created': ({ merchantName = 'A purchase', userAmount = 0 }) => ({
    ...{ who: merchantName, did: 'earned cash back', amount: money(userAmount) },
  }),
  'card.created': ({ last4Digits = '' }) => ({ who: `Card ${lastFour(last4Digits)}`, did: 'was made' }),
  'card.statusChanged': ({ last4Digits = '', status = '' }) => ({
    ...{ who: `Card ${lastFour(last4Digits)}`, did: `is ${words(status).toLowerCase()} now` },
  }),
  'account.created': person('has a new account'),
  'account.closed': person('has a closed account'),
  'account.frozen': person('has a frozen account'),
  'customer.created': person('is a customer'),
  'application.created': person('applied'),
  'application.approved': person('was approved'),
  'application.denied': person('was denied'),
}

export const activityTypes = Object.keys(writers) as Event['type'][]

/** An event as a sentence about people and money. */
export function activityOf({ type, data }: Pick<Event, 'type' | 'data'>): Activity {
  return writers[type]?.(data as Shown) ?? { who: words(type), did: '' }
}
