import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawn as spawnTerminal } from '@lydell/node-pty'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { root, version } from '../../support/harness.ts'
import { choicesOfTest } from '../../support/random.ts'
import {
  endServices,
  launchService,
  postmasterOf,
  preparedDataDir,
  runPurser,
  type Service,
  startService,
} from '../../support/service.ts'

/** The two states of the bank between which the tests go: with the first customer, and with both. */
let dataDir: string
let customers: { first: string; both: string }

const holders: ChildProcess[] = []
afterEach(() => {
  for (const holder of holders.splice(0)) holder.kill('SIGKILL')
})
afterAll(endServices)

const environment = () => ({ PURSER_DATA_DIR: dataDir })
const purser = (...words: string[]) => runPurser(words, { environment: environment() })

/** Runs a command that succeeds, and returns its record. */
async function done(...words: string[]) {
  const { code, stdout, stderr } = await purser(...words)
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

/** The line of a command that is refused. */
async function refusal(...words: string[]): Promise<{ code: number | null; line: string }> {
  const { code, stdout, stderr } = await purser(...words)
  expect({ stdout, stack: stderr.includes('    at ') }).toEqual({ stdout: '', stack: false })
  return { code, line: stderr }
}

async function createCustomer(service: Service): Promise<string> {
  const { status, json } = await service.call('POST', '/v0/sandbox/customers', { body: { name: 'Ada Example' } })
  expect(status).toBe(201)
  return json.data.id
}

/** The names of the keys in the database, which differ between the two states as well, without a start of the service. */
async function keyNames(): Promise<string[]> {
  const { code, stdout, stderr } = await purser('keys', 'list')
  expect(code, stderr).toBe(0)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).name)
    .filter((name) => name !== 'generated')
}

beforeAll(async () => {
  dataDir = await preparedDataDir()
  const before = await startService(environment())
  const first = await createCustomer(before)
  expect((await before.stop()).code).toBe(0)
  expect(await done('snapshot', 'save', 'first')).toMatchObject({ name: 'first', postgres: '18', purser: version })

  const after = await startService(environment())
  customers = { first, both: await createCustomer(after) }
  await done('keys', 'create', '--name', 'later')
  // Its database server lives on, and what it has not written yet is in its log.
  await after.kill()
  expect(await done('snapshot', 'save', 'both')).toMatchObject({ name: 'both' })
})

