import { type Command, helpGroups, type Option } from '../../cli/command.ts'
import { globalOptions } from '../../cli/program.ts'
import { allCommands } from '../../cli/vocabulary.ts'

const headings: Record<Command['group'], string> = {
  Service: 'The service',
  Develop: 'Developing an app',
  Records: 'Records',
  Operate: 'Operating the service',
}

/** The page of all commands, from the same data as their help. */
export async function cliPage(): Promise<string> {
  const commands = await allCommands()
  const byHand = commands.filter((command) => !command.operation)
  const parts = helpGroups.flatMap((group) => {
    const own = byHand.filter((command) => command.group === group)
    return own.length > 0 ? [`## ${headings[group]}\n`, ...own.map(section)] : []
  })
  return `${INTRODUCTION}
${optionList(globalOptions)}

${parts.join('\n')}
${OPERATIONS}
${operationSections(commands.filter((command) => command.operation))}`
}

const INTRODUCTION = `# The command line

Generated from the commands by \`npm run cli\`. \`purser COMMAND --help\` shows the same on the terminal.

In a checkout, \`export PATH="$PWD/bin:$PATH"\` lets a terminal find it. In a project that has the package, \`npx purser\` runs it.

- **Address and key.** \`--server\` and \`--api-key\`, or \`PURSER_URL\` and \`PURSER_API_KEY\`, or the
  address and the key in \`data/address\` and \`data/api-key\`, which the service writes (\`PURSER_DATA_DIR\` names another folder
  than \`data\`), or http://127.0.0.1:4000. The key of the file is sent to this machine only. A key in a flag is seen by other users of the machine; the environment is safer.
- **Persons.** \`purser login\` signs you in by the console. Without a key of a flag or of the environment, commands for that address
  then act as you; \`purser logout\` ends it.
- **Profiles.** \`purser --profile staging\`, or \`PURSER_PROFILE=staging\`, takes address and key of a service from
  \`~/.config/purser/profiles.json\`: \`{"staging": {"url": "https://…", "apiKey": "…"}}\`. Without \`apiKey\`, sign in with \`purser login\`.
- **Output.** Data is on standard output, everything else on standard error. A terminal shows tables, with amounts such as
  \`20.00\`; a pipe gets one JSON record a line, with amounts in cents. \`--json\` prints JSON on a terminal, too, and errors as JSON.
  Characters of records that a terminal would act on are written as \`\\u001b\`. \`NO_COLOR\` turns colours off.
- **Dry run.** \`--dry-run\` prints the first request as a curl command, which reads the key where the command would,
  and sends nothing.
- **Exit codes.** 0 success, 1 refused, 2 wrong usage, 4 not allowed (no key, or not this key), 5 worth a retry (not
  reachable, overloaded), 130 ended by Ctrl-C.
- **Completions.** \`eval "$(purser completion bash)"\`, for zsh and fish likewise.

In the examples \`$PAYMENT\`, \`$PAYMENT_ID\` and the like stand for ids of your records. \`purser scenario\` makes some.

Every command has these options. The commands that work on the database or on files themselves call no service: they refuse
\`--server\` and \`--api-key\`.
`

const OPERATIONS = `## Operations

Every operation of the API is a command: the parameters of its path are arguments, the members of its query or body are
flags, those of inner records with a dot (\`--address.city\`). \`--data\` takes a whole body as JSON, \`@FILE\`, or \`-\` for
standard input. Lists print one page; \`--all\` follows to the last one. \`purser RESOURCE COMMAND --help\` lists the flags.
`

function section(command: Command): string {
  const { path, summary, description, options = [], examples } = command
  const shown = examples.map(({ run, does }) => `# ${does}\n${run}`).join('\n\n')
  const described = (command.arguments ?? []).map((each) => `- \`${each.name}\`: ${escaped(each.description)}`)
  return [
    `### purser ${path}\n`,
    `${escaped(summary)}.${description ? ` ${escaped(description)}` : ''}\n`,
    `\`${usage(command)}\`\n`,
    ...(described.length + options.length > 0
      ? [[...described, optionList(options)].filter(Boolean).join('\n'), '']
      : []),
    `\`\`\`sh\n${shown}\n\`\`\`\n`,
  ].join('\n')
}

function usage({ path, options = [], ...command }: Command): string {
  const words = (command.arguments ?? []).map(({ name, optional, variadic }) => {
    const word = variadic ? `${name}...` : name
    return optional ? `[${word}]` : `<${word}>`
  })
  return ['purser', path, ...words, ...(options.length > 0 ? ['[options]'] : [])].join(' ')
}

function optionList(options: readonly Option[]): string {
  return options
    .map(({ flags, description, choices }) => {
      const words = choices ? ` One of ${choices.map((choice) => `\`${choice}\``).join(', ')}.` : ''
      return `- \`${flags}\`: ${escaped(description)}${words && `.${words}`}`
    })
    .join('\n')
}

function operationSections(commands: readonly Command[]): string {
  const resources = new Map<string, Command[]>()
  for (const command of commands) {
    const name = command.path.slice(0, command.path.lastIndexOf(' '))
    resources.set(name, [...(resources.get(name) ?? []), command])
  }
  return [...resources]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => {
      const lines = own.map(({ summary, examples }) => `# ${summary}\n${examples[0]?.run}`)
      return `### purser ${name}\n\n\`\`\`sh\n${lines.join('\n')}\n\`\`\`\n`
    })
    .join('\n')
}

/** A star or a bracket in a text of the help is no Markdown. */
function escaped(text: string): string {
  return text.replace(/(?<!`[^`\n]*)[<>*](?![^`\n]*`)/g, '\\$&')
}
