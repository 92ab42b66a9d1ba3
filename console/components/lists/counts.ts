import { useQueries } from '@tanstack/react-query'
import { type FilterValues, inputFor } from '../../data/filters.ts'
import { count } from '../../data/format.ts'
import { type ListId, pageOf } from '../../data/list.ts'
import { COUNT } from '../../data/live.ts'
import { useMay, useSession } from '../../data/purser.tsx'
import type { ListDefinition } from './list-screen.tsx'

/** Records that a list without a count reads to count them. */
const MOST = 100

/** The numbers of the records that several filters leave, as far as they are counted: `10,000+` or `99+` for more. */
export function useCounts<Id extends ListId>(
  list: ListDefinition<Id>,
  filters: readonly FilterValues[],
): (string | undefined)[] {
  const { purser } = useSession()
  const may = useMay(list.operation)
  return useQueries({
    queries: filters.map((values) => {
      const { query } = inputFor(list, values)
      const isCounted = 'count' in query
      const input = { query: { ...query, limit: isCounted ? 1 : MOST } }
      return {
        queryKey: [list.operation, input, COUNT],
        queryFn: async () => {
          const { data, total, next } = await pageOf(purser, list.operation, input)
          if (total !== undefined) return total.replace(/\d+/, (digits) => count(Number(digits)))
          return next ? `${MOST - 1}+` : count(data.length)
        },
        enabled: may && list.write === undefined,
        retry: false,
      }
    }),
  }).map(({ data }) => data)
}
