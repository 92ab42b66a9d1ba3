import type { WebhookEndpointWithOutcomes } from '../../client/src/index.ts'

type Endpoint = Pick<WebhookEndpointWithOutcomes, 'status' | 'failingSince' | 'lastDay'>

/** The state of a webhook endpoint by the rule of all screens: it fails if its latest attempt was not accepted. */
export function endpointState({ status, failingSince, lastDay }: Endpoint): string {
  if (status === 'Disabled') return 'Disabled'
  if (failingSince !== null) return 'Failing'
  return lastDay.retried > 0 ? 'Retrying' : 'Enabled'
}
