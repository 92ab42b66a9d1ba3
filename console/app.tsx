import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { Router } from 'wouter'
import { isProblem, type Me, type Purser } from '../client/src/index.ts'
import { Reading } from './components/feedback/empty.tsx'
import { startLive } from './data/live.ts'
import { clientOf, SessionProvider } from './data/purser.tsx'
import { forgetKey, keepKey, takeKey, watchIdle } from './data/session.ts'
import { Screens } from './screens.tsx'
import { Away } from './shell/away.tsx'
import { ScreenFault } from './shell/screen-fault.tsx'
import { Shell } from './shell/shell.tsx'
import { SignIn } from './shell/sign-in.tsx'

const RETRY_MS = 2_000

/** Asks for a key where there is none, and shows the console for it. */
export function App() {
  const [key, setKey] = useState(takeKey)
  const [reason, setReason] = useState<unknown>()
  const queries = useQueryClient()
  const leave = useCallback(
    (error?: unknown) => {
      forgetKey()
      queries.clear()
      setReason(error)
      setKey(undefined)
    },
    [queries],
  )
  useEffect(() => {
    // A link with another key, in a tab that is open already.
    const take = () => {
      const taken = takeKey()
      if (taken !== key) queries.clear()
      setKey(taken)
    }
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [key, queries])
  const enter = (entered: string) => {
    keepKey(entered)
    setReason(undefined)
    setKey(entered)
  }
  if (key === undefined) return <SignIn error={reason} enter={enter} />
  return <Entered key={key} apiKey={key} leave={leave} />
}

function Entered({ apiKey, leave }: { apiKey: string; leave(error?: unknown): void }) {
  const client = useMemo(() => clientOrFault(apiKey), [apiKey])
  const purser = client instanceof Error ? undefined : client
  const {
    data: me,
    error,
    failureReason,
  } = useQuery({
    queryKey: ['getMe', {}],
    queryFn: () => purser?.me.get() as Promise<Me>,
    enabled: purser !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    // A service that is away keeps nobody from their key: only a refusal does.
    retry: (_failures, failure) => !isRefusal(failure),
    retryDelay: RETRY_MS,
  })
  const fault = client instanceof Error ? client : error
  useEffect(() => {
    if (fault) leave(fault)
  }, [fault, leave])
  if (!me || !purser) return failureReason ? <Away error={failureReason} signOut={() => leave()} /> : <Reading />
  return <Console purser={purser} me={me} leave={leave} />
}

/** Whether the service does not take the key. */
function isRefusal(error: unknown): boolean {
  return isProblem(error) && (error.status === 401 || error.status === 403)
}

/** A text that no header can carry is no key. */
function clientOrFault(apiKey: string): Purser | Error {
  try {
    return clientOf(apiKey)
  } catch (error) {
    return error as Error
  }
}

function Console({ purser, me, leave }: { purser: Purser; me: Me; leave(error?: unknown): void }) {
  const queries = useQueryClient()
  useEffect(() => startLive(purser, queries, me), [purser, queries, me])
  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return
        const { error } = event.action
        // A key that was revoked or ran out: nothing of it stays on screen.
        if (isProblem(error) && error.status === 401) leave(error)
      }),
    [queries, leave],
  )
  useEffect(() => {
    if (me.mode !== 'live') return
    return watchIdle(() => leave(new Error('The key was forgotten after 30 minutes without use.')))
  }, [me, leave])
  return (
    <SessionProvider purser={purser} me={me} signOut={() => leave()}>
      <Router base="/console">
        <Shell>
          <ScreenFault>
            <Screens />
          </ScreenFault>
        </Shell>
      </Router>
    </SessionProvider>
  )
}
