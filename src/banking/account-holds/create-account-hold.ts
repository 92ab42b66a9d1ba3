import { type Static, Type } from 'typebox'
import { Amount } from '../../base/cents.ts'
import { instantIn } from '../../base/clock.ts'
import { Id } from '../../base/ids.ts'
import type { Rule } from '../../base/rules.ts'
import { described, Instant, Text } from '../../base/text.ts'
import { bankingWrite } from '../provider.ts'
import { AccountHold, AccountHoldReason } from './account-hold.ts'

const CreateAccountHoldBody = Type.Object(
  {
    amount: described(Amount, 'Amount to hold, in cents'),
    reason: AccountHoldReason,
    description: Type.Optional(Text(1, 200, { description: 'Note of your own', examples: ['Levy 2026-0042'] })),
    expiresAt: Type.Optional(
      Instant({
        description: 'When the hold ends by itself, a bank time in the future; absent for a hold without an end',
        examples: ['2099-12-31T00:00:00Z', '2099-12-31'],
      }),
    ),
  },
  { description: 'The new hold', 'x-rules': [{ rule: 'future', members: ['expiresAt'] }] satisfies Rule[] },
)
export type CreateAccountHoldInput = Static<typeof CreateAccountHoldBody> & { accountId: string }

/** Extension. Holds an amount on an account. */
export const createAccountHold = bankingWrite({
  id: 'createAccountHold',
  resource: 'accountHolds',
  verb: 'create',
  path: '/v0/banking/accounts/:accountId/holds',
  summary: 'Create account hold',
  description:
    'Holds an amount on an `Open` or `Frozen` account: its `hold` grows, `available` falls, and the balance stays. Payments, transfers and card purchases cannot spend the amount until `POST /v0/banking/accounts/:accountId/holds/:holdId/release` releases the hold, or bank time reaches `expiresAt`. Settlements of earlier card purchases are still booked.\n\nAn amount above `available` plus any overdraft is refused with `insufficient_funds`, except for the reason `LegalOrder`. Such a hold also takes money that arrives later, and `available` is negative until then. It needs the scope `risk:write`; other keys get `forbidden`. Only a key with `risk:write` can release what such a key holds.\n\nA `Closed` account is refused with `account_closed`. An `expiresAt` that is not in the future of bank time is refused with `invalid_request`.\n\nEmits `accountHold.created`, and `accountHold.released` or `accountHold.expired` when the hold ends.',
  status: 201,
  orScope: 'risk:write',
  params: Type.Object({ accountId: Id('account') }),
  body: CreateAccountHoldBody,
  data: AccountHold,
  problems: ['account_not_found', 'account_closed', 'insufficient_funds', 'balance_limit'],
  run: async ({ bank, write }, { params, body: { expiresAt, ...body } }) =>
    bank.createAccountHold(write, {
      accountId: params.accountId,
      ...body,
      ...(expiresAt !== undefined && { expiresAt: instantIn('expiresAt', expiresAt) }),
    }),
})
