import { execFileSync } from 'node:child_process'
import { Readable } from 'node:stream'
import { runCommandLine } from '../../../cli/run.ts'

/** Runs a command of `purser` in this process, which takes a fraction of the time of a process of its own. */
export async function runHere(words: string[], environment: NodeJS.ProcessEnv) {
  let [output, errors] = ['', '']
  const stdout = { write: (text: string | Uint8Array) => (output += Buffer.from(text)) }
  const stderr = { write: (text: string | Uint8Array) => (errors += Buffer.from(text)) }
  const code = await runCommandLine(words, {
    ...{ environment, stdout, stderr, stdin: Readable.from([]), version: '0' },
    interruption: () => ({ signal: () => new AbortController().signal, happened: () => false }),
  })
  return { code, output, errors }
}

/** The words of a command line after `purser`, as a shell reads them. */
export function shellWords(line: string, variables: NodeJS.ProcessEnv = {}): string[] {
  const program = `set -u; purser() { printf '%s\\0' "$@"; }; ${line}`
  return execFileSync('/bin/sh', ['-c', program], { env: variables, encoding: 'utf8' }).split('\0').slice(0, -1)
}

/** The records that a command printed as JSON lines. */
export function recordsIn(output: string): unknown[] {
  return output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}
