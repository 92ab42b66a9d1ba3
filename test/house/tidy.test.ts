import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { kebab } from '../../ground/text.ts'
import { providersPage } from '../../scripts/provider-table.ts'
import { refusals } from '../../src/base/refusals.ts'
import { eventCatalogue } from '../../src/event-catalogue.ts'
import { eventTypes } from '../../src/events/event.ts'
import { openapiOf } from '../../src/http/openapi/document.ts'
import { operations } from '../../src/operations.ts'
import { root, version } from '../support/harness.ts'
import { oddEnglish, oddLines } from './english.ts'
import { proseFaults } from './prose.ts'
import { circlesIn, importsOf, isTest, longFunctions, type Source, sourcesIn } from './source.ts'

const sources = sourcesIn('src')
const production = sources.filter((source) => !isTest(source))
/** The service and the programs and packages around it. */
const programs = [
  ...production,
  ...['bench', 'scripts', 'test/support', 'testing', 'cli', 'console', 'storm', 'client/src', 'ground']
    .flatMap(sourcesIn)
    .filter((each) => !isTest(each)),
]

/** The rooms, top to bottom. A room imports only from rooms below it, types included. A part of a room may have a place of its own. */
const ladder = [
  'bench',
  'scripts',
  'test/check',
  'test/support',
  'testing',
  'cli',
  'console',
  'storm',
  'client/src',
  'src/main.ts',
  'src/start',
  'src/processes',
  'src/operator.ts',
  'src/cells/commands',
  'src/operator',
  'src/service.ts',
  'src/cells',
  'src/backend',
  'src/app.ts',
  'src/operations.ts',
  'src/event-catalogue.ts',
  'src/startup-errors.ts',
  'src/config.ts',
  'src/cells/settings.ts',
  'src/config',
  'src/v8.ts',
  'src/mcp',
  'src/http',
  'src/connectors',
  'src/bank/bank.ts',
  'src/bank/sandbox',
  'src/bank/organisations',
  'src/bank/move-in',
  'src/bank/faults',
  'src/bank/erasure',
  'src/bank/proof',
  'src/bank/first-states',
  'src/bank/lookup',
  'src/bank/accounting',
  'src/bank/rewards',
  'src/bank/offers',
  'src/bank/processor',
  'src/bank/review',
  'src/bank/statements',
  'src/bank/closing',
  'src/bank/proposals',
  'src/bank/ach',
  'src/bank/account-control',
  'src/bank/cards',
  'src/bank/earning',
  'src/bank/payments',
  'src/bank/accounts',
  'src/bank/customers',
  'src/bank/screening',
  'src/bank/limits',
  'src/bank/time',
  'src/bank/parts',
  'src/bank/records',
  'src/tools',
  'src/processor',
  'src/review',
  'src/closing',
  'src/sandbox',
  'src/retention',
  'src/webhooks',
  'src/people',
  'src/access',
  'src/ledger',
  'src/idempotency',
  'src/events',
  'src/secrets',
  'src/accounting',
  'src/banking',
  'src/rewards',
  'src/database',
  'src/rails',
  'src/base',
  'ground',
]

