import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Moves the focus to the content of a new screen, whose title takes it on, so that screen readers say where the reader is.
 * A screen that a link opens begins at its top; after a step back the browser finds the earlier place.
 */
export function useArrival(path: string, content: RefObject<HTMLElement | null>): void {
  const shown = useRef(path)
  const pushed = useRef(false)
  useLayoutEffect(() => {
    const note = ({ type }: Event) => {
      pushed.current = type === 'pushState'
    }
    for (const name of ['pushState', 'popstate']) addEventListener(name, note)
    return () => {
      for (const name of ['pushState', 'popstate']) removeEventListener(name, note)
    }
  }, [])
  useLayoutEffect(() => {
    if (shown.current === path) return
    shown.current = path
    if (pushed.current) scrollTo(0, 0)
    content.current?.focus({ preventScroll: true })
  }, [path, content])
}
