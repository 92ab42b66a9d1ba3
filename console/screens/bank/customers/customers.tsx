import { useLocation } from 'wouter'
import type { Customer } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Empty } from '../../../components/feedback/empty.tsx'
import { Unavailable } from '../../../components/feedback/unavailable.tsx'
import { Action } from '../../../components/forms/actions.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { Filters } from '../../../components/lists/filters.tsx'
import { type Column, ListTable } from '../../../components/lists/table.tsx'
import { actionForms } from '../../../data/actions.ts'
import { useFilters } from '../../../data/filters.ts'
import { useList } from '../../../data/list.ts'
import { useMay } from '../../../data/purser.tsx'
import { recordPath } from '../../../routes.ts'

const columns: Column<Customer>[] = [
  { head: 'Name', cell: ({ name }) => name },
  { head: 'E-mail', cell: ({ email }) => email, wide: true },
  { head: 'Phone', cell: ({ phone }) => phone, wide: true },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Id', cell: ({ id }) => <span className="mono">{id}</span>, wide: true },
  { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true },
]

/** All customers, newest first. */
export function Customers() {
  const may = useMay('listCustomers')
  const [filters, setFilters] = useFilters(['search'])
  const list = useList('listCustomers', {
    query: { sort: '-createdAt', limit: 100, count: true, ...(filters.search && { search: filters.search }) },
  })
  return (
    <>
      <PageTitle title="Customers" actions={<NewCustomer />}>
        {list.total && <span className="muted">{list.total}</span>}
      </PageTitle>
      <Filters values={filters} set={setFilters} fields={[{ name: 'search', label: 'Name, e-mail or id' }]} />
      {may ? (
        <Card title="Customers" flush bare>
          <ListTable
            label="Customers"
            list={list}
            columns={columns}
            keyOf={({ id }) => id}
            path={({ id }) => recordPath('customer', id)}
            empty={
              filters.search ? (
                <Empty title="No customer matches" />
              ) : (
                <Empty title="No customer yet">
                  <p>An approved application makes one: call createApplication. A sandbox has “New customer…” too.</p>
                </Empty>
              )
            }
          />
        </Card>
      ) : (
        <Unavailable title="Customers" scope="banking:read">
          The provider of accounts has no list of customers.
        </Unavailable>
      )}
    </>
  )
}

/** A sandbox makes customers without an application. */
function NewCustomer() {
  const may = useMay('createCustomer')
  const form = actionForms.createCustomer
  const [, go] = useLocation()
  if (!may || !form) return null
  return (
    <Action
      operation="createCustomer"
      form={form}
      target={{}}
      refusal={null}
      done={({ id }) => go(recordPath('customer', id))}
    />
  )
}
