import {
  Argument as CommanderArgument,
  Command as CommanderCommand,
  CommanderError,
  Option as CommanderOption,
} from 'commander'
import { type Argument, type Command, helpGroups, type Option, type OptionValues } from './command.ts'
import { exitCodes, UsageError } from './failure.ts'
import { suggestion } from './nearest.ts'
import type { OutputStream } from './output.ts'

/** A command with the words of one command line. */
export interface Parsed {
  command: Command
  args: string[]
  options: OptionValues
}

/** The options that every command has. */
export const globalOptions: readonly Option[] = [
  { flags: '--json', description: 'Print JSON lines, on a terminal too' },
  { flags: '--dry-run', description: 'Print the request as a curl command and send nothing' },
  { flags: '--server <url>', description: 'Address of the service (default: PURSER_URL, then http://127.0.0.1:4000)' },
  { flags: '--api-key <key>', description: 'API key (default: PURSER_API_KEY, then the file data/api-key)' },
]

/** The same of a command that calls no service. */
const localOptions: readonly Option[] = [
  { flags: '--json', description: 'Print JSON lines, on a terminal too' },
  { flags: '--dry-run', description: 'Print the program that would run, and do not run it' },
]

/** The options that a command has beside its own. */
export function commonOptions({ isLocal }: Pick<Command, 'isLocal'>): readonly Option[] {
  return isLocal ? localOptions : globalOptions
}

/** A group of commands without a command of its own, such as `payments`. */
export interface Group {
  path: string
  summary: string
  group: Command['group']
}

/** All that there is to parse a command line with. */
export interface Vocabulary {
  commands: readonly Command[]
  groups: readonly Group[]
}

interface ParserSettings extends Vocabulary {
  version: string
  stdout: OutputStream
  stderr: OutputStream
}

/** Parses a command line. Returns the exit code instead where help or a usage error was printed. */
export function parse(words: readonly string[], settings: ParserSettings): Parsed | number {
  let parsed: Parsed | undefined
  const program = programOf(settings, (found) => {
    parsed = found
  })
  try {
    program.parse(isGroup(words, program, settings) ? [...words, '--help'] : words, { from: 'user' })
    return parsed ?? 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
    throw error
  }
}

/** Whether the words name a group alone, which asks for the list of its commands. */
function isGroup(words: readonly string[], program: CommanderCommand, { commands }: Vocabulary): boolean {
  let command: CommanderCommand | undefined = program
  for (const word of words) command = command?.commands.find((each) => each.name() === word)
  if (!command || command.commands.length === 0) return false
  return !commands.some(({ path }) => path === words.join(' '))
}

/** The parser of all commands. A command that is found is given to `found`. */
function programOf(settings: ParserSettings, found: (parsed: Parsed) => void): CommanderCommand {
  const { commands, groups, version, stdout, stderr } = settings
  const program = rootCommand()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .description('Purser: a bank on your machine, for the apps that you build on it.')
    .version(version, '-V, --version', 'Print the version')
    .addHelpText('after', '\nRun `purser COMMAND --help` for the options and examples of a command.')
  for (const option of globalOptions) program.addOption(optionOf(option))
  for (const heading of helpGroups) {
    const first = [...groups, ...commands].filter(({ group }) => group === heading)
    for (const each of first) addTo(program, each)
  }
  for (const command of commands) describe(addTo(program, command), command, found)
  for (const command of program.commands) nameInner(command)
  return program
}

/** The commander command of a path; made, with those that it is in, where it does not exist yet. */
function addTo(program: CommanderCommand, { path, summary, group }: Group): CommanderCommand {
  let parent = program
  const words = path.split(' ')
  for (const [at, word] of words.entries()) {
    let own = parent.commands.find((each) => each.name() === word)
    if (!own) {
      own = parent
        .command(word)
        .helpCommand(false)
        .showHelpAfterError(helpHint(words.slice(0, at + 1)))
      if (at === 0) own.helpGroup(`${group}:`)
    }
    parent = own
  }
  if (!parent.summary()) parent.summary(summary)
  return parent
}

