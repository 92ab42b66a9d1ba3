import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { StartupError } from '../base/startup-error.ts'
import { plainEnvironment } from './embedded-binaries.ts'
import type { Place } from './embedded-place.ts'

export const user = 'purser'

/**
 * Created under another name, so that a cluster is whole or absent. Sessions are trusted without a password: only root and the server's
 * user can enter the socket's folder, and both can read and write the database's files anyway.
 */
export async function createCluster(place: Place, binaries: string, say: (line: string) => void): Promise<void> {
  const { cluster } = place
  if (existsSync(join(cluster, 'PG_VERSION'))) return
  if (existsSync(cluster) && readdirSync(cluster).length > 0)
    throw new StartupError(`${cluster} is not a database: move it away, or set PURSER_DATA_DIR to another folder`)
  say(`creating the database in ${cluster}`)
  const draft = `${cluster}${draftSuffix()}`
  mkdirSync(draft, { mode: 0o700 })
  try {
    chownSync(draft, place.uid, place.gid)
    const options = [
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--auth-local=trust',
      '--auth-host=reject',
      '--no-instructions',
    ]
    await promisify(execFile)(join(binaries, 'initdb'), ['-D', draft, '-U', user, ...options], {
      ...place.become,
      cwd: '/',
      env: plainEnvironment,
    })
    renameSync(draft, cluster)
    const parent = openSync(dirname(cluster), 'r')
    fsyncSync(parent)
    closeSync(parent)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another service that starts at this moment was faster; who owns the database is decided by the lock.
    if (existsSync(join(cluster, 'PG_VERSION'))) return
    const reason = reasonIn((error as { stderr?: string }).stderr ?? '')
    if (reason === undefined) throw error
    if (/No space left|quota exceeded/.test(reason)) throw diskFull(place.dataDir)
    const cure = reason.includes('effective user ID') ? 'run as a user with a name' : 'see to that'
    throw new StartupError(`the database could not be created in ${cluster} (${reason}): ${cure}, or set DATABASE_URL`)
  }
}

/** The line of a program's last words that says most: the system's refusal if there is one, else the last complaint. */
export function reasonIn(text: string): string | undefined {
  const lines = text.trim().split('\n')
  const refusal = lines.find((line) => /No space left|quota exceeded|Permission denied|Read-only/.test(line))
  return refusal ?? lines.findLast((line) => /FATAL|PANIC|error|could not/.test(line)) ?? (lines.at(-1) || undefined)
}

export function diskFull(dataDir: string): StartupError {
  return new StartupError(`the disk of ${dataDir} is full: make room, or set PURSER_DATA_DIR to another disk`)
}

/** Names the process, and by its start tells it from an earlier one with the same id. */
export function draftSuffix(): string {
  return `.new-${process.pid}-${Math.trunc(performance.timeOrigin)}-${randomUUID().slice(0, 8)}`
}

export function removeDrafts(home: string) {
  for (const name of readdirSync(home)) {
    const [, pid, origin] = /\.new-(\d+)-(\d+)-\w+$/.exec(name) ?? []
    if (pid === undefined) continue
    const maker = Number(pid)
    const abandoned = maker === process.pid ? origin !== String(Math.trunc(performance.timeOrigin)) : !isAlive(maker)
    if (abandoned) rmSync(join(home, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
