import { useState } from 'react'

interface Props {
  /** A text, or what fetches it. */
  text: string | (() => Promise<string>)
  children?: string
  /** Whether it looks like a button, not like a link. */
  button?: boolean
}

/** A button that copies a text. */
export function Copy({ text, children = 'Copy', button = false }: Props) {
  const [said, setSaid] = useState<string>()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
      setSaid('Copied')
    } catch {
      // Browsers offer the clipboard on secure pages alone.
      setSaid(typeof text === 'string' ? 'Select the text to copy it' : 'Not copied')
    }
    setTimeout(() => setSaid(undefined), 2_000)
  }
  return (
    <button type="button" {...(!button && { className: 'link' })} onClick={copy} aria-live="polite">
      {said ?? children}
    </button>
  )
}
