import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openChecks } from './check-rows.ts'
import { columnsOf, type FileName, fileNames } from './columns.ts'
import { isFault, type RowFile, readRows } from './read-rows.ts'

/** A fault and its place; line 0 is the whole file. */
export interface Fault {
  file: string
  line: number
  fault: string
}

export interface CheckedFolder {
  /** The rows of each file. */
  rows: Record<FileName, number>
  /** The cents with which all accounts end. */
  balance: number
  times: { oldest: string; latest: string }
  faults: number
  /** A digest of the contents of all files. */
  digest: string
}

/** More ids could not be held in memory. */
const MAX_RECORDS = 5_000_000

/** The file of a name in a folder; undefined if there is none. */
export function fileIn(folder: string, name: FileName): (RowFile & { name: string }) | undefined {
  const format = (['csv', 'jsonl'] as const).find((each) => existsSync(join(folder, `${name}.${each}`)))
  if (!format) return undefined
  const columns = Object.keys(columnsOf[name])
  const required = columns.filter((column) => columnsOf[name][column]?.required)
  return { name: `${name}.${format}`, path: join(folder, `${name}.${format}`), format, columns, required }
}

/** Reads all files of a folder and says every fault with its line. */
export async function checkFolder(
  { folder, mode, now }: { folder: string; mode: 'sandbox' | 'live'; now: string },
  { say, progress }: { say: (fault: Fault) => void; progress: (file: string, rows: number) => void },
): Promise<CheckedFolder> {
  const checks = openChecks({ mode, now })
  const digest = createHash('sha256')
  const rows = { customers: 0, accounts: 0, 'external-accounts': 0, cards: 0, history: 0 }
  let faults = 0
  const add = (fault: Fault) => {
    faults++
    say(fault)
  }
  const odd = oddFiles(folder)
  for (const fault of odd) add(fault)
  for (const name of fileNames) {
    const file = fileIn(folder, name)
    if (!file) {
      // A file of an unknown name may be the one.
      if (odd.length > 0) checks.noteUnread(name)
      continue
    }
    digest.update(`${file.name}\n`)
    for await (const row of readRows({ ...file, read: (bytes) => digest.update(bytes) })) {
      if (isFault(row)) {
        checks.noteUnread(name)
        add({ file: file.name, ...row })
        continue
      }
      rows[name]++
      if (rows[name] > MAX_RECORDS) {
        add({ file: file.name, line: row.line, fault: `the file has more than ${MAX_RECORDS} rows` })
        break
      }
      for (const fault of checks.faultsOf(name, row.cells, row.line)) add({ file: file.name, line: row.line, fault })
      if (rows[name] % 10_000 === 0) progress(file.name, rows[name])
    }
  }
  const accounts = fileIn(folder, 'accounts')?.name ?? ''
  for (const wrong of checks.wrongBalances()) add({ file: accounts, ...wrong })
  return { rows, balance: checks.balance(), times: checks.times, faults, digest: digest.digest('hex') }
}

/** Files with the ending of rows and no known name, names with two files, and a folder without customers. */
function oddFiles(folder: string): Fault[] {
  const found = readdirSync(folder).filter((name) => /\.(csv|jsonl)$/.test(name))
  const isKnown = (file: string) => fileNames.some((name) => file === `${name}.csv` || file === `${name}.jsonl`)
  const known = `the names are ${fileNames.join(', ')}`
  const unknown = found.filter((file) => !isKnown(file)).map((file) => [file, `the file is unknown; ${known}`])
  const twice = fileNames
    .filter((name) => found.includes(`${name}.csv`) && found.includes(`${name}.jsonl`))
    .map((name) => [`${name}.jsonl`, `there is ${name}.csv as well: leave one of them`])
  const missing = found.some((file) => file.startsWith('customers.')) ? [] : [['customers.csv', 'the file is missing']]
  return [...unknown, ...twice, ...missing].map(([file = '', fault = '']) => ({ file, line: 0, fault }))
}
