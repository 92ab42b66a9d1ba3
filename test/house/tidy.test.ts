import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { providersPage } from '../../scripts/provider-table.ts'
import { openapiOf } from '../../src/http/openapi.ts'
import { operations } from '../../src/operations.ts'
import { root } from '../support/harness.ts'

interface Source {
  path: string
  text: string
}

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join(root, 'src', path), 'utf8') }))
const production = sources.filter(({ path }) => !path.endsWith('.test.ts'))

/** The rooms, top to bottom: a room imports only from rooms below it. */
const ladder = [
  'main',
  'service',
  'app',
  'operations',
  'startup-errors',
  'config',
  'v8',
  'http',
  'providers',
  'sandbox',
  'webhooks',
  'access',
  'ledger',
  'idempotency',
  'events',
  'secrets',
  'banking',
  'rewards',
  'database',
  'base',
]

describe('the house rules', () => {
  test('imports go down the ladder only', () => {
    expect(production.flatMap(climbs)).toEqual([])
  })

  test('banking and rewards know nothing but the base', () => {
    const strangers = production
      .filter(({ path }) => /^(banking|rewards)\//.test(path))
      .flatMap((source) =>
        imports(source).filter((target) => !/^(banking|rewards|base)\//.test(target) && target !== 'typebox'),
      )
    expect(strangers).toEqual([])
  })

  test('no provider imports another', () => {
    const provider = (path: string) => /^providers\/(\w+)\//.exec(path)?.[1]
    const meetings = production.flatMap((source) =>
      imports(source).filter(
        (target) => provider(source.path) && provider(target) && provider(target) !== provider(source.path),
      ),
    )
    expect(meetings).toEqual([])
  })

  test('SQL stands in .sql.ts files, which only their own room imports', () => {
    const sql = /\b(select\s+[\w"(*$']|insert into|update \w+ set|delete from)\b/i
    const allowed = /\.sql\.ts$|^database\//
    const elsewhere = production.filter(({ path, text }) => !allowed.test(path) && sql.test(withoutComments(text)))
    expect(elsewhere.map(({ path }) => path)).toEqual([])
    const reached = production.flatMap((source) =>
      imports(source)
        .filter((target) => target.endsWith('.sql.ts') && sqlRoom(target) !== sqlRoom(source.path))
        .map((target) => `${source.path} → ${target}`),
    )
    expect(reached).toEqual([])
  })

  test('the clock and the environment are read in one place each', () => {
    const reading = (pattern: RegExp) =>
      production.filter(({ text }) => pattern.test(withoutComments(text))).map(({ path }) => path)
    expect(reading(/\bnew Date\(|\bDate\.now\(|\bperformance\.now\(/)).toEqual(['base/clock.ts'])
    expect(reading(/\bprocess\.env\b/)).toEqual(['main.ts'])
  })

  test('events are never turned off', () => {
    expect(production.filter(({ text }) => /\brecording\.on\s*=(?!=)/.test(text)).map(({ path }) => path)).toEqual([])
  })

  test('every operation has its file and its test beside it', () => {
    const files = new Set(sources.map(({ path }) => path))
    for (const { id } of operations) {
      const name = id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      const file = [...files].find((path) => path.endsWith(`/${name}.ts`))
      expect(file, `${name}.ts`).toBeDefined()
      expect(files.has(`${file?.slice(0, -3)}.test.ts`), `${name}.test.ts`).toBe(true)
    }
  })

  test('names are kebab-case and no room is called utils', () => {
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

  test('openapi.json is what the index says', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const committed = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
    expect(committed, 'run npm run openapi').toEqual(JSON.parse(JSON.stringify(openapiOf(operations, version))))
  })

  test('docs/providers.md is what the connectors serve', () => {
    expect(readFileSync(join(root, 'docs/providers.md'), 'utf8'), 'run npm run providers').toBe(providersPage())
  })

  test('every migration says whether it expands or contracts, and why', () => {
    const folder = join(root, 'migrations')
    for (const file of readdirSync(folder).filter((name) => /^\d/.test(name))) {
      expect(readFileSync(join(folder, file), 'utf8')).toMatch(/^-- (expand|contract): \S/)
    }
  })
})

describe('the house rules can fail', () => {
  test('an import up the ladder is seen', () => {
    expect(climbs({ path: 'base/ids.ts', text: `import { app } from '../app.ts'` })).toEqual(['base/ids.ts → app.ts'])
    expect(climbs({ path: 'banking/x.ts', text: `import { log } from '../http/log.ts'` })).toHaveLength(1)
    expect(climbs({ path: 'http/x.ts', text: `import { ids } from '../base/ids.ts'` })).toEqual([])
  })
})

function climbs(source: Source): string[] {
  return imports(source)
    .filter((target) => target.endsWith('.ts'))
    .filter((target) => room(source.path) !== room(target) && rung(room(source.path)) > rung(room(target)))
    .map((target) => `${source.path} → ${target}`)
}

/** What a file imports: paths below src, or package names. */
function imports({ path, text }: Source): string[] {
  return [...text.matchAll(/^(?:import|export)\b[^'"]*?from '([^']+)'/gm)].map(([, specifier = '']) =>
    specifier.startsWith('.') ? relative('', normalize(join(dirname(path), specifier))) : specifier,
  )
}

function room(path: string): string {
  return path.includes('/') ? (path.split('/')[0] ?? '') : path.replace(/\.ts$/, '')
}

/** A provider keeps its SQL to itself. */
function sqlRoom(path: string): string {
  return /^providers\/\w+/.exec(path)?.[0] ?? room(path)
}

function rung(name: string): number {
  const at = ladder.indexOf(name)
  if (at < 0) throw new Error(`${name} is on no rung of the ladder: give it a place in test/house/tidy.test.ts`)
  return at
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '')
}
