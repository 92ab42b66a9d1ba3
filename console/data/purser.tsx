import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import {
  type CallInput,
  type Me,
  type OperationId,
  type Operations,
  type Proposal,
  Purser,
} from '../../client/src/index.ts'
import { type MenuItem, menu } from '../routes.ts'
import { noteRead } from './developers/answers.ts'
import { type Asked, afterOutage, noteAnswer } from './live.ts'
import { asPerson, PERSON } from './people/person.ts'

interface Session {
  purser: Purser
  me: Me
  apiKey: string
  /** Uses another key from now on. */
  enter(key: string): void
  signOut(): void
}

const SessionContext = createContext<Session | undefined>(undefined)

export function SessionProvider({ children, ...session }: Session & { children: ReactNode }) {
  return <SessionContext value={session}>{children}</SessionContext>
}

/** The client, and the caller as the service knows it. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('there is no session here')
  return session
}

/** Whether the service has the operation and the key may call it. */
export function useMay(id: OperationId): boolean {
  return useSession().me.operations.includes(id)
}

/** The screens of the menu that this key can use here, by group. */
export function useMenu() {
  const { me } = useSession()
  const shown = ({ needs, explained }: MenuItem) =>
    needs === undefined ||
    [needs].flat().some((each) => me.operations.includes(each)) ||
    (explained && me.mode === 'sandbox')
  return menu.map(({ items, ...group }) => ({ ...group, items: items.filter(shown) }))
}

/** Path and query of a request. */
function addressOf(request: RequestInfo | URL): string {
  const { pathname, search } = new URL(request instanceof Request ? request.url : request)
  return pathname + search
}

/**
 * A client whose requests stay out of the log of requests, and whose failures show that the service is away. With `take`, the
 * body of a success is a file of the browser, which keeps a large one on its disk, and the answer has none.
 */
export function clientOf(apiKey: string, take?: (file: Blob) => void): Purser {
  return new Purser({
    url: location.origin,
    apiKey,
    headers: { 'x-purser-tool': 'console' },
    fetch: async (...request) => {
      const response = await noted(apiKey, request)
      if (!take || !response.ok) return response
      take(await response.blob())
      return new Response(null, response)
    },
  })
}

/** Sends a request, and notes whether it was answered. */
async function noted(apiKey: string, request: Parameters<typeof fetch>): Promise<Response> {
  try {
    const startedMs = performance.now()
    const response = await fetch(...(apiKey === PERSON ? asPerson(...request) : request))
    noteAnswer(true)
    noteRead(addressOf(request[0]), { status: response.status, ms: performance.now() - startedMs })
    return response
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) noteAnswer(false)
    throw error
  }
}

interface Options {
  /** False if the input is not complete yet. */
  enabled?: boolean
  /** Reads again after this time, for facts that change without an event. */
  everyMs?: number
  /** Keeps the earlier answer on screen while another input is read. */
  keep?: boolean
  /** Reads once while the component is on screen. For operations whose reads are recorded as events. */
  once?: boolean
}

/** Calls an operation that reads one record. Its query key, the id and the input, is shown as the call of the screen. */
export function useCall<Id extends OperationId>(
  id: Id,
  input: CallInput<Id>,
  { enabled = true, everyMs, keep = false, once = false }: Options = {},
): UseQueryResult<Operations[Id]['data']> {
  const { purser } = useSession()
  const may = useMay(id)
  return useQuery({
    queryKey: [id, input],
    queryFn: ({ signal }) => purser.call(id, input, { signal }) as Promise<Operations[Id]['data']>,
    enabled: enabled && may,
    ...(everyMs !== undefined && { refetchInterval: (query: Asked) => afterOutage(query) || everyMs }),
    ...(once && { staleTime: 'static' as const, gcTime: 0 }),
    ...(keep && { placeholderData: (earlier: Operations[Id]['data'] | undefined) => earlier as never }),
  }) as UseQueryResult<Operations[Id]['data']>
}

/** Calls an operation for each of a few inputs. Records that are not read yet are left out. */
export function useCalls<Id extends OperationId>(id: Id, inputs: readonly CallInput<Id>[]): Operations[Id]['data'][] {
  const { purser } = useSession()
  const may = useMay(id)
  const queries = inputs.map((input) => ({
    queryKey: [id, input],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      purser.call(id, input, { signal }) as Promise<Operations[Id]['data']>,
    enabled: may,
  }))
  return useQueries({ queries }).flatMap(({ data }) => (data === undefined ? [] : [data as Operations[Id]['data']]))
}

/** The proposal that an operation answered with, because its decision needs a second person. */
export function proposalIn(id: OperationId, answer: unknown): Proposal | undefined {
  const proposal = answer as Proposal | null | undefined
  return proposal?.operation === id ? proposal : undefined
}

/**
 * An operation that changes something. After a success `done` runs, which may lead to another screen, and the screen is read
 * again. A proposal has changed nothing yet: `done` does not run.
 */
export function useSend<Id extends OperationId>(
  id: Id,
  done?: (data: Operations[Id]['data']) => void,
): UseMutationResult<Operations[Id]['data'], Error, CallInput<Id>> {
  const { purser } = useSession()
  const queries = useQueryClient()
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return useMutation({
    mutationFn: (input: CallInput<Id>) => purser.call(id, input),
    onSuccess: (data) => {
      // A reader who closed the form meanwhile stays on the screen of their choice.
      if (isShown.current && !proposalIn(id, data)) done?.(data)
      return queries.invalidateQueries()
    },
  })
}
