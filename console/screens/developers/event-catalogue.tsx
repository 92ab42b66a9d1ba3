import { useState } from 'react'
import { Link } from 'wouter'
import type { EventTypeInfo } from '../../../client/src/index.ts'
import { Copy } from '../../components/display/copy.tsx'
import { Empty, Reading } from '../../components/feedback/empty.tsx'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Tabs } from '../../components/layout/tabs.tsx'
import { Filters } from '../../components/lists/filters.tsx'
import type { FilterValues } from '../../data/filters.ts'
import { words } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { Json } from './components/json.tsx'
import styles from './event-catalogue.module.css'

const forms = ['Sample', 'Schema of the data'] as const

/** Every type of event with its sentence, a sample and the schema of its data. */
export function EventCatalogue({ filters, set }: { filters: FilterValues; set(values: FilterValues): void }) {
  const { rows, error, isPending } = useList('listEventTypes')
  const sought = (filters.type ?? '').toLowerCase()
  const found = rows.filter(({ type, description }) => `${type} ${description}`.toLowerCase().includes(sought))
  const kinds = [...new Set(found.map(kindOf))]
  return (
    <>
      <Filters values={filters} set={set} fields={[{ name: 'type', label: 'Type or word' }]} />
      <ProblemNote error={error} />
      {isPending && <Reading lines={8} />}
      {!isPending && kinds.length === 0 && <Empty title="No type of event matches" />}
      {kinds.map((kind) => (
        <Card key={kind} title={words(kind)} flush>
          {found
            .filter((each) => kindOf(each) === kind)
            .map((each) => (
              <TypeEntry key={each.type} info={each} />
            ))}
        </Card>
      ))}
    </>
  )
}

function kindOf({ type }: EventTypeInfo): string {
  return type.slice(0, type.indexOf('.'))
}

/** One type. The sample and the schema are drawn when they are opened. */
function TypeEntry({ info: { type, description, sample, schema } }: { info: EventTypeInfo }) {
  const [open, setOpen] = useState(false)
  const [form, setForm] = useState<(typeof forms)[number]>('Sample')
  const text = JSON.stringify(form === 'Sample' ? sample : schema)
  return (
    <details className={styles.entry} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code>{type}</code> <span className="muted">{description}</span>
      </summary>
      {open && (
        <div className={styles.inner}>
          <div className={styles.bar}>
            <Tabs label={`Form of ${type}`} names={forms} chosen={form} choose={(name) => setForm(name)} />
            <span className="row">
              <Link href={`/events?type=${type}`}>Events of this type</Link>
              <Copy text={text} />
            </span>
          </div>
          <Json text={text} label={`${form} of ${type}`} />
        </div>
      )}
    </details>
  )
}
