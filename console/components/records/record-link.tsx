import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { LookedUp } from '../../../client/src/index.ts'
import { lastFour } from '../../data/format.ts'
import { useCall } from '../../data/purser.tsx'
import { hasScreen, recordPath } from '../../routes.ts'
import { Time } from '../display/time.tsx'

/** A link to the screen of a record, if its type has one; its text is the id unless another one is given. */
export function RecordLink({ type, id, children }: { type: string; id: string | number; children?: ReactNode }) {
  if (!hasScreen(type)) return children ?? <span className="mono">{id}</span>
  return (
    <Link href={recordPath(type, id)} className={children === undefined ? 'mono' : undefined}>
      {children ?? id}
    </Link>
  )
}

/** A link to a record for details, if there is one. */
export function link(type: string, id: string | number | null | undefined, text?: ReactNode) {
  return id !== undefined && id !== null && <RecordLink type={type} id={id} {...(text && { children: text })} />
}

/** The account by its holder and its last four digits. */
export function AccountLink({ id }: { id: string }) {
  const { data } = useCall('getAccount', { params: { accountId: id } })
  return (
    <RecordLink type="account" id={id} {...(data && { children: `${data.name} ${lastFour(data.accountNumber)}` })} />
  )
}

/** The customer by name. */
export function CustomerLink({ id }: { id: string }) {
  const { data } = useCall('getCustomer', { params: { customerId: id } })
  return <RecordLink type="customer" id={id} {...(data && { children: data.name })} />
}

/** Types of records whose names say more than their ids. */
const named = new Set<string>([
  ...[
    'accountHold',
    'achBatch',
    'achFile',
    'application',
    'authorization',
    'card',
    'externalAccount',
    'payment',
    'proposal',
    'receivedPayment',
    'recurringPayment',
    'reward',
    'transaction',
  ],
  'webhookEndpoint',
])

/** A record by its name, such as purpose, amount and person, and the day of what happened on one. */
export function NamedLink({ type, id }: { type: string; id: string }) {
  if (type === 'customer') return <CustomerLink id={id} />
  if (type === 'account') return <AccountLink id={id} />
  return named.has(type) ? <LabelLink type={type as LookedUp['type']} id={id} /> : <RecordLink type={type} id={id} />
}

/** Types of records that happened on a day. */
const dated = new Set<string>(['authorization', 'payment', 'receivedPayment', 'reward', 'transaction'])

function LabelLink({ type, id }: { type: LookedUp['type']; id: string }) {
  // A name does not change: it is read once.
  const { data } = useCall('lookUpRecord', { params: { type, id } }, { once: true })
  if (!data) return <RecordLink type={type} id={id} />
  const record = data.record as { createdAt?: string; attributes?: { createdAt: string } }
  const at = record.createdAt ?? record.attributes?.createdAt
  return (
    <span>
      <RecordLink type={type} id={id}>
        {data.label}
      </RecordLink>
      {dated.has(type) && at && (
        <>
          , <Time of={at} show="day" />
        </>
      )}
    </span>
  )
}
