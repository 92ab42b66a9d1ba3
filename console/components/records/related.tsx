import type { RelatedRecord } from '../../../client/src/index.ts'
import { words } from '../../data/format.ts'
import { Card } from '../layout/card.tsx'
import { Details } from '../layout/details.tsx'
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

/** The id of the record of a type that is linked to a record; the newest one if there are several. */
export function relatedId(related: readonly RelatedRecord[], type: RelatedRecord['type']): string | undefined {
  return related.find((each) => each.type === type)?.id
}
