import {
  Argument as CommanderArgument,
  Command as CommanderCommand,
  CommanderError,
  Option as CommanderOption,
  InvalidArgumentError,
} from 'commander'
import type { OptionValues } from '../ground/command-call.ts'
import { exitCodes, UsageError } from '../ground/failure.ts'
import { suggestion } from '../ground/nearest-name.ts'
import type { OutputStream } from '../ground/output.ts'
import { type Argument, type Command, helpGroups, type Option } from './command.ts'

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
  { flags: '--server <url>', description: 'Address of the service (default: PURSER_URL, then the file data/address)' },
  {
    flags: '--api-key <key>',
    description: 'API key (default: PURSER_API_KEY, your `purser login`, then data/api-key)',
  },
  { flags: '--profile <name>', description: 'Address and key of a service in ~/.config/purser/profiles.json' },
]

/** The same of a command that calls no service. */
const localOptions: readonly Option[] = [
  { flags: '--json', description: 'Print JSON lines, on a terminal too' },
  { flags: '--dry-run', description: 'Do nothing; print the program that would run, if there is one' },
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
  /** The paths of commands that are not parsed, for a word that belongs to one of them. */
  elsewhere: readonly string[]
}

interface ParserSettings extends Vocabulary {
  /** Whether errors are printed as JSON. */
  json?: boolean
  version: string
  stdout: OutputStream
  stderr: OutputStream
}

/** Parses a command line. Returns the exit code instead if help or a usage error was printed. */
export function parse(words: readonly string[], settings: ParserSettings): Parsed | number {
  let parsed: Parsed | undefined
  const program = programOf(settings, (found) => {
    parsed = found
  })
  try {
    const given = withoutOutputFormat(words, program)
    program.parse(isGroup(given, program, settings) ? [...given, '--help'] : given, { from: 'user' })
    return parsed ?? 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
    throw error
  }
}

/** The words with `--json` for `-o json`, as other command lines write it; if a command writes a file, `-o` names that. */
function withoutOutputFormat(words: readonly string[], program: CommanderCommand): string[] {
  const at = words.findIndex((word, index) => word === '-o' && words[index + 1] === 'json')
  if (at < 0 || commandAt(words, program).options.some(({ short }) => short === '-o')) return [...words]
  return [...words.slice(0, at), '--json', ...words.slice(at + 2)]
}

/** The innermost command that the words name. */
function commandAt(words: readonly string[], program: CommanderCommand): CommanderCommand {
  let command = program
  for (const word of words) command = command.commands.find((each) => each.name() === word) ?? command
  return command
}

/** Whether the words name a group alone, which asks for the list of its commands. */
function isGroup(words: readonly string[], program: CommanderCommand, { commands }: Vocabulary): boolean {
  let command: CommanderCommand | undefined = program
  for (const word of words) command = command?.commands.find((each) => each.name() === word)
  if (!command || command.commands.length === 0) return false
  return !commands.some(({ path }) => path === words.join(' '))
}

/** The parser of all commands. A command that is found is given to `found`. */
function programOf(settings: ParserSettings, found: (parsed: Parsed) => void): OwnCommand {
  const { commands, groups, version, stdout, stderr } = settings
  const program = rootCommand(settings)
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

/** The commander command of a path; made, with those that it is in, if it does not exist yet. */
function addTo(program: OwnCommand, { path, summary, group }: Group): CommanderCommand {
  let parent: CommanderCommand = program
  const words = path.split(' ')
  for (const [at, word] of words.entries()) {
    let own = parent.commands.find((each) => each.name() === word)
    if (!own) {
      own = parent
        .command(word)
        .helpCommand(false)
        .showHelpAfterError(program.isForPrograms ? false : helpHint(words.slice(0, at + 1)))
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
function rootCommand({ json = false, elsewhere }: ParserSettings): OwnCommand {
  const program = new OwnCommand('purser', elsewhere, json)
  program
    .exitOverride()
    .helpCommand(false)
    .helpOption('-h, --help', 'Print this help')
    .configureHelp(helpSettings)
    .configureOutput({ outputError: (text, write) => write(json ? errorLine(ownWords(text)) : ownWords(text)) })
    .showHelpAfterError(json ? false : helpHint([]))
  return program
}

/** A command line that cannot be understood, as a line of JSON. */
function errorLine(text: string): string {
  const message = text
    .replace(/^purser: /, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return `${JSON.stringify({ error: { message, exitCode: exitCodes.usage } })}\n`
}

/** A command that names other places for a word that it does not know. */
class OwnCommand extends CommanderCommand {
  readonly elsewhere: readonly string[]
  /** Whether errors are read by programs: then nothing but one line of JSON is printed. */
  readonly isForPrograms: boolean

  constructor(name: string | undefined, elsewhere: readonly string[], isForPrograms: boolean) {
    super(name)
    this.elsewhere = elsewhere
    this.isForPrograms = isForPrograms
  }

  override createCommand(name?: string): CommanderCommand {
    return new OwnCommand(name, this.elsewhere, this.isForPrograms)
  }

  /** Commander calls this for a word that is no command. Its own suggestion may be to delete something. */
  unknownCommand(): never {
    throw unknownCommand(this, this.args[0] ?? '', this.elsewhere)
  }
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
    if (target.commands.length > 0 && target.args.length > most)
      throw unknownCommand(target, target.args[most] ?? '', [])
    const options = target.optsWithGlobals()
    if (command.isLocal) refuseAddress(command, options)
    found({ command, args: target.args, options })
  })
}

/** An address or a key would have no effect, and the command would work elsewhere than its user thinks. */
function refuseAddress({ path }: Command, { server, apiKey, profile }: OptionValues): void {
  const [given] = Object.entries({ '--server': server, '--api-key': apiKey, '--profile': profile }).flatMap(
    ([flag, value]) => (value === undefined ? [] : [flag]),
  )
  if (given) throw new UsageError(`purser ${path} calls no service and takes no ${given}: see purser ${path} --help`)
}

/** Commands that end something. They are never suggested: a word that is nearly one of them may be meant otherwise. */
const ending = /^(close|delete|deny|end|erase|reject|reset|retire|return|reverse|revoke)$|^(delete|erase|report|reset)-/

function unknownCommand(target: CommanderCommand, word: string, elsewhere: readonly string[]): UsageError {
  const names = target.commands.map((each) => each.name())
  const meant = suggestion(
    word,
    names.filter((name) => !ending.test(name)),
  )
  const [place] = elsewhere.filter((path) => path.endsWith(` ${target.name()} ${word}`))
  const there = place ? `: \`purser ${place}\` exists` : ''
  const all = target.parent ? `; there are ${names.join(', ')}` : '; `purser --help` lists all'
  return new UsageError(`unknown command '${word}'${there || meant}${all}`)
}

function argumentOf({ name, description, choices, optional, variadic }: Argument): CommanderArgument {
  const word = variadic ? `${name}...` : name
  const argument = new CommanderArgument(optional ? `[${word}]` : `<${word}>`, description)
  return choices ? argument.choices(choices).argParser(choiceIn(choices)) : argument
}

/** Reads one of some words, in any letter case. */
function choiceIn(choices: readonly string[]): (text: string) => string {
  return (text) => {
    const found =
      choices.find((each) => each === text) ?? choices.find((each) => each.toLowerCase() === text.toLowerCase())
    if (found === undefined) throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`)
    return found
  }
}

function optionOf({ flags, description, choices, repeatable, required }: Option): CommanderOption {
  const option = new CommanderOption(flags, description)
  if (choices) option.choices(choices).argParser(choiceIn(choices))
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
