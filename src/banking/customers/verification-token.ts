import { type Static, Type } from 'typebox'
import { RecordId } from '../../base/ids.ts'
import { Timestamp } from '../../base/text.ts'

export const VerificationToken = Type.Object(
  {
    verificationToken: Type.String({
      description: 'Valid for ten minutes',
      examples: ['prs_vt_4f2a9c…'],
      'x-secret': true,
    }),
  },
  { $id: 'VerificationToken' },
)
/** A verification token as its event shows it, without the token. */
export const CreatedVerificationToken = Type.Object(
  { id: RecordId(), customerId: RecordId(), createdAt: Timestamp, expiresAt: Timestamp },
  { $id: 'CreatedVerificationToken' },
)

export type VerificationToken = Static<typeof VerificationToken>
