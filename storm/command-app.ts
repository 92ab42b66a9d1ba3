import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../ground/failure.ts'
import type { StormApp, StormBank, Subject } from './life.ts'

/** An app in any language: a command that starts it, and the paths by which it is driven and asked. */
interface CommandApp {
  /** The program and its arguments. It listens on PORT. */
  start: string[]
  /** The path that takes webhooks. */
  webhooks: string
  /** Paths by the names of their actions. Each is called by POST with `customer`, `number` and `amount` as JSON. */
  actions: Record<string, string>
  /** The path whose GET returns the laws of the app: each by its name with true, or with a sentence that says what is wrong. */
  laws: string
  /** The path whose POST runs the jobs of the app that run now and then. It is called before the laws are read. */
  calm?: string
}

const MEMBERS = ['start', 'webhooks', 'actions', 'laws', 'calm']
const START_MS = 30_000
const STOP_MS = 5_000
/** The most characters of its output in the sentence of a law. */
const MAX_PRINTED = 1_000

interface RunningCommand extends StormApp {
  url: string
  /** The last lines that it has printed. */
  printed(): string
}

/**
 * The app that a JSON file describes, in any language.
 *
 * @example
 * await storm({ ...commandApp('storm.json'), seed: 1 })
 */
export function commandApp(file: string): Subject<RunningCommand> {
  const app = commandAppFrom(readFileSync(file, 'utf8'))
  const { actions, laws, calm } = app
  return {
    start: (bank) => startCommand(app, dirname(file), bank),
    actions: Object.fromEntries(
      Object.entries(actions).map(([name, path]) => [name, (running, input) => call(running, path, input)]),
    ),
    laws: async ({ app: running }) => {
      const text = await call(running, laws)
      const answers = JSON.parse(text)
      if (answers?.constructor !== Object) throw new Error(`GET ${laws} answers no JSON object: ${text.slice(0, 200)}`)
      if (Object.keys(answers).length === 0) throw new Error(`GET ${laws} answers no law`)
      return answers
    },
    ...(calm !== undefined && { calm: (running) => call(running, calm, {}) }),
  }
}

/** Reads the description of an app. Throws a sentence that says what is wrong with it. */
export function commandAppFrom(text: string): CommandApp {
  const app: CommandApp | undefined = JSON.parse(text)
  if (app?.constructor !== Object) throw new Error('the description of an app is a JSON object')
  const unknown = Object.keys(app).find((name) => !MEMBERS.includes(name))
  if (unknown !== undefined) throw new Error(`\`${unknown}\` is none of ${MEMBERS.join(', ')}`)
  const isPath = (value: unknown) => typeof value === 'string' && value.startsWith('/')
  if (!Array.isArray(app.start) || app.start.length === 0 || app.start.some((word) => typeof word !== 'string'))
    throw new Error('`start` is a list of a program and its arguments, such as ["python3", "app.py"]')
  const paths = { webhooks: app.webhooks, laws: app.laws, ...(app.calm !== undefined && { calm: app.calm }) }
  for (const [name, path] of Object.entries(paths))
    if (!isPath(path)) throw new Error(`\`${name}\` is a path of the app that begins with /`)
  const actions = Object.values(app.actions ?? {})
  if (actions.length === 0 || !actions.every(isPath))
    throw new Error('`actions` has one or more names, each with a path of the app that begins with /')
  return app
}

/** Asks the app by GET, or calls it by POST if there is a body. Returns the answer. */
async function call({ url, printed }: RunningCommand, path: string, body?: unknown): Promise<string> {
  const headers = { 'content-type': 'application/json', connection: 'close' }
  const answer = await fetch(`${url}${path}`, {
    headers,
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  }).catch(({ cause }: Error) => {
    throw new Error(`the app does not answer ${path}: ${(cause as Error).message}\n${printed().slice(-MAX_PRINTED)}`)
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status} ${text.slice(0, 200)}`)
  return text
}

async function startCommand(
  { start: [program = '', ...args], webhooks }: CommandApp,
  folder: string,
  bank: StormBank,
): Promise<RunningCommand> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(program, args, {
    cwd: folder,
    env: {
      ...process.env,
      PORT: String(port),
      PURSER_URL: bank.url,
      PURSER_API_KEY: bank.apiKey,
      PURSER_WEBHOOK_SECRET: bank.webhookSecret,
      STORM_LIFE: bank.life,
      STORM_CUSTOMERS: JSON.stringify(bank.customers),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output = (output + text).slice(-5_000)
    })
  let ended: Error | undefined
  const exited = once(child, 'exit').then(
    ([code]) => {
      ended = new Refusal(`${program} ended with exit code ${code}:\n${output}`)
    },
    (error) => {
      ended = new Refusal(
        `${program} does not start: ${error.code === 'ENOENT' ? 'there is no such program' : error.message}`,
      )
    },
  )
  const stop = async () => {
    child.kill()
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await exited
    clearTimeout(late)
  }
  const end = Date.now() + START_MS
  for (;;) {
    if (ended) throw ended
    if (await fetch(url).then(Boolean, () => false))
      return { url, webhookUrl: `${url}${webhooks}`, printed: () => output, stop }
    if (Date.now() > end) {
      await stop()
      throw new Refusal(`${program} does not listen on PORT ${port}:\n${output}`)
    }
    await pause(20)
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
