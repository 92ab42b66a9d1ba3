import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { OptionValues } from '../ground/command-call.ts'
import { UsageError } from '../ground/failure.ts'
import { kebab, shellWord } from '../ground/text.ts'
import type { Call } from './command.ts'

/** The folder of the package. This program is bundled into a folder of it. */
const root = join(import.meta.dirname, '..')

/** Another program of the package: its source in a checkout, and its file in an installed package. */
export interface Program {
  source: string
  built?: string
  /** The exit code after a signal that comes before the program handles signals itself; by default the signal's own. */
  codeAfterSignal?: number
}

export const service: Program = { source: 'src/main.ts', built: 'lib/main.js', codeAfterSignal: 0 }

/** The file that runs a program, and its words: Node.js runs it with these. */
function programLine({ source, built }: Program, words: string[]): string[] {
  if (existsSync(join(root, source))) return [join(root, 'bin/run.js'), source, ...words]
  if (built) return [join(root, built), ...words]
  throw new UsageError(`${source} is not part of the package: use a checkout of the repository`)
}

/**
 * Runs another program of the package in this process: it sees every signal as it is sent, and its exit code is that of
 * the command. Settings become variables of the environment. Returns the exit code so far.
 */
export async function runProgram(
  program: Program,
  words: string[],
  { call, settings = {} }: { call: Call; settings?: Record<string, string | undefined> },
): Promise<number> {
  const { codeAfterSignal } = program
  const [path = '', ...given] = programLine(program, words)
  const set = Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  if (call.dryRun) {
    call.out.line(
      [...set.map(([name, value]) => `${name}=${shellWord(value)}`), 'node', ...[path, ...given].map(shellWord)].join(
        ' ',
      ),
    )
    return 0
  }
  for (const [name, value] of set) process.env[name] = value
  // The program handles signals and output that nobody reads by itself.
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.removeAllListeners(signal)
    if (codeAfterSignal !== undefined) {
      process.on(signal, () => {
        if (process.listenerCount(signal) === 1) process.exit(codeAfterSignal)
      })
    }
  }
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error')
  process.argv = [process.execPath, path, ...given]
  await import(pathToFileURL(path).href)
  return Number(process.exitCode ?? 0)
}

/** The options of a call as words of a command line. */
export function wordsOf(options: OptionValues): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${kebab(name)}`
    if (Array.isArray(value)) return value.map((each) => `${flag}=${each}`)
    if (typeof value === 'string') return [`${flag}=${value}`]
    return value === true ? [flag] : []
  })
}
