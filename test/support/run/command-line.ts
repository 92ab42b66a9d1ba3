import { Readable } from 'node:stream'
import { runCommandLine } from '../../../cli/run.ts'

interface CommandLineSettings {
  environment?: NodeJS.ProcessEnv
  /** The width of a terminal that the command writes to; a pipe without it. */
  columns?: number
  /** Gets what the command writes to standard output, as it is written. */
  written?(text: string): void
}

/** Runs a command line of `purser` in this process, which takes milliseconds if a process of its own takes a second. */
export async function runInProcess(words: string[], { environment = {}, columns, written }: CommandLineSettings = {}) {
  let [stdout, stderr] = ['', '']
  const terminal = columns === undefined ? {} : { isTTY: true, columns }
  const code = await runCommandLine(words, {
    environment: { NO_COLOR: '1', ...environment },
    stdin: Readable.from([]),
    stdout: {
      ...terminal,
      write: (data) => {
        stdout += Buffer.from(data)
        written?.(stdout)
      },
    },
    stderr: { ...terminal, write: (data) => (stderr += Buffer.from(data)) },
    version: '0.1.0',
    interruption: () => ({ signal: () => new AbortController().signal, happened: () => false }),
  })
  return { code, stdout, stderr }
}

/** Runs a command, and returns the records that it prints. Throws the reason if it prints none and fails. */
// biome-ignore lint/suspicious/noExplicitAny: tests read records as the JSON they are
export async function operate(words: string[], environment: NodeJS.ProcessEnv): Promise<any[]> {
  const { code, stdout, stderr } = await runInProcess(words, { environment })
  if (code !== 0 && stdout === '') throw new Error(stderr.replace(/^purser: /, '').trim())
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}
