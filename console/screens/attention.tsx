import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { AttentionItem } from '../../client/src/index.ts'
import { Copy } from '../components/display/copy.tsx'
import { Time } from '../components/display/time.tsx'
import { Reading } from '../components/feedback/empty.tsx'
import { ProblemNote } from '../components/feedback/problem.tsx'
import { Card } from '../components/layout/card.tsx'
import { NamedLink } from '../components/records/record-link.tsx'
import { SendAgain } from '../components/records/send-again.tsx'
import { placeOf } from '../data/attention.ts'
import { duration, sentence } from '../data/format.ts'
import { useList } from '../data/list.ts'
import { everyMs } from '../data/live.ts'
import { useMay, useSend } from '../data/purser.tsx'
import styles from './home.module.css'

const levels = {
  urgent: { name: 'Urgent', tone: styles.bad },
  soon: { name: 'Soon', tone: styles.warn },
  inOrder: { name: 'In order', tone: styles.good },
}

/** Work for a person, as `GET /v0/attention` lists it: the most urgent first. */
export function Attention() {
  const may = useMay('listAttention')
  const { rows, error } = useList('listAttention', {}, { everyMs: everyMs.outside })
  if (!may || (rows.length === 0 && !error)) return null
  const counts = (['urgent', 'soon'] as const).flatMap((level) => {
    const count = rows.filter((each) => each.level === level).length
    return count > 0 ? [`${count} ${level}`] : []
  })
  return (
    <Card title="Needs attention" flush aside={<span>{counts.join(' · ') || 'nothing'}</span>}>
      <ProblemNote error={error} />
      <ul className={styles.attention}>
        {rows.map((item) => (
          <Item key={item.kind} item={item} />
        ))}
      </ul>
    </Card>
  )
}

function Item({ item }: { item: AttentionItem }) {
  const { name, tone } = levels[item.level]
  const { cause, since, records } = item
  return (
    <li>
      <span className={`${styles.mark} ${tone ?? ''}`}>
        <span className="unseen">{name}</span>
      </span>
      <div>
        <b>{item.words}</b>
        {(cause || since || records.length > 0) && <p className="muted">{causeOf(item)}</p>}
      </div>
      <Way item={item} />
    </li>
  )
}

/** Why, since when, and which records if there are few. */
function causeOf({ kind, cause, since, ageSeconds, records, count }: AttentionItem): ReactNode {
  const when = since !== null && ageSeconds !== null && (
    <>
      {kind === 'ledgerCheck' ? 'Checked' : count === 1 ? 'Since' : 'The oldest since'} <Time of={since} />,{' '}
      {duration(ageSeconds)} ago
    </>
  )
  const few = count <= 3 && records.length > 0
  return (
    <>
      {cause && sentence(cause)}
      {cause && when && ' · '}
      {when}
      {(cause || when) && few && ' · '}
      {few &&
        records.map(({ type, id }, at) => (
          <span key={id}>
            {at > 0 && ', '}
            <NamedLink type={type} id={id} />
          </span>
        ))}
    </>
  )
}

/** The way out of an item: its filtered list, or the command of the operator. */
function Way({ item }: { item: AttentionItem }) {
  const { kind, command } = item
  const place = placeOf(item)
  const [first] = item.records
  if (kind === 'ledgerCheck') return <CheckNow />
  if (kind === 'failingEndpoints' && item.count === 1 && first && place)
    return <SendLatest endpointId={first.id} place={place} />
  if (place) return <Link href={place}>Show</Link>
  return command && <Copy text={command}>{`Copy ${command}`}</Copy>
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

/** Sends the latest event again that an endpoint did not accept: those that wait after it follow. */
function SendLatest({ endpointId, place }: { endpointId: string; place: string }) {
  const query = { endpointId, failing: true, sort: '-createdAt', limit: 1 } as const
  const { rows } = useList('listAllDeliveries', { query }, { everyMs: everyMs.sent })
  return (
    <span className="row">
      {rows.length > 0 && <SendAgain of={rows.map(({ id }) => id)} />}
      <Link href={place}>Show</Link>
    </span>
  )
}
