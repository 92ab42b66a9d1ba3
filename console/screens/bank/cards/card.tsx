import { Link } from 'wouter'
import type { Authorization, LookedUp } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Empty } from '../../../components/feedback/empty.tsx'
import { Actions } from '../../../components/forms/actions.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details } from '../../../components/layout/details.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { type Column, Table } from '../../../components/lists/table.tsx'
import { ByApi } from '../../../components/records/by-api.tsx'
import { History } from '../../../components/records/history.tsx'
import { RecordLink } from '../../../components/records/record-link.tsx'
import { Related, relatedId } from '../../../components/records/related.tsx'
import { money } from '../../../data/format.ts'
import { useCall, useCalls } from '../../../data/purser.tsx'
import { CardFace } from '../../../pictures/card-face.tsx'
import { StateMachine } from '../../../pictures/state-machine.tsx'
import { recordPath } from '../../../routes.ts'
import { Record, targetOf } from '../../record.tsx'
import { Limits } from './card-limits.tsx'
import { expiryOf, kindOf } from './cards.tsx'
import { SimulatePurchase } from './purchase.tsx'

type FoundCard = Extract<LookedUp, { type: 'card' }>

/** One card: its face, its state, its authorizations and its operations. */
export function CardScreen({ id }: { id: string }) {
  return (
    <Record type="card" id={id}>
      {(found) => <FoundCardScreen found={found} />}
    </Record>
  )
}

function FoundCardScreen({ found }: { found: FoundCard }) {
  const { id, record, related, actions } = found
  const { last4Digits, status, type, expirationDate } = record
  const customerId = relatedId(related, 'customer')
  const { data: customer } = useCall(
    'getCustomer',
    { params: { customerId: customerId ?? '' } },
    { enabled: customerId !== undefined },
  )
  return (
    <>
      <PageTitle
        name={`Card ${last4Digits}`}
        title={`•••• ${last4Digits}`}
        parent={{ name: 'Cards', path: '/cards' }}
        id={id}
        actions={
          <>
            <SimulatePurchase found={found} customer={customer} />
            <Actions actions={actions} target={targetOf(found)} />
          </>
        }
      >
        {customer && (
          <span>
            of <b>{customer.name}</b>
          </span>
        )}
        <State of={status} />
      </PageTitle>
      <div className="columns">
        <div>
          <Card title="State">
            <StateMachine {...machineOf(status, type)} />
          </Card>
          <Authorizations found={found} />
          <History type="card" id={id} />
          <ByApi title="This card by API" operation="getCard" input={{ params: { cardId: id } }} />
        </div>
        <div>
          <CardFace
            last4={last4Digits}
            expires={expiryOf(expirationDate)}
            holder={customer?.name ?? ''}
            kind={kindOf(type)}
            works={status === 'Active'}
          />
          <CardDetails found={found} holder={customer?.name} />
          <Limits cardId={id} actions={actions} />
          <Related related={related.filter((each) => each.type !== 'event')} />
        </div>
      </div>
    </>
  )
}

function CardDetails({ found: { id, record, related }, holder }: { found: FoundCard; holder: string | undefined }) {
  const { accountId, type, expirationDate, design, shippingAddress, createdAt } = record
  const customerId = relatedId(related, 'customer')
  const linkId = relatedId(related, 'partnerUserCard')
  return (
    <Card title="Details">
      <Details
        items={[
          [
            'Id',
            <span key="id" className="mono">
              {id}
            </span>,
          ],
          [
            'Holder',
            customerId && (
              <RecordLink key="holder" type="customer" id={customerId}>
                {holder ?? customerId}
              </RecordLink>
            ),
          ],
          ['Account', <RecordLink key="account" type="account" id={accountId} />],
          ['Kind', kindOf(type)],
          ['Expires', expiryOf(expirationDate)],
          ['Design', design],
          [
            'Sent to',
            shippingAddress &&
              `${shippingAddress.street}, ${shippingAddress.city}, ${shippingAddress.state} ${shippingAddress.postalCode}`,
          ],
          [
            'Rewards',
            linkId ? (
              <RecordLink key="link" type="partnerUserCard" id={linkId}>
                Linked
              </RecordLink>
            ) : (
              'Not linked'
            ),
          ],
          ['Created', <Time key="at" of={createdAt} />],
        ]}
      />
    </Card>
  )
}

export const authorizationColumns: Column<Authorization>[] = [
  { head: 'Merchant', cell: ({ merchant }) => merchant.name },
  { head: 'Place', cell: ({ merchant }) => merchant.location, wide: true },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true },
  { head: 'Amount', cell: ({ amount }) => money(amount), number: true },
]

/** The newest authorizations of a card, in any state. */
function Authorizations({ found: { id, related } }: { found: FoundCard }) {
  const ids = related.filter(({ type }) => type === 'authorization').map((each) => each.id)
  const rows = useCalls(
    'getAuthorization',
    ids.map((authorizationId) => ({ params: { authorizationId } })),
  )
  const customerId = relatedId(related, 'customer')
  return (
    <Card
      title="Newest authorizations"
      flush
      aside={customerId && <Link href={`/authorizations?customerId=${customerId}&cardId=${id}`}>All open ones</Link>}
    >
      {rows.length > 0 ? (
        <Table
          label="Newest authorizations"
          rows={rows}
          columns={authorizationColumns}
          keyOf={(row) => row.id}
          path={(row) => recordPath('authorization', row.id)}
        />
      ) : (
        ids.length === 0 && (
          <Empty title="No purchase yet">
            <p>“Simulate a purchase…” makes one.</p>
          </Empty>
        )
      )}
    </Card>
  )
}

/** The way of a card: virtual ones begin active, and a final state takes its place at the end. */
function machineOf(status: string, type: string) {
  const start = type === 'individualVirtualDebitCard' ? ['Active'] : ['Inactive', 'Active']
  const tone = status === 'Active' ? 'good' : ['Inactive', 'Frozen'].includes(status) ? 'warn' : 'bad'
  const middle = status === 'Frozen' ? ['Frozen'] : []
  const end = [...start, 'Frozen'].includes(status) ? 'ClosedByCustomer' : status
  return { way: [...start, ...middle, end], present: status, tone: tone as 'good' | 'warn' | 'bad' }
}
