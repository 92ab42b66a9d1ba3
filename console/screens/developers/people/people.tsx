import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { Time } from '../../../components/display/time.tsx'
import { Reading } from '../../../components/feedback/empty.tsx'
import { ProblemNote } from '../../../components/feedback/problem.tsx'
import { SendForm } from '../../../components/forms/actions.tsx'
import { type Field, Form } from '../../../components/forms/form.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Details, mono } from '../../../components/layout/details.tsx'
import { Dialog, DialogButton } from '../../../components/layout/dialog.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { Table } from '../../../components/lists/table.tsx'
import { type Member, useMembers } from '../../../data/people/members.ts'
import { ask, needsSecondPerson } from '../../../data/people/person.ts'
import { useSession } from '../../../data/purser.tsx'
import { NotFound } from '../../../shell/not-found.tsx'
import { Secret } from '../components/secret.tsx'
import { accessTabs, type Session, SessionTable } from './person.tsx'

const ways = { provider: 'Identity provider', passkey: 'Passkey', invited: 'Invited' }

/** A change of persons, after which they are read again. */
function useChange<Data, Body extends object = object>(what: string, done?: (data: Data) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Body) => ask<Data>(`people/${what}`, body),
    onSuccess: (data) => {
      done?.(data)
      // The sessions of a person who was removed cannot be read any more.
      return queries.invalidateQueries({ queryKey: what === 'remove' ? ['people', 'list'] : ['people'] })
    },
  })
}

/** The persons with a role in the organisation. */
export function People() {
  const { may, data, error } = useMembers()
  const { me } = useSession()
  if (!may) return <NotFound />
  return (
    <>
      <PageTitle
        title="People"
        tabs={accessTabs}
        actions={
          <DialogButton label="Invite…" className="primary" own>
            {(close) => <Invite close={close} />}
          </DialogButton>
        }
      >
        <span className="muted">with a role in {me.organisation.name}</span>
      </PageTitle>
      <ProblemNote error={error} />
      {!data && !error && <Reading lines={6} />}
      {data && (
        <Card title="People" bare flush>
          <Table
            label="People"
            rows={data}
            keyOf={({ id }) => id}
            path={({ id }) => `/access/people/${id}`}
            columns={[
              { head: 'Name', cell: ({ name, own }) => (own ? `${name}, you` : name), card: 'who' },
              { head: 'Role', cell: ({ role }) => role, card: 'state' },
              { head: 'Signs in by', cell: ({ signsIn }) => ways[signsIn], wide: true },
              {
                head: 'Last seen',
                cell: ({ usedAt }) => (usedAt ? <Time of={usedAt} real /> : 'Never'),
                number: true,
                card: 'when',
              },
            ]}
          />
        </Card>
      )}
    </>
  )
}

interface RoleFormProps {
  /** The present role. */
  role?: string
  fields?: readonly Field[]
  submit: string
  send(values: Record<string, unknown>): void
  busy: boolean
  error: unknown
}

/** A form with the roles that the reader may give, and their scopes. */
function RoleForm({ role, fields = [], ...form }: RoleFormProps) {
  const { data, error } = useQuery({
    queryKey: ['people', 'roles'],
    queryFn: () => ask<{ name: string; scopes: string[] }[]>('people/roles'),
  })
  if (!data) return error ? <ProblemNote error={error} /> : <Reading />
  const options = data.map(({ name }) => ({ value: name, label: name }))
  return (
    <Form fields={[...fields, { name: 'role', label: 'Role', options, ...(role && { initial: role }) }]} {...form}>
      <details>
        <summary>Scopes of the roles</summary>
        <Details of={Object.fromEntries(data.map(({ name, scopes }) => [name, mono(scopes.join(', '))]))} />
      </details>
    </Form>
  )
}

interface Link {
  link: string
}

function Invite({ close }: { close(): void }) {
  const { mutate, data, error, isPending } = useChange<Link>('invite')
  if (data) return <OneTimeLink link={data.link} close={close} />
  return (
    <Dialog title="Invite a person" close={close} wide>
      <RoleForm
        fields={[{ name: 'name', label: 'Name', hint: 'The audit log shows it' }]}
        submit="Invite"
        send={mutate}
        busy={isPending}
        error={error}
      />
    </Dialog>
  )
}

function OneTimeLink({ link, close }: Link & { close(): void }) {
  return (
    <Secret title="Link of the invitation" secret={link} close={close}>
      <p>
        It works once, for three days. Send it to the person alone: who opens it registers a passkey and is this person.
      </p>
    </Secret>
  )
}

