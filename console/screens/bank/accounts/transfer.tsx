import { useState } from 'react'
import { useLocation } from 'wouter'
import type { DepositAccount } from '../../../../client/src/index.ts'
import { Reading } from '../../../components/feedback/empty.tsx'
import { SendForm } from '../../../components/forms/actions.tsx'
import type { Field } from '../../../components/forms/form.tsx'
import { DialogButton } from '../../../components/layout/dialog.tsx'
import { Tabs } from '../../../components/layout/tabs.tsx'
import { lastFour, money } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { recordPath } from '../../../routes.ts'

const names = ['Own account', 'Any account'] as const
type Name = (typeof names)[number]

/** Moves money to another account of the customer, or to any account of the organisation. */
export function Transfer({ account, refusal }: { account: DepositAccount; refusal: string | null }) {
  return (
    <DialogButton label="Transfer…" title="Transfer to another account" refusal={refusal}>
      {() => <Choice account={account} />}
    </DialogButton>
  )
}

function Choice({ account }: { account: DepositAccount }) {
  const { rows, isPending } = useList('listAccounts', { query: { customerId: account.customerId, limit: 100 } })
  const own = rows.filter(({ id, status }) => id !== account.id && status !== 'Closed')
  const [name, setName] = useState<Name>()
  if (isPending) return <Reading />
  const chosen = name ?? (own.length > 0 ? 'Own account' : 'Any account')
  return (
    <div className="stack">
      <Tabs label="Receiver" names={names} chosen={chosen} choose={(each: Name) => setName(each)} />
      {chosen === 'Own account' && own.length === 0 ? (
        <p>{account.name} has no other account.</p>
      ) : (
        <TransferForm key={chosen} account={account} own={chosen === 'Own account' ? own : undefined} />
      )}
    </div>
  )
}

interface FormProps {
  account: DepositAccount
  /** The accounts to choose from; any other one is named by its id. */
  own: readonly DepositAccount[] | undefined
}

function TransferForm({ account: { id, available }, own }: FormProps) {
  const [, go] = useLocation()
  const options = own?.map(({ id: value, accountNumber, available: left }) => ({
    ...{ value, label: `${lastFour(accountNumber)}, ${money(left)} available` },
  }))
  const to: Field = { name: 'toAccountId', label: 'To', ...(options ? { options } : anyAccount) }
  return (
    <SendForm
      operation="createBookTransfer"
      submit="Transfer"
      input={(body) => ({ params: { accountId: id }, body })}
      done={(payment) => go(recordPath('payment', payment.id))}
      fields={[
        { name: 'amount', label: 'Amount', kind: 'money', hint: `${money(available)} available` },
        to,
        { name: 'description', label: 'Purpose', hint: 'Both accounts show it' },
      ]}
    >
      <p className="muted">The money is available there at once, and cannot be called back.</p>
    </SendForm>
  )
}

const anyAccount = { hint: 'The id of an account of any customer' }
