import { type Static, Type } from 'typebox'
import { RecordId } from '../../base/ids.ts'
import { Problem } from '../../base/problem.ts'
import { CreatedAt, described, Timestamp, Word } from '../../base/text.ts'
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

const permissionWords = ['CreditOnly', 'CreditAndDebit'] as const
export type Permissions = (typeof permissionWords)[number]

export const mandateAuthorizations = ['Online', 'Written', 'Phone'] as const

/** The authorization of a customer to collect money from an external account. */
export const Mandate = Type.Object(
  {
    authorization: Word(mandateAuthorizations, { description: 'How the customer gave it' }),
    textVersion: Type.String({ description: 'Version of the text that the customer agreed to', examples: ['2026-01'] }),
    authorizedAt: described(Timestamp, 'When the customer gave it'),
    address: Type.String({ description: 'Where it came from, such as an IP address', examples: ['203.0.113.7'] }),
    revokedAt: Type.Optional(
      described(Timestamp, 'When it was revoked, in bank time; absent while money can be collected with it'),
    ),
  },
  { $id: 'Mandate', description: 'The authorization of a customer to collect money from an external account' },
)
export type Mandate = Omit<Static<typeof Mandate>, 'authorization'> & {
  authorization: (typeof mandateAuthorizations)[number]
}

export const verificationMethods = ['MicroEntries', 'Prenote'] as const
export type VerificationMethod = (typeof verificationMethods)[number]
const verificationFailures = ['WrongAmounts', 'Expired', 'Returned', 'Rejected', 'NumberChanged'] as const
export type VerificationFailure = (typeof verificationFailures)[number]

/** The verification of an external account. */
const Verification = Type.Object(
  {
    method: Word(['Attestation', ...verificationMethods], {
      description:
        '`Attestation`: the operator has verified the account elsewhere. `MicroEntries`: the customer names two small amounts. `Prenote`: an entry without money that the other bank does not return',
    }),
    status: Word(['Pending', 'Sent', 'Verified', 'Failed'], {
      description:
        '`Pending` before its entries have left and settled, `Sent` while they can be confirmed or returned, then `Verified` or `Failed`',
    }),
    startedAt: Type.Optional(described(Timestamp, 'When it began, in bank time; absent for an attestation')),
    endsAt: Type.Optional(
      described(
        Timestamp,
        'While it is `Sent`: until then amounts can be confirmed; a prenote that is not returned verifies the account then',
      ),
    ),
    attemptsLeft: Type.Optional(
      Type.Integer({
        description: 'While micro-entries are `Sent`: wrong amounts that can still be sent',
        examples: [3],
      }),
    ),
    verifiedAt: Type.Optional(described(Timestamp, 'When it was verified, in bank time')),
    reference: Type.Optional(
      Type.String({ description: 'The proof that the operator named', examples: ['case 2026-0042'] }),
    ),
    reason: Type.Optional(
      Word(verificationFailures, {
        description:
          'Why it failed: too many wrong amounts, no confirmation in time, an entry that the other bank returned, a batch that the receiving bank rejected, or another number of the account',
      }),
    ),
    returnCode: Type.Optional(
      Type.String({ description: 'NACHA code of the return that made it fail', examples: ['R03'] }),
    ),
  },
  { $id: 'ExternalAccountVerification', description: 'The verification of an external account' },
)
export type Verification = Static<typeof Verification>

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
    permissions: Word(permissionWords, {
      description:
        '`CreditOnly`: money can be sent there, and not collected. `CreditAndDebit`: the account is verified, and money can be collected with a mandate',
    }),
    customerId: RecordId('The customer who can pay it'),
    review: Type.Optional(
      Word(reviews, {
        description:
          'Present if the screening asked for a review. With `PendingReview` payments to the account wait until a reviewer decides',
      }),
    ),
    mandate: Type.Optional(Mandate),
    verification: Type.Optional(Verification),
  },
  { $id: 'ExternalAccount', description: 'An account at any bank that a customer can pay' },
)
export type ExternalAccount = Static<typeof ExternalAccount>

/** Throws the refusal of an account that cannot be debited by its kind: a loan is debited to reverse a credit only. */
export function requireDebitable({ accountType }: { accountType: string }): void {
  if (accountType === 'Loan') throw new Problem('external_account_not_debitable')
}

/** Throws the refusal of an account that no verification can begin for. */
export function requireVerifiable(account: { accountType: string; permissions: string; review?: string | null }): void {
  requireDebitable(account)
  if (account.permissions === 'CreditAndDebit') throw new Problem('external_account_verified')
  if (account.review === 'PendingReview') throw new Problem('external_account_in_review')
}

/** Throws the refusal of an account whose micro-entries cannot be confirmed now. */
export function requireConfirmable({
  verification,
}: {
  verification?: Pick<Verification, 'method' | 'status'> | null
}): void {
  if (verification?.method !== 'MicroEntries' || verification.status !== 'Sent') {
    throw new Problem('verification_not_confirmable')
  }
}

/** Throws the refusal of an account without a mandate, or with a revoked one. */
export function requireLiveMandate({ mandate }: { mandate?: Pick<Mandate, 'revokedAt'> | null }): void {
  if (!mandate || mandate.revokedAt !== undefined) throw new Problem('mandate_missing')
}

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
