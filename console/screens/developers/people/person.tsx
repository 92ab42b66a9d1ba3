import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Time } from '../../../components/display/time.tsx'
import { Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details, mono } from '../../../components/layout/details.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { Table } from '../../../components/lists/table.tsx'
import { useManagesPeople } from '../../../data/people/members.ts'
import { ask } from '../../../data/people/person.ts'
import { useSession } from '../../../data/purser.tsx'
import { NotFound } from '../../../shell/not-found.tsx'

export interface Session {
  id: string
  kind: 'browser' | 'command'
  address: string
  agent: string | null
  createdAt: string
  usedAt: string
  expiresAt: string
  /** Whether it is the session of this browser. */
  current: boolean
}

/** The screens about access, for those who manage persons. */
export const accessTabs = [
  { name: 'Keys and audit', path: '/access' },
  { name: 'People', path: '/access/people' },
]

/** The person who is signed in: roles, scopes and sessions. */
export function Person() {
  const { person, key } = useSession().me
  const manages = useManagesPeople()
  if (!person) return <NotFound />
  const roles = person.organisations.map(({ name, role }) => `${role} in ${name}`).join(', ')
  return (
    <>
      <PageTitle title={person.name} actions={manages && <Link href="/access/people">All people</Link>} />
      <Card title="Rights">
        <Details of={{ Id: mono(person.id), Roles: roles, 'Scopes here': key.scopes?.join(', ') ?? 'All' }} />
      </Card>
      <Card title="Sessions">
        <Sessions />
      </Card>
    </>
  )
}

/** The sessions that have not ended. The person ends those that they do not know. */
function Sessions() {
  const { signOut } = useSession()
  const { data, error, refetch } = useQuery({ queryKey: ['sessions'], queryFn: () => ask<Session[]>('list') })
  const end = useMutation({ mutationFn: (id: string) => ask('end', { id }), onSettled: () => refetch() })
  if (!data) return error ? <ProblemNote error={error} /> : <Reading />
  return (
    <>
      <ProblemNote error={end.error} />
      <SessionTable
        sessions={data}
        end={({ id, current }) => (current ? signOut() : end.mutate(id))}
        busy={end.isPending}
      />
    </>
  )
}

interface TableProps {
  sessions: Session[]
  /** Absent if the reader may not end them. */
  end?(session: Session): void
  busy: boolean
}

export function SessionTable({ sessions, end, busy }: TableProps) {
  return (
    <Table
      label="Sessions"
      rows={sessions}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Address', cell: ({ address }) => address },
        { head: 'With', cell: ({ kind, agent }) => (kind === 'command' ? 'Command line' : agent), wide: true },
        {
          head: 'Signed in',
          cell: ({ createdAt }) => <Time of={createdAt} real />,
          number: true,
          wide: true,
          card: 'when',
        },
        { head: 'Last used', cell: ({ usedAt }) => <Time of={usedAt} real />, number: true, wide: true, card: 'when' },
        ...(end ? [{ head: 'End', cell: endButton(end, busy) }] : []),
      ]}
    />
  )
}

const endButton = (end: (session: Session) => void, busy: boolean) => (session: Session) => (
  <button type="button" disabled={busy} onClick={() => end(session)}>
    {session.current ? 'Sign out here' : 'End'}
  </button>
)
