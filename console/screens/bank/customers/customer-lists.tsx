import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Empty } from '../../../components/feedback/empty.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { ShortList } from '../../../components/lists/short-list.tsx'
import { ListTable } from '../../../components/lists/table.tsx'
import { money } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { useMay } from '../../../data/purser.tsx'
import { recordPath } from '../../../routes.ts'
import { kindOfCard } from '../accounts/account-lists.tsx'
import { paymentColumns } from '../payments.tsx'

interface Props {
  customerId: string
}

export function CustomerAccounts({ customerId }: Props) {
  const may = useMay('listAccounts')
  const list = useList('listAccounts', { query: { customerId, sort: '-createdAt', limit: 10 } })
  if (!may) return null
  return (
    <ShortList
      title="Accounts"
      list={list}
      all={`/accounts?${new URLSearchParams({ customerId })}`}
      keyOf={({ id }) => id}
      path={({ id }) => recordPath('account', id)}
      columns={[
        { head: 'Number', cell: ({ accountNumber }) => accountNumber },
        { head: 'State', cell: ({ status }) => <State of={status} /> },
        { head: 'Available', cell: ({ available }) => money(available), number: true },
        { head: 'Balance', cell: ({ balance }) => money(balance), number: true, wide: true },
      ]}
      empty="No account yet. “New account” opens one."
    />
  )
}

export function CustomerPayments({ customerId }: Props) {
  const may = useMay('listPayments')
  const list = useList('listPayments', { query: { customerId, sort: '-createdAt', limit: 10 } })
  if (!may) return null
  return (
    <ShortList
      title="Payments"
      list={list}
      all={`/payments?${new URLSearchParams({ customerId })}`}
      keyOf={({ id }) => id}
      path={({ id }) => recordPath('payment', id)}
      columns={paymentColumns.filter(({ head }) => head !== 'Id')}
      empty="No payment yet. An account offers “Pay…”."
    />
  )
}

export function CustomerCards({ customerId }: Props) {
  const may = useMay('listCards')
  const list = useList('listCards', { query: { customerId, sort: '-createdAt', limit: 10 } })
  if (!may) return null
  return (
    <ShortList
      title="Cards"
      list={list}
      all={`/cards?${new URLSearchParams({ customerId })}`}
      keyOf={({ id }) => id}
      path={({ id }) => recordPath('card', id)}
      columns={[
        { head: 'Card', cell: ({ last4Digits, type }) => `··${last4Digits} ${kindOfCard(type)}` },
        { head: 'State', cell: ({ status }) => <State of={status} /> },
        { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true },
      ]}
      empty="No card yet. An account offers “New card…”."
    />
  )
}

/** All accounts at other banks that the customer can pay. */
export function ExternalAccounts({ customerId }: Props) {
  const may = useMay('listExternalAccounts')
  const list = useList('listExternalAccounts', { params: { customerId }, query: { sort: '-createdAt', limit: 100 } })
  if (!may) return null
  return (
    <Card title="External accounts" flush>
      <ListTable
        label="External accounts"
        list={list}
        keyOf={({ id }) => id}
        path={({ id }) => recordPath('externalAccount', id)}
        columns={[
          { head: 'Holder', cell: ({ name }) => name },
          { head: 'Bank', cell: ({ bank }) => bank, wide: true },
          { head: 'Kind', cell: ({ accountType }) => accountType, wide: true },
          { head: 'Number', cell: ({ accountNumber }) => `··${accountNumber.slice(-4)}` },
        ]}
        empty={
          <Empty title="No account to pay yet">
            <p>“New external account…” adds one.</p>
          </Empty>
        }
      />
    </Card>
  )
}

/** The partner users who earn rewards with the cards of the customer. */
export function PartnerUsers({ customerId }: Props) {
  const may = useMay('listPartnerUserCards')
  const cards = useList('listCards', { query: { customerId, sort: '-createdAt', limit: 10 } })
  const ids = cards.rows.map(({ id }) => id)
  const links = useList(
    'listPartnerUserCards',
    { query: { whereClause: '$C1 IN ($V1)', columnNames: 'bankCardId', values: JSON.stringify(ids), limit: 10 } },
    { enabled: ids.length > 0 },
  )
  if (!may || ids.length === 0) return null
  return (
    <ShortList
      title="Rewards"
      list={links}
      keyOf={({ id }) => id}
      path={({ partnerUserId }) => recordPath('partnerUser', partnerUserId)}
      columns={[
        { head: 'Partner user', cell: ({ partnerUserId }) => partnerUserId },
        { head: 'Card', cell: ({ bankCardId }) => bankCardId },
      ]}
      empty="No card earns rewards."
    />
  )
}
