import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { operationCommands } from '../../../cli/generated/operations.ts'
import { operations as table } from '../../../client/src/index.ts'
import { operations } from '../../../src/operations.ts'
import { recordsIn, runHere, shellWords } from '../../support/examples/command.ts'
import { type Told, tellAll, WEBHOOK_URL } from '../../support/examples/harvest.ts'
import { type Asked, openRecorder, type Recorder } from '../../support/examples/recorder.ts'

const folder = mkdtempSync(join(tmpdir(), 'purser-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the example of every command succeeds against a bank', async () => {
  await tellAll(commandRecorder, async ({ recorder }) => {
    expect(recorder.examples.size).toBe(operations.length)
  })
})

/** A recorder that runs the example of an operation's command in place of its first call. */
async function commandRecorder(bank: Told['bank'], consumer: Told['consumer']): Promise<Recorder> {
  const plain = openRecorder(bank)
  const url = await bank.app.listen({ port: 0, host: '127.0.0.1' })
  const call = async (id: string, asked: Asked = {}) => {
    if (plain.examples.has(id)) return plain.call(id, asked)
    const { key = plain.key(), ...request } = asked
    plain.examples.set(id, { request })
    const { example = '' } = operationCommands.find((each) => each.id === id) ?? {}
    const words = shellWords(example.replaceAll(WEBHOOK_URL, consumer.url), variablesOf(request))
    const { body } = request as { body?: { file?: string } }
    const placed = words.map((word, at) => (words[at - 1] === '--file' ? join(folder, word) : word))
    if (body?.file) writeFileSync(placed[words.indexOf('--file') + 1] ?? '', body.file, 'base64')
    const { code, output, errors } = await runHere(placed, { PURSER_URL: url, PURSER_API_KEY: key })
    expect({ code, errors }, example).toEqual({ code: 0, errors: '' })
    const gives = table[id as keyof typeof table][4]
    if (gives === 'nothing') expect(output).toBe('')
    if (gives === 'file') expect(output).toMatch(beginnings[id] ?? /^%PDF/)
    if (gives === 'nothing' || gives === 'file') return undefined
    const records = recordsIn(output)
    return gives === 'list' ? records : records[0]
  }
  return { ...plain, call }
}

/** How the files of operations begin, if they are no PDF. */
const beginnings: Record<string, RegExp> = {
  getReviewDocumentContent: /^.PNG/,
  getAchFileContent: /^101 /,
  exportList: /^id,type,/,
}

/** The members of a request as variables of a shell: `accountId` is `ACCOUNT_ID`. */
function variablesOf(value: object): Record<string, string> {
  const variables: Record<string, string> = {}
  for (const [name, member] of Object.entries(value)) {
    const isRecord = typeof member === 'object' && member !== null
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
    variables[snake] = isRecord ? JSON.stringify(member) : String(member)
    if (isRecord) Object.assign(variables, variablesOf(member))
  }
  return variables
}
