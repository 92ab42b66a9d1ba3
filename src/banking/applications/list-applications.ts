import { type Static, Type } from 'typebox'
import { cursorQuery, cursorRule, sinceUntil } from '../../base/page.ts'
import { SearchText } from '../../base/text.ts'
import { bankingRead } from '../provider.ts'
import { ListedApplication, ListedStatus } from './application.ts'

const ListApplicationsQuery = Type.Object(
  {
    status: Type.Optional(ListedStatus),
    search: Type.Optional(
      SearchText(
        'Only applications that match this text, in any letter case: the beginning of the name, of its last word or of the e-mail address, or the id',
      ),
    ),
    ...sinceUntil,
    ...cursorQuery,
  },
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
