import type { ReactNode } from 'react'
import type { OperationId } from '../../../../client/src/index.ts'
import type { ActionTarget } from '../../../components/forms/actions.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { type Column, ListTable } from '../../../components/lists/table.tsx'
import type { Rows } from '../../../data/list.ts'
import { recordPath } from '../../../routes.ts'
import { Decision } from './decision.tsx'
import styles from './review.module.css'
import { ReviewHead } from './review-head.tsx'

interface Props<Row> {
  title: string
  /** The type of the records. */
  type: string
  list: Rows<Row>
  columns: Column<Row>[]
  decisions: readonly OperationId[]
  target(id: string): ActionTarget
  empty: ReactNode
}

/** A table of records that wait for a reviewer, with the decisions about each. */
export function ReviewQueue<Row extends { id: string }>(props: Props<Row>) {
  const { title, type, list, columns, decisions, target, empty } = props
  const decision: Column<Row> = {
    head: 'Decision',
    cell: ({ id }) => (
      <span className={styles.decisions}>
        {decisions.map((operation) => (
          <Decision key={operation} operation={operation} target={target(id)} />
        ))}
      </span>
    ),
    number: true,
    wide: true,
  }
  return (
    <>
      <ReviewHead />
      <Card title={title} flush bare>
        <ListTable
          label={`${title} that wait for a review`}
          list={list}
          columns={[...columns, decision]}
          keyOf={({ id }) => id}
          path={({ id }) => recordPath(type, id)}
          empty={empty}
        />
      </Card>
    </>
  )
}
