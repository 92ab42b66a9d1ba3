import { useId, useState } from 'react'
import { type Field, Form } from '../../components/forms/form.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Details } from '../../components/layout/details.tsx'
import { Dialog } from '../../components/layout/dialog.tsx'
import { date } from '../../data/format.ts'
import { useMay, useSend, useSession } from '../../data/purser.tsx'
import { KeySecret } from './key-form.tsx'

const clock: readonly Field[] = [
  {
    name: 'now',
    label: 'Bank time',
    optional: true,
    hint: 'Such as 2027-01-31T12:00:00Z; the present if it is empty',
  },
  { name: 'frozen', label: 'Clock stands still', kind: 'boolean', initial: 'false' },
]

/** The organisation of this key, and new ones. */
export function Organisations() {
  const { me, signOut } = useSession()
  const mayReset = useMay('resetOrganisation')
  const mayDelete = useMay('deleteOrganisation')
  const mayCreate = useMay('createOrganisation')
  const [open, setOpen] = useState<'reset' | 'delete' | 'create'>()
  const close = () => setOpen(undefined)
  const { id, name } = me.organisation
  return (
    <div>
      <Card title="This organisation">
        <div className="stack">
          <Details
            items={[
              ['Name', name],
              [
                'Id',
                <span key="id" className="mono">
                  {id}
                </span>,
              ],
            ]}
          />
          <div className="row">
            {mayReset && (
              <button type="button" onClick={() => setOpen('reset')}>
                Reset…
              </button>
            )}
            {mayDelete && (
              <button type="button" onClick={() => setOpen('delete')}>
                Delete…
              </button>
            )}
          </div>
        </div>
      </Card>
      {mayCreate && (
        <Card title="New organisation">
          <div className="stack">
            <p className="muted">
              An isolated bank with its own key, clock and records, for example for one test. It is deleted after a day
              without use.
            </p>
            <div>
              <button type="button" onClick={() => setOpen('create')}>
                New organisation…
              </button>
            </div>
          </div>
        </Card>
      )}
      {open === 'reset' && <Reset name={name} close={close} />}
      {open === 'delete' && <Delete name={name} close={close} left={signOut} />}
      {open === 'create' && <Create close={close} />}
    </div>
  )
}

function Create({ close }: { close(): void }) {
  const { mutate, data, error, isPending } = useSend('createOrganisation')
  if (data)
    return <KeySecret title={`Key of “${data.name}”, ${date(data.createdAt)}`} secret={data.apiKey.key} close={close} />
  return (
    <Dialog title="New organisation" close={close}>
      <Form
        fields={[{ name: 'name', label: 'Name', optional: true }, ...clock]}
        submit="Create"
        send={(body) => mutate({ body })}
        busy={isPending}
        error={error}
      />
    </Dialog>
  )
}

function Reset({ name, close }: { name: string; close(): void }) {
  const { mutate, error, isPending } = useSend('resetOrganisation', close)
  return (
    <Typed title="Reset the organisation" name={name} close={close}>
      {(typed) => (
        <Form
          fields={clock}
          submit="Reset"
          send={(body) => mutate({ body })}
          busy={isPending}
          error={error}
          ready={typed}
        >
          <p>All records, webhook endpoints and events are gone. The keys stay and open an empty organisation.</p>
        </Form>
      )}
    </Typed>
  )
}

function Delete({ name, close, left }: { name: string; close(): void; left(): void }) {
  const { mutate, error, isPending } = useSend('deleteOrganisation', left)
  return (
    <Typed title="Delete the organisation" name={name} close={close}>
      {(typed) => (
        <Form fields={[]} submit="Delete" send={() => mutate({})} busy={isPending} error={error} ready={typed}>
          <p>All its records are gone, and its keys stop working at once, also the one of this console.</p>
        </Form>
      )}
    </Typed>
  )
}

/** A dialog whose form can be sent after the name of the organisation was typed. */
function Typed({
  title,
  name,
  close,
  children,
}: {
  title: string
  name: string
  close(): void
  children(typed: boolean): React.ReactNode
}) {
  const id = useId()
  const [text, setText] = useState('')
  return (
    <Dialog title={title} close={close}>
      <div className="stack">
        <div>
          <label htmlFor={id}>
            Type <b>{name}</b> to confirm
          </label>
          <input id={id} value={text} autoComplete="off" onChange={(event) => setText(event.target.value)} />
        </div>
        {children(text.trim() === name.trim())}
      </div>
    </Dialog>
  )
}
