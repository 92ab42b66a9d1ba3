import { useLocation } from 'wouter'
import type { DepositAccount } from '../../../../client/src/index.ts'
import { Reading } from '../../../components/feedback/empty.tsx'
import { SendForm } from '../../../components/forms/actions.tsx'
import type { Field } from '../../../components/forms/form.tsx'
import { DialogButton } from '../../../components/layout/dialog.tsx'
import { lastFour, words } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { recordPath } from '../../../routes.ts'

/** Makes a recurring payment of an account, to an external account or another account of the customer. */
export function NewRecurringPayment({ account }: { account: DepositAccount }) {
  return (
    <DialogButton label="New…" title="New recurring payment">
      {() => <Choices account={account} />}
    </DialogButton>
  )
}

function Choices({ account: { id, customerId } }: { account: DepositAccount }) {
  const payees = useList('listExternalAccounts', { params: { customerId }, query: { sort: '-createdAt', limit: 100 } })
  const accounts = useList('listAccounts', { query: { customerId, limit: 100 } })
  const [, go] = useLocation()
  if (payees.isPending || accounts.isPending) return <Reading />
  const options = [
    ...payees.rows.map(({ id: value, name, bank, accountNumber }) => ({
      ...{ value: `external ${value}`, label: `${name}, ${bank} ${lastFour(accountNumber)}` },
    })),
    ...accounts.rows
      .filter((each) => each.id !== id && each.status !== 'Closed')
      .map(({ id: value, accountNumber }) => ({
        ...{ value: `own ${value}`, label: `Own account ${lastFour(accountNumber)}` },
      })),
  ]
  if (options.length === 0) return <p>There is no external account and no other account to pay yet.</p>
  return (
    <SendForm
      operation="createRecurringPayment"
      submit="Create"
      input={(values) => ({ body: bodyOf(id, values) })}
      done={(made) => go(recordPath('recurringPayment', made.id))}
      fields={fields(options)}
    />
  )
}

/** The body of the type that the choice of the other account means. */
function bodyOf(accountId: string, { to, direction, days, ...rest }: Record<string, unknown>) {
  const [kind, other] = String(to).split(' ')
  const onDays =
    days === undefined
      ? {}
      : {
          days: String(days)
            .split(/[\s,]+/)
            .map(Number),
        }
  const common = { accountId, ...rest, ...onDays }
  if (kind === 'own') return { type: 'bookPayment', ...common, toAccountId: other }
  return { type: 'achPayment', ...common, counterpartyAccountId: other, direction }
}

function fields(options: NonNullable<Field['options']>): Field[] {
  return [
    { name: 'to', label: 'With', options },
    {
      name: 'direction',
      label: 'Direction',
      options: [
        { value: 'Credit', label: 'Pays it' },
        { value: 'Debit', label: 'Collects from it, with a mandate' },
      ],
      hint: 'Own accounts are paid',
    },
    { name: 'amount', label: 'Amount', kind: 'money' },
    { name: 'description', label: 'Purpose', hint: 'At most 10 characters for an external account' },
    {
      ...{ name: 'interval', label: 'How often', group: 'Schedule', initial: 'Monthly' },
      options: ['Once', 'Weekly', 'EveryTwoWeeks', 'TwiceAMonth', 'Monthly', 'Yearly'].map(choice),
    },
    { name: 'startDate', label: 'From', kind: 'date', group: 'Schedule' },
    { name: 'endDate', label: 'Until', kind: 'date', optional: true, group: 'Schedule' },
    { name: 'count', label: 'Number', kind: 'number', optional: true, group: 'Schedule', hint: 'In place of “Until”' },
    {
      ...{ name: 'days', label: 'Days of the month', optional: true, group: 'Schedule' },
      hint: 'One for monthly, two for twice a month; 31 is the last day',
    },
    {
      ...{ name: 'onClosedDay', label: 'Closed day', group: 'Rules' },
      options: [
        { value: 'After', label: 'Next banking day' },
        { value: 'Before', label: 'Banking day before' },
        { value: 'AsItComes', label: 'As it comes' },
      ],
    },
    {
      ...{ name: 'onMissingMoney', label: 'Money is missing', group: 'Rules' },
      options: [
        { value: 'Skip', label: 'Skip the due date' },
        { value: 'Retry', label: 'Try again for 3 days' },
        { value: 'Stop', label: 'End' },
      ],
    },
    {
      ...{ name: 'onReturn', label: 'After a return', group: 'Rules' },
      options: [
        { value: 'Stop', label: 'End' },
        { value: 'GoOn', label: 'Go on' },
      ],
    },
  ]
}

function choice(value: string) {
  return { value, label: words(value) }
}
