import { useDeferredValue, useState } from 'react'
import { useLocation } from 'wouter'
import { operations } from '../../client/src/index.ts'
import { ProblemNote } from '../components/feedback/problem.tsx'
import { Combobox, type Choice as Shown } from '../components/forms/combobox.tsx'
import { Dialog } from '../components/layout/dialog.tsx'
import { words } from '../data/format.ts'
import { useCall, useMenu } from '../data/purser.tsx'
import { recentRecords } from '../data/records/recent.ts'
import { recordPath } from '../routes.ts'

type Choice = Shown & { path: string }

const operationChoices: Choice[] = Object.keys(operations).map((id) => ({
  ...{ key: id, detail: 'Operation', text: id, path: `/reference/${id}` },
}))
const MAX_OPERATIONS = 6

/** Finds any record, screen or operation. */
export function Palette({ close }: { close(): void }) {
  const [text, setText] = useState('')
  const [, go] = useLocation()
  const q = useDeferredValue(text.trim())
  const { data, error } = useCall('search', { query: { q } }, { enabled: q !== '', keep: true })
  const screens = useMenu().flatMap(({ items }) =>
    items.map(({ name, path }) => ({ key: path, detail: 'Screen', text: name, path })),
  )
  const choices = choicesFor(q, screens, data ?? [])
  const open = (choice: Choice | undefined) => {
    if (!choice) return
    close()
    go(choice.path)
  }
  return (
    <Dialog title="Find" close={close} wide>
      <Combobox
        label="Find an id, name, e-mail, number, request or operation"
        placeholder="An id, name, last four digits, event, request, operation"
        text={text}
        write={setText}
        choices={choices}
        choose={open}
        open
      />
      <ProblemNote error={error} />
      {choices.length === 0 && q !== '' && data && <p className="muted">Nothing matches “{q}”.</p>}
    </Dialog>
  )
}

function choicesFor(
  q: string,
  screens: Choice[],
  found: readonly { type: string; id: string; label: string }[],
): Choice[] {
  const matches = ({ text }: Choice) => text.toLowerCase().includes(q.toLowerCase())
  if (q === '') {
    const seen = recentRecords().map(({ type, id, name }) => ({
      ...{ key: `${type} ${id}`, detail: 'Recent', text: name, path: recordPath(type, id) },
    }))
    return [...seen, ...screens]
  }
  const records = found.map(({ type, id, label }) => ({
    ...{ key: `${type} ${id}`, detail: `${words(type)} ${id}`, text: label, path: recordPath(type, id) },
  }))
  // The log of requests has the names of operations, too; a whole name means the operation.
  const named = operationChoices.filter(({ text }) => text.toLowerCase() === q.toLowerCase())
  const others = operationChoices.filter((each) => matches(each) && !named.includes(each)).slice(0, MAX_OPERATIONS)
  return [...named, ...records, ...screens.filter(matches), ...others]
}
