import { join } from 'node:path'
import { isProblem, Purser } from '../client/src/index.ts'
import { exitCodes, NotAllowed } from '../ground/failure.ts'
import { type OutputStream, outputTo } from '../ground/output.ts'
import { visibleLines } from '../ground/text.ts'
import { asked } from './ask.ts'
import type { Call } from './command.ts'
import { printingFetch } from './curl.ts'
import { failureOf } from './failure.ts'
import { moneyMembers } from './generated/resources.ts'
import { httpFetch } from './http-fetch.ts'
import { type Parsed, parse } from './program.ts'
import { ownAddress, type Settings, settingsOf } from './settings.ts'
import { allCommands, vocabularyFor } from './vocabulary.ts'

/** The process around a command line. Tests have one of their own. */
export interface Host {
  environment: NodeJS.ProcessEnv
  stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  stdout: OutputStream
  stderr: OutputStream
  version: string
  /** The end of the process by a signal. `signal` is called by a command that ends by itself. */
  interruption(): { signal(): AbortSignal; happened(): boolean }
}

/** Runs one command line and returns its exit code. */
export async function runCommandLine(words: readonly string[], host: Host): Promise<number> {
  const json = words.includes('--json') || words.join(' ').includes('-o json')
  try {
    const parsed = parse(habitual(words), { ...(await vocabularyFor(words)), ...host, json })
    return typeof parsed === 'number' ? parsed : await run(parsed, host)
  } catch (error) {
    const { line, code, problem } = failureOf(error)
    if (json) host.stderr.write(`${JSON.stringify({ error: { message: line, exitCode: code, ...problem } })}\n`)
    else host.stderr.write(`purser: ${visibleLines(line)}\n`)
    return code
  }
}

/** Words of other command lines: `purser help X` and `purser version`. */
function habitual([first, ...others]: readonly string[]): string[] {
  if (first === 'help') return [...others, '--help']
  if (first === 'version' && others.length === 0) return ['--version']
  return first === undefined ? [] : [first, ...others]
}

async function run({ command, args, options }: Parsed, host: Host): Promise<number> {
  const { server, apiKey, profile, json, dryRun, ...given } = options
  const { environment } = host
  const own = command.ofOwnService && !environment.PURSER_URL ? ownAddress(environment) : undefined
  const settings = settingsOf(
    { server: (server as string) || own, apiKey: apiKey as string, profile: profile as string },
    environment,
  )
  const out = outputTo({ json: json === true, ...host, money: moneyMembers })
  const { signal, happened } = host.interruption()
  let requestPrinted = () => {}
  const dryRunEnd = new Promise<void>((end) => {
    requestPrinted = end
  })
  const print = (request: string) => {
    out.line(request)
    if (/^(--api-key|the (profile|session) )/.test(settings.keySource))
      out.note(`PURSER_API_KEY stands for the key of ${settings.keySource}: set it first.`)
    requestPrinted()
  }
  const call: Call = {
    args,
    options: given,
    settings,
    version: host.version,
    environment: host.environment,
    confirm: asked,
    commands: allCommands,
    dryRun: dryRun === true,
    out,
    signal,
    purser: () => (dryRun ? dryClient(settings, print) : clientOf(settings)),
    input: () => textOf(host.stdin),
  }
  try {
    const code = await Promise.race([command.run(call), dryRunEnd])
    return code ?? (happened() ? exitCodes.interrupted : 0)
  } catch (error) {
    if (happened()) return exitCodes.interrupted
    throw isProblem(error, 'unauthorized') ? keyRefused(settings) : error
  }
}

/** Says which key it was: one in the environment is easily forgotten. */
function keyRefused({ url, keySource, dataDir }: Settings): NotAllowed {
  if (keySource.startsWith('the session'))
    return new NotAllowed(`unauthorized: your session at ${url} has ended. Sign in again with \`purser login\``)
  const known = `The service prints its key when it starts; a sandbox keeps it in ${join(dataDir, 'api-key')}.`
  return new NotAllowed(`unauthorized: ${url} does not accept the API key from ${keySource}. ${known}`)
}

function clientOf({ url, apiKey, headers }: Settings): Purser {
  return new Purser({ url, apiKey: apiKey(), fetch: httpFetch, headers })
}

/** A client that prints requests. It needs no key, because a request is printed without one. */
function dryClient({ url, keyInShell, headers }: Settings, print: (request: string) => void): Purser {
  return new Purser({ url, apiKey: 'PURSER_API_KEY', fetch: printingFetch(print, keyInShell), headers })
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(Buffer.from(part as Buffer))
  return Buffer.concat(parts).toString('utf8')
}
