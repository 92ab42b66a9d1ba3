import { type ComponentType, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { Reading } from './components/feedback/empty.tsx'
import { decoded, recordPath } from './routes.ts'
import { Account } from './screens/bank/accounts/account.tsx'
import { Accounts } from './screens/bank/accounts/accounts.tsx'
import { Transaction } from './screens/bank/accounts/transaction.tsx'
import { Transactions } from './screens/bank/accounts/transactions.tsx'
import { Application } from './screens/bank/applications/application.tsx'
import { Applications } from './screens/bank/applications/applications.tsx'
import { DocumentScreen } from './screens/bank/applications/document.tsx'
import { AuthorizationScreen } from './screens/bank/cards/authorization.tsx'
import { Authorizations } from './screens/bank/cards/authorizations.tsx'
import { CardScreen } from './screens/bank/cards/card.tsx'
import { Cards } from './screens/bank/cards/cards.tsx'
import { Customer } from './screens/bank/customers/customer.tsx'
import { Customers } from './screens/bank/customers/customers.tsx'
import { ExternalAccount } from './screens/bank/customers/external-account.tsx'
import { Ledger } from './screens/bank/ledger/ledger.tsx'
import { LedgerAccounts } from './screens/bank/ledger/ledger-accounts.tsx'
import { LedgerJournal } from './screens/bank/ledger/ledger-journal.tsx'
import { PayMany } from './screens/bank/pay-many/pay-many.tsx'
import { Payment } from './screens/bank/payment.tsx'
import { Payments } from './screens/bank/payments.tsx'
import { railPages, railRecords } from './screens/bank/rails/index.ts'
import { reviewPages } from './screens/bank/review/index.ts'
import { Statement } from './screens/bank/statements/statement.tsx'
import { Statements } from './screens/bank/statements/statements.tsx'
import { ClockScreen } from './screens/developers/clock.tsx'
import { developerPages, developerRecords } from './screens/developers/index.ts'
import { referencePages, referenceRecords } from './screens/developers/reference/index.tsx'
import { Home } from './screens/home.tsx'
import { RecordScreen } from './screens/record.tsx'
import { rewardPages, rewardRecords } from './screens/rewards/index.ts'
import { NotFound } from './shell/not-found.tsx'

/** The screens without parameters. */
const pages: Record<string, ComponentType> = {
  '/': Home,
  ...developerPages,
  ...referencePages,
  ...rewardPages,
  ...railPages,
  ...reviewPages,
  '/accounts': Accounts,
  '/applications': Applications,
  '/customers': Customers,
  '/authorizations': Authorizations,
  '/cards': Cards,
  '/clock': ClockScreen,
  '/ledger': Ledger,
  '/ledger/accounts': LedgerAccounts,
  '/ledger/journal': LedgerJournal,
  '/payments': Payments,
  '/payments/batch': PayMany,
  '/statements': Statements,
  '/transactions': Transactions,
}

/** The screens of records, by the path of their list. */
const records: Record<string, ComponentType<{ id: string }>> = {
  ...developerRecords,
  ...referenceRecords,
  ...rewardRecords,
  ...railRecords,
  '/accounts': Account,
  '/applications': Application,
  '/customers': Customer,
  '/documents': DocumentScreen,
  '/external-accounts': ExternalAccount,
  '/authorizations': AuthorizationScreen,
  '/cards': CardScreen,
  '/payments': Payment,
  '/statements': Statement,
  '/transactions': Transaction,
}

/** Types of records that the general screen shows. */
const plain: Record<string, string> = {
  '/account-holds': 'accountHold',
  '/rewards/users': 'partnerUser',
  '/rewards/cards': 'partnerUserCard',
  '/rewards/purchases': 'rewardableTransaction',
  '/rewards/payments': 'rewardPayment',
}

/** The screen of the present address. */
export function Screens() {
  return (
    <Suspense fallback={<Reading />}>
      <Switch>
        {Object.entries(pages).map(([path, Page]) => (
          <Route key={path} path={path} component={Page} />
        ))}
        {Object.entries(records).map(([path, Screen]) => (
          <Route key={path} path={`${path}/:id`}>
            {({ id }) => <Screen key={id} id={decoded(id)} />}
          </Route>
        ))}
        {Object.entries(plain).map(([path, type]) => (
          <Route key={path} path={`${path}/:id`}>
            {({ id }) => <RecordScreen key={id} type={type} id={decoded(id)} />}
          </Route>
        ))}
        <Route path="/records/:type/:id">
          {({ type, id }) => {
            const target = recordPath(type, decoded(id))
            if (target.startsWith('/records/')) return <RecordScreen type={type} id={decoded(id)} />
            return <Redirect to={target} replace />
          }}
        </Route>
        <Route component={NotFound} />
      </Switch>
    </Suspense>
  )
}
