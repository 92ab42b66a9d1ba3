import { LINE_LENGTH } from './record.ts'

/** The text of a file: UTF-8, or else one character a byte. Undefined for binary content. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (isBinary(bytes)) return undefined
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  }
  // A column is one character; no letter that a bank sends needs two units of UTF-16.
  return SURROGATE.test(text) ? text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, '\ufffd') : text
}

const SURROGATE = /[\ud800-\udfff]/
const HEAD_BYTES = 8_192

/** More than a tenth of the first bytes are control characters that no text has. */
function isBinary(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, HEAD_BYTES)
  const control = head.reduce((count, byte) => count + (byte < 0x20 && !TEXT_CONTROLS.has(byte) ? 1 : 0), 0)
  return control * 10 > head.length
}

/** Tab, line feed, carriage return, and the mark at the end of files from DOS. */
const TEXT_CONTROLS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x1a])

/** The lines of a text, which end with LF or CRLF. Some banks send no line ends at all; then a line has 94 characters. */
export function* linesOf(text: string): Generator<string> {
  let end = text.length
  while (end > 0 && '\n\r\x1a'.includes(text.charAt(end - 1))) end--
  const hasLineEnds = text.lastIndexOf('\n', end - 1) >= 0
  if (end > LINE_LENGTH && !hasLineEnds && text.startsWith('101')) {
    for (let start = 0; start < end; start += LINE_LENGTH) yield text.slice(start, Math.min(end, start + LINE_LENGTH))
    return
  }
  for (let start = 0; start < end; ) {
    const found = text.indexOf('\n', start)
    const next = found < 0 || found >= end ? end : found
    yield text.slice(start, next > start && next < end && text[next - 1] === '\r' ? next - 1 : next)
    start = next + 1
  }
}
