import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Customer } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { type Field, Form } from '../../../components/forms/form.tsx'
import { Details } from '../../../components/layout/details.tsx'
import { DialogButton } from '../../../components/layout/dialog.tsx'
import { link } from '../../../components/records/record-link.tsx'
import { relatedId } from '../../../components/records/record-page.tsx'
import { money, words } from '../../../data/format.ts'
import { buy, linkCard, type Purchase, type PurchaseOrder, type Shop, shopsOf } from '../../../data/purchase.ts'
import { useCall, useMay, useSession } from '../../../data/purser.tsx'
import type { FoundCard } from './card.tsx'

/** A button that pays with a card at a merchant of the reader's choice. Only a sandbox has it. */
export function SimulatePurchase({ found, customer }: { found: FoundCard; customer: Customer | undefined }) {
  const may = useMay('createAuthorization')
  const [made, setMade] = useState<Purchase>()
  if (!may) return null
  return (
    <DialogButton label="Simulate a purchase…" className="primary" closed={() => setMade(undefined)}>
      {() =>
        made ? (
          <Made purchase={made} linked={relatedId(found.related, 'partnerUserCard') !== undefined} />
        ) : (
          <PurchaseForm found={found} customer={customer} done={setMade} />
        )
      }
    </DialogButton>
  )
}

function PurchaseForm({
  found: { id: cardId, related },
  customer,
  done,
}: {
  found: FoundCard
  customer: Customer | undefined
  done(purchase: Purchase): void
}) {
  const { purser } = useSession()
  const queries = useQueryClient()
  const { shops, isReading } = useShops(customer)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (order: PurchaseOrder) => buy(purser, order),
    onSuccess: (purchase) => {
      done(purchase)
      return queries.invalidateQueries()
    },
  })
  const send = ({ shop, name, amount, then }: Record<string, unknown>) => {
    const chosen = shops.find(({ offerId }) => offerId === shop)
    const merchant = name
      ? { name: String(name) }
      : { name: chosen?.name ?? '', ...(chosen?.location && { location: chosen.location }) }
    mutate({ cardId, amount: Number(amount), merchant, settle: then === 'settle' })
  }
  const linked = relatedId(related, 'partnerUserCard') !== undefined
  if (isReading) return <p role="status">Looking for merchants nearby…</p>
  return (
    <>
      {!linked && customer && <LinkCard cardId={cardId} customerId={customer.id} />}
      <Form fields={fieldsOf(shops)} submit="Pay" send={send} busy={isPending} error={error} />
    </>
  )
}

function fieldsOf(shops: readonly Shop[]): Field[] {
  const choice: Field = {
    name: 'shop',
    label: 'Merchant with an offer',
    options: shops.map(({ offerId, name, location, offer }) => ({
      value: offerId,
      label: `${name}, ${location || 'online'} · ${offer}`,
    })),
  }
  const typed: Field = {
    name: 'name',
    label: shops.length > 0 ? 'Or another merchant' : 'Merchant',
    ...(shops.length > 0
      ? { optional: true, hint: 'Takes the place of the choice above' }
      : { initial: 'Sample Coffee' }),
  }
  return [
    ...(shops.length > 0 ? [choice] : []),
    typed,
    { name: 'amount', label: 'Amount', kind: 'money', initial: '100.00' },
    {
      name: 'then',
      label: 'Then',
      options: [
        { value: 'settle', label: 'Hold and settle: money moves, a reward follows' },
        { value: 'hold', label: 'Hold only' },
      ],
    },
  ]
}

/** The merchants with offers near the customer's address, and those online. */
function useShops(customer: Customer | undefined): { shops: Shop[]; isReading: boolean } {
  const zipCode = customer?.address?.postalCode
  const query = { userId: customer?.id ?? '', page: 0, pageSize: 25 }
  const local = useCall(
    'listLocalOffers',
    { query: { ...query, zipCode: zipCode ?? '' } },
    { enabled: /^\d{5}(-\d{4})?$/.test(zipCode ?? '') },
  )
  const national = useCall('listNationalOffers', { query }, { enabled: customer !== undefined })
  return {
    shops: shopsOf(local.data?.localRewardOffers ?? [], national.data?.nationalRewardOffers ?? []),
    isReading: local.isFetching || national.isFetching,
  }
}

/** Says that purchases with the card earn nothing yet, and changes that. */
function LinkCard({ cardId, customerId }: { cardId: string; customerId: string }) {
  const { purser } = useSession()
  const queries = useQueryClient()
  const may = useMay('createPartnerUserCard')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => linkCard(purser, customerId, cardId),
    onSuccess: () => queries.invalidateQueries(),
  })
  return (
    <div className="stack" style={{ marginBottom: 16 }}>
      <p className="muted">
        The card is not linked to rewards: its purchases earn nothing.{' '}
        {may && (
          <button type="button" className="link" disabled={isPending} onClick={() => mutate()}>
            Link it
          </button>
        )}
      </p>
      <ProblemNote error={error} />
    </div>
  )
}

/** The records of a purchase that was made. */
function Made({ purchase: { authorization, transaction, fault }, linked }: { purchase: Purchase; linked: boolean }) {
  const { id, status, merchant, amount, reason } = authorization
  const { data: found, isFetching } = useCall('lookUpRecord', { params: { type: 'authorization', id } })
  const rewardId = found && relatedId(found.related, 'reward')
  const { data: reward } = useCall(
    'getReward',
    { params: { rewardId: rewardId ?? '' } },
    { enabled: rewardId !== undefined },
  )
  const isSettled = transaction !== undefined
  const unsettled = status === 'Declined' ? 'None: the purchase was declined' : 'None before it settles'
  return (
    <div className="stack">
      <p>
        {money(amount)} at <b>{merchant.name}</b> <State of={status} />
        {reason && ` ${words(reason)}`}
      </p>
      <ProblemNote error={fault} />
      <Details
        of={{
          Authorization: link('authorization', id),
          Transaction: link('transaction', transaction?.id) || unsettled,
          Reward: reward ? link('reward', reward.id, `${money(reward.userAmount)} cash back`) : noReward(),
        }}
      />
    </div>
  )

  function noReward(): string {
    if (!isSettled) return unsettled
    // The reward is made after the settlement: until its records are read, nothing is known.
    if (!found || isFetching || rewardId !== undefined) return 'Is looked for…'
    return linked ? 'None: no offer matched' : 'None: the card is not linked'
  }
}
