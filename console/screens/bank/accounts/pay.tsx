import { useLocation } from 'wouter'
import type { DepositAccount, ExternalAccount, Payment } from '../../../../client/src/index.ts'
import { Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { SendForm } from '../../../components/forms/actions.tsx'
import { DialogButton } from '../../../components/layout/dialog.tsx'
import { RecordLink } from '../../../components/records/record-link.tsx'
import { actionForms } from '../../../data/actions.ts'
import { amount, lastFour, money } from '../../../data/format.ts'
import { type Rows, useList } from '../../../data/list.ts'
import { useCall, useMay } from '../../../data/purser.tsx'
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

/** Collects money from one of the customer's external accounts that is verified and has a mandate. */
export function Collect({ account, payees, refusal }: Props) {
  const debitable = payees.rows.filter(
    ({ permissions, mandate }) => permissions === 'CreditAndDebit' && mandate && mandate.revokedAt === undefined,
  )
  return (
    // A block stops payments that take money from the account.
    <DialogButton label="Collect…" title="Collect money" refusal={refusal === 'payments_blocked' ? null : refusal}>
      {() => {
        if (payees.isPending) return <Reading />
        if (debitable.length === 0) return <NotDebitable payees={payees.rows} account={account} />
        return <PayForm account={account} payees={debitable} isDebit />
      }}
    </DialogButton>
  )
}

/** Says what an external account needs before money can be collected from it. */
function NotDebitable({ account, payees }: { account: DepositAccount; payees: readonly ExternalAccount[] }) {
  if (payees.length === 0) return <FirstPayee account={account}>There is no external account yet.</FirstPayee>
  return (
    <div className="stack">
      <p>
        Money is collected from an external account that is verified and has a mandate. Open one, choose “Verify…”, then
        “Note a mandate…”.
      </p>
      <ul>
        {payees.slice(0, 10).map(({ id, name, bank, accountNumber }) => (
          <li key={id}>
            <RecordLink type="externalAccount" id={id}>{`${name}, ${bank} ${lastFour(accountNumber)}`}</RecordLink>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface AgainProps {
  accountId: string
  payment: Payment
  /** The external account that it did not reach. */
  without: string | undefined
}

/** Pays as a payment that came back did, to another external account of the customer. */
export function PayAgain(props: AgainProps) {
  const may = useMay('createPayment')
  if (!may) return null
  return (
    <DialogButton label="Pay again to another account…" title="Pay again" className="primary">
      {() => <PayAgainForm {...props} />}
    </DialogButton>
  )
}

function PayAgainForm({ accountId, payment, without }: AgainProps) {
  const { data: account, error } = useCall('getAccount', { params: { accountId } })
  const customerId = account?.customerId ?? ''
  const payees = useList('listExternalAccounts', { params: { customerId } }, { enabled: account !== undefined })
  if (!account || payees.isPending) return error ? <ProblemNote error={error} /> : <Reading />
  const others = payees.rows.filter(({ id }) => id !== without)
  if (others.length === 0) return <FirstPayee account={account}>There is no other external account yet.</FirstPayee>
  return <PayForm account={account} payees={others} as={payment} />
}

interface FormProps {
  account: DepositAccount
  payees: readonly ExternalAccount[]
  /** A payment whose amount and purpose are taken over. */
  as?: Payment
  /** Whether it collects money. */
  isDebit?: boolean
}

function PayForm({ account: { id, available }, payees, as, isDebit = false }: FormProps) {
  const [, go] = useLocation()
  const options = payees.map(({ id: value, name, bank, accountNumber }) => ({
    ...{ value, label: `${name}, ${bank} ${lastFour(accountNumber)}` },
  }))
  return (
    <SendForm
      operation="createPayment"
      submit={isDebit ? 'Collect' : 'Pay'}
      input={(values) => ({
        params: { accountId: id },
        body: { ...values, originalType: 'ACH', ...(isDebit && { direction: 'Debit' }) },
      })}
      done={(payment) => go(recordPath('payment', payment.id))}
      fields={[
        {
          ...{ name: 'amount', label: 'Amount', kind: 'money' },
          ...(!isDebit && { hint: `${money(available)} available` }),
          ...(as && { initial: amount(as.amount) }),
        },
        {
          name: 'counterpartyAccountId',
          label: isDebit ? 'From' : 'To',
          ...(options.length > 0 ? { options } : { hint: 'The id of an external account. The key may not list them' }),
        },
        {
          ...{
            name: 'description',
            label: 'Purpose',
            hint: `The ${isDebit ? 'payer' : 'payee'} sees it on the statement`,
          },
          ...(as && { initial: as.description }),
        },
      ]}
    />
  )
}

function FirstPayee({ account: { customerId, name }, children }: { account: DepositAccount; children?: string }) {
  const may = useMay('createExternalAccount')
  return (
    <div className="stack">
      <p>{children ?? `${name} has no external account to pay yet.`}</p>
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
