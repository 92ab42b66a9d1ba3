import { type Static, Type } from 'typebox'
import { RecordId } from '../../base/ids.ts'
import { CreatedAt, Word } from '../../base/text.ts'
import type { StateRules } from '../state-rules.ts'

const accountTypes = ['Checking', 'Savings', 'Loan'] as const
export const AccountType = Type.Enum([...accountTypes], { description: 'Kind of account' })
const holderTypes = ['Business', 'Person', 'Unknown'] as const
export const HolderType = Type.Enum([...holderTypes], { description: 'Kind of holder' })
export const RoutingNumber = Type.String({
  pattern: '^[0-9]{9}$',
  description: 'ABA routing number of the bank',
  examples: ['021000021'],
})
export const AccountNumber = Type.String({
  pattern: '^[0-9]{1,17}$',
  description: 'Account number at that bank',
  examples: ['9876543210'],
})

const reviews = ['PendingReview', 'Approved', 'Rejected'] as const
export type ExternalAccountReview = (typeof reviews)[number]

export const ExternalAccount = Type.Object(
  {
    id: RecordId(),
    createdAt: CreatedAt,
    name: Type.String({ description: 'Name of the holder', examples: ['Grace Sample'] }),
    routingNumber: RoutingNumber,
    bank: Type.String({ description: 'Name of the bank with this routing number', examples: ['JPMorgan Chase'] }),
    accountNumber: AccountNumber,
    accountType: Word(accountTypes, { description: 'Kind of account' }),
    type: Word(holderTypes, { description: 'Kind of holder' }),
    permissions: Word(['CreditOnly'], { description: '`CreditOnly`: money can be sent there, and not collected' }),
    customerId: RecordId('The customer who can pay it'),
    review: Type.Optional(
      Word(reviews, {
        description:
          'Present if the screening asked for a review. With `PendingReview` payments to the account wait until a reviewer decides',
      }),
    ),
  },
  { $id: 'ExternalAccount', description: 'An account at any bank that a customer can pay' },
)
export type ExternalAccount = Static<typeof ExternalAccount>

export type ExternalAccountState = 'Live' | 'Deleted'

/** The operations that need an external account in a certain state. A deleted one is as if it never existed. */
export const externalAccountRules = {
  deleteExternalAccount: { from: ['Live'], to: 'Deleted', otherwise: 'external_account_not_found' },
} as const satisfies StateRules<string, ExternalAccountState>

/** The decisions about an external account that waits for a reviewer. A rejected one is deleted. */
export const externalAccountReviewRules = {
  approveExternalAccount: { from: ['PendingReview'], to: 'Approved', otherwise: 'external_account_not_in_review' },
  rejectExternalAccount: { from: ['PendingReview'], to: 'Rejected', otherwise: 'external_account_not_in_review' },
} as const satisfies StateRules<string, ExternalAccountReview | 'None'>
