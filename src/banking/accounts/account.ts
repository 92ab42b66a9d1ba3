import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import type { ProblemCode } from '../../base/problem.ts'
import { Tags, Timestamp, Word } from '../../base/text.ts'

const accountStatuses = ['Open', 'Frozen', 'Closed'] as const
export const AccountStatus = Type.Enum([...accountStatuses])
export type AccountStatus = Static<typeof AccountStatus>

export const DepositAccount = Type.Object(
  {
    id: RecordId(),
    type: Word(['depositAccount']),
    customerId: RecordId(),
    createdAt: Timestamp,
    name: Type.String({ description: 'Account holder name', examples: ['Ada Example'] }),
    depositProduct: Word(['checking']),
    routingNumber: Type.String({ pattern: '^\\d{9}$', examples: ['812345678'] }),
    accountNumber: Type.String({ pattern: '^\\d+$', examples: ['1000000042'] }),
    currency: Word(['USD']),
    available: CentsValue,
    balance: CentsValue,
    hold: CentsValue,
    status: Word(accountStatuses),
    tags: Tags,
  },
  { $id: 'DepositAccount' },
)
export type DepositAccount = Static<typeof DepositAccount>

export const CloseReason = Type.Enum(['ByCustomer', 'Fraud', 'NegativeBalance'])

export type AccountMove = 'freeze' | 'unfreeze' | 'close' | 'reopen'

interface Move {
  from: AccountStatus[]
  to: AccountStatus
  otherwise: ProblemCode
}

const moves: Record<AccountMove, Move> = {
  freeze: { from: ['Open'], to: 'Frozen', otherwise: 'account_not_open' },
  unfreeze: { from: ['Frozen'], to: 'Open', otherwise: 'account_not_frozen' },
  close: { from: ['Open', 'Frozen'], to: 'Closed', otherwise: 'account_closed' },
  reopen: { from: ['Closed'], to: 'Open', otherwise: 'account_not_closed' },
}

/** The status after a move, or the code of the refusal. */
export function moveAccount(
  status: AccountStatus,
  move: AccountMove,
): { status: AccountStatus } | { refused: ProblemCode } {
  const { from, to, otherwise } = moves[move]
  return from.includes(status) ? { status: to } : { refused: otherwise }
}
