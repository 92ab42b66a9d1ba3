import type { ReactNode } from 'react'
import { Unavailable } from '../../components/feedback/unavailable.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { useMay } from '../../data/purser.tsx'
import { TakeStatement } from './take-statement.tsx'

const tabs = [
  { name: 'Days', path: '/closing' },
  { name: 'Open items', path: '/closing/items' },
  { name: 'Bank statements', path: '/closing/statements' },
]

/** The head of every screen of closed days, and in place of the rest what the key lacks. */
export function ClosingScreen({ children }: { children: ReactNode }) {
  const may = useMay('listClosingDays')
  return (
    <>
      <PageTitle title="Closing" tabs={tabs} actions={may && <TakeStatement />} />
      {may ? (
        children
      ) : (
        <Unavailable title="Closing" scope="risk:write" absent="Only the built-in bank closes its days." />
      )}
    </>
  )
}
