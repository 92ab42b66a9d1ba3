import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder with those above it, if they do not exist. `mkdir` with `recursive` never ends below a folder that
 * denies its own existence to new entries, such as /proc.
 */
export function makeFolder(path: string, mode: number): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have created it at the same time.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
