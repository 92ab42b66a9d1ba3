import type { OperationId, Purser } from '../client/src/index.ts'
import type { CommandCall } from '../ground/command-call.ts'
import type { Settings } from './settings.ts'

export interface Argument {
  name: string
  description: string
  /** The words that it accepts. */
  choices?: readonly string[]
  /** Words that completions offer, if it accepts others, too. */
  completions?: readonly string[]
  /** Whether it may be left out. */
  optional?: boolean
  /** Whether it takes all words that are left. Only the last argument can. */
  variadic?: boolean
}

export interface Option {
  /** As commander writes them: `--follow`, `--limit <number>`, `-d, --data <json>`. */
  flags: string
  description: string
  /** The words that it accepts. */
  choices?: readonly string[]
  /** Words that completions offer, if it accepts others, too. */
  completions?: readonly string[]
  /** Whether it may be given several times; its value is a list then. */
  repeatable?: boolean
  required?: boolean
}

/**
 * A command line that a test executes, and its effect. `$ACCOUNT`, `$PAYMENT`, `$CARD`, `$CUSTOMER` and the like stand for
 * ids of records.
 */
interface Example {
  run: string
  does: string
  /** Whether it runs until Ctrl-C. The test ends it, with exit code 0 or 130. */
  lasting?: boolean
}

export const helpGroups = ['Service', 'Develop', 'Records', 'Operate'] as const

/** One command: its help, documentation and completions are made of this data. */
export interface Command {
  /** The words after `purser`. A path may begin with the path of another command: `clock` and `clock advance`. */
  path: string
  /** One line without a full stop. */
  summary: string
  /** More than the summary says, in sentences. */
  description?: string
  /** The heading of the help under which the first word of the path is listed. */
  group: (typeof helpGroups)[number]
  arguments?: readonly Argument[]
  options?: readonly Option[]
  examples: readonly Example[]
  /** Whether it calls no service: it works on the database, on files or on itself, and takes neither an address nor a key. */
  isLocal?: boolean
  /** Whether it is about the service that the environment would start: HOST and PORT name its address, too. */
  ofOwnService?: boolean
  /** The operation that it was made of. */
  operation?: OperationId
  /** Returns an exit code if it is not 0. A refusal is thrown. */
  run(call: Call): Promise<number | undefined> | Promise<void>
}

/** One call of a command. */
export interface Call extends CommandCall {
  settings: Settings
  /** The client with the address and the key of the settings. With `--dry-run` it prints requests and sends none. */
  purser(): Purser
  /** Every command, with those of the operations. */
  commands(): Promise<readonly Command[]>
  /** All of standard input, as text. */
  input(): Promise<string>
  /** Whether the command must only print the request or the program that it would run. */
  dryRun: boolean
}

const commonVerbs = ['create', 'list', 'get', 'update', 'delete']

/** Compares verbs: the common ones come first, the others stay in their order. */
export function byVerb(a: string, b: string): number {
  return rankOf(a) - rankOf(b)
}

function rankOf(verb: string): number {
  const at = commonVerbs.indexOf(verb)
  return at < 0 ? commonVerbs.length : at
}
