import { type ReactNode, useEffect } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import type { CallInput, OperationId } from '../../../client/src/index.ts'
import { type Filter, type FilterValues, inputFor, useFilters } from '../../data/filters.ts'
import { count, zoneOf } from '../../data/format.ts'
import { useKept } from '../../data/kept.ts'
import { type ListId, type RowOf, type Rows, useList } from '../../data/list.ts'
import { useMay, useSession } from '../../data/purser.tsx'
import { noteLeaving, noteList } from '../../data/records/neighbours.ts'
import { listOf, recordPath } from '../../routes.ts'
import { Empty } from '../feedback/empty.tsx'
import { type Closed, Unavailable } from '../feedback/unavailable.tsx'
import { Create } from '../forms/actions.tsx'
import { Card } from '../layout/card.tsx'
import { DialogButton } from '../layout/dialog.tsx'
import { PageTitle } from '../layout/page-title.tsx'
import { type BulkAction, useBulk } from './bulk.tsx'
import { ChooseColumns, chosenColumns } from './columns.tsx'
import { useCounts } from './counts.ts'
import { Export } from './export.tsx'
import { Filters, NothingMatches, without } from './filters.tsx'
import styles from './list-screen.module.css'
import { type Column, ListTable } from './table.tsx'
import { type View, Views } from './views.tsx'

/** A list of records as data: the operation that reads it, its filters and its columns. */
export interface ListDefinition<Id extends ListId> extends Partial<Closed> {
  title: string
  operation: Id
  /** Members of the query beside those of the filters; the newest records first by default. */
  query?: CallInput<Id> extends { query?: infer Query } ? Query : never
  /** The operation without which the service does not sort the list: a provider may have an order of its own. */
  sortNeeds?: OperationId
  /** Writes the whole query, for operations that take a text. */
  write?(values: FilterValues): object
  filters?: readonly Filter[]
  /** Filters by name, beside those that the reader saves. */
  views?: readonly View[]
  columns: readonly Column<RowOf<Id>>[]
  /** Operations for several records. */
  bulk?: readonly BulkAction<RowOf<Id>>[]
  /** The sum of several records in words. */
  sum?(rows: readonly RowOf<Id>[]): string
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

/** The filters and views that the provider of the list takes. */
function useShown<Each extends { builtin?: true }>(all: readonly Each[] = []): readonly Each[] {
  const { me } = useSession()
  return all.filter(({ builtin }) => !builtin || me.providers.banking === 'builtin')
}

/** The filters of a list, and the input that they mean. */
export function useInput<Id extends ListId>(list: ListDefinition<Id>) {
  const { me } = useSession()
  const filters = useShown(list.filters)
  const [values, set] = useFilters(filters.map(({ name }) => name))
  const { query } = inputFor({ ...list, filters }, values)
  const { sort: _sort, ...unsorted } = query as { sort?: string }
  const isSorted = list.sortNeeds === undefined || me.operations.includes(list.sortNeeds)
  return { values, set, input: { query: isSorted ? query : unsorted } as unknown as CallInput<Id> }
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
  /** The input that reads the same records; absent if the operation cannot, and then they are not exported. */
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
  const { title, operation, columns, type, path, keyOf = idOf, none } = list
  const filters = useShown(list.filters)
  const views = useShown(list.views)
  const may = useMay(operation)
  const mayExport = useMay('exportList')
  const [chosen, choose] = useKept<string[] | null>(`purser.shown ${operation}`, null)
  const selection = useBulk({ rows: rows.rows, keyOf, actions: list.bulk ?? [], sum: list.sum })
  if (!may) {
    const { scope = 'banking:read', absent = 'The provider of accounts does not have it.' } = list
    return <Unavailable title={title} scope={scope} absent={absent} />
  }
  const shown = chosenColumns(columns, chosen)
  const target = path ?? (type && ((row: RowOf<Id>) => recordPath(type, keyOf(row))))
  const paths = target && rows.rows.map((row) => target(row) ?? '')
  return (
    <>
      {paths && <ListNote paths={paths} />}
      <Views list={{ ...list, views }} values={values} set={set} columns={chosen} choose={choose}>
        <DialogButton label="Columns…" className="link">
          {() => <ChooseColumns columns={columns} chosen={chosen} choose={choose} />}
        </DialogButton>
        {input && rows.rows.length > 0 && (
          <Export
            title={title}
            operation={operation}
            input={input}
            total={rows.total && separated(rows.total)}
            anyTime={filters.some(({ name }) => name === 'since') && !values.since && !values.until}
          />
        )}
      </Views>
      {filters.length > 0 && <Filters fields={filters} values={values} set={set} />}
      {children}
      <Card title={title} aside={aside} flush bare={!titled}>
        {selection.bar}
        <ListTable
          label={title}
          list={rows}
          columns={[...selection.columns, ...before, ...shown]}
          keyOf={keyOf}
          {...(target && { path: target })}
          empty={
            Object.keys(values).length > 0 ? (
              <NothingInList of={{ ...list, filters }} values={values} set={set} />
            ) : (
              <Empty title={none[0]}>{none[1] && <p>{none[1]}</p>}</Empty>
            )
          }
        />
        {rows.rows.length > 0 && (
          <p className={styles.foot}>
            <span>
              {count(rows.rows.length)}
              {rows.hasMore && ` of ${rows.total ? separated(rows.total) : 'more, which follow as you scroll'}`}
              {list.sum && !rows.hasMore && ` · ${list.sum(rows.rows)}`} · times in{' '}
              {zoneOf(new Date().toISOString()).place}
            </span>
            <span className={styles.keys}>
              {target && <Keys of={['j', 'k']}>move</Keys>}
              {(selection.columns.length > 0 || before.length > 0) && <Keys of={['x']}>select</Keys>}
              {target && <Keys of={['Enter']}>open</Keys>}
              {filters.length > 0 && <Keys of={['f']}>filter</Keys>}
              {input && mayExport && <Keys of={['e']}>export</Keys>}
            </span>
          </p>
        )}
      </Card>
    </>
  )
}

function Keys({ of: keys, children }: { of: readonly string[]; children: string }) {
  return (
    <span>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}{' '}
      {children}
    </span>
  )
}

/** In place of a list that its filters leave empty. If there are several, it says how many records each one hides. */
function NothingInList<Id extends ListId>({ of: list, values, set }: Pick<BodyProps<Id>, 'of' | 'values' | 'set'>) {
  const names = Object.keys(values)
  const several = names.length > 1 ? names : []
  const counts = useCounts(
    list,
    several.map((name) => without(values, name)),
  )
  const left = Object.fromEntries(several.map((name, at) => [name, counts[at]]))
  return <NothingMatches fields={list.filters ?? []} values={values} set={set} left={left} />
}

/** Notes the list for the screens of its records. */
export function ListNote({ paths }: { paths: readonly string[] }) {
  const [path] = useLocation()
  const search = useSearch()
  useEffect(() => noteList({ address: search ? `${path}?${search}` : path, paths }))
  useEffect(() => () => noteLeaving(location.pathname, 'list'), [])
  return null
}

function idOf(row: unknown): string {
  return (row as { id: string }).id
}

/** `5001` as `5,001`, also in `10000+`. */
function separated(total: string): string {
  return total.replace(/\d+/, (digits) => count(Number(digits)))
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
