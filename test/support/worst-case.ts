import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Operation } from '../../src/base/operation.ts'
import { type Schema, schemaOf } from './schemas/samples.ts'

const MIB = 1024 * 1024
const MAX_URL = 60 * 1024

/** A request that costs a careless server as much as possible, at the limit of its size. */
export interface Attack {
  name: string
  /** Appended to the operation's address. */
  search?: string
  body?: Buffer
}

/**
 * For every place in the schemas of an operation, the requests at the size limit that are worst to judge. Those that are judged
 * by the same code as one at an earlier operation are left out, unless all are wanted.
 */
export function attacksOn(operation: Operation, all = false): Attack[] {
  const { method, body, bodyLimit = MIB } = operation
  const bodies = method === 'GET' ? [] : bodyAttacks(schemaOf(body), bodyLimit, all)
  return [...bodies, ...queryAttacks(schemaOf(operation.query))]
}

/** Text that fills so many bytes, from the text for each number. */
function filled(bytes: number, part: (index: number) => string): string {
  const parts: string[] = []
  for (let index = 0, length = 0; ; index++) {
    const text = part(index)
    length += text.length + 1
    if (length > bytes) return parts.join(',')
    parts.push(text)
  }
}

type Fill = (bytes: number) => string

const objects: Record<string, Fill> = {
  members: (bytes) => `{${filled(bytes - 2, (index) => `"z${index}":1`)}}`,
  'members named by numbers': (bytes) => `{${filled(bytes - 2, (index) => `"${index * 65_537}":1`)}}`,
  'the same member': (bytes) => `{${filled(bytes - 2, () => '"tags":1')}}`,
  'near names': (bytes) => `{${filled(bytes - 2, (index) => `"customerI${index % 10}${index}":1`)}}`,
  'a long name over control characters': (bytes) =>
    `{"${'n'.repeat(bytes - 20_010)}":[${filled(20_000, () => '"\\u0001"')}]}`,
  objects: (bytes) => nested(bytes, '{"a":', '1', '}'),
}

const lists: Record<string, Fill> = {
  numbers: (bytes) => `[${filled(bytes - 2, () => '1')}]`,
  'equal texts': (bytes) => `[${filled(bytes - 2, () => '"banking:read"')}]`,
  'different texts': (bytes) => `[${filled(bytes - 2, (index) => `"t${index}"`)}]`,
  'empty lists': (bytes) => `[${filled(bytes - 2, () => '[]')}]`,
  'lists in lists': (bytes) => nested(bytes, '[', '', ']'),
}

const texts: Record<string, Fill> = {
  letters: (bytes) => `"${'a'.repeat(bytes - 2)}"`,
  'digits and signs': (bytes) => `"${'0@ .-'.repeat(Math.floor((bytes - 2) / 5))}"`,
  'escaped quotes': (bytes) => `"${'\\"'.repeat(Math.floor((bytes - 2) / 2))}"`,
  'escaped control characters': (bytes) => `"${'\\u0001'.repeat(Math.floor((bytes - 2) / 6))}"`,
  'wide characters': (bytes) => `"${'漢'.repeat(Math.floor((bytes - 2) / 3))}"`,
  'a long number': (bytes) => '9'.repeat(bytes),
}

function nested(bytes: number, open: string, inner: string, close: string): string {
  const depth = Math.floor((bytes - inner.length) / (open.length + close.length))
  return open.repeat(depth) + inner + close.repeat(depth)
}

const made = new Map<Fill, Map<number, Buffer>>()

/** The same bytes serve every operation: to make them takes longer than to judge them. */
function bytesOf(fill: Fill, bytes: number): Buffer {
  const bySize = made.get(fill) ?? new Map<number, Buffer>()
  made.set(fill, bySize)
  const found = bySize.get(bytes) ?? Buffer.from(fill(bytes))
  bySize.set(bytes, found)
  return found
}

/** The rest of `objects` is sent as members that are objects. */
const wholeBodies = Object.entries({ ...objects, ...lists }).filter(([name]) =>
  ['members', 'a long name over control characters', 'numbers', 'lists in lists'].includes(name),
)

/** The limits of bodies past 1 MiB that an operation was attacked at. */
const reached = new Set<number>()

/** The limit itself for the first operation that has it: a body past 1 MiB is judged by the same code as one of 1 MiB. */
function sizeWithin(limit: number): number {
  if (limit > MIB && reached.has(limit)) return MIB
  reached.add(limit)
  return limit
}

/** Schemas of members that an earlier operation was attacked by. */
const attacked = new Set<string>()

/**
 * Whether a member is judged by the same code as that of an earlier operation: it has the same schema, whose limit such a
 * member passes.
 */
