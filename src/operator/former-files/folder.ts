import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type FileName, fileNames } from '../../bank/move-in/columns.ts'
import { StartupError } from '../../base/startup-error.ts'

/** The values of a row by the names of its columns. One that is undefined or null is left out. */
type FormerRow = Record<string, string | number | null | undefined>

/** A folder that is written for an import of former records. It has its name when all of its files are whole. */
export interface FormerFolder {
  path: string
  add(file: FileName, row: FormerRow): void
  /** The rows of each file so far. */
  rows: Record<FileName, number>
  finish(): void
  /** Removes what is not whole. */
  drop(): void
}

/** The states of cards that move. Others have ended. */
export const movedCards = ['Inactive', 'Active', 'Frozen']

const BUFFERED = 64 * 1024

/** Begins a new folder. Personal data are inside, so that only its owner may read it. */
export function openFormerFolder(to: string): FormerFolder {
  const path = resolve(to)
  const part = `${path}.part`
  if (existsSync(path)) throw new StartupError(`${path} is there already: name a new folder`)
  rmSync(part, { recursive: true, force: true })
  try {
    mkdirSync(part, { mode: 0o700 })
  } catch (error) {
    throw new StartupError(`cannot make ${part} (${(error as NodeJS.ErrnoException).code})`)
  }
  const open = new Map<FileName, { file: number; text: string }>()
  const rows = { customers: 0, accounts: 0, 'external-accounts': 0, cards: 0, history: 0 }
  const flush = (writer: { file: number; text: string }) => {
    writeSync(writer.file, writer.text)
    writer.text = ''
  }
  const fileOf = (name: FileName) => {
    const found = open.get(name)
    if (found) return found
    const made = { file: openSync(join(part, `${name}.jsonl`), 'wx', 0o600), text: '' }
    open.set(name, made)
    return made
  }
  const close = () => {
    for (const { file } of open.values()) closeSync(file)
    open.clear()
  }
  return {
    path,
    rows,
    add(name, row) {
      const writer = fileOf(name)
      writer.text += `${JSON.stringify(row)}\n`
      rows[name]++
      if (writer.text.length >= BUFFERED) flush(writer)
    },
    finish() {
      for (const name of fileNames) flush(fileOf(name))
      close()
      renameSync(part, path)
    },
    drop() {
      close()
      rmSync(part, { recursive: true, force: true })
    },
  }
}
