import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from '../../../cli/program.ts'
import { vocabularyFor } from '../../../cli/vocabulary.ts'
import { type EmbeddedServer, startEmbedded } from '../../../src/database/embedded/embedded.ts'
import { type Block, blocksOf } from '../../house/blocks.ts'
import { faultsOf, samplesOf } from '../../house/session.ts'
import { root } from '../../support/harness.ts'
import { liveEnvironment, startLive } from '../../support/live/program.ts'
import { newDataDir } from '../../support/postgres/new-cluster.ts'
import { ask, endServices } from '../../support/service.ts'

/*
 * The commands of docs/operations.md, on a live bank. Shell blocks run in one session, in their order. Those whose first line
 * says that they are not run are looked through: the options of PostgreSQL's programs must exist. Commands of purser in the
 * text are parsed, statements in it are executed.
 */

const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
/** Blocks inside of lists are indented. */
const blocks = blocksOf(page.replaceAll(/^ {3}/gm, ''))
const shells = blocks.filter(({ info }) => /^(bash|shell|console|zsh|sh)\b/.test(info))
const notRun = /^# Not run by the tests: needs .+\.\n/
const inline = [...page.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) =>
  code.replaceAll(/\s+/g, ' '),
)

/** The programs that the tests cannot count on, with the options of PostgreSQL's that the page may use. */
const absent: Record<string, string[]> = {
  docker: [],
  systemctl: [],
  groupadd: [],
  useradd: [],
  usermod: [],
  install: [],
  pg_dump: ['--format', '--file', '--dbname'],
  pg_basebackup: ['--pgdata', '--checkpoint', '--manifest-checksums', '--dbname'],
  pg_verifybackup: [],
  pg_restore: ['--create', '--dbname', '--exit-on-error', '--no-owner'],
  pg_upgrade: [],
}

let server: EmbeddedServer
let dataDir: string
let folder: string
let key: string
let reviewerKey: string
let url: string

beforeAll(async () => {
  dataDir = await newDataDir()
  // Doctor fails on a server that is not durable, as those of other tests are.
  server = await startEmbedded({
    dataDir,
    say: () => undefined,
    lost: (error) => {
      throw error
    },
  })
  const opened = await startLive(server.connection, '2031-03-03T16:00:00Z', {
    app: [],
    reviewer: ['--scopes', 'review:write'],
  })
  folder = opened.live.folder
  key = opened.keys.app
  reviewerKey = opened.keys.reviewer
  ;[, url = ''] = await opened.live.process.printed(/listening on (http:\/\/\S+)\n/)
})
afterAll(async () => {
  await endServices()
  await server?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Runs blocks in one session, in which the folders of the page are inside of the folder of the bank. */
function faultsIn(ran: Block[]): Promise<string[]> {
  const reader = join(folder, 'operator')
  mkdirSync(reader, { recursive: true })
  return faultsOf(samplesOf(ran), {
    folder: reader,
    scratch: folder,
    environment: {
      ...liveEnvironment(server.connection, folder),
      PURSER_URL: url,
      PURSER_API_KEY: key,
      KEY: key,
      REVIEWER_KEY: reviewerKey,
    },
    instead: [
      ['https://bank.example.com', url],
      ['/archives/', `${folder}/archives-`],
      ['/backups/', `${folder}/backups-`],
    ],
  })
}

/** Options in a block that the programs of PostgreSQL do not have, and programs that nobody knows. */
function optionFaults(text: string): string[] {
  const lines = text.replaceAll('\\\n', ' ').split('\n')
  return lines.flatMap((line) => {
    const [program = '', ...words] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (program === '' || program === 'sh' || program === 'purser') return []
    const known = absent[program]
    if (!known) return [`${program} is not known`]
    if (!program.startsWith('pg_')) return []
    return words
      .filter((word) => word.startsWith('-') && !known.includes(word.replace(/=.*/, '')))
      .map((word) => `${program} ${word}`)
  })
}

/** Whether a command line is one of purser, with its options and arguments. */
async function isParsed(line: string): Promise<boolean> {
  const words = line.split(' ').slice(1)
  const nowhere = { write: () => true, isTTY: false, columns: 80 }
  const settings = { ...(await vocabularyFor(words)), version: '0', stdout: nowhere, stderr: nowhere }
  return typeof parse(words, settings) !== 'number'
}

describe('docs/operations.md', () => {
  test('has shell blocks that do what it says, day after day', async () => {
    const ran = shells.filter(({ text }) => !notRun.test(text))
    expect(ran.length).toBeGreaterThan(1)
    expect(await faultsIn(ran)).toEqual([])
    expect(await faultsIn(ran)).toEqual([])
  })

  test('has options that exist in the blocks that are not run', async () => {
    const rest = shells.filter(({ text }) => notRun.test(text))
    expect(rest.length).toBeGreaterThan(1)
    expect(rest.flatMap(({ text }) => optionFaults(text))).toEqual([])
    const lines = rest.flatMap(({ text }) => text.split('\n')).filter((line) => line.startsWith('purser '))
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) expect(await isParsed(line), line).toBe(true)
  })

  // A machine for tests has these programs or not, of any version.
  test.each(Object.entries(absent).filter(([, options]) => options.length > 0))(
    '%s has the options that it shall have',
    (program, options) => {
      const { error, stdout } = spawnSync(program, ['--help'], { encoding: 'utf8' })
      const missing = options.filter((option) => !new RegExp(`${option}[=\\s]`).test(stdout ?? ''))
      expect(error ? [] : missing).toEqual([])
    },
  )

  test('has commands of purser in its text that exist', async () => {
    const lines = inline.filter((code) => code.startsWith('purser '))
    expect(lines.length).toBeGreaterThan(5)
    const unknown: string[] = []
    for (const line of lines) if (!(await isParsed(line))) unknown.push(line)
    expect(unknown).toEqual([])
  })

  test('has statements in its text that PostgreSQL executes', async () => {
    const statements = inline.filter((code) => code.startsWith('select '))
    expect(statements.length).toBeGreaterThan(1)
    for (const statement of statements) await ask(server.connection, statement)
  })
})

describe('a page is found out', () => {
  test('when an option does not exist, or a program is not known', () => {
    expect(optionFaults('# Not run\npg_basebackup --pgdata=/x \\\n  --checksum-algorithm=SHA256\n')).toEqual([
      'pg_basebackup --checksum-algorithm=SHA256',
    ])
    expect(optionFaults('barman backup all\n')).toEqual(['barman is not known'])
  })

  test('when a command of purser does not exist', async () => {
    expect(await isParsed('purser verify --since DATE')).toBe(true)
    expect(await isParsed('purser verify --until DATE')).toBe(false)
    expect(await isParsed('purser keys')).toBe(false)
  })
})
