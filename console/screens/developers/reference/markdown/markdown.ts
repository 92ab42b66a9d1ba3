/** A part of a line. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'emphasis'; of: Inline[] }
  | { kind: 'link'; to: string; of: Inline[] }

/** A part of a page. */
export type Block =
  | { kind: 'paragraph'; of: Inline[] }
  | { kind: 'heading'; level: number; id: string; of: Inline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'list'; ordered: boolean; items: Block[][] }
  | { kind: 'quote'; of: Block[] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' }

/** Lines, and the place of the next one to read. */
interface Reader {
  lines: string[]
  at: number
}

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*(\S*)/
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( +)(.*)$/
const RULE = /^ {0,3}([-*_])( *\1){2,}\s*$/
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/

/** The blocks of a Markdown text: the subset that the documentation uses. HTML stays text. */
export function parseMarkdown(text: string): Block[] {
  const reader = { lines: text.replaceAll('\r\n', '\n').split('\n'), at: 0 }
  const blocks: Block[] = []
  while (reader.at < reader.lines.length) {
    if (lineAt(reader).trim() === '') reader.at += 1
    else blocks.push(blockAt(reader))
  }
  return blocks
}

function lineAt({ lines, at }: Reader, ahead = 0): string {
  return lines[at + ahead] ?? ''
}

function blockAt(reader: Reader): Block {
  const line = lineAt(reader)
  if (FENCE.test(line)) return codeAt(reader)
  const heading = HEADING.exec(line)
  if (heading) {
    reader.at += 1
    const of = parseInline(heading[2] ?? '')
    return { kind: 'heading', level: heading[1]?.length ?? 1, id: slug(plainText(of)), of }
  }
  if (RULE.test(line)) {
    reader.at += 1
    return { kind: 'rule' }
  }
  if (line.startsWith('>')) return quoteAt(reader)
  if (startsTable(reader)) return tableAt(reader)
  return ITEM.test(line) ? listAt(reader) : paragraphAt(reader)
}

function startsTable(reader: Reader): boolean {
  return lineAt(reader).includes('|') && lineAt(reader, 1).includes('|') && DIVIDER.test(lineAt(reader, 1))
}

function codeAt(reader: Reader): Block {
  const [, fence = '', language = ''] = FENCE.exec(lineAt(reader)) ?? []
  const text: string[] = []
  for (reader.at += 1; reader.at < reader.lines.length; reader.at += 1) {
    if (lineAt(reader).trim().startsWith(fence)) break
    text.push(lineAt(reader))
  }
  reader.at += 1
  return { kind: 'code', language, text: text.join('\n') }
}

function quoteAt(reader: Reader): Block {
  const lines: string[] = []
  for (; lineAt(reader).startsWith('>'); reader.at += 1) lines.push(lineAt(reader).replace(/^> ?/, ''))
  return { kind: 'quote', of: parseMarkdown(lines.join('\n')) }
}

function tableAt(reader: Reader): Block {
  const head = cellsOf(lineAt(reader))
  const rows: Inline[][][] = []
  for (reader.at += 2; lineAt(reader).includes('|'); reader.at += 1) rows.push(cellsOf(lineAt(reader)))
  return { kind: 'table', head, rows }
}

/** The cells of a line. A bar in a code span does not end a cell. */
function cellsOf(line: string): Inline[][] {
  const cells =
    line
      .trim()
      .replace(/^\|/, '')
      .replace(/\|$/, '')
      .match(/(?:`[^`]*`|\\\||[^|])+/g) ?? []
  return cells.map((cell) => parseInline(cell.trim().replaceAll('\\|', '|')))
}

function listAt(reader: Reader): Block {
  const ordered = /\d/.test(ITEM.exec(lineAt(reader))?.[2] ?? '')
  const items: Block[][] = []
  while (reader.at < reader.lines.length) {
    const item = ITEM.exec(lineAt(reader))
    if (!item || /\d/.test(item[2] ?? '') !== ordered) break
    items.push(parseMarkdown(itemText(reader, item).join('\n')))
  }
  return { kind: 'list', ordered, items }
}

/** The lines of an item without their indentation: those that are indented, and those that continue a paragraph. */
function itemText(reader: Reader, [, before = '', marker = '', space = '', first = '']: RegExpExecArray): string[] {
  const width = before.length + marker.length + space.length
  const lines = [first]
  for (reader.at += 1; reader.at < reader.lines.length; reader.at += 1) {
    const line = lineAt(reader)
    const indent = line.length - line.trimStart().length
    if (line.trim() === '') {
      const next = reader.lines.slice(reader.at).find((each) => each.trim() !== '') ?? ''
      if (next.length - next.trimStart().length < width) break
      lines.push('')
    } else if (indent >= width) lines.push(line.slice(width))
    else if (startsBlock(reader)) break
    else lines.push(line.trimStart())
  }
  return lines
}

function startsBlock(reader: Reader): boolean {
  const line = lineAt(reader)
  return [FENCE, HEADING, ITEM, RULE, /^>/].some((start) => start.test(line)) || startsTable(reader)
}

function paragraphAt(reader: Reader): Block {
  const lines = [lineAt(reader).trim()]
  for (reader.at += 1; lineAt(reader).trim() !== '' && !startsBlock(reader); reader.at += 1) {
    lines.push(lineAt(reader).trim())
  }
  return { kind: 'paragraph', of: parseInline(lines.join(' ')) }
}

const MARK =
  /(?<!`)(?<ticks>`+)(?!`)(?<code>(?:(?!\k<ticks>)[\s\S])+)\k<ticks>|\*\*(?<strong>[^*]+(?:\*(?!\*)[^*]*)*)\*\*|(?<![\w*])(?<around>[*_])(?<emphasis>[^\s*_](?:[^*_]*[^\s*_])?)\k<around>(?![\w*])|!?\[(?<label>(?:[^[\]]|\[[^[\]]*\])*)\]\((?<to>[^\s()]*)\)|<(?<address>https?:\/\/[^\s<>]+)>|\\(?<escaped>[!-/:-@[-`{-~])/

/** The parts of a line: code spans, emphasis and links. */
export function parseInline(text: string): Inline[] {
  const parts: Inline[] = []
  let rest = text
  for (let match = MARK.exec(rest); match; match = MARK.exec(rest)) {
    if (match.index > 0) parts.push({ kind: 'text', text: rest.slice(0, match.index) })
    parts.push(inlineOf(match.groups ?? {}))
    rest = rest.slice(match.index + match[0].length)
  }
  if (rest !== '') parts.push({ kind: 'text', text: rest })
  return parts
}

function inlineOf({
  code,
  strong,
  emphasis,
  label,
  to = '',
  address,
  escaped,
}: Partial<Record<string, string>>): Inline {
  if (code !== undefined) return { kind: 'code', text: /^ .*\S.* $/.test(code) ? code.slice(1, -1) : code }
  if (strong !== undefined) return { kind: 'strong', of: parseInline(strong) }
  if (emphasis !== undefined) return { kind: 'emphasis', of: parseInline(emphasis) }
  if (label !== undefined) return { kind: 'link', to, of: parseInline(label) }
  if (address !== undefined) return { kind: 'link', to: address, of: [{ kind: 'text', text: address }] }
  return { kind: 'text', text: escaped ?? '' }
}

/** The text of inline parts without their marks. */
export function plainText(parts: readonly Inline[]): string {
  return parts.map((part) => ('of' in part ? plainText(part.of) : part.text)).join('')
}

/** The id of a heading, as GitHub makes it. */
function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
