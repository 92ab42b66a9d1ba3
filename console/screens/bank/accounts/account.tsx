import type { DepositAccount, ExternalAccount, RecordAction } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Empty, Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Actions } from '../../../components/forms/actions.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details } from '../../../components/layout/details.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { Tabs } from '../../../components/layout/tabs.tsx'
import { ListTable } from '../../../components/lists/table.tsx'
import { ByApi } from '../../../components/records/by-api.tsx'
import { History } from '../../../components/records/history.tsx'
import { RecordLink } from '../../../components/records/record-link.tsx'
import { curveStart, useBankDay } from '../../../data/bank-time.ts'
import { useFilters } from '../../../data/filters.ts'
import { money } from '../../../data/format.ts'
import { type Rows, useList } from '../../../data/list.ts'
import { useMay } from '../../../data/purser.tsx'
import { BalanceCurve } from '../../../pictures/balance-curve.tsx'
import { recordPath } from '../../../routes.ts'
import { Record, targetOf } from '../../record.tsx'
import styles from './account.module.css'
import { Limits } from './account-limits.tsx'
import { AccountCards, Holds, OpenAuthorizations, Payees, Statements } from './account-lists.tsx'
import { NewCard } from './new-card.tsx'
import { Pay } from './pay.tsx'
import { transactionColumns } from './transactions.tsx'
import { Transfer } from './transfer.tsx'

const DAYS = 90

/** One account: its balance over time, its ledger, the records around it, and its operations. */
export function Account({ id }: { id: string }) {
  return (
    <Record type="account" id={id}>
      {(found) => <AccountScreen account={found.record} actions={found.actions} target={targetOf(found)} />}
    </Record>
  )
}

interface Props {
  account: DepositAccount
  actions: readonly RecordAction[]
  target: globalThis.Record<string, string>
}

function AccountScreen({ account, actions, target }: Props) {
  const { id, name, accountNumber, available, status, customerId } = account
  const payees = useList('listExternalAccounts', { params: { customerId }, query: { sort: '-createdAt', limit: 100 } })
  return (
    <>
      <PageTitle
        name={`Account of ${name}`}
        title={money(available)}
        parent={{ name: 'Accounts', path: '/accounts' }}
        id={id}
        actions={
          <>
            <PayAction account={account} actions={actions} payees={payees} />
            <TransferAction account={account} actions={actions} />
            <Actions actions={shownActions(actions, ['receiveAch'])} target={target} />
            <CardAction account={account} actions={actions} />
            <Actions actions={shownActions(actions, states)} target={target} />
          </>
        }
      >
        <span>
          available to <b>{name}</b> ··{accountNumber.slice(-4)}
        </span>
        <State of={status} />
      </PageTitle>
      <div className={styles.account}>
        <div className={styles.curve}>
          <Balance account={account} />
        </div>
        <div className={styles.side}>
          <AccountDetails account={account} />
          <Limits accountId={id} />
          <Holds account={account} actions={actions} />
          <OpenAuthorizations account={account} />
          <AccountCards account={account} />
          <Payees account={account} payees={payees} />
          <Statements account={account} />
        </div>
        <div className={styles.main}>
          <Views account={account} />
        </div>
      </div>
    </>
  )
}

const states = ['freezeAccount', 'unfreezeAccount', 'closeAccount', 'reopenAccount']
const opposites = new Map([
  ['unfreezeAccount', 'account_not_frozen'],
  ['reopenAccount', 'account_not_closed'],
])

/** The named actions in their order. Of two opposites only the possible one is shown. */
function shownActions(actions: readonly RecordAction[], order: readonly string[]): RecordAction[] {
  const possible = (operation: string) => actions.some((each) => each.operation === operation && each.allowed !== false)
  return order.flatMap((operation) => {
    const action = actions.find((each) => each.operation === operation)
    if (!action || (action.problem !== null && action.problem === opposites.get(operation))) return []
    if (operation === 'freezeAccount' && possible('unfreezeAccount')) return []
    if (operation === 'closeAccount' && possible('reopenAccount')) return []
    return [action]
  })
}

