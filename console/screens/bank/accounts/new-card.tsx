import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Address, CreateCardRequest, DepositAccount } from '../../../../client/src/index.ts'
import { Refused } from '../../../components/feedback/problem.tsx'
import { type Field, Form } from '../../../components/forms/form.tsx'
import { Dialog } from '../../../components/layout/dialog.tsx'
import { Tabs } from '../../../components/layout/tabs.tsx'
import { useCall, useSend } from '../../../data/purser.tsx'
import { recordPath } from '../../../routes.ts'

const names = ['Virtual', 'Physical'] as const
const kinds = { Virtual: 'individualVirtualDebitCard', Physical: 'individualDebitCard' } as const
type Kind = keyof typeof kinds

/** Issues a virtual card, or a physical one to an address. */
export function NewCard({ account, refusal }: { account: DepositAccount; refusal: string | null }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" aria-disabled={refusal !== null} onClick={() => setOpen(true)}>
        New card…
      </button>
      {open && (
        <Dialog title="New card" close={() => setOpen(false)}>
          {refusal ? <Refused code={refusal} /> : <CardForm account={account} />}
        </Dialog>
      )}
    </>
  )
}

function CardForm({ account: { id, customerId } }: { account: DepositAccount }) {
  const [kind, setKind] = useState<Kind>('Virtual')
  const [, go] = useLocation()
  const { data: customer } = useCall('getCustomer', { params: { customerId } })
  const { mutate, error, isPending } = useSend('createCard', (card) => go(recordPath('card', card.id)))
  const send = (values: Record<string, unknown>) =>
    mutate({ body: { ...values, accountId: id, type: kinds[kind] } as CreateCardRequest })
  return (
    <div className="stack">
      <Tabs label="Kind of card" names={names} chosen={kind} choose={(name: Kind) => setKind(name)} />
      <Form
        key={`${kind} ${customer !== undefined}`}
        submit={`Issue the ${kind.toLowerCase()} card`}
        send={send}
        busy={isPending}
        error={error}
        fields={kind === 'Physical' ? addressFields(customer?.address ?? null) : []}
      >
        {kind === 'Virtual' && <p className="muted">A card for purchases online. It is active at once.</p>}
      </Form>
    </div>
  )
}

/** The address that the card is sent to, which begins with that of the customer. */
function addressFields(address: Address | null): Field[] {
  return [
    { name: 'shippingAddress.street', label: 'Street', initial: address?.street ?? '' },
    { name: 'shippingAddress.city', label: 'City', initial: address?.city ?? '' },
    { name: 'shippingAddress.state', label: 'State', initial: address?.state ?? '' },
    { name: 'shippingAddress.postalCode', label: 'ZIP code', initial: address?.postalCode ?? '' },
    { name: 'shippingAddress.country', label: 'Country', initial: address?.country ?? 'US' },
  ]
}
