import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The suffix of a draft: the process by its id, and by its start time, because ids are used again. */
export function draftSuffix(): string {
  return `.new-${process.pid}-${origin()}-${randomUUID().slice(0, 8)}`
}

function origin(): string {
  return String(Math.trunc(performance.timeOrigin))
}

/** The process that made a draft, by the draft's name. */
export function makerOf(name: string): { pid: number; isThis: boolean } | undefined {
  const [, pid, started] = /\.new-(\d+)-(\d+)-\w+$/.exec(name) ?? []
  if (pid === undefined) return undefined
  return { pid: Number(pid), isThis: Number(pid) === process.pid && started === origin() }
}

export function removeDrafts(home: string) {
  for (const name of readdirSync(home)) {
    const maker = makerOf(name)
    if (maker === undefined) continue
    const abandoned = maker.pid === process.pid ? !maker.isThis : !isAlive(maker.pid)
    if (abandoned) rmSync(join(home, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The command line of a process; empty if there is none, or a zombie. */
export function commandOf(pid: number): string {
  if (!isAlive(pid)) return ''
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH' || existsSync('/proc/self')) return ''
    // macOS has no /proc.
    return spawnSync('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Makes the names in a folder durable. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
