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
    way: wayOf(status),
    next: reason && <p className="bad">{words(reason)}</p>,
    main: <Amounts id={id} amount={amount} status={status} />,
    api: ['getAuthorization', { params: { authorizationId: id } }],
    details: {
      Merchant: merchant.name,
      Trade: merchant.category,
      Place: merchant.location,
      'Declined because': reason && words(reason),
      Card: link('card', relatedId(related, 'card'), `•••• ${cardLast4Digits}`) || `•••• ${cardLast4Digits}`,
      Reward: link('reward', relatedId(related, 'reward')),
    },
  }
})

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
