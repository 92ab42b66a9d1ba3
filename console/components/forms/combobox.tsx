import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import styles from './combobox.module.css'

export interface Choice {
  key: string
  text: string
  /** Text at the right, which says what it is. */
  detail: string
}

interface Props<Each extends Choice> {
  /** The name of the field, if no label has its id. */
  label?: string
  id?: string
  placeholder?: string | undefined
  text: string
  write(text: string): void
  choices: readonly Each[]
  /** Gets nothing if Enter is pressed without a choice. */
  choose(choice: Each | undefined): void
  /** Whether the list is open. One that floats lies over the content below. */
  open: boolean
  floats?: boolean
  /** Below the list, about the choice that Enter would take. Tab leads there. */
  about?(choice: Each): ReactNode
  /** The focus comes and goes. */
  enter?(): void
  leave?(): void
}

/** A text field with a list of choices, which the arrow keys and Enter reach. */
export function Combobox<Each extends Choice>(props: Props<Each>) {
  const { label, id, placeholder, text, write, choices, choose, open, floats = false, about, enter, leave } = props
  const list = useId()
  const [at, setAt] = useState(0)
  const chosen = Math.min(at, choices.length - 1)
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, choices.length - 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0))
    else if (event.key === 'Enter') choose(choices[chosen])
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        id={id}
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={open ? list : undefined}
        aria-activedescendant={open && choices[chosen] ? `${list}-${chosen}` : undefined}
        value={text}
        placeholder={placeholder}
        autoComplete="off"
        onChange={(event) => {
          write(event.target.value)
          setAt(0)
        }}
        onKeyDown={press}
        onFocus={enter}
        onBlur={leave}
      />
      {open && (
        <div id={list} role="listbox" aria-label="Found" className={floats ? styles.floating : styles.choices}>
          {choices.map((choice, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text field above has the keys.
            // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus.
            <div
              key={choice.key}
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === chosen}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(choice)}
            >
              <span>{choice.text}</span>
              <span className="muted">{choice.detail}</span>
            </div>
          ))}
        </div>
      )}
      {choices[chosen] && about?.(choices[chosen])}
    </>
  )
}
