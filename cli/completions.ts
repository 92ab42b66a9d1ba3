import { shellWord } from '../ground/text.ts'
import type { Command, Option } from './command.ts'
import { commonOptions, globalOptions } from './program.ts'

/** The words that can follow a path, and the values that can follow an option. */
interface Place {
  path: string
  /** Commands below the path, with their summaries. */
  commands: Map<string, string>
  /** Values of its arguments. */
  values: readonly string[]
  options: readonly Option[]
  /** Those that it has in common with other commands. */
  common: readonly Option[]
}

/** The completion script of a shell. It holds all commands, so that completing starts no program. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish', commands: readonly Command[]): string {
  const places = placesOf(commands)
  if (shell === 'fish') return fishScript(places)
  return shell === 'bash' ? bashScript(places) : zshScript(places)
}

function placesOf(commands: readonly Command[]): Place[] {
  const places = new Map<string, Place>()
  const placeAt = (path: string): Place => {
    const known = places.get(path) ?? { path, commands: new Map(), values: [], options: [], common }
    places.set(path, known)
    return known
  }
  for (const { path, summary, options = [], ...command } of commands) {
    const words = path.split(' ')
    for (const [at, word] of words.entries()) {
      const parent = placeAt(words.slice(0, at).join(' '))
      if (!parent.commands.has(word)) parent.commands.set(word, '')
      if (at === words.length - 1) parent.commands.set(word, summary)
    }
    const values = command.arguments?.flatMap(({ choices, completions = [] }) => choices ?? completions) ?? []
    Object.assign(placeAt(path), { options, values, common: [...commonOptions(command), help] })
  }
  return [...places.values()]
}

const help: Option = { flags: '--help', description: 'Print help' }
const common: readonly Option[] = [...globalOptions, help]

function longFlag({ flags }: Option): string {
  return /--[\w.-]+/.exec(flags)?.[0] ?? ''
}

/** Cases of a shell: what can follow each path, and each option that has choices. */
function cases(places: readonly Place[]): { paths: string; words: string; values: string } {
  const words = places.map(({ path, commands, values, options, common: shared }) => {
    const all = [...commands.keys(), ...values, ...[...options, ...shared].map(longFlag)]
    return `    ${shellWord(path || ' ')}) purser_words=${shellWord(all.join(' '))} ;;`
  })
  const values = places.flatMap(({ path, options }) =>
    options.flatMap((option) => {
      const offered = option.choices ?? option.completions
      return offered
        ? [`    ${shellWord(`${path} ${longFlag(option)}`)}) purser_words=${shellWord(offered.join(' '))} ;;`]
        : []
    }),
  )
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => shellWord(path))
  return { paths: paths.join('|'), words: words.join('\n'), values: values.join('\n') }
}

/** A function for bash and zsh that sets `purser_words` to what can follow the words before the cursor. */
function wordsFunction(places: readonly Place[]): string {
  const { paths, words, values } = cases(places)
  return `_purser_words() {
  local word place='' last=''
  purser_words=''
  for word in "$@"; do
    case "\${place:+$place }$word" in
    ${paths}) place="\${place:+$place }$word" ;;
    esac
    last="$word"
  done
  case "$place $last" in
${values}
  esac
  [ -n "$purser_words" ] && return
  case "\${place:- }" in
${words}
  esac
}
`
}

function bashScript(places: readonly Place[]): string {
  return `# Completions of purser for bash: eval "$(purser completion bash)"
${wordsFunction(places)}
_purser() {
  local purser_words
  _purser_words "\${COMP_WORDS[@]:1:COMP_CWORD-1}"
  COMPREPLY=($(compgen -W "$purser_words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _purser purser
`
}

function zshScript(places: readonly Place[]): string {
  return `#compdef purser
# Completions of purser for zsh: eval "$(purser completion zsh)"
${wordsFunction(places)}
_purser() {
  local purser_words
  _purser_words "\${(@)words[2,CURRENT-1]}"
  compadd -- \${=purser_words}
}
if [ "\${funcstack[1]-}" = "_purser" ]; then _purser "$@"; elif (( $+functions[compdef] )); then compdef _purser purser; fi
`
}

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, values, options }) => {
    const condition = `-n ${shellWord(`__purser_at ${shellWord(path)}`)}`
    return [
      ...values.map((value) => `complete -c purser ${condition} -f -a ${value}`),
      ...[...commands].map(
        ([word, summary]) => `complete -c purser ${condition} -f -a ${word} -d ${shellWord(summary)}`,
      ),
      ...options.map((option) => fishOption(condition, option)),
    ]
  })
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => shellWord(path))
  return `# Completions of purser for fish: purser completion fish | source
function __purser_at
  set -l place ''
  for word in (commandline -opc)[2..]
    set -l next (string trim -- "$place $word")
    contains -- $next ${paths.join(' ')}; and set place $next
  end
  test "$place" = "$argv[1]"
end
${lines.join('\n')}
${common.map((option) => fishOption('', option)).join('\n')}
`
}

function fishOption(condition: string, option: Option): string {
  const offered = option.choices ?? option.completions
  const takes = /[<[]/.test(option.flags) ? (offered ? ` -x -a ${shellWord(offered.join(' '))}` : ' -r') : ''
  const [about = ''] = option.description.split('. ')
  return `complete -c purser ${condition} -l ${longFlag(option).slice(2)}${takes} -d ${shellWord(about)}`
}
