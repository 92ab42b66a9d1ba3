import { accessSync, constants, statSync } from 'node:fs'
import { importOffers } from '../bank/offers/offer-import.ts'
import { openProgress } from '../base/progress.ts'
import { StartupError } from '../base/startup-error.ts'
import { counted } from '../base/text.ts'
import { withAllCells } from '../cells/visit.ts'
import type { OperatorCommand } from './command.ts'

/** Takes offers from a file of JSON Lines into the catalogue of every cell, all or none, while the service runs or not. */
export const importOfferFile: OperatorCommand = async ({ args: [file = ''], config, out, closers }) => {
  const size = readableSize(file)
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
      ? `imported ${counted(imported, 'offer')}`
      : `${counted(faultyLines, 'line')} with faults: nothing was changed`,
  )
  return faultyLines > 0 ? 1 : 0
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
