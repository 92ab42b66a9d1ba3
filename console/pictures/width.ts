import { type RefObject, useEffect, useState } from 'react'

/** The width of an element, which follows the window. */
export function useWidth(place: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(600)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(Math.max(240, element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [place])
  return width
}
