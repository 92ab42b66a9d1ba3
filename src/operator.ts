import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openClosers } from './base/closers.ts'
import { parseConfig } from './config.ts'
import { DatabaseUnavailable } from './database/database.ts'
import { type OperatorCommand, UsageError } from './operator/command.ts'
import { openOutput } from './operator/output.ts'
import { withoutRetired } from './operator/present-cells.ts'
import { complain } from './startup-errors.ts'

/**
 * The commands that work on the database or on files themselves, and so need no service that runs. Each is loaded when it
 * is called: some need a large part of the service.
 */
const commands: Record<string, () => Promise<OperatorCommand>> = {
  ach: async () => (await import('./operator/ach/ach.ts')).ach,
  archive: async () => (await import('./operator/archive/archive.ts')).archive,
  audit: async () => (await import('./operator/audit.ts')).audit,
  cells: async () => (await import('./operator/cells/cells.ts')).cells,
  customers: async () => (await import('./operator/customers.ts')).customers,
  drill: async () => (await import('./operator/drill/drill.ts')).drill,
  doctor: async () => (await import('./operator/doctor.ts')).doctor,
  keys: async () => (await import('./operator/keys.ts')).keys,
  migrate: async () => (await import('./operator/migrate.ts')).migrate,
  offers: async () => (await import('./operator/offers.ts')).offers,
  organisations: async () => (await import('./operator/organisations/organisations.ts')).organisations,
  reset: async () => (await import('./operator/reset.ts')).reset,
  snapshot: async () => (await import('./operator/snapshot.ts')).snapshot,
  verify: async () => (await import('./operator/verify.ts')).verify,
}

/** Commands that know of retired cells themselves, and those on the embedded server alone. */
const ofAllCells = ['cells', 'doctor', 'drill', 'reset', 'snapshot']

const root = join(import.meta.dirname, '..')
const closers = openClosers()

async function operate([name = '', ...args]: string[]): Promise<void> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) throw new UsageError(`there is no command ${name}: ${Object.keys(commands).join(', ')}`)
  const command = await load()
  const work = (ofAllCells.includes(name) ? command : withoutRetired(command))(args)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const environment = process.env
  await work({ environment, config: () => parseConfig(environment), root, version, out: openOutput(args), closers })
}

/** Ends the database server that was started, if any. Under npm a Ctrl-C arrives twice; the second one adds nothing. */
function endAtSignal(): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.on(signal, () => {
      if (!closers.closing) closers.close().finally(() => process.exit(code))
    })
  }
}

/** 1 for a refusal, 2 for a command that was not understood, 5 where a later attempt may succeed. */
function exitCode(error: unknown): number {
  if (error instanceof UsageError) return 2
  return error instanceof DatabaseUnavailable ? 5 : 1
}

endAtSignal()
try {
  await operate(process.argv.slice(2))
} catch (error) {
  // A signal ends the command with a code of its own.
  if (!closers.closing) {
    complain(error)
    process.exitCode = exitCode(error)
  }
}
