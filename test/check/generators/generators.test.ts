import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openapi30Of } from '../../../src/http/openapi/older-openapi.ts'
import { fileShownIn } from '../../house/blocks.ts'
import { root } from '../../support/harness.ts'

const run = promisify(execFile)
const tools = join(root, 'test/check/node_modules')
const document = join(root, 'openapi.json')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-generators-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a tool of a folder of packages and returns everything that it printed. */
async function printed(script: string, parameters: string[], packages = tools): Promise<string> {
  const { stdout, stderr } = await run(process.execPath, [join(packages, script), ...parameters], { cwd: folder })
  return stdout + stderr
}

/** The complaints of a compiler about a file, by default of the earliest one that users have; empty if there are none. */
async function complaints(file: string, packages = tools): Promise<string> {
  const settings = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext', file]
  return printed('typescript/bin/tsc', settings, packages).catch(({ stdout }: { stdout: string }) => stdout)
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

/** The client's types beside the generated ones: each is to be assignable to the other. */
const comparison = `
import type { components, operations } from './optional-defaults.js'
import type * as Client from './client.js'

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : 'the client is wider') : 'the client is narrower'
type Id = keyof operations & keyof Client.Operations
type Schemas = components['schemas']
type Json<T> = T extends { content: { 'application/json': infer Value } } ? Value : undefined
type Responses<I extends Id> = operations[I]['responses']
type Data<I extends Id> = Json<Responses<I>[(200 | 201 | 202) & keyof Responses<I>]> extends { data: infer Value } ? Value | Nothing<I> : never
// An operation without data answers a proposal if a second person has to approve it.
type Nothing<I extends Id> = 204 extends keyof Responses<I> ? undefined : never
type Body<I extends Id> = Json<NonNullable<operations[I]['requestBody']>>
type Query<I extends Id> = NonNullable<operations[I]['parameters']['query']>
type Part<I extends Id, Name extends string> = Client.Operations[I] extends { [N in Name]?: infer Value } ? NonNullable<Value> : undefined
const holds = <_T extends true>() => undefined
`

interface Described {
  operationId: string
  parameters?: { in: string }[]
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> }
  responses: Record<string, { content?: Record<string, unknown> }>
}

/** One line for each type that both have. The client has no aliases, and no body if it could only be empty. */
function comparisons(
  { components, paths }: { components: { schemas: object }; paths: Record<string, Record<string, Described>> },
  client: string,
): string[] {
  const exported = new Set([...client.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name))
  const schemas = Object.keys(components.schemas).filter((name) => exported.has(name))
  const described = Object.values(paths).flatMap((path) => Object.values(path))
  const known = described.filter(({ operationId: id }) => new RegExp(`^  ${id}: \\{$`, 'm').test(client))
  return [
    ...schemas.map((name) => `holds<Same<Schemas['${name}'], Client.${name}>>()`),
    ...known.flatMap(({ operationId: id, parameters = [], requestBody, responses }) => {
      const answers = Object.entries(responses).some(([status, { content }]) => status < '3' && isJson(content))
      const body = requestBody?.content['application/json']?.schema.$ref
      const takesBody = isJson(requestBody?.content) && !body?.endsWith('/EmptyRequest')
      const takesQuery = parameters.some((parameter) => parameter.in === 'query')
      return [
        ...(answers ? [`holds<Same<Data<'${id}'>, Client.Operations['${id}']['data']>>()`] : []),
        ...(takesBody ? [`holds<Same<Body<'${id}'>, Part<'${id}', 'body'>>>()`] : []),
        ...(takesQuery ? [`holds<Same<Query<'${id}'>, Part<'${id}', 'query'>>>()`] : []),
      ]
    }),
  ]
}

function isJson(content: Record<string, unknown> | undefined): boolean {
  return content !== undefined && 'application/json' in content
}

