import { useQuery } from '@tanstack/react-query'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Reason } from '../../../components/feedback/reason.tsx'
import { mono } from '../../../components/layout/details.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { defineList, ListScreen } from '../../../components/lists/list-screen.tsx'
import { amounts, choiceOfMany, days, pick } from '../../../data/filters.ts'
import { count, date, money, words } from '../../../data/format.ts'
import { everyMs } from '../../../data/live.ts'
import { useMay, useSession } from '../../../data/purser.tsx'
import { Holder, signed } from '../lists.tsx'

const tabs = [
  { name: 'Batches', path: '/rails' },
  { name: 'Received payments', path: '/rails/received' },
  { name: 'Reconciliation', path: '/rails/reconciliation' },
  { name: 'Return rates', path: '/rails/return-rates' },
]

/** Files belong to an organisation in a sandbox only. */
const files = { name: 'Files', path: '/rails/files' }

/** The head of every screen of the ACH rail. */
export function RailsHead() {
  const may = useMay('listAchFiles')
  return (
    <>
      <PageTitle title="Rails" tabs={may ? [...tabs, files] : tabs} />
      <HeldFiles />
    </>
  )
}

/** Says that no file leaves a live bank until its operator has decided. */
function HeldFiles() {
  const { me } = useSession()
  const { data } = useQuery({
    queryKey: ['readyz'],
    queryFn: async ({ signal }): Promise<{ ach?: 'held' }> => (await fetch('/readyz', { signal })).json(),
    enabled: me.mode === 'live',
    refetchInterval: everyMs.outside,
  })
  if (data?.ach !== 'held') return null
  return (
    <div role="alert">
      <Reason tone="bad" title="ACH files are held">
        No file leaves and none is taken until the operator has decided what left after a restore.{' '}
        <code>purser ach resume</code> shows the files in question.
      </Reason>
    </div>
  )
}

export const batches = defineList({
  title: 'Batches',
  operation: 'listAchBatches',
  type: 'achBatch',
  filters: [
    choiceOfMany('status', 'State', ['Clearing', 'Settled', 'Rejected']),
    choiceOfMany('type', 'Type', ['payments', 'returns']),
    { name: 'settlementDate', label: 'Settlement day', kind: 'date' },
  ],
  columns: [
    { head: 'Purpose', cell: ({ description, type }) => (type === 'returns' ? 'Returns' : description) },
    { head: 'State', cell: ({ status }) => <State of={status} /> },
    { head: 'SEC', cell: ({ secCode }) => mono(secCode), wide: true },
    { head: 'Cut-off', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true, card: 'when' },
    { head: 'Settles', cell: ({ settlementDate }) => date(settlementDate), number: true, wide: true },
    { head: 'Entries', cell: ({ entryCount }) => count(entryCount), number: true, wide: true },
    { head: 'Id', cell: ({ id }) => mono(id), wide: true, optional: true },
    { head: 'Amount', cell: signed, number: true },
  ],
  none: [
    'No batch yet',
    <>
      Payments leave in batches at a cut-off, if the service runs with <code>PURSER_ACH=windows</code>. With{' '}
      <code>instant</code> they are sent at once, without a file.
    </>,
  ],
})

export const AchBatches = () => <ListScreen of={batches} head={<RailsHead />} />

const received = defineList({
  title: 'Received payments',
  operation: 'listReceivedPayments',
  type: 'receivedPayment',
  filters: [
    choiceOfMany('status', 'State', ['Pending', 'Completed', 'MarkedForReturn', 'Returned']),
    choiceOfMany('direction', 'Direction', ['Credit', 'Debit']),
    pick('customer', 'Customer'),
    pick('account', 'Account'),
    ...days,
    ...amounts,
  ],
  columns: [
    { head: 'Sender', cell: ({ counterparty }) => counterparty.name },
    { head: 'Account', cell: ({ accountId }) => <Holder accountId={accountId} />, wide: true },
    { head: 'Description', cell: ({ description }) => description, wide: 'widest' },
    { head: 'State', cell: ({ status }) => <State of={status} /> },
    {
      head: 'Completes',
      cell: ({ expectedCompletionDate }) => expectedCompletionDate && date(expectedCompletionDate),
      number: true,
      wide: 'widest',
    },
    { head: 'Received', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true, card: 'when' },
    { head: 'Id', cell: ({ id }) => mono(id), wide: true, optional: true },
    { head: 'Amount', cell: signed, number: true },
  ],
  none: [
    'No received payment yet',
    'Credits and debits of other banks arrive with ACH files. Open an account and choose “Receive money…”.',
  ],
})

export const ReceivedPayments = () => <ListScreen of={received} head={<RailsHead />} />

const achFiles = defineList({
  title: 'Files',
  operation: 'listAchFiles',
  type: 'achFile',
  filters: [choiceOfMany('direction', 'Direction', ['Outgoing', 'Incoming']), ...days],
  columns: [
    { head: 'Name', cell: ({ name }) => mono(name) },
    { head: 'Direction', cell: ({ direction }) => words(direction), wide: true },
    { head: 'State', cell: ({ status }) => <State of={status} /> },
    { head: 'Time', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true, card: 'when' },
    { head: 'Entries', cell: ({ entryCount }) => count(entryCount), number: true, wide: true },
    { head: 'Credits', cell: ({ credits }) => money(credits), number: true, wide: true },
    { head: 'Debits', cell: ({ debits }) => money(debits), number: true, wide: true },
  ],
  none: [
    'No file yet',
    <>
      A file leaves at a cut-off with pending payments, if the service runs with <code>PURSER_ACH=windows</code>.
      Advance the clock to pass a cut-off.
    </>,
  ],
})

export const AchFiles = () => <ListScreen of={achFiles} head={<RailsHead />} />
