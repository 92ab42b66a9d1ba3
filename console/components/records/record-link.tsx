import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { lastFour } from '../../data/format.ts'
import { useCall } from '../../data/purser.tsx'
import { hasScreen, recordPath } from '../../routes.ts'

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
