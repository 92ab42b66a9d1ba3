import { type Static, Type } from 'typebox'
import { RecordId } from '../base/ids.ts'
import { sandboxWrite } from './sandbox.ts'

const Scenario = Type.Object(
  {
    customerId: RecordId(),
    accountId: RecordId(),
    closedAccountId: RecordId(),
    cardId: RecordId(),
    virtualCardId: RecordId(),
    externalAccountId: RecordId(),
    paymentId: RecordId(),
    transactionId: RecordId(),
    authorizationId: RecordId(),
    statementId: RecordId(),
    applicationId: RecordId(),
    documentId: RecordId(),
    partnerUserId: Type.Integer({
      description: 'The partner user of the customer, whose card earns rewards',
      examples: [1],
    }),
  },
  { $id: 'Scenario' },
)
export type Scenario = Static<typeof Scenario>

/** Sandbox. Creates a customer with records of every kind that the operations of the interface need an id of. */
export const createScenario = sandboxWrite({
  id: 'createScenario',
  area: 'sandbox',
  method: 'POST',
  path: '/v0/sandbox/scenarios',
  summary: 'Create scenario',
  status: 201,
  scope: 'sandbox:write',
  data: Scenario,
  problems: [],
  run: ({ sandbox, write }) => sandbox.createScenario(write),
})
