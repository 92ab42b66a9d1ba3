import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../support/harness.ts'
import {
  endServices,
  launchService,
  preparedDataDir,
  type Service,
  scratchFolder,
  startService,
} from '../../support/service.ts'

const nobody = { uid: 65_534, gid: 65_534 }
/** The files that `git clone` gives and a start needs. */
const cloned = ['assets', 'src', 'bin', 'cli', 'client', 'console', 'ground', 'migrations', 'package.json', 'storm']

/** A checkout takes long to copy, so every test moves the same one to a place of its own. */
let checkout: string
let place: string

describe.runIf(process.getuid?.() === 0)('a checkout', () => {
  beforeAll(() => {
    // On the disk: files in memory cannot be links to those of the repository.
    place = mkdtempSync('/tmp/purser-checkout-')
    chmodSync(place, 0o755)
    checkout = copyCheckout(join(place, 'checkout'))
  })
  afterEach(endServices)
  afterAll(() => execFileSync('rm', ['-rf', place]))

  it('that belongs to somebody else is refused in one line until its owner has started once, then serves', async () => {
    moveCheckout('purser')
    const stranger = { checkout, as: nobody }
    const dataDir = await preparedDataDir()
    execFileSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, dataDir])
    const { code, stdout, stderr } = await launchService({ PURSER_DATA_DIR: dataDir }, stranger).exited
    expect({ code, lines: stderr.split('\n').length }, stderr).toEqual({ code: 1, lines: 2 })
    expect(stderr).toMatch(/^purser: cannot write .*\(EACCES\): start once as the owner of this folder\n$/)
    expect(stdout + stderr).not.toContain('    at ')
    await launchService({ PURSER_DATA_DIR: dataDir, PORT: 'none' }, { checkout }).exited
    await expectReady(await startService({ PURSER_DATA_DIR: dataDir }, stranger))
  })

  it('of an ordinary user gets ready for this user', async () => {
    moveCheckout('home')
    chownSync(checkout, nobody.uid, nobody.gid)
    const dataDir = join(checkout, 'data')
    const service = await startService({ PURSER_DATA_DIR: dataDir }, { checkout, as: nobody })
    await expectReady(service)
    expect(statSync(join(dataDir, 'api-key')).uid).toBe(nobody.uid)
    expect((await service.stop()).code).toBe(0)
  })

  it('under a folder that only root may enter gets ready for root', async () => {
    moveCheckout('closed/purser')
    const closed = dirname(checkout)
    chmodSync(closed, 0o700)
    const service = await startService({ PURSER_DATA_DIR: './data' }, { checkout, command: ['npm', 'start'] })
    await expectReady(service)
    expect(statSync(closed).mode & 0o777).toBe(0o700)
    await service.signalGroup('SIGINT')
  })

  it('gets ready for root with an empty data folder that only root may enter', async () => {
    const dataDir = join(scratchFolder(), 'data')
    mkdirSync(dataDir, { mode: 0o700 })
    await expectReady(await startService({ PURSER_DATA_DIR: dataDir }))
    for (const name of ['api-key', 'encryption-key']) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600)
  })
})

async function expectReady(service: Service): Promise<void> {
  const { status } = await service.call('POST', '/v0/sandbox/customers', { body: { name: 'Ada Example' } })
  expect(status).toBe(201)
}

/** Copies what `git clone` and `npm ci` give, the packages as hard links if the file system allows. */
function copyCheckout(target: string): string {
  mkdirSync(target)
  for (const name of cloned) cpSync(join(root, name), join(target, name), { recursive: true })
  const modules = realpathSync(join(root, 'node_modules'))
  // Other tests and tools keep files of their own in hidden folders, which come and go.
  const installed = readdirSync(modules).filter((name) => !name.startsWith('.') || name === '.bin')
  const sources = installed.map((name) => join(modules, name))
  const copy = join(target, 'node_modules')
  mkdirSync(copy)
  if (spawnSync('cp', ['-al', ...sources, copy]).status !== 0) {
    // `cp` has made a part of the folders already.
    rmSync(copy, { recursive: true })
    mkdirSync(copy)
    execFileSync('cp', ['-a', ...sources, copy])
  }
  return target
}

/** Moves the checkout to another place as it was cloned: it belongs to root, and nothing was started in it. */
function moveCheckout(name: string): void {
  const target = join(place, name)
  mkdirSync(dirname(target), { recursive: true })
  renameSync(checkout, target)
  checkout = target
  chownSync(checkout, 0, 0)
  const made = readdirSync(checkout).filter((each) => ![...cloned, 'node_modules'].includes(each))
  for (const each of made) rmSync(join(checkout, each), { recursive: true })
}
