import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { spawn as spawnTerminal } from '@lydell/node-pty'
import { addCurl, statusesSeen } from '../support/examples/curl.ts'
import { root } from '../support/harness.ts'
import { addBrowser } from '../support/people/browsers.ts'
import type { Block } from './blocks.ts'
import { differences, lastJson, lineDifferences } from './shown.ts'

/**
 * A block that is run in the session of its page.
 *
 * - `sh` runs to its end, with success.
 * - `sh refused` is one command that fails.
 * - `sh lasting` runs beside the blocks after it, until the end of the page.
 * - `ts` is a part of the page's program, which is all such blocks in their order.
 */
export interface Sample {
  kind: 'sh' | 'sh refused' | 'sh lasting' | 'ts'
  command: string
  /** The JSON that the page shows for the last answer. */
  json?: unknown
  /** The text that the page shows for the output. */
  text?: string
}

const kinds: readonly string[] = ['sh', 'sh refused', 'sh lasting', 'ts'] satisfies Sample['kind'][]

/** The samples of a page, in the order in which they run: the program runs as a whole at the place of its first block. */
export function samplesOf(blocks: Block[]): Sample[] {
  const samples = blocks.flatMap((block, index) => {
    if (!kinds.includes(block.info)) return []
    const next = blocks[index + 1]
    const sample: Sample = { kind: block.info as Sample['kind'], command: block.text }
    if (next?.info === 'json') sample.json = JSON.parse(next.text)
    if (next?.info === 'text') sample.text = next.text
    return [sample]
  })
  const first = samples.findIndex(isPartOfProgram)
  return [
    ...samples.slice(0, Math.max(first, 0)),
    ...samples.filter(isPartOfProgram),
    ...samples.slice(Math.max(first, 0)).filter((sample) => !isPartOfProgram(sample)),
  ]
}

const isPartOfProgram = ({ kind }: Sample) => kind === 'ts'

export interface Surroundings {
  /** The folder in which the reader works. */
  folder: string
  /** A folder for files of the run. */
  scratch: string
  environment: Record<string, string>
  /** The words of the page that stand for others in this run, such as the address of the service. */
  instead: [word: string, actual: string][]
  /** The program of the `ts` blocks, which prints `MARK` after each of them. */
  program?: string
  /** Whether the output is compared with the page, which it is by default. */
  compares?: boolean
  /** Whether the output goes to a terminal, as the reader's does, or to a pipe. */
  terminal?: boolean
  /** Gets the addresses that commands open in a browser. */
  browser?: string
  /** Whether to replace curl by a stand-in, as on a machine that has Node alone. */
  standIn?: boolean
}

/** The line that ends the output of a block. */
export const MARK = '<<end of block>>'

/** Runs the samples in one session of a shell, and names those that do something else than their page shows. */
export async function faultsOf(samples: Sample[], surroundings: Surroundings): Promise<string[]> {
  const work = mkdtempSync(join(surroundings.scratch, 'run-'))
  const seen = samples.map((_, index) => join(work, `answers-${index}`))
  for (const path of seen) mkdirSync(path, { recursive: true })
  const { code, output, errors } = await run(scriptOf(samples, seen, surroundings), work, surroundings)
  const outputs = output.split(`${MARK}\n`)
  const shown = surroundings.compares === false ? [] : samples.slice(0, outputs.length - 1)
  const faults = shown.flatMap((sample, index) => {
    const place = seen[index] ?? ''
    const printed = sample.kind === 'sh lasting' ? readFileSync(`${place}.out`, 'utf8') : (outputs[index] ?? '')
    const found = [
      ...statusFaults(statusesSeen(place), sample.json),
      ...(sample.json === undefined ? [] : differences(sample.json, lastJson(printed), '')),
      ...(sample.text === undefined ? [] : lineDifferences(sample.text, asOnThePage(printed, surroundings))),
      ...(sample.kind === 'sh lasting' && sample.text === undefined ? forwardingFaults(printed) : []),
    ]
    return found.map((fault) => `${sample.command.trim()}\n  ${fault}`)
  })
  if (code !== 0) {
    const sample = samples[outputs.length - 1]
    faults.push(`${sample?.command.trim()}\n  ended with ${code}: ${outputs.at(-1)}${errors}`)
  }
  return faults
}

