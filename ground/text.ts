/** Characters that a terminal would act on instead of showing them: controls, and marks that change the direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that it is about
const acting = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g
const plain = /^[\x20-\x7e]*$/

/** A text of a record, safe to be shown: characters that a terminal would act on are written as `\u001b`. */
export function visible(text: string): string {
  return plain.test(text) ? text : text.toWellFormed().replace(acting, escaped)
}

/** A message may have several lines, and nothing else that a terminal acts on. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n')
}

/** JSON on one line in which nothing acts on a terminal. */
export function jsonLine(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replace(acting, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

let segmenter: Intl.Segmenter | undefined
/** The characters of a text, as a person counts them. The data for it takes long to load and is rarely needed. */
function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u

/** The number of columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment)
  return width
}

function graphemeWidth(segment: string): number {
  if (/^\p{Mark}+$/u.test(segment)) return 0
  return wide.test(segment) ? 2 : 1
}

/** A text of exactly `width` columns: filled with blanks, or cut with an ellipsis. */
export function padded(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const own = widthOf(text)
  if (own > width) return cut(text, width)
  const blanks = ' '.repeat(width - own)
  return align === 'left' ? text + blanks : blanks + text
}

function cut(text: string, width: number): string {
  let kept = ''
  let used = 0
  for (const { segment } of graphemesOf(text)) {
    const own = graphemeWidth(segment)
    if (used + own > width - 1) break
    kept += segment
    used += own
  }
  return width > 0 ? `${kept}…${' '.repeat(width - 1 - used)}` : ''
}

/** The lines of a text, broken at blanks, that are no wider than `width` if no word is. */
export function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (widthOf(line) + 1 + widthOf(word) <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

/** A name of the interface in the words of a command line: `externalAccounts` is `external-accounts`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The words of a method's command: `sandbox.clock.get` is `sandbox clock get`. */
export function commandWords(name: string): string {
  return name.split('.').map(kebab).join(' ')
}

/** A text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** Cents as a figure in dollars: 123450 is `1234.50`. Exact for every integer. */
export function figure(cents: number | bigint): string {
  const digits = String(cents < 0 ? -cents : cents).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Cents as people write dollars: 123450 is `$1,234.50`. */
export function dollars(cents: number | bigint): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(\.\d\d)$/.exec(figure(cents)) ?? []
  return `${sign}$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${rest}`
}
