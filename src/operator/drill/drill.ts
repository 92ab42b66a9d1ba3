import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { UsageError } from '../../../ground/failure.ts'
import { readFirstRows } from '../../bank/first-states/first-states.ts'
import { clock } from '../../base/clock.ts'
import { StartupError } from '../../base/startup-error.ts'
import { counted } from '../../base/text.ts'
import { cellNamed, visitCell } from '../../cells/visit.ts'
import { type Database, DatabaseUnavailable, openDatabase, plainTimeouts } from '../../database/database.ts'
import { placeRestored, startRestored } from '../../database/embedded/restored-server.ts'
import { migrate } from '../../database/migrate.ts'
import { verifyChains } from '../../events/chain/verify-chain.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { requireKey } from '../../secrets/marker.ts'
import { encryptionKeysOf } from '../../secrets/secret-file.ts'
import type { OperatorCall, OperatorCommand } from '../command.ts'
import { checkManifest, copyBackup, newestBackup } from './backup.ts'
import { type BankCounts, bankCounts } from './counts.sql.ts'

/** The options of a drill. */
interface Drill {
  folder: string
  archive?: string
  until?: string
  cell: string
  into?: string
  keep: boolean
  migrate: boolean
}

/**
 * Restores the newest backup beside the running bank and proves it. The restored database is reached by this command alone:
 * no service runs on it, so that no file, webhook, question or call leaves.
 */
export const restoreBackup: OperatorCommand = async (call) => {
  const wanted = drillOf(call)
  const given = wanted.into
  const into = given ? resolve(given) : await mkdtemp(join(tmpdir(), 'purser-drill-'))
  if (given) await requireEmpty(into)
  const clear = () => (wanted.keep ? Promise.resolve() : rm(into, { recursive: true, force: true }))
  call.closers.add(clear)
  try {
    return await restoreInto(into, wanted, call)
  } finally {
    await clear()
  }
}

function drillOf({ args, options }: OperatorCall): Drill {
  const { archive, until, cell = 'home', into } = options as Record<string, string | undefined>
  const [folder = ''] = args
  if (archive !== undefined && /['"\\%\n]/.test(archive)) {
    throw new UsageError(`the path of an archive has no quotes, backslashes and percent signs`)
  }
  if (until !== undefined && archive === undefined) throw new UsageError(`--until needs --archive`)
  if (until !== undefined && !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/.test(until)) {
    throw new UsageError(`--until takes a time such as 2027-01-31T12:00:00Z`)
  }
  return {
    ...{ folder: resolve(folder), cell, keep: options.keep === true, migrate: options.migrate === true },
    ...(archive !== undefined && { archive: resolve(archive) }),
    ...(until !== undefined && { until }),
    ...(into !== undefined && { into }),
  }
}

async function requireEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  if (names.length > 0) throw new StartupError(`${folder} is not empty: a drill removes its folder at the end`)
}

async function restoreInto(into: string, wanted: Drill, call: OperatorCall): Promise<number> {
  const { config, out, closers, root } = call
  const settings = config()
  const place = cellNamed(settings, wanted.cell)
  const seconds = openStopwatch()
  const backup = await newestBackup(wanted.folder)
  out.note(`restoring ${backup}`)
  const files = await checkManifest(backup)
  seconds.note('check')
  const location = placeRestored(into)
  await copyBackup(backup, location, wanted.archive !== undefined)
  seconds.note('copy')
  const server = await startRestored(location, loginOf(place.databaseUrl), recoverySettings(wanted))
  closers.add(server.stop)
  const servers = [server.connection]
  const database = openDatabase({ servers, connections: 1, timeouts: { ...plainTimeouts, statementMs: 0 } })
  try {
    seconds.note('recovery')
    const migrations = wanted.migrate ? await migrate(database, join(root, 'migrations')) : undefined
    if (wanted.migrate) seconds.note('migration')
    await requireKey(database, await encryptionKeysOf(settings))
    const proof = await prove(database)
    seconds.note('proof')
    const running = await runningCounts(call, wanted.cell)
    const report = {
      ...{ backup, files: files ?? null, ...(migrations !== undefined && { migrations }), ...proof },
      ...{ running: running ?? null, seconds: seconds.all(), kept: wanted.keep ? into : null },
    }
    const faults = faultsOf(report)
    out.result({ ...report, faults }, textOf(report, faults))
    return faults.length > 0 ? 1 : 0
  } finally {
    await database.close()
    await server.stop()
  }
}

