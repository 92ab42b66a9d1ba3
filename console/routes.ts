import type { OperationId } from '../client/src/index.ts'

/** A screen of the menu. `key` opens it after `g`. */
export interface MenuItem {
  name: string
  path: string
  key: string
  /** The operations without which the screen has nothing to show. */
  needs?: OperationId | readonly OperationId[]
  /** Whether a sandbox shows it without the operation, because the screen says how to get it. */
  explained?: boolean
}

/** The screens of the menu, by group. */
export const menu: readonly { title?: string; items: readonly MenuItem[] }[] = [
  { items: [{ name: 'Home', path: '/', key: 'h' }] },
  {
    title: 'Bank',
    items: [
      { name: 'Accounts', path: '/accounts', key: 'a', needs: 'listAccounts' },
      { name: 'Payments', path: '/payments', key: 'p', needs: 'listPayments' },
      { name: 'Recurring', path: '/recurring-payments', key: 'm', needs: 'listRecurringPayments' },
      { name: 'Cards', path: '/cards', key: 'c', needs: 'listCards' },
      { name: 'Authorizations', path: '/authorizations', key: 'z', needs: 'listAuthorizations' },
      { name: 'Customers', path: '/customers', key: 'u', needs: 'listCustomers' },
      { name: 'Applications', path: '/applications', key: 'n', needs: 'listApplications' },
      { name: 'Review', path: '/review', key: 'v', needs: 'listReviewApplications', explained: true },
      { name: 'Statements', path: '/statements', key: 's', needs: 'listStatements' },
      { name: 'Rails', path: '/rails', key: 'i', needs: 'listAchBatches' },
      { name: 'Ledger', path: '/ledger', key: 'l', needs: 'listLedgerAccounts' },
      { name: 'Closing', path: '/closing', key: 'b', needs: 'listClosingDays' },
    ],
  },
  {
    title: 'Rewards',
    items: [
      { name: 'Offers', path: '/offers', key: 'o', needs: 'listLocalOffers' },
      { name: 'Rewards', path: '/rewards', key: 'r', needs: 'listRewards' },
    ],
  },
  {
    title: 'Developers',
    items: [
      { name: 'Requests', path: '/requests', key: 'q', needs: 'listRequests' },
      { name: 'Events', path: '/events', key: 'e', needs: 'listEvents' },
      { name: 'Webhooks', path: '/webhooks', key: 'w', needs: 'listWebhookEndpoints' },
      { name: 'Clock', path: '/clock', key: 't', needs: 'getClock' },
      { name: 'Keys and audit', path: '/access', key: 'k', needs: ['listAuditLog', 'permitPersonRights'] },
      { name: 'Move in and out', path: '/move', key: 'y', needs: 'listImports' },
      { name: 'Sandbox', path: '/sandbox', key: 'x', needs: 'createScenario' },
      { name: 'Reference', path: '/reference', key: 'd' },
    ],
  },
]

/** The list that holds the records of each type, and the name of the screen above it if the list has none of its own. */
const lists: Record<string, readonly [path: string, above?: string]> = {
  account: ['accounts'],
  accountHold: ['account-holds', '/accounts'],
  achBatch: ['rails/batches', '/rails'],
  achFile: ['rails/files'],
  apiKey: ['access/keys', '/access'],
  application: ['applications'],
  authorization: ['authorizations'],
  campaign: ['rewards/campaigns'],
  campaignOffer: ['rewards/campaign-offers'],
  card: ['cards'],
  customer: ['customers'],
  delivery: ['webhooks/deliveries', '/webhooks'],
  document: ['documents', '/applications'],
  event: ['events'],
  externalAccount: ['external-accounts', '/customers'],
  offerActivation: ['rewards/activations'],
  partnerUser: ['rewards/users'],
  partnerUserCard: ['rewards/cards'],
  payment: ['payments'],
  proposal: ['review/proposals'],
  receivedPayment: ['rails/received'],
  recurringPayment: ['recurring-payments'],
  request: ['requests'],
  reward: ['rewards'],
  rewardableTransaction: ['rewards/purchases'],
  rewardPayment: ['rewards/payments'],
  statement: ['statements'],
  transaction: ['transactions'],
  webhookEndpoint: ['webhooks'],
}

/** The names of lists that are not in the menu. */
const names: Record<string, string> = {
  '/rails/files': 'Files',
  '/rails/received': 'Received payments',
  '/review/proposals': 'Proposals',
  '/rewards/users': 'Users',
  '/rewards/cards': 'Linked cards',
  '/rewards/campaigns': 'Campaigns',
  '/rewards/campaign-offers': 'Campaign offers',
  '/rewards/activations': 'Activations',
  '/rewards/purchases': 'Purchases',
  '/rewards/payments': 'Reward payments',
  '/transactions': 'Transactions',
}

/** The screen that a record of a type belongs to. */
export function listOf(type: string): { name: string; path: string } {
  const [own, above] = (hasScreen(type) && lists[type]) || []
  const path = above ?? (own ? `/${own}` : '/')
  const named = menu.flatMap(({ items }) => items).find((item) => item.path === path)?.name
  return { name: named ?? names[path] ?? 'Home', path }
}

/** Whether records of a type have a screen. Some types of events are about records that have none. */
export function hasScreen(type: string): boolean {
  return Object.hasOwn(lists, type)
}

/** The path of a record's screen. */
export function recordPath(type: string, id: string | number): string {
  const [list] = (hasScreen(type) && lists[type]) || [`records/${encodeURIComponent(type)}`]
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
