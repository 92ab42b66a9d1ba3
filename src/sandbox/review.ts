import { type Static, Type } from 'typebox'
import { Text } from '../base/text.ts'

export const ReviewBody = Type.Object(
  {
    reason: Type.Optional(
      Text(1, 255, {
        description: 'Why the document is rejected; the applicant sees it. An approval ignores it',
        examples: ['The picture is blurred'],
      }),
    ),
  },
  { description: 'The outcome of the review' },
)

/** The outcome of a review of one document. */
export type ReviewInput = Static<typeof ReviewBody> & { applicationId: string; documentId: string }
