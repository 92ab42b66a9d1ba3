import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { Purser, sign } from '../../../client/src/index.ts'
import document from '../../../openapi.json' with { type: 'json' }
import { exampleText, variablesOf } from '../../../scripts/client/examples.ts'
import { type ApiDocument, operationTypes } from '../../../scripts/client/types.ts'
import harvested from '../../../src/http/openapi/examples.json' with { type: 'json' }
import { operations } from '../../../src/operations.ts'
import { importSamples } from '../../support/examples/compile.ts'
import { type Told, tellAll, WEBHOOK_URL } from '../../support/examples/harvest.ts'
import { type Asked, openRecorder, type Recorder } from '../../support/examples/recorder.ts'
import { root } from '../../support/harness.ts'

type Example = (scope: Record<string, unknown>) => Promise<void>

const folder = join(root, 'client/src')
/** The call of every operation. The comments show those that have a body. */
const calls = operations.map((operation) => {
  const types = operationTypes(operation, document as unknown as ApiDocument)
  return { text: exampleText(operation, types), hasBody: types.body !== undefined }
})
const generated = examplesIn(join(folder, 'generated/resources.ts'))
const written = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .flatMap((name) => examplesIn(join(folder, name)))

/** The variables of hand-written examples, with their types. */
const writtenScope = {
  accountId: 'string',
  counterpartyAccountId: 'string',
  apiKey: 'string',
  secret: 'string',
  lastSequence: 'number',
  signal: 'AbortSignal',
  event: 'Event',
  request: 'Request',
}

let compiled: { byName: Record<string, Example>; others: Example[] }
beforeAll(async () => {
  const byName = calls.map(({ text }) => `  '${nameIn(text)}': ${functionText(text, variableTypes(nameIn(text)))},\n`)
  const others = written.map((text) => `  ${functionText(text, writtenScope)},\n`)
  compiled = await importSamples(
    `import { type Event, isProblem, Purser, sign, unwrap } from 'purser-client'\n\n` +
      `export const byName = {\n${byName.join('')}}\nexport const others = [\n${others.join('')}]\n`,
  )
})

describe('the examples in the comments', () => {
  test('there is one for every method that takes a body', () => {
    const names = calls.filter(({ hasBody }) => hasBody).map(({ text }) => nameIn(text))
    expect(generated.map(nameIn).toSorted()).toEqual(names.toSorted())
    expect(generated.length).toBeGreaterThan(70)
    expect(written.length).toBeGreaterThan(8)
  })

  test('each succeeds against a bank, and so does the call of every other method', async () => {
    await tellAll(exampleRecorder, async (told) => {
      expect(told.recorder.examples.size).toBe(operations.length)
      for (const [at, run] of compiled.others.entries()) await runWritten(run, written[at] ?? '', told)
    })
  })
})

/** The code of the examples in a file's comments. */
function examplesIn(path: string): string[] {
  const comments = readFileSync(path, 'utf8').match(/\/\*\*[\s\S]*?\*\//g) ?? []
  return comments.flatMap((comment) => {
    const text = comment.replace(/^\s*\*\/?( |$)/gm, '').replace(/\*\/$/, '')
    return text.split('@example\n').slice(1)
  })
}

/** The method that an example calls: `payments.create`. */
function nameIn(text: string): string {
  return /purser\.([\w.]+)\(/.exec(text)?.[1] ?? ''
}

function variableTypes(name: string): Record<string, string> {
  const { id } = operations.find(({ resource, verb }) => `${resource}.${verb}` === name) ?? { id: '' }
  const { request } = (harvested as Record<string, { request: object }>)[id] ?? { request: {} }
  return Object.fromEntries(Object.entries(variablesOf(request)).map(([each, value]) => [each, typeof value]))
}

/** A function with the example in a block of its own, in which it may declare what it likes. */
function functionText(text: string, variables: Record<string, string>): string {
  const types = { purser: 'Purser', console: `Pick<Console, 'log'>`, ...variables }
  const parameters = Object.entries(types).map(([name, type]) => `${name}: ${type}`)
  return `async ({ ${Object.keys(types).join(', ')} }: { ${parameters.join('; ')} }) => {{\n${text}\n}}`
}

/** A recorder that runs the example of an operation in place of its first call. */
async function exampleRecorder(bank: Told['bank'], consumer: Told['consumer']): Promise<Recorder> {
  const plain = openRecorder(bank)
  const url = await bank.app.listen({ port: 0, host: '127.0.0.1' })
  const call = async (id: string, asked: Asked = {}) => {
    if (plain.examples.has(id)) return plain.call(id, asked)
    const { key = plain.key(), ...request } = asked
    plain.examples.set(id, { request })
    const answers: Response[] = []
    const recordingFetch = async (address: unknown, init: RequestInit) => {
      const body = init.body && String(init.body).replaceAll(WEBHOOK_URL, consumer.url)
      const response = await fetch(String(address), { ...init, ...(body && { body }) })
      answers.push(response.clone())
      return response
    }
    const purser = new Purser({ url, apiKey: key, fetch: recordingFetch as typeof fetch })
    await runNamed(id, { purser, console: { log: () => undefined }, ...variablesOf(request) })
    const [first] = answers
    return first?.headers.get('content-type')?.includes('json')
      ? ((await first.json()) as { data: unknown }).data
      : undefined
  }
  return { ...plain, call }
}

async function runNamed(id: string, scope: Record<string, unknown>): Promise<void> {
  const { resource, verb } = operations.find((each) => each.id === id) ?? {}
  try {
    await compiled.byName[`${resource}.${verb}`]?.(scope)
  } catch (cause) {
    throw new Error(`the example of ${resource}.${verb} fails`, { cause })
  }
}

/** Runs a hand-written example in the bank of the story. A loop that would go on ends with its first line of output. */
async function runWritten(run: Example, text: string, { bank, recorder, world }: Told): Promise<void> {
  const apiKey = recorder.key()
  const { port } = bank.app.server.address() as { port: number }
  const purser = new Purser({ url: `http://127.0.0.1:${port}`, apiKey })
  const secret = `whsec_${btoa('a secret of twenty-four bytes')}`
  const [event] = (await purser.events.list({ type: ['payment.returned'] }).page()).data
  if (!event) throw new Error('the story returns no payment')
  const request = new Request('https://app.test/webhooks', {
    method: 'POST',
    headers: await sign(event, secret),
    body: JSON.stringify(event),
  })
  const ended = new AbortController()
  const lines: unknown[][] = []
  const log = (...line: unknown[]) => {
    lines.push(line)
    ended.abort()
  }
  const ids = { accountId: world.account, counterpartyAccountId: world.externalAccount }
  const scope = {
    purser,
    console: { log },
    apiKey,
    secret,
    event,
    request,
    ...ids,
    lastSequence: 0,
    signal: ended.signal,
  }
  await run(scope).catch((cause) => {
    throw new Error(`this example fails:\n${text}`, { cause })
  })
  expect(lines.length, text).toBe(text.includes('console.log') ? 1 : 0)
}
