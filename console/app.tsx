import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Router } from 'wouter'
import { isProblem, type Me, type Purser } from '../client/src/index.ts'
import { Reading } from './components/feedback/empty.tsx'
import { startLive } from './data/live.ts'
import { ask, PERSON } from './data/people/person.ts'
import { clientOf, SessionProvider } from './data/purser.tsx'
import { askForKey, forgetKey, keepKey, presentKey, shareKey, takeLinkedKey, watchIdle } from './data/session.ts'
import { Screens } from './screens.tsx'
import { Away } from './shell/away.tsx'
import { OtherKey } from './shell/other-key.tsx'
import { ScreenFault } from './shell/screen-fault.tsx'
import { Shell } from './shell/shell.tsx'
import { SignIn } from './shell/sign-in.tsx'

const RETRY_MS = 2_000

/** A key, and whether it came with a link, so that the service has to say first whether it may be used. */
interface Entry {
  key: string
  linked: boolean
}

/** Asks for a key if there is none, and shows the console for it. */
export function App() {
  const [entry, setEntry] = useState<Entry | undefined>(() => entryOf(presentKey()))
  /** The key of a link that was opened in this tab, until it is used or refused. */
  const [offered, setOffered] = useState(takeLinkedKey)
  const [reason, setReason] = useState<unknown>()
  /** Whether this new tab still asks the others for their key. */
  const [isAsking, setAsking] = useState(!entry && offered === undefined)
  const queries = useQueryClient()
  useEffect(() => {
    const take = () => setOffered((earlier) => takeLinkedKey() ?? earlier)
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  const leave = useCallback(
    (error?: unknown) => {
      forgetKey()
      queries.clear()
      setReason(error)
      setEntry(undefined)
    },
    [queries],
  )
  const signOut = useCallback(
    async (error?: unknown) => {
      // Before the sign-in asks whether there is a session.
      if (presentKey() === PERSON) await ask('end').catch(() => undefined)
      leave(error)
    },
    [leave],
  )
  const enter = useCallback(
    (next: Entry) => {
      queries.clear()
      if (!next.linked) keepKey(next.key)
      setReason(undefined)
      setEntry(next)
    },
    [queries],
  )
  const enterKey = useCallback((key: string) => enter({ key, linked: false }), [enter])
  useEffect(() => {
    if (offered === undefined || (entry && entry.key !== offered)) return
    // There is no key to replace.
    setOffered(undefined)
    if (!entry) enter({ key: offered, linked: true })
  }, [offered, entry, enter])
  useEffect(() => {
    if (!isAsking) return
    void askForKey().then((key) => {
      setAsking(false)
      if (key !== undefined) enter({ key, linked: false })
    })
  }, [isAsking, enter])
  if (isAsking) return <Reading lines={8} />
  if (!entry) return <SignIn error={reason} enter={enterKey} />
  // A link with the key of this tab asks nothing, not even for the moment until the effect has run.
  const other = offered === entry.key ? undefined : offered
  const change = { enter: enterKey, leave, signOut, offered: other, setOffered }
  return <Entered key={entry.key} entry={entry} change={change} />
}

function entryOf(key: string | undefined): Entry | undefined {
  return key === undefined ? undefined : { key, linked: false }
}

/** How the key of this tab changes. */
interface KeyChange {
  enter(key: string): void
  leave(error?: unknown): void
  /** Leaves, and ends the session of a person. */
  signOut(error?: unknown): void
  offered: string | undefined
  setOffered(key: string | undefined): void
}

function Entered({ entry, change }: { entry: Entry; change: KeyChange }) {
  const { leave, signOut } = change
  const client = useMemo(() => clientOrFault(entry.key), [entry.key])
  const purser = client instanceof Error ? undefined : client
  const {
    data: me,
    error,
    failureReason,
  } = useQuery({
    queryKey: ['getMe', {}],
    queryFn: () => meOf(purser as Purser, entry),
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
  if (!me || !purser) return failureReason ? <Away error={failureReason} signOut={() => signOut()} /> : <Reading />
  return <Console purser={purser} me={me} apiKey={entry.key} change={change} />
}

/** The caller that a key stands for. The author of a link would choose whose money its reader moves, so that a live service takes none. */
async function meOf(purser: Purser, { key, linked }: Entry): Promise<Me> {
  const me = await purser.me.get()
  if (linked && me.mode === 'live') throw new LinkRefusal('A key in a link is not used in live mode. Paste it here.')
  if (linked) keepKey(key)
  return me
}

class LinkRefusal extends Error {}

/** Whether the service does not take the key. */
function isRefusal(error: unknown): boolean {
  return error instanceof LinkRefusal || (isProblem(error) && (error.status === 401 || error.status === 403))
}

/** A text that no header can carry is no key. */
function clientOrFault(apiKey: string): Purser | Error {
  try {
    return clientOf(apiKey)
  } catch (error) {
    return error as Error
  }
}

interface ConsoleProps {
  purser: Purser
  me: Me
  apiKey: string
  change: KeyChange
}

function Console({ purser, me, apiKey, change }: ConsoleProps) {
  const { enter, leave, offered, setOffered } = change
  const isLive = me.mode === 'live'
  const what = me.person ? 'You were signed out' : 'The key was forgotten'
  const queries = useQueryClient()
  const endLive = useRef<() => void>(undefined)
  useEffect(() => {
    endLive.current = startLive(purser, queries, me)
    return endLive.current
  }, [purser, queries, me])
  const signOut = useCallback(
    (error?: unknown) => {
      // The long poll would be refused when the session ends.
      endLive.current?.()
      change.signOut(error)
    },
    [change.signOut],
  )
  useEffect(shareKey, [])
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
    if (!isLive) return
    return watchIdle(() => signOut(new Error(`${what} after 30 minutes without use.`)))
  }, [isLive, signOut, what])
  useEffect(() => {
    if (isLive && offered !== undefined) setOffered(undefined)
  }, [isLive, offered, setOffered])
  return (
    <SessionProvider purser={purser} me={me} apiKey={apiKey} enter={enter} signOut={() => signOut()}>
      <Router base="/console">
        <Shell>
          <ScreenFault>
            <Screens />
          </ScreenFault>
        </Shell>
        {offered !== undefined && !isLive && (
          <OtherKey
            offered={offered}
            use={() => {
              setOffered(undefined)
              enter(offered)
            }}
            close={() => setOffered(undefined)}
          />
        )}
      </Router>
    </SessionProvider>
  )
}
