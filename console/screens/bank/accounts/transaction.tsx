import { useQuery } from '@tanstack/react-query'
import type { LedgerTransfer, LookedUpTransaction, Purser, RelatedRecord } from '../../../../client/src/index.ts'
import { Time } from '../../../components/display/time.tsx'
import { Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details } from '../../../components/layout/details.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { ByApi } from '../../../components/records/by-api.tsx'
import { History, Sides } from '../../../components/records/history.tsx'
import { RecordLink } from '../../../components/records/record-link.tsx'
import { Related } from '../../../components/records/related.tsx'
import { money, words } from '../../../data/format.ts'
import { useMay, useSession } from '../../../data/purser.tsx'
import { Record } from '../../record.tsx'
import { purposeOf, signed } from './transactions.tsx'

/** One transaction: both sides of the ledger, its cause and the other party. */
export function Transaction({ id }: { id: string }) {
  return (
    <Record type="transaction" id={id}>
      {(found) => <TransactionScreen found={found} />}
    </Record>
  )
}

function TransactionScreen({ found: { id, record, related } }: { found: LookedUpTransaction }) {
  const { attributes, relationships } = record
  const { counterparty, direction } = attributes
  const accountId = relationships.account.data.id
  return (
    <>
      <PageTitle
        name={`Transaction ${id}`}
        title={signed(attributes)}
        parent={{ name: 'Transactions', path: `/transactions?${new URLSearchParams({ accountId })}` }}
        id={id}
      >
        <span>
          {direction === 'Debit' ? 'to' : 'from'} <b>{counterparty.name}</b>
        </span>
      </PageTitle>
      <div className="columns">
        <div>
          <BothSides id={id} accountId={accountId} createdAt={attributes.createdAt} />
          <History type="transaction" id={id} />
          <ByApi
            title="This transaction by API"
            operation="getTransaction"
            input={{ params: { transactionId: id }, query: { accountId } }}
          />
        </div>
        <div>
          <TransactionDetails record={record} cause={causeOf(related)} />
          <Card title="Counterparty">
            <Details
              items={[
                ['Name', counterparty.name],
                ['Account number', <Mono key="number" text={counterparty.accountNumber} />],
                ['Routing number', <Mono key="routing" text={counterparty.routingNumber} />],
                ['Kind of account', counterparty.accountType],
              ]}
            />
          </Card>
          <Related related={related} />
        </div>
      </div>
    </>
  )
}

function TransactionDetails({
  record,
  cause,
}: {
  record: LookedUpTransaction['record']
  cause: RelatedRecord | undefined
}) {
  const { attributes, relationships } = record
  const { originalType, ...tags } = attributes.tags
  const account = relationships.account.data.id
  const customer = relationships.customer?.data.id
  return (
    <Card title="Details">
      <Details
        items={[
          ['Id', <Mono key="id" text={record.id} />],
          ['Purpose', purposeOf(attributes)],
          ['Network', originalType && (networks[originalType] ?? originalType)],
          ['Cause', cause && <Cause key="cause" cause={cause} />],
          ['Account', <RecordLink key="account" type="account" id={account} />],
          ['Customer', customer && <RecordLink key="customer" type="customer" id={customer} />],
          ['Balance after', money(attributes.balance)],
          ['Posted', <Time key="at" of={attributes.createdAt} />],
          ...Object.entries(tags)
            .filter(([name]) => name !== 'paymentId')
            .map(([name, value]) => [`Tag ${name}`, value] as const),
        ]}
      />
    </Card>
  )
}

const networks: globalThis.Record<string, string> = {
  ACH: 'ACH',
  BOOK: 'Book transfer',
  CARD: 'Card',
  REWARD: 'Reward',
}

function Cause({ cause: { type, id } }: { cause: RelatedRecord }) {
  return (
    <RecordLink type={type} id={id}>
      {words(type)} {id}
    </RecordLink>
  )
}

/** The record that moved the money; an incoming transfer has none. */
function causeOf(related: readonly RelatedRecord[]): RelatedRecord | undefined {
  const relations = ['paidReward', 'authorization', 'payment']
  return relations.flatMap((relation) => related.filter((each) => each.relation === relation))[0]
}

function Mono({ text }: { text: string }) {
  return <span className="mono">{text}</span>
}

/** The transfer behind the transaction, with the account on the other side. */
function BothSides(side: { id: string; accountId: string; createdAt: string }) {
  const may = useMay('listLedgerTransfers')
  const { purser } = useSession()
  const query = windowOf(side.accountId, side.createdAt)
  const { data, error, isPending } = useQuery({
    queryKey: ['listLedgerTransfers', { query }],
    queryFn: () => transferOf(purser, query, side.id),
    enabled: may,
  })
  if (!may) return null
  return (
    <Card
      title="Ledger"
      aside={
        data && (
          <span>
            Transfer <Mono text={data.id} />
          </span>
        )
      }
    >
      <ProblemNote error={error} />
      {isPending && <Reading />}
      {data === null && <p className="muted">The transfer is not among the first 10,000 of its moment.</p>}
      {data && <Sides transfer={data} />}
    </Card>
  )
}

/** The transfers of an account in the millisecond of one of them; the limits of a time are not part of it. */
function windowOf(accountId: string, createdAt: string) {
  const at = Date.parse(createdAt)
  const time = (ms: number) => new Date(ms).toISOString()
  return { accountId, since: time(at - 1), until: time(at + 1), limit: 1_000 }
}

const MAX_TRANSFERS = 10_000

async function transferOf(
  purser: Purser,
  query: ReturnType<typeof windowOf>,
  transactionId: string,
): Promise<LedgerTransfer | null> {
  let read = 0
  for await (const transfer of purser.ledger.listTransfers(query)) {
    if (transfer.debit.transactionId === transactionId || transfer.credit.transactionId === transactionId)
      return transfer
    read += 1
    if (read === MAX_TRANSFERS) break
  }
  return null
}
