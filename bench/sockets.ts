import { connect, type Socket } from 'node:net'
import type { Load, Measured } from './load.ts'
import { apiKey } from './service.ts'
import { openPicker } from './zipf.ts'

/** A request that was sent so long ago and has no answer has failed. */
const TIMEOUT_MS = 20_000
const RECONNECT_MS = 10
/** All sockets read into one buffer: each answer is looked at before the next one is read. */
const buffer = Buffer.alloc(64 * 1024)

/** Another server that takes payments, one by one. In its path and body `{account}` and `{key}` are replaced. */
export interface OtherServer {
  name: string
  url: string
  path: string
  headers?: Record<string, string>
  body: unknown
}

interface Run {
  order: Load
  /** The bytes of the next request. */
  request(): string
  times: number[]
  bad: number
  ended: boolean
  connections: Set<Connection>
}

interface Connection {
  socket: Socket
  sentMs: number
  /** The part of an answer that has come so far. */
  part: string
}

/**
 * Requests over plain sockets. An HTTP client would take a core for itself, and the service would be measured with what is
 * left of the machine.
 */
export async function runSockets(name: string, order: Load, other?: OtherServer): Promise<Measured> {
  const request = other ? requestsTo(other, name, order) : requests(name, order)
  const run: Run = { order, request, times: [], bad: 0, ended: false, connections: new Set() }
  const startedMs = performance.now()
  for (let number = 0; number < order.connections; number++) open(run)
  await new Promise((resolve) => setTimeout(resolve, order.seconds * 1_000))
  run.ended = true
  const endedMs = performance.now()
  for (const { socket, sentMs } of run.connections) {
    if (endedMs - sentMs > TIMEOUT_MS) run.bad++
    socket.destroy()
  }
  const sorted = Float64Array.from(run.times).sort()
  const share = (part: number) => sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
  const seconds = (endedMs - startedMs) / 1_000
  return { requests: sorted.length, seconds, p50Ms: share(0.5), p99Ms: share(0.99), bad: run.bad }
}

/** The bytes of requests: each of a random account, each payment with a key of its own. */
function requests(name: string, { kind, paths = [], skew, url, world }: Load): () => string {
  const { host, pathname } = new URL(url)
  const base = pathname.replace(/\/$/, '')
  const headers = `Host: ${host}\r\nX-Service-API-Key: ${apiKey}\r\n`
  const pick = openPicker(world.count, skew)
  let counter = 0
  if (kind === 'paths')
    return () => `GET ${base}${paths[Math.floor(Math.random() * paths.length)]} HTTP/1.1\r\n${headers}\r\n`
  return () => {
    const number = pick()
    const path = `${base}/v0/banking/accounts/${world.firstAccount + number}`
    if (kind === 'accounts') return `GET ${path} HTTP/1.1\r\n${headers}\r\n`
    const body = `{"amount":1000,"counterpartyAccountId":"${world.firstExternal + number}","description":"Rent","originalType":"ACH"}`
    return (
      `POST ${path}/payments HTTP/1.1\r\n${headers}Content-Type: application/json\r\n` +
      `Idempotency-Key: ${name}-${counter++}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    )
  }
}

/** The bytes of payments to another server. */
function requestsTo({ url, path, headers = {}, body }: OtherServer, name: string, { skew, world }: Load): () => string {
  const lines = Object.entries({ Host: new URL(url).host, 'Content-Type': 'application/json', ...headers })
  const head = lines.map(([header, value]) => `${header}: ${value}\r\n`).join('')
  const text = JSON.stringify(body)
  const pick = openPicker(world.count, skew)
  let counter = 0
  return () => {
    const [account, key] = [String(pick()), `${name}-${counter++}`]
    const filled = (template: string) => template.replaceAll('{account}', account).replaceAll('{key}', key)
    const content = filled(text)
    return `POST ${filled(path)} HTTP/1.1\r\n${filled(head)}Content-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`
  }
}

function open(run: Run): void {
  const { hostname, port } = new URL(run.order.url)
  const onread = { buffer, callback: (length: number) => take(run, connection, buffer.toString('latin1', 0, length)) }
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread })
  const connection: Connection = { socket, sentMs: 0, part: '' }
  socket.once('connect', () => {
    run.connections.add(connection)
    send(run, connection)
  })
  // The end of a connection follows.
  socket.once('error', () => undefined)
  socket.once('close', () => {
    run.connections.delete(connection)
    if (run.ended) return
    run.bad++
    setTimeout(() => run.ended || open(run), RECONNECT_MS)
  })
}

function send(run: Run, connection: Connection): void {
  connection.sentMs = performance.now()
  connection.socket.write(run.request(), 'latin1')
}

/** Takes bytes of an answer, and sends the next request after the last of them. */
function take(run: Run, connection: Connection, text: string): boolean {
  if (run.ended) return false
  const answer = connection.part === '' ? text : connection.part + text
  const head = answer.indexOf('\r\n\r\n')
  const length = head < 0 ? undefined : /\r\ncontent-length: (\d+)/i.exec(answer)?.[1]
  if (head >= 0 && length === undefined) {
    connection.socket.destroy(new Error('an answer without its length'))
    return false
  }
  if (head < 0 || answer.length < head + 4 + Number(length)) {
    connection.part = answer
    return true
  }
  connection.part = ''
  if (answer[9] === '2') run.times.push(performance.now() - connection.sentMs)
  else run.bad++
  send(run, connection)
  return true
}
