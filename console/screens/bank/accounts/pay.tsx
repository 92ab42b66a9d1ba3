import { useLocation } from 'wouter'
import type { DepositAccount, ExternalAccount } from '../../../../client/src/index.ts'
import { Reading } from '../../../components/feedback/empty.tsx'
import { SendForm } from '../../../components/forms/actions.tsx'
import { DialogButton } from '../../../components/layout/dialog.tsx'
import { actionForms } from '../../../data/actions.ts'
import { lastFour, money } from '../../../data/format.ts'
import type { Rows } from '../../../data/list.ts'
import { useMay } from '../../../data/purser.tsx'
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
  return (
    <DialogButton label="Pay…" className="primary" refusal={refusal}>
      {() => {
        if (payees.isPending) return <Reading />
        if (payees.rows.length === 0 && mayList) return <FirstPayee account={account} />
        return <PayForm account={account} payees={payees.rows} />
      }}
    </DialogButton>
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
  const options = payees.map(({ id: value, name, bank, accountNumber }) => ({
    ...{ value, label: `${name}, ${bank} ${lastFour(accountNumber)}` },
  }))
  return (
    <SendForm
      operation="createPayment"
      submit="Pay"
      input={(values) => ({ params: { accountId: id }, body: { ...values, originalType: 'ACH' } })}
      done={(payment) => go(recordPath('payment', payment.id))}
      fields={[
        { name: 'amount', label: 'Amount', kind: 'money', hint: `${money(available)} available` },
        {
          name: 'counterpartyAccountId',
          label: 'To',
          ...(options.length > 0 ? { options } : { hint: 'The id of an external account. The key may not list them' }),
        },
        { name: 'description', label: 'Purpose', hint: 'The payee sees it on the statement' },
      ]}
    />
  )
}

function FirstPayee({ account: { customerId, name } }: { account: DepositAccount }) {
  const may = useMay('createExternalAccount')
  return (
    <div className="stack">
      <p>{name} has no external account to pay yet.</p>
      {may && (
        <SendForm
          operation="createExternalAccount"
          submit="Add the account"
          input={(body) => ({ params: { customerId }, body })}
          fields={actionForms.createExternalAccount?.fields ?? []}
        />
      )}
    </div>
  )
}
