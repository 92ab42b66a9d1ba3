import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { runInProcess } from '../../../test/support/run/command-line.ts'
import { makeWorld } from '../../../test/support/world.ts'
import { type ArchiveFile, checkArchive, type Manifest } from './manifest.ts'
import { writeArchive } from './write-archive.ts'

let bank: TestBank
let folder: string
let manifest: Manifest

const newFolder = () => mkdtemp(join(tmpdir(), 'purser-archive-'))
const before = new Date(Date.now() + 60_000).toISOString()
const write = (to: string, lines = 4) => writeArchive({ databases: [bank.database], folder: to, before, lines })

/** The records of the files of one kind and organisation. */
// biome-ignore lint/suspicious/noExplicitAny: tests read lines as the JSON they are
function linesOf(of: string, kind: ArchiveFile['kind'], organisationId: string): any[] {
  return manifest.files
    .filter((file) => file.kind === kind && file.organisationId === organisationId)
    .flatMap(({ name }) =>
      gunzipSync(readFileSync(join(of, name)))
        .toString()
        .trimEnd()
        .split('\n'),
    )
    .map((line) => JSON.parse(line))
}

/** Events of customers, whose data is sealed with the keys of the customers. */
const sealed = /^(customer|application|document|account|accountHold|card|externalAccount|verificationToken)\./

/** An event without account numbers of a form, and without data that is sealed as a whole. */
function withoutNumbers(form: RegExp) {
  // biome-ignore lint/suspicious/noExplicitAny: tests read lines as the JSON they are
  return (event: any) =>
    sealed.test(event.type)
      ? { ...event, data: '' }
      : JSON.parse(JSON.stringify(event), (name, value) => (name === 'accountNumber' && form.test(value) ? '' : value))
}

beforeAll(async () => {
  bank = await openTestBank()
  await makeWorld(bank)
  await makeWorld(bank, bank.otherKey)
  folder = await newFolder()
  manifest = await write(folder)
})
afterAll(() => bank.close())

describe('an archive', () => {
  test('holds all events as the feed shows them except for data of customers and account numbers at other banks, which stay sealed, and all transfers, in files of bounded size', async () => {
    const { data: events } = (await bank.call('GET', '/v0/events?limit=1000')).json
    const organisationId = events[0].id.split('_')[1]
    const archived = linesOf(folder, 'events', organisationId)
    const numbers = events.flatMap(({ data }: { data: { accountNumber?: string; permissions?: string } }) =>
      data.permissions ? [data.accountNumber] : [],
    )
    expect(numbers.length).toBeGreaterThan(0)
    for (const number of numbers) expect(JSON.stringify(archived)).not.toContain(number)
    const kept = archived.filter(({ type }) => sealed.test(type)).map(({ data }) => data)
    expect(kept.length).toBeGreaterThan(5)
    for (const data of kept) expect(data).toMatch(/^~[1-9]\d+:[A-Za-z0-9+/]+=*$/)
    expect(archived.map(withoutNumbers(/^~/))).toEqual(events.map(withoutNumbers(new RegExp(numbers.join('|')))))
    const { data: transfers } = (await bank.call('GET', '/v0/ledger/transfers?limit=1000')).json
    const ids = linesOf(folder, 'transfers', organisationId).map(({ id }) => id)
    expect(ids.toSorted()).toEqual(transfers.map(({ id }: { id: string }) => id).toSorted())
    expect(Math.max(...manifest.files.map(({ count }) => count))).toBe(4)
    expect(new Set(manifest.files.map((file) => file.organisationId)).size).toBe(2)
    expect(await checkArchive(folder)).toEqual({ manifest, faults: [] })
  })

  test('is found complete by a second run, and continued after a kill', async () => {
    expect(await write(folder)).toEqual(manifest)
    const killed = await newFolder()
    let files = 0
    const stopped = writeArchive({
      databases: [bank.database],
      folder: killed,
      before,
      lines: 4,
      written: () => {
        if (++files === 3) throw new Error('killed')
      },
    })
    await expect(stopped).rejects.toThrow('killed')
    writeFileSync(join(killed, 'events-1-1.jsonl.gz.part'), 'half a file')
    expect((await checkArchive(killed)).faults).toEqual([
      'the archive is not complete: run the command that writes it again',
    ])
    expect((await write(killed)).files).toEqual(manifest.files)
    expect((await checkArchive(killed)).faults).toEqual([])
  })

  test('is not written to a folder with other contents, or of another date', async () => {
    const other = await newFolder()
    writeFileSync(join(other, 'letter.txt'), 'x')
    await expect(write(other)).rejects.toThrow('holds other files (letter.txt)')
    await expect(
      writeArchive({ databases: [bank.database], folder, before: '2026-01-01T00:00:00.000Z' }),
    ).rejects.toThrow('is an archive up to')
  })

  test('shows a file that was changed, is missing or was added', async () => {
    const copy = await newFolder()
    const { files } = await write(copy)
    const [first, second] = files.map(({ name }) => name) as [string, string]
    const bytes = readFileSync(join(copy, first))
    bytes[20] = (bytes[20] ?? 0) ^ 1
    writeFileSync(join(copy, first), bytes)
    rmSync(join(copy, second))
    writeFileSync(join(copy, 'more.gz'), '')
    expect((await checkArchive(copy)).faults).toEqual([
      'more.gz is not of the archive',
      `${first}: the content has changed`,
      `${second}: the file is missing`,
    ])
  })

  test.each([
    [['--before', '2026-01-01']],
    [['--to', 'x']],
    [['--check', 'x', '--to', 'y']],
    [['--before', 'yesterday', '--to', 'x']],
    [['--before', '2999-01-01', '--to', 'x']],
  ])('is not begun by %j', async (words) => {
    const { code, stderr } = await runInProcess(['archive', ...words])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/needs --before and --to|takes a date/) })
  })
})
