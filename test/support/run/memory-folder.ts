import { spawnSync } from 'node:child_process'
import { accessSync, chmodSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const place = '/dev/shm'
const prefix = 'purser-tests-'
/** Several times what a run takes at its peak. */
const ROOM_BYTES = 6 * 1024 ** 3

/**
 * A folder in memory for the temporary files of one run, if the machine has room for it. A database there takes a
 * fraction of the time: a test copies one, which is hundreds of small files.
 */
export function memoryFolder(): string | undefined {
  try {
    accessSync(place)
    removeLeftovers()
    const { bavail, bsize } = statfsSync(place)
    if (Math.min(bavail * bsize, process.availableMemory()) < ROOM_BYTES) return undefined
    const folder = join(place, `${prefix}${process.pid}`)
    mkdirSync(folder)
    // As /tmp is: some tests run as other users.
    chmodSync(folder, 0o1777)
    if (mayRunPrograms(folder)) return folder
    rmSync(folder, { recursive: true })
  } catch {
    // Not on this system; the ordinary folder serves.
  }
  return undefined
}

/** Removes the folders of runs that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(place).filter((each) => each.startsWith(prefix))) {
    if (!isAlive(Number(name.slice(prefix.length)))) rmSync(join(place, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Containers often mount this place without the right to run programs, which some tests need. */
function mayRunPrograms(folder: string): boolean {
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  return spawnSync(program).status === 0
}
