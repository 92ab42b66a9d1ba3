import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { addCurl, statusesSeen } from '../support/curl.ts'
import { root } from '../support/harness.ts'
import { endServices, type Service, scratchFolder, startService } from '../support/service.ts'
import { blocksOf } from './blocks.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/*
 * The README's convention. A block marked `sh` is run, all of them in one session; `sh lasting` runs beside the blocks after
 * it, until the end of the page; `sh start` names npm commands, which are looked up and not run; `json` after an `sh` block
 * is what its last command answers. `text` shows a terminal, which cli/story.test.ts compares.
 */

let folder: string
let service: Service
/** One more on data of its own, because a README is followed from its beginning once. */
let second: Service
/** The app of the reader, to which events are forwarded. */
const app = createServer((request, response) => request.resume().on('end', () => response.end()))

beforeAll(async () => {
  folder = scratchFolder()
  app.listen(0, '127.0.0.1')
  const start = (name: string) =>
    startService({ PURSER_DATA_DIR: join(folder, name, 'data') }, { command: ['npm', 'start'] })
  ;[service, second] = await Promise.all([start('first'), start('second')])
})
afterAll(async () => {
  app.close()
  await endServices()
})

describe('README.md and docs/guide.md', () => {
  // The guide continues where the README ends.
  const readme = ['README.md', 'docs/guide.md'].map((page) => readFileSync(join(root, page), 'utf8')).join('\n')

  it('starts with commands that package.json has', () => {
    const commands = blocksOf(readme)
      .filter(({ info }) => info === 'sh start')
      .map(({ text }) => text.trim())
    expect(commands).toContain('npm ci && npm start')
    expect(commands).toContain('npm ci && npm test')
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(commands.flatMap((text) => unknownCommands(text, scripts))).toEqual([])
  })

  it('has samples that answer as it shows', async () => {
    const samples = samplesOf(readme)
    expect(samples.length).toBeGreaterThan(0)
    expect(await faultsOf(samples, service)).toEqual([])
  })

  it('has samples that need no more of curl than a stand-in knows', async () => {
    expect(await faultsOf(samplesOf(readme), second, { standIn: true })).toEqual([])
  })

  it('has no shell block that is left unchecked', () => {
    const shells = blocksOf(readme).filter(({ info }) => /^(bash|shell|console|zsh|sh)\b/.test(info))
    expect(shells.filter(({ info }) => !['sh', 'sh lasting', 'sh start'].includes(info))).toEqual([])
  })
})

describe('a README is found out', () => {
  const call = (path: string) => `curl -s localhost:4000${path} -H "X-Service-API-Key: $(cat data/api-key)"`

  it('when a sample answers an error that it does not show', async () => {
    const faults = await faultsOf(samplesOf(markdown(['sh', call('/v0/banking/accounts/1')])))
    expect(faults).toEqual([expect.stringContaining('answered 404')])
  })

  it('when an error inside a substitution goes unseen', async () => {
    const faults = await faultsOf(samplesOf(markdown(['sh', `ID=$(${call('/v0/nowhere')})`])))
    expect(faults).toEqual([expect.stringContaining('answered 404')])
  })

  it('when a sample shows another answer than it gets', async () => {
    const list = markdown(['sh', call('/v0/banking/accounts?customerId=1')], ['json', '{"data": {}}'])
    expect(await faultsOf(samplesOf(list))).toEqual([expect.stringContaining('data: an object is shown')])
    const wrongStatus = markdown(['sh', call('/v0/nowhere')], ['json', '{"status": 409, "code": "conflict"}'])
    const faults = (await faultsOf(samplesOf(wrongStatus))).join('\n')
    expect(faults).toContain('answered 404 where 409 is shown')
    expect(faults).toContain('code: "conflict" is shown, "route_not_found" was answered')
    expect(faults).toContain('type: not shown')
  })

  it('when a command fails, and the ones after it do not run', async () => {
    const faults = await faultsOf(samplesOf(markdown(['sh', 'false'], ['sh', 'echo later'])))
    expect(faults).toEqual([expect.stringContaining('ended with 1')])
  })

  it('when a command that lasts ends at once, or forwards nothing', async () => {
    const forwarding = 'purser listen --forward-to localhost:3000/webhooks'
    expect(await faultsOf(samplesOf(markdown(['sh lasting', `${forwarding} --after never`])))).toEqual([
      expect.stringContaining('ended with 1'),
    ])
    expect(await faultsOf(samplesOf(markdown(['sh lasting', forwarding])))).toEqual([
      expect.stringContaining('forwarded nothing'),
    ])
  })

  it('when it uses curl in a way that a machine with only Node cannot follow', async () => {
    const faults = await faultsOf(samplesOf(markdown(['sh', 'curl --json {} localhost:4000/'])), service, {
      standIn: true,
    })
    expect(faults).toEqual([expect.stringContaining('this stand-in for curl does not know --json')])
  })

  it('when it names a script that package.json lacks', () => {
    expect(unknownCommands('npm ci && npm run fly', { start: '' })).toEqual(['npm run fly'])
    expect(unknownCommands('git clone x && cd x\nPORT=5000 npm start # later', { start: '' })).toEqual([])
  })
})

