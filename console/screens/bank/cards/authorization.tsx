import type { LookedUp } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Actions } from '../../../components/forms/actions.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details } from '../../../components/layout/details.tsx'
import { Figures } from '../../../components/layout/figures.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { ByApi } from '../../../components/records/by-api.tsx'
import { History } from '../../../components/records/history.tsx'
import { RecordLink } from '../../../components/records/record-link.tsx'
import { Related, relatedId } from '../../../components/records/related.tsx'
import { amountsOf } from '../../../data/authorizations.ts'
import { money } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { useMay } from '../../../data/purser.tsx'
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