function isKnown({ description, examples, ...schema }: Schema & { description?: string; examples?: unknown }): boolean {
  const text = JSON.stringify(schema)
  if (!/"(maxLength|maxItems|maxProperties|pattern|enum|const)":/.test(text)) return false
  const isKnownNow = attacked.has(text)
  attacked.add(text)
  return isKnownNow
}

function bodyAttacks(schema: Schema, limit: number, all: boolean): Attack[] {
  const attacks = wholeBodies.map(
    ([name, fill]): Attack => ({ name, body: bytesOf(fill, all ? limit : sizeWithin(limit)) }),
  )
  for (const [member, inner] of Object.entries(schema.properties ?? {})) {
    if (!all && isKnown(inner)) continue
    const [start, end] = [Buffer.from(`{"${member}":`), Buffer.from('}')]
    // A body past 1 MiB is judged by the same code as one of 1 MiB, whatever member it fills.
    for (const [name, fill] of Object.entries(fillsOf(inner))) {
      attacks.push({ name: `${member}: ${name}`, body: Buffer.concat([start, bytesOf(fill, MIB - 256), end]) })
    }
  }
  return attacks
}

/** The fills that fit the member's type: a wrong type ends the judgement at once. */
function fillsOf(schema: Schema): Record<string, Fill> {
  if (schema.anyOf) return Object.assign({}, ...schema.anyOf.map(fillsOf))
  if (schema.type === 'array') return lists
  if (schema.type === 'object') return objects
  if (schema.type !== 'string') return {}
  const { letters, 'digits and signs': digits, ...others } = texts
  return schema.pattern ? { letters: letters as Fill, digits: digits as Fill } : others
}

const unknownParameters = filled(MAX_URL, (index) => `z${index}`).replaceAll(',', '&')

function queryAttacks(schema: Schema): Attack[] {
  const full = (text: string) => text.repeat(Math.floor(MAX_URL / text.length))
  const attacks: Attack[] = [
    { name: 'unknown parameters', search: unknownParameters },
    { name: 'broken escapes', search: full('%f&') },
    { name: 'a long name', search: full('n') },
    { name: 'the same parameter', search: full('limit=1&') },
  ]
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.type === 'integer' || property.type === 'boolean') continue
    const parts = 'x-clause' in property ? ['a,', '(', '"', '1 ', "'", ' AND NOT ('] : ['a,']
    for (const part of parts) {
      attacks.push({
        name: `${name}=${part}…`,
        search: `${name}=${full(encodeURIComponent(part).replaceAll("'", '%27'))}`,
      })
    }
  }
  return attacks
}

/** Asks a service for a probe again and again, from a thread of its own. */
export interface Pulse {
  /** The longest time in milliseconds that an answer took since the last call, or since the start. */
  slowest(): Promise<number>
  stop(): Promise<void>
}

/**
 * Only /readyz may answer 503. With the process of the service, the time is that of its first thread, for which other programs
 * do not count; on a system that does not know it, and without a process, it is that of the clock.
 */
export async function takePulse(url: string, path: '/livez' | '/readyz' = '/livez', pid?: number): Promise<Pulse> {
  const statuses = path === '/livez' ? [200] : [200, 503]
  const spent = `/proc/${pid}/task/${pid}/schedstat`
  const workerData = { url: url + path, statuses, spent: existsSync(spent) && spent }
  const worker = new Worker(pulseCode, { eval: true, workerData })
  await once(worker, 'message')
  return {
    async slowest() {
      worker.postMessage('report')
      const [ms] = (await once(worker, 'message')) as [number]
      return ms
    },
    stop: async () => void (await worker.terminate()),
  }
}

/** An answer every 50 ms, and one more for each report, so that a report is not waited for. */
const pulseCode = `
const { parentPort, workerData } = require('node:worker_threads')
const { readFileSync } = require('node:fs')
// The first number is the time that the thread has had the processor, in nanoseconds.
const nowMs = () => workerData.spent ? Number.parseInt(readFileSync(workerData.spent, 'utf8')) / 1e6 : performance.now()
let slowest = 0
let report = false
let pause
parentPort.on('message', () => {
  report = true
  if (pause === undefined) return
  clearTimeout(pause)
  beat()
})
async function beat() {
  pause = undefined
  const started = nowMs()
  const status = await fetch(workerData.url).then((reply) => reply.arrayBuffer().then(() => reply.status), () => 0)
  slowest = Math.max(slowest, workerData.statuses.includes(status) ? nowMs() - started : Infinity)
  if (report) {
    report = false
    parentPort.postMessage(slowest)
    slowest = 0
  }
  pause = setTimeout(beat, 50)
}
beat().then(() => { slowest = 0; parentPort.postMessage('ready') })
`
