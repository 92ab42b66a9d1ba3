import type { WebhookEndpointWithOutcomes } from '../../client/src/index.ts'

/**
 * The state of a webhook endpoint by one rule for all screens: it fails if a delivery failed for good, or if it takes nothing
 * at the moment, although its deliveries are still repeated.
 */
export function endpointState({ status, lastDay }: Pick<WebhookEndpointWithOutcomes, 'status' | 'lastDay'>): string {
  if (status === 'Disabled') return 'Disabled'
  if (lastDay.failed > 0 || (lastDay.retried > 0 && lastDay.succeeded === 0)) return 'Failing'
  return lastDay.retried > 0 ? 'Retrying' : 'Enabled'
}
