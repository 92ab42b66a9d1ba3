import type { Output } from './output.ts'

/** The values of options by their names in camel case: `--idempotency-key` is `idempotencyKey`. */
export type OptionValues = Record<string, string | boolean | string[] | undefined>

/** One call of a command, as every command needs it. */
export interface CommandCall {
  /** The arguments that were given, in their order. */
  args: readonly string[]
  options: OptionValues
  environment: Readonly<Record<string, string | undefined>>
  /** The version of this command. */
  version: string
  out: Output
  /** Asks the person at the terminal. `out.interactive` says whether there is one. */
  confirm(question: string): Promise<boolean>
  /**
   * Aborted by Ctrl-C and SIGTERM, with the exit code as its reason. A command that asks for the signal ends by itself; every
   * other one ends at once. A second Ctrl-C ends both.
   */
  signal(): AbortSignal
}
