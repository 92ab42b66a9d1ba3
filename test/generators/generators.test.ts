import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../support/harness.ts'

const run = promisify(execFile)
const tools = join(import.meta.dirname, 'node_modules')
const document = join(root, 'openapi.json')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-generators-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a tool of this folder and returns everything that it printed. */
async function printed(script: string, ...parameters: string[]): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [join(tools, script), ...parameters], { cwd: folder })
  return stdout + stderr
}

/** The compiler's complaints about a file; empty where there are none. */
async function complaints(file: string): Promise<string> {
  const settings = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext', file]
  return printed('typescript/bin/tsc', ...settings).catch(({ stdout }: { stdout: string }) => stdout)
}

/** Assertions on the generated types: a line of this file that does not hold is an error of the compiler. */
const assertions = `
import type { components, operations, webhooks } from './openapi.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Schemas = components['schemas']
const holds = <_T extends true>() => undefined

// Enumerations are literals.
holds<Equal<Schemas['DepositAccount']['status'], 'Open' | 'Frozen' | 'Closed'>>()
// Tags are texts by name.
holds<Equal<Schemas['Tags'], { [key: string]: string }>>()
// A union of bodies is narrowed by its type.
declare const card: Schemas['CreateCardRequest']
if (card.type === 'individualDebitCard') holds<Equal<typeof card.shippingAddress, Schemas['MailingAddressInput']>>()
// @ts-expect-error a physical card needs an address to be shipped to
const unshipped: Schemas['CreateCardRequest'] = { type: 'individualDebitCard', accountId: '1' }
// An event is narrowed by its type.
declare const event: Schemas['Event']
if (event.type === 'payment.returned') holds<Equal<typeof event.data, Schemas['Payment']>>()
// Webhooks have the same events.
type Posted = webhooks['transaction.created']['post']['requestBody']['content']['application/json']
holds<Equal<Posted['data'], Schemas['Transaction']>>()
// Answers and problems have names.
type Answers = operations['createPayment']['responses']
holds<Equal<Answers[201]['content']['application/json']['data'], Schemas['Payment']>>()
holds<Equal<Answers[401]['content']['application/json'], Schemas['Problem']>>()
export { unshipped }
`

describe('openapi-typescript', () => {
  test('generates without a warning, and its types are exact', async () => {
    const types = join(folder, 'openapi.d.ts')
    expect(await printed('openapi-typescript/bin/cli.js', document, '-o', types)).not.toMatch(/warn|error/i)
    await writeFile(join(folder, 'assertions.ts'), assertions)
    expect(await complaints(join(folder, 'assertions.ts'))).toBe('')
  })

  test('leaves no schema unknown', async () => {
    const text = await readFile(join(folder, 'openapi.d.ts'), 'utf8')
    const all = text.slice(text.indexOf('    schemas: {'), text.indexOf('    responses: {'))
    // A JSON Schema is data of any form.
    const schemas = all.replace(/JsonSchema: \{\s*\[key: string\]: unknown;\s*\};/, '')
    expect(schemas).not.toBe(all)
    const untyped = schemas.split('\n').filter((line) => /: (unknown|never|Record<string, never>);/.test(line))
    expect(untyped).toEqual([])
  })
})

describe('@hey-api/openapi-ts', () => {
  test('generates without a warning, and its output compiles', async () => {
    const output = join(folder, 'hey')
    expect(await printed('@hey-api/openapi-ts/bin/run.js', '-i', document, '-o', output)).not.toMatch(/warn|error/i)
    expect(await complaints(join(output, 'types.gen.ts'))).toBe('')
  })
})

describe('openapi-python-client', () => {
  const python = 'python3'
  const present = run(python, ['-c', 'import openapi_python_client']).then(
    () => true,
    () => false,
  )

  test('generates without a warning, where it is installed', async (context) => {
    if (!(await present)) context.skip('pip install openapi-python-client ruff')
    const settings = join(folder, 'python.yml')
    // The generator reads a file of another media type as bytes only by this setting.
    await writeFile(settings, 'content_type_overrides:\n  application/pdf: application/octet-stream\n')
    const parameters = ['-m', 'openapi_python_client', 'generate', '--path', document, '--config', settings]
    const { stdout, stderr } = await run(python, parameters, { cwd: folder })
    expect(stdout + stderr).not.toMatch(/warning|error|skipping/i)
  })
})
