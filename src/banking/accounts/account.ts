import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { Problem } from '../../base/problem.ts'
import { CreatedAt, described, Tags, Word } from '../../base/text.ts'
import { type StateRules, stateAfter } from '../state-rules.ts'
import { PaymentBlock } from './payment-block.ts'

const accountStatuses = ['Open', 'Frozen', 'Closed'] as const
export const AccountStatus = Type.Enum([...accountStatuses])
export type AccountStatus = Static<typeof AccountStatus>

export const DepositAccount = Type.Object(
  {
    id: RecordId(),
    type: Word(['depositAccount'], { description: 'Always `depositAccount`' }),
    customerId: RecordId('The customer who owns the account'),
    createdAt: CreatedAt,
    name: Type.String({ description: 'Name of the account holder', examples: ['Ada Example'] }),
    depositProduct: Word(['checking'], { description: 'Kind of account' }),
    routingNumber: Type.String({
      pattern: '^\\d{9}$',
      description: 'ABA routing number of the bank',
      examples: ['812345678'],
    }),
    accountNumber: Type.String({
      pattern: '^\\d+$',
      description: 'Account number at the bank',
      examples: ['1000000042'],
    }),
    currency: Word(['USD'], { description: 'ISO 4217 code of the currency' }),
    available: described(
      CentsValue,
      'Balance minus hold, in cents; negative if the account is overdrawn, or more is held than it has',
    ),
    balance: described(CentsValue, 'Booked balance, in cents; negative if the account is overdrawn'),
    hold: described(CentsValue, 'Sum that open card authorizations and active holds reserve, in cents'),
    status: Word(accountStatuses, {
      description: '`Open`; `Frozen`: money arrives and none leaves; or `Closed`',
    }),
    tags: Tags,
    paymentBlock: Type.Optional(PaymentBlock),
  },
  { $id: 'DepositAccount', description: 'A checking account of a customer' },
)
export type DepositAccount = Static<typeof DepositAccount>

export const CloseReason = Type.Enum(['ByCustomer', 'Fraud', 'NegativeBalance'], {
  description: 'Why the account is closed',
})

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
  createBookTransfer: { from: ['Open'], otherwise: 'account_not_open' },
  receiveBookTransfer: { from: ['Open', 'Frozen'], otherwise: 'account_closed' },
  createAccountHold: { from: ['Open', 'Frozen'], otherwise: 'account_closed' },
  receiveAch: { from: ['Open', 'Frozen'], otherwise: 'account_closed' },
  returnReceivedCredit: { from: ['Open', 'Closed'], otherwise: 'account_not_open' },
  receiveAchDebit: { from: ['Open'], otherwise: 'account_not_open' },
} as const satisfies StateRules<string, AccountStatus>

/** The state of an account, and who asks to change it. */
export interface AccountChange {
  status: AccountStatus
  /** Whether a key with `risk:write` froze the account. */
  stoppedByBank: boolean
  /** Whether the caller has `risk:write`. */
  decidesRisk: boolean
}

/**
 * The status of an account after a change. Throws the refusal of the state, and of an app that would end what the bank has
 * stopped. The bank may also freeze an account that the app has frozen, so that the app cannot open it again.
 */
export function accountStatusAfter(
  operationId: 'freezeAccount' | 'unfreezeAccount' | 'closeAccount' | 'reopenAccount',
  { status, stoppedByBank, decidesRisk }: AccountChange,
): AccountStatus {
  if (operationId === 'freezeAccount' && status === 'Frozen' && decidesRisk && !stoppedByBank) return status
  const after = stateAfter(accountRules, operationId, status)
  if (stoppedByBank && !decidesRisk) throw new Problem('risk_key_required', { detail: STOPPED })
  return after
}

const STOPPED = 'The bank froze the account: only an API key with the scope risk:write unfreezes, closes or reopens it.'
