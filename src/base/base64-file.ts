import { invalidRequest, Problem } from './problem.ts'

const MIB = 1024 * 1024
const MAX_FILE_BYTES = 20 * MIB
/** Room for the largest file in Base64, which is a third longer. */
export const UPLOAD_BODY_LIMIT = 28 * MIB
/** Bytes that are compared at a time; a multiple of three, so that each slice is whole Base64. */
const SLICE_BYTES = 3 * 256 * 1024

/** Decodes the member `file` of an upload. Refuses a file that is empty, too large, or not Base64 as RFC 4648 defines it. */
export function decodedBase64(file: string): Buffer {
  if (Buffer.byteLength(file, 'base64') > MAX_FILE_BYTES) {
    throw new Problem('payload_too_large', { detail: 'The decoded file may hold 20 MiB.' })
  }
  const content = Buffer.from(file, 'base64')
  if (content.length === 0 || !isBase64Of(file, content)) {
    const message = 'file must be Base64: the standard alphabet, padded, without spaces'
    throw invalidRequest([{ pointer: '/file', code: 'bad_format', message }])
  }
  return content
}

/**
 * Whether a text is the Base64 of these bytes. The decoder skips characters that it does not know, so that only strict
 * Base64 is encoded to the same text again. Encoding slice by slice needs no second copy of 28 MiB.
 */
function isBase64Of(text: string, content: Buffer): boolean {
  if (text.length !== Math.ceil(content.length / 3) * 4) return false
  for (let start = 0; start < content.length; start += SLICE_BYTES) {
    const slice = content.toString('base64', start, Math.min(start + SLICE_BYTES, content.length))
    if (!text.startsWith(slice, (start / 3) * 4)) return false
  }
  return true
}
