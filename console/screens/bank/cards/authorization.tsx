import { Reason } from '../../../components/feedback/reason.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Figures } from '../../../components/layout/figures.tsx'
import { link } from '../../../components/records/record-link.tsx'
import { recordScreen, relatedId } from '../../../components/records/record-page.tsx'
import { amountsOf } from '../../../data/authorization-amounts.ts'
import { money, words } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { useMay } from '../../../data/purser.tsx'

/** One authorization: its state, its amounts and its operations. */
export const AuthorizationScreen = recordScreen('authorization', ({ id, record, related }) => {
  const { amount, merchant, status, cardLast4Digits, reason } = record
  return {
    name: `Authorization ${id}`,
    title: money(amount),
    beside: (
      <>
        at <b>{merchant.name}</b>
      </>
    ),
    state: status,
    first: status === 'Declined' && reason && <Declined reason={reason} amount={amount} />,
    way: wayOf(status),
    main: <Amounts id={id} amount={amount} status={status} />,
    details: {
      Merchant: merchant.name,
      Trade: merchant.category,
      Place: merchant.location,
      Card: link('card', relatedId(related, 'card'), `•••• ${cardLast4Digits}`) || `•••• ${cardLast4Digits}`,
      Reward: link('reward', relatedId(related, 'reward')),
    },
  }
})

/** Why a purchase was declined, and what would let it pass. */
const causes: Record<string, readonly [why: string, next: string]> = {
  CardNotActive: ['the card is not active', 'Activate, unfreeze or replace the card.'],
  AccountNotOpen: ['the account is not open', 'Unfreeze or reopen the account.'],
  InsufficientFunds: ['not enough money was available', 'The customer needs more money on the account, or less held.'],
  PurchaseLimitExceeded: ['above the limit of a purchase', 'A higher limit of the card lets it pass.'],
  DailyLimitExceeded: ['above the limit of a day', 'It passes on another day, or with a higher limit of the card.'],
  MonthlyLimitExceeded: [
    'above the limit of a month',
    'It passes in another month, or with a higher limit of the card.',
  ],
  MerchantCategoryNotAllowed: ['the card may not pay in this trade', 'The limits of the card name the trades.'],
  DeclinedByApp: ['your app said no', 'The answer of the decision hook names the reason.'],
  DecisionUnavailable: ['your app did not answer in time', 'Look at the address of the decision hook and its log.'],
}

function Declined({ reason, amount }: { reason: string; amount: number }) {
  const [why, next] = causes[reason] ?? [words(reason).toLowerCase(), undefined]
  return (
    <Reason tone="bad" title={`Declined: ${why}`} next={next}>
      {money(amount)} was asked for. No money was held.
    </Reason>
  )
}

/** The money of an authorization, from the transfers that it caused. */
function Amounts({ id, amount, status }: { id: string; amount: number; status: string }) {
  const may = useMay('listLedgerTransfers')
  const { rows, isPending } = useList('listLedgerTransfers', {
    query: { sourceType: 'authorization', sourceId: id, limit: 200 },
  })
  if (!may || isPending) return null
  const { held, settled, refunded } = amountsOf({ amount, status }, rows)
  return (
    <Card title="Amounts">
      <Figures
        items={[
          ['Asked for', money(amount)],
          ['Held', money(held)],
          ['Settled', money(settled)],
          ['Refunded', money(refunded)],
        ]}
      />
    </Card>
  )
}

/** The way of an authorization: one that ended without a settlement ends otherwise. */
function wayOf(status: string) {
  const way = status === 'Declined' ? ['Declined'] : ['Authorized', status === 'Canceled' ? 'Canceled' : 'Completed']
  const tone = status === 'Completed' ? 'good' : status === 'Authorized' ? 'warn' : 'bad'
  return { way, present: status, tone } as const
}
