import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { Tags, Timestamp, Word } from '../../base/text.ts'
import type { StateRules } from '../state-rules.ts'

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

/** The operations that need an account in a certain state. Money that is refunded or returned reaches any account. */
export const accountRules = {
  freezeAccount: { from: ['Open'], to: 'Frozen', otherwise: 'account_not_open' },
  unfreezeAccount: { from: ['Frozen'], to: 'Open', otherwise: 'account_not_frozen' },
  closeAccount: { from: ['Open', 'Frozen'], to: 'Closed', otherwise: 'account_closed' },
  reopenAccount: { from: ['Closed'], to: 'Open', otherwise: 'account_not_closed' },
  createCard: { from: ['Open'], otherwise: 'account_not_open' },
  replaceCard: { from: ['Open', 'Frozen'], otherwise: 'account_not_open' },
  activateCard: { from: ['Open'], otherwise: 'account_not_open' },
  createPayment: { from: ['Open'], otherwise: 'account_not_open' },
  receiveAch: { from: ['Open', 'Frozen'], otherwise: 'account_closed' },
  receiveAchDebit: { from: ['Open'], otherwise: 'account_not_open' },
} as const satisfies StateRules<string, AccountStatus>
