import { useState } from 'react'
import type { ConsideredOffer, LookedUp } from '../../../client/src/index.ts'
import { State } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { Reading } from '../../components/feedback/empty.tsx'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { Actions } from '../../components/forms/actions.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Details } from '../../components/layout/details.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { type Column, Table } from '../../components/lists/table.tsx'
import { ByApi } from '../../components/records/by-api.tsx'
import { History } from '../../components/records/history.tsx'
import { RecordLink } from '../../components/records/record-link.tsx'
import { Related, relatedId } from '../../components/records/related.tsx'
import { money, words } from '../../data/format.ts'
import { useCall, useMay } from '../../data/purser.tsx'
import { StateMachine } from '../../pictures/state-machine.tsx'
import { Record, targetOf } from '../record.tsx'

type FoundReward = Extract<LookedUp, { type: 'reward' }>

/** One reward: its state, and the reason why its offer won. */
export function RewardScreen({ id }: { id: string }) {
  return (
    <Record type="reward" id={id}>
      {(found) => <FoundRewardScreen found={found} />}
    </Record>
  )
}

function FoundRewardScreen({ found }: { found: FoundReward }) {
  const { id, record, related, actions } = found
  const { userAmount, merchantName, state } = record
  return (
    <>
      <PageTitle
        name={`Reward ${id}`}
        title={money(userAmount)}
        parent={{ name: 'Rewards', path: '/rewards' }}
        id={id}
        actions={<Actions actions={actions} target={targetOf(found)} />}
      >
        <span>
          cash back at <b>{merchantName}</b>
        </span>
        <State of={state} />
      </PageTitle>
      <div className="columns">
        <div>
          <Card title="State">
            <StateMachine {...machineOf(state)} />
          </Card>
          <Explanation id={id} />
          <History type="reward" id={id} />
          <ByApi title="This reward by API" operation="getReward" input={{ params: { rewardId: id } }} />
        </div>
        <div>
          <RewardDetails found={found} />
          <Related related={related.filter((each) => each.type !== 'event')} />
        </div>
      </div>
    </>
  )
}

const outcomes: globalThis.Record<string, string> = {
  NotLive: 'Not live at the time of the purchase',
  OtherPlace: 'A shop in another city',
  BelowMinimumSpend: 'The purchase is below its minimum',
  AlreadyRedeemed: 'Redeemable once, and redeemed before',
  NoCashBack: 'Less than a cent',
  LowerCashBack: 'Lower cash back',
  OlderOffer: 'The same cash back, and the other offer is newer',
  ChangedSince: 'Would win by its present terms, which it did not have then',
}

const columns: Column<ConsideredOffer>[] = [
  { head: 'Offer', cell: ({ title, offerId }) => title ?? `${offerId}, no longer in the catalogue` },
  { head: 'Id', cell: ({ offerId }) => <span className="mono">{offerId}</span>, wide: true },
  {
    head: 'Outcome',
    cell: ({ outcome }) => (outcome === 'Won' ? <State of="Won" /> : (outcomes[outcome] ?? words(outcome))),
  },
  { head: 'Cash back', cell: ({ userAmount }) => money(userAmount), number: true },
]

/** Considered offers that are shown at first. */
const SHOWN = 8

/** The offers that were considered for the purchase, each with its outcome. */
function Explanation({ id }: { id: string }) {
  const may = useMay('getRewardExplanation')
  const { data, error } = useCall('getRewardExplanation', { params: { rewardId: id } })
  const [all, setAll] = useState(false)
  if (!may) return null
  const others = data ? data.offers.length - 1 : 0
  const shown = all ? data?.offers : data?.offers.slice(0, SHOWN)
  return (
    <Card
      title="Why this offer"
      flush={data !== undefined}
      aside={
        data && <span>{others === 0 ? 'the only one of the merchant' : `among ${data.offers.length} offers`}</span>
      }
    >
      <ProblemNote error={error} />
      {!data && !error && <Reading />}
      {data && (
        <>
          <Table label="Considered offers" rows={shown ?? []} columns={columns} keyOf={({ offerId }) => offerId} />
          {!all && data.offers.length > SHOWN && (
            <p style={{ padding: '12px 16px' }}>
              <button type="button" onClick={() => setAll(true)}>
                Show all {data.offers.length}
              </button>
            </p>
          )}
          {(!data.complete || data.catalogueChanged) && (
            <p className="muted" style={{ padding: '12px 16px' }}>
              {!data.complete && 'The merchant has more offers than are listed. '}
              {data.catalogueChanged && 'The catalogue has changed since the purchase.'}
            </p>
          )}
        </>
      )}
    </Card>
  )
}

function RewardDetails({ found: { id, record, related } }: { found: FoundReward }) {
  const { partnerUserId, rewardableTransactionId, offerId, merchantName, amount, userAmount, createdAt } = record
  const payoutId = relatedId(related, 'rewardPayment')
  const paidId = relatedId(related, 'transaction')
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
          ['Merchant', merchantName],
          ['Purchase', money(amount)],
          ['Cash back', money(userAmount)],
          [
            'Offer',
            <span key="offer" className="mono">
              {offerId}
            </span>,
          ],
          ['Partner user', <RecordLink key="user" type="partnerUser" id={partnerUserId} />],
          ['Purchase id', <RecordLink key="purchase" type="rewardableTransaction" id={rewardableTransactionId} />],
          ['Payout', payoutId && <RecordLink key="payout" type="rewardPayment" id={payoutId} />],
          ['Transaction', paidId && <RecordLink key="paid" type="transaction" id={paidId} />],
          ['Created', <Time key="at" of={createdAt} />],
        ]}
      />
    </Card>
  )
}

/** The way of a reward: one that was taken back or rejected ends otherwise. */
function machineOf(state: string) {
  const ends: globalThis.Record<string, string[]> = {
    CONFIRMED: ['PENDING', 'CONFIRMED', 'PAID'],
    REJECTED: ['PENDING', 'REJECTED'],
    REVERSED: ['PENDING', 'REVERSED'],
    CLAWED_BACK: ['PENDING', 'PAID', 'CLAWED_BACK'],
  }
  const tone = state === 'PAID' || state === 'CONFIRMED' ? 'good' : state === 'PENDING' ? 'warn' : 'bad'
  return { way: ends[state] ?? ['PENDING', 'PAID'], present: state, tone: tone as 'good' | 'warn' | 'bad' }
}
