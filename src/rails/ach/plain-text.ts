/** Letters that do not decompose into a plain letter and an accent, and punctuation with a plain form. */
const NEAREST: Record<string, string> = {
  ...{ ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ħ: 'h', Ħ: 'H', ı: 'i', ŧ: 't', Ŧ: 'T', ø: 'o', Ø: 'O' },
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', þ: 'th', Þ: 'Th', ð: 'd', Ð: 'D' },
  ...{ '‘': "'", '’': "'", '“': '"', '”': '"', '–': '-', '—': '-', '−': '-', '€': 'EUR', '£': 'GBP' },
}

/** Printable ASCII that begins with no blank and has no two in a row. */
const PLAIN = /^(?! )(?!.* {2})[\x20-\x7e]*$/

/**
 * A text in printable ASCII, at most `length` characters long. Letters lose their accents, and characters without a near
 * one are left out. A text of which nothing is left becomes PAYMENT.
 */
export function plainText(text: string, length: number): string {
  const plain = folded(text, length)
  return plain === '' ? 'PAYMENT'.slice(0, length) : plain
}

/** The same, which may be empty. */
export function folded(text: string, length: number): string {
  // Nearly every text is plain, and 100,000 of them are folded for one file.
  if (PLAIN.test(text)) return text.slice(0, length).trimEnd()
  return [...text.normalize('NFKD')]
    .map((character) => NEAREST[character] ?? character)
    .join('')
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, length)
    .trimEnd()
}
