import { type Static, Type } from 'typebox'
import { CentsValue } from '../base/cents.ts'
import { type Answer, type Caller, operationsOver, type Write } from '../base/operation.ts'
import { type Page, pageQuery } from '../base/page.ts'
import { described, Text, Timestamp } from '../base/text.ts'
import type { DecideSettlementItemInput } from './decide-settlement-item.ts'
import type { BankStatementFile } from './list-bank-statements.ts'
import type { ClosingDay } from './list-closing-days.ts'
import type { SettlementItem } from './list-settlement-items.ts'
import type { StatementIntake, TakeBankStatementInput } from './take-bank-statement.ts'

export const BankingDay = Type.String({
  format: 'date',
  pattern: '^\\d{4}-\\d\\d-\\d\\d$',
  examples: ['2026-02-03'],
  description: 'Banking day, in Eastern time',
})
export const SignedCents = described(CentsValue, 'Whole cents: positive if money came to the settlement account')
export const Reason = Text(1, 400, { description: 'Why it is decided so', examples: ['The bank was asked'] })
export const listedPart = { limit: pageQuery.limit, offset: pageQuery.offset }
export type ListedPart = { limit?: number; offset?: number }

/** The words with which the description of every operation of this area ends. */
export const operatorOnly =
  'The statements are those of the whole bank, so only keys of the first organisation may use this. Without PURSER_STATEMENT_ACCOUNT, and with several databases, the refusal is `closing_unavailable`. Nothing is emitted.'

export const DayCertificate = Type.Object(
  {
    day: BankingDay,
    version: Type.Integer({ minimum: 1, description: '1, and one more after each reopening', examples: [1] }),
    sha256: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the certificate, by which the next one names it',
      examples: ['3b7c0f7a9e2d4c61b8a5f0e3d2c1b4a5968778695a4b3c2d1e0f1a2b3c4d5e6f'],
    }),
    closedAt: described(Timestamp, 'When the day was closed, in real time'),
    reopenedAt: Type.Union([Timestamp, Type.Null()], {
      description: 'When the day was reopened, in real time; null if this version is valid',
    }),
    reopenedBecause: Type.Union([Type.String(), Type.Null()], { description: 'The reason of the reopening' }),
    certificate: Type.String({
      description: 'The signed certificate, byte for byte as `purser day verify` takes it',
      examples: ['{"certificate": …}'],
    }),
  },
  { $id: 'DayCertificate', description: 'The certificate of a closed banking day' },
)
export type DayCertificate = Static<typeof DayCertificate>

const KindBalance = Type.Object(
  {
    kind: Type.String({
      description: 'Kind of account; `customers` for those of all customers',
      examples: ['customers'],
    }),
    balance: described(CentsValue, 'Balance at the end of the day, in cents'),
  },
  { $id: 'KindBalance', description: 'The balance of all accounts of a kind' },
)

export const ClosingDayDetails = Type.Object(
  {
    day: BankingDay,
    state: Type.Enum(['closed', 'open'], { description: 'Whether the day has a valid certificate' }),
    reasons: Type.Array(Type.String(), {
      description: 'Each fact that keeps the day open, with its cents; empty if it can be closed, or is',
      examples: [['the ledger does not have item 12 of 2026-02-03, -1500 cents, 698 FEES']],
    }),
    settlement: Type.Object(
      {
        statement: described(CentsValue, 'The settlement account by the statement'),
        ledger: described(CentsValue, 'The settlement account by the ledger'),
        statementItems: described(CentsValue, 'Lines of the statement that the ledger does not have'),
        ledgerItems: described(CentsValue, 'Movements of the ledger that the statement does not have'),
        difference: described(CentsValue, 'The rest, which no item explains; 0 on a closed day'),
      },
      { $id: 'SettlementTerms', description: 'The terms of the day, in cents' },
    ),
    ledger: Type.Array(KindBalance, { description: 'The balances of all accounts, which add up to zero' }),
    certificates: Type.Array(DayCertificate, { description: 'The certificates of the day, the newest first' }),
  },
  { $id: 'ClosingDayDetails', description: 'A banking day with all terms to the cent' },
)
export type ClosingDayDetails = Static<typeof ClosingDayDetails>

/** The closing of banking days: one method for each operation, under the operation's id. */
export interface Closing {
  listClosingDays(caller: Caller, month: string): Promise<Page<ClosingDay>>
  getClosingDay(caller: Caller, day: string): Promise<ClosingDayDetails>
  closeDay(write: Write<DayCertificate>, day: string): Promise<Answer>
  reopenDay(write: Write<DayCertificate>, day: string, reason: string): Promise<Answer>
  listSettlementItems(caller: Caller, query: ListedPart & { day?: string }): Promise<Page<SettlementItem>>
  /** The cents that a booking of the item is about; refuses an item that cannot be booked. */
  bookableAmount(caller: Caller, settlementItemId: string): Promise<number>
  decideSettlementItem(write: Write<null>, settlementItemId: string, input: DecideSettlementItemInput): Promise<Answer>
  listBankStatements(caller: Caller, query: ListedPart): Promise<Page<BankStatementFile>>
  takeBankStatement(write: Write<StatementIntake>, input: TakeBankStatementInput): Promise<Answer>
}

export const { read: closingRead, write: closingWrite } = operationsOver<{ closing: Closing }>('closing', 'risk:write')
