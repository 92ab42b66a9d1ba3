import { type Static, Type } from 'typebox'
import { RecordId } from '../../base/ids.ts'
import { Problem } from '../../base/problem.ts'
import { Text, Timestamp } from '../../base/text.ts'

const members = {
  reason: Type.String({ description: 'Why outgoing payments are refused', examples: ['Return R10 of a debit'] }),
  since: Timestamp,
  paymentId: Type.Optional(RecordId('The returned payment, if the return of a debit blocked the account')),
}

/** The block of an account, on the account. */
export const PaymentBlock = Type.Object(members, {
  $id: 'PaymentBlock',
  description: 'Why outgoing payments of the account are refused; absent if they are not',
})
export type PaymentBlock = Static<typeof PaymentBlock>

/** The same for events and for answers of the operations that change it. */
export const AccountPaymentBlock = Type.Object(
  {
    id: RecordId('Id of the account'),
    reason: Type.Union([members.reason, Type.Null()], {
      description: 'Why outgoing payments are refused; null if they are not',
    }),
    since: Type.Union([Timestamp, Type.Null()], { description: 'Since when, in bank time; null if they are not' }),
    paymentId: members.paymentId,
  },
  { $id: 'AccountPaymentBlock', description: 'Whether outgoing payments of an account are refused, and why' },
)
export type AccountPaymentBlock = Static<typeof AccountPaymentBlock>

export const BlockBody = Type.Object(
  { reason: Text(1, 255, { description: 'Why; the account shows it', examples: ['Return R10 of a debit'] }) },
  { description: 'The reason' },
)

/** Throws the refusal of an outgoing payment. */
export function requireUnblocked({ paymentBlock }: { paymentBlock?: PaymentBlock | null }): void {
  if (paymentBlock) throw new Problem('payments_blocked', { detail: `${BLOCKED}: ${paymentBlock.reason}` })
}

const BLOCKED = 'The operator has blocked outgoing payments of this account'

/** Throws the refusal of a release of an account that is not blocked. */
export function requireBlocked({ paymentBlock }: { paymentBlock?: PaymentBlock | null }): void {
  if (!paymentBlock) throw new Problem('payments_not_blocked')
}
