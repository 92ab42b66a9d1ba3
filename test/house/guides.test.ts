import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderWithPackages, installPackages, withSamples } from '../support/examples/compile.ts'
import { type FakeUnit, openFakeUnit } from '../support/fakes/unit.ts'
import { root } from '../support/harness.ts'
import { openBrowsers } from '../support/people/browsers.ts'
import { operate } from '../support/run/command-line.ts'
import { endServices, preparedDataDir, type Service, startService } from '../support/service.ts'
import { type Block, blocksOf } from './blocks.ts'
import { unknownCommands } from './commands.ts'
import { faultsOf, MARK, type Surroundings, samplesOf } from './session.ts'
import { lineDifferences } from './shown.ts'

/*
 * The guides' convention. The blocks of session.ts are run in one session on a terminal, each guide in an organisation of its
 * own. `json` and `text` after a block show its output. Blocks with the name of a file are that file; `instead` after the name
 * marks an alternative, with which the session runs again. `sh start` names scripts of
 * package.json, and commands of docs/cli.md.
 */

const folder = join(root, 'docs/guides')
const guides = readdirSync(folder).filter((name) => name.endsWith('.md'))
const textOf = (guide: string) => readFileSync(join(folder, guide), 'utf8')

/** The folder of the readers, inside one where the frameworks of the receivers are found. */
let home: string
let service: Service
let unit: FakeUnit

beforeAll(async () => {
  home = join(folderWithPackages(), 'home')
  installPackages(home)
  unit = await openFakeUnit()
  service = await startService({ PURSER_DATA_DIR: await preparedDataDir() })
})
afterAll(async () => {
  await endServices()
  await unit?.close()
  if (home) rmSync(dirname(home), { recursive: true, force: true })
})

/** Guides with a service of their own. */
const own = ['unit.md', 'ach-returns.md', 'close-a-day.md', 'going-live.md', 'move-out.md', 'two-signatures.md']