/** A group without a summary is described by its commands. */
function nameInner(command: CommanderCommand): void {
  for (const inner of command.commands) nameInner(inner)
  const names = command.commands.map((each) => each.name()).join(', ')
  if (!command.summary()) command.summary(names)
}

function helpHint(words: readonly string[]): string {
  return `Run \`${['purser', ...words, '--help'].join(' ')}\` for help.`
}

const helpSettings = { showGlobalOptions: true, sortSubcommands: false }

/** The settings that the commands below it inherit. */
function rootCommand(): CommanderCommand {
  return new CommanderCommand('purser')
    .exitOverride()
    .helpCommand(false)
    .helpOption('-h, --help', 'Print this help')
    .configureHelp(helpSettings)
    .configureOutput({ outputError: (text, write) => write(ownWords(text)) })
    .showHelpAfterError(helpHint([]))
}

/** An error of commander in the words of the other messages. */
function ownWords(text: string): string {
  return text
    .replace(/^error: /, 'purser: ')
    .replace(
      /command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\./,
      '$2 takes $3; not $1',
    )
    .replace(/option '.*(--[\w.-]+).*' argument '(.*)' is invalid\. Allowed choices are (.*)\./, '$1 takes $3; not $2')
}

function describe(target: CommanderCommand, command: Command, found: (parsed: Parsed) => void): void {
  const { summary, description, examples } = command
  target.description(description ? `${summary}.\n\n${description}` : `${summary}.`)
  for (const argument of command.arguments ?? []) target.addArgument(argumentOf(argument))
  for (const option of command.options ?? []) target.addOption(optionOf(option))
  const lines = examples.map(({ run, does }) => `  # ${does}\n  ${run}`)
  if (lines.length > 0) target.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
  // Words beyond the arguments may be a misspelt command below this one, which commander would only count.
  target.allowExcessArguments(target.commands.length > 0)
  if (command.isLocal) target.configureHelp({ ...helpSettings, visibleGlobalOptions: () => localOptions.map(optionOf) })
  target.action(() => {
    const most = target.registeredArguments.length
    if (target.commands.length > 0 && target.args.length > most) throw unknownCommand(target, target.args[most] ?? '')
    const options = target.optsWithGlobals()
    if (command.isLocal) refuseAddress(command, options)
    found({ command, args: target.args, options })
  })
}

/** An address or a key would have no effect, and the command would work elsewhere than its user thinks. */
function refuseAddress({ path }: Command, { server, apiKey }: OptionValues): void {
  const given = server !== undefined ? '--server' : apiKey !== undefined ? '--api-key' : undefined
  if (given) throw new UsageError(`purser ${path} calls no service and takes no ${given}: see purser ${path} --help`)
}

function unknownCommand(target: CommanderCommand, word: string): UsageError {
  const names = target.commands.map((each) => each.name())
  return new UsageError(`unknown command '${word}'${suggestion(word, names)}; there are ${names.join(', ')}`)
}

function argumentOf({ name, description, choices, optional, variadic }: Argument): CommanderArgument {
  const word = variadic ? `${name}...` : name
  const argument = new CommanderArgument(optional ? `[${word}]` : `<${word}>`, description)
  return choices ? argument.choices(choices) : argument
}

function optionOf({ flags, description, choices, repeatable, required }: Option): CommanderOption {
  const option = new CommanderOption(flags, description)
  if (choices) option.choices(choices)
  // An option whose value may be left out is a switch.
  if (option.optional) option.preset('true')
  if (repeatable) {
    const parse = option.parseArg as ((value: string, earlier: unknown) => string) | undefined
    option.argParser((value: string, earlier: string[] | undefined) => [
      ...(earlier ?? []),
      parse ? parse(value, undefined) : value,
    ])
  }
  return option.makeOptionMandatory(required === true)
}
