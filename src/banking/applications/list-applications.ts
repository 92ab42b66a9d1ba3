import { type Static, Type } from 'typebox'
import { cursorQuery, cursorRule } from '../../base/page.ts'
import { bankingRead } from '../provider.ts'
import { ListedApplication, ListedStatus } from './application.ts'

const ListApplicationsQuery = Type.Object(
  { status: Type.Optional(ListedStatus), ...cursorQuery },
  { 'x-rules': [cursorRule] },
)
export type ListApplicationsQuery = Static<typeof ListApplicationsQuery>

/** Extension. Lists applications, newest first. */
export const listApplications = bankingRead({
  id: 'listApplications',
  resource: 'applications',
  verb: 'list',
  path: '/v0/banking/applications',
  summary: 'List applications',
  description:
    'Lists the applications of the organisation, newest first, denied ones too. `status=AwaitingDocuments` finds those that wait for an upload. The list does not show documents; `GET /v0/banking/applications/:applicationId` does. An approved application names its `customerId`.',
  fromStandby: true,
  query: ListApplicationsQuery,
  data: Type.Array(ListedApplication),
  problems: [],
  run: ({ bank, caller }, { query }) => bank.listApplications(caller, query),
})
