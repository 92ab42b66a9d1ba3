import { useState } from 'react'
import { useLocation } from 'wouter'
import type { CreateBookTransferRequest, DepositAccount } from '../../../../client/src/index.ts'
import { Reading } from '../../../components/feedback/empty.tsx'
import { Refused } from '../../../components/feedback/problem.tsx'
import { type Field, Form } from '../../../components/forms/form.tsx'
import { Dialog } from '../../../components/layout/dialog.tsx'
import { Tabs } from '../../../components/layout/tabs.tsx'
import { money } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { useSend } from '../../../data/purser.tsx'
import { recordPath } from '../../../routes.ts'

const names = ['Own account', 'Any account'] as const
type Name = (typeof names)[number]

/** Moves money to another account of the customer, or to any account of the organisation. */
export function Transfer({ account, refusal }: { account: DepositAccount; refusal: string | null }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-disabled={refusal !== null}
        {...(refusal && { title: `${refusal}: not possible now` })}
        onClick={() => setOpen(true)}
      >
        Transfer…
      </button>
      {open && (
        <Dialog title="Transfer to another account" close={() => setOpen(false)}>
          {refusal ? <Refused code={refusal} /> : <Choice account={account} />}
        </Dialog>
      )}
    </>
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
        <TransferForm key={chosen} account={account} to={receiverField(chosen === 'Own account' ? own : undefined)} />
      )}
    </div>
  )
}

function receiverField(own: readonly DepositAccount[] | undefined): Field {
  const field = { name: 'toAccountId', label: 'To' }
  if (!own) return { ...field, hint: 'The id of an account of any customer' }
  const options = own.map(({ id, accountNumber, available }) => ({
    value: id,
    label: `··${accountNumber.slice(-4)}, ${money(available)} available`,
  }))
  return { ...field, options }
}

function TransferForm({ account: { id, available }, to }: { account: DepositAccount; to: Field }) {
  const [, go] = useLocation()
  const { mutate, error, isPending } = useSend('createBookTransfer', (payment) => go(recordPath('payment', payment.id)))
  const send = (values: Record<string, unknown>) =>
    mutate({ params: { accountId: id }, body: values as unknown as CreateBookTransferRequest })
  return (
    <Form
      submit="Transfer"
      send={send}
      busy={isPending}
      error={error}
      fields={[
        { name: 'amount', label: 'Amount', kind: 'money', hint: `${money(available)} available` },
        to,
        { name: 'description', label: 'Purpose', hint: 'Both accounts show it' },
      ]}
    >
      <p className="muted">The money is available there at once, and cannot be called back.</p>
    </Form>
  )
}
