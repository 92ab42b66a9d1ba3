import { type OperationId, operations } from '../../../../../client/src/index.ts'
import { requestOf, type SnippetInput } from '../../../../../ground/snippets.ts'
import { presentKey } from '../../../../data/session.ts'

/** An answer as it came. */
export interface Answer {
  status: number
  ms: number
  requestId: string | undefined
  headers: [name: string, value: string][]
  /** JSON with line breaks, or the text as it is; undefined for a file. */
  text: string | undefined
  file: Blob | undefined
  /** Bytes of the body. */
  size: number
}

/** The headers that say something about the answer. */
const shownHeaders = [
  'x-request-id',
  'location',
  'link',
  'x-total-count',
  'omitted-records',
  'etag',
  'idempotent-replayed',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'x-purser-fault',
]
/** More is not drawn: the browser would be busy with it. */
const SHOWN = 200_000

/**
 * Sends one request as a program would, without the mark of the console, so that the log of requests has it. It is not
 * repeated: the reader sees each answer.
 */
export async function sendOnce(id: OperationId, input: SnippetInput): Promise<Answer> {
  const { method, path, body } = requestOf(operations[id], input)
  const headers = {
    'X-Service-API-Key': presentKey() ?? '',
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
  const started = performance.now()
  const response = await fetch(path, {
    method,
    headers,
    redirect: 'manual',
    cache: 'no-store',
    ...(body !== undefined && { body }),
  })
  const file = await response.blob()
  const ms = Math.round(performance.now() - started)
  const isFile = operations[id][4] === 'file' && response.ok
  return {
    status: response.status,
    ms,
    requestId: response.headers.get('x-request-id') ?? undefined,
    headers: shownHeaders.flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value] as [string, string]]
    }),
    text: isFile ? undefined : shortened(pretty(await file.text())),
    file: isFile ? file : undefined,
    size: file.size,
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

function shortened(text: string): string {
  if (text.length <= SHOWN) return text
  return `${text.slice(0, SHOWN)}\n… ${text.length - SHOWN} more characters`
}
