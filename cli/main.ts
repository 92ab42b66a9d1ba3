import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Purser } from '../client/src/index.ts'
import type { Call } from './command.ts'
import { commands } from './commands.ts'
import { printingFetch } from './curl.ts'
import { exitCodes, failureOf } from './failure.ts'
import { outputTo, visibleLines } from './output.ts'
import { type Parsed, parse } from './program.ts'
import { type Settings, settingsOf } from './settings.ts'

/** A Ctrl-C under npm arrives twice, from the terminal and from npm. */
const SAME_CTRL_C_MS = 500

/** Runs one command line and sets the exit code. The process then ends by itself, with all output written. */
export async function main(words: string[]): Promise<void> {
  // A reader such as `head` that has seen enough is no fault.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  }
  try {
    const parsed = parse(words, { commands, groups: [], version: versionOf(import.meta.dirname) })
    process.exitCode = typeof parsed === 'number' ? parsed : await run(parsed)
  } catch (error) {
    const { line, code } = failureOf(error)
    process.stderr.write(`purser: ${visibleLines(line)}\n`)
    process.exitCode = code
  }
}

async function run({ command, args, options }: Parsed): Promise<number> {
  const { server, apiKey, json, dryRun, ...own } = options
  const settings = settingsOf({ server: server as string, apiKey: apiKey as string }, process.env)
  const out = outputTo({ json: json === true, environment: process.env })
  const { signal, happened } = interruption()
  let requestPrinted = () => {}
  const dryRunEnd = new Promise<void>((end) => {
    requestPrinted = end
  })
  const print = (request: string) => {
    out.line(request)
    requestPrinted()
  }
  const purser = () => (dryRun ? dryClient(settings, print) : clientOf(settings))
  const call: Call = { args, options: own, settings, dryRun: dryRun === true, out, signal, purser }
  try {
    const code = await Promise.race([command.run(call), dryRunEnd])
    return code ?? (happened() ? exitCodes.interrupted : 0)
  } catch (error) {
    if (happened()) return exitCodes.interrupted
    throw error
  }
}

function clientOf({ url, apiKey }: Settings): Purser {
  return new Purser({ url, apiKey: apiKey() })
}

/** A client that prints requests. It needs no key, because a request is printed without one. */
function dryClient({ url }: Settings, print: (request: string) => void): Purser {
  return new Purser({ url, apiKey: 'PURSER_API_KEY', fetch: printingFetch(print) })
}

/** Ends the process by a signal, unless the command has asked for it and ends by itself. */
function interruption(): { signal(): AbortSignal; happened(): boolean } {
  const controller = new AbortController()
  let handled = false
  let firstMs = 0
  const handle = (code: number) => {
    if (!handled || (firstMs > 0 && performance.now() - firstMs > SAME_CTRL_C_MS)) process.exit(code)
    firstMs ||= performance.now()
    controller.abort()
  }
  process.on('SIGINT', () => handle(exitCodes.interrupted))
  process.on('SIGTERM', () => handle(143))
  return {
    signal: () => {
      handled = true
      return controller.signal
    },
    happened: () => controller.signal.aborted,
  }
}

/** The version of the package that this program is part of. */
function versionOf(folder: string): string {
  const path = join(folder, 'package.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).version : versionOf(dirname(folder))
}

await main(process.argv.slice(2))
