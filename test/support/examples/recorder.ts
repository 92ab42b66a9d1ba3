import { createHash } from 'node:crypto'
import type { Operation } from '../../../src/base/operation.ts'
import { operations } from '../../../src/operations.ts'
import type { TestBank } from '../harness.ts'
import { type Sample, urlOf } from '../schemas/samples.ts'

/** A request and its answer. */
export interface Example {
  request: Partial<Sample>
  /** Absent if the answer is no JSON. */
  response?: unknown
}

export interface Asked extends Partial<Sample> {
  key?: string
}

/** Calls operations of a bank by their id, and keeps the first call of each as its example. */
export interface Recorder {
  /** Calls an operation, which must succeed, and returns its data. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
  call(id: string, asked?: Asked): Promise<any>
  /** The key of the calls that name none. */
  key(): string
  useKey(key: string): void
  examples: Map<string, Example>
}

export function openRecorder(bank: Pick<TestBank, 'call' | 'key'>): Recorder {
  const examples = new Map<string, Example>()
  const calls = new Map<string, number>()
  let own = bank.key
  return {
    examples,
    key: () => own,
    useKey: (key) => {
      own = key
    },
    call: async (id, { key = own, ...sample } = {}) => {
      const { method, path, status: expected } = operationNamed(id)
      const { params = {}, query = {}, body } = sample
      const url = urlOf(path, { params, query })
      const number = (calls.get(id) ?? 0) + 1
      calls.set(id, number)
      const headers = { 'x-request-id': requestId(`${id} ${number}`) }
      const { status, json, text } = await bank.call(method, url, { key, headers, ...(body && { body }) })
      if (status !== expected) throw new Error(`${id}: ${method} ${url} answered ${status}: ${text}`)
      if (!examples.has(id)) examples.set(id, { request: sample, ...(json && { response: json }) })
      return json?.data
    },
  }
}

/** A request id in the form of the service's own, which is the same at every run. */
function requestId(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

function operationNamed(id: string): Operation {
  const operation = operations.find((each) => each.id === id)
  if (!operation) throw new Error(`there is no operation ${id}`)
  return operation
}
