import { join } from 'node:path'
import type { CommandCall } from '../ground/command-call.ts'
import { exitCodes, Refusal, UsageError } from '../ground/failure.ts'
import { openClosers } from './base/closers.ts'
import { withoutRetired } from './cells/commands/present.ts'
import { parseConfig } from './config.ts'
import { DatabaseUnavailable } from './database/database.ts'
import type { OperatorCommand } from './operator/command.ts'
import { startupLine } from './startup-errors.ts'

/** The folder of the package. This file is bundled into a folder of it. */
const root = join(import.meta.dirname, '..')

/**
 * Carries out a command that works on the database or on files itself, and so needs no service that runs. A signal ends it when
 * the database server that it started, if any, has ended.
 */
export async function operate(
  command: OperatorCommand,
  call: CommandCall,
  { knowsRetired = false } = {},
): Promise<number | undefined> {
  const { dataDir } = call.options as { dataDir?: string }
  const environment = { ...call.environment, ...(dataDir !== undefined && { PURSER_DATA_DIR: dataDir }) }
  const closers = openClosers()
  const signal = call.signal()
  signal.addEventListener('abort', () => closers.close().finally(() => process.exit(signal.reason)))
  try {
    const work = knowsRetired ? command : withoutRetired(command)
    return (await work({ ...call, environment, config: () => parseConfig(environment), root, closers })) ?? undefined
  } catch (error) {
    // The signal ends the process with a code of its own.
    if (closers.closing) return new Promise(() => undefined)
    if (error instanceof UsageError) throw error
    const code = error instanceof DatabaseUnavailable ? exitCodes.retry : exitCodes.refused
    throw new Refusal(startupLine(error), { code, cause: error })
  }
}
