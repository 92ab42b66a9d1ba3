import { type Fault, type ProblemCode, refusals, UpstreamProblem } from '../../base/problem.ts'
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
}

/**
 * Reads the errors in the body of a refusal; none where the body has another form. Secrets are removed from the parsed
 * texts, because JSON has several spellings of one text.
 */
export function upstreamErrors(text: string, secrets: string[]): UpstreamError[] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return []
  }
  const { errors } = childOf(body)
  if (!Array.isArray(errors)) return []
  const textOf = (value: unknown) =>
    typeof value === 'string' && value !== '' ? veiled(value, secrets).slice(0, 1_000) : undefined
  return errors.slice(0, 100).map((error: unknown) => {
    const { code, title, detail, source, meta } = childOf(error)
    return {
      code: textOf(code) ?? 'unspecified',
      title: textOf(title) ?? 'Refused',
      detail: textOf(detail),
      pointer: textOf(childOf(source).pointer),
      supportId: textOf(childOf(meta).supportId),
    }
  })
}

export function isMissing(status: number, errors: UpstreamError[]): boolean {
  return status === 404 || errors.some(({ code }) => code.endsWith('_not_found'))
}

/**
 * The problem for a refusal of the upstream: by its code, where the operation can answer it. Undefined where the upstream
 * refuses our credentials or our rate and not the request.
 */
export function refusedBy(
  status: number,
  errors: UpstreamError[],
  problems: ProblemCode[],
): UpstreamProblem | undefined {
  const isRequestsFault = status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status)
  if (!isRequestsFault) return undefined
  const faults = errors.map(faultOf)
  const options = { ...(faults.length > 0 && { errors: faults }), lasting: true }
  const codes = errors.map(({ code }) => ourNames[code] ?? code)
  const declared = codes.find((code): code is ProblemCode => problems.some((problem) => problem === code))
  if (declared) return new UpstreamProblem(declared, options)
  if (isMissing(status, errors)) {
    const missing = problems.find((problem) => refusals[problem].status === 404)
    return new UpstreamProblem(missing ?? 'upstream_error', options)
  }
  const conflict = codes.find((code) => /^not_supported_for_.*_status$/.test(code))
  if (conflict || status === 409) return new UpstreamProblem(conflictCode(conflict ?? '', problems), options)
  return new UpstreamProblem('refused_by_provider', options)
}

/** Codes of the upstream that have another name here. */
const ourNames: Record<string, ProblemCode> = { counterparty_not_found: 'external_account_not_found' }

/** The conflict that names the same record, as `not_supported_for_card_status` names the card; else the operation's first. */
function conflictCode(code: string, problems: ProblemCode[]): ProblemCode {
  const conflicts = problems.filter((problem) => refusals[problem].status === 409)
  const subject = /^not_supported_for_([a-z]+)/.exec(code)?.[1] ?? ''
  return conflicts.find((problem) => problem.startsWith(`${subject}_`)) ?? conflicts[0] ?? 'wrong_state'
}

export function faultOf({ code, title, detail, pointer, supportId }: UpstreamError): Fault {
  const member = /^\/data\/attributes(\/.+)$/.exec(pointer ?? '')?.[1]
  return { ...(member && { pointer: member }), code, message: detail ?? title, ...(supportId && { supportId }) }
}
