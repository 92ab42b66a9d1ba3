import { type Static, Type } from 'typebox'
import { RecordId } from '../base/ids.ts'
import { described } from '../base/text.ts'
import { BankingDay, closingRead, listedPart, operatorOnly, SignedCents } from './closing.ts'

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const SettlementItem = Type.Object(
  {
    id: described(RecordId(), 'Id of the item'),
    side: Type.Enum(['statement', 'ledger'], {
      description:
        '`statement` for a line of the bank, `ledger` for a movement of the settlement account of the ledger',
    }),
    day: described(BankingDay, 'Day of the line or the movement, in Eastern time'),
    ageDays: Type.Integer({ description: 'Days since then', examples: [3] }),
    amount: Type.Union([SignedCents, Type.Null()], {
      description: 'Whole cents: positive if money came to the settlement account; null if the line does not say it',
    }),
    description: Type.String({ description: 'Code, references and text', examples: ['698 B2 FEES'] }),
    hint: orNull('Guess about an item that is in no match, for the person who looks at it'),
    owner: orNull('Person who answers for the item; null for nobody'),
    note: orNull('Note of the owner'),
    match: orNull('The match that the item is in; the items of one match have the same'),
    reason: orNull('Reason of the match'),
  },
  { $id: 'SettlementItem', description: 'A line of the statement, or a movement of the ledger' },
)
export type SettlementItem = Static<typeof SettlementItem>

/** Extension. Lists lines of the statement and movements of the ledger. */
export const listSettlementItems = closingRead({
  id: 'listSettlementItems',
  resource: 'settlementItems',
  verb: 'list',
  path: '/v0/closing/items',
  summary: 'List settlement items',
  description: `Lists the items that are in no match, the oldest first. With \`day\` it lists all items of a day, and why they match. At most 10,000 are listed. ${operatorOnly}`,
  query: Type.Object({
    day: Type.Optional(
      described(
        BankingDay,
        'All items of this day, in Eastern time; of a banking day also those of the weekend and holidays before it',
      ),
    ),
    ...listedPart,
  }),
  data: Type.Array(SettlementItem),
  problems: ['closing_unavailable'],
  run: ({ closing, caller }, { query }) => closing.listSettlementItems(caller, query),
})
