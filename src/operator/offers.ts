import { accessSync, constants, statSync } from 'node:fs'
import { StartupError } from '../base/startup-error.ts'
import { importOffers } from '../providers/builtin/offers/offer-import.ts'
import { type OperatorCommand, readArguments, UsageError } from './command.ts'
import { withAllCells } from './organisations/cells.ts'
import { openProgress } from './progress.ts'

const USAGE = 'usage: purser offers import FILE'

/** Takes offers from a file of JSON Lines into the catalogue of every cell, all or none, while the service runs or not. */
export const offers: OperatorCommand = (args) => {
  const { positionals } = readArguments(args, USAGE, { words: 2 })
  const [command, file = ''] = positionals
  if (command !== 'import') throw new UsageError(USAGE)
  const size = readableSize(file)
  return async ({ config, out, closers }) => {
    const progress = openProgress(`reading ${file}`)
    const report = {
      fault: (line: number, message: string) => {
        progress.clear()
        out.result({ line, fault: message }, `line ${line}: ${message}`)
      },
      progress: (_lines: number, bytes: number) => progress.at(bytes, size),
    }
    const read = await withAllCells(config(), (databases) => importOffers(databases, file, report), closers)
    progress.clear()
    const { faultyLines } = read
    const imported = faultyLines === 0 ? read.offers : 0
    out.result(
      { imported, faultyLines },
      faultyLines === 0
        ? `imported ${count(imported, 'offer')}`
        : `${count(faultyLines, 'line')} with faults: nothing was changed`,
    )
    if (faultyLines > 0) process.exitCode = 1
  }
}

/** The size of a file that can be read; 0 for a pipe, which has none. */
function readableSize(file: string): number {
  try {
    accessSync(file, constants.R_OK)
    const found = statSync(file)
    if (found.isDirectory()) throw new StartupError(`${file} is a folder: name a file of JSON Lines`)
    return found.size
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`cannot read ${file} (${(error as NodeJS.ErrnoException).code})`)
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
