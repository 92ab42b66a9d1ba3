import { type Static, Type } from 'typebox'
import { CentsValue } from '../base/cents.ts'
import { Timestamp } from '../base/text.ts'
import { BankingDay, closingRead, listedPart, operatorOnly } from './closing.ts'

const cents = (description: string) => Type.Union([CentsValue, Type.Null()], { description })

export const BankStatementFile = Type.Object(
  {
    file: Type.String({ description: 'Name of the file', examples: ['2026-02-03.bai'] }),
    state: Type.Enum(['taken', 'refused'], { description: 'Outcome of the file' }),
    detail: Type.String({
      description: 'Content of the file, or the reason of its refusal',
      examples: ['1 statement of the account'],
    }),
    takenAt: Timestamp,
    asOf: Type.Union([BankingDay, Type.Null()], { description: 'Day of the statement; null if the file has none' }),
    page: Type.Union([Type.Integer(), Type.Null()], { description: 'Page of the statement' }),
    opening: cents('Opening balance in cents'),
    closing: cents('Closing balance in cents'),
    entries: Type.Union([Type.Integer(), Type.Null()], { description: 'Number of lines' }),
    flags: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'Habits of the bank that the format does not allow',
      examples: [['control_total_signed']],
    }),
    standing: Type.Union([Type.Enum(['current', 'replaced', 'interim']), Type.Null()], {
      description: 'Whether the statement counts',
    }),
  },
  {
    $id: 'BankStatementFile',
    description: 'A file with statements of the settlement account, and one statement in it',
  },
)
export type BankStatementFile = Static<typeof BankStatementFile>

/** Extension. Lists the latest files of statements. */
export const listBankStatements = closingRead({
  id: 'listBankStatements',
  resource: 'bankStatements',
  verb: 'list',
  path: '/v0/closing/statements',
  summary: 'List bank statements',
  description: `Lists the latest 400 statements of the settlement account that were taken or refused, the latest first. ${operatorOnly}`,
  query: Type.Object(listedPart),
  data: Type.Array(BankStatementFile),
  problems: ['closing_unavailable'],
  run: ({ closing, caller }, { query }) => closing.listBankStatements(caller, query),
})
