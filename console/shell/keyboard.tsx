import { useLayoutEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { Dialog } from '../components/layout/dialog.tsx'
import { useMenu } from '../data/purser.tsx'
import { isList } from '../data/records/neighbours.ts'
import styles from './keyboard.module.css'

/** The second key of `g a` must follow within this time. The times are those of the keys: a busy page handles them later. */
const PAIR_MS = 1_500
const NEVER = Number.NEGATIVE_INFINITY

interface Handlers {
  palette(): void
  calls(): void
  keys(): void
}

/** The keys that work on every screen. */
export function useKeyboard(handlers: Handlers): void {
  const [here, go] = useLocation()
  const pressedG = useRef(NEVER)
  const screens = useScreens()
  const latest = useRef({ ...handlers, screens, here })
  latest.current = { ...handlers, screens, here }
  // Before the screen is painted: its first keys must not get lost.
  useLayoutEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return latest.current.palette()
      }
      const target = event.target as HTMLElement
      if (event.metaKey || event.ctrlKey || event.altKey || target.closest('input, textarea, select')) return
      // The focus may have left the controls of a dialog.
      if (document.querySelector('dialog[open]')) return
      const screen = latest.current.screens.find(({ key }) => key === event.key)
      if (screen && event.timeStamp - pressedG.current < PAIR_MS) {
        pressedG.current = NEVER
        return go(screen.path)
      }
      pressedG.current = event.key === 'g' ? event.timeStamp : NEVER
      if (event.key === 'j' || event.key === 'k') moveRow(event.key === 'j' ? 1 : -1)
      else if (event.key === 'x') document.activeElement?.closest('tr')?.querySelector<HTMLElement>('input')?.click()
      else if (event.key === 'f') document.querySelector<HTMLElement>('main search :is(input, select)')?.focus()
      else if (isPressed(event.key)) return event.preventDefault()
      else if (event.key === 'Escape' && isList(latest.current.here)) goBack()
      else if (event.key === '/') latest.current.palette()
      else if (event.key === '.') latest.current.calls()
      else if (event.key === '?') latest.current.keys()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', handle)
    return () => removeEventListener('keydown', handle)
  }, [go])
}

/** Goes back to the screen that this one was opened from. Before the first screen of the console there is none. */
function goBack(): void {
  const { navigation } = globalThis as { navigation?: { canGoBack: boolean } }
  if (navigation?.canGoBack) history.back()
}

/** Presses the last control of the screen that has a key; false if none has. */
function isPressed(key: string): boolean {
  const controls = [...document.querySelectorAll<HTMLElement>('main [data-key]')]
  const control = controls.findLast((each) => each.dataset.key === key)
  control?.click()
  return control !== undefined
}

/** Moves the focus to the next or the previous row of the table on screen. */
function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  const row = rows[at < 0 ? 0 : at + step]
  row?.focus()
  row?.scrollIntoView({ block: 'nearest' })
}

const general = [
  ['Find anything', 'Ctrl K, ⌘K or /'],
  ['Next row, previous row', 'j, k'],
  ['Open the row, select it', 'Enter, x'],
  ['Filter the list, export it', 'f, e'],
  ['Next record of the list, previous record', '], ['],
  ['Clear the selection, back to the list, back from the list', 'Esc'],
  ['The calls beside the screen', '.'],
  ['Close', 'Esc'],
  ['These keys', '?'],
] as const

function useScreens() {
  return useMenu().flatMap(({ items }) => items)
}

export function KeyboardHelp({ close }: { close(): void }) {
  const screens = useScreens()
  return (
    <Dialog title="Keyboard" close={close} wide>
      <div className={styles.keys}>
        {[...general, ...screens.map(({ name, key }) => [name, `g ${key}`] as const)].map(([name, keys]) => (
          <div key={name}>
            <span>{name}</span>
            <kbd>{keys}</kbd>
          </div>
        ))}
      </div>
    </Dialog>
  )
}
