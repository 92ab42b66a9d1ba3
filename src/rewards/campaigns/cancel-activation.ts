import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { recordsWrite } from '../records/records.ts'
import { Activation } from './activation.ts'

/** Extension. Cancels an activation. */
export const cancelActivation = recordsWrite({
  id: 'cancelActivation',
  resource: 'offerActivations',
  verb: 'cancel',
  area: 'rewards',
  method: 'POST',
  path: '/v0/rewards/activations/:activationId/cancel',
  summary: 'Cancel activation',
  description:
    'Cancels an activation: purchases that settle from now on do not earn by it. Canceling one again changes nothing. Emits `offerActivation.updated`.',
  status: 200,
  scope: 'rewards:write',
  params: Type.Object({ activationId: Id('offerActivation') }),
  data: Activation,
  problems: ['offer_activation_not_found'],
  run: ({ records, write }, { params }) => records.cancelActivation(write, params.activationId),
})
