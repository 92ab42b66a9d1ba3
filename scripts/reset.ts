import { existsSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { StartupError } from '../src/base/startup-error.ts'
import { parseConfig } from '../src/config.ts'
import { findEmbedded } from '../src/database/embedded/embedded.ts'
import { fail } from '../src/startup-errors.ts'

/** Deletes the embedded database, after asking; the next start begins with a new one. Keys stay. */
async function reset(): Promise<void> {
  const { dataDir, databaseUrl } = parseConfig(process.env)
  if (databaseUrl) throw new StartupError('DATABASE_URL is set: reset only deletes the embedded database')
  const cluster = join(dataDir, 'pg18')
  if (!existsSync(cluster)) return say(`there is no bank in ${dataDir}: nothing to reset`)
  if (await findEmbedded(dataDir)) throw new StartupError('the service is running: stop it first')
  if (!process.argv.includes('--yes') && !(await agreed(`Delete all accounts and money in ${cluster}? (y/N) `))) {
    return say('nothing was deleted')
  }
  // Where the data folder could not hold the cluster, there is a link to it.
  rmSync(realpathSync(cluster), { recursive: true })
  rmSync(cluster, { recursive: true, force: true })
  say('deleted: npm start begins with a new bank')
}

async function agreed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new StartupError('there is nobody to ask: repeat with -- --yes')
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await lines.question(question)
  lines.close()
  return /^y(es)?$/i.test(answer.trim())
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

reset().catch(fail)
