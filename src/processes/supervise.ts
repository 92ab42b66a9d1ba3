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
  /** Called if a process fails to start again and again. */
  lost(error: StartupError): void
  /** The pause after the second end in a row, which doubles with each; tests take a short one. */
  firstPauseMs?: number
}

/** The processes that serve requests. */
export interface Supervised {
  /** Resolves with the address when all of them serve requests. */
  started: Promise<string>
  /** Asks all to finish their requests and waits for their ends. */
  stop(): Promise<void>
}

/** A process that served for so long is replaced without a pause. */
const LASTING_MS = 10_000
const FIRST_PAUSE_MS = 200
const MAX_PAUSE_MS = 5_000
/** Starts in a row that fail before the service ends, with pauses that take some ten seconds together. */
const MAX_FAILED_STARTS = 7

interface Supervision extends SuperviseOptions {
  running: Set<Worker>
  stopping: boolean
  /** The last ends in a row of each process. */
  ends: Map<number, Ends>
}

interface Ends {
  /** Ends of a process that had not served for long. */
  early: number
  /** Ends of one that had not served at all. */
  failedStarts: number
}

/** Starts the processes, the first one alone: a fault that all would meet is reported once. */
export function supervise(options: SuperviseOptions): Supervised {
  const supervision: Supervision = { ...options, running: new Set(), stopping: false, ends: new Map() }
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

/** Starts a process for the first time: if it fails, so does the start of the service. */
function startFirst(supervision: Supervision, number: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const ended = (why: string, servedMs: number | undefined) => {
      if (servedMs !== undefined) replace(supervision, number, why, servedMs)
      else reject(new StartupError(`process ${number} ended while it started (${why}): its message is above`))
    }
    startOne(supervision, number, resolve, ended)
  })
}

function startOne(
  { environment, running, parent, stdout, stderr }: Supervision,
  number: number,
  ready: (address: string) => void,
  ended: (why: string, servedMs: number | undefined) => void,
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
    ended(signal ?? `exit code ${code}`, readyMs === undefined ? undefined : clock.elapsedMs() - readyMs)
  })
}

/**
 * Starts a process again: the first time at once, then after longer and longer pauses. The service goes on with the
 * others while one that serves is killed again and again, and ends if one cannot be started any more.
 */
function replace(supervision: Supervision, number: number, why: string, servedMs: number | undefined): void {
  const { ends, log, lost, firstPauseMs = FIRST_PAUSE_MS } = supervision
  if (supervision.stopping) return
  const before = ends.get(number) ?? { early: 0, failedStarts: 0 }
  const early = (servedMs ?? 0) >= LASTING_MS ? 0 : before.early
  const failedStarts = servedMs === undefined ? before.failedStarts + 1 : 0
  ends.set(number, { early: early + 1, failedStarts })
  if (failedStarts === MAX_FAILED_STARTS) {
    lost(
      new StartupError(`process ${number} failed to start ${failedStarts} times in a row (${why}): see the log above`),
    )
    return
  }
  const pauseMs = early === 0 ? 0 : Math.min(MAX_PAUSE_MS, firstPauseMs * 2 ** (early - 1))
  log.error({ process: number, reason: why, pauseMs }, 'a process ended and is replaced')
  setTimeout(() => {
    if (supervision.stopping) return
    const ready = () => log.info({ process: number }, 'a process was replaced')
    startOne(supervision, number, ready, (reason, served) => replace(supervision, number, reason, served))
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
