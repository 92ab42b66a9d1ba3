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
  return requestKey(request.method, request.path, key, { content }, digest)
}

interface Content {
  content: unknown
  /** Names of members that do not count, because they are no part of the body. */
  outside?: ReadonlySet<string>
}

/** The key of a request with this content; a random one if the caller has sent none. */
export function requestKey(
  method: string,
  path: string,
  key: string | undefined,
  { content, outside }: Content,
  digest: (text: string) => Buffer,
): IdempotencyKey {
  if (key === undefined) return randomKey()
  const plain = path.endsWith('/') ? path.replace(/\/+$/, '') : path
  const text = `${method} ${plain}\n${canonicalJson(content ?? {}, outside)}`
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

/** The same text for requests of the same meaning: members sorted by name, without those that are null or outside. */
function canonicalJson(value: unknown, outside?: ReadonlySet<string>): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(',')}]`
  let members = ''
  for (const name of sorted(Object.keys(value))) {
    const member = (value as Record<string, unknown>)[name]
    if (member === null || outside?.has(name)) continue
    members += `${members === '' ? '' : ','}${quoted(name)}:${canonicalJson(member)}`
  }
  return `{${members}}`
}

/** Up to this number, names are sorted in their place: `sort` copies them first, which took a third of the time of a text. */
const FEW = 16

function sorted(names: string[]): string[] {
  if (names.length > FEW) return names.sort()
  for (let end = 1; end < names.length; end++) {
    const name = names[end] as string
    let at = end
    for (; at > 0 && (names[at - 1] as string) > name; at--) names[at] = names[at - 1] as string
    names[at] = name
  }
  return names
}
