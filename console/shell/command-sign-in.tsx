import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Reading } from '../components/feedback/empty.tsx'
import { ProblemNote } from '../components/feedback/problem.tsx'
import { allow, codeOf, refuse, takeCommandSignIn } from '../data/people/command-line.ts'
import { ask, PERSON } from '../data/people/person.ts'
import { clientOf } from '../data/purser.tsx'
import styles from './sign-in.module.css'
import { SignIn } from './sign-in.tsx'

/** Asks the person who signs in whether the command line may act as them. */
export function CommandSignIn() {
  const [signIn] = useState(takeCommandSignIn)
  const [isSignedIn, setSignedIn] = useState(false)
  const [reason, setReason] = useState<unknown>()
  if (!signIn) {
    return (
      <main className={styles.page}>
        <div className={styles.card}>
          <h1>Purser</h1>
          <p>
            This link is not that of a sign-in. Run <code>purser login</code> again.
          </p>
          <a href="/console">Open the console</a>
        </div>
      </main>
    )
  }
  const leave = (error?: unknown) => {
    setReason(error)
    setSignedIn(false)
  }
  if (!isSignedIn) return <SignIn error={reason} enter={() => setSignedIn(true)} persons />
  return <Consent signIn={signIn} leave={leave} />
}

interface Asked {
  signIn: NonNullable<ReturnType<typeof takeCommandSignIn>>
  leave(error?: unknown): void
}

function Consent({ signIn, leave }: Asked) {
  const purser = useMemo(() => clientOf(PERSON), [])
  const { data: me, error } = useQuery({ queryKey: ['getMe', {}], queryFn: () => purser.me.get() })
  const decide = useMutation({ mutationFn: () => allow(signIn) })
  const change = useMutation({ mutationFn: () => ask('end'), onSettled: () => leave() })
  if (!me?.person && !error) return <Reading />
  const roles = me?.person?.organisations.map(({ name, role }) => `${role} in ${name}`).join(', ')
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <h1>Let the command line act as you?</h1>
        <ProblemNote error={error ?? decide.error} />
        {me?.person && (
          <>
            <p>
              You are {me.person.name}, {roles}. The command line gets your rights in a session of its own, which you
              can end on your page.
            </p>
            <p className={styles.code}>{codeOf(signIn)}</p>
            <p className="muted">
              Agree only if you have just run <code>purser login</code>, and it shows this code.
            </p>
            <div className="row">
              <button type="button" onClick={() => refuse(signIn)}>
                Refuse
              </button>
              <button
                type="button"
                className="primary"
                disabled={decide.isPending || decide.isSuccess}
                onClick={() => decide.mutate()}
              >
                Let it act as me
              </button>
            </div>
          </>
        )}
        <button type="button" onClick={() => change.mutate()}>
          Sign in as another person
        </button>
      </div>
    </main>
  )
}
