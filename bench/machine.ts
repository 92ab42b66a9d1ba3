import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { delimiter, join } from 'node:path'

/** A program's path, or undefined if the PATH has none. */
export function onPath(program: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

export function machine(): string {
  const [first] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} cores, ${first?.model.trim()}, ${memory} GB, ${process.platform} ${release()}, Node ${process.version}`
}

/** Proportional set size of a process and all it started, the database server among them; undefined but on Linux. */
export function pssBytes(pid: number): number | undefined {
  if (!existsSync('/proc/self/smaps_rollup')) return undefined
  return familyOf(pid).reduce((sum, one) => sum + pssOf(one), 0)
}

/** CPU milliseconds of a process, and of all that it started; undefined but on Linux. */
export function cpuMs(pid: number): { own: number; started: number } | undefined {
  if (!existsSync('/proc/self/stat')) return undefined
  const started = familyOf(pid).filter((one) => one !== pid)
  return { own: ticksOf(pid), started: started.reduce((sum, one) => sum + ticksOf(one), 0) }
}

/** CPU milliseconds of the processes of a service, by their tasks; undefined but on Linux. */
export function cpuByTask(pid: number): Record<CpuTask, number> | undefined {
  if (!existsSync('/proc/self/stat')) return undefined
  const sums = { parent: 0, serving: 0, database: 0 }
  const family = familyOf(pid)
  const isNode = (one: number) => readOr(`/proc/${one}/comm`).startsWith('node')
  const several = family.some((one) => one !== pid && isNode(one))
  for (const one of family) {
    const task = !isNode(one) ? 'database' : one === pid && several ? 'parent' : 'serving'
    sums[task] += ticksOf(one)
  }
  return sums
}

/** The parent process of several, the ones that serve requests, the database server. */
export type CpuTask = 'parent' | 'serving' | 'database'

/** CPU milliseconds of one process and of children of it that have ended; 0 but on Linux. */
export function ticksOf(pid: number): number {
  const [, rest = ''] = readOr(`/proc/${pid}/stat`).split(') ')
  return (
    rest
      .split(' ')
      .slice(11, 15)
      .reduce((sum, value) => sum + Number(value), 0) * MS_A_TICK
  )
}

const MS_A_TICK = 10

function familyOf(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) if (/^\d+$/.test(name)) parents.set(Number(name), parentOf(name))
  return [...parents.keys()].filter((candidate) => {
    for (let one: number | undefined = candidate; one; one = parents.get(one)) if (one === pid) return true
    return false
  })
}

function parentOf(pid: string): number {
  return Number(/\nPPid:\s+(\d+)/.exec(readOr(`/proc/${pid}/status`))?.[1] ?? 0)
}

function pssOf(pid: number): number {
  return Number(/\nPss:\s+(\d+) kB/.exec(readOr(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024
}

/** A process may end while it is looked at. */
function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
