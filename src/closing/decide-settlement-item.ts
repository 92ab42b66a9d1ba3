import { type Static, Type } from 'typebox'
import { Id } from '../base/ids.ts'
import { Text } from '../base/text.ts'
import { closingWrite, operatorOnly, Reason, SignedCents } from './closing.ts'

const decision = <Name extends string>(name: Name, description: string) => Type.Literal(name, { description })

const NoteDecision = Type.Object(
  {
    decision: decision('note', 'Somebody answers for the item, which stays open'),
    owner: Text(1, 100, { description: 'Person who answers for it', examples: ['Ada'] }),
    reason: Reason,
  },
  { $id: 'NoteDecision', description: 'A day can be closed with the item; its certificate lists it' },
)
const MatchDecision = Type.Object(
  {
    decision: decision('match', 'The items are the same money'),
    with: Type.Array(Id('settlementItem'), {
      minItems: 1,
      maxItems: 1000,
      description: 'The other items. Lines and movements must have the same sum',
    }),
    reason: Reason,
  },
  { $id: 'MatchDecision', description: 'A match by hand' },
)
const UnmatchDecision = Type.Object(
  { decision: decision('unmatch', 'The match of the item ends, and no rule matches its items again'), reason: Reason },
  { $id: 'UnmatchDecision', description: 'The end of a match' },
)
const SplitDecision = Type.Object(
  {
    decision: decision('split', 'The item becomes parts, which are matched each by itself'),
    amounts: Type.Array(SignedCents, {
      minItems: 2,
      maxItems: 100,
      description: 'Cents of the parts, which add up to the item',
    }),
    reason: Reason,
  },
  { $id: 'SplitDecision', description: 'A split' },
)
const BookDecision = Type.Object(
  {
    decision: decision('book', 'The ledger books a line that it does not have, or takes a movement back'),
    to: Type.Enum(['fees', 'funding', 'suspense', 'write-off'], {
      description: 'Account that the money comes from or goes to',
    }),
    reason: Reason,
  },
  { $id: 'BookDecision', description: 'A booking of today, in the first organisation' },
)
const DirectDecision = Type.Object(
  {
    decision: decision('direct', 'The person says which way the money of a line went'),
    direction: Type.Enum(['credit', 'debit'], { description: '`credit` if money came' }),
    reason: Reason,
  },
  { $id: 'DirectDecision', description: 'The direction of a line whose type code does not say it' },
)
const DecideSettlementItemBody = Type.Union(
  [NoteDecision, MatchDecision, UnmatchDecision, SplitDecision, BookDecision, DirectDecision],
  { description: 'The decision', discriminator: { propertyName: 'decision' } },
)
export type DecideSettlementItemInput = Static<typeof DecideSettlementItemBody>

/** Extension. Decides about an item that no rule could match. */
export const decideSettlementItem = closingWrite({
  id: 'decideSettlementItem',
  resource: 'settlementItems',
  verb: 'decide',
  path: '/v0/closing/items/:settlementItemId/decide',
  summary: 'Decide settlement item',
  description: `Matches, splits, books or notes an item with a reason, or ends its match. Afterwards the rules match what follows from it. An item in another state is refused with \`settlement_item_wrong_state\`, amounts that do not agree with \`settlement_sums_differ\` and the cents. An item is booked once. ${operatorOnly}`,
  status: 204,
  params: Type.Object({ settlementItemId: Id('settlementItem') }),
  body: DecideSettlementItemBody,
  data: Type.Null(),
  problems: [
    'closing_unavailable',
    'settlement_item_not_found',
    'settlement_item_wrong_state',
    'settlement_sums_differ',
    'proposal_waiting',
  ],
  signature: {
    decision: 'writeOff',
    judge: async ({ closing, caller }, { params: { settlementItemId: recordId }, body: { decision, reason } }) => {
      if (decision !== 'book') return undefined
      return { amount: await closing.bookableAmount(caller, recordId), reason, recordId }
    },
  },
  run: ({ closing, write }, { params, body }) => closing.decideSettlementItem(write, params.settlementItemId, body),
})
