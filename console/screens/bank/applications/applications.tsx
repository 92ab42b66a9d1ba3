import { useLocation } from 'wouter'
import type { ListedApplication } from '../../../../client/src/index.ts'
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
import { useMay, useSession } from '../../../data/purser.tsx'
import { recordPath } from '../../../routes.ts'

const statuses = ['AwaitingDocuments', 'PendingReview', 'Approved', 'Denied'] as const
/** States that only other providers have. */
const upstreamStatuses = ['Pending', 'Canceled'] as const
type Status = (typeof statuses)[number] | (typeof upstreamStatuses)[number]

const columns: Column<ListedApplication>[] = [
  { head: 'Applicant', cell: ({ name }) => name },
  { head: 'E-mail', cell: ({ email }) => email, wide: true },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Id', cell: ({ id }) => <span className="mono">{id}</span>, wide: true },
  { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true },
]

/** All applications, newest first; the state shows those that wait for a decision. */
export function Applications() {
  const may = useMay('listApplications')
  const { me } = useSession()
  const [filters, setFilters] = useFilters(['status'])
  const list = useList('listApplications', {
    query: { sort: '-createdAt', limit: 100, ...(filters.status && { status: filters.status as Status }) },
  })
  const options = me.providers.banking === 'builtin' ? statuses : [...statuses, ...upstreamStatuses]
  return (
    <>
      <PageTitle title="Applications" actions={<NewApplication />} />
      <Filters values={filters} set={setFilters} fields={[{ name: 'status', label: 'State', options }]} />
      {may ? (
        <Card title="Applications" flush bare>
          <ListTable
            label="Applications"
            list={list}
            columns={columns}
            keyOf={({ id }) => id}
            path={({ id }) => recordPath('application', id)}
            empty={
              filters.status ? (
                <Empty title="No application is in this state" />
              ) : (
                <Empty title="No application yet">
                  <p>Choose “New application…”, or call createApplication.</p>
                </Empty>
              )
            }
          />
        </Card>
      ) : (
        <Unavailable title="Applications" scope="banking:read">
          The provider of accounts has no list of applications.
        </Unavailable>
      )}
    </>
  )
}

function NewApplication() {
  const may = useMay('createApplication')
  const form = actionForms.createApplication
  const [, go] = useLocation()
  if (!may || !form) return null
  return (
    <Action
      operation="createApplication"
      form={form}
      target={{}}
      refusal={null}
      done={({ id }) => go(recordPath('application', id))}
    />
  )
}
