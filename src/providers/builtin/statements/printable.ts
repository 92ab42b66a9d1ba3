/** What the fonts that every PDF reader has can show: Windows-1252. */
const SHOWN = /^[\x20-\x7e\xa0-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/
/** Letters that have no accent to take off. */
const NEAREST: Record<string, string> = { ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ħ: 'h', Ħ: 'H', ı: 'i', ŧ: 't', '−': '-' }
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * A text in the characters that a standard PDF font has. Others lose their accents (ő to o); what has nothing near it
 * becomes a question mark, and `lost` says so: a wrong letter would be worse than a missing one.
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
