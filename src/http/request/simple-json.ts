const QUOTE = 0x22
const BACKSLASH = 0x5c
/** `,` `[` `{`: as many as there are values, give or take one for each list and object. */
const STRUCTURE = new Set([0x2c, 0x5b, 0x7b])

/** JSON.parse takes about 10 ms for so many values; a full mebibyte of them took 400 ms, 28 MiB of them 10 s. */
const MAX_VALUES = 10_000
const MAX_OUTSIDE_STRINGS = 1024 * 1024

/**
 * Whether a large JSON text has few values, as an upload has: long strings and little else. Strings are skipped by a
 * native search, so that 28 MiB of Base64 take 2 ms. A text that is not JSON may get either answer.
 */
export function isSimpleJson(bytes: Buffer, maxValues = MAX_VALUES): boolean {
  let values = 0
  let outside = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE) {
      const end = endOfString(bytes, at + 1, maxValues)
      if (end === undefined) return false
      at = end
      values++
    } else if (STRUCTURE.has(byte)) values++
    else outside++
    if (values > maxValues || outside > MAX_OUTSIDE_STRINGS) return false
  }
  return true
}

/** The place of the quote that ends a string, or the end of the text; undefined past so many escaped quotes. */
function endOfString(bytes: Buffer, from: number, maxEscaped: number): number | undefined {
  let at = bytes.indexOf(QUOTE, from)
  for (let escaped = 0; escaped < maxEscaped; escaped++) {
    if (at < 0) return bytes.length
    let backslashes = 0
    while (at - 1 - backslashes >= from && bytes[at - 1 - backslashes] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return at
    at = bytes.indexOf(QUOTE, at + 1)
  }
  return undefined
}
