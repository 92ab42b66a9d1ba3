import type { ReactNode } from 'react'
import { useBankDay } from '../../data/bank-time.ts'
import type { FilterValues } from '../../data/filters.ts'
import { useKept } from '../../data/kept.ts'
import type { ListId } from '../../data/list.ts'
import { Form } from '../forms/form.tsx'
import { DialogButton } from '../layout/dialog.tsx'
import { useCounts } from './counts.ts'
import type { ListDefinition } from './list-screen.tsx'
import styles from './views.module.css'

/** Filters by name. Some are of the present day. */
export interface View {
  name: string
  values: FilterValues | ((today: string) => FilterValues)
  /** Its filters are those that only the bank of the service has. */
  builtin?: true
}

interface Saved {
  name: string
  values: FilterValues
  columns?: string[]
}

interface Props<Id extends ListId> {
  list: ListDefinition<Id>
  values: FilterValues
  set(values: FilterValues): void
  /** The columns that the reader chose, which are saved with a view. */
  columns: string[] | null
  choose(columns: string[] | null): void
  /** Buttons at the right. */
  children: ReactNode
}

/** The views of a list: all records, those of its definition, and those that the reader has saved in this browser. */
export function Views<Id extends ListId>({ list, values, set, columns, choose, children }: Props<Id>) {
  const { title, operation, views = [] } = list
  const [saved, keep] = useKept<Saved[]>(`purser.views ${operation}`, [])
  const today = useBankDay() ?? new Date().toISOString().slice(0, 10)
  const own = views.map(({ name, values }) => ({ name, values: typeof values === 'function' ? values(today) : values }))
  const all: Saved[] = [{ name: 'All', values: {} }, ...own, ...saved]
  const counts = useCounts(
    list,
    all.slice(1).map(({ values }) => values),
  )
  const isPresent = (view: { values: FilterValues }) => sameValues(view.values, values)
  const isNew = !all.some(isPresent)
  const present = saved.find(isPresent)
  return (
    <nav className={styles.views} aria-label={`Views of ${title.toLowerCase()}`}>
      {(all.length > 1 || isNew) &&
        all.map((view, at) => (
          <button
            key={view.name}
            type="button"
            className="link"
            {...(isPresent(view) && { 'aria-current': true })}
            onClick={() => {
              set(view.values)
              if (view.columns) choose(view.columns)
            }}
          >
            {view.name}
            {counts[at - 1] && <span className={styles.count}> {counts[at - 1]}</span>}
          </button>
        ))}
      <span className={styles.tools}>
        {isNew && (
          <DialogButton label="Save as a view…" className="link">
            {(close) => (
              <Form
                fields={[
                  { name: 'name', label: 'Name', hint: 'This browser keeps the view. Its address leads there, too' },
                ]}
                submit="Save"
                send={({ name }) => {
                  const others = saved.filter((each) => each.name !== name)
                  keep([...others, { name: String(name), values, ...(columns && { columns }) }])
                  close()
                }}
              />
            )}
          </DialogButton>
        )}
        {present && (
          <button type="button" className="link" onClick={() => keep(saved.filter((each) => each !== present))}>
            Forget this view
          </button>
        )}
        {children}
      </span>
    </nav>
  )
}

function sameValues(one: FilterValues, other: FilterValues): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}
