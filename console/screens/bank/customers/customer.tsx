import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Customer as CustomerRecord, LookedUpCustomer, RecordAction } from '../../../../client/src/index.ts'
import { Copy } from '../../../components/display/copy.tsx'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Action, Actions } from '../../../components/forms/actions.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details } from '../../../components/layout/details.tsx'
import { Dialog } from '../../../components/layout/dialog.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { ByApi } from '../../../components/records/by-api.tsx'
import { History } from '../../../components/records/history.tsx'
import { Related } from '../../../components/records/related.tsx'
import { actionForms } from '../../../data/actions.ts'
import { recordPath } from '../../../routes.ts'
import { Record, targetOf } from '../../record.tsx'
import { CustomerAccounts, CustomerCards, CustomerPayments, ExternalAccounts, PartnerUsers } from './customer-lists.tsx'

/** One customer with accounts, cards and payees. */
export function Customer({ id }: { id: string }) {
  return (
    <Record type="customer" id={id}>
      {(found) => <CustomerScreen found={found} />}
    </Record>
  )
}

/** Records that the screen shows as lists of their own. */
const listed = new Set(['account', 'card', 'externalAccount', 'payment', 'authorization'])

function CustomerScreen({ found }: { found: LookedUpCustomer }) {
  const { id, record, related, actions } = found
  const target = targetOf(found)
  const others = actions.filter(({ operation }) => operation === 'createExternalAccount')
  return (
    <>
      <PageTitle
        name={`Customer ${record.name}`}
        title={record.name}
        parent={{ name: 'Customers', path: '/customers' }}
        id={id}
        actions={
          <>
            <NewAccount actions={actions} target={target} />
            <Actions actions={others} target={target} />
            <NewToken actions={actions} target={target} />
          </>
        }
      >
        <State of={record.status} />
      </PageTitle>
      <div className="columns">
        <div>
          <CustomerAccounts customerId={id} />
          <CustomerPayments customerId={id} />
          <CustomerCards customerId={id} />
          <ExternalAccounts customerId={id} />
          <History type="customer" id={id} />
          <ByApi title="This customer by API" operation="getCustomer" input={{ params: { customerId: id } }} />
        </div>
        <div>
          <CustomerDetails record={record} />
          <PartnerUsers customerId={id} />
          <Related related={related.filter(({ type }) => !listed.has(type))} />
        </div>
      </div>
    </>
  )
}

interface ActionProps {
  actions: readonly RecordAction[]
  target: globalThis.Record<string, string>
}

function NewAccount({ actions, target }: ActionProps) {
  const [, go] = useLocation()
  const action = actions.find(({ operation }) => operation === 'createAccount')
  const form = actionForms.createAccount
  if (!action || !form) return null
  return (
    <Action
      operation="createAccount"
      form={form}
      target={target}
      refusal={action.allowed === false ? action.problem : null}
      done={({ id }) => go(recordPath('account', id))}
    />
  )
}

/** Makes a verification token and shows it: no other answer names it. */
function NewToken({ actions, target }: ActionProps) {
  const [token, setToken] = useState<string>()
  const action = actions.find(({ operation }) => operation === 'createVerificationToken')
  const form = actionForms.createVerificationToken
  if (!action || !form) return null
  return (
    <>
      <Action
        operation="createVerificationToken"
        form={form}
        target={target}
        refusal={action.allowed === false ? action.problem : null}
        done={({ verificationToken }) => setToken(verificationToken)}
      />
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

function CustomerDetails({ record }: { record: CustomerRecord }) {
  const { id, email, phone, address, createdAt, tags } = record
  const lines = address && [
    address.street,
    address.street2,
    `${address.city}, ${address.state} ${address.postalCode}`,
    address.country,
  ]
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
          ['E-mail', email],
          ['Phone', phone],
          ['Address', lines?.filter(Boolean).join(', ')],
          ['Created', <Time key="at" of={createdAt} />],
          ...Object.entries(tags).map(([name, value]) => [`Tag ${name}`, value] as const),
        ]}
      />
    </Card>
  )
}
