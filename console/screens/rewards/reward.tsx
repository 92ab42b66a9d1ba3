import { useState } from 'react'
import type { ConsideredOffer } from '../../../client/src/index.ts'
import { State } from '../../components/display/state.tsx'
import { Reading } from '../../components/feedback/empty.tsx'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { Card } from '../../components/layout/card.tsx'
import { mono } from '../../components/layout/details.tsx'
import { type Column, Table } from '../../components/lists/table.tsx'
import { link } from '../../components/records/record-link.tsx'
import { recordScreen, relatedId } from '../../components/records/record-page.tsx'
import { count, counted, money, words } from '../../data/format.ts'
import { useCall, useMay } from '../../data/purser.tsx'

/** One reward: its state, and the reason why its offer won. */
export const RewardScreen = recordScreen('reward', ({ id, record, related }) => {
  const { userAmount, merchantName, state, amount, offerId, partnerUserId, rewardableTransactionId } = record
  return {
    name: `Reward ${id}`,
    title: money(userAmount),
    beside: (
      <>
        cash back at <b>{merchantName}</b>
      </>
    ),
    state,
    way: wayOf(state),
    main: <Explanation id={id} />,
    details: {
      Merchant: merchantName,
      Purchase: money(amount),
      'Cash back': money(userAmount),
      Offer: mono(offerId),
      'Partner user': link('partnerUser', partnerUserId),
      'Purchase id': link('rewardableTransaction', rewardableTransactionId),
      Payout: link('rewardPayment', relatedId(related, 'rewardPayment')),
      Transaction: link('transaction', relatedId(related, 'transaction')),
    },
    without: ['partnerUser', 'rewardableTransaction', 'rewardPayment', 'transaction'],
  }
})

const outcomes: Record<string, string> = {
  NotLive: 'Not live at the time of the purchase',
  OtherMerchant: 'The same name, but another merchant',
  OtherCategory: 'Not for this category code',
  OtherPlace: 'A shop in another city',
  BelowMinimumSpend: 'The purchase, with all its parts, is below its minimum',
  OtherDay: 'Another day of the week',
  NotEligible: 'The user does not meet its condition',
  NotActivated: 'The user has not activated it',
  BudgetSpent: 'Too little is left of a budget',
  AlreadyRedeemed: 'Redeemable once, and redeemed before',
  NoCashBack: 'Less than a cent',
  LowerCashBack: 'Lower cash back',
  OlderOffer: 'The same cash back, and the other offer is newer',
  ChangedSince: 'Would win by its present terms, which it did not have then',
}

const columns: Column<ConsideredOffer>[] = [
  { head: 'Offer', cell: ({ title, offerId }) => title ?? `${offerId}, no longer in the catalogue` },
  { head: 'Id', cell: ({ offerId }) => mono(offerId), wide: true },
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
        data && (
          <span>{others === 0 ? 'the only one of the merchant' : `among ${counted(data.offers.length, 'offer')}`}</span>
        )
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
                Show all {count(data.offers.length)}
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

/** The way of a reward: one that was taken back or rejected ends otherwise. */
function wayOf(state: string) {
  const ends: Record<string, string[]> = {
    CONFIRMED: ['PENDING', 'CONFIRMED', 'PAID'],
    REJECTED: ['PENDING', 'REJECTED'],
    REVERSED: ['PENDING', 'REVERSED'],
    CLAWED_BACK: ['PENDING', 'PAID', 'CLAWED_BACK'],
  }
  const tone = state === 'PAID' || state === 'CONFIRMED' ? 'good' : state === 'PENDING' ? 'warn' : 'bad'
  return { way: ends[state] ?? ['PENDING', 'PAID'], present: state, tone } as const
}
