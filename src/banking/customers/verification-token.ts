import { type Static, Type } from 'typebox'
import { RecordId } from '../../base/ids.ts'
import { described, Timestamp } from '../../base/text.ts'

export const VerificationToken = Type.Object(
  {
    verificationToken: Type.String({
      description: 'The token, valid for ten minutes; shown only in this answer',
      examples: ['prs_vt_4f2a9c…'],
      'x-secret': true,
    }),
  },
  { $id: 'VerificationToken', description: 'A token that proves the verification of a customer' },
)
/** A verification token as its event shows it, without the token. */
export const CreatedVerificationToken = Type.Object(
  {
    id: RecordId(),
    customerId: RecordId('The customer who was verified'),
    createdAt: described(Timestamp, 'Time of creation, in real time'),
    expiresAt: described(Timestamp, 'When the token stops working, in real time'),
  },
  { $id: 'CreatedVerificationToken', description: 'A verification token without the token itself' },
)

export type VerificationToken = Static<typeof VerificationToken>
