import { type Static, Type } from 'typebox'
import { IntegerRecordId } from '../../base/ids.ts'
import type { Rule } from '../../base/rules.ts'
import { Instant, Text } from '../../base/text.ts'
import { offersWrite } from '../provider.ts'

/** How long ago an attribution may have happened. */
export const MAX_AGE_DAYS = 7

export const attributionTypes = ['Impression', 'View', 'Click'] as const
export type AttributionType = (typeof attributionTypes)[number]

const Attribution = Type.Object(
  {
    id: Text(1, 100, {
      description: 'Your own id; one that was counted before does not count again',
      examples: ['a-1'],
    }),
    type: Type.Enum(attributionTypes, {
      description:
        '`Impression` if the offer was on the screen, `View` if its page was opened, `Click` on the way to the merchant',
    }),
    offerId: Text(1, 100, { description: 'The offer', examples: ['1000042'] }),
    partnerUserId: IntegerRecordId('The partner user'),
    occurredAt: Type.Optional(
      Instant({ description: `When it happened, in bank time; now if it is absent. At most ${MAX_AGE_DAYS} days ago` }),
    ),
  },
  {
    $id: 'Attribution',
    'x-rules': [{ rule: 'recent', members: ['occurredAt'], maxDays: MAX_AGE_DAYS }] satisfies Rule[],
    description: 'An impression, a view or a click of an offer',
  },
)
const CreateAttributionsInput = Type.Object(
  { attributions: Type.Array(Attribution, { minItems: 1, maxItems: 100, description: 'The attributions to count' }) },
  { description: 'The attributions' },
)
export type CreateAttributionsInput = Static<typeof CreateAttributionsInput>

const AttributionCount = Type.Object(
  {
    counted: Type.Integer({ description: 'How many now count', examples: [2] }),
    repeated: Type.Integer({ description: 'How many counted before', examples: [0] }),
    unknown: Type.Array(Type.String(), {
      description: 'Ids of those whose offer or partner user is unknown; they do not count',
      examples: [[]],
    }),
  },
  { $id: 'AttributionCount', description: 'The outcome of a batch of attributions' },
)
export type AttributionCount = Static<typeof AttributionCount>

/** Extension. Counts impressions, views and clicks of offers. */
export const createAttributions = offersWrite({
  id: 'createAttributions',
  resource: 'attributions',
  verb: 'create',
  area: 'rewards',
  method: 'POST',
  path: '/v0/rewards/attributions',
  summary: 'Create attributions',
  description: `Counts up to 100 impressions, views and clicks of offers, by day and offer. \`GET /v0/rewards/offer-funnel\` shows the sums. A
reward shows in its explanation what its partner user did with the offer within 30 days before.

An \`id\` counts once for as long as it is kept, a week by default (\`PURSER_KEEP_ATTRIBUTIONS\`), so that a batch may be sent again.
A time in the future or more than ${MAX_AGE_DAYS} days ago is refused, and nothing of the batch counts. Emits no event. If Kard provides
the offers, its impressions and views are passed on first; if that fails, those of users that it has taken count, and the batch may be
sent again. Kard's legacy API takes none: 501.`,
  status: 201,
  scope: 'rewards:write',
  body: CreateAttributionsInput,
  data: AttributionCount,
  problems: ['not_supported_by_provider'],
  run: ({ offers, write }, { body }) => offers.createAttributions(write, body),
})