describe('docs/guides', () => {
  test.each(guides)('%s has the form that listings need, and blocks that are all checked', (guide) => {
    const text = textOf(guide)
    const [title, about, after] = text.split('\n\n')
    expect(title).toMatch(/^# [^\n]+$/)
    expect(about).toMatch(/^[A-Z`][^.]*(\.\w[^.]*)*\.$/)
    expect(after).toBeDefined()
    const lines = text.split('\n').length - 1
    expect(lines).toBeGreaterThanOrEqual(80)
    expect(lines).toBeLessThanOrEqual(200)
    expect(uncheckedBlocks(blocksOf(text))).toEqual([])
    expect(brokenLinks(text)).toEqual([])
    expect(commonJsFiles(text)).toEqual([])
    expect(missingPackages(text)).toEqual([])
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`(docs/guides/${guide})`)
  })

  test.each(guides.filter((guide) => !own.includes(guide)))('%s does what it shows', async (guide) => {
    expect(await faultsIn(guide, service, () => keyOfReader(service))).toEqual([])
  })

  test('ach-returns.md does what it shows', async () => {
    const [start] = blocksOf(textOf('ach-returns.md')).filter(({ info }) => info === 'sh start')
    const rail = await startService({ ...settingsIn(start?.text ?? ''), PURSER_DATA_DIR: await preparedDataDir() })
    expect(await faultsIn('ach-returns.md', rail, () => keyOfReader(rail))).toEqual([])
  })

  test('close-a-day.md does what it shows', async () => {
    const [start] = blocksOf(textOf('close-a-day.md')).filter(({ info }) => info === 'sh start')
    const { privateKey } = generateKeyPairSync('ed25519')
    const closing = await startService({
      ...settingsIn(start?.text ?? ''),
      PURSER_CLOSING_KEY: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
      PURSER_DATA_DIR: await preparedDataDir(),
    })
    expect(await faultsIn('close-a-day.md', closing, async () => closing.key)).toEqual([])
  })

  test('going-live.md does what it shows', async () => {
    const [start] = blocksOf(textOf('going-live.md')).filter(({ info }) => info === 'sh start')
    const port = await freePort()
    const settings = settingsIn((start?.text ?? '').replaceAll('3000', String(port)))
    const asking = await startService({ ...settings, PURSER_DATA_DIR: await preparedDataDir() })
    expect(await faultsIn('going-live.md', asking, () => keyOfReader(asking), port)).toEqual([])
  })

  test('move-out.md does what it shows', async () => {
    const former = await startService({ PURSER_DATA_DIR: await preparedDataDir() })
    expect(await faultsIn('move-out.md', former, async () => former.key)).toEqual([])
  })

  test('two-signatures.md does what it shows', async () => {
    const [start] = blocksOf(textOf('two-signatures.md')).filter(({ info }) => info === 'sh start')
    const dataDir = await preparedDataDir()
    // The reader has invited the persons before the start.
    await operate(['people', 'invite', 'Ada Lovelace', '--role', 'risk', '--data-dir', dataDir], {})
    const signed = await startService({ ...settingsIn(start?.text ?? ''), PURSER_DATA_DIR: dataDir })
    const browsers = await openBrowsers(signed)
    const bank = { ...signed, browser: browsers.url }
    expect(await faultsIn('two-signatures.md', bank, async () => signed.key)).toEqual([])
    await browsers.close()
  })

  test('unit.md does what it shows', async () => {
    const [start, shown] = blocksOf(textOf('unit.md')).filter(({ info }) => info === 'sh start' || info === 'text')
    const connected = await startService({
      ...settingsIn(start?.text ?? ''),
      PURSER_UNIT_URL: unit.url,
      PURSER_UNIT_TOKEN: unit.token,
      PURSER_DATA_DIR: await preparedDataDir(),
    })
    expect(
      lineDifferences(shown?.text ?? '', connected.output().replaceAll(unit.url, 'https://api.s.unit.sh')),
    ).toEqual([])
    const account = await connected.call('POST', '/v0/banking/accounts', {
      body: { customerId: unit.addCustomer().id },
    })
    unit.fund(account.json.data.id, 250_000)
    expect(await faultsIn('unit.md', connected, async () => connected.key)).toEqual([])
  })

  test('have the app and the receivers of examples/rent', () => {
    const example = (name: string) => readFileSync(join(root, 'examples/rent', name), 'utf8')
    const filesOf = (guide: string) => filesIn(blocksOf(textOf(guide)))
    expect(filesOf('testing.md')[0]?.get('rent.mjs')).toBe(example('rent.js'))
    const [express, fastify] = filesOf('webhooks.md')
    for (const [name, text] of [
      ['express', express?.get('server.mjs')],
      ['fastify', fastify?.get('server.mjs')],
      ['web', express?.get('route.mjs')],
    ]) {
      const handler = handlerLines(example(`webhooks/${name}.js`))
      expect(handler.length).toBeGreaterThan(5)
      expect(handlerLines(text ?? '')).toEqual(expect.arrayContaining(handler))
    }
  })

  test('the commands that start something are in package.json or docs/cli.md', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const blocks = guides.flatMap((guide) => blocksOf(textOf(guide))).filter(({ info }) => info === 'sh start')
    expect(blocks.flatMap(({ text }) => unknownCommands(text.replaceAll(/\\\n\s*/g, ''), scripts))).toEqual([])
  })
})

describe('a guide is found out', () => {
  const found = (...blocks: [info: string, text: string][]) =>
    faultsOfBlocks(
      blocks.map(([info, text]) => ({ info, text: `${text}\n` })),
      { folder: home, scratch: home, environment: {}, instead: [['localhost:4000', '127.0.0.1:9']], terminal: true },
    )

  test('when a block prints other lines than it shows', async () => {
    const blocks: [string, string][] = [
      ['sh', 'echo the id 1000001'],
      ['text', 'the id 1000002'],
      ['sh', 'echo 127.0.0.1:9; echo 12 ms; echo more'],
      ['text', 'localhost:4000\n3.5 ms\n…'],
      ['sh', 'echo 404'],
      ['text', '409'],
      ['sh', 'echo one; echo two'],
      ['text', 'one'],
    ]
    expect(await found(...blocks)).toEqual([
      expect.stringMatching(/^echo 404\n {2}shows\n409\n/),
      expect.stringMatching(/^echo one; echo two\n/),
    ])
  })

  test('when a command that is shown as refused succeeds, and when a program throws', async () => {
    expect(await found(['sh refused', 'false'], ['sh refused', 'true'])).toEqual([
      expect.stringContaining('it was not refused'),
    ])
    expect(await found(['ts', `throw new Error('no bank')`], ['ts', `console.log('later')`])).toEqual([
      expect.stringContaining('Error: no bank'),
    ])
  })

  test('when a block is neither run nor compared, or a link leads nowhere', () => {
    const block = (info: string): Block => ({ info, text: '' })
    expect(uncheckedBlocks([block('sh'), block('text'), block('js app.mjs')])).toEqual([])
    expect(uncheckedBlocks([block('bash'), block('js app.mjs'), block('text'), block('js')])).toHaveLength(3)
    expect(brokenLinks('# A page\n\n[self](#a-page) [kit](../testing.md#time)')).toEqual([])
    expect(brokenLinks('[none](none.md) [kit](../testing.md#none)')).toEqual(['none.md', '../testing.md#none'])
  })
})

/** The packages that a page imports and does not tell to install. The page of the client tells how to install both of Purser's. */
function missingPackages(text: string): string[] {
  const imported = [...text.matchAll(/^import .* from '([^'.:]+)'$/gm)].map(([, name = '']) => name)
  const others = imported.filter((name) => !/^purser(-client|\/testing)$/.test(name))
  return others.filter((name) => !text.includes(`npm install ${name}`))
}

/** The files of a guide that a new project would take for CommonJS; a page with blocks of a program has to name its file. */
function commonJsFiles(text: string): string[] {
  const named = [...text.matchAll(/`([\w-]+(?:\.\w+)*\.(?:[cm]?[jt]s))`/g)].map(([, name = '']) => name)
  const isNamed = !text.includes('```ts') || named.some((name) => name.endsWith('.mts'))
  return [...named.filter((name) => /\.[jt]s$/.test(name)), ...(isNamed ? [] : ['a program without a name'])]
}

/** The links of a guide to files or headings that do not exist. */
function brokenLinks(text: string): string[] {
  const anchorOf = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-')
  return [...text.matchAll(/\]\(((?!https:)[^)]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => {
      const [path = '', anchor] = link.split('#')
      const target = join(folder, path)
      if (path !== '' && !existsSync(target)) return true
      const page = path === '' ? text : anchor && readFileSync(target, 'utf8')
      const headings = [...(page || '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
      return anchor !== undefined && !headings.includes(anchor)
    })
}

/** The blocks that no test runs or compares. */
function uncheckedBlocks(blocks: Block[]): Block[] {
  const known = /^(sh|sh refused|sh lasting|sh start|ts|(js|json|yaml) \S+\.\w+( instead)?)$/
  const isRun = (block: Block | undefined) => /^(sh|ts)\b/.test(block?.info ?? '')
  return blocks.filter(({ info }, index) => {
    const isOutput = info === 'text' || info === 'json'
    return isOutput ? !isRun(blocks[index - 1]) : !known.test(info)
  })
}

/** The lines of a receiver. The example gets its list as a parameter, and says the types that it cannot infer. */
function handlerLines(text: string): string[] {
  return text
    .slice(text.search(/const app|try \{/))
    .replaceAll(/\/\*\* @type \{string\} \*\/ \((.*?)\)/g, '$1')
    .replaceAll('returned.receive(', 'receive(')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== 'return app')
}

/** The key of an organisation of its own. */
async function keyOfReader({ call }: Service): Promise<string> {
  const organisation = await call('POST', '/v0/sandbox/organisations', { body: { name: 'Reader' } })
  return organisation.json.data.apiKey.key
}

/** Runs a guide as it is, and with each alternative of its files, each time with a key of its own. */
async function faultsIn(
  guide: string,
  { url, dataDir, browser }: Service & Pick<Surroundings, 'browser'>,
  newKey: () => Promise<string>,
  ownPort?: number,
): Promise<string[]> {
  const blocks = blocksOf(textOf(guide))
  const faults: string[] = []
  for (const files of filesIn(blocks)) {
    const place = mkdtempSync(join(home, 'reader-'))
    const key = await newKey()
    mkdirSync(join(place, 'data'))
    writeFileSync(join(place, 'data/api-key'), key)
    writeFileSync(join(place, 'package.json'), JSON.stringify(madeByNpmInit))
    const port = ownPort ?? (await freePort())
    for (const [name, text] of files) writeFileSync(join(place, name), text.replaceAll('3000', String(port)))
    const surroundings: Surroundings = {
      folder: place,
      scratch: place,
      environment: { PURSER_URL: url, PURSER_API_KEY: key },
      instead: [
        ['localhost:4000', new URL(url).host],
        ['$PWD/bin', join(root, 'bin')],
        ['3000', String(port)],
        // The reader's folder has no database.
        ['purser offers import', `purser offers import --data-dir '${dataDir}'`],
        ['purser people invite', `purser people invite --data-dir '${dataDir}'`],
        ['purser keys create', `purser keys create --data-dir '${dataDir}'`],
        ['purser import former-bank', `purser import --data-dir '${dataDir}' former-bank`],
        ['purser organisations former-ids', `purser organisations former-ids --data-dir '${dataDir}'`],
        ['purser export organisation', `purser export organisation --data-dir '${dataDir}'`],
      ],
      ...(browser && { browser }),
      terminal: true,
    }
    faults.push(...(await faultsOfBlocks(blocks, surroundings)))
    // A reader tries a page again, in the same bank. Lists are longer then, but nothing may fail.
    const again = await faultsOfBlocks(blocks, { ...surroundings, compares: false })
    faults.push(...again.map((fault) => `the second time: ${fault}`))
  }
  return faults
}

/** The project of a reader: by default one of CommonJS, in which `.js` and `.ts` may not have `await` at the top. */
const madeByNpmInit = { name: 'reader', version: '1.0.0', main: 'index.js', type: 'commonjs' }

/** The files of a guide by their names, once as it is and once with each alternative. */
function filesIn(blocks: Block[]): Map<string, string>[] {
  const files = new Map<string, string>()
  const alternatives: [name: string, text: string][] = []
  for (const { info, text } of blocks) {
    const [, name, instead] = /^\w+ (\S+\.\w+)( instead)?$/.exec(info) ?? []
    if (name && instead) alternatives.push([name, text])
    else if (name) files.set(name, (files.get(name) ?? '') + text)
  }
  return [files, ...alternatives.map((alternative) => new Map([...files, alternative]))]
}

async function faultsOfBlocks(blocks: Block[], surroundings: Surroundings): Promise<string[]> {
  const parts = blocks.filter(({ info }) => info === 'ts').map(({ text }) => `${text}console.log('${MARK}')\n`)
  if (parts.length === 0) return faultsOf(samplesOf(blocks), surroundings)
  return withSamples(parts.join(''), (program) => faultsOf(samplesOf(blocks), { ...surroundings, program }))
}

/** The settings before a command. */
function settingsIn(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/\b([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]))
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}
