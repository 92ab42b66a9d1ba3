import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type IPty, spawn as spawnTerminal } from '@lydell/node-pty'
import { afterAll, expect, test } from 'vitest'
import { unwrap } from '../../../client/src/index.ts'
import { blocksOf } from '../../house/blocks.ts'
import { root } from '../../support/harness.ts'
import { endServices, isPostgres, postmasterOf, scratchFolder, until } from '../../support/service.ts'

const CTRL_C = '\u0003'

const folder = scratchFolder()
const received: { headers: IncomingHttpHeaders; body: string }[] = []
const app = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  received.push({ headers: request.headers, body })
  response.end('thanks')
}).listen(0, '127.0.0.1')
const terminals: Terminal[] = []

afterAll(async () => {
  app.close()
  const left = terminals.filter(({ isOpen }) => isOpen())
  // An interactive shell ignores SIGTERM; the service ends in order by it.
  for (const { command, pty } of left) pty.kill(command === 'sh -i' ? 'SIGHUP' : 'SIGTERM')
  await Promise.all(left.map(({ exit }) => exit))
  await endServices()
})

test('the first commands of README.md do what it shows on a terminal, and Ctrl-C leaves no process', async () => {
  const { session, lasting, shown } = firstCommands()
  mkdirSync(join(folder, 'bin'))
  symlinkSync(join(root, 'bin/purser.js'), join(folder, 'bin/purser'))
  const service = open('purser start --port 0')
  const url = (await service.shows(/listening on (http:\/\/\S+)/))[1] ?? ''
  expect(service.text()).toMatch(/made a demo world/)
  const postmaster = postmasterOf(join(folder, 'data')) ?? 0
  expect(isPostgres(postmaster)).toBe(true)

  const reader = open('sh -i', { PURSER_URL: url })
  // In two parts, because the terminal repeats the line that is typed.
  await type(reader, `PS1='reader''> '`)
  for (const line of session.before) await type(reader, line)
  const { port } = app.address() as AddressInfo
  const listener = open(lasting.replace('localhost:3000', `127.0.0.1:${port}`), { PURSER_URL: url })
  const secret = (await listener.shows(/^PURSER_WEBHOOK_SECRET=(\S+)\r?\n/m))[1] ?? ''
  for (const line of session.after) await type(reader, line)

  const seen = reader.text().split('\n').map(comparable)
  for (const line of shown) expect(seen, reader.text()).toContain(comparable(line))
  expect(reader.text()).toMatch(/^amount +20\.00\r$/m)
  expect(reader.text()).toMatch(/^ +\d+ +\S+Z +transaction\.created +transaction +\d+ +evt_\d+_\d+\r$/m)
  expect(reader.text()).toMatch(/^payment\.returned +evt_\d+_\d+ +number \d+, payment \d+\r$/m)
  expect(reader.text()).toMatch(/^now +\S+Z\r\nhappened +\d+\r\n[\s\S]*authorization\.canceled/m)

  await listener.shows(/ 200 +\d+ ms +payment\.returned +evt_\d+_\d+ +thanks\r?\n/)
  const { headers, body } = received.find((each) => each.body.includes('"payment.returned"')) ?? {
    headers: {},
    body: '',
  }
  const event = await unwrap(body, headers as Record<string, string>, secret)
  expect(event).toMatchObject({ type: 'payment.returned', data: { amount: 90_000, status: 'Returned' } })

  const running = [reader, listener, service].map(({ pty }) => String(pty.pid))
  if (process.platform === 'linux') expect(processesIn(folder)).toEqual(expect.arrayContaining(running))
  reader.pty.write('exit\r')
  listener.pty.write(CTRL_C)
  service.pty.write(CTRL_C)
  expect(await Promise.all([reader.exit, listener.exit, service.exit])).toEqual([0, 130, 0])
  expect(isPostgres(postmaster)).toBe(false)
  expect(processesIn(folder)).toEqual([])
})

/** The commands of the section, before and after the one that lasts, and the lines of a terminal that it shows. */
function firstCommands() {
  const page = readFileSync(join(root, 'README.md'), 'utf8')
  const blocks = blocksOf(/^## First commands\n([\s\S]*?)^## /m.exec(page)?.[1] ?? '')
  const place = blocks.findIndex(({ info }) => info === 'sh lasting')
  const linesOf = (kind: string, some: typeof blocks) =>
    some.filter(({ info }) => info === kind).flatMap(({ text }) => text.trimEnd().split('\n'))
  const session = { before: linesOf('sh', blocks.slice(0, place)), after: linesOf('sh', blocks.slice(place)) }
  return { session, lasting: blocks[place]?.text.trim() ?? '', shown: linesOf('text', blocks) }
}

interface Terminal {
  command: string
  pty: IPty
  exit: Promise<number>
  isOpen(): boolean
  text(): string
  /** The first match in its text from a place on, once it is there. */
  shows(pattern: RegExp, from?: number): Promise<RegExpExecArray>
}

/** Runs a command on a terminal of its own. */
function open(command: string, environment: Record<string, string> = {}): Terminal {
  const pty = spawnTerminal('sh', ['-c', `exec ${command}`], {
    ...{ cols: 120, rows: 40, cwd: folder },
    env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder, NO_COLOR: '1', ...environment },
  })
  let text = ''
  let code: number | undefined
  pty.onData((data) => {
    text += data
  })
  const exit = new Promise<number>((ended) =>
    pty.onExit(({ exitCode }) => {
      code = exitCode
      ended(exitCode)
    }),
  )
  const shows = async (pattern: RegExp, from = 0) => {
    const found = () => pattern.exec(text.slice(from))
    await until(`${command} to show ${pattern}`, () => found() !== null || code !== undefined)
    return found() ?? expect.fail(`${command} ended with ${code} and did not show ${pattern}:\n${text}`)
  }
  const terminal = { command, pty, exit, shows, text: () => text, isOpen: () => code === undefined }
  terminals.push(terminal)
  return terminal
}

/** Types a line and waits for the next prompt. */
async function type({ pty, shows, text }: Terminal, line: string): Promise<void> {
  const from = text().length
  pty.write(`${line}\r`)
  await shows(/reader> $/, from)
}

/** A line without ids and dates, of which no two banks have the same, and with amounts. */
function comparable(line: string): string {
  const amounts = line.split(/(?<![\d.])(\d+\.\d\d)(?!\d)/)
  return amounts
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/\d+/g, '0')))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The processes that work in a folder, on Linux. One that has ended and waits for its parent is left out. */
function processesIn(place: string): string[] {
  const ids = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  return ids.filter((id) => {
    try {
      return readlinkSync(`/proc/${id}/cwd`).startsWith(place)
    } catch {
      // It has ended meanwhile, or belongs to another user.
      return false
    }
  })
}
