import { useQuery } from '@tanstack/react-query'
import type { LedgerTransfer, Purser, RelatedRecord } from '../../../../client/src/index.ts'
import { Time } from '../../../components/display/time.tsx'
import { Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details, mono, tagPairs } from '../../../components/layout/details.tsx'
import { Sides } from '../../../components/records/history.tsx'
import { AccountLink, CustomerLink, link } from '../../../components/records/record-link.tsx'
import { recordScreen } from '../../../components/records/record-page.tsx'
import { money, words } from '../../../data/format.ts'
import { useMay, useSession } from '../../../data/purser.tsx'
import { purpose, signed } from '../lists.tsx'

/** One transaction: both sides of the ledger, its cause and the other party. */
export const Transaction = recordScreen('transaction', ({ id, record: { attributes, relationships }, related }) => {
  const { counterparty, direction, createdAt, balance } = attributes
  const { originalType, paymentId: _payment, ...tags } = attributes.tags
  const accountId = relationships.account.data.id
  const customerId = relationships.customer?.data.id
  const cause = causeIn(related)
  return {
    name: `Transaction ${id}`,
    title: signed(attributes),
    beside: (
      <>
        {direction === 'Debit' ? 'to' : 'from'} <b>{counterparty.name}</b>
      </>
    ),
    parent: { name: 'Transactions', path: `/transactions?${new URLSearchParams({ accountId })}` },
    main: <BothSides id={id} accountId={accountId} createdAt={createdAt} />,
    details: {
      Purpose: purpose(attributes),
      Network: originalType && (networks[originalType] ?? originalType),
      Cause: cause && link(cause.type, cause.id, `${words(cause.type)} ${cause.id}`),
      Account: <AccountLink id={accountId} />,
      Customer: customerId && <CustomerLink id={customerId} />,
      'Balance after': money(balance),
      Posted: <Time of={createdAt} />,
      ...tagPairs(tags),
    },
    side: (
      <Card title="Counterparty">
        <Details
          of={{
            Name: counterparty.name,
            'Account number': mono(counterparty.accountNumber),
            'Routing number': mono(counterparty.routingNumber),
            'Kind of account': counterparty.accountType,
          }}
        />
      </Card>
    ),
  }
})

const networks: Record<string, string> = { ACH: 'ACH', BOOK: 'Book transfer', CARD: 'Card', REWARD: 'Reward' }

/** The record that moved the money; an incoming transfer has none. */
function causeIn(related: readonly RelatedRecord[]): RelatedRecord | undefined {
  const relations = ['paidReward', 'authorization', 'payment']
  return relations.flatMap((relation) => related.filter((each) => each.relation === relation))[0]
}

/** The transfer behind the transaction, with the account on the other side. */
function BothSides(side: { id: string; accountId: string; createdAt: string }) {
  const may = useMay('listLedgerTransfers')
  const { purser } = useSession()
  const query = momentOf(side.accountId, side.createdAt)
  const { data, error, isPending } = useQuery({
    queryKey: ['listLedgerTransfers', { query }],
    queryFn: () => transferOf(purser, query, side.id),
    enabled: may,
  })
  if (!may) return null
  return (
    <Card title="Ledger" aside={data && <span>Transfer {mono(data.id)}</span>}>
      <ProblemNote error={error} />
      {isPending && <Reading />}
      {data === null && <p className="muted">The transfer is not among the first 10,000 of its moment.</p>}
      {data && <Sides transfer={data} />}
    </Card>
  )
}

/** The transfers of an account in the millisecond of one of them; the limits of a time are not part of it. */
function momentOf(accountId: string, createdAt: string) {
  const at = Date.parse(createdAt)
  const time = (ms: number) => new Date(ms).toISOString()
  return { accountId, since: time(at - 1), until: time(at + 1), limit: 1_000 }
}

const MAX_TRANSFERS = 10_000

async function transferOf(
  purser: Purser,
  query: ReturnType<typeof momentOf>,
  transactionId: string,
): Promise<LedgerTransfer | null> {
  let read = 0
  for await (const transfer of purser.ledger.listTransfers(query)) {
    const { debit, credit } = transfer
    if (debit.transactionId === transactionId || credit.transactionId === transactionId) return transfer
    read += 1
    if (read === MAX_TRANSFERS) break
  }
  return null
}
