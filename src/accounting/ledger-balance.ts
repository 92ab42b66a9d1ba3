import { type Static, Type } from 'typebox'
import { AccountKindWord, LedgerAccountId } from './ledger-account.ts'

export const LedgerBalance = Type.Object(
  {
    date: Type.String({
      format: 'date',
      pattern: '^\\d{4}-\\d\\d-\\d\\d$',
      examples: ['2026-01-31'],
      description: 'A day of bank time, in UTC',
    }),
    accountId: Type.Union([LedgerAccountId, Type.Null()], {
      description: 'Null for the sum of all accounts of a kind',
    }),
    kind: AccountKindWord,
    balance: Type.Integer({
      description: 'Balance at the end of the day in cents; of today, the balance now',
      examples: [2000],
    }),
    transfers: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Number of transfers of the day; null for the sum of deposit accounts',
    }),
  },
  { $id: 'LedgerBalance', description: 'The balance of an account, or of all accounts of a kind, at the end of a day' },
)
export type LedgerBalance = Static<typeof LedgerBalance>
