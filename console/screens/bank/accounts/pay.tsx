import { useState } from 'react'
import { useLocation } from 'wouter'
import type {
  CreateExternalAccountRequest,
  CreatePaymentRequest,
  DepositAccount,
  ExternalAccount,
} from '../../../../client/src/index.ts'
import { Reading } from '../../../components/feedback/empty.tsx'
import { Refused } from '../../../components/feedback/problem.tsx'
import { Form } from '../../../components/forms/form.tsx'
import { Dialog } from '../../../components/layout/dialog.tsx'
import { actionForms } from '../../../data/actions.ts'
import { money } from '../../../data/format.ts'
import type { Rows } from '../../../data/list.ts'
import { useMay, useSend } from '../../../data/purser.tsx'
import { recordPath } from '../../../routes.ts'

interface Props {
  account: DepositAccount
  payees: Rows<ExternalAccount>
  /** The code of the problem that would refuse a payment now. */
  refusal: string | null
}

/** Pays one of the customer's external accounts, and adds the first one if there is none. */
export function Pay({ account, payees, refusal }: Props) {
  const mayList = useMay('listExternalAccounts')
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button
        type="button"
        className={refusal ? undefined : 'primary'}
        aria-disabled={refusal !== null}
        {...(refusal && { title: `${refusal}: not possible now` })}
        onClick={() => setOpen(true)}
      >
        Pay…
      </button>
      {open && (
        <Dialog title="Pay" close={close}>
          {refusal ? (
            <Refused code={refusal} />
          ) : payees.isPending ? (
            <Reading />
          ) : payees.rows.length > 0 || !mayList ? (
            <PayForm account={account} payees={payees.rows} />
          ) : (
            <FirstPayee account={account} />
          )}
        </Dialog>
      )}
    </>
  )
}

function PayForm({
  account: { id, available },
  payees,
}: {
  account: DepositAccount
  payees: readonly ExternalAccount[]
}) {
  const [, go] = useLocation()
  const { mutate, error, isPending } = useSend('createPayment', (payment) => go(recordPath('payment', payment.id)))
  const send = (values: Record<string, unknown>) => {
    const body = { ...values, originalType: 'ACH' } as CreatePaymentRequest
    mutate({ params: { accountId: id }, body })
  }
  return (
    <Form
      submit="Pay"
      send={send}
      busy={isPending}
      error={error}
      fields={[
        { name: 'amount', label: 'Amount', kind: 'money', hint: `${money(available)} available` },
        {
          name: 'counterpartyAccountId',
          label: 'To',
          ...(payees.length > 0
            ? { options: payees.map((each) => ({ value: each.id, label: nameOf(each) })) }
            : { hint: 'The id of an external account. The key may not list them' }),
        },
        { name: 'description', label: 'Purpose', hint: 'The payee sees it on the statement' },
      ]}
    />
  )
}

function nameOf({ name, bank, accountNumber }: ExternalAccount): string {
  return `${name}, ${bank} ··${accountNumber.slice(-4)}`
}

function FirstPayee({ account: { customerId, name } }: { account: DepositAccount }) {
  const may = useMay('createExternalAccount')
  const { mutate, error, isPending } = useSend('createExternalAccount')
  const send = (values: Record<string, unknown>) =>
    mutate({ params: { customerId }, body: values as unknown as CreateExternalAccountRequest })
  const intro = <p>{name} has no external account to pay yet.</p>
  if (!may) return intro
  return (
    <div className="stack">
      {intro}
      <Form
        submit="Add the account"
        send={send}
        busy={isPending}
        error={error}
        fields={actionForms.createExternalAccount?.fields ?? []}
      />
    </div>
  )
}
