import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { OtherKey, openSeal } from './seal.ts'

const key = Buffer.alloc(32, 7)
const place = { table: 'application', row: 1_000_042, column: 'sealed_ssn' }
const { seal, unseal, digest } = openSeal(key)

describe('a sealed value', () => {
  test('opens to the bytes that were sealed, texts as UTF-8', () => {
    for (const clear of [Buffer.alloc(0), Buffer.from([0, 255, 0]), randomBytes(100_000)]) {
      expect(unseal(seal(clear, place), place).equals(clear)).toBe(true)
    }
    expect(unseal(seal('Ада 😀', place), place).toString()).toBe('Ада 😀')
  })

  test('is longer by version, nonce and tag, shows nothing, and never looks the same', () => {
    const sealed = seal('123456789', place)
    expect(sealed.length).toBe(9 + 4 + 12 + 16)
    expect(sealed.includes('123456789')).toBe(false)
    expect(seal('123456789', place).equals(sealed)).toBe(false)
  })

  test('begins with the version of its key, and says so where another key tries', () => {
    const other = openSeal(Buffer.alloc(32, 8))
    expect(seal('a', place).subarray(0, 4)).toEqual(seal('b', place).subarray(0, 4))
    expect(seal('a', place).subarray(0, 4)).not.toEqual(other.seal('a', place).subarray(0, 4))
    expect(() => other.unseal(seal('a', place), place)).toThrow(OtherKey)
    expect(() => other.unseal(seal('a', place), place)).toThrow(
      'application.sealed_ssn is sealed with another encryption key',
    )
  })

  test('opens in its own table, row and column only', () => {
    const sealed = seal('123456789', place)
    for (const moved of [
      { ...place, table: 'document' },
      { ...place, row: 1_000_043 },
      { ...place, column: 'name' },
      { table: 'application', row: '1000042","sealed', column: 'ssn' },
    ]) {
      expect(() => unseal(sealed, moved), JSON.stringify(moved)).toThrow()
    }
    expect(unseal(sealed, { ...place, row: '1000042' }).toString()).toBe('123456789')
  })

  test('does not open when a bit of it has changed or some of it is missing', () => {
    const sealed = seal('123456789', place)
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => unseal(changed, place), `byte ${at}`).toThrow()
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => unseal(sealed.subarray(0, length), place), `${length} bytes`).toThrow()
    }
  })
})

describe('a digest', () => {
  test('is the same for the same text and key, and another for another', () => {
    expect(digest('text')).toHaveLength(32)
    expect(digest('text')).toEqual(openSeal(Buffer.alloc(32, 7)).digest('text'))
    expect(digest('text')).not.toEqual(digest('texts'))
    expect(digest('text')).not.toEqual(openSeal(Buffer.alloc(32, 8)).digest('text'))
  })
})
