import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const FORM = /^prs_(?:sk|rk)_(?:live|test)_([0-9A-Za-z]{36})([0-9A-Za-z]{6})$/

/** Makes a new key, full or restricted. Its last six characters are a checksum, so that scanners recognise a real key. */
export function makeKey(mode: 'live' | 'sandbox', kind: 'sk' | 'rk'): string {
  const body = Array.from({ length: 36 }, () => BASE62[randomInt(62)]).join('')
  return `prs_${kind}_${mode === 'live' ? 'live' : 'test'}_${body}${checksum(body)}`
}

/** Whether a text has the form of a key and a wrong checksum. */
export function isForged(key: string): boolean {
  const [, body, sum] = FORM.exec(key) ?? []
  return body !== undefined && checksum(body) !== sum
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let place = 0; place < 6; place++) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
