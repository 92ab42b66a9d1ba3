import { Readable } from 'node:stream'
import { runCommandLine } from '../../../cli/run.ts'

/** Runs a command of `purser` in this process. */
export async function runHere(words: string[], environment: Record<string, string>) {
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
export function shellWords(line: string, variables: Record<string, string> = {}): string[] {
  const words = line.match(/(?:'[^']*'|\\'|[^\s'])+/g) ?? []
  return words.slice(1).map((word) => {
    const name = /^"\$(\w+)"$/.exec(word)?.[1]
    if (name === undefined) return word.replace(/'([^']*)'|\\(')/g, '$1$2')
    const value = variables[name]
    if (value === undefined) throw new Error(`$${name} is not known in ${line}`)
    return value
  })
}

/** The records that a command printed as JSON lines. */
export function recordsIn(output: string): unknown[] {
  return output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}
