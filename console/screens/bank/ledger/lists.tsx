import { Link } from 'wouter'
import type { LedgerTransferSide } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { mono } from '../../../components/layout/details.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { defineList, ListScreen } from '../../../components/lists/list-screen.tsx'
import { link, RecordLink } from '../../../components/records/record-link.tsx'
import { choiceOfMany, days, pick } from '../../../data/filters.ts'
import { amount, count, lastFour, money, words } from '../../../data/format.ts'
import { accountKinds, kindName, kindNames } from '../../../data/ledger.ts'
import { recordPath } from '../../../routes.ts'

const tabs = [
  { name: 'Overview', path: '/ledger' },
  { name: 'Accounts', path: '/ledger/accounts' },
  { name: 'Journal', path: '/ledger/journal' },
]

/** The head of every screen of the ledger. */
export function LedgerHead() {
  return <PageTitle title="Ledger" tabs={tabs} />
}

const accounts = defineList({
  title: 'Accounts of the ledger',
  operation: 'listLedgerAccounts',
  query: { limit: 100 },
  filters: [choiceOfMany('kind', 'Kind', accountKinds, kindNames)],
  columns: [
    {
      head: 'Account',
      cell: ({ name, accountNumber }) => `${name}${accountNumber ? ` ${lastFour(accountNumber)}` : ''}`,
    },
    { head: 'Kind', cell: ({ kind }) => kindName(kind), wide: true },
    { head: 'State', cell: ({ status }) => <State of={status} />, wide: true },
    { head: 'Id', cell: ({ id, kind }) => (kind === 'deposit' ? link('account', id) : mono(id)), wide: 'widest' },
    {
      head: 'Last transfer',
      cell: ({ lastTransferAt }) => lastTransferAt && <Time of={lastTransferAt} />,
      number: true,
      wide: true,
      card: 'when',
    },
    { head: 'Transfers', cell: ({ transfers }) => count(transfers), number: true, wide: true },
    { head: 'Balance', cell: ({ balance }) => money(balance), number: true },
  ],
  path: ({ id }) => `/ledger/journal?accountId=${id}`,
  none: ['No account yet', 'Internal accounts appear with the first transfer.'],
})

/** The chart of accounts, the internal ones included. An account leads to its transfers. */
export const LedgerAccounts = () => <ListScreen of={accounts} head={<LedgerHead />} />

const journal = defineList({
  title: 'Journal',
  operation: 'listLedgerTransfers',
  filters: [
    pick('account', 'Account'),
    {
      name: 'sourceType',
      label: 'Kind of source',
      options: ['payment', 'authorization', 'reward', 'receivedPayment', 'achBatch', 'achException'],
    },
    { name: 'sourceId', label: 'Id of the source' },
    ...days,
  ],
  columns: [
    { head: 'Transfer', cell: ({ kind }) => words(kind) },
    { head: 'Debit', cell: ({ debit }) => <Side side={debit} />, wide: true },
    { head: 'Credit', cell: ({ credit }) => <Side side={credit} />, wide: true },
    {
      head: 'Source',
      cell: ({ source }) => source && <RecordLink type={source.type} id={source.id} />,
      wide: 'widest',
    },
    { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true, card: 'when' },
    { head: 'Amount', cell: (transfer) => amount(transfer.amount), number: true },
  ],
  /** The transaction that a customer sees; it shows both sides. */
  path: ({ debit, credit }) => {
    const id = debit.transactionId ?? credit.transactionId
    return id === null ? undefined : recordPath('transaction', id)
  },
  none: ['No transfer yet', 'Open an account and choose “Receive money…”, or call receiveAch.'],
})

/** The transfers of the ledger, each with both sides, newest first. */
export const LedgerJournal = () => <ListScreen of={journal} head={<LedgerHead />} />

/** An account of a transfer, which leads to its other transfers, and its balance after it. */
function Side({ side: { accountId, name, balance } }: { side: LedgerTransferSide }) {
  return (
    <span title={`Balance after: ${amount(balance)}`}>
      <Link href={`/ledger/journal?accountId=${accountId}`}>{name}</Link>
    </span>
  )
}
