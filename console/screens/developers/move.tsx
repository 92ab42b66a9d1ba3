import type { OrganisationImport } from '../../../client/src/index.ts'
import { Time } from '../../components/display/time.tsx'
import { Empty, Reading } from '../../components/feedback/empty.tsx'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { Unavailable } from '../../components/feedback/unavailable.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Details, mono } from '../../components/layout/details.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { Table } from '../../components/lists/table.tsx'
import { useCall, useMay, useSession } from '../../data/purser.tsx'

/** The counts before and after an import side by side, and the commands to move in and out. */
export function Move() {
  const may = useMay('listImports')
  return (
    <>
      <PageTitle title="Move in and out" />
      {may ? (
        <div className="columns">
          <MoveIn />
          <MoveOut />
        </div>
      ) : (
        <Unavailable title="Move in and out" scope="banking:read" absent="This service imports no records." />
      )}
    </>
  )
}

function MoveIn() {
  const { data, error } = useCall('listImports', {})
  if (error) return <ProblemNote error={error} />
  if (!data) return <Reading lines={6} />
  const [moved] = data
  return (
    <Card title="Move in" {...(moved && { aside: <Time of={moved.importedAt} real /> })}>
      {moved ? <Moved of={moved} /> : <NotMoved />}
    </Card>
  )
}

function Moved({ of: { source, figures, sequence, link } }: { of: OrganisationImport }) {
  const before = source === 'archive' ? 'In the archive' : 'In the files'
  return (
    <div className="stack">
      <Table
        label="Counts before and after"
        rows={figures}
        keyOf={({ what }) => what}
        columns={[
          { head: 'What', cell: ({ what }) => what },
          { head: before, cell: (figure) => mono(figure.before), number: true },
          { head: 'In this bank', cell: ({ after }) => mono(after), number: true },
        ]}
      />
      <Details of={{ 'Last event': sequence, 'Head of the chain': link && mono(link.slice(0, 16)) }} />
      {source === 'files' && <p className="muted">Search finds records by their ids in the former system.</p>}
    </div>
  )
}

function NotMoved() {
  const { me } = useSession()
  return (
    <Empty title="Nothing was moved in">
      <p>An organisation without customers takes the records of a former system, of Unit or of another Purser:</p>
      <p>
        <code>purser import FOLDER --organisation '{me.organisation.name}' --check</code>
      </p>
    </Empty>
  )
}

function MoveOut() {
  const { me } = useSession()
  const { name } = me.organisation
  return (
    <Card title="Move out">
      <div className="stack">
        <p className="muted">
          All that this organisation has leaves as one encrypted file, which another Purser reads with the same ids. The
          operator writes it, while the service runs or not:
        </p>
        <p>
          <code>purser export organisation '{name}' --to organisation.age --recipient age1…</code>
        </p>
        <p className="muted">
          The command prints the counts and the head of the chain, to compare them after the import.
        </p>
      </div>
    </Card>
  )
}
