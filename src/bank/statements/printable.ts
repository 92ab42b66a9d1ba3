/** The characters of the fonts that every PDF reader has: Windows-1252. */
const SHOWN = /^[\x20-\x7e\xa0-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/
/** Letters that do not decompose into a plain letter and an accent. */
const NEAREST: Record<string, string> = { ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ħ: 'h', Ħ: 'H', ı: 'i', ŧ: 't', '−': '-' }
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * A text in the characters of a standard PDF font. Other letters lose their accents (ő becomes o); a character without a
 * near one becomes a question mark and sets `lost`, because a wrong letter would be worse than a missing one.
 */
export function printable(text: string): { text: string; lost: boolean } {
  const composed = text.normalize('NFC')
  if (SHOWN.test(composed)) return { text: composed, lost: false }
  let lost = false
  let shown = ''
  for (const { segment } of letters.segment(composed)) {
    const near = SHOWN.test(segment) ? segment : nearest(segment)
    lost ||= near === undefined
    shown += near ?? '?'
  }
  return { text: shown, lost }
}

function nearest(letter: string): string | undefined {
  const plain = letter.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '')
  const near = [...plain].map((part) => NEAREST[part] ?? part).join('')
  return SHOWN.test(near) ? near : undefined
}
