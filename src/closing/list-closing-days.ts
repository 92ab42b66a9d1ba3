import { type Static, Type } from 'typebox'
import { BankingDay, closingRead, operatorOnly, SignedCents } from './closing.ts'

export const ClosingDay = Type.Object(
  {
    day: BankingDay,
    state: Type.Enum(['closed', 'open'], { description: 'Whether the day has a valid certificate' }),
    hasStatement: Type.Boolean({ description: 'Whether a final statement of the day was taken' }),
    version: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      description: 'Version of the certificate; null for an open day',
    }),
    openItems: Type.Integer({ minimum: 0, description: 'Items of the day that are in no match', examples: [1] }),
    missing: SignedCents,
  },
  {
    $id: 'ClosingDay',
    description:
      'A banking day of the calendar. `missing` is what the lines that are in no match bring, less such movements of the ledger',
  },
)
export type ClosingDay = Static<typeof ClosingDay>

/** Extension. Lists the banking days of a month that are over. */
export const listClosingDays = closingRead({
  id: 'listClosingDays',
  resource: 'closingDays',
  verb: 'list',
  path: '/v0/closing/days',
  summary: 'List closing days',
  description: `Lists the banking days of a month that are over, from the first statement on, the earliest first. ${operatorOnly}`,
  query: Type.Object({
    month: Type.String({
      pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
      description: 'The month, YYYY-MM',
      examples: ['2026-02'],
    }),
  }),
  data: Type.Array(ClosingDay),
  problems: ['closing_unavailable'],
  run: ({ closing, caller }, { query }) => closing.listClosingDays(caller, query.month),
})
