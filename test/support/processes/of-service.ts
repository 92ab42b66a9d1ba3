import { execFileSync } from 'node:child_process'
import type { Service } from '../service.ts'

/** The processes that serve requests: the children of the parent process that run the same program. */
export function processesOf({ pid }: Pick<Service, 'pid'>): number[] {
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [, child, parent, state = '', program = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    const serves = Number(parent) === pid && !state.startsWith('Z') && program.startsWith(`${process.execPath} `)
    return serves ? [Number(child)] : []
  })
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
