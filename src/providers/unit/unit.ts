import type { BankingProvider } from '../../banking/provider.ts'
import { accountsOf } from './accounts.ts'
import { applicationsOf } from './applications.ts'
import { authorizationsOf } from './authorizations.ts'
import { cardsOf } from './cards.ts'
import { customersOf } from './customers.ts'
import { externalAccountsOf } from './external-accounts.ts'
import { connectorOf, type UnitParts } from './parts.ts'
import { paymentsOf } from './payments.ts'
import { statementsOf } from './statements.ts'
import { transactionsOf } from './transactions.ts'

/** All but one operation: cards are activated by their holder, at Unit. */
export type UnitBank = Required<Omit<BankingProvider, 'activateCard'>>

/**
 * Banking as Unit serves it, with its identifiers passed through. It serves one organisation, that of the credential.
 */
export function openUnitBank(parts: UnitParts): UnitBank {
  const connector = connectorOf(parts)
  return {
    ...accountsOf(connector),
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
