import { parseConfig } from '../src/config.ts'
import { visitDatabase } from '../src/database/visit.ts'
import { verifyLedger } from '../src/ledger/verify.ts'
import { fail } from '../src/startup-errors.ts'

/** Checks the laws of the ledger; exit code 1 and the offending rows when one does not hold. */
async function verify(): Promise<void> {
  const breaches = await visitDatabase(parseConfig(process.env), verifyLedger)
  for (const { law, rows } of breaches) {
    process.stdout.write(`broken: ${law}\n${rows.map((row) => `  ${JSON.stringify(row)}\n`).join('')}`)
  }
  process.stdout.write(breaches.length === 0 ? 'every law of the ledger holds\n' : `laws broken: ${breaches.length}\n`)
  process.exitCode = breaches.length === 0 ? 0 : 1
}

verify().catch(fail)
