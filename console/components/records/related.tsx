import type { RelatedRecord } from '../../../client/src/index.ts'
import { words } from '../../data/format.ts'
import { Card } from '../layout/card.tsx'
import { Details } from '../layout/details.tsx'
import { NamedLink } from './record-link.tsx'

/** The records that are linked to a record. */
export function Related({ related }: { related: readonly RelatedRecord[] }) {
  const relations = [...new Set(related.map(({ relation }) => relation))]
  if (relations.length === 0) return null
  const links = (relation: string) => (
    <span className="stack" style={{ gap: 4 }}>
      {related
        .filter((each) => each.relation === relation)
        .map(({ type, id }) => (
          <NamedLink key={`${type} ${id}`} type={type} id={id} />
        ))}
    </span>
  )
  return (
    <Card title="Related">
      <Details of={Object.fromEntries(relations.map((relation) => [words(relation), links(relation)]))} />
    </Card>
  )
}
