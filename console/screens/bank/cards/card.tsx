import { Link } from 'wouter'
import type { LookedUp } from '../../../../client/src/index.ts'
import { Empty } from '../../../components/feedback/empty.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Table } from '../../../components/lists/table.tsx'
import { AccountLink, link, NamedLink } from '../../../components/records/record-link.tsx'
import { Record, RecordPage, relatedId } from '../../../components/records/record-page.tsx'
import { Stopped } from '../../../components/records/stopped.tsx'
import { useCall, useCalls } from '../../../data/purser.tsx'
import { CardFace } from '../../../pictures/card-face.tsx'
import { recordPath } from '../../../routes.ts'
import { authorizations, cardKind, expiry } from '../lists.tsx'
import { Limits } from './card-limits.tsx'
import { SimulatePurchase } from './purchase.tsx'

export type FoundCard = Extract<LookedUp, { type: 'card' }>

/** One card: its face, its state, its authorizations and its operations. */
export function CardScreen({ id }: { id: string }) {
  return (
    <Record type="card" id={id}>
      {(found) => <CardPage found={found} />}
    </Record>
  )
}

function CardPage({ found }: { found: FoundCard }) {
  const { id, record, related, actions } = found
  const { last4Digits, status, type, expirationDate, accountId, design, shippingAddress: sentTo } = record
  const customerId = relatedId(related, 'customer')
  const reader = { enabled: customerId !== undefined }
  const { data: customer } = useCall('getCustomer', { params: { customerId: customerId ?? '' } }, reader)
  return (
    <RecordPage
      found={found}
      parts={{
        name: `Card ${last4Digits}`,
        title: `•••• ${last4Digits}`,
        beside: customer && (
          <>
            of <b>{customer.name}</b>
          </>
        ),
        state: status,
        buttons: <SimulatePurchase found={found} customer={customer} />,
        first: <StateReason found={found} />,
        way: wayOf(status, type),
        main: <Newest found={found} />,
        above: (
          <CardFace
            last4={last4Digits}
            expires={expiry(expirationDate)}
            holder={customer?.name ?? ''}
            kind={cardKind(type)}
            works={status === 'Active'}
          />
        ),
        details: {
          Holder: link('customer', customerId, customer?.name),
          Account: <AccountLink id={accountId} />,
          Kind: cardKind(type),
          Expires: expiry(expirationDate),
          Design: design,
          'Sent to': sentTo && `${sentTo.street}, ${sentTo.city}, ${sentTo.state} ${sentTo.postalCode}`,
          Rewards: link('partnerUserCard', relatedId(related, 'partnerUserCard'), 'Linked') || 'Not linked',
        },
        side: <Limits cardId={id} actions={actions} />,
        without: ['customer', 'account', 'partnerUserCard', 'authorization'],
      }}
    />
  )
}

/** The meanings of the states in which a card cannot pay, and the next step. */
const stopped: Record<string, readonly ['bad' | 'warn', title: string, next: string]> = {
  Inactive: [
    'warn',
    'Not active yet',
    'The customer activates it when it has arrived. Until then purchases are declined.',
  ],
  Frozen: ['warn', 'Frozen', 'New purchases are declined until it is unfrozen. Open ones still settle.'],
  Lost: ['bad', 'Reported lost', 'It cannot be used again. The customer needs another card.'],
  Stolen: ['bad', 'Reported stolen', 'It cannot be used again. The customer needs another card.'],
  ClosedByCustomer: ['bad', 'Closed by the customer', 'It stays closed. The account can have another card.'],
  SuspectedFraud: [
    'bad',
    'Closed on suspicion of fraud',
    'Look at its authorizations before the account gets another card.',
  ],
}

/** Why the card cannot pay, and the card that took its place. */
function StateReason({ found: { id, record, related } }: { found: FoundCard }) {
  const [tone, title, next] = stopped[record.status] ?? []
  if (!tone || !title) return null
  const replacement = related.find(({ relation }) => relation === 'replacement')
  return (
    <Stopped
      {...{ type: 'card', id, status: record.status, tone, title }}
      next={replacement ? 'Another card took its place.' : next}
      actions={replacement && <NamedLink type="card" id={replacement.id} />}
    />
  )
}

/** The newest authorizations of a card, in any state. */
function Newest({ found: { id, related } }: { found: FoundCard }) {
  const ids = related.filter(({ type }) => type === 'authorization').map((each) => each.id)
  const inputs = ids.map((authorizationId) => ({ params: { authorizationId } }))
  const rows = useCalls('getAuthorization', inputs)
  const customerId = relatedId(related, 'customer')
  return (
    <Card
      title="Newest authorizations"
      flush
      aside={customerId && <Link href={`/authorizations?cardId=${id}`}>All</Link>}
    >
      {rows.length > 0 && (
        <Table
          label="Newest authorizations"
          rows={rows}
          columns={authorizations.columns.filter(({ head, optional }) => !optional && head !== 'Card')}
          keyOf={(row) => row.id}
          path={(row) => recordPath('authorization', row.id)}
        />
      )}
      {ids.length === 0 && (
        <Empty title="No purchase yet">
          <p>“Simulate a purchase…” makes one.</p>
        </Empty>
      )}
    </Card>
  )
}

/** The way of a card: virtual ones begin active, and a final state takes its place at the end. */
function wayOf(status: string, type: string) {
  const start = cardKind(type) === 'Virtual' ? ['Active'] : ['Inactive', 'Active']
  const tone = status === 'Active' ? 'good' : ['Inactive', 'Frozen'].includes(status) ? 'warn' : 'bad'
  const middle = status === 'Frozen' ? ['Frozen'] : []
  const end = [...start, 'Frozen'].includes(status) ? 'ClosedByCustomer' : status
  return { way: [...start, ...middle, end], present: status, tone } as const
}
