import cluster, { type Worker } from 'node:cluster'
import { clock } from '../base/clock.ts'
import { StartupError } from '../base/startup-error.ts'
import type { Log } from '../http/log.ts'
import { joinLines } from './output.ts'
import type { Parent } from './parent.ts'

export interface SuperviseOptions {
  count: number
  /** The program of a process, and the variable of the environment that each gets with its number. */
  program: string
  environment(number: number): Record<string, string>
  parent: Parent
  log: Log
  /** Take whole lines of the processes. */
  stdout(lines: Uint8Array): void
  stderr(lines: Uint8Array): void
  /** Called where a process ends again and again while it starts. */
  lost(error: StartupError): void
  /** The pause after the first failure but one, which doubles with each; tests take a short one. */
  firstPauseMs?: number
}

/** The processes that serve requests. */
export interface Supervised {
  /** Resolves with the address when all of them serve requests. */
  started: Promise<string>
  /** Asks all to finish their requests and waits for their ends. */
  stop(): Promise<void>
}

/** A process that served for so long did not fail at its start. */
const LASTING_MS = 10_000
const FIRST_PAUSE_MS = 200
const MAX_PAUSE_MS = 5_000
/** Starts in a row that may fail, with pauses that take some ten seconds together. */
const MAX_FAILURES = 7

interface Supervision extends SuperviseOptions {
  running: Set<Worker>
  stopping: boolean
  /** Failures in a row of each process. */
  failures: Map<number, number>
}

/** Starts the processes, the first one alone: a fault that all would meet is reported once. */
export function supervise(options: SuperviseOptions): Supervised {
  const supervision: Supervision = { ...options, running: new Set(), stopping: false, failures: new Map() }
  // Connections are handed out in turn. By itself the kernel would give most of them to one process.
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({ exec: options.program, args: [], silent: true })
  return { started: startAll(supervision), stop: () => stop(supervision) }
}

async function startAll(supervision: Supervision): Promise<string> {
  const address = await startFirst(supervision, 1)
  if (supervision.stopping) throw new StartupError('the service stops')
  const others = Array.from({ length: supervision.count - 1 }, (_, index) => startFirst(supervision, index + 2))
  await Promise.all(others)
  return address
}

/** Starts a process for the first time: where it fails, so does the start of the service. */
function startFirst(supervision: Supervision, number: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let served = false
    const ready = (address: string) => {
      served = true
      resolve(address)
    }
    const ended = (why: string, livedMs: number) => {
      if (served) replace(supervision, number, why, livedMs)
      else reject(new StartupError(`process ${number} ended while it started (${why}): its message is above`))
    }
    startOne(supervision, number, ready, ended)
  })
}

function startOne(
  { environment, running, parent, stdout, stderr }: Supervision,
  number: number,
  ready: (address: string) => void,
  ended: (why: string, livedMs: number) => void,
): void {
  const worker = cluster.fork(environment(number))
  running.add(worker)
  let readyMs: number | undefined
  parent.connect(number, worker, (address) => {
    readyMs = clock.elapsedMs()
    ready(address)
  })
  if (worker.process.stdout) joinLines(worker.process.stdout, stdout)
  if (worker.process.stderr) joinLines(worker.process.stderr, stderr)
  // A process that cannot be started has no other end.
  worker.once('error', () => undefined)
  // After its last output.
  worker.process.once('close', (code, signal) => {
    running.delete(worker)
    const livedMs = readyMs === undefined ? 0 : clock.elapsedMs() - readyMs
    ended(signal ?? `exit code ${code}`, livedMs)
  })
}

/** Starts a process again: the first time at once, then after longer and longer pauses. */
function replace(supervision: Supervision, number: number, why: string, livedMs: number): void {
  const { failures, log, lost, firstPauseMs = FIRST_PAUSE_MS } = supervision
  if (supervision.stopping) return
  const before = livedMs >= LASTING_MS ? 0 : (failures.get(number) ?? 0)
  failures.set(number, before + 1)
  if (before >= MAX_FAILURES) {
    lost(new StartupError(`process ${number} ended ${before + 1} times in a row (${why}): see the log above`))
    return
  }
  const pauseMs = before === 0 ? 0 : Math.min(MAX_PAUSE_MS, firstPauseMs * 2 ** (before - 1))
  log.error({ process: number, reason: why, pauseMs }, 'a process ended and is replaced')
  setTimeout(() => {
    if (supervision.stopping) return
    const ready = () => log.info({ process: number }, 'a process was replaced')
    startOne(supervision, number, ready, (reason, lived) => replace(supervision, number, reason, lived))
  }, pauseMs)
}

async function stop(supervision: Supervision): Promise<void> {
  supervision.stopping = true
  await Promise.all(
    [...supervision.running].map((worker) => {
      const exited = new Promise((resolve) => worker.process.once('close', resolve))
      worker.process.kill('SIGTERM')
      return exited
    }),
  )
}
