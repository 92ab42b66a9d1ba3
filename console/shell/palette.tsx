import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { useLocation } from 'wouter'
import { operations } from '../../client/src/index.ts'
import { ProblemNote } from '../components/feedback/problem.tsx'
import { Combobox, type Choice as Shown } from '../components/forms/combobox.tsx'
import { Dialog } from '../components/layout/dialog.tsx'
import { words } from '../data/format.ts'
import { useCall, useMay, useMenu } from '../data/purser.tsx'
import { recentRecords } from '../data/records/recent.ts'
import { recordPath } from '../routes.ts'
import type { FoundRecord } from './found-actions.tsx'
import styles from './palette.module.css'

type Choice = Shown & { path: string; record?: FoundRecord }

const FoundActions = lazy(async () => ({ default: (await import('./found-actions.tsx')).FoundActions }))

const operationChoices: Choice[] = Object.keys(operations).map((id) => ({
  ...{ key: id, detail: 'Operation', text: id, path: `/reference/${id}` },
}))
const MAX_OPERATIONS = 6

/** Finds any record, screen, list or operation, and offers what can be done with a record. */
export function Palette({ close }: { close(): void }) {
  const [text, setText] = useState('')
  const [, go] = useLocation()
  const q = useDeferredValue(text.trim())
  const { data, error } = useCall('search', { query: { q } }, { enabled: q !== '', keep: true })
  const screens = useMenu().flatMap(({ items }) =>
    items.map(({ name, path }) => ({ key: path, detail: 'Screen', text: name, path })),
  )
  const found = choicesFor(q, screens, data ?? [])
  const choices = [...found, ...useLists(q)]
  const open = (choice: Choice | undefined) => {
    if (!choice) return
    close()
    go(choice.path)
  }
  return (
    <Dialog title="Find" close={close} wide>
      <Combobox
        label="Find a name, amount, merchant, code, number, id, screen or operation"
        placeholder="A name, amount, last four digits, code, id, operation"
        text={text}
        write={setText}
        choices={choices}
        choose={open}
        open
        about={({ record }) =>
          record && (
            <Suspense>
              <FoundActions key={`${record.type} ${record.id}`} of={record} />
            </Suspense>
          )
        }
      />
      <p className={styles.keys}>
        <kbd>↑</kbd> <kbd>↓</kbd> choose <kbd>Enter</kbd> open <kbd>Tab</kbd> actions <kbd>Esc</kbd> close
      </p>
      <ProblemNote error={error} />
      {found.length === 0 && q !== '' && data && <p className="muted">Nothing matches “{q}”.</p>}
    </Dialog>
  )
}

/** The lists that search further than “Find” does. */
function useLists(q: string): Choice[] {
  const lists = [
    { may: useMay('listPayments') && q.length > 1, text: `Payments with “${q}”`, path: `/payments?search=` },
    { may: useMay('listRequests') && isCode(q), text: `Requests refused with ${q}`, path: `/requests?code=` },
  ]
  return lists.flatMap(({ may, text, path }) =>
    may ? [{ key: path, detail: 'List', text, path: path + encodeURIComponent(q) }] : [],
  )
}

const isCode = (text: string) => /^[a-z]+(_[a-z]+)+$/.test(text)

function choicesFor(
  q: string,
  screens: Choice[],
  found: readonly { type: FoundRecord['type']; id: string; label: string }[],
): Choice[] {
  const matches = ({ text }: Choice) => text.toLowerCase().includes(q.toLowerCase())
  const choiceOf = (type: string, id: string, text: string, detail: string): Choice => ({
    ...{ key: `${type} ${id}`, detail, text, path: recordPath(type, id) },
    record: { type: type as FoundRecord['type'], id },
  })
  if (q === '') return [...recentRecords().map(({ type, id, name }) => choiceOf(type, id, name, 'Recent')), ...screens]
  const records = found.map(({ type, id, label }) => choiceOf(type, id, label, `${words(type)} ${id}`))
  // The log of requests has the names of operations, too; a whole name means the operation.
  const named = operationChoices.filter(({ text }) => text.toLowerCase() === q.toLowerCase())
  const others = operationChoices.filter((each) => matches(each) && !named.includes(each)).slice(0, MAX_OPERATIONS)
  return [...named, ...records, ...screens.filter(matches), ...others]
}