interface Sample {
  command: string
  lasting: boolean
  /** The JSON that the README shows for it. */
  shown: unknown
}

function markdown(...blocks: [info: string, text: string][]): string {
  return blocks.map(([info, text]) => `\`\`\`${info}\n${text}\n\`\`\`\n`).join('\n')
}

function samplesOf(text: string): Sample[] {
  const blocks = blocksOf(text)
  return blocks.flatMap((block, index) => {
    const next = blocks[index + 1]
    if (block.info !== 'sh' && block.info !== 'sh lasting') return []
    const lasting = block.info === 'sh lasting'
    return [{ command: block.text, lasting, shown: next?.info === 'json' ? JSON.parse(next.text) : undefined }]
  })
}

function unknownCommands(text: string, scripts: Record<string, string>): string[] {
  const commands = text
    .split(/&&|\n/)
    .map((command) => command.replace(/#.*/, '').trim())
    .filter((command) => command !== '')
  return commands.filter((command) => {
    const [, script] = /^(?:[A-Z_]+=\S+ )*npm (?:run )?([\w:-]+)$/.exec(command) ?? []
    return !(script === 'ci' || /^(git clone|cd) /.test(command) || (script !== undefined && script in scripts))
  })
}

const MARK = '<<end of block>>'

/** Runs the samples in one session, in the folder where `data` is the service's. */
async function faultsOf(samples: Sample[], one = service, options: { standIn?: boolean } = {}): Promise<string[]> {
  const work = mkdtempSync(join(folder, 'run-'))
  const seen = samples.map((_, index) => join(work, `answers-${index}`))
  for (const path of seen) mkdirSync(path, { recursive: true })
  const { code, stdout, stderr } = await session(sessionScript(samples, seen, one.url), work, one, options)
  const outputs = stdout.split(`${MARK}\n`)
  const faults = samples.slice(0, outputs.length - 1).flatMap(({ command, lasting, shown }, index) => {
    const found = [
      ...statusFaults(statusesSeen(seen[index] ?? ''), shown),
      ...(shown === undefined ? [] : differences(shown, lastJson(outputs[index] ?? ''), '')),
      ...(lasting ? lastingFaults(`${seen[index]}.out`) : []),
    ]
    return found.map((fault) => `${command.trim()}\n  ${fault}`)
  })
  if (code !== 0)
    faults.push(`${samples[outputs.length - 1]?.command.trim()}\n  ended with ${code}: ${stdout}${stderr}`)
  return faults
}

function sessionScript(samples: Sample[], seen: string[], url: string): string {
  const { port } = app.address() as AddressInfo
  const blocks = samples.map(({ command, lasting }, index) => {
    const text = command
      .replaceAll(/\b(127\.0\.0\.1|localhost):4000\b/g, new URL(url).host)
      .replaceAll('--forward-to localhost:3000', `--forward-to 127.0.0.1:${port}`)
      .trim()
    return `export CURL_SEEN='${seen[index]}'\n${lasting ? besides(text, `${seen[index]}.out`) : text}\necho '${MARK}'\n`
  })
  return `LASTING=\n${blocks.join('')}[ -z "$LASTING" ] || { sleep 1; kill -INT $LASTING; }\n`
}

/** A command that runs beside those after it, which begin when it says how to end it. */
function besides(command: string, output: string): string {
  return `${command} > '${output}' 2>&1 &
until grep -q Ctrl-C '${output}'; do kill -0 $!; sleep 0.1; done
LASTING="$LASTING $!"`
}

/** The faults of `purser listen`: each line is one attempt to forward an event. */
function lastingFaults(output: string): string[] {
  const attempts = readFileSync(output, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
  if (attempts.length === 0) return ['forwarded nothing']
  return attempts.filter((line) => JSON.parse(line).status !== 200)
}

async function session(script: string, work: string, { url, dataDir }: Service, options: { standIn?: boolean }) {
  const programs = join(work, 'bin')
  addCurl(programs, options)
  symlinkSync(join(root, 'bin/purser.js'), join(programs, 'purser'))
  const shell = spawn('sh', ['-e'], {
    cwd: dirname(dataDir),
    env: { PATH: [programs, process.env.PATH].join(delimiter), HOME: work, PURSER_URL: url },
  })
  shell.stdin.end(script)
  const ended = new Promise<number | null>((settle) => shell.on('close', settle))
  const [stdout, stderr, code] = await Promise.all([textOf(shell.stdout), textOf(shell.stderr), ended])
  return { code, stdout, stderr }
}

function statusFaults(statuses: number[], shown: unknown): string[] {
  const expected = (shown as { status?: unknown } | undefined)?.status
  const errors = statuses.filter((status) => !(status < 400))
  if (typeof expected !== 'number') return errors.map((status) => `answered ${status}`)
  if (errors.length === 1 && errors[0] === expected) return []
  return [`answered ${errors.join(', ') || 'no error'} where ${expected} is shown`]
}

/** The answer of a block's last command: the longest tail of its output that is JSON. */
function lastJson(output: string): unknown {
  for (let at = output.indexOf('{'); at >= 0; at = output.indexOf('{', at + 1)) {
    try {
      return JSON.parse(output.slice(at))
    } catch {
      // It begins later: before it stand headers, or the answer of an earlier command.
    }
  }
  return undefined
}

/** Kinds of text of which no two answers have the same. */
const varying = [
  /^\d{7,}$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  /^(prs|whsec)_[\w+/=]+$/,
  /^evt_\d+_\d+$/,
]

function differences(shown: unknown, found: unknown, path: string): string[] {
  const at = path || 'the answer'
  if (kindOf(shown) !== kindOf(found)) return [`${at}: ${kindOf(shown)} is shown, ${kindOf(found)} was answered`]
  if (Array.isArray(shown) && Array.isArray(found)) {
    if (shown.length > 0 && found.length === 0) return [`${at}: nothing was answered`]
    return shown.length === 0 ? [] : found.flatMap((item, index) => differences(shown[0], item, `${path}[${index}]`))
  }
  if (typeof shown === 'string') {
    const kind = varying.find((pattern) => pattern.test(shown))
    const same = kind ? kind.test(String(found)) : shown === found
    return same ? [] : [`${at}: ${JSON.stringify(shown)} is shown, ${JSON.stringify(found)} was answered`]
  }
  if (typeof shown !== 'object' || shown === null) return []
  const [left, right] = [shown as Record<string, unknown>, found as Record<string, unknown>]
  return [
    ...Object.keys(left).flatMap((name) =>
      name in right ? differences(left[name], right[name], join(path, name)) : [`${join(path, name)}: not answered`],
    ),
    ...Object.keys(right)
      .filter((name) => !(name in left))
      .map((name) => `${join(path, name)}: not shown`),
  ]
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
