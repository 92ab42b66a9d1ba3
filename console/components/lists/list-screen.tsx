import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { CallInput, OperationId } from '../../../client/src/index.ts'
import { csvOf } from '../../data/csv.ts'
import { type Filter, type FilterValues, queryOf, useFilters } from '../../data/filters.ts'
import { count, zoneOf } from '../../data/format.ts'
import { type ListId, listBy, type RowOf, type Rows, useList } from '../../data/list.ts'
import { useMay, useSession } from '../../data/purser.tsx'
import { saveFile } from '../../data/save-file.ts'
import { listOf, recordPath } from '../../routes.ts'
import { Empty } from '../feedback/empty.tsx'
import { ProblemNote } from '../feedback/problem.tsx'
import { type Closed, Unavailable } from '../feedback/unavailable.tsx'
import { Create } from '../forms/actions.tsx'
import { Checks } from '../forms/checks.tsx'
import { Card } from '../layout/card.tsx'
import { DialogButton } from '../layout/dialog.tsx'
import { PageTitle } from '../layout/page-title.tsx'
import { Filters, NothingMatches } from './filters.tsx'
import styles from './list-screen.module.css'
import { type Column, ListTable } from './table.tsx'

/** A list of records as data: the operation that reads it, its filters and its columns. */
export interface ListDefinition<Id extends ListId> extends Partial<Closed> {
  title: string
  operation: Id
  /** Members of the query beside those of the filters; the newest records first by default. */
  query?: CallInput<Id> extends { query?: infer Query } ? Query : never
  /** Writes the whole query, for operations that take a text. */
  write?(values: FilterValues): object
  filters?: readonly Filter[]
  columns: readonly Column<RowOf<Id>>[]
  /** The type of the records; their screens are those of the rows. */
  type?: string
  /** The path of a row, if it is not that of its record. */
  path?(row: RowOf<Id>): string | undefined
  /** The name of a row, if it has no id. */
  keyOf?(row: RowOf<Id>): string | number
  /** The text if there is no record at all, and the next step. */
  none: readonly [title: string, next?: ReactNode]
  /** The operation that makes a record, as a button. */
  create?: OperationId
}

export function defineList<Id extends ListId>(definition: ListDefinition<Id>): ListDefinition<Id> {
  return definition
}

/** The filters of a list, and the input that they mean. */
export function useInput<Id extends ListId>({ filters = [], query, write }: ListDefinition<Id>) {
  const [values, set] = useFilters(filters.map(({ name }) => name))
  const chosen = queryOf(filters, values)
  const all = write?.(values) ?? { ...(query ?? { sort: '-createdAt', limit: 100 }), ...chosen }
  return { values, set, input: { query: all } as unknown as CallInput<Id> }
}

interface ScreenProps<Id extends ListId> {
  of: ListDefinition<Id>
  /** The head of the screen if it is one of several of a subject. */
  head?: ReactNode
  actions?: ReactNode
  everyMs?: number
}

/** The screen of a list. */
export function ListScreen<Id extends ListId>({ of: list, head, actions, everyMs }: ScreenProps<Id>) {
  const { values, set, input } = useInput(list)
  const rows = useList(list.operation, input, everyMs === undefined ? {} : { everyMs })
  const shown = rows.total ?? (rows.isPending || rows.hasMore ? undefined : String(rows.rows.length))
  return (
    <>
      {head ?? (
        <PageTitle
          title={list.title}
          actions={
            <>
              {actions}
              {list.create && <Create operation={list.create} />}
            </>
          }
        >
          {shown && <span className="muted">{separated(shown)}</span>}
        </PageTitle>
      )}
      <ListBody of={list} rows={rows} input={input} values={values} set={set} />
    </>
  )
}

interface BodyProps<Id extends ListId> {
  of: ListDefinition<Id>
  rows: Rows<RowOf<Id>>
  /** The input that reads the same records; absent if the operation cannot, so that CSV has those on screen. */
  input: CallInput<Id> | undefined
  values: FilterValues
  set(values: FilterValues): void
  /** Columns before the others. */
  before?: readonly Column<RowOf<Id>>[]
  /** Between the filters and the table. */
  children?: ReactNode
  /** A title above the table, if the screen has several. */
  titled?: boolean
  aside?: ReactNode
}

