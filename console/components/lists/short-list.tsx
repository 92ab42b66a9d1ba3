import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Rows } from '../../data/list.ts'
import { Reading } from '../feedback/empty.tsx'
import { ProblemNote } from '../feedback/problem.tsx'
import { Card } from '../layout/card.tsx'
import styles from './short-list.module.css'
import { type Column, Table } from './table.tsx'

const SHOWN = 5

/** The first records of a list beside another record. `all` is the path of the whole list. */
export function ShortList<Row>({
  title,
  list,
  columns,
  keyOf,
  path,
  all,
  empty,
  aside,
  shown = SHOWN,
}: {
  title: string
  list: Rows<Row>
  columns: readonly Column<Row>[]
  keyOf(row: Row): string | number
  path?(row: Row): string | undefined
  all?: string
  empty: ReactNode
  aside?: ReactNode
  shown?: number
}) {
  const { rows, error, isPending, hasMore } = list
  const more = hasMore || rows.length > shown
  return (
    <Card
      title={title}
      flush
      aside={
        <span className={`row ${styles.aside}`}>
          {more && all && <Link href={all}>All</Link>}
          {aside}
        </span>
      }
    >
      <ProblemNote error={error} />
      {isPending && <Reading />}
      {!isPending && !error && rows.length === 0 && <div className={styles.none}>{empty}</div>}
      {rows.length > 0 && (
        <div className={styles.list}>
          <Table label={title} rows={rows.slice(0, shown)} columns={columns} keyOf={keyOf} {...(path && { path })} />
        </div>
      )}
    </Card>
  )
}
