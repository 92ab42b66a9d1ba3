import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { operationCommands } from '../../../cli/generated/operations.ts'
import { type OperationId, Purser, operations as table } from '../../../client/src/index.ts'
import { type Language, languages, type SnippetInput, snippet } from '../../../ground/snippets.ts'
import { operations } from '../../../src/operations.ts'
import { recordsIn, runHere, shellWords } from '../../support/examples/command.ts'
import { importSamples } from '../../support/examples/compile.ts'
import { addCurl, statusesSeen } from '../../support/examples/curl.ts'
import { onStage, tellTo } from '../../support/examples/harvest.ts'
import { type Asked, openRecorder, type Recorder } from '../../support/examples/recorder.ts'
import type { TestBank } from '../../support/harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'purser-snippets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a snippet against a service and returns the data that it prints: one record, or the records of a list. */
type Runner = (text: string, run: Run) => Promise<unknown[]>

const runners: Record<Language, Runner> = { curl: runCurl, TypeScript: runClient, purser: runCommand }

// About 500 programs and calls: a busy machine takes minutes.
test('every snippet of every operation succeeds against a bank', { timeout: 400_000 }, async () => {
  const typescript: string[] = []
  await onStage(async (stage) => {
    const url = await stage.bank.app.listen({ port: 0, host: '127.0.0.1' })
    for (const language of languages) {
      const recorder = snippetRecorder(stage.bank, url, language, typescript)
      await tellTo(recorder, stage)
      expect(recorder.examples.size, language).toBe(operations.length)
    }
  })
  const functions = typescript.map((text) => `async (purser: Purser) => {\n${text}\n},\n`)
  await importSamples(`import type { Purser } from 'purser-client'\n\nexport const all = [\n${functions.join('')}]\n`)
})

test('the members whose flags take JSON or a path are those of the commands', () => {
  const named = (kind: string) => {
    const flags = operationCommands.flatMap((each) => each.flags.filter((flag) => flag[1] === kind))
    return [...new Set(flags.map(([path]) => path))].toSorted()
  }
  expect({ json: named('json'), file: named('file') }).toEqual({ json: ['headers', 'tags'], file: ['file'] })
  const upload = { params: { applicationId: '1', documentId: '2' }, body: { file: 'aGk=', contentType: 'image/png' } }
  expect(snippet('purser', table.uploadDocumentFront, upload, '')).toBe(
    `purser applications upload-document-front 1 2 -d '{"file":"aGk=","contentType":"image/png"}'`,
  )
})

test('texts with quotes, hyphens and line breaks stay one word', () => {
  const record = { params: { type: 'payment', id: '-1' } }
  expect(snippet('purser', table.lookUpRecord, record, '')).toBe('purser lookup get -- payment -1')
  const payment = { params: { accountId: `a'b` }, body: { description: `it's\n"so"`, amount: -1, tags: { a: '$x' } } }
  expect(snippet('purser', table.createPayment, payment, '')).toBe(
    `purser payments create 'a'\\''b' --description 'it'\\''s\n"so"' --amount=-1 --tags '{"a":"$x"}'`,
  )
  expect(snippet('TypeScript', table.createPayment, payment, '')).toBe(
    `console.log(await purser.payments.create('a\\'b', { description: 'it\\'s\\n"so"', amount: -1, tags: { a: '$x' } }))`,
  )
  expect(snippet('curl', table.createPayment, payment, 'http://127.0.0.1:4000')).toContain(
    `/accounts/a'\\''b/payments' \\\n  -H "X-Service-API-Key: $PURSER_API_KEY"`,
  )
})

/** A recorder that runs the snippet of an operation in place of its first call. */
function snippetRecorder(bank: TestBank, url: string, language: Language, typescript: string[]): Recorder {
  const plain = openRecorder(bank)
  const call = async (id: string, asked: Asked = {}) => {
    if (plain.examples.has(id)) return plain.call(id, asked)
    const { key = plain.key(), ...request } = asked
    plain.examples.set(id, { request })
    const text = snippet(language, table[id as OperationId], request as SnippetInput, url)
    if (language === 'TypeScript') typescript.push(text)
    const gives = table[id as OperationId][4]
    const printed = await runners[language](text, { url, key, gives }).catch((cause) => {
      throw new Error(`this snippet of ${id} fails:\n${text}`, { cause })
    })
    expect(printed.length, text).toBeGreaterThanOrEqual(gives === 'record' ? 1 : 0)
    return gives === 'list' ? printed : printed[0]
  }
  return { ...plain, call }
}

const execute = promisify(execFile)
let seen = 0

interface Run {
  url: string
  key: string
  gives: (typeof table)[OperationId][4]
}

/** Runs a line with `curl` by a shell. The service answers from this process, which must not wait for it. */
async function runCurl(text: string, { key }: Run): Promise<unknown[]> {
  const programs = join(folder, 'bin')
  if (seen === 0) addCurl(programs)
  seen += 1
  const heads = join(folder, `seen-${seen}`)
  mkdirSync(heads)
  const environment = {
    PATH: `${programs}${delimiter}${process.env.PATH}`,
    PURSER_API_KEY: key,
    CURL_SEEN: heads,
  }
  const { stdout } = await execute('sh', ['-c', text], { env: environment, cwd: folder, maxBuffer: 2 ** 26 })
  const [status = 0] = statusesSeen(heads)
  if (status < 200 || status > 299) throw new Error(`it answered ${status}: ${stdout}`)
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.pdf'))
  if (file && stdout === '') {
    expect(readFileSync(join(folder, file), 'latin1')).toMatch(/^%PDF/)
    rmSync(join(folder, file))
  }
  return stdout === '' ? [] : [(JSON.parse(stdout) as { data: unknown }).data].flat()
}

async function runClient(text: string, { url, key }: Run): Promise<unknown[]> {
  const printed: unknown[] = []
  const purser = new Purser({ url, apiKey: key, retries: 0 })
  const body = new Function('purser', 'console', `return (async () => {\n${text}\n})()`)
  await body(purser, { log: (value: unknown) => printed.push(value) })
  return printed
}

async function runCommand(text: string, { url, key, gives }: Run): Promise<unknown[]> {
  const { code, output, errors } = await runHere(shellWords(text), { PURSER_URL: url, PURSER_API_KEY: key })
  expect({ code, errors }, text).toEqual({ code: 0, errors: '' })
  if (gives === 'file') expect(output).not.toBe('')
  return gives === 'file' ? [] : recordsIn(output)
}
