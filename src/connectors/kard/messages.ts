import { veiled } from '../../base/text.ts'

const MAX_MESSAGES = 20
const LONGEST_MESSAGE = 300

/**
 * The messages of an error in any of its forms: `{errors: [{title, detail}]}` of the current API; `{errors: [text]}`,
 * `{message}` and a text of the legacy one; `{error, error_description}` of a token host; a bare text of a proxy.
 */
export function messagesOf(body: string, secrets: string[]): string[] {
  return errorMessages(parsed(body))
    .slice(0, MAX_MESSAGES)
    .map((message) =>
      veiled(message, secrets)
        .toWellFormed()
        .replace(/\p{Cc}+/gu, ' ')
        .trim()
        .slice(0, LONGEST_MESSAGE),
    )
    .filter((message) => message !== '')
}

/** Whether a body is an error in the form of one of Kard's APIs, and not a gateway's or a proxy's. */
export function isKardsError(body: string): boolean {
  const content = parsed(body)
  if (typeof content === 'string') return content !== body && content !== ''
  const { errors } = (content ?? {}) as { errors?: unknown }
  return Array.isArray(errors) && errors.length > 0
}

function errorMessages(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  if (typeof content !== 'object' || content === null) return []
  const { errors, message, error, error_description: description } = content as Record<string, unknown>
  if (Array.isArray(errors)) return errors.map(messageOfError)
  return [joined(message ?? error, description)]
}

/** The words of one error: a text, or a title and a detail, which often repeats the title. */
function messageOfError(error: unknown): string {
  if (typeof error === 'string') return error
  const { title, detail } = (error ?? {}) as { title?: unknown; detail?: unknown }
  return joined(title, detail)
}

/** The texts among the values. */
function joined(...values: unknown[]): string {
  const words = values.filter((each): each is string => typeof each === 'string' && each.trim() !== '')
  return [...new Set(words)].join(': ')
}

/** The content of a body; undefined for HTML, such as a proxy's error page, which a caller does not need. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body.trimStart().startsWith('<') ? undefined : body
  }
}
