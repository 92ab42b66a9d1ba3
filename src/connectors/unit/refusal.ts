import { type Fault, type ProblemCode, UpstreamProblem } from '../../base/problem.ts'
import { refusals } from '../../base/refusals.ts'
import { veiled } from '../../base/text.ts'
import { childOf } from './resource.ts'

/** One error in a refusal of the upstream. */
export interface UpstreamError {
  code: string
  /** The upstream's name for the kind of error; safe to log. */
  title: string
  detail: string | undefined
  pointer: string | undefined
  supportId: string | undefined
  /** The records that stand in the way of a new one. */
  existingIds: string[]
}

const MAX_ERRORS = 100
const MAX_TEXT = 1_000

/**
 * Reads the errors in the body of a refusal, in a member `errors` or as a list at the top; none if the body has another
 * form. Secrets are removed from the parsed texts, because JSON has several spellings of one text.
 */
export function upstreamErrors(text: string, secrets: string[]): UpstreamError[] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return []
  }
  const errors = Array.isArray(body) ? body : childOf(body).errors
  if (!Array.isArray(errors)) return []
  return errors
    .filter(isError)
    .slice(0, MAX_ERRORS)
    .map((error) => errorOf(error, secrets))
}

function isError(value: unknown): boolean {
  return ['status', 'code', 'title', 'detail', 'details'].some((member) => member in childOf(value))
}

function errorOf(value: unknown, secrets: string[]): UpstreamError {
  const { code, title, detail, details, source, meta } = childOf(value)
  const textOf = (given: unknown) =>
    typeof given === 'string' && given !== '' ? veiled(given, secrets).slice(0, MAX_TEXT) : undefined
  const { supportId, existingIds } = childOf(meta)
  return {
    code: textOf(code) ?? 'unspecified',
    title: textOf(title) ?? 'Refused',
    detail: textOf(details) ?? textOf(detail),
    pointer: textOf(childOf(source).pointer),
    supportId: textOf(supportId),
    existingIds: (Array.isArray(existingIds) ? existingIds : []).slice(0, MAX_ERRORS).flatMap((id) => textOf(id) ?? []),
  }
}

/**
 * The problems that a code of the upstream can mean; the first one that the operation declares is answered. A code that names
 * a record of which the operation knows nothing is a refusal like any other: it must not make a record of ours look missing.
 */
const meanings = new Map<string, ProblemCode[]>(
  Object.entries({
    account_customer_mismatch: ['customer_not_found'],
    account_not_found: ['account_not_found', 'transaction_not_found'],
    application_not_found: ['application_not_found'],
    authorization_not_found: ['authorization_not_found'],
    card_not_found: ['card_not_found'],
    counterparty_not_found: ['external_account_not_found'],
    customer_not_found: ['customer_not_found'],
    document_not_found: ['document_not_found'],
    payment_not_found: ['payment_not_found'],
    routing_number_not_found: ['invalid_routing_number'],
    statement_not_found: ['statement_not_found'],
    transaction_not_found: ['transaction_not_found'],
  }),
)

/** Details that say more than the problem's own. */
const details = new Map([['routing_number_not_found', 'There is no bank with this routing number.']])

/** Statuses by which the upstream refuses our credentials, our rate or the form of our requests, and not what a caller asks for. */
const aboutOurselves = [401, 403, 405, 406, 408, 415, 429]

/** The operation that was refused. */
export interface RefusedOperation {
  method: string
  problems: ProblemCode[]
}

/** The codes of the records that filters of lists name. */
const ofFilters = ['account_not_found', 'card_not_found', 'customer_not_found']

/** Whether the upstream misses a record that a filter names. A missing record of another kind is no reason for an empty list. */
export function isMissing(status: number, errors: UpstreamError[]): boolean {
  const codes = errors.map(codeOf)
  return isExplained(status, errors) && (isUnnamed(status, codes) || codes.some((code) => ofFilters.includes(code)))
}

/** Whether the upstream misses a record and does not say of which kind. */
function isUnnamed(status: number, codes: string[]): boolean {
  return codes.includes('not_found') || (status === 404 && !codes.some((code) => code.endsWith('_not_found')))
}

/**
 * The problem for a refusal of the upstream: by its code, if the operation declares it. Undefined if the refusal is not
 * about the caller's request, or gives no reason.
 */
export function refusedBy(
  status: number,
  errors: UpstreamError[],
  { method, problems }: RefusedOperation,
): UpstreamProblem | undefined {
  if (!isExplained(status, errors)) return undefined
  const options = { errors: errors.map(faultOf), lasting: true }
  const codes = errors.map(codeOf)
  for (const code of codes) {
    const meant = (meanings.get(code) ?? [code]).find((meaning) => problems.some((problem) => problem === meaning))
    const detail = details.get(code)
    if (meant) return new UpstreamProblem(meant as ProblemCode, { ...options, ...(detail && { detail }) })
  }
  const own = problems.find((problem) => refusals[problem].status === 404)
  const unnamed = isUnnamed(status, codes)
  if (unnamed && own) return new UpstreamProblem(own, options)
  // The path exists in the upstream's description, so that the address of the upstream is wrong.
  if (unnamed && status === 404) return undefined
  const conflict = method === 'GET' ? undefined : conflictOf(status, errors, problems)
  return new UpstreamProblem(conflict ?? 'refused_by_provider', options)
}

/** Whether a refusal is about the caller's request, and says why. */
function isExplained(status: number, errors: UpstreamError[]): boolean {
  return status >= 400 && status < 500 && !aboutOurselves.includes(status) && errors.length > 0
}

/** The code of an error. A bare `not_found` is completed by the member that the pointer names: `account_not_found`. */
function codeOf({ code, pointer }: UpstreamError): string {
  const [, member] = /^\/data\/(?:attributes|relationships)\/(\w+)/.exec(pointer ?? '') ?? []
  if (code !== 'not_found' || member === undefined) return code
  return `${member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_not_found`
}

/** The conflict of a write with the state of a record, if the upstream says so. */
function conflictOf(status: number, errors: UpstreamError[], problems: ProblemCode[]): ProblemCode | undefined {
  if (errors.some(({ code, existingIds }) => code === 'already_exists' || existingIds.length > 0))
    return 'already_exists'
  const subjects = errors.flatMap(({ code }) => /^not_supported_for_([a-z]+)_status$/.exec(code)?.[1] ?? [])
  if (subjects.length === 0 && status !== 409) return undefined
  const conflicts = problems.filter((problem) => refusals[problem].status === 409)
  return conflicts.find((problem) => subjects.some((subject) => problem.startsWith(`${subject}_`))) ?? 'wrong_state'
}

export function faultOf(error: UpstreamError): Fault {
  const { code, title, detail, supportId, existingIds } = error
  const pointer = pointerOf(error)
  return {
    ...(pointer && { pointer }),
    code,
    message: detail ?? title,
    ...(supportId && { supportId }),
    ...(existingIds.length > 0 && { existingIds }),
  }
}

/** The place of a fault in the caller's request, as far as it has the upstream's names. */
function pointerOf({ code, pointer }: UpstreamError): string | undefined {
  if (code === 'routing_number_not_found') return '/routingNumber'
  return /^\/data\/attributes(\/.+)$/.exec(pointer ?? '')?.[1]
}
