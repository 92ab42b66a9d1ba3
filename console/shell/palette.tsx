import { useDeferredValue, useState } from 'react'
import { useLocation } from 'wouter'
import { operations } from '../../client/src/index.ts'
import { ProblemNote } from '../components/feedback/problem.tsx'
import { Dialog } from '../components/layout/dialog.tsx'
import { words } from '../data/format.ts'
import { useCall, useMenu } from '../data/purser.tsx'
import { recordPath } from '../routes.ts'
import styles from './palette.module.css'

interface Choice {
  key: string
  kind: string
  text: string
  path: string
}

const operationChoices: Choice[] = Object.keys(operations).map((id) => ({
  key: id,
  kind: 'Operation',
  text: id,
  path: `/reference/${id}`,
}))
const MAX_OPERATIONS = 6

/** Finds any record, screen or operation. */
export function Palette({ close }: { close(): void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [, go] = useLocation()
  const q = useDeferredValue(text.trim())
  const { data, error } = useCall('search', { query: { q } }, { enabled: q !== '', keep: true })
  const screens = useMenu().flatMap(({ items }) =>
    items.map(({ name, path }) => ({ key: path, kind: 'Screen', text: name, path })),
  )
  const choices = choicesFor(q, screens, data ?? [])
  const chosen = Math.min(at, choices.length - 1)
  const open = (choice: Choice | undefined) => {
    if (!choice) return
    close()
    go(choice.path)
  }
  return (
    <Dialog title="Find" close={close} wide>
      <input
        role="combobox"
        aria-label="Find an id, name, e-mail, number, request or operation"
        aria-expanded="true"
        aria-controls="choices"
        aria-activedescendant={choices[chosen] ? `choice-${chosen}` : undefined}
        value={text}
        placeholder="An id, name, last four digits, event, request, operation"
        autoComplete="off"
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, choices.length - 1))
          else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0))
          else if (event.key === 'Enter') open(choices[chosen])
          else return
          event.preventDefault()
        }}
      />
      <ProblemNote error={error} />
      <div id="choices" role="listbox" aria-label="Found" className={styles.choices}>
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field above has the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus.
          <div
            key={choice.key}
            id={`choice-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => open(choice)}
          >
            <span>{choice.text}</span>
            <span className="muted">{choice.kind}</span>
          </div>
        ))}
      </div>
      {choices.length === 0 && q !== '' && data && <p className={styles.none}>Nothing matches “{q}”.</p>}
    </Dialog>
  )
}

function choicesFor(
  q: string,
  screens: Choice[],
  found: readonly { type: string; id: string; label: string }[],
): Choice[] {
  const matches = ({ text }: Choice) => text.toLowerCase().includes(q.toLowerCase())
  if (q === '') return screens
  const records = found.map(({ type, id, label }) => ({
    key: `${type} ${id}`,
    kind: `${words(type)} ${id}`,
    text: label,
    path: recordPath(type, id),
  }))
  // The log of requests has the names of operations, too; a whole name means the operation.
  const named = operationChoices.filter(({ text }) => text.toLowerCase() === q.toLowerCase())
  const others = operationChoices.filter((each) => matches(each) && !named.includes(each)).slice(0, MAX_OPERATIONS)
  return [...named, ...records, ...screens.filter(matches), ...others]
}
