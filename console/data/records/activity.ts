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

/** The holder of the account is named if it is known. */
type Writer = (data: Shown, holder?: string) => Activity

/** A sentence about a payment: of its holder, otherwise of the other party. */
const payment = (did: string, otherwise: string, rest: (data: Shown) => Omit<Activity, 'who' | 'did'>): Writer => {
  return (data, holder) => {
    const { counterparty: { name } = { name: 'A payment' }, direction } = data
    if (holder === undefined) return { who: name, did: otherwise, ...rest(data) }
    return { who: holder, did: `${direction === 'Debit' ? 'from' : 'to'} ${name} ${did}`, ...rest(data) }
  }
}
const dollars = ({ amount = 0 }: Shown) => money(amount)
/** The balance grows if `grows` is said of a credit, and shrinks otherwise. */
const signed = (data: Shown, grows: boolean) => (grows === (data.direction !== 'Debit') ? '+' : '−') + dollars(data)
const returned = ({ returnReason, returnCode }: Shown) =>
  returnReason ? `${returnReason} (${returnCode})` : returnCode
const purchase = (
  { merchant, cardLast4Digits = '' }: Shown,
  holder: string | undefined,
  [did, otherwise]: string[],
) => {
  const name = merchant?.name ?? 'A merchant'
  const said = holder === undefined ? { who: name, did: otherwise } : { who: holder, did: `${did} at ${name}` }
  return { ...said, did: `${said.did}, card ${lastFour(cardLast4Digits)}` }
}
const person =
  (did: string): Writer =>
  (data) => ({ who: data.name ?? 'Somebody', did, more: data.reason && words(data.reason) })

/** The events about people and their money. */
const writers: Record<string, Writer> = {
  'payment.created': (data, holder) => {
    const name = data.counterparty?.name ?? 'A payment'
    const isDebit = data.direction === 'Debit'
    const said =
      holder === undefined
        ? { who: name, did: isDebit ? 'is debited' : 'is paid' }
        : { who: holder, did: `${isDebit ? 'collects from' : 'pays'} ${name}` }
    return { ...said, more: data.description, amount: signed(data, false) }
  },
  'payment.pendingReview': payment('waits for a review', 'waits for a review of its payment', (data) => ({
    amount: dollars(data),
  })),
  'payment.returned': payment('came back', 'did not get its payment: it came back', (data) => ({
    ...{ more: returned(data), amount: signed(data, true), bad: true },
  })),
  'payment.rejected': payment('was rejected', 'does not get its payment: it was rejected', (data) => ({
    ...{ more: data.reason, amount: signed(data, true), bad: true },
  })),
  'payment.canceled': payment('was canceled', 'does not get its payment: it was canceled', (data) => ({
    amount: signed(data, true),
  })),
  'receivedPayment.created': (data, holder) => {
    const name = data.counterparty?.name ?? 'Another bank'
    const isDebit = data.direction === 'Debit'
    const said =
      holder === undefined
        ? { who: name, did: isDebit ? 'takes money' : 'sends money' }
        : { who: holder, did: isDebit ? `is debited by ${name}` : `gets money from ${name}` }
    return { ...said, more: data.description, amount: signed(data, true) }
  },
  'receivedPayment.returned': payment('was sent back', 'gets its entry back', (data) => ({
    ...{ more: returned(data), amount: signed(data, false), bad: true },
  })),
  'authorization.completed': (data, holder) => ({
    ...purchase(data, holder, ['bought', 'was paid']),
    amount: `−${dollars(data)}`,
  }),
  'authorization.declined': (data, holder) => ({
    ...{
      ...purchase(data, holder, ['was declined', 'was declined']),
      more: words(data.reason ?? ''),
      amount: dollars(data),
      bad: true,
    },
  }),
  'reward.created': ({ merchantName = 'A purchase', userAmount = 0 }) => ({
    ...{ who: merchantName, did: 'earned cash back', amount: money(userAmount) },
  }),
  'card.created': ({ last4Digits = '' }, holder) =>
    holder === undefined
      ? { who: `Card ${lastFour(last4Digits)}`, did: 'was made' }
      : { who: holder, did: `has a new card ${lastFour(last4Digits)}` },
  'card.statusChanged': ({ last4Digits = '', status = '' }, holder) => ({
    who: `Card ${lastFour(last4Digits)}${holder === undefined ? '' : ` of ${holder}`}`,
    did: `is ${words(status).toLowerCase()} now`,
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

/** An event as a sentence about people and money, with the holder of the account if it is known. */
export function activityOf({ type, data }: Pick<Event, 'type' | 'data'>, holder?: string): Activity {
  return writers[type]?.(data as Shown, holder) ?? { who: words(type), did: '' }
}
