import { type Static, Type } from 'typebox'
import { RecordId } from '../base/ids.ts'
import { sandboxWrite } from './sandbox.ts'

const Scenario = Type.Object(
  {
    customerId: RecordId('The customer'),
    accountId: RecordId('The account, which has money'),
    closedAccountId: RecordId('A closed account, for reopening'),
    cardId: RecordId('The physical card, which is active'),
    virtualCardId: RecordId('The virtual card'),
    externalAccountId: RecordId('The external account of the landlord'),
    paymentId: RecordId('The payment of the rent'),
    transactionId: RecordId('The transaction of the salary'),
    authorizationId: RecordId('The open authorization'),
    statementId: RecordId('The statement of the month before'),
    applicationId: RecordId('The application that waits for a document'),
    documentId: RecordId('The document that it needs'),
    partnerUserId: Type.Integer({
      description: 'The partner user of the customer, whose card earns rewards',
      examples: [1],
    }),
    fundingAccountId: Type.Optional(
      RecordId('With `debits`: the external account of the customer, which is verified and has a mandate'),
    ),
    debitId: Type.Optional(RecordId('With `debits`: the debit that collected money from it')),
    returnedDebitId: Type.Optional(RecordId('With `debits`: the debit from another one that its bank returns')),
  },
  { $id: 'Scenario', description: 'The ids of the records that a scenario created' },
)
export type Scenario = Static<typeof Scenario>

const CreateScenarioBody = Type.Object(
  {
    seed: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2 ** 32 - 1,
        description: 'The same seed gives the same names, amounts and days every time',
        examples: [42],
      }),
    ),
    debits: Type.Optional(
      Type.Boolean({
        description: '`true`: the customer also funds the account by debits, and one of them is returned',
      }),
    ),
  },
  { description: 'The choice of the story' },
)
export type CreateScenarioInput = Static<typeof CreateScenarioBody>

/** Sandbox. Creates a customer with records of every kind that the operations of the interface need an id of. */
export const createScenario = sandboxWrite({
  id: 'createScenario',
  resource: 'sandbox.scenarios',
  verb: 'create',
  path: '/v0/sandbox/scenarios',
  summary: 'Create scenario',
  description:
    'Creates a customer with an account that has received a salary and paid a rent, cards, an open authorization, a purchase, a statement of the previous month, and an application that waits for a document. If the catalogue has a live national offer, the purchase is at its merchant and earns a reward.\n\nWith `debits` the customer also has two accounts at other banks, which are verified and have a mandate: a debit collects money from the first, and one from the second is returned (R01). With `PURSER_ACH=windows` both debits are `Pending`, and `POST /v0/sandbox/clock/advance` plays the rest.\n\nAll records come from the normal operations and emit their events. The same `seed` gives the same names, amounts and days; ids are always new.',
  status: 201,
  body: CreateScenarioBody,
  data: Scenario,
  problems: [],
  run: ({ sandbox, write }, { body }) => sandbox.createScenario(write, body),
})