/** The filters, the table and its foot. */
export function ListBody<Id extends ListId>(props: BodyProps<Id>) {
  const { of: list, rows, input, values, set, before = [], children, titled = false, aside } = props
  const { title, operation, columns, type, path, keyOf = idOf, none, filters = [] } = list
  const may = useMay(operation)
  const [chosen, choose] = useColumns(list)
  if (!may) {
    const { scope = 'banking:read', absent = 'The provider of accounts does not have it.' } = list
    return <Unavailable title={title} scope={scope} absent={absent} />
  }
  const shown = columns.filter(({ head, optional }) => !optional || chosen.includes(head))
  const target = path ?? (type && ((row: RowOf<Id>) => recordPath(type, keyOf(row))))
  const optional = columns.flatMap((column) => (column.optional ? [column.head] : []))
  return (
    <>
      {filters.length > 0 && <Filters fields={filters} values={values} set={set} />}
      {children}
      <Card title={title} aside={aside} flush bare={!titled}>
        <ListTable
          label={title}
          list={rows}
          columns={[...before, ...shown]}
          keyOf={keyOf}
          {...(target && { path: target })}
          empty={
            Object.keys(values).length > 0 ? (
              <NothingMatches fields={filters} values={values} set={set} />
            ) : (
              <Empty title={none[0]}>{none[1] && <p>{none[1]}</p>}</Empty>
            )
          }
        />
        {rows.rows.length > 0 && (
          <p className={styles.foot}>
            <span>
              {count(rows.rows.length)}
              {rows.hasMore && ` of ${rows.total ? separated(rows.total) : 'more, which follow as you scroll'}`} · times
              in {zoneOf(new Date().toISOString()).place}
            </span>
            <span className="row">
              {optional.length > 0 && (
                <DialogButton label="Columns…" className="link">
                  {() => <Checks legend="Further columns" options={optional} chosen={chosen} set={choose} />}
                </DialogButton>
              )}
              <SaveCsv title={title} operation={operation} input={input} shown={rows.rows} />
            </span>
          </p>
        )}
      </Card>
    </>
  )
}

function idOf(row: unknown): string {
  return (row as { id: string }).id
}

/** `5001` as `5,001`, also in `10000+`. */
function separated(total: string): string {
  return total.replace(/\d+/, (digits) => count(Number(digits)))
}

/** The optional columns that the reader has chosen, which are kept for this browser. */
function useColumns({ title }: { title: string }): [string[], (chosen: string[]) => void] {
  const kept = `purser.columns ${title}`
  const [chosen, setChosen] = useState<string[]>(() => JSON.parse(localStorage.getItem(kept) ?? '[]'))
  const choose = (heads: string[]) => {
    localStorage.setItem(kept, JSON.stringify(heads))
    setChosen(heads)
  }
  return [chosen, choose]
}

const MAX_SAVED = 10_000

interface CsvProps {
  title: string
  operation: ListId
  input: object | undefined
  shown: readonly unknown[]
}

/** Saves the records of a list with all their members. */
function SaveCsv({ title, operation, input, shown }: CsvProps) {
  const { purser } = useSession()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const save = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const records = input ? [] : (shown as object[])
      if (input) {
        for await (const record of listBy<object>(purser, operation, input)) {
          if (records.push(record) === MAX_SAVED) break
        }
      }
      saveFile(new TextEncoder().encode(csvOf(records)), `${title.toLowerCase()}.csv`, 'text/csv')
    } catch (fault) {
      setError(fault)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <ProblemNote error={error} />
      <button
        type="button"
        className="link"
        disabled={busy}
        onClick={save}
        title={`All members of up to ${count(MAX_SAVED)} records, amounts in cents, times in UTC`}
      >
        {busy ? 'Reading…' : 'Save as CSV'}
      </button>
    </>
  )
}

interface ShortProps<Id extends ListId> {
  of: ListDefinition<Id>
  title?: string
  /** The record that the list belongs to, as a filter or in the path of the operation. */
  where?: Record<string, string>
  params?: Record<string, string>
  query?: object
  /** The whole query, for operations that take a text. */
  write?: object
  /** The heads of the columns to show. */
  columns: readonly string[]
  /** The text if there is none. */
  none: ReactNode
  aside?: ReactNode
  shown?: number
}

/** The first records of a list beside the record that they belong to, with a link to the others. */
export function ShortList<Id extends ListId>(props: ShortProps<Id>) {
  const { of: list, title = list.title, where = {}, params, query, write, columns, none, aside, shown = 5 } = props
  const { operation, type, path, keyOf = idOf } = list
  const may = useMay(operation)
  const newest = { sort: '-createdAt', limit: 2 * shown, ...where, ...query }
  const input = { ...(params && { params }), query: write ?? newest }
  const found = useList(operation, input as unknown as CallInput<Id>)
  if (!may) return null
  const target = path ?? (type && ((row: RowOf<Id>) => recordPath(type, keyOf(row))))
  const hasMore = found.hasMore || found.rows.length > shown
  return (
    <Card
      title={title}
      flush
      aside={
        <span className={`row ${styles.aside}`}>
          {hasMore && Object.keys(where).length > 0 && (
            <Link href={`${listOf(type ?? '').path}?${new URLSearchParams(where)}`}>All</Link>
          )}
          {aside}
        </span>
      }
    >
      <ListTable
        label={title}
        list={{ ...found, rows: found.rows.slice(0, shown), hasMore: false }}
        columns={columns.flatMap((head) => list.columns.filter((column) => column.head === head))}
        keyOf={keyOf}
        {...(target && { path: target })}
        empty={<div className={styles.none}>{none}</div>}
      />
    </Card>
  )
}
