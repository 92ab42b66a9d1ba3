import type { BankingProvider } from '../../banking/provider.ts'
import { type AccountSettings, accountsOf } from './accounts.ts'
import { applicationsOf } from './applications.ts'
import { authorizationsOf } from './authorizations.ts'
import { cardsOf } from './cards.ts'
import { customersOf } from './customers.ts'
import { externalAccountsOf } from './external-accounts.ts'
import { connectorOf, type UnitParts } from './parts.ts'
import { paymentsOf } from './payments.ts'
import { statementsOf } from './statements.ts'
import { transactionsOf } from './transactions.ts'

/**
 * All banking operations but these: with Unit, holders activate their cards, and limits and cancellations are its dashboard's. Unit
 * makes one payment a call, so that a batch would take minutes: its payments are to be sent one by one.
 */
export type UnitBank = Required<
  Omit<
    BankingProvider,
    | 'activateCard'
    | 'cancelPayment'
    | 'createPaymentBatch'
    | 'getAccountLimits'
    | 'listAllAuthorizations'
    | 'setAccountLimits'
    | 'createAccountHold'
    | 'listAccountHolds'
    | 'getAccountHold'
    | 'releaseAccountHold'
    | 'listAchBatches'
    | 'getAchBatch'
    | 'listAchEntries'
    | 'getCardLimits'
    | 'setCardLimits'
    | 'getAchReconciliation'
    | 'getReturnRates'
    | 'listReceivedPayments'
    | 'getReceivedPayment'
    | 'returnReceivedPayment'
    | 'updateExternalAccount'
    | 'giveMandate'
    | 'revokeMandate'
    | 'startVerification'
    | 'confirmVerification'
    | 'attestExternalAccount'
    | 'createRecurringPayment'
    | 'listRecurringPayments'
    | 'getRecurringPayment'
    | 'pauseRecurringPayment'
    | 'resumeRecurringPayment'
    | 'skipRecurringPayment'
    | 'changeRecurringPayment'
    | 'cancelRecurringPayment'
    | 'listRecurringPaymentRuns'
    | 'listPlannedPayments'
    | 'retryPayment'
    | 'reversePayment'
    | 'blockPayments'
    | 'releasePayments'
  >
>

/** Banking by Unit. Its identifiers pass through. It serves one organisation, to which the credential belongs. */
export function openUnitBank(parts: UnitParts, settings: Partial<AccountSettings> = {}): UnitBank {
  const connector = connectorOf(parts)
  return {
    ...accountsOf(connector, { depositProduct: 'checking', sortsAccounts: false, ...settings }),
    ...applicationsOf(connector),
    ...authorizationsOf(connector),
    ...cardsOf(connector),
    ...customersOf(connector),
    ...externalAccountsOf(connector),
    ...paymentsOf(connector),
    ...statementsOf(connector),
    ...transactionsOf(connector),
  }
}
