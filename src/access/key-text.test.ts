import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { isForged, makeKey } from './key-text.ts'

describe('a key', () => {
  test('starts with its kind and mode, followed by 36 characters and a checksum', () => {
    expect(makeKey('live', 'sk')).toMatch(/^prs_sk_live_[0-9A-Za-z]{42}$/)
    expect(makeKey('sandbox', 'rk')).toMatch(/^prs_rk_test_[0-9A-Za-z]{42}$/)
  })

  test('ends in the CRC32 of its 36 characters, in base 62', () => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    for (let count = 0; count < 100; count++) {
      const key = makeKey('live', 'sk')
      const sum = [...key.slice(-6)].reduce((value, digit) => value * 62 + digits.indexOf(digit), 0)
      expect(sum).toBe(crc32(key.slice(-42, -6)))
    }
  })

  test('is never the same twice', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => makeKey('live', 'sk'))).size).toBe(1_000)
  })
})

describe('a forged key', () => {
  test('is a key in which any one character was changed', () => {
    const key = makeKey('sandbox', 'sk')
    expect(isForged(key)).toBe(false)
    for (let at = key.length - 42; at < key.length; at++) {
      const other = key[at] === 'x' ? 'y' : 'x'
      expect(isForged(`${key.slice(0, at)}${other}${key.slice(at + 1)}`), `character ${at}`).toBe(true)
    }
  })

  test('is no text of another form, which has to be looked up', () => {
    const key = makeKey('live', 'rk')
    for (const text of ['a-key-of-20-letters!', '', key.slice(0, -1), `${key}x`, key.replace('prs_rk', 'prs_pk')]) {
      expect(isForged(text), text).toBe(false)
    }
  })
})
