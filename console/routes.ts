import type { OperationId } from '../client/src/index.ts'

/** A screen of the menu. `key` opens it after `g`. */
export interface MenuItem {
  name: string
  path: string
  key: string
  /** The operation without which the screen has nothing to show. */
  needs?: OperationId
}

/** The screens of the menu, by group. */
export const menu: readonly { title?: string; items: readonly MenuItem[] }[] = [
  { items: [{ name: 'Home', path: '/', key: 'h' }] },
  {
    title: 'Bank',
    items: [
      { name: 'Accounts', path: '/accounts', key: 'a' },
      { name: 'Payments', path: '/payments', key: 'p' },
      { name: 'Cards', path: '/cards', key: 'c' },
      { name: 'Authorizations', path: '/authorizations', key: 'z' },
      { name: 'Customers', path: '/customers', key: 'u' },
      { name: 'Applications', path: '/applications', key: 'n' },
      { name: 'Review', path: '/review', key: 'v', needs: 'listReviewApplications' },
      { name: 'Statements', path: '/statements', key: 's' },
      { name: 'Rails', path: '/rails', key: 'i', needs: 'listAchBatches' },
      { name: 'Ledger', path: '/ledger', key: 'l', needs: 'listLedgerAccounts' },
    ],
  },
  {
    title: 'Rewards',
    items: [
      { name: 'Offers', path: '/offers', key: 'o' },
      { name: 'Rewards', path: '/rewards', key: 'r' },
    ],
  },
  {
    title: 'Developers',
    items: [
      { name: 'Requests', path: '/requests', key: 'q', needs: 'listRequests' },
      { name: 'Events', path: '/events', key: 'e' },
      { name: 'Webhooks', path: '/webhooks', key: 'w' },
      { name: 'Clock', path: '/clock', key: 't', needs: 'getClock' },
      { name: 'Keys and audit', path: '/access', key: 'k' },
      { name: 'Sandbox', path: '/sandbox', key: 'x', needs: 'createScenario' },
      { name: 'Reference', path: '/reference', key: 'd' },
    ],
  },
]

/** The list that holds the records of each type. */
const lists: Record<string, string> = {
  account: 'accounts',
  accountHold: 'account-holds',
  achBatch: 'rails/batches',
  achFile: 'rails/files',
  apiKey: 'access/keys',
  application: 'applications',
  authorization: 'authorizations',
  card: 'cards',
  customer: 'customers',
  delivery: 'webhooks/deliveries',
  document: 'documents',
  event: 'events',
  externalAccount: 'external-accounts',
  partnerUser: 'rewards/users',
  partnerUserCard: 'rewards/cards',
  payment: 'payments',
  receivedPayment: 'rails/received',
  request: 'requests',
  reward: 'rewards',
  rewardableTransaction: 'rewards/purchases',
  rewardPayment: 'rewards/payments',
  statement: 'statements',
  transaction: 'transactions',
  webhookEndpoint: 'webhooks',
}

/** Whether records of a type have a screen. Some types of events are about records that have none. */
export function hasScreen(type: string): boolean {
  return Object.hasOwn(lists, type)
}

/** The path of a record's screen. */
export function recordPath(type: string, id: string | number): string {
  const list = hasScreen(type) ? lists[type] : `records/${encodeURIComponent(type)}`
  return `/${list}/${encodeURIComponent(id)}`
}

/** A part of an address as text. One that is mistyped, such as a single `%`, stays as it is. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
