import { type IdempotencyKey, randomKey } from '../../base/operation.ts'
import { invalidRequest } from '../../base/problem.ts'
import { sha256 } from '../../base/sha256.ts'
import { quoted } from '../../base/text.ts'

/** Splits the member idempotencyKey, the alternative to the header, from the rest of a body. */
export function splitBodyKey(body: unknown): { content: unknown; bodyKey: unknown } {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !('idempotencyKey' in body)) {
    return { content: body, bodyKey: undefined }
  }
  const { idempotencyKey: bodyKey, ...content } = body
  return { content, bodyKey }
}

/** The caller's key from header or body, or a random one: every write stores its answer under a key. */
export function idempotencyKey(
  request: { method: string; path: string; header: string | undefined },
  { content, bodyKey }: { content: unknown; bodyKey: unknown },
  digest: (text: string) => Buffer,
): IdempotencyKey {
  const key = callersKey(request.header, bodyKey)
  return requestKey(request.method, request.path, key, content, digest)
}

/** The key of a request with this content; a random one where the caller has sent none. */
export function requestKey(
  method: string,
  path: string,
  key: string | undefined,
  content: unknown,
  digest: (text: string) => Buffer,
): IdempotencyKey {
  if (key === undefined) return randomKey()
  const text = `${method} ${path.replace(/\/+$/, '')}\n${canonicalJson(content ?? {})}`
  return { text: key, hash: sha256(key), fingerprint: digest(text), fromCaller: true }
}

/** The key that the caller sent, in the header or the body. */
export function callersKey(header: string | undefined, bodyKey: unknown, maxLength = 255): string | undefined {
  const fromHeader = header === undefined ? undefined : readHeader(header)
  if (bodyKey !== undefined && (typeof bodyKey !== 'string' || !isKey(bodyKey)))
    throw malformed({ pointer: '/idempotencyKey' })
  if (fromHeader !== undefined && bodyKey !== undefined && fromHeader !== bodyKey) {
    throw invalidRequest([
      {
        pointer: '/idempotencyKey',
        code: 'conflict',
        message: 'idempotencyKey differs from the header Idempotency-Key',
      },
    ])
  }
  const key = fromHeader ?? bodyKey
  if (key === undefined || key.length <= maxLength) return key
  const where = fromHeader === undefined ? { pointer: '/idempotencyKey' } : { parameter: 'Idempotency-Key' }
  throw invalidRequest([
    { ...where, code: 'too_long', message: `the idempotency key of a batch has at most ${maxLength} characters` },
  ])
}

/** Reads the header: the bare key, or a structured-field string in quotes. */
function readHeader(header: string): string {
  const inQuotes = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)
  const key = inQuotes ? (inQuotes[1] ?? '').replace(/\\(.)/g, '$1') : header
  if (!isKey(key) || (!inQuotes && header.startsWith('"'))) throw malformed({ parameter: 'Idempotency-Key' })
  return key
}

function isKey(text: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(text)
}

function malformed(where: { pointer: string } | { parameter: string }) {
  return invalidRequest([
    { ...where, code: 'bad_format', message: 'an idempotency key is 1 to 255 visible ASCII characters' },
  ])
}

/** The same text for requests of the same meaning: members sorted by name, without those that are null. */
function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  let members = ''
  for (const name of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[name]
    if (member === null) continue
    members += `${members === '' ? '' : ','}${quoted(name)}:${canonicalJson(member)}`
  }
  return `{${members}}`
}
