import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Desk, Options } from '../desk.ts'
import { type Load, load } from '../load.ts'
import { cpuMs } from '../machine.ts'
import { call, root, type Service, scratchFolder, startService } from '../service.ts'
import { administer, createWorld, type World } from '../world.ts'

const CONNECTIONS = 256
/** Measurements that only warm a new process up. */
const WARM_UP_TURNS = 3
/** The payments and accounts that are read in turn. */
const READ = 100

export const cpuKinds = ['a payment', 'GET of a payment', 'list of 10 payments'] as const
export const cpuParts = ['service', 'database']

/** A running version of the service. */
interface Version {
  name: 'before' | 'now'
  service: Service
  world: World
}

/**
 * CPU time of requests to this version and to an earlier commit, in turn on one machine. Each round has new processes: the code that
 * the compiler of a process happens to optimise changes the CPU time by a tenth, for as long as the process runs.
 */
export async function cpuRounds(desk: Desk): Promise<void> {
  const { options, say } = desk
  say(`CPU time of a request, against ${options.against}`)
  const checkout = checkoutOf(options.against)
  for (let round = 0; round < options.rounds; round++) {
    const versions = [await startVersion('before', checkout, options), await startVersion('now', root, options)]
    for (const kind of cpuKinds) {
      for (let turn = 0; turn < WARM_UP_TURNS; turn++) {
        for (const version of versions) await measureVersion(desk, kind, version, false)
      }
      // To and fro, so that none has the better place.
      for (const version of round % 2 === 1 ? versions : versions.toReversed()) {
        await measureVersion(desk, kind, version, true)
      }
    }
    for (const { service } of versions) await service.stop()
  }
}

async function startVersion(name: Version['name'], checkout: string, { accounts }: Options): Promise<Version> {
  const service = await startService(scratchFolder(), { checkout })
  return { name, service, world: await createWorld(service, accounts) }
}

/** Measures requests of a kind; without a note, they only warm the service up. */
async function measureVersion(
  { figures, options, say, fault }: Desk,
  kind: (typeof cpuKinds)[number],
  { name, service, world }: Version,
  noted: boolean,
): Promise<void> {
  const what = kind === 'a payment' ? { kind: 'payments' as const } : await pathsOf(kind, service, world)
  const before = cpuMs(service.pid)
  const order = { ...what, url: service.url, connections: CONNECTIONS, seconds: options.seconds, world }
  const { requests, bad } = await load(order)
  const after = cpuMs(service.pid)
  if (bad > 0) fault(`${bad} answers of ${kind}, ${name}, were not 2xx`)
  if (!noted || !before || !after) return
  const [own, database] = [after.own - before.own, after.started - before.started].map((ms) => (ms * 1_000) / requests)
  figures.add(`service cpu ${kind} ${name}`, own ?? 0)
  figures.add(`database cpu ${kind} ${name}`, database ?? 0)
  say(`${kind}, ${name}: service ${own?.toFixed(0)} µs, database ${database?.toFixed(0)} µs`)
}

/** The latest payments, one by one, or the lists of accounts that have ten and more. */
async function pathsOf(
  kind: (typeof cpuKinds)[number],
  service: Service,
  world: World,
): Promise<Pick<Load, 'kind' | 'paths'>> {
  const { url } = service
  if (kind === 'GET of a payment') {
    const payments: { id: string }[] = await call(url, 'GET', `/v0/banking/payments?limit=${READ}`)
    return { kind: 'paths', paths: payments.map(({ id }) => `/v0/banking/payments/${id}`) }
  }
  const paths = Array.from(
    { length: READ },
    (_, at) => `/v0/banking/payments?accountId=${world.firstAccount + at}&limit=10`,
  )
  const payments = { kind: 'payments', url, connections: CONNECTIONS, world: { ...world, count: READ } } as const
  for (const path of paths) {
    // A slow machine makes fewer payments in a second.
    while ((await call(url, 'GET', path)).length < 10) {
      const { bad } = await load({ ...payments, seconds: 1 })
      if (bad > 0) throw new Error(`${bad} payments of the accounts to list were refused`)
    }
  }
  // Without statistics of the new rows, the plan of a list would be a matter of luck.
  await administer(service, (client) => client.query('analyze payment, transfer'))
  return { kind: 'paths', paths }
}

/** The files of an earlier commit, with its own dependencies. */
function checkoutOf(commit: string): string {
  const folder = join(scratchFolder(), 'checkout')
  mkdirSync(folder)
  const files = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: files })
  const [before, now] = [folder, root].map((at) => readFileSync(join(at, 'package-lock.json'), 'utf8'))
  if (before === now) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  else execFileSync('npm', ['ci'], { cwd: folder })
  return folder
}