/** One person of the organisation: the role and the sessions. */
export function PersonScreen({ id }: { id: string }) {
  const { may, data, error } = useMembers()
  const person = data?.find((each) => each.id === id)
  if (!may || (data && !person)) return <NotFound />
  if (!person) return error ? <ProblemNote error={error} /> : <Reading lines={6} />
  const { name, role, signsIn, createdAt, usedAt, own } = person
  return (
    <>
      <PageTitle
        title={name}
        parent={{ name: 'People', path: '/access/people' }}
        id={id}
        actions={person.may && <Changes of={person} />}
      />
      {own && <p className="muted">This is you. Another administrator changes your rights.</p>}
      {!own && !person.may && <p className="muted">This person has rights that you lack, so you cannot change them.</p>}
      <Card title="Rights">
        <Details
          of={{
            Id: mono(id),
            Role: role,
            'Signs in by': ways[signsIn],
            'Last seen': usedAt && <Time of={usedAt} real />,
            Added: <Time of={createdAt} real />,
          }}
        />
      </Card>
      <Card title="Sessions">
        <SessionsOf person={person} />
      </Card>
    </>
  )
}

function Changes({ of: { id, name, role, signsIn } }: { of: Member }) {
  const [, go] = useLocation()
  return (
    <>
      {signsIn !== 'provider' && (
        <>
          <DialogButton label="Change the role…" wide>
            {(close) => <ChangeRole id={id} role={role} close={close} />}
          </DialogButton>
          <DialogButton label="New link…" own>
            {(close) => <NewLink id={id} role={role} close={close} />}
          </DialogButton>
        </>
      )}
      <DialogButton label="Remove…">
        {() => (
          <Confirmed
            what="remove"
            body={{ id }}
            submit={`Remove ${name}`}
            done={() => go('/access/people')}
            text="The sessions of the person end within five seconds, and a person without another organisation is removed for good. The audit log keeps the name."
          />
        )}
      </DialogButton>
    </>
  )
}

/** A new role, which counts with the next request of the person. */
function ChangeRole({ id, role, close }: { id: string; role: string; close(): void }) {
  const { mutate, variables, error, isPending } = useChange<unknown, { id: string; role?: string }>('role', close)
  return (
    <>
      <RoleForm
        role={role}
        submit="Change the role"
        send={(body) => mutate({ id, ...body })}
        busy={isPending}
        error={error}
      />
      {needsSecondPerson(error) && <ProposeRights key={variables?.role} id={id} role={variables?.role ?? role} />}
    </>
  )
}

/** A form that proposes a role of a person, or a new link for one who has it. */
function ProposeRights({ id, role }: { id: string; role: string }) {
  return (
    <SendForm
      operation="permitPersonRights"
      submit={`Propose the role ${role}`}
      fields={[{ name: 'reason', label: 'Reason', hint: 'The person who signs sees it' }]}
      input={(body) => ({ params: { personId: id }, body: { ...body, role } })}
    />
  )
}

/** Invites a person anew whose device is lost. */
function NewLink({ id, role, close }: { id: string; role: string; close(): void }) {
  const [link, setLink] = useState<string>()
  if (link) return <OneTimeLink link={link} close={close} />
  return (
    <Dialog title="New link" close={close}>
      <Confirmed
        what="link"
        body={{ id }}
        permit={<ProposeRights id={id} role={role} />}
        submit="Make a new link"
        done={(data: Link) => setLink(data.link)}
        text="For a lost device: passkeys, sessions and earlier links of the person end."
      />
    </Dialog>
  )
}

interface ConfirmedProps<Data> {
  what: string
  body: object
  submit: string
  text: string
  /** Shown if another person has to agree. */
  permit?: ReactNode
  done(data: Data): void
}

function Confirmed<Data>({ what, body, submit, text, permit, done }: ConfirmedProps<Data>) {
  const { mutate, error, isPending } = useChange<Data>(what, done)
  return (
    <>
      <Form fields={[]} submit={submit} send={() => mutate(body)} busy={isPending} error={error}>
        <p>{text}</p>
      </Form>
      {needsSecondPerson(error) && permit}
    </>
  )
}

/** The sessions of a person that have not ended, each with a button that ends it. */
function SessionsOf({ person: { id, may } }: { person: Member }) {
  const { data, error } = useQuery({
    queryKey: ['people', 'sessions', id],
    queryFn: () => ask<Session[]>('people/sessions', { id }),
  })
  const end = useChange('end')
  if (!data) return error ? <ProblemNote error={error} /> : <Reading />
  if (data.length === 0) return <p className="muted">No session works now.</p>
  return (
    <>
      <ProblemNote error={end.error} />
      <SessionTable
        sessions={data}
        {...(may && { end: ({ id: session }) => end.mutate({ id, session }) })}
        busy={end.isPending}
      />
    </>
  )
}
