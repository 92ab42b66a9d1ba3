import { execFileSync } from 'node:child_process'
import { runInProcess } from '../run/command-line.ts'

/** Runs a command of `purser` in this process, with its output on a pipe. */
export async function runHere(words: string[], environment: NodeJS.ProcessEnv) {
  const { code, stdout: output, stderr: errors } = await runInProcess(words, { environment })
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

/** Whether the examples of a command work on two cells. */
export function needsCells(path: string): boolean {
  return ['organisations create', 'organisations move', 'cells retire'].includes(path)
}
