import type { AttentionItem } from '../../client/src/index.ts'
import { recordPath } from '../routes.ts'

/** The screens of the operations that items of attention name. */
const screens: Record<string, string> = {
  listEvents: '/payments?status=Returned',
  listWebhookEndpoints: '/webhooks',
  listProposals: '/review/proposals?state=Waiting',
  listReviewPayments: '/review/payments',
  listReviewApplications: '/review',
  listReviewExternalAccounts: '/review/external-accounts',
  getReturnRates: '/rails/return-rates',
  getLedgerVerification: '/ledger',
  listSettlementItems: '/closing/items',
}

/** The screen with the records of an item; nothing if only a command shows them. */
export function placeOf({ operation, records }: Pick<AttentionItem, 'operation' | 'records'>): string | undefined {
  if (!operation) return undefined
  const { id, input } = operation
  const status = [input.status].flat()[0]
  if (id === 'listPayments' || id === 'listApplications')
    return `/${id === 'listPayments' ? 'payments' : 'applications'}?status=${status}`
  if (id === 'listClosingDays') return `/closing?month=${input.month}`
  const [first] = records
  return screens[id] ?? (first && recordPath(first.type, first.id))
}
