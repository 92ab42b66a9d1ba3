import type { RelatedRecord } from '../../client/src/index.ts'
import { words } from '../data/format.ts'
import { Card } from './card.tsx'
import { Details } from './details.tsx'
import { RecordLink } from './record-link.tsx'

/** The records that are linked to a record. */
export function Related({ related }: { related: readonly RelatedRecord[] }) {
  const relations = [...new Set(related.map(({ relation }) => relation))]
  if (relations.length === 0) return null
  return (
    <Card title="Related">
      <Details
        items={relations.map((relation) => [
          words(relation),
          <span key={relation} className="stack" style={{ gap: 4 }}>
            {related
              .filter((each) => each.relation === relation)
              .map(({ type, id }) => (
                <RecordLink key={`${type} ${id}`} type={type} id={id} />
              ))}
          </span>,
        ])}
      />
    </Card>
  )
}
