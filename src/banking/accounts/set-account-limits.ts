import { type Static, Type } from 'typebox'
import { MAX_CENTS } from '../../base/cents.ts'
import { Id } from '../../base/ids.ts'
import { JsonText } from '../../base/operation.ts'
import { bankingWrite } from '../provider.ts'
import { AccountLimits } from './account-limits.ts'

const cents = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MAX_CENTS, description, examples: [100_000] })

/** A limit in a request. */
const LimitBody = (description: string) =>
  Type.Object(
    {
      soft: Type.Optional(cents('Above this amount in cents a payment waits for a review; absent for none')),
      hard: Type.Optional(cents('Above this amount in cents a payment is refused; absent for none')),
    },
    { description, 'x-rules': [{ rule: 'ordered', members: ['soft', 'hard'] }] },
  )

const limitsBody = {
  payment: Type.Optional(LimitBody('Limit of one payment')),
  day: Type.Optional(LimitBody('Limit of the payments of a UTC day in bank time')),
  month: Type.Optional(LimitBody('Limit of the payments of a UTC month in bank time')),
}

const DebitLimitsBody = Type.Object(
  {
    ...limitsBody,
    dayCount: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'Debits of a UTC day in bank time; more are refused',
      }),
    ),
    clearingDays: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 60,
        description:
          'Banking days from the settlement of a debit to its credit; absent for the setting of the operator',
      }),
    ),
    earlyAvailability: Type.Optional(
      cents(
        'Amount in cents of debits that may be credited at their settlement, ahead of the clearing days; absent for the setting of the operator',
      ),
    ),
    blockOnReturn: Type.Optional(
      Type.Boolean({
        description:
          'Whether the return of a debit blocks outgoing payments of the account; absent for the setting of the operator',
      }),
    ),
  },
  { description: 'Limits and terms of payments that collect money; absent for none' },
)

const SetAccountLimitsBody = Type.Object(
  {
    ...limitsBody,
    overdraft: Type.Optional(
      cents(
        'Amount in cents by which payments and card purchases may overdraw the account; absent for the setting of the operator',
      ),
    ),
    debits: Type.Optional(DebitLimitsBody),
  },
  { description: 'All limits of the account. A member that is absent removes its limit' },
)
export type SetAccountLimitsInput = Static<typeof SetAccountLimitsBody> & { accountId: string }

/** Extension. Replaces the limits of an account. */
export const setAccountLimits = bankingWrite({
  id: 'setAccountLimits',
  resource: 'accountLimits',
  verb: 'set',
  method: 'PUT',
  path: '/v0/banking/accounts/:accountId/limits',
  summary: 'Set account limits',
  description:
    'Replaces the limits of the payments of an account and its overdraft. A payment above a `soft` limit becomes `PendingReview`, unless the screening of the operator lets it pass; one above a `hard` limit is refused. A day and a month are those of bank time in UTC. Payments count from their creation; a payment that is canceled or rejected does not count any more, a returned one still does. Limits also count the payments that the present month has already. Payments that collect money have limits of their own in `debits`.\n\nIn a sandbox a key without a list of scopes has `risk:write`, too. An account in any state has limits. `account.limitsChanged` follows, unless nothing changes.',
  scope: 'risk:write',
  params: Type.Object({ accountId: Id('account') }),
  body: SetAccountLimitsBody,
  data: AccountLimits,
  problems: ['account_not_found', 'proposal_waiting'],
  signature: {
    decision: 'limits',
    judge: async ({ bank, caller }, { params }) => {
      const account = await bank.getAccount(caller, params.accountId)
      const { customerId } = account instanceof JsonText ? JSON.parse(account.text) : account
      return { amount: null, reason: null, recordId: params.accountId, customerId }
    },
  },
  run: ({ bank, write }, { params, body }) => bank.setAccountLimits(write, { accountId: params.accountId, ...body }),
})
