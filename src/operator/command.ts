import type { CommandCall } from '../../ground/command-call.ts'
import type { Closers } from '../base/closers.ts'
import type { Config } from '../config.ts'

/** The call of a command that works on the database or on files itself. */
export interface OperatorCall extends CommandCall {
  /** Reads the environment, after the options: a command that was not understood says so first. */
  config(): Config
  /** The folder of the package. */
  root: string
  /** Resources to close on a signal. */
  closers: Closers
}

/** The work of a command. Returns an exit code if it is not 0. */
export type OperatorCommand = (call: OperatorCall) => Promise<number | undefined> | Promise<void>
