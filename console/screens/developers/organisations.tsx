import { type ReactNode, useId, useState } from 'react'
import { SendForm } from '../../components/forms/actions.tsx'
import { type Field, Form } from '../../components/forms/form.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Details, mono } from '../../components/layout/details.tsx'
import { Dialog, DialogButton } from '../../components/layout/dialog.tsx'
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
  const { id, name } = me.organisation
  return (
    <div>
      <Card title="This organisation">
        <div className="stack">
          <Details of={{ Name: name, Id: mono(id) }} />
          <div className="row">
            {mayReset && (
              <DialogButton label="Reset…" title="Reset the organisation">
                {(close) => <Reset name={name} close={close} />}
              </DialogButton>
            )}
            {mayDelete && (
              <DialogButton label="Delete…" title="Delete the organisation">
                {() => <Delete name={name} left={signOut} />}
              </DialogButton>
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
              <DialogButton label="New organisation…" own>
                {(close) => <Create close={close} />}
              </DialogButton>
            </div>
          </div>
        </Card>
      )}
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
  return (
    <Typed name={name}>
      {(ready) => (
        <SendForm
          operation="resetOrganisation"
          fields={clock}
          submit="Reset"
          input={(body) => ({ body })}
          done={close}
          ready={ready}
        >
          <p>All records, webhook endpoints and events are gone. The keys stay and open an empty organisation.</p>
        </SendForm>
      )}
    </Typed>
  )
}

function Delete({ name, left }: { name: string; left(): void }) {
  return (
    <Typed name={name}>
      {(ready) => (
        <SendForm operation="deleteOrganisation" submit="Delete" input={() => ({})} done={left} ready={ready}>
          <p>All its records are gone, and its keys stop working at once, also the one of this console.</p>
        </SendForm>
      )}
    </Typed>
  )
}

/** A form that can be sent after the name of the organisation was typed. */
function Typed({ name, children }: { name: string; children(ready: boolean): ReactNode }) {
  const id = useId()
  const [text, setText] = useState('')
  return (
    <div className="stack">
      <div>
        <label htmlFor={id}>
          Type <b>{name}</b> to confirm
        </label>
        <input id={id} value={text} autoComplete="off" onChange={(event) => setText(event.target.value)} />
      </div>
      {children(text.trim() === name.trim())}
    </div>
  )
}
