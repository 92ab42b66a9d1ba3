import { type Static, Type } from 'typebox'
import { Text } from '../base/text.ts'

export const ReviewBody = Type.Object({ reason: Type.Optional(Text(1, 255, { examples: ['The picture is blurred'] })) })

/** The outcome of a review of one document. */
export type ReviewInput = Static<typeof ReviewBody> & { applicationId: string; documentId: string }
