import { accessSync, constants } from 'node:fs'
import { StartupError } from '../src/base/startup-error.ts'
import { parseConfig } from '../src/config.ts'
import { visitDatabase } from '../src/database/visit.ts'
import { importOffers } from '../src/providers/builtin/offers/offer-import.ts'
import { fail } from '../src/startup-errors.ts'

/** Takes offers from a file of JSON Lines into the catalogue, all or none, while the service runs or not. */
async function offers(): Promise<void> {
  const [command, file, ...more] = process.argv.slice(2)
  if (command !== 'import' || file === undefined || more.length > 0) {
    throw new StartupError('say which file: npm run offers -- import FILE')
  }
  try {
    accessSync(file, constants.R_OK)
  } catch (error) {
    throw new StartupError(`cannot read ${file} (${(error as NodeJS.ErrnoException).code})`)
  }
  const read = await visitDatabase(parseConfig(process.env), (database) =>
    importOffers(database, file, { fault: (line, message) => say(`line ${line}: ${message}`), progress: showProgress }),
  )
  if (read.faultyLines === 0) return say(`imported ${count(read.offers, 'offer')}`)
  say(`${count(read.faultyLines, 'line')} with faults: nothing was changed`)
  process.exitCode = 1
}

/** On a terminal one line that counts up, elsewhere a line now and then. */
function showProgress(lines: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${lines} lines read\r`)
  else if (lines % 10_000 === 0) process.stderr.write(`${lines} lines read\n`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

offers().catch(fail)
