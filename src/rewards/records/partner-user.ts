import { type Static, Type } from 'typebox'
import { IntegerRecordId } from '../../base/ids.ts'
import { CreatedAt, Tags, UpdatedAt } from '../../base/text.ts'

/** A user of the issuer's who takes part in the rewards. */
export const PartnerUser = Type.Object(
  {
    id: IntegerRecordId(),
    userId: Type.Integer({ description: 'Your own number of the user', examples: [111] }),
    isRemoved: Type.Boolean({ description: 'Whether the user was removed from rewards' }),
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
  },
  { $id: 'PartnerUser', description: 'A user who takes part in rewards' },
)
export type PartnerUser = Static<typeof PartnerUser>

/** With the tags, which R3 does not list. */
export const TaggedPartnerUser = Type.Object(
  { ...PartnerUser.properties, tags: Tags },
  { $id: 'TaggedPartnerUser', description: 'A user who takes part in rewards, with its tags' },
)
export type TaggedPartnerUser = Static<typeof TaggedPartnerUser>
