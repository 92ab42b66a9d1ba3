import { type Static, Type } from 'typebox'
import { cursorRule, queueQuery, sinceUntil } from '../base/page.ts'
import { reviewRead } from './review.ts'
import { ReviewApplication } from './review-application.ts'

const ListReviewApplicationsFilter = Type.Object(
  {
    status: Type.Optional(
      Type.Enum(['AwaitingDocuments', 'PendingReview'], {
        description:
          '`PendingReview` for applications that wait for a reviewer, `AwaitingDocuments` for those that wait for the applicant; leave it out for both',
      }),
    ),
    ...sinceUntil,
    ...queueQuery,
  },
  { 'x-rules': [cursorRule] },
)
export type ListReviewApplicationsQuery = Static<typeof ListReviewApplicationsFilter>

/** Extension. Lists the applications that are not decided, oldest first. */
export const listReviewApplications = reviewRead({
  id: 'listReviewApplications',
  resource: 'reviewApplications',
  verb: 'list',
  path: '/v0/review/applications',
  summary: 'List applications to review',
  description:
    'Lists the undecided applications, oldest first, with the applicants’ personal data, the files of their documents, and `samePeople`: other customers and applications of the organisation with the same social security number, e-mail, phone or address. `status=PendingReview` leaves out those that wait for the applicant. An application leaves the list when it is approved or denied.',
  query: ListReviewApplicationsFilter,
  data: Type.Array(ReviewApplication),
  problems: [],
  run: ({ review, caller }, { query }) => review.listReviewApplications(caller, query),
})
