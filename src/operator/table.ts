/** How a table shows some of its members. */
export interface TableOptions {
  /** Members in cents, which are shown in dollars. */
  money?: readonly string[]
  /** Texts that are aligned as numbers are. */
  right?: readonly string[]
}

export interface Table {
  lines: string[]
  /** The headings of columns for which there was no room. */
  hidden: string[]
}

interface Column {
  heading: string
  texts: string[]
  align: 'left' | 'right'
  width: number
  /** The width that it needs at least. */
  least: number
  isEmpty: boolean
}

/** Texts of several words are cut to no less than this; all others are shown in full or not at all. */
const MIN_PROSE = 16
const GAP = '  '

/**
 * Records as a table with these headings, of which the first ones matter most: where the terminal is too narrow, columns without a
 * value and then later ones are left out. Numbers are aligned to the right.
 */
export function tableOf(
  records: Record<string, unknown>[],
  headings: Record<string, string>,
  width: number,
  options: TableOptions = {},
): Table {
  const all = Object.entries(headings).map(([name, heading]) => columnOf(records, name, heading, options))
  const columns = fitting(all, width)
  const row = (textOf: (column: Column) => string) =>
    columns
      .map((column) => padded(textOf(column), column.width, column.align))
      .join(GAP)
      .trimEnd()
  return {
    lines: [row(({ heading }) => heading), ...records.map((_, at) => row(({ texts }) => texts[at] ?? ''))],
    hidden:
      records.length === 0 ? [] : all.flatMap((each) => (each.isEmpty || columns.includes(each) ? [] : [each.heading])),
  }
}

function columnOf(
  records: Record<string, unknown>[],
  name: string,
  heading: string,
  { money = [], right = [] }: TableOptions,
): Column {
  const values = records.map((record) => record[name])
  const texts = values.map((value) => textOf(value, money.includes(name)))
  const isNumber = right.includes(name) || values.some((value) => typeof value === 'number')
  const width = Math.max(widthOf(heading), ...texts.map(widthOf))
  const isProse = texts.some((text) => text.includes(' '))
  const least = isProse ? Math.min(width, Math.max(widthOf(heading), MIN_PROSE)) : width
  const isEmpty = values.length > 0 && values.every((value) => value === null || value === undefined)
  return { heading, texts, align: isNumber ? 'right' : 'left', width, least, isEmpty }
}

/** Characters that a terminal would act on instead of showing them: controls, and marks that change the direction. */
const acting = /[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

/** A value as people read it: amounts in dollars, times without milliseconds, characters that act on a terminal as `\u001b`. */
function textOf(value: unknown, isMoney: boolean): string {
  if (value === null || value === undefined) return '-'
  if (isMoney && typeof value === 'number') return dollars(value)
  return String(value)
    .replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/, '$1Z')
    .replace(acting, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Cents as dollars. */
export function dollars(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The columns that there is room for, the first one always. */
function fitting(columns: Column[], width: number): Column[] {
  const excess = (some: Column[], of: 'width' | 'least') =>
    some.reduce((sum, each) => sum + each[of] + GAP.length, -GAP.length) - width
  if (excess(columns, 'width') <= 0) return columns
  const kept: Column[] = []
  for (const column of columns.filter(({ isEmpty }) => !isEmpty)) {
    if (kept.length === 0 || excess([...kept, column], 'least') <= 0) kept.push(column)
  }
  // The widest text of several words gives way first.
  for (let over = excess(kept, 'width'); over > 0; over = excess(kept, 'width')) {
    const widest = kept.reduce((one, other) => (other.width - other.least > one.width - one.least ? other : one))
    if (kept.length === 1) widest.least = Math.min(widest.least, width)
    widest.width = Math.max(widest.least, widest.width - Math.min(over, 4))
  }
  return kept
}

const plain = /^[\x20-\x7e]*$/
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Emoji_Presentation}/u

function graphemesOf(text: string): string[] {
  return [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment)
}

/** The number of columns of a terminal that a text takes. */
function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  return graphemesOf(text).reduce((sum, each) => sum + (wide.test(each) ? 2 : 1), 0)
}

function padded(text: string, width: number, align: Column['align']): string {
  const shown = widthOf(text) > width ? cut(text, width) : text
  const blanks = ' '.repeat(width - widthOf(shown))
  return align === 'left' ? shown + blanks : blanks + shown
}

function cut(text: string, width: number): string {
  let kept = ''
  for (const each of graphemesOf(text)) {
    if (widthOf(kept + each) > width - 1) break
    kept += each
  }
  return `${kept}…`
}
