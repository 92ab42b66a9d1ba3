import { useLocation } from 'wouter'
import type { LookedUpExternalAccount } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Action, Actions } from '../../../components/forms/actions.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details } from '../../../components/layout/details.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { ByApi } from '../../../components/records/by-api.tsx'
import { History } from '../../../components/records/history.tsx'
import { RecordLink } from '../../../components/records/record-link.tsx'
import { Related } from '../../../components/records/related.tsx'
import { actionForms } from '../../../data/actions.ts'
import { recordPath } from '../../../routes.ts'
import { Record } from '../../record.tsx'

/** One account at another bank that a customer can pay. */
export function ExternalAccount({ id }: { id: string }) {
  return (
    <Record type="externalAccount" id={id}>
      {(found) => <ExternalAccountScreen found={found} />}
    </Record>
  )
}

function ExternalAccountScreen({ found }: { found: LookedUpExternalAccount }) {
  const { id, record, related, actions } = found
  const { name, bank, accountNumber, customerId, review } = record
  const customer = recordPath('customer', customerId)
  return (
    <>
      <PageTitle
        name={`External account of ${name}`}
        title={name}
        parent={{ name: 'Customer', path: customer }}
        id={id}
        actions={
          <>
            <Actions
              actions={actions.filter(({ operation }) => operation !== 'deleteExternalAccount')}
              target={{ externalAccountId: id }}
            />
            <Delete found={found} />
          </>
        }
      >
        <span>
          {bank} ··{accountNumber.slice(-4)}
        </span>
        {review && <State of={review} />}
      </PageTitle>
      <div className="columns">
        <div>
          <History type="externalAccount" id={id} />
          <ByApi
            title="The external accounts of the customer by API"
            operation="listExternalAccounts"
            input={{ params: { customerId }, query: { accountNumber } }}
          />
        </div>
        <div>
          <ExternalAccountDetails record={record} />
          <Related related={related.filter(({ type }) => type !== 'customer')} />
        </div>
      </div>
    </>
  )
}

/** Deletes the account and leads back to the customer, because the record is gone. */
function Delete({ found: { id, record, actions } }: { found: LookedUpExternalAccount }) {
  const [, go] = useLocation()
  const action = actions.find(({ operation }) => operation === 'deleteExternalAccount')
  const form = actionForms.deleteExternalAccount
  if (!action || !form) return null
  return (
    <Action
      operation="deleteExternalAccount"
      form={form}
      target={{ externalAccountId: id }}
      refusal={action.allowed === false ? action.problem : null}
      done={() => go(recordPath('customer', record.customerId))}
    />
  )
}

function ExternalAccountDetails({ record }: { record: LookedUpExternalAccount['record'] }) {
  const { id, name, bank, routingNumber, accountNumber, accountType, type, permissions, customerId, createdAt } = record
  const mono = (text: string) => <span className="mono">{text}</span>
  return (
    <Card title="Details">
      <Details
        items={[
          ['Id', mono(id)],
          ['Holder', name],
          ['Kind of holder', type],
          ['Bank', bank],
          ['Account number', mono(accountNumber)],
          ['Routing number', mono(routingNumber)],
          ['Kind of account', accountType],
          ['Permissions', permissions === 'CreditOnly' ? 'Receives money only' : permissions],
          ['Customer', <RecordLink key="customer" type="customer" id={customerId} />],
          ['Created', <Time key="at" of={createdAt} />],
        ]}
      />
    </Card>
  )
}
