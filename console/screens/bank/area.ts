import type { Area } from '../../screens.tsx'
import { Account } from './accounts/account.tsx'
import { Transaction } from './accounts/transaction.tsx'
import { Application, DocumentScreen } from './applications/application.tsx'
import { AuthorizationScreen } from './cards/authorization.tsx'
import { CardScreen } from './cards/card.tsx'
import { Customer } from './customers/customer.tsx'
import { ExternalAccount } from './customers/external-account.tsx'
import { Ledger } from './ledger/ledger.tsx'
import { LedgerAccounts, LedgerJournal } from './ledger/lists.tsx'
import {
  Accounts,
  Applications,
  Authorizations,
  Cards,
  Customers,
  Payments,
  Statements,
  Transactions,
} from './lists.tsx'
import { PayMany } from './pay-many/pay-many.tsx'
import { Payment } from './payment.tsx'
import { AchBatchScreen } from './rails/batch.tsx'
import { AchFileScreen } from './rails/file.tsx'
import { AchBatches, AchFiles, ReceivedPayments } from './rails/lists.tsx'
import { ReceivedPaymentScreen } from './rails/received-payment.tsx'
import { AchReconciliationScreen } from './rails/reconciliation.tsx'
import { ReturnRatesScreen } from './rails/return-rates.tsx'
import { RecurringCalendar } from './recurring/calendar.tsx'
import { RecurringPayments } from './recurring/lists.tsx'
import { RecurringPaymentScreen } from './recurring/recurring-payment.tsx'
import { ReviewApplications } from './review/applications.tsx'
import { ProposalScreen, Proposals } from './review/proposals.tsx'
import { OverSettlements, ReviewExternalAccounts, ReviewPayments } from './review/queues.tsx'
import { Statement } from './statements/statement.tsx'

/** The screens of the bank. */
export const bank: Area = {
  pages: {
    '/accounts': Accounts,
    '/applications': Applications,
    '/authorizations': Authorizations,
    '/cards': Cards,
    '/customers': Customers,
    '/ledger': Ledger,
    '/ledger/accounts': LedgerAccounts,
    '/ledger/journal': LedgerJournal,
    '/payments': Payments,
    '/payments/batch': PayMany,
    '/rails': AchBatches,
    '/rails/files': AchFiles,
    '/rails/received': ReceivedPayments,
    '/rails/reconciliation': AchReconciliationScreen,
    '/rails/return-rates': ReturnRatesScreen,
    '/recurring-payments': RecurringPayments,
    '/recurring-payments/calendar': RecurringCalendar,
    '/review': ReviewApplications,
    '/review/external-accounts': ReviewExternalAccounts,
    '/review/over-settlements': OverSettlements,
    '/review/payments': ReviewPayments,
    '/review/proposals': Proposals,
    '/statements': Statements,
    '/transactions': Transactions,
  },
  records: {
    '/accounts': Account,
    '/applications': Application,
    '/authorizations': AuthorizationScreen,
    '/cards': CardScreen,
    '/customers': Customer,
    '/documents': DocumentScreen,
    '/external-accounts': ExternalAccount,
    '/payments': Payment,
    '/rails/batches': AchBatchScreen,
    '/rails/files': AchFileScreen,
    '/rails/received': ReceivedPaymentScreen,
    '/recurring-payments': RecurringPaymentScreen,
    '/review/proposals': ProposalScreen,
    '/statements': Statement,
    '/transactions': Transaction,
  },
}
