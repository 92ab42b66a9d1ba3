import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { CreatedAt, described, Timestamp, Word } from '../../base/text.ts'
import { directions } from '../payments/payment.ts'

/** A file or an entry that needed the operator, as the event of its resolution shows it. */
export const AchException = Type.Object(
  {
    id: RecordId(),
    kind: Type.String({ description: 'Cause of the exception', examples: ['return_unmatched'] }),
    detail: Type.String({ description: 'The entry or the fault', examples: ['R03 of trace 812345670000001'] }),
    amount: described(CentsValue, 'Amount of the entry in cents; 0 without money'),
    direction: Type.Optional(Word(directions, { description: '`Credit` brought money to the bank, `Debit` took it' })),
    createdAt: CreatedAt,
    resolution: Word(['Noted', 'Account', 'WrittenOff', 'Dishonored', 'Contested'], {
      description:
        '`Account` if an account of a customer has the money, `WrittenOff` if the bank has it, `Dishonored` or `Contested` if the next file sends it back, `Noted` without money',
    }),
    reason: Type.String({ description: 'Reason that the operator gave', examples: ['Return of a payment by wire'] }),
    accountId: Type.Optional(RecordId('The account of the customer')),
    returnCode: Type.Optional(
      Type.String({ description: 'Code with which the entry is sent back', examples: ['R68'] }),
    ),
    resolvedAt: described(Timestamp, 'Time of the resolution, in bank time'),
  },
  { $id: 'AchException', description: 'An exception of an ACH file that the operator resolved' },
)
export type AchException = Static<typeof AchException>
