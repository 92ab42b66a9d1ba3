import type { AttentionItem } from '../../client/src/index.ts'

/** The screens of the operations that items of attention name. Their filters have the names of the parameters. */
const screens: Record<string, string> = {
  listAccounts: '/accounts',
  listApplications: '/applications',
  listClosingDays: '/closing',
  listEvents: '/events',
  listOverSettlements: '/review/over-settlements',
  listPayments: '/payments',
  listProposals: '/review/proposals',
  listReviewApplications: '/review',
  listReviewExternalAccounts: '/review/external-accounts',
  listReviewPayments: '/review/payments',
  listSettlementItems: '/closing/items',
  listWebhookEndpoints: '/webhooks',
  getLedgerVerification: '/ledger',
  getReturnRates: '/rails/return-rates',
}

/** The screen that lists the records of an item; nothing if only a command shows them. */
export function placeOf({ operation }: Pick<AttentionItem, 'operation'>): string | undefined {
  const path = operation && screens[operation.id]
  if (!path) return undefined
  const filters = Object.entries(operation.input).map(([name, value]) => [name, [value].flat().join(',')])
  return filters.length > 0 ? `${path}?${new URLSearchParams(filters)}` : path
}

/** The screen of the menu that an item belongs to. */
const menus: Partial<Record<AttentionItem['kind'], string>> = {
  failingEndpoints: '/webhooks',
  waitingProposals: '/review',
  reviewedPayments: '/review',
  reviewedApplications: '/review',
  reviewedExternalAccounts: '/review',
  overSettlements: '/review',
  railExceptions: '/rails',
  railHeld: '/rails',
  returnRates: '/rails',
  openDays: '/closing',
  openItems: '/closing',
}

/** How many records of a screen of the menu need a person, and whether one of them is wrong now. */
export function waitingAt(path: string, items: readonly AttentionItem[]): { count: number; isUrgent: boolean } {
  const here = items.filter(({ kind, level }) => menus[kind] === path && level !== 'inOrder')
  return {
    count: here.reduce((sum, each) => sum + each.count, 0),
    isUrgent: here.some(({ level }) => level === 'urgent'),
  }
}