/** The user and the database of a bank, as its URL names them. */
function loginOf(databaseUrl: string | undefined): { user: string; database: string } {
  const [, user = '', database = ''] =
    /^postgres(?:ql)?:\/\/(?:([^:@/]*)(?::[^@/]*)?@)?[^/?]*\/?([^?]*)/.exec(databaseUrl ?? '') ?? []
  const name = decodeURIComponent(user) || 'purser'
  return { user: name, database: decodeURIComponent(database) || (databaseUrl === undefined ? 'postgres' : name) }
}

function recoverySettings({ archive, until }: Drill): Record<string, string> {
  if (archive === undefined) return {}
  return {
    restore_command: `cp "${archive}/%f" "%p"`,
    recovery_target_action: 'promote',
    ...(until !== undefined && { recovery_target_time: until.replace('T', ' ').replace('Z', '+00') }),
  }
}

interface Proof {
  laws: { law: string; rows: number }[]
  chain: { events: number; organisations: number; breaches: number }
  restored: BankCounts
}

async function prove(database: Database): Promise<Proof> {
  const broken = await verifyLedger(database)
  const chains = await verifyChains(database, { readRows: readFirstRows })
  const events = chains.reduce((sum, { from, head }) => sum + (from === null ? 0 : head - from + 1), 0)
  const breaches = chains.reduce((sum, chain) => sum + chain.breaches.length, 0)
  return {
    laws: broken.map(({ law, rows }) => ({ law, rows: rows.length })),
    chain: { events, organisations: chains.length, breaches },
    restored: await bankCounts(database),
  }
}

/** The size of the running bank; undefined while it is away. */
async function runningCounts({ config, closers }: OperatorCall, cell: string): Promise<BankCounts | undefined> {
  const settings = config()
  try {
    return await visitCell(settings, cellNamed(settings, cell), bankCounts, closers)
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    return undefined
  }
}

interface Report extends Proof {
  backup: string
  files: number | null
  migrations?: number
  running: BankCounts | null
  seconds: Record<string, number>
  kept: string | null
}

/** Transfers and events are never deleted, so that a backup with more of them is not of this bank. */
function faultsOf({ laws, chain, restored, running }: Report): string[] {
  const more = (['payments', 'transfers'] as const).filter((name) => running && restored[name] > running[name])
  return [
    ...laws.map(({ law, rows }) => `broken: ${law} (${counted(rows, 'row')})`),
    ...(chain.breaches > 0 ? [`the chain of events is broken in ${counted(chain.breaches, 'place')}`] : []),
    ...(restored.organisations === 0 ? ['the backup has no organisation'] : []),
    ...more.map((name) => `the backup has more ${name} than the running bank: it is of another one`),
  ]
}

function textOf(report: Report, faults: string[]): string {
  const { backup, files, migrations, chain, restored, running, seconds, kept } = report
  const sizes = (['organisations', 'accounts', 'payments', 'transfers', 'events'] as const).map(
    (name) => `  ${name.padEnd(13)} ${restored[name]}${running ? ` of ${running[name]}` : ''}`,
  )
  const times = Object.entries(seconds).map(([step, time]) => `${step} ${time.toFixed(1)} s`)
  return [
    `backup    ${backup}${files === null ? ', without a manifest' : `, ${counted(files, 'file')} as written`}`,
    `state     of ${restored.lastEventAt ?? 'a bank without events'}`,
    ...(migrations === undefined ? [] : [`upgrade   ${counted(migrations, 'migration')} applied`]),
    ...sizes,
    `chain     ${counted(chain.events, 'event')} of ${counted(chain.organisations, 'organisation')}`,
    `time      ${times.join(', ')}`,
    ...(kept === null ? [] : [`kept in   ${kept}`]),
    ...(faults.length === 0 ? ['The backup can be restored: every law of the ledger holds.'] : faults),
  ].join('\n')
}

function openStopwatch(): { note(step: string): void; all(): Record<string, number> } {
  let sinceMs = clock.elapsedMs()
  const steps: Record<string, number> = {}
  return {
    note(step) {
      const nowMs = clock.elapsedMs()
      steps[step] = (nowMs - sinceMs) / 1_000
      sinceMs = nowMs
    },
    all: () => steps,
  }
}
