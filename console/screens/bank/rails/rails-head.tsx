import { LinkTabs } from '../../../components/layout/link-tabs.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { useMay } from '../../../data/purser.tsx'

const tabs = [
  { name: 'Batches', path: '/rails' },
  { name: 'Received payments', path: '/rails/received' },
  { name: 'Reconciliation', path: '/rails/reconciliation' },
]

/** Files belong to an organisation in a sandbox only. */
const files = { name: 'Files', path: '/rails/files' }

/** The head of every screen of the ACH rail. */
export function RailsHead() {
  const may = useMay('listAchFiles')
  return (
    <>
      <PageTitle title="Rails" />
      <LinkTabs label="Rails" tabs={may ? [...tabs, files] : tabs} />
    </>
  )
}
