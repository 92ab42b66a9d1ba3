import type { ComponentProps, ReactNode } from 'react'
import { Card } from '../../../components/layout/card.tsx'
import { Filters } from '../../../components/lists/filters.tsx'
import { type Column, ListTable } from '../../../components/lists/table.tsx'
import type { Rows } from '../../../data/list.ts'
import { recordPath } from '../../../routes.ts'
import { RailsHead } from './rails-head.tsx'

interface Props<Row> {
  title: string
  /** The type of the records. */
  type: string
  list: Rows<Row>
  columns: Column<Row>[]
  filters: ComponentProps<typeof Filters>
  empty: ReactNode
}

/** A screen of the ACH rail that lists records under filters. */
export function RailsList<Row extends { id: string }>({ title, type, list, columns, filters, empty }: Props<Row>) {
  return (
    <>
      <RailsHead />
      <Filters {...filters} />
      <Card title={title} flush bare>
        <ListTable
          label={title}
          list={list}
          columns={columns}
          keyOf={({ id }) => id}
          path={({ id }) => recordPath(type, id)}
          empty={empty}
        />
      </Card>
    </>
  )
}
