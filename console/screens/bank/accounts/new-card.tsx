import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Address, DepositAccount } from '../../../../client/src/index.ts'
import { SendForm } from '../../../components/forms/actions.tsx'
import { DialogButton } from '../../../components/layout/dialog.tsx'
import { Tabs } from '../../../components/layout/tabs.tsx'
import { shippingFields } from '../../../data/actions.ts'
import { useCall } from '../../../data/purser.tsx'
import { recordPath } from '../../../routes.ts'

const names = ['Virtual', 'Physical'] as const
const kinds = { Virtual: 'individualVirtualDebitCard', Physical: 'individualDebitCard' } as const
type Kind = keyof typeof kinds

/** Issues a virtual card, or a physical one to an address. */
export function NewCard({ account, refusal }: { account: DepositAccount; refusal: string | null }) {
  return (
    <DialogButton label="New card…" refusal={refusal}>
      {() => <CardForm account={account} />}
    </DialogButton>
  )
}

function CardForm({ account: { id, customerId } }: { account: DepositAccount }) {
  const [kind, setKind] = useState<Kind>('Virtual')
  const [, go] = useLocation()
  const { data: customer } = useCall('getCustomer', { params: { customerId } })
  return (
    <div className="stack">
      <Tabs label="Kind of card" names={names} chosen={kind} choose={(name: Kind) => setKind(name)} />
      <SendForm
        key={`${kind} ${customer !== undefined}`}
        operation="createCard"
        submit={`Issue the ${kind.toLowerCase()} card`}
        input={(values) => ({ body: { ...values, accountId: id, type: kinds[kind] } })}
        done={(card) => go(recordPath('card', card.id))}
        fields={kind === 'Physical' ? addressFields(customer?.address ?? null) : []}
      >
        {kind === 'Virtual' && <p className="muted">A card for purchases online. It is active at once.</p>}
      </SendForm>
    </div>
  )
}

/** The address that the card is sent to, which begins with that of the customer. */
function addressFields(address: Address | null) {
  return shippingFields.map((field) => {
    const member = field.name.split('.')[1] as keyof Address
    return { ...field, initial: address?.[member] ?? field.initial ?? '' }
  })
}
