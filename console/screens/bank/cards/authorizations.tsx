import { useMemo } from 'react'
import type { Authorization } from '../../../../client/src/index.ts'
import { Empty } from '../../../components/feedback/empty.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { Filters } from '../../../components/lists/filters.tsx'
import { ListTable } from '../../../components/lists/table.tsx'
import { latestOf } from '../../../data/authorizations.ts'
import { useFilters } from '../../../data/filters.ts'
import { type Rows, useList } from '../../../data/list.ts'
import { useMay } from '../../../data/purser.tsx'
import { recordPath } from '../../../routes.ts'
import { authorizationColumns } from './card.tsx'

/** The latest authorizations in any state, or the open ones of a customer. */
export function Authorizations() {
  const [filters, setFilters] = useFilters(['customerId', 'cardId'])
  const customers = useList('listCustomers', { query: { sort: '-createdAt', limit: 100 } })
  const labels = Object.fromEntries(customers.rows.map(({ id, name }) => [id, `${name} · ${id}`]))
  const chosen = filters.customerId
  const ids = customers.rows.map(({ id }) => id)
  const options = chosen && !ids.includes(chosen) ? [chosen, ...ids] : ids
  return (
    <>
      <PageTitle title="Authorizations">
        <span className="muted">{chosen ? 'open, of one customer' : 'the latest of all customers'}</span>
      </PageTitle>
      <Filters
        values={filters}
        set={setFilters}
        fields={[
          {
            name: 'customerId',
            label: 'Customer',
            options,
            labels: { ...(chosen && { [chosen]: chosen }), ...labels },
          },
          ...(chosen ? [{ name: 'cardId', label: 'Card' }] : []),
        ]}
      />
      <Card title="Authorizations" flush bare>
        {chosen ? <Open customerId={chosen} cardId={filters.cardId} /> : <Latest />}
      </Card>
    </>
  )
}

/** The authorizations of a customer that hold money. */
function Open({ customerId, cardId }: { customerId: string; cardId: string | undefined }) {
  const list = useList('listAuthorizations', {
    query: { customerId, status: 'Authorized', sort: '-createdAt', limit: 100, ...(cardId && { cardId }) },
  })
  return <AuthorizationTable list={list} empty="No open authorization" />
}

/** The latest authorizations of all customers, by their events: the list operation gives those of one customer. */
function Latest() {
  const may = useMay('listEvents')
  const events = useList('listEvents', {
    query: { type: ['authorization.*'], sort: '-sequence', limit: 100 },
  })
  const rows = useMemo(() => latestOf(events.rows), [events.rows])
  if (!may) {
    return (
      <Empty title="Choose a customer">
        <p>The latest of all customers need a key with the scope events:read.</p>
      </Empty>
    )
  }
  return <AuthorizationTable list={{ ...events, rows }} empty="No purchase by card yet" />
}

function AuthorizationTable({ list, empty }: { list: Rows<Authorization>; empty: string }) {
  return (
    <ListTable
      label="Authorizations"
      list={list}
      columns={authorizationColumns}
      keyOf={({ id }) => id}
      path={({ id }) => recordPath('authorization', id)}
      empty={
        <Empty title={empty}>
          <p>Open a card and choose “Simulate a purchase…”, or call createAuthorization.</p>
        </Empty>
      }
    />
  )
}
