import { useState } from 'react'
import { Copy } from '../../../components/display/copy.tsx'
import { Action } from '../../../components/forms/actions.tsx'
import { tagPairs } from '../../../components/layout/details.tsx'
import { Dialog } from '../../../components/layout/dialog.tsx'
import { ShortList } from '../../../components/lists/list-screen.tsx'
import { recordScreen } from '../../../components/records/record-page.tsx'
import { actionForms } from '../../../data/actions.ts'
import { useList } from '../../../data/list.ts'
import { linkedCards } from '../../rewards/lists.tsx'
import { accounts, cards, externalAccounts, payments } from '../lists.tsx'

/** One customer with accounts, cards and payees. */
export const Customer = recordScreen('customer', ({ id, record }) => {
  const { name, status, email, phone, address, tags } = record
  const city = address && `${address.city}, ${address.state} ${address.postalCode}`
  const lines = address && [address.street, address.street2, city, address.country]
  return {
    name: `Customer ${name}`,
    title: name,
    state: status,
    order: ['createAccount', 'createExternalAccount', 'createVerificationToken'],
    own: { createVerificationToken: (refusal) => <NewToken customerId={id} refusal={refusal} /> },
    main: <Lists customerId={id} />,
    history: 'folded',
    details: { 'E-mail': email, Phone: phone, Address: lines?.filter(Boolean).join(', '), ...tagPairs(tags) },
    side: <Rewards customerId={id} />,
    without: ['account', 'card', 'externalAccount', 'payment', 'authorization'],
  }
})

function Lists({ customerId }: { customerId: string }) {
  const where = { customerId }
  return (
    <>
      <ShortList
        of={accounts}
        where={where}
        columns={['Number', 'State', 'Available', 'Balance']}
        none="No account yet. “New account” opens one."
      />
      <ShortList
        of={payments}
        where={where}
        columns={['From', 'To', 'For', 'State', 'Created', 'Amount']}
        none="No payment yet. An account offers “Pay…”."
      />
      <ShortList
        of={cards}
        where={where}
        columns={['Card', 'Kind', 'State', 'Created']}
        none="No card yet. An account offers “New card…”."
      />
      <ShortList
        of={externalAccounts}
        params={where}
        columns={['Holder', 'Bank', 'Kind', 'Number']}
        none="No account to pay yet. “New external account…” adds one."
        shown={100}
      />
    </>
  )
}

/** Makes a verification token and shows it: no other answer names it. */
function NewToken({ customerId, refusal }: { customerId: string; refusal: string | null }) {
  const [token, setToken] = useState<string>()
  const form = actionForms.createVerificationToken
  return (
    <>
      {form && (
        <Action
          operation="createVerificationToken"
          form={form}
          target={{ customerId }}
          refusal={refusal}
          done={({ verificationToken }) => setToken(verificationToken)}
        />
      )}
      {token && (
        <Dialog title="Verification token" close={() => setToken(undefined)}>
          <div className="stack">
            <p className="muted">Valid for ten minutes, and shown only now.</p>
            <pre>{token}</pre>
            <div>
              <Copy text={token} />
            </div>
          </div>
        </Dialog>
      )}
    </>
  )
}

/** The partner users who earn rewards with the cards of the customer. */
function Rewards({ customerId }: { customerId: string }) {
  const own = useList('listCards', { query: { customerId, sort: '-createdAt', limit: 10 } })
  const ids = own.rows.map(({ id }) => id)
  if (ids.length === 0) return null
  const query = { whereClause: '$C1 IN ($V1)', columnNames: 'bankCardId', values: JSON.stringify(ids), limit: 10 }
  return (
    <ShortList
      of={linkedCards}
      title="Rewards"
      write={query}
      columns={['Link', 'Card']}
      none="No card earns rewards."
    />
  )
}
