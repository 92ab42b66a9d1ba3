import { useQuery } from '@tanstack/react-query'
import type { DepositAccount, Event } from '../../client/src/index.ts'
import { lastFour } from './format.ts'
import { pageOf, useList } from './list.ts'
import { TAIL } from './live.ts'
import { useMay, useSession } from './purser.tsx'

const MAX_ACCOUNTS = 1_000

/**
 * The holders of accounts with their last four digits, for lists that name accounts by their ids. One call reads the newest
 * thousand; others stay ids.
 */
export function useHolders(): ReadonlyMap<string, string> {
  const { purser } = useSession()
  const input = { query: { sort: '-createdAt', limit: MAX_ACCOUNTS } }
  const { data } = useQuery({
    queryKey: ['listAccounts', input, TAIL],
    queryFn: async () => {
      const { data: accounts } = await pageOf<DepositAccount>(purser, 'listAccounts', input)
      return new Map(accounts.map(({ id, name, accountNumber }) => [id, `${name} ${lastFour(accountNumber)}`]))
    },
    enabled: useMay('listAccounts'),
    staleTime: 60_000,
  })
  return data ?? none
}

const none: ReadonlyMap<string, string> = new Map()

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
  const holders = useHolders()
  const accounts = [
    ...payments.rows.map(({ id, accountId }) => [id, accountId]),
    ...events.map(({ entity, data }) => [entity.id, (data as { accountId?: string }).accountId]),
  ]
  return new Map([
    ...accounts.flatMap(([id, accountId]) => {
      const [name] = holders.get(String(accountId))?.split(/ ··\d+$/) ?? []
      return name ? [[String(id), name] as const] : []
    }),
    ...authorizations.rows.map(({ id, customerName }) => [id, customerName] as const),
  ])
}
