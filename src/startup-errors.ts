import { Problem } from './base/problem.ts'
import { StartupError } from './base/startup-error.ts'
import { ConfigError } from './config.ts'
import { DatabaseUnavailable } from './database/database.ts'

export function fail(error: unknown): never {
  complain(error)
  process.exit(1)
}

export function complain(error: unknown): void {
  process.stderr.write(`purser: ${startupLine(error)}\n`)
}

/** One clear line for what an operator can mend; a stack for what only we can. */
export function startupLine(error: unknown): string {
  return withOptions(reasonOf(error))
}

/** Settings that are options of the command, too. */
const options = {
  PORT: '--port',
  HOST: '--host',
  PURSER_MODE: '--mode',
  PURSER_DATA_DIR: '--data-dir',
} as const

/** A message with the option beside the variable that it asks to set. */
function withOptions(text: string): string {
  return text.replace(
    /(\bset |^ +)(PORT|HOST|PURSER_MODE|PURSER_DATA_DIR)\b/gm,
    (named, _before: string, name: keyof typeof options) => `${named} (${options[name]})`,
  )
}

function reasonOf(error: unknown): string {
  if (error instanceof ConfigError) return ['the configuration has faults:', ...error.faults].join('\n  ')
  if (error instanceof StartupError || error instanceof DatabaseUnavailable || error instanceof Problem)
    return error.message
  const { code, port, address } = error as { code?: string; port?: number; address?: string }
  // PostgreSQL's code of a full disk.
  if (code === '53100')
    return `the disk of the database is full: make room and start again (${(error as Error).message})`
  if (code === 'EADDRINUSE') return `${address}:${port} is in use: stop the other process or set PORT`
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `cannot listen: ${(error as Error).message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
