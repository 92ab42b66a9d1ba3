import { useState } from 'react'

/** A button that copies a text. */
export function Copy({ text, children = 'Copy' }: { text: string; children?: string }) {
  const [said, setSaid] = useState<string>()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      // Browsers offer the clipboard on secure pages alone.
      setSaid('Select the text to copy it')
    }
    setTimeout(() => setSaid(undefined), 2_000)
  }
  return (
    <button type="button" className="link" onClick={copy} aria-live="polite">
      {said ?? children}
    </button>
  )
}
