import { type Static, Type } from 'typebox'
import { UPLOAD_BODY_LIMIT } from '../base/base64-file.ts'
import { Text } from '../base/text.ts'
import { BankingDay, closingWrite, operatorOnly, Reason } from './closing.ts'

const sample = Buffer.from('01,061000146,PROGRAM,260203,0200,1,,,2/\n').toString('base64')

const TakeBankStatementBody = Type.Object(
  {
    name: Text(1, 200, { description: 'Name of the file', examples: ['2026-02-03.bai'] }),
    file: Type.String({
      description: 'The file in Base64, at most 20 MiB when decoded',
      contentEncoding: 'base64',
      examples: [sample],
    }),
    replace: Type.Optional({
      ...Reason,
      description: 'Reason to take it in the place of another statement of its day',
    }),
  },
  { description: 'The file of the bank' },
)
export type TakeBankStatementInput = Static<typeof TakeBankStatementBody>

export const StatementIntake = Type.Object(
  {
    state: Type.Enum(['taken', 'already taken', 'refused'], { description: 'Outcome of the file' }),
    detail: Type.String({
      description: 'Content of the file, or the reason of its refusal',
      examples: ['1 statement of the account'],
    }),
    statements: Type.Array(
      Type.Object(
        {
          asOf: BankingDay,
          entries: Type.Integer({ minimum: 0, description: 'Number of lines' }),
          flags: Type.Array(Type.String(), { description: 'Habits of the bank that the format does not allow' }),
          effect: Type.Enum(['taken', 'duplicate', 'replaced', 'deleted', 'interim', 'test'], {
            description: 'Outcome of the statement. No day is closed on an `interim` one',
          }),
        },
        { $id: 'TakenStatement', description: 'A statement of the settlement account' },
      ),
      { description: 'The statements of the settlement account in the file' },
    ),
  },
  { $id: 'StatementIntake', description: 'The outcome of a file' },
)
export type StatementIntake = Static<typeof StatementIntake>

/** Extension. Takes a bank statement of the settlement account. */
export const takeBankStatement = closingWrite({
  id: 'takeBankStatement',
  resource: 'bankStatements',
  verb: 'take',
  path: '/v0/closing/statements',
  summary: 'Take bank statement',
  description: `Takes a file with statements of the settlement account (BAI2, camt.053, or CSV if PURSER_STATEMENT_CSV describes it), and matches its lines. A file is taken once. One that cannot be trusted is refused as a whole: the \`state\` of the answer is \`refused\`, and \`detail\` says why. A file above 20 MiB is refused with \`payload_too_large\`. ${operatorOnly}`,
  status: 201,
  bodyLimit: UPLOAD_BODY_LIMIT,
  body: TakeBankStatementBody,
  data: StatementIntake,
  problems: ['closing_unavailable'],
  run: ({ closing, write }, { body }) => closing.takeBankStatement(write, body),
})
