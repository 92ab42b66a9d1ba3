import { isConnectionError, isProblem, operations, type PurserProblem } from '../client/src/index.ts'
import { exitCodes, NotAllowed, Refusal, UsageError } from '../ground/failure.ts'
import { commandWords } from '../ground/text.ts'

/** The next step if nothing answers at an address. */
const STARTING = '. `purser start` starts the service; --server names another address'

export interface Failure {
  /** The reason, in one line. */
  line: string
  code: number
  /** The answer of the service, if it refused. */
  problem?: Pick<PurserProblem, 'code' | 'status' | 'title' | 'detail' | 'errors' | 'requestId'>
}

/** The line and the exit code of an error. An error of the program itself keeps its stack. */
export function failureOf(error: unknown): Failure {
  if (isProblem(error)) {
    const { code, status, title, detail, errors, requestId } = error
    const problem = { code, status, title, detail, errors, requestId }
    return { line: problemLine(error), code: problemCode(error), problem }
  }
  if (isConnectionError(error)) {
    const { operation, message, idempotencyKey } = error
    const reason = message.replace(`${operation}: `, '').replace(/: is Purser running there\?$/, STARTING)
    return { line: `${reason}${again(idempotencyKey)}`, code: exitCodes.retry }
  }
  if (error instanceof UsageError) return { line: error.message, code: exitCodes.usage }
  if (error instanceof NotAllowed) return { line: error.message, code: exitCodes.notAllowed }
  if (error instanceof Refusal) return { line: error.message, code: error.code }
  if (isSystemError(error)) return { line: error.message, code: exitCodes.refused }
  return { line: (error as Error)?.stack ?? String(error), code: exitCodes.refused }
}

function problemLine({ code, detail, errors, requestId, idempotencyKey, ...problem }: PurserProblem): string {
  const reason = errors.map(({ message }) => message).join('; ') || withCommands(detail) || problem.title
  const request = requestId ? ` (request ${requestId})` : ''
  return `${code}: ${reason}${request}${mayPass({ code, ...problem }) ? again(idempotencyKey) : ''}`
}

/** A sentence of the service with commands in place of the requests that it names. */
function withCommands(sentence: string): string {
  return sentence.replace(/\b(GET|POST|PUT|PATCH|DELETE) (\/v0\/[\w/:-]+)/g, (named, method, path) => {
    const row = Object.values(operations).find((each) => each[1] === method && each[2] === path)
    return row ? `\`purser ${commandWords(row[0])}\`` : named
  })
}

/** The exit code of a refusal. */
export function problemCode(problem: { code: string; status: number }): number {
  if (problem.status === 401 || problem.status === 403) return exitCodes.notAllowed
  return mayPass(problem) ? exitCodes.retry : exitCodes.refused
}

/** Whether the same request may succeed later. After an unknown outcome at a provider it must not be sent again. */
function mayPass({ code, status }: { code: string; status: number }): boolean {
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
