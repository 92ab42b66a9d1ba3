import { Readable } from 'node:stream'
import { runCommandLine } from '../../../cli/run.ts'

interface CommandLineSettings {
  environment?: NodeJS.ProcessEnv
  /** The width of a terminal that the command writes to; a pipe without it. */
  columns?: number
}

/** Runs a command line of `purser` in this process, which takes milliseconds where a process of its own takes a second. */
export async function runInProcess(words: string[], { environment = {}, columns }: CommandLineSettings = {}) {
  let [stdout, stderr] = ['', '']
  const terminal = columns === undefined ? {} : { isTTY: true, columns }
  const code = await runCommandLine(words, {
    environment: { NO_COLOR: '1', ...environment },
    stdin: Readable.from([]),
    stdout: { ...terminal, write: (data) => (stdout += Buffer.from(data)) },
    stderr: { ...terminal, write: (data) => (stderr += Buffer.from(data)) },
    version: '0.1.0',
    interruption: () => ({ signal: () => new AbortController().signal, happened: () => false }),
  })
  return { code, stdout, stderr }
}