const MAX_FILES = 25
const MAX_LINES = 80
describe('the house rules', () => {
  test('imports go down the ladder only, in the benchmark, the scripts and the support of tests as well', () => {
    expect(programs.flatMap(climbs)).toEqual([])
  })

  test('no files import values from each other in a circle', () => {
    expect(circlesIn(programs)).toEqual([])
  })

  test('no folder holds more than 25 files beside tests', () => {
    expect(crowdedFolders(programs)).toEqual([])
  })

  test('no function is longer than 80 lines', () => {
    expect(programs.flatMap((source) => longFunctions(source, MAX_LINES))).toEqual([])
  })

  test('accounting, banking and rewards import nothing but each other, the base, the ground and TypeBox', () => {
    const allowed = /^src\/(accounting|banking|rewards|base)\/|^ground\/|^typebox$/
    const others = production
      .filter(({ path }) => /^src\/(accounting|banking|rewards)\//.test(path))
      .flatMap((source) => arrowsFrom(source, (target) => !allowed.test(target)))
    expect(others).toEqual([])
  })

  test('the rails import nothing but their own files and the base', () => {
    const others = production
      .filter(({ path }) => path.startsWith('src/rails/'))
      .flatMap((source) => arrowsFrom(source, (target) => !/^src\/(rails|base)\//.test(target)))
    expect(others).toEqual([])
  })

  test('the ground and the client import only their own files, the test kit only the client, the command line and the console also the ground', () => {
    const within = (room: string, allowed: RegExp) =>
      programs
        .filter(({ path }) => path.startsWith(room))
        .flatMap((source) => arrowsFrom(source, (target) => !allowed.test(target)))
    expect(within('ground/', /^ground\//)).toEqual([])
    expect(within('client/', /^client\/src\//)).toEqual([])
    expect(within('testing/', /^(testing|storm|client\/src)\/|^node:/)).toEqual([])
    expect(within('storm/', /^(storm|client\/src|ground)\/|^node:|^fast-check$/)).toEqual([])
    expect(within('console/', /^(console|client\/src|ground)\/|^[a-z@][^:]*$/)).toEqual([])
    expect(
      within('cli/', /^(cli|storm|client\/src|ground|src\/operator|src\/cells\/commands)\b|^node:|^[a-z@][^:]*$/),
    ).toEqual([])
  })

  test('the command line loads the commands of the operator when they are called', () => {
    const early = programs
      .filter(({ path }) => path.startsWith('cli/'))
      .flatMap((source) => importsOf(source).filter(({ typeOnly, isLate }) => !typeOnly && !isLate))
    expect(early.filter(({ target }) => target.startsWith('src/'))).toEqual([])
  })

  test('no connector imports another', () => {
    const connector = (path: string) => /^src\/connectors\/(\w+)\//.exec(path)?.[1]
    const meetings = production.flatMap((source) => {
      const own = connector(source.path)
      return arrowsFrom(source, (target) => Boolean(own && connector(target) && connector(target) !== own))
    })
    expect(meetings).toEqual([])
  })

  test('SQL is in .sql.ts files, which only their own room imports', () => {
    const sql = /\b(select\s+[\w"(*$']|insert into|update \w+ set|delete from)\b/i
    const allowed = /\.sql\.ts$|^src\/database\//
    const elsewhere = production.filter(({ path, text }) => !allowed.test(path) && sql.test(withoutComments(text)))
    expect(elsewhere.map(({ path }) => path)).toEqual([])
    const reached = production.flatMap((source) =>
      arrowsFrom(source, (target) => target.endsWith('.sql.ts') && sqlRoom(target) !== sqlRoom(source.path)),
    )
    expect(reached).toEqual([])
  })

  test('the clock and the environment are read in one file each', () => {
    const reading = (pattern: RegExp) =>
      production.filter(({ text }) => pattern.test(withoutComments(text))).map(({ path }) => path)
    expect(reading(/\bnew Date\(|\bDate\.now\(|\bperformance\.now\(/)).toEqual(['src/base/clock.ts'])
    expect(reading(/\bprocess\.env\b/)).toEqual(['src/main.ts'])
  })

  test('random choices of tests come from a seed that can be set', () => {
    const unseeded = ({ text }: Source) => {
      const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
      return count(/\bMath\.random\b/g) > 0 || count(/\bfc\.assert\(/g) > count(/\bseed: seedOfTest\(\)/g)
    }
    const drawing = [...sources.filter(isTest), ...sourcesIn('test')].filter(unseeded)
    expect(drawing.map(({ path }) => path)).toEqual([])
  })

  test('every operation has a file of its own, and beside it a test, or a table of tests that names it', () => {
    const tests = sources.filter(isTest)
    for (const { id } of operations) {
      const name = kebab(id)
      const file = sources.find(({ path }) => path.endsWith(`/${name}.ts`))?.path ?? ''
      expect(file, `${name}.ts`).not.toBe('')
      const beside = tests.filter(({ path }) => dirname(path) === dirname(file))
      const own = ({ path, text }: Source) => path.endsWith(`/${name}.test.ts`) || text.includes(`'${id}'`)
      expect(beside.some(own), `a test of ${id}`).toBe(true)
    }
  })

  test('names of files are in kebab case, and no room is called utils', () => {
    const odd = sources.filter(
      ({ path }) =>
        !/^[a-z0-9-]+(\/[a-z0-9-]+)*(\.sql)?(\.test)?\.ts$/.test(path) ||
        /(^|\/)(utils|common|shared|types|helpers)\//.test(path),
    )
    expect(odd.map(({ path }) => path)).toEqual([])
  })

  test('there are no default exports', () => {
    expect(production.filter(({ text }) => /^export default/m.test(text)).map(({ path }) => path)).toEqual([])
  })

  test('comments, messages and titles of tests begin with their subject and use the words of the industry', () => {
    const everything = [
      'src',
      'bench',
      'scripts',
      'test',
      'testing',
      'cli',
      'console',
      'storm',
      'client/src',
      'ground',
    ].flatMap(sourcesIn)
    expect(everything.filter(({ path }) => !path.startsWith('test/house/')).flatMap(oddEnglish)).toEqual([])
  })

  test('pages say if and when, and begin with their subject', () => {
    const inDocs = ['docs', 'docs/guides'].flatMap((folder) =>
      readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
    )
    // The comments of the database, which schema.md shows, are in released migrations.
    const pages = [...inDocs, ...readdirSync(root)].filter((path) => /(?<!schema)\.md$/.test(path))
    expect(pages).toContain('docs/guides/webhooks.md')
    expect(pages.flatMap((path) => oddLines(path, readFileSync(join(root, path), 'utf8')))).toEqual([])
    expect(oddLines('x.md', 'It is null where none is.\n- **Noted** is what happens.')).toHaveLength(2)
  })

  test('ARCHITECTURE.md names every room, in the order of the ladder', () => {
    const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    const [folders = '', floors = ''] = page.split('\n## Folders\n')[1]?.split('\n## ')[0]?.split('| Floor of') ?? []
    const named = (table: string) =>
      [...table.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) =>
        [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
      )
    const rooms = named(folders).flatMap((room) =>
      room === 'src/bank' ? named(floors).map((floor) => `src/bank/${floor}`) : room,
    )
    // The page says in words where these parts of a room have their places.
    const parts = ['src/cells/commands', 'src/cells/settings.ts']
    expect(rooms).toEqual(ladder.filter((room) => !parts.includes(room)))
  })

  test('openapi.json is generated from the operations', () => {
    const committed = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
    expect(committed, 'run npm run openapi').toEqual(
      JSON.parse(JSON.stringify(openapiOf(operations, version, eventCatalogue))),
    )
  })

  test('every operation, parameter, schema and member of openapi.json is described', () => {
    const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
    expect(proseFaults(document, { eventTypes, codes: Object.keys(refusals) })).toEqual([])
  })

  test('docs/providers.md is generated from the connectors', () => {
    expect(readFileSync(join(root, 'docs/providers.md'), 'utf8'), 'run npm run providers').toBe(providersPage())
  })

  test('every decision has a number, a date and a status, which their index lists', () => {
    const folder = join(root, 'docs/decisions')
    const heads =
      /^# (.+)\n\nDate: (\d{4}-\d\d-\d\d)\. Status: (accepted|superseded by \[\d{4}\]\(\d{4}-[\w-]+\.md\))\.\n\n/
    const pages = readdirSync(folder).filter((name) => name !== 'README.md')
    const rows = pages.map((name, index) => {
      const [, title, date, status] = heads.exec(readFileSync(join(folder, name), 'utf8')) ?? []
      return `| [${String(index + 1).padStart(4, '0')}](${name}) | ${title} | ${date} | ${status} |`
    })
    const [, listed] = readFileSync(join(folder, 'README.md'), 'utf8').split('|---|---|---|---|\n')
    expect(listed?.split('\n')).toEqual([...rows, ''])
  })

  test('every package has its reason in a decision', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const page = readFileSync(join(root, 'docs/decisions/0039-each-package-has-a-reason.md'), 'utf8')
    const first = page.match(/^\| `[^|]+/gm)?.join('') ?? ''
    const named = [...first.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
    const packages = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@types/'))
    expect(named.toSorted()).toEqual(packages.toSorted())
  })

  test('every migration says whether it expands or contracts, and why', () => {
    const folder = join(root, 'migrations')
    for (const file of readdirSync(folder).filter((name) => /^\d/.test(name))) {
      expect(readFileSync(join(folder, file), 'utf8')).toMatch(/^-- (expand|contract): \S/)
    }
  })
})

describe('each house rule can fail', () => {
  const file = (path: string, ...lines: string[]): Source => ({ path, text: lines.join('\n') })

  test('an import up the ladder is found', () => {
    expect(climbs(file('src/base/ids.ts', `import { app } from '../app.ts'`))).toEqual(['src/base/ids.ts → src/app.ts'])
    expect(climbs(file('src/banking/x.ts', `import type { Log } from '../http/log.ts'`))).toHaveLength(1)
    expect(climbs(file('src/http/x.ts', `import { seal } from '../../test/support/harness.ts'`))).toHaveLength(1)
    expect(climbs(file('test/support/x.ts', `import { load } from '../../bench/load.ts'`))).toHaveLength(1)
    expect(climbs(file('src/http/x.ts', `import { ids } from '../base/ids.ts'`, `import 'pg'`))).toEqual([])
  })

  test('a part of the API without a description is found, and so is a word that does not exist', () => {
    const known = { eventTypes: ['card.created'], codes: ['card_not_found', 'card_wrong_state'] }
    const responses = { 404: { examples: { $ref: '#/components/examples/card_not_found' } } }
    const operation = (description: string, ...parameters: object[]) => ({
      paths: { '/v0/cards': { get: { operationId: 'listCards', description, parameters, responses } } },
    })
    const long = 'Lists the cards of the organisation, the newest first, in every state.'
    expect(proseFaults(operation(`${long} \`card.created\`, \`card_not_found\``), known)).toEqual([])
    expect(proseFaults(operation(`Lists cards.\n\nScope: \`banking:read\`.${' '.repeat(60)}`), known)).toHaveLength(1)
    expect(proseFaults(operation(long, { name: 'status' }), known)).toHaveLength(1)
    expect(proseFaults(operation(`${long} \`card.made\``), known)).toHaveLength(1)
    expect(proseFaults(operation(`${long} \`card_unknown\``), known)).toHaveLength(1)
    expect(proseFaults(operation(`${long} \`card_wrong_state\``), known)).toHaveLength(1)
    const member = { components: { schemas: { Card: { description: 'A card', properties: { id: {} } } } } }
    expect(proseFaults(member, known)).toEqual(['Card.id has no description'])
    expect(proseFaults({ components: { schemas: { Card: {} } } }, known)).toEqual(['Card has no description'])
  })

  test('a circle of values is found, one of types is none', () => {
    const circle = (first: string) => [
      file('src/a.ts', first),
      file('src/b.ts', `export { c } from './c.ts'`),
      file('src/c.ts', `import './a.ts'`),
    ]
    expect(circlesIn(circle(`import { type A, b } from './b.ts'`))).toEqual([['src/a.ts', 'src/b.ts', 'src/c.ts']])
    expect(circlesIn(circle(`import { type A, type B } from './b.ts'`))).toEqual([])
    expect(circlesIn(circle(`import type { A } from './b.ts'`))).toEqual([])
  })

  test('a crowded folder is found, one that is crowded with tests is not', () => {
    const files = (count: number, end: string) =>
      Array.from({ length: count }, (_, number) => file(`src/room/${number}${end}`, ''))
    expect(crowdedFolders(files(26, '.ts'))).toEqual(['src/room: 26 files'])
    expect(crowdedFolders([...files(25, '.ts'), ...files(25, '.test.ts'), file('src/room/below/x.ts', '')])).toEqual([])
  })

  test('a long function is found, whichever way it is written, a long table is not', () => {
    const lines = (count: number) => Array<string>(count).fill('  0,')
    const wrapped = (head: string, tail: string) => file('src/x.ts', head, ...lines(2), tail)
    expect(longFunctions(wrapped('function open() { return [', ']}'), 3)).toEqual(['src/x.ts: open, 4 lines'])
    expect(longFunctions(wrapped('const open = () => [', ']'), 3)).toEqual(['src/x.ts: open, 4 lines'])
    expect(longFunctions(wrapped('const x = { async open() { return [', ']}}'), 3)).toEqual(['src/x.ts: open, 4 lines'])
    expect(longFunctions(wrapped('class A { constructor() { void [', ']}}'), 3)).toHaveLength(1)
    expect(longFunctions(wrapped('const open = () => [', ']'), 4)).toEqual([])
    expect(longFunctions(wrapped('const table = [', ']'), 3)).toEqual([])
  })

  test('odd English is found in comments, texts and titles', () => {
    const odd = (...lines: string[]) => oddEnglish(file('src/x.ts', ...lines)).length
    expect(odd('/** What is sent again. */')).toBe(1)
    expect(odd('// Fine. Who waits is no load.')).toBe(1)
    expect(odd('// The caller, whoever', '// it is.')).toBe(1)
    expect(odd("test('every change is told', () => undefined)")).toBe(1)
    expect(odd("throw new Error('tell the operator')")).toBe(1)
    expect(odd('// What happens here? An event is emitted.', "const word = 'told'")).toBe(0)
    expect(odd('// The plain way: none.', '// What it cost: 5 %.')).toBe(0)
  })
})

/** Imports that `wrong` holds for, as `path → target`. */
function arrowsFrom(source: Source, wrong: (target: string) => boolean): string[] {
  return importsOf(source)
    .filter(({ target }) => wrong(target))
    .map(({ target }) => `${source.path} → ${target}`)
}

function climbs(source: Source): string[] {
  const own = rung(source.path)
  return arrowsFrom(source, (target) => /\.tsx?$/.test(target) && rung(target) < own)
}

function rung(path: string): number {
  const at = ladder.reduce((found, room, place) => {
    const isIn = path === room || path.startsWith(`${room}/`)
    return isIn && room.length > (ladder[found]?.length ?? 0) ? place : found
  }, -1)
  if (at < 0) throw new Error(`${path} is on no rung of the ladder: give it a place in test/house/tidy.test.ts`)
  return at
}

function crowdedFolders(files: Source[]): string[] {
  const counts = new Map<string, number>()
  for (const { path } of files.filter((source) => !isTest(source))) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count > MAX_FILES).map(([folder, count]) => `${folder}: ${count} files`)
}

/** A provider's SQL belongs to that provider alone. */
function sqlRoom(path: string): string {
  return /^src\/(connectors\/\w+|\w+)/.exec(path)?.[0] ?? path
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '')
}