function scriptOf(samples: Sample[], seen: string[], { instead, program }: Surroundings): string {
  const blocks = samples.map(({ kind, command }, index) => {
    if (kind === 'ts') return index === samples.findIndex(isPartOfProgram) ? `node '${program}'\n` : ''
    const text = instead.reduce((changed, [word, actual]) => changed.replaceAll(word, actual), command).trim()
    const place = `export CURL_SEEN='${seen[index]}'`
    if (kind === 'sh lasting') return `${place}\n${besides(text, `${seen[index]}.out`)}\necho '${MARK}'\n`
    if (kind === 'sh refused')
      return `${place}\nif ${text}\nthen echo 'it was not refused'; exit 1\nfi\necho '${MARK}'\n`
    return `${place}\n${text}\necho '${MARK}'\n`
  })
  return `LASTING=\ntrap 'test -z "$LASTING" || kill $LASTING 2> /dev/null || true' EXIT\n${blocks.join('')}[ -z "$LASTING" ] || sleep 1\n`
}

/** A command that runs beside those after it, which begin when it says that it listens, or how to end it. */
function besides(command: string, output: string): string {
  return `${command} > '${output}' 2>&1 &
LASTING="$LASTING $!"
until grep -q -e Ctrl-C -e listening '${output}'; do kill -0 $! || { cat '${output}'; exit 1; }; sleep 0.1; done`
}

/** The faults of `purser listen`: each line is one attempt to forward an event. */
function forwardingFaults(output: string): string[] {
  const attempts = output.split('\n').filter((line) => line.startsWith('{'))
  if (attempts.length === 0) return ['forwarded nothing']
  return attempts.filter((line) => !/^2\d\d$/.test(JSON.parse(line).status))
}

async function run(script: string, work: string, surroundings: Surroundings) {
  const { folder, environment, terminal = false, browser, standIn } = surroundings
  const programs = join(work, 'bin')
  addCurl(programs, standIn === undefined ? {} : { standIn })
  symlinkSync(join(root, 'bin/purser.js'), join(programs, 'purser'))
  if (browser) addBrowser(programs, browser)
  const path = join(work, 'session.sh')
  writeFileSync(path, script)
  const settings = {
    cwd: folder,
    env: { PATH: [programs, process.env.PATH].join(delimiter), HOME: work, NO_COLOR: '1', ...environment },
  }
  return terminal ? runOnTerminal(path, settings) : runInPipe(path, settings)
}

interface Settings {
  cwd: string
  env: Record<string, string>
}

async function runInPipe(path: string, settings: Settings) {
  const shell = spawn('sh', ['-e', path], { ...settings, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((settle) => shell.on('close', settle))
  const [output, errors, code] = await Promise.all([textOf(shell.stdout), textOf(shell.stderr), ended])
  return { code, output, errors }
}

async function runOnTerminal(path: string, settings: Settings) {
  const terminal = spawnTerminal('sh', ['-e', path], { ...settings, cols: 120, rows: 40 })
  let output = ''
  terminal.onData((data) => {
    output += data
  })
  const code = await new Promise<number>((settle) => terminal.onExit(({ exitCode }) => settle(exitCode)))
  return { code, output: output.replaceAll('\r\n', '\n'), errors: '' }
}

/** The output of a run with the words of the page. */
function asOnThePage(printed: string, { instead }: Surroundings): string {
  return instead.reduce((changed, [word, actual]) => changed.replaceAll(actual, word), printed)
}

function statusFaults(statuses: number[], shown: unknown): string[] {
  const expected = (shown as { status?: unknown } | undefined)?.status
  const errors = statuses.filter((status) => !(status < 400))
  if (typeof expected !== 'number') return errors.map((status) => `answered ${status}`)
  if (errors.length === 1 && errors[0] === expected) return []
  return [`answered ${errors.join(', ') || 'no error'} where ${expected} is shown`]
}
