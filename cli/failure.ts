import { isConnectionError, isProblem, type PurserProblem } from '../client/src/index.ts'

/** Exit codes beside 0. */
export const exitCodes = { refused: 1, usage: 2, notAllowed: 4, retry: 5, interrupted: 130, terminated: 143 } as const

/** A command line that cannot be understood. */
export class UsageError extends Error {}

/** A command that was understood and cannot be carried out. */
export class Refusal extends Error {}

/** A call without a key, or without the rights that it needs. */
export class NotAllowed extends Error {}

/** A condition that may pass, such as a service that is not there yet. */
export class WorthRetry extends Error {}

export interface Failure {
  /** The reason, in one line. */
  line: string
  code: number
}

/** The line and the exit code of an error. An error of the program itself keeps its stack. */
export function failureOf(error: unknown): Failure {
  if (isProblem(error)) return { line: problemLine(error), code: problemCode(error) }
  if (isConnectionError(error)) {
    const { reason, message, idempotencyKey } = error
    const advice = reason === 'unreachable' ? ' `purser start` starts it' : ''
    return { line: `${message}${advice}${again(idempotencyKey)}`, code: exitCodes.retry }
  }
  if (error instanceof UsageError) return { line: error.message, code: exitCodes.usage }
  if (error instanceof NotAllowed) return { line: error.message, code: exitCodes.notAllowed }
  if (error instanceof WorthRetry) return { line: error.message, code: exitCodes.retry }
  if (error instanceof Refusal || isSystemError(error)) return { line: error.message, code: exitCodes.refused }
  return { line: (error as Error)?.stack ?? String(error), code: exitCodes.refused }
}

function problemLine({ code, detail, errors, requestId, idempotencyKey, ...problem }: PurserProblem): string {
  const reason = errors.map(({ message }) => message).join('; ') || detail || problem.title
  const request = requestId ? ` (request ${requestId})` : ''
  return `${code}: ${reason}${request}${mayPass({ code, ...problem }) ? again(idempotencyKey) : ''}`
}

function problemCode(problem: PurserProblem): number {
  if (problem.status === 401 || problem.status === 403) return exitCodes.notAllowed
  return mayPass(problem) ? exitCodes.retry : exitCodes.refused
}

/** Whether the same request may succeed later. After an unknown outcome at a provider it must not be sent again. */
function mayPass({ code, status }: Pick<PurserProblem, 'code' | 'status'>): boolean {
  if (code === 'upstream_outcome_unknown') return false
  return code === 'idempotency_in_progress' || status === 408 || status === 429 || (status >= 500 && status !== 501)
}

/** A POST that is repeated under its key has one effect. */
function again(idempotencyKey: string | undefined): string {
  return idempotencyKey ? `; to try again safely, add --idempotency-key ${idempotencyKey}` : ''
}

/** A failed call of the operating system, such as a file that does not exist. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string'
}
