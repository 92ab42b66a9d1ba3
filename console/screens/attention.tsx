import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Time } from '../components/display/time.tsx'
import { Reading } from '../components/feedback/empty.tsx'
import { ProblemNote } from '../components/feedback/problem.tsx'
import { Card } from '../components/layout/card.tsx'
import { useBankDay } from '../data/bank-time.ts'
import { endpointState } from '../data/endpoints.ts'
import { counted } from '../data/format.ts'
import { useList } from '../data/list.ts'
import { everyMs } from '../data/live.ts'
import { useCall, useMay, useSend } from '../data/purser.tsx'
import styles from './home.module.css'

/** One thing that needs a person, or that is in order: a line of fact, a line of cause, and one way out. */
interface Item {
  tone: 'bad' | 'warn' | 'good'
  fact: string
  cause: ReactNode
  way: ReactNode
}

const tones = ['bad', 'warn', 'good'] as const
const marks = { bad: 'Urgent', warn: 'Soon', good: 'In order' }

/** Work for a person, the most urgent first. */
export function Attention() {
  const items = [...useEndpoints(), ...useReturns(), ...useReviews(), ...useLaws()]
  const sorted = tones.flatMap((tone) => items.filter((item) => item.tone === tone))
  if (items.length === 0) return null
  return (
    <Card title="Needs attention" flush>
      <ul className={styles.attention}>
        {sorted.map(({ tone, fact, cause, way }) => (
          <li key={fact}>
            <span className={`${styles.mark} ${styles[tone] ?? ''}`}>
              <span className="unseen">{marks[tone]}</span>
            </span>
            <div>
              <b>{fact}</b>
              <p className="muted">{cause}</p>
            </div>
            {way}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function useEndpoints(): Item[] {
  const { rows } = useList('listWebhookEndpoints', { query: { limit: 100 } }, { everyMs: everyMs.outside })
  const failing = rows.filter((each) => ['Disabled', 'Failing'].includes(endpointState(each)))
  const [first] = failing
  if (!first) return []
  return [
    {
      tone: 'bad',
      fact: `${counted(failing.length, 'webhook endpoint')} ${failing.length === 1 ? 'fails' : 'fail'}`,
      cause: `${first.url}: ${counted(first.lastDay.failed + first.lastDay.retried, 'attempt')} of the last 24 hours not accepted`,
      way: <Link href="/webhooks">Show</Link>,
    },
  ]
}

/** The payments that came back today in bank time. */
function useReturns(): Item[] {
  const today = useBankDay()
  const { rows } = useList('listEvents', { query: { type: ['payment.returned'], sort: '-sequence', limit: 100 } })
  const returned = rows.filter(({ timestamp }) => today && timestamp.startsWith(today))
  if (returned.length === 0) return []
  const reasons = returned.map(({ data }) => ('returnReason' in data && data.returnReason) || 'without a reason')
  return [
    {
      tone: 'warn',
      fact: `${counted(returned.length, 'payment')} returned today`,
      cause: [...new Set(reasons)].join(' · '),
      way: <Link href="/payments?status=Returned">Show</Link>,
    },
  ]
}

function useReviews(): Item[] {
  const query = { status: ['PendingReview' as const], sort: 'createdAt' as const, limit: 100 }
  const { rows } = useList('listPayments', { query })
  const mayReview = useMay('listReviewPayments')
  const [oldest] = rows
  if (!oldest) return []
  return [
    {
      tone: 'warn',
      fact: `${counted(rows.length, 'payment waits', 'payments wait')} for review`,
      cause: (
        <>
          the oldest to {oldest.counterparty.name} since <Time of={oldest.createdAt} />
        </>
      ),
      way: <Link href={mayReview ? '/review/payments' : '/payments?status=PendingReview'}>Review</Link>,
    },
  ]
}

/** Whether the laws of the ledger hold, and when they were checked. */
function useLaws(): Item[] {
  const may = useMay('getLedgerVerification')
  const { data, error } = useCall('getLedgerVerification', {})
  if (!may || !data) return error ? [{ ...unchecked, cause: <ProblemNote error={error} /> }] : []
  if (data.checkedAt === null) return [unchecked]
  const broken = data.laws.filter(({ holds }) => holds === false).length
  return [
    {
      tone: broken > 0 ? 'bad' : 'good',
      fact: broken > 0 ? `${counted(broken, 'law')} of the ledger broken` : 'The ledger holds',
      cause: (
        <>
          {counted(data.laws.length, 'law')}, checked <Time of={data.checkedAt} />
        </>
      ),
      way: <CheckNow />,
    },
  ]
}

const unchecked: Item = {
  tone: 'warn',
  fact: 'The laws of the ledger were not checked yet',
  cause: 'A check reads all transfers and says whether each law holds.',
  way: <CheckNow />,
}

function CheckNow() {
  const may = useMay('runLedgerVerification')
  const { mutate, isPending, error } = useSend('runLedgerVerification')
  if (isPending) return <Reading lines={1} />
  if (error) return <ProblemNote error={error} />
  if (!may) return <Link href="/ledger">Show</Link>
  return (
    <button type="button" onClick={() => mutate({})}>
      Check now
    </button>
  )
}
