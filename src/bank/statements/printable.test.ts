import { describe, expect, test } from 'vitest'
import { windows1252 } from '../../../test/support/pdf-text.ts'
import { printable } from './printable.ts'

describe('printable', () => {
  test.each([
    ['Ada Example', 'Ada Example'],
    ['Zoë Müller-Lüdenscheidt, 5 €', 'Zoë Müller-Lüdenscheidt, 5 €'],
    ['Zoe\u0308', 'Zoë'],
    ['“Ada” … – — ™', '“Ada” … – — ™'],
    ['Erdős Łukasz Đorđe', 'Erdos Lukasz Dorde'],
    ['ﬁve\u202f−1', 'five -1'],
    ['soft\u00adhyphen\u200b', 'softhyphen'],
  ])('shows %s as %s', (text, shown) => {
    expect(printable(text)).toEqual({ text: shown, lost: false })
  })

  test.each([
    ['Ада', '???'],
    ['Ada 😀 👩‍👩‍👧 x', 'Ada ? ? x'],
    ['日本', '??'],
    ['مرحبا', '?????'],
  ])('shows %s as %s and says that something is lost', (text, shown) => {
    expect(printable(text)).toEqual({ text: shown, lost: true })
  })

  test('never answers a character that the fonts lack', () => {
    const shown = new Set(windows1252(Uint8Array.from({ length: 256 - 32 }, (_, index) => index + 32)))
    for (let start = 0x20; start < 0x11000; start += 0x100) {
      const block = Array.from({ length: 0x100 }, (_, index) => start + index)
        .filter((code) => code < 0xd800 || code > 0xdfff)
        .map((code) => String.fromCodePoint(code))
      expect([...printable(block.join(' ')).text].filter((character) => !shown.has(character))).toEqual([])
    }
  })
})
