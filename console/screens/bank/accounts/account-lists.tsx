import type { DepositAccount, ExternalAccount, RecordAction } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Action } from '../../../components/forms/actions.tsx'
import { ShortList } from '../../../components/lists/short-list.tsx'
import { actionForms } from '../../../data/actions.ts'
import { monthBefore, useBankDay } from '../../../data/bank-time.ts'
import { money, month, words } from '../../../data/format.ts'
import { type Rows, useList } from '../../../data/list.ts'
import { useMay } from '../../../data/purser.tsx'
import { recordPath } from '../../../routes.ts'

interface Props {
  account: DepositAccount
}

/** The amounts that cannot be spent until they are released or expire. */
export function Holds({ account: { id }, actions }: Props & { actions: readonly RecordAction[] }) {
  const may = useMay('listAccountHolds')
  const query = { status: 'Active', limit: 100 } as const
  const list = useList('listAccountHolds', { params: { accountId: id }, query })
  const create = actions.find(({ operation }) => operation === 'createAccountHold')
  const form = actionForms.createAccountHold
  if (!may) return null
  return (
    <ShortList
      title="Holds"
      list={list}
      shown={10}
      keyOf={(each) => each.id}
      path={(each) => recordPath('accountHold', each.id)}
      columns={[
        { head: 'Reason', cell: ({ reason, description }) => description ?? words(reason) },
        { head: 'Amount', cell: ({ amount }) => money(amount), number: true },
      ]}
      aside={
        create &&
        form && (
          <Action
            operation="createAccountHold"
            form={{ ...form, label: 'New…', title: 'New hold' }}
            target={{ accountId: id }}
            refusal={create.allowed === false ? create.problem : null}
          />
        )
      }
      empty="No amount is held."
    />
  )
}

/** The open authorizations, whose amounts the account keeps. */
export function OpenAuthorizations({ account: { id, customerId } }: Props) {
  const may = useMay('listAuthorizations')
  const query = { customerId, accountId: id, status: 'Authorized', sort: '-createdAt', limit: 10 } as const
  const list = useList('listAuthorizations', { query })
  if (!may) return null
  return (
    <ShortList
      title="Open authorizations"
      list={list}
      all={`/authorizations?${new URLSearchParams({ customerId, accountId: id })}`}
      keyOf={(each) => each.id}
      path={(each) => recordPath('authorization', each.id)}
      columns={[
        { head: 'Merchant', cell: ({ description }) => description },
        { head: 'Amount', cell: ({ amount }) => money(amount), number: true },
      ]}
      empty="No open authorization."
    />
  )
}

export function AccountCards({ account: { id } }: Props) {
  const may = useMay('listCards')
  const list = useList('listCards', { query: { accountId: id, sort: '-createdAt', limit: 10 } })
  if (!may) return null
  return (
    <ShortList
      title="Cards"
      list={list}
      all={`/cards?${new URLSearchParams({ accountId: id })}`}
      keyOf={(each) => each.id}
      path={(each) => recordPath('card', each.id)}
      columns={[
        { head: 'Card', cell: ({ last4Digits, type }) => `··${last4Digits} ${kindOfCard(type)}` },
        { head: 'State', cell: ({ status }) => <State of={status} /> },
      ]}
      empty="No card draws on the account."
    />
  )
}

export function kindOfCard(type: string): string {
  return type === 'individualVirtualDebitCard' ? 'virtual' : 'physical'
}

/** The external accounts that the account can pay. */
export function Payees({ account: { customerId }, payees }: Props & { payees: Rows<ExternalAccount> }) {
  const may = useMay('listExternalAccounts')
  const mayAdd = useMay('createExternalAccount')
  const form = actionForms.createExternalAccount
  if (!may) return null
  return (
    <ShortList
      title="External accounts to pay"
      list={payees}
      all={recordPath('customer', customerId)}
      keyOf={(each) => each.id}
      path={(each) => recordPath('externalAccount', each.id)}
      columns={[
        { head: 'Holder', cell: ({ name }) => name },
        { head: 'Number', cell: ({ accountNumber }) => `··${accountNumber.slice(-4)}` },
      ]}
      aside={
        mayAdd &&
        form && (
          <Action
            operation="createExternalAccount"
            form={{ ...form, label: 'New…', title: 'New external account' }}
            target={{ customerId }}
            refusal={null}
          />
        )
      }
      empty="None yet."
    />
  )
}

export function Statements({ account: { id } }: Props) {
  const may = useMay('listStatements')
  const mayMake = useMay('createStatement')
  const list = useList('listStatements', { query: { accountId: id, sort: '-createdAt', limit: 10 } })
  if (!may) return null
  return (
    <ShortList
      title="Statements"
      list={list}
      all={`/statements?${new URLSearchParams({ accountId: id })}`}
      keyOf={(each) => each.id}
      path={(each) => recordPath('statement', each.id)}
      columns={[{ head: 'Month', cell: ({ period }) => month(period) }]}
      aside={mayMake && <NewStatement accountId={id} />}
      empty="The first one follows at the end of the month."
    />
  )
}

interface NewStatementProps {
  accountId: string
  label?: string
  /** Gets the id of the new statement. */
  done?(id: string): void
}

/** Makes the statement of a month that is over. */
export function NewStatement({ accountId, label = 'New…', done }: NewStatementProps) {
  const today = useBankDay()
  if (!today) return null
  const fields = [{ name: 'period', label: 'Month', kind: 'month', initial: monthBefore(today) }] as const
  return (
    <Action
      operation="createStatement"
      form={{ label, title: 'New statement', fields }}
      target={{ accountId }}
      refusal={null}
      done={({ id }) => done?.(id)}
    />
  )
}
