import { useQuery } from '@tanstack/react-query'
import styles from '../../../components/feedback/problem.module.css'
import { LinkTabs } from '../../../components/layout/link-tabs.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { useMay, useSession } from '../../../data/purser.tsx'

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
      <HeldFiles />
      <LinkTabs label="Rails" tabs={may ? [...tabs, files] : tabs} />
    </>
  )
}

/** Says that no file leaves a live bank until its operator has decided. */
function HeldFiles() {
  const { me } = useSession()
  const { data } = useQuery({
    queryKey: ['readyz'],
    queryFn: async ({ signal }): Promise<{ ach?: 'held' }> => (await fetch('/readyz', { signal })).json(),
    enabled: me.mode === 'live',
    refetchInterval: 30_000,
  })
  if (data?.ach !== 'held') return null
  return (
    <div className={styles.problem} role="alert">
      <b>ACH files are held</b>
      <p>
        No file leaves and none is taken until the operator has decided what left after a restore.{' '}
        <code>purser ach resume</code> shows the files in question.
      </p>
    </div>
  )
}
