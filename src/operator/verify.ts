import { visitDatabase } from '../database/visit.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { type OperatorCommand, readArguments } from './command.ts'
import { openProgress } from './progress.ts'

/** Checks the laws of the ledger; exit code 1 and the offending rows where one does not hold. */
export const verify: OperatorCommand = (args) => {
  readArguments(args, 'usage: purser verify')
  return async ({ config, out, closers }) => {
    const progress = openProgress('checking the laws of the ledger')
    const breaches = await visitDatabase(
      config(),
      (database) =>
        verifyLedger(database, ({ law, rows }, done, of) => {
          progress.clear()
          if (out.json) out.result({ law, holds: rows.length === 0, rows }, '')
          else if (rows.length > 0) process.stdout.write(`broken: ${law}\n${rows.map(rowLine).join('')}`)
          progress.at(done, of)
        }),
      closers,
    )
    progress.clear()
    const verdict = breaches.length === 0 ? 'every law of the ledger holds' : `laws broken: ${breaches.length}`
    if (out.json) out.note(verdict)
    else process.stdout.write(`${verdict}\n`)
    process.exitCode = breaches.length === 0 ? 0 : 1
  }
}

function rowLine(row: Record<string, unknown>): string {
  return `  ${JSON.stringify(row)}\n`
}