function PayAction({
  account,
  actions,
  payees,
}: {
  account: DepositAccount
  actions: readonly RecordAction[]
  payees: Rows<ExternalAccount>
}) {
  const action = actions.find(({ operation }) => operation === 'createPayment')
  if (!action) return null
  return <Pay account={account} payees={payees} refusal={action.allowed === false ? action.problem : null} />
}

function TransferAction({ account, actions }: { account: DepositAccount; actions: readonly RecordAction[] }) {
  const action = actions.find(({ operation }) => operation === 'createBookTransfer')
  if (!action) return null
  return <Transfer account={account} refusal={action.allowed === false ? action.problem : null} />
}

function CardAction({ account, actions }: { account: DepositAccount; actions: readonly RecordAction[] }) {
  const action = actions.find(({ operation }) => operation === 'createCard')
  if (!action) return null
  return <NewCard account={account} refusal={action.allowed === false ? action.problem : null} />
}

/** The curve of the last 90 days, or of the days since the account was opened. */
function Balance({ account: { id, createdAt } }: { account: DepositAccount }) {
  const may = useMay('listLedgerBalances')
  const today = useBankDay()
  const since = today && curveStart(today, createdAt.slice(0, 10), DAYS)
  const query = { accountId: id, ...(since && { since }) }
  const { rows, error, isPending } = useList('listLedgerBalances', { query }, { enabled: today !== undefined })
  if (!may) return null
  return (
    <Card title="Balance" aside={<span>end of each day, UTC</span>}>
      <ProblemNote error={error} />
      {isPending && <Reading />}
      {rows.length > 0 && <BalanceCurve days={rows} />}
    </Card>
  )
}

function AccountDetails({ account }: { account: DepositAccount }) {
  const { id, customerId, name, accountNumber, routingNumber, balance, hold, createdAt, tags } = account
  const mono = (text: string) => <span className="mono">{text}</span>
  return (
    <Card title="Details">
      <Details
        items={[
          ['Id', mono(id)],
          [
            'Customer',
            <RecordLink key="customer" type="customer" id={customerId}>
              {name}
            </RecordLink>,
          ],
          ['Account number', mono(accountNumber)],
          ['Routing number', mono(routingNumber)],
          ['Balance', money(balance)],
          ['Held', money(hold)],
          ['Opened', <Time key="at" of={createdAt} />],
          ...Object.entries(tags).map(([tag, value]) => [`Tag ${tag}`, value] as const),
        ]}
      />
    </Card>
  )
}

const views = ['Transactions', 'History', 'API'] as const

/** The ledger of the account, its history or its call, by the address. */
function Views({ account: { id } }: { account: DepositAccount }) {
  const [{ view }, set] = useFilters(['view'])
  const chosen = views.find((each) => each === view) ?? 'Transactions'
  const tabs = (
    <Tabs
      label="View"
      names={views}
      chosen={chosen}
      choose={(name) => set(name === 'Transactions' ? {} : { view: name })}
    />
  )
  return (
    <>
      <div className={styles.tabs}>{tabs}</div>
      {chosen === 'Transactions' && <Ledger accountId={id} />}
      {chosen === 'History' && <History type="account" id={id} />}
      {chosen === 'API' && (
        <ByApi title="This account by API" operation="getAccount" input={{ params: { accountId: id } }} />
      )}
    </>
  )
}

function Ledger({ accountId }: { accountId: string }) {
  const query = { accountId, sort: '-createdAt', limit: 200, count: true } as const
  const list = useList('listTransactions', { query })
  return (
    <Card title="Transactions" flush bare>
      <ListTable
        label="Transactions"
        list={list}
        columns={transactionColumns}
        keyOf={({ id }) => id}
        path={({ id }) => recordPath('transaction', id)}
        empty={
          <Empty title="No money has moved yet">
            <p>Choose “Receive money…” or “Pay…”.</p>
          </Empty>
        }
      />
    </Card>
  )
}