describe('a snapshot', () => {
  test('brings the bank back as it was, with its key; the laws of the ledger hold', async () => {
    for (const [name, status] of [
      ['first', 404],
      ['both', 200],
    ] as const) {
      expect(await done('snapshot', 'restore', name, '--yes')).toMatchObject({ name, restored: true })
      const service = await startService(environment())
      expect((await service.call('GET', `/v0/banking/customers/${customers.first}`)).status).toBe(200)
      expect((await service.call('GET', `/v0/banking/customers/${customers.both}`)).status, name).toBe(status)
      expect((await purser('verify')).code).toBe(0)
      await service.stop()
    }
  })

  test.each(['1', '2'])(
    'of a service of %s processes that writes is saved, and restored into it: it starts again at its address',
    async (PURSER_PROCESSES) => {
      const service = await startService({ ...environment(), PURSER_PROCESSES })
      const before = await createCustomer(service)
      let saving = true
      const writing = async () => {
        const made: string[] = []
        while (saving) made.push(await createCustomer(service))
        return made
      }
      const writers = [writing(), writing()]
      expect(await done('snapshot', 'save', 'running', '--force')).toMatchObject({ name: 'running' })
      saving = false
      const during = await Promise.all(writers)
      const after = await createCustomer(service)

      const restored = await done('snapshot', 'restore', 'running', '--yes')
      expect(restored).toMatchObject({ name: 'running', restored: true, running: true })
      const statusOf = async (id: string) => (await service.call('GET', `/v0/banking/customers/${id}`)).status
      expect([await statusOf(before), await statusOf(after)]).toEqual([200, 404])
      // The snapshot is the state of one moment: it has what a writer wrote until then, and nothing later.
      for (const made of during) {
        const statuses = await Promise.all(made.map(statusOf))
        expect(statuses).toEqual(statuses.toSorted((one, other) => one - other))
      }
      expect((await createCustomer(service)).length).toBeGreaterThan(0)
      expect((await purser('verify')).code).toBe(0)
      expect(service.output()).toContain('a snapshot is restored: finishing the requests in progress')
      expect((await service.stop()).code).toBe(0)
      expect(postmasterOf(dataDir)).toBeUndefined()
      await done('snapshot', 'delete', 'running')
    },
  )

  test('keeps the bank of a running service from a reset; the others are listed and deleted', async () => {
    await done('snapshot', 'save', 'third')
    const service = await startService(environment())
    for (const words of [
      ['reset', '--yes'],
      // Refused before the question.
      ['reset'],
    ]) {
      const inUse = new RegExp(
        `^purser: ${dataDir} is in use by another Purser \\(process ${service.pid}\\): stop it, .* and repeat the command`,
      )
      expect(await refusal(...words)).toEqual({ code: 1, line: expect.stringMatching(inUse) })
    }
    expect(await done('snapshot', 'delete', 'third')).toEqual({ name: 'third', deleted: true })
    const { stdout } = await purser('snapshot', 'list')
    expect(stdout.match(/"name":"\w+"/g)).toEqual(['"name":"first"', '"name":"both"'])
    expect((await createCustomer(service)).length).toBeGreaterThan(0)
    await service.stop()
  })

  test('is refused with a clear line', async () => {
    const link = join(dataDir, 'snapshots', 'linked')
    symlinkSync(join(dataDir, 'snapshots', 'first'), link)
    const cases: [words: string[], code: number, line: RegExp][] = [
      [['save', 'first'], 1, /there is a snapshot first of 20.*: repeat with --force to replace it/],
      [['save', '../outside'], 2, /a name of a snapshot has/],
      [['save', '.hidden'], 2, /a name of a snapshot has/],
      [['save', 'x'.repeat(65)], 2, /a name of a snapshot has/],
      [['save', 'linked'], 1, /snapshots\/linked is a link and not a snapshot/],
      [['restore', 'none', '--yes'], 1, /there is no snapshot none: there are first, both/],
      [['delete', 'none'], 1, /there is no snapshot none: there are first, both/],
      [['restore', 'first'], 2, /there is no terminal to ask on: repeat with --yes/],
    ]
    for (const [words, code, line] of cases)
      expect(await refusal('snapshot', ...words), words.join(' ')).toEqual({ code, line: expect.stringMatching(line) })
    unlinkSync(link)
    const words = ['snapshot', 'restore', 'first', '--yes']
    const otherKey = { ...environment(), PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }
    expect(await runPurser(words, { environment: otherKey })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the snapshot first was saved with another encryption key: put the file'),
    })
    const elsewhere = { ...otherKey, DATABASE_URL: 'postgres://localhost/none' }
    expect(await runPurser(words, { environment: elsewhere })).toMatchObject({
      code: 1,
      stderr:
        'purser: DATABASE_URL is set: a snapshot is a copy of the embedded database. pg_dump copies a server of your own\n',
    })
    expect(readdirSync(dataDir).filter((name) => name.includes('.new-'))).toEqual([])
  })

  test('shows a bar on a terminal and asks before it replaces the bank', async () => {
    const output = await onTerminal(['snapshot', 'restore', 'first'], { 'Replace all accounts': 'y\r' })
    expect(output).toMatch(/\[#+-*\] restoring first {2}\d+ %/)
    expect(output).toMatch(/restored first: purser start begins with it/)
    expect(await onTerminal(['snapshot', 'restore', 'both'], { 'Replace all accounts': '\r' })).toMatch(
      /nothing was changed/,
    )
    expect(await keyNames()).toEqual([])
  })
})

describe('an interrupted command', () => {
  test('leaves the former snapshot or the new one, and the former bank or the new one', async () => {
    await done('snapshot', 'restore', 'both', '--yes')
    const states: string[] = []
    const { below } = choicesOfTest()
    for (const words of [
      ['save', 'kept', '--force'],
      ['restore', 'first', '--yes'],
      ['restore', 'both', '--yes'],
    ]) {
      await done('snapshot', 'save', 'kept', '--force')
      for (const longestMs of [20, 400]) {
        await killedAfter(below(longestMs), ['snapshot', ...words])
        states.push((await keyNames()).join())
        expect(existsSync(join(dataDir, 'snapshots/kept/manifest.json'))).toBe(true)
      }
    }
    expect(states.filter((names) => names !== '' && names !== 'later')).toEqual([])
    await done('snapshot', 'restore', 'kept', '--yes')
    expect(['', 'later']).toContain((await keyNames()).join())
    await done('snapshot', 'delete', 'kept')
    expect(readdirSync(join(dataDir, 'snapshots')).toSorted()).toEqual(['both', 'first'])
    expect(readdirSync(dataDir).filter((name) => /^pg18./.test(name))).toEqual([])
  })

  test('between the two renames of a restore leaves the former bank', async () => {
    await done('snapshot', 'restore', 'both', '--yes')
    renameSync(join(dataDir, 'pg18'), join(dataDir, 'pg18.former'))
    expect(await keyNames()).toEqual(['later'])
    expect(existsSync(join(dataDir, 'pg18.former'))).toBe(false)
    cpSync(join(dataDir, 'snapshots/first'), join(dataDir, 'pg18.former'), { recursive: true })
    expect(await keyNames()).toEqual(['later'])
    expect(existsSync(join(dataDir, 'pg18.former'))).toBe(false)
  })
})

test('A start waits for the command that holds the stopped database, and another command is refused', async () => {
  const holder = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)', 'snapshot'], { stdio: 'ignore' })
  holders.push(holder)
  writeFileSync(join(dataDir, `pg18.held.new-${holder.pid}-1-abcdef12`), '', { mode: 0o600 })
  const held = `another command \\(process ${holder.pid}\\) is copying or replacing the database`
  expect(await refusal('snapshot', 'save', 'other')).toEqual({
    code: 1,
    line: expect.stringMatching(`${held} of ${dataDir}: repeat when it has ended`),
  })
  const starting = launchService(environment())
  await starting.printed(new RegExp(`waiting: ${held}`))
  expect(postmasterOf(dataDir)).toBeUndefined()
  holder.kill('SIGKILL')
  await starting.printed(/listening on/)
  await starting.stop()
})

/** Kills a command, with all that it started but a database server, after some time. */
async function killedAfter(ms: number, words: string[]): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'bin/purser.js'), ...words], {
    env: { PATH: process.env.PATH, ...environment() },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // Its first line of progress says that the copy has begun.
  await Promise.race([once(child.stderr, 'data'), once(child, 'exit')])
  await sleep(ms)
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Runs a command on a terminal, answers its questions, and returns everything that was shown. */
function onTerminal(words: string[], answers: Record<string, string>): Promise<string> {
  const terminal = spawnTerminal(process.execPath, [join(root, 'bin/purser.js'), ...words], {
    cols: 120,
    env: { PATH: process.env.PATH, TERM: 'xterm', ...environment() },
  })
  let shown = ''
  const left = new Map(Object.entries(answers))
  terminal.onData((text) => {
    shown += text
    for (const [question, answer] of left) {
      if (!shown.includes(question)) continue
      left.delete(question)
      terminal.write(answer)
    }
  })
  return new Promise((resolve) => {
    terminal.onExit(() => resolve(shown))
  })
}