describe('openapi-typescript', () => {
  test('generates without a warning, and its types are exact', async () => {
    const types = join(folder, 'openapi.d.ts')
    expect(await printed('openapi-typescript/bin/cli.js', [document, '-o', types])).not.toMatch(/warn|error/i)
    await writeFile(join(folder, 'assertions.ts'), assertions)
    expect(await complaints(join(folder, 'assertions.ts'))).toBe('')
  })

  test('says the same as the client: every record, body, query and answer', async () => {
    const types = join(folder, 'optional-defaults.d.ts')
    // A member with a default may be left out of a request.
    await printed('openapi-typescript/bin/cli.js', [document, '-o', types, '--default-non-nullable=false'])
    const client = await readFile(join(root, 'client/src/generated/types.ts'), 'utf8')
    // The client takes values that may be added later as well.
    await writeFile(join(folder, 'client.ts'), client.replaceAll(' | (string & {})', ''))
    const checks = comparisons(JSON.parse(await readFile(document, 'utf8')), client)
    expect(checks.length).toBeGreaterThan(400)
    await writeFile(join(folder, 'comparisons.ts'), comparison + checks.join('\n'))
    // The types are the same for every compiler; that of the repository is the fastest.
    const faults = await complaints(join(folder, 'comparisons.ts'), join(root, 'node_modules'))
    const lines = [...faults.matchAll(/comparisons\.ts\((\d+),/g)].map(([, line]) => Number(line))
    const text = (comparison + checks.join('\n')).split('\n')
    expect(lines.map((line) => text[line - 1])).toEqual([])
    expect(faults).toBe('')
  })

  test('leaves no schema unknown', async () => {
    const text = await readFile(join(folder, 'openapi.d.ts'), 'utf8')
    const all = text.slice(text.indexOf('    schemas: {'), text.indexOf('    responses: {'))
    // A JSON Schema, the body of the request that a proposal holds, and the data of an event are data of any form.
    const schemas = all.replace(/(JsonSchema|body|detail): \{\s*\[key: string\]: unknown;\s*\}/g, '')
    expect(schemas).not.toBe(all)
    const untyped = schemas.split('\n').filter((line) => /: (unknown|never|Record<string, never>);/.test(line))
    expect(untyped).toEqual([])
  })
})

describe('@hey-api/openapi-ts', () => {
  test('generates without a warning, and its output compiles', async () => {
    const output = join(folder, 'hey')
    expect(await printed('@hey-api/openapi-ts/bin/run.js', ['-i', document, '-o', output])).not.toMatch(/warn|error/i)
    expect(await complaints(join(output, 'types.gen.ts'))).toBe('')
  })
})

describe('openapi-python-client', () => {
  const python = 'python3'
  const present = run(python, ['-c', 'import openapi_python_client']).then(
    () => true,
    () => false,
  )

  test('generates without a warning, if it is installed', async (context) => {
    if (!(await present)) context.skip('pip install openapi-python-client ruff')
    const settings = join(folder, 'python.yml')
    // The generator reads a file of another media type as bytes only by this setting.
    await writeFile(settings, 'content_type_overrides:\n  application/pdf: application/octet-stream\n')
    const parameters = ['-m', 'openapi_python_client', 'generate', '--path', document, '--config', settings]
    const { stdout, stderr } = await run(python, parameters, { cwd: folder })
    expect(stdout + stderr).not.toMatch(/warning|error|skipping/i)
  })
})

describe('the document in OpenAPI 3.0', () => {
  let older: string
  beforeAll(async () => {
    older = join(folder, 'openapi-3.0.json')
    await writeFile(older, JSON.stringify(openapi30Of(JSON.parse(await readFile(document, 'utf8')))))
  })

  test('is valid, and openapi-typescript generates from it without a warning', async () => {
    const types = join(folder, 'openapi-3.0.d.ts')
    expect(await printed('openapi-typescript/bin/cli.js', [older, '-o', types])).not.toMatch(/warn|error/i)
    expect(await complaints(types)).toBe('')
  })

  test('makes a Go client of less than 40,000 lines that the guide’s program compiles with', async ({ skip }) => {
    const isInstalled = await Promise.all(['oapi-codegen', 'go'].map((name) => run('which', [name]))).catch(
      () => undefined,
    )
    if (!isInstalled) return skip('oapi-codegen or go is not installed')
    const place = await mkdtemp(join(folder, 'go-'))
    const page = await readFile(join(root, 'docs/other-languages.md'), 'utf8')
    for (const name of ['oapi-codegen.yaml', 'main.go']) {
      await writeFile(join(place, name), fileShownIn(page, name))
    }
    const settings = fileShownIn(page, 'oapi-codegen.yaml')
    const withoutChoice = settings.replace(/^ *exclude-tags: .*\n/m, '')
    expect(withoutChoice).not.toBe(settings)
    await writeFile(join(place, 'complete.yaml'), withoutChoice.replaceAll('purser', 'complete'))
    for (const [name, config] of [
      ['purser', 'oapi-codegen.yaml'],
      ['complete', 'complete.yaml'],
    ] as const) {
      await mkdir(join(place, name))
      await run('oapi-codegen', ['-config', config, older], { cwd: place })
    }
    const made = await readFile(join(place, 'purser/purser.go'), 'utf8')
    expect(made.split('\n').length).toBeLessThan(40_000)
    for (const words of [
      ['mod', 'init', 'example.com/app'],
      ['mod', 'tidy'],
      ['build', './...'],
    ]) {
      await run('go', words, { cwd: place })
    }
  }, 600_000)

  test('makes a Python client', async ({ skip }) => {
    const isInstalled = await run('which', ['openapi-python-client']).catch(() => undefined)
    if (!isInstalled) return skip('openapi-python-client is not installed')
    const made = join(folder, 'python')
    const { stdout } = await run('openapi-python-client', ['generate', '--path', older, '--output-path', made])
    // It knows no files other than octet streams, and leaves the answers of those operations out.
    const warned = [...stdout.matchAll(/^WARNING parsing (.*) within/gm)].map(([, operation]) => operation)
    expect(warned.filter((operation) => !/pdf|content/.test(operation ?? ''))).toEqual([])
    await run('python3', ['-m', 'compileall', '-q', made])
  }, 600_000)
})
