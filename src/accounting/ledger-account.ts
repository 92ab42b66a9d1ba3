import { type Static, Type } from 'typebox'
import { CreatedAt, Timestamp, Word } from '../base/text.ts'

/** The kinds of accounts: customers' deposits, and the internal accounts that stand for the world outside of the bank. */
export const accountKinds = [
  'deposit',
  'achClearing',
  'cardSettlement',
  'rewardsFunding',
  'achSettlement',
  'achSuspense',
  'achWriteOff',
  'bankFees',
  'bankFunding',
  'bankSuspense',
  'movedIn',
] as const
export type AccountKind = (typeof accountKinds)[number]

export const AccountKindWord = Word(accountKinds, {
  description:
    '`deposit` for an account of a customer. The others are internal: `achClearing` for money from and to other banks, `cardSettlement` for merchants, `rewardsFunding` for rewards. A bank with ACH files has `achSettlement`, the mirror of its account at the other bank, `achSuspense` for entries that are returned or need the operator, and `achWriteOff` for those that the operator wrote off. `bankFees`, `bankFunding` and `bankSuspense` are for lines of the bank statement that the operator books. `movedIn` is the other side of balances and transactions from a former system',
})

/** An id of an account in an answer. Internal accounts have negative ids. */
export const LedgerAccountId = Type.String({
  pattern: '^-?[1-9][0-9]*$',
  description: 'Id of the account; negative for an internal account, which only the operations on the ledger know',
  examples: ['1000042'],
})

const LedgerAccountOwner = Type.Object(
  {
    type: Word(['customer', 'bank'], { description: 'Kind of owner' }),
    id: Type.Union([Type.String(), Type.Null()], { description: 'Id of the customer; null for the bank' }),
    name: Type.String({ description: 'Name of the customer, or `Purser`', examples: ['Ada Example'] }),
  },
  {
    $id: 'LedgerAccountOwner',
    description: 'The owner of an account: a customer, or the bank for an internal account',
  },
)

export const LedgerAccount = Type.Object(
  {
    id: LedgerAccountId,
    kind: AccountKindWord,
    name: Type.String({ description: 'Name of the account', examples: ['Ada Example', 'ACH clearing'] }),
    owner: LedgerAccountOwner,
    status: Word(['Open', 'Frozen', 'Closed'], { description: 'State of the account; an internal one is `Open`' }),
    accountNumber: Type.Union([Type.String(), Type.Null()], {
      description: 'Number under which other banks know the account; null for an internal account',
    }),
    slot: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Number that distinguishes internal accounts of one kind: parallel writers post to different accounts. Null for a deposit account',
    }),
    balance: Type.Integer({
      description:
        'Posted balance in cents. That of an internal account is negative if more money came in than went out',
      examples: [2000],
    }),
    hold: Type.Integer({ description: 'Cents that open card authorizations hold', examples: [0] }),
    available: Type.Integer({ description: 'Balance less hold, in cents', examples: [2000] }),
    transfers: Type.Integer({ description: 'Number of transfers that have touched the account', examples: [12] }),
    lastTransferAt: Type.Union([Timestamp, Type.Null()], {
      description: 'Bank time of the latest transfer; null before the first',
    }),
    createdAt: CreatedAt,
  },
  { $id: 'LedgerAccount', description: 'An account as the ledger keeps it' },
)
export type LedgerAccount = Static<typeof LedgerAccount>
