import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Closers } from '../base/closers.ts'
import { StartupError } from '../base/startup-error.ts'
import type { Config } from '../config.ts'
import type { Output } from './output.ts'

/** A command that was not understood. Ends with exit code 2. */
export class UsageError extends StartupError {}

/** The surroundings of a command. */
export interface Surroundings {
  /** Reads the environment, after the arguments: a command that was not understood says so first. */
  config(): Config
  environment: NodeJS.ProcessEnv
  /** The folder of the package. */
  root: string
  version: string
  out: Output
  /** Resources to close on a signal. */
  closers: Closers
}

/** A command of the operator: reads its arguments and returns the work. */
export type OperatorCommand = (args: string[]) => (surroundings: Surroundings) => Promise<void>

interface Read {
  values: Record<string, string | boolean | undefined>
  positionals: string[]
}

/** Reads the arguments of a command; `--json` is an option of all. */
export function readArguments(
  args: string[],
  usage: string,
  { options = {}, words = 0 }: { options?: ParseArgsConfig['options']; words?: number } = {},
): Read {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { json: { type: 'boolean' }, ...options },
      allowPositionals: true,
    })
    if (positionals.length === words) return { values: values as Read['values'], positionals }
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`)
  }
  throw new UsageError(usage)
}
