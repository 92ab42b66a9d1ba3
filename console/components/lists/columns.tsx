import styles from './columns.module.css'
import type { Column } from './table.tsx'

/** The columns that a reader chose by their heads, in the reader's order; without a choice, those that are not optional. */
export function chosenColumns<Row>(columns: readonly Column<Row>[], chosen: readonly string[] | null): Column<Row>[] {
  const own = chosen?.flatMap((head) => columns.filter((column) => column.head === head)) ?? []
  return own.length > 0 ? own : columns.filter(({ optional }) => !optional)
}

interface Props {
  columns: readonly Column<never>[]
  chosen: readonly string[] | null
  choose(heads: string[] | null): void
}

/** A choice of columns and of their order. */
export function ChooseColumns({ columns, chosen, choose }: Props) {
  const shown = chosenColumns(columns, chosen).map(({ head }) => head)
  const hidden = columns.map(({ head }) => head).filter((head) => !shown.includes(head))
  const move = (at: number, by: 1 | -1) => {
    const head = shown[at] ?? ''
    choose(shown.toSpliced(at, 1).toSpliced(at + by, 0, head))
  }
  return (
    <>
      <ol className={styles.columns} aria-label="Columns">
        {[...shown, ...hidden].map((head, at) => (
          <li key={head}>
            <label>
              <input
                type="checkbox"
                checked={at < shown.length}
                disabled={shown.length === 1 && at === 0}
                onChange={({ target: { checked } }) =>
                  choose(checked ? [...shown, head] : shown.filter((each) => each !== head))
                }
              />{' '}
              {head}
            </label>
            {at < shown.length && (
              <>
                <button type="button" aria-label={`${head} up`} disabled={at === 0} onClick={() => move(at, -1)}>
                  ↑
                </button>
                <button
                  type="button"
                  aria-label={`${head} down`}
                  disabled={at === shown.length - 1}
                  onClick={() => move(at, 1)}
                >
                  ↓
                </button>
              </>
            )}
          </li>
        ))}
      </ol>
      <button type="button" className="link" disabled={chosen === null} onClick={() => choose(null)}>
        As at first
      </button>
    </>
  )
}
