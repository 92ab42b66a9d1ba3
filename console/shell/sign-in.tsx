import { type FormEvent, useEffect, useState } from 'react'
import { ProblemNote } from '../components/feedback/problem.tsx'
import { ask, PERSON, register, signInByPasskey, takeInvitation, type Ways } from '../data/people/person.ts'
import styles from './sign-in.module.css'

interface Entrance {
  error: unknown
  enter(key: string): void
  /** Whether a person is needed, and a key does not do. */
  persons?: boolean
}

/** Signs a person in, or asks for an API key. */
export function SignIn({ error, enter, persons = false }: Entrance) {
  const [invitation] = useState(takeInvitation)
  const [ways, setWays] = useState<Ways>()
  useEffect(() => {
    ask<Ways>('ways').then(
      (found) => (found.signedIn && invitation === undefined ? enter(PERSON) : setWays(found)),
      () => setWays({ passkeys: false, provider: false, keys: true, signedIn: false }),
    )
  }, [enter, invitation])
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <h1>Purser</h1>
        <ProblemNote error={error} />
        {ways?.provider && invitation === undefined && (
          <button type="button" className="primary" onClick={() => location.assign('/session/provider')}>
            Sign in with your organisation
          </button>
        )}
        {ways?.passkeys && <Passkey invitation={invitation} enter={enter} />}
        {ways?.keys && !persons && <PasteKey enter={enter} />}
        {ways && !ways.passkeys && !ways.provider && (persons || !ways.keys) && (
          <p>
            Nobody can sign in yet: the operator sets <code>PURSER_CONSOLE_ORIGIN</code> and invites persons.
          </p>
        )}
      </div>
    </main>
  )
}

function Passkey({ invitation, enter }: Pick<Entrance, 'enter'> & { invitation: string | undefined }) {
  const [fault, setFault] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const run = () => {
    setBusy(true)
    setFault(undefined)
    const work = invitation === undefined ? signInByPasskey() : register(invitation)
    work.then(() => enter(PERSON), setFault).finally(() => setBusy(false))
  }
  return (
    <>
      {invitation !== undefined && (
        <p className="muted">
          You are invited. This device keeps a passkey for you, with which you sign in from now on.
        </p>
      )}
      <ProblemNote error={fault} />
      <button type="button" className="primary" disabled={busy} onClick={run}>
        {invitation === undefined ? 'Sign in with a passkey' : 'Register a passkey'}
      </button>
    </>
  )
}

function PasteKey({ enter }: Pick<Entrance, 'enter'>) {
  const [key, setKey] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (key.trim()) enter(key.trim())
  }
  return (
    <form className="stack" onSubmit={submit}>
      <p className="muted">
        Paste an API key of this service. It stays in this tab and in those that you open from it, and is forgotten when
        you close them.
      </p>
      <label htmlFor="key">API key</label>
      <input
        id="key"
        type="password"
        value={key}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setKey(event.target.value)}
      />
      <button type="submit" className="primary">
        Open the console
      </button>
      <p className="muted">
        A sandbox prints a link with its key when it starts, and keeps the key in <code>data/api-key</code>.{' '}
        <code>purser open</code> opens the console with it.
      </p>
    </form>
  )
}
