import { useQueries, useQuery } from '@tanstack/react-query'
import type { DepositAccount, Event, Purser } from '../../client/src/index.ts'
import { lastFour } from './format.ts'
import { pageOf, useList } from './list.ts'
import { TAIL } from './live.ts'
import { useMay, useSession } from './purser.tsx'

/** The most accounts that one call names. */
const MAX_NAMED = 100
/** The accounts that a provider without a filter for ids is asked for. */
const MAX_NEWEST = 1_000

/**
 * The holder of an account with its last four digits, for lists that name accounts by their ids. The names of the rows that are
 * drawn together are read with one call. Undefined until it is read, and if there is no such account.
 */
export function useHolder(accountId: string): string | undefined {
  const holderOf = useHolderQuery()
  return useQuery(holderOf(accountId)).data ?? undefined
}

/** The query that reads the holder of an account. */
function useHolderQuery() {
  const { purser, me } = useSession()
  const may = useMay('listAccounts')
  return (accountId: string) => ({
    queryKey: ['holder', accountId, TAIL],
    queryFn: () => readTogether(purser, accountId, me.providers.banking === 'builtin'),
    enabled: may && accountId !== '',
    staleTime: 60_000,
  })
}

type Names = Promise<ReadonlyMap<string, string>>

interface Batch {
  ids: Set<string>
  names: Names
}

/** The call of each client that has not begun. */
const waiting = new WeakMap<Purser, Batch>()

async function readTogether(purser: Purser, accountId: string, isBuiltin: boolean): Promise<string | null> {
  let batch = waiting.get(purser)
  if (!batch || batch.ids.size >= MAX_NAMED) {
    const ids = new Set<string>()
    const begun: Batch = {
      ids,
      // The rows of a table ask one after the other before anything else runs.
      names: new Promise<void>((resolve) => setTimeout(resolve)).then(() => {
        if (waiting.get(purser) === begun) waiting.delete(purser)
        // As one parameter: a query has a hundred at most.
        const query = isBuiltin ? { accountId: [...ids].join(), limit: MAX_NAMED } : { ...newest, limit: MAX_NEWEST }
        return readNames(purser, query)
      }),
    }
    batch = begun
    waiting.set(purser, batch)
  }
  batch.ids.add(accountId)
  return (await batch.names).get(accountId) ?? null
}

async function readNames(purser: Purser, query: object): Names {
  const { data } = await pageOf<DepositAccount>(purser, 'listAccounts', { query })
  return new Map(data.map(({ id, name, accountNumber }) => [id, `${name} ${lastFour(accountNumber)}`]))
}

/** The newest payments and authorizations among which those of events are sought. */
const newest = { sort: '-createdAt', limit: 100 } as const

/** The names of the holders of the records in events, by the ids of the records. Events of payments and purchases do not name them. */
export function useHoldersOf(events: readonly Event[]): ReadonlyMap<string, string> {
  const has = (type: string) => ({ enabled: events.some(({ entity }) => entity.type === type) })
  const payments = useList(
    'listPayments',
    { query: { ...newest, type: ['achPayment', 'bookPayment'] } },
    has('payment'),
  )
  const authorizations = useList('listAllAuthorizations', { query: newest }, has('authorization'))
  const shown = new Set(events.map(({ entity }) => entity.id))
  const accounts = [
    ...payments.rows.filter(({ id }) => shown.has(id)).map(({ id, accountId }) => [id, accountId] as const),
    ...events.map(({ entity, data }) => [entity.id, (data as { accountId?: string }).accountId] as const),
  ]
  const holderOf = useHolderQuery()
  const ids = [...new Set(accounts.map(([, accountId]) => accountId ?? ''))]
  const holders = useQueries({ queries: ids.map(holderOf) })
  return new Map([
    ...accounts.flatMap(([id, accountId = '']) => {
      const [name] = holders[ids.indexOf(accountId)]?.data?.split(/ ··\d+$/) ?? []
      return name ? [[id, name] as const] : []
    }),
    ...authorizations.rows.map(({ id, customerName }) => [id, customerName] as const),
  ])
}
