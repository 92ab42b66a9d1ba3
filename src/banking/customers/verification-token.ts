import { type Static, Type } from 'typebox'

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
export type VerificationToken = Static<typeof VerificationToken>
