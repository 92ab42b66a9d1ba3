import type { LookedUp } from '../../../../client/src/index.ts'
import { amountsOf } from '../../../data/authorizations.ts'
import { money } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { useMay } from '../../../data/purser.tsx'
import { Actions } from '../../../parts/actions.tsx'
import { ByApi } from '../../../parts/by-api.tsx'
import { Card } from '../../../parts/card.tsx'
import { Details } from '../../../parts/details.tsx'
import { Figures } from '../../../parts/figures.tsx'
import { History } from '../../../parts/history.tsx'
import { PageTitle } from '../../../parts/page-title.tsx'
import { RecordLink } from '../../../parts/record-link.tsx'
import { Related, relatedId } from '../../../parts/related.tsx'
import { State } from '../../../parts/state.tsx'
import { Time } from '../../../parts/time.tsx'
import { StateMachine } from '../../../pictures/state-machine.tsx'
import { Record, targetOf } from '../../record.tsx'

type FoundAuthorization = Extract<LookedUp, { type: 'authorization' }>

/** One authorization: its state, its amounts and its operations. */
export function AuthorizationScreen({ id }: { id: string }) {
  return (
    <Record type="authorization" id={id}>
      {(found) => <FoundAuthorizationScreen found={found} />}
    </Record>
  )
}

function FoundAuthorizationScreen({ found }: { found: FoundAuthorization }) {
  const { id, record, related, actions } = found
  const { amount, merchant, status } = record
  return (
    <>
      <PageTitle
        name={`Authorization ${id}`}
        title={money(amount)}
        parent={{ name: 'Authorizations', path: '/authorizations' }}
        id={id}
        actions={<Actions actions={actions} target={targetOf(found)} />}
      >
        <span>
          at <b>{merchant.name}</b>
        </span>
        <State of={status} />
      </PageTitle>
      <div className="columns">
        <div>
          <Card title="State">
            <StateMachine {...machineOf(status)} />
          </Card>
          <Amounts found={found} />
          <History type="authorization" id={id} />
          <ByApi
            title="This authorization by API"
            operation="getAuthorization"
            input={{ params: { authorizationId: id } }}
          />
        </div>
        <div>
          <AuthorizationDetails found={found} />
          <Related related={related.filter((each) => each.type !== 'event')} />
        </div>
      </div>
    </>
  )
}

/** The money of an authorization, from the transfers that it caused. */
function Amounts({ found: { id, record } }: { found: FoundAuthorization }) {
  const may = useMay('listLedgerTransfers')
  const { rows, isPending } = useList('listLedgerTransfers', {
    query: { sourceType: 'authorization', sourceId: id, limit: 200 },
  })
  if (!may || isPending) return null
  const { held, settled, refunded } = amountsOf(record, rows)
  return (
    <Card title="Amounts">
      <Figures
        items={[
          ['Asked for', money(record.amount)],
          ['Held', money(held)],
          ['Settled', money(settled)],
          ['Refunded', money(refunded)],
        ]}
      />
    </Card>
  )
}

function AuthorizationDetails({ found: { id, record, related } }: { found: FoundAuthorization }) {
  const { merchant, cardLast4Digits, reason, createdAt } = record
  const cardId = relatedId(related, 'card')
  const rewardId = relatedId(related, 'reward')
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
          ['Merchant', merchant.name],
          ['Trade', merchant.category],
          ['Place', merchant.location],
          ['Declined because', reason],
          [
            'Card',
            cardId ? (
              <RecordLink key="card" type="card" id={cardId}>
                •••• {cardLast4Digits}
              </RecordLink>
            ) : (
              `•••• ${cardLast4Digits}`
            ),
          ],
          ['Reward', rewardId && <RecordLink key="reward" type="reward" id={rewardId} />],
          ['Created', <Time key="at" of={createdAt} />],
        ]}
      />
    </Card>
  )
}

/** The way of an authorization: one that ended without a settlement ends otherwise. */
function machineOf(status: string) {
  const way = status === 'Declined' ? ['Declined'] : ['Authorized', status === 'Canceled' ? 'Canceled' : 'Completed']
  const tone = status === 'Completed' ? 'good' : status === 'Authorized' ? 'warn' : 'bad'
  return { way, present: status, tone: tone as 'good' | 'warn' | 'bad' }
}
