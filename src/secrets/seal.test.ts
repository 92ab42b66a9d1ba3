import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { OtherKey, openSeal } from './seal.ts'

const key = Buffer.alloc(32, 7)
const column = { table: 'application', row: 1_000_042, column: 'sealed_ssn' }
const { seal, unseal, digest } = openSeal(key)

describe('a sealed value', () => {
  test('opens to the bytes that were sealed, and to UTF-8 where a text was sealed', () => {
    for (const clear of [Buffer.alloc(0), Buffer.from([0, 255, 0]), randomBytes(100_000)]) {
      expect(unseal(seal(clear, column), column).equals(clear)).toBe(true)
    }
    expect(unseal(seal('Ада 😀', column), column).toString()).toBe('Ада 😀')
  })

  test('is longer by version, nonce and tag, contains no clear text and differs each time', () => {
    const sealed = seal('123456789', column)
    expect(sealed.length).toBe(9 + 4 + 12 + 16)
    expect(sealed.includes('123456789')).toBe(false)
    expect(seal('123456789', column).equals(sealed)).toBe(false)
  })

  test('begins with the version of its key and names its column when another key is tried', () => {
    const other = openSeal(Buffer.alloc(32, 8))
    expect(seal('a', column).subarray(0, 4)).toEqual(seal('b', column).subarray(0, 4))
    expect(seal('a', column).subarray(0, 4)).not.toEqual(other.seal('a', column).subarray(0, 4))
    expect(() => other.unseal(seal('a', column), column)).toThrow(OtherKey)
    expect(() => other.unseal(seal('a', column), column)).toThrow(
      'application.sealed_ssn is sealed with another encryption key',
    )
  })

  test('opens in its own table, row and column only', () => {
    const sealed = seal('123456789', column)
    for (const moved of [
      { ...column, table: 'document' },
      { ...column, row: 1_000_043 },
      { ...column, column: 'name' },
      { table: 'application', row: '1000042","sealed', column: 'ssn' },
    ]) {
      expect(() => unseal(sealed, moved), JSON.stringify(moved)).toThrow()
    }
    expect(unseal(sealed, { ...column, row: '1000042' }).toString()).toBe('123456789')
  })

  test('does not open when a bit has changed or bytes are missing', () => {
    const sealed = seal('123456789', column)
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => unseal(changed, column), `byte ${at}`).toThrow()
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => unseal(sealed.subarray(0, length), column), `${length} bytes`).toThrow()
    }
  })
})

describe('a digest', () => {
  test('depends on the text and on the key', () => {
    expect(digest('text')).toHaveLength(32)
    expect(digest('text')).toEqual(openSeal(Buffer.alloc(32, 7)).digest('text'))
    expect(digest('text')).not.toEqual(digest('texts'))
    expect(digest('text')).not.toEqual(openSeal(Buffer.alloc(32, 8)).digest('text'))
  })

  test('is the HMAC-SHA256 of the text under a key derived from the encryption key', () => {
    const derived = Buffer.from(hkdfSync('sha256', key, '', 'purser digest', 32))
    expect(digest('123456789 Ада')).toEqual(createHmac('sha256', derived).update('123456789 Ада').digest())
  })
})
