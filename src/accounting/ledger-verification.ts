import { type Static, Type } from 'typebox'
import { Timestamp, Word } from '../base/text.ts'

/** A row that breaks a law, with the columns that show it. */
const LedgerBreach = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
  {
    $id: 'LedgerBreach',
    description: 'A row of the database that breaks a law: names of columns with their values',
    examples: [{ id: 1000042, hold: 500, held: 0 }],
  },
)

const LedgerLaw = Type.Object(
  {
    law: Type.String({
      description: 'The law as a sentence',
      examples: ['balances sum to zero in every organisation'],
    }),
    holds: Type.Union([Type.Boolean(), Type.Null()], { description: 'Null if the law was not checked' }),
    rows: Type.Array(LedgerBreach, { description: 'Up to 20 rows that break the law; empty if it holds' }),
    more: Type.Boolean({ description: 'Whether further rows break the law' }),
  },
  { $id: 'LedgerLaw', description: 'An invariant of the ledger, and whether it holds' },
)

export const LedgerVerification = Type.Object(
  {
    status: Word(['NotRun', 'Holds', 'Broken', 'Incomplete'], {
      description:
        '`NotRun` before the first check; `Holds` if every law holds; `Broken` if one does not; `Incomplete` if the time was over before every law was checked, and those that were checked hold',
    }),
    checkedAt: Type.Union([Timestamp, Type.Null()], {
      description: 'Bank time of the state that was checked; null before the first check',
    }),
    durationMs: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Duration of the check in milliseconds; null before the first check',
    }),
    laws: Type.Array(LedgerLaw, { description: 'Every law, checked or not' }),
  },
  { $id: 'LedgerVerification', description: 'A check of the laws of the ledger for one organisation' },
)
export type LedgerVerification = Static<typeof LedgerVerification>
