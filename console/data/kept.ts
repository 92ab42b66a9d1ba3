import { useState } from 'react'

/** A choice of the reader that this browser keeps under a name. */
export function useKept<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => JSON.parse(localStorage.getItem(name) ?? 'null') ?? initial)
  const keep = (next: Value) => {
    localStorage.setItem(name, JSON.stringify(next))
    setValue(next)
  }
  return [value, keep]
}
