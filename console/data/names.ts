import { useQuery } from '@tanstack/react-query'
import type { DepositAccount } from '../../client/src/index.ts'
import { lastFour } from './format.ts'
import { pageOf } from './list.ts'
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
