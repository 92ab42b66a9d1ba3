import { type Static, Type } from 'typebox'
import { instantIn } from '../../base/clock.ts'
import { Id } from '../../base/ids.ts'
import type { Rule } from '../../base/rules.ts'
import { Instant } from '../../base/text.ts'
import { bankingWrite } from '../provider.ts'
import { Payment } from './payment.ts'
import { reversalReasons } from './payment-link.ts'

const ReversalBody = Type.Object(
  {
    reason: Type.Enum([...reversalReasons], {
      description: 'The error: the payment is a duplicate, or has the wrong receiver, amount or date',
      examples: ['Duplicate'],
    }),
    discoveredAt: Type.Optional(
      Instant({ description: 'When the error was discovered, in bank time; absent for now', examples: ['2026-01-31'] }),
    ),
  },
  { description: 'The reversal', 'x-rules': [{ rule: 'past', members: ['discoveredAt'] }] satisfies Rule[] },
)
export type ReversalInput = Static<typeof ReversalBody>

const reversalProblems = [
  'payment_not_reversible',
  'reversal_too_late',
  'account_not_open',
  'insufficient_funds',
  'limit_exceeded',
  'balance_limit',
] as const

/** Extension. Takes an erroneous payment back. */
export const reversePayment = bankingWrite({
  id: 'reversePayment',
  resource: 'payments',
  verb: 'reverse',
  path: '/v0/banking/payments/:paymentId/reverse',
  summary: 'Reverse payment',
  description:
    'Takes back an erroneous payment to another bank that has left, with a payment of the other direction: the same amount and counterparty, the description `REVERSAL`, and the id of the first one in `reversalOf`. The money of a reversed credit is collected like a debit, and reaches the account after the clearing days; it needs no mandate. The reversal of a debit takes the money from the account, and counts for its limits.\n\nThe rules of ACH allow it for the reasons of `reason`, within five banking days of the settlement and a day of the discovery (`reversal_too_late`), and once: a payment that was reversed, that is a reversal, or that is neither `Clearing` nor `Sent` is refused with `payment_not_reversible`. A payment that has not left can be canceled. Emits `payment.created`.',
  status: 201,
  params: Type.Object({ paymentId: Id('payment') }),
  body: ReversalBody,
  data: Payment,
  problems: ['payment_not_found', ...reversalProblems],
  run: ({ bank, write }, { params, body: { reason, discoveredAt } }) =>
    bank.reversePayment(write, {
      ...{ ...params, reason },
      ...(discoveredAt !== undefined && { discoveredAt: instantIn('discoveredAt', discoveredAt) }),
    }),
})
