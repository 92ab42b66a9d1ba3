import { LinkTabs } from '../../../components/layout/link-tabs.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'

const tabs = [
  { name: 'Applications', path: '/review' },
  { name: 'External accounts', path: '/review/external-accounts' },
  { name: 'Payments', path: '/review/payments' },
]

/** The head of every screen of reviewers. */
export function ReviewHead() {
  return (
    <>
      <PageTitle title="Review" />
      <LinkTabs label="Review" tabs={tabs} />
    </>
  )
}
