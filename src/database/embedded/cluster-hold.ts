import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { commandOf, draftSuffix, makerOf, syncFolder } from './drafts.ts'

/** The commands that hold a stopped cluster. After a crash their process id may be any other program's. */
const HOLDERS = /\b(snapshot|reset)\b/

/**
 * Holds a stopped cluster: no server is started while the file is there and its process lives. Returns the release. A file
 * for each holder, named by its process, needs no removal of another's file, which would race.
 */
export function holdCluster(cluster: string): () => void {
  const file = `${cluster}.held${draftSuffix()}`
  writeFileSync(file, '', { mode: 0o600, flag: 'wx' })
  return () => rmSync(file, { force: true })
}

/** The process other than this one that holds the stopped cluster. */
export function holderOf(cluster: string): number | undefined {
  const prefix = `${basename(cluster)}.held.`
  if (!existsSync(dirname(cluster))) return undefined
  for (const name of readdirSync(dirname(cluster))) {
    const maker = name.startsWith(prefix) ? makerOf(name) : undefined
    if (maker && maker.pid !== process.pid && HOLDERS.test(commandOf(maker.pid))) return maker.pid
  }
  return undefined
}

/**
 * Puts a finished draft in the place of a cluster. Two renames are not one: a process that is killed between them leaves
 * no cluster and the former one aside, which `finishSwap` brings back.
 */
export function swapCluster(cluster: string, draft: string): void {
  const former = formerOf(cluster)
  if (existsSync(cluster)) renameSync(cluster, former)
  renameSync(draft, cluster)
  syncFolder(dirname(cluster))
  rmSync(former, { recursive: true, force: true, maxRetries: 5 })
}

/** Ends a swap that was interrupted: the former cluster comes back if it has no successor, and is deleted otherwise. */
export function finishSwap(cluster: string): void {
  const former = formerOf(cluster)
  if (!existsSync(former) || holderOf(cluster) !== undefined) return
  try {
    if (existsSync(cluster)) rmSync(former, { recursive: true, force: true, maxRetries: 5 })
    else renameSync(former, cluster)
  } catch (error) {
    // Another process that started at the same time was faster.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function formerOf(cluster: string): string {
  return join(dirname(cluster), `${basename(cluster)}.former`)
}
