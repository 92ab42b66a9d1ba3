import { type Static, Type } from 'typebox'
import { ExternalAccount } from '../banking/external-accounts/external-account.ts'
import { cursorRule, queueQuery } from '../base/page.ts'
import { reviewRead } from './review.ts'

const ListReviewExternalAccountsFilter = Type.Object(queueQuery, { 'x-rules': [cursorRule] })
export type ListReviewExternalAccountsQuery = Static<typeof ListReviewExternalAccountsFilter>

/** Extension. Lists the external accounts that wait for a review, oldest first. */
export const listReviewExternalAccounts = reviewRead({
  id: 'listReviewExternalAccounts',
  resource: 'reviewExternalAccounts',
  verb: 'list',
  path: '/v0/review/external-accounts',
  summary: 'List external accounts to review',
  description:
    'Lists the external accounts that the screening (the operator’s check of names) left to a reviewer, oldest first. Payments to them wait in `PendingReview`. An account leaves the list when it is approved, rejected or deleted.',
  query: ListReviewExternalAccountsFilter,
  data: Type.Array(ExternalAccount),
  problems: [],
  run: ({ review, caller }, { query }) => review.listReviewExternalAccounts(caller, query),
})
