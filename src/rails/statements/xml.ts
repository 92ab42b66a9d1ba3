import { StatementFault } from './statement.ts'

/**
 * Reads the XML of bank statements strictly: elements, attributes, text, CDATA and comments. Document types, entities of their own
 * and processing instructions are refused, so that nothing is fetched and nothing grows. The time is in proportion to the length.
 */
export interface XmlElement {
  /** Without its prefix. */
  name: string
  namespace: string
  attributes: ReadonlyMap<string, string>
  children: XmlElement[]
  text: string
}

const MAX_DEPTH = 32
const MAX_ATTRIBUTES = 32
/** Elements that are kept at a time. Those of an entry are given up when it has been read. */
const MAX_KEPT = 1_000_000
/** The longest text of an element, such as a remittance. */
const MAX_TEXT = 100_000

const NAME = /(?:([A-Za-z_][\w.-]{0,63}):)?([A-Za-z_][\w.-]{0,63})/y
const ATTRIBUTE = /\s+((?:[A-Za-z_][\w.-]{0,63}:)?[A-Za-z_][\w.-]{0,63})\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const TAG_END = /\s*(\/?)>/y
const DECLARATION =
  /^<\?xml\s+version=(["'])1\.0\1(?:\s+encoding=(["'])([\w-]+)\2)?(?:\s+standalone=(["'])(?:yes|no)\4)?\s*\?>/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML does not allow.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

interface Open {
  element: XmlElement
  /** The name with its prefix, which the closing tag must repeat. */
  tag: string
  scopes: ReadonlyMap<string, string>
  /** The elements that were kept before it. */
  keptBefore: number
}

const none: ReadonlyMap<string, string> = new Map()

/** Reads a document. An element that `taken` keeps for itself is not added to its parent. */
export function readXml(text: string, taken: (element: XmlElement, parent: XmlElement) => boolean): XmlElement {
  let at = 0
  let kept = 0
  let root: XmlElement | undefined
  const open: Open[] = []
  const fault = (detail: string, code: 'xml' | 'dtd_forbidden' | 'encoding' = 'xml') =>
    new StatementFault(code, detail, text.slice(0, at).split('\n').length)

  /** A match of a sticky pattern at this place, behind which the reading goes on. */
  function match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found ?? undefined
  }

  /** Passes over everything up to a text, and returns what is before it. */
  function until(end: string, what: string): string {
    const found = text.indexOf(end, at)
    if (found < 0) throw fault(`${what} has no end`)
    const passed = text.slice(at, found)
    at = found + end.length
    return passed
  }

  function addText(written: string, isLiteral: boolean): void {
    const top = open.at(-1)?.element
    if (top) top.text += isLiteral ? written : plain(written)
    else if (written.trim() !== '') throw fault('text stands outside the document')
    if (top && top.text.length > MAX_TEXT) throw fault(`a text has more than ${MAX_TEXT} characters`)
  }

  function plain(written: string): string {
    if (written.includes(']]>')) throw fault(']]> stands in a text')
    return written.replace(/&([^;&\s]{0,10})(;?)/g, (reference, name: string, end: string) => {
      const [, decimal, hex] = /^#(?:([0-9]{1,7})|x([0-9A-Fa-f]{1,6}))$/.exec(name) ?? []
      const point = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined
      const isCharacter = point !== undefined && point > 0 && point <= 0x10ffff && (point & 0xfff800) !== 0xd800
      const character = isCharacter ? String.fromCodePoint(point) : entities[name]
      if (end === '' || character === undefined || FORBIDDEN.test(character))
        throw fault(`${reference} is no reference`)
      return character
    })
  }

  function openTag(): void {
    const named = match(NAME)
    if (!named) throw fault('a tag has no name')
    if (root && open.length === 0) throw fault('the document has a second root')
    if (kept === MAX_KEPT) throw fault(`the document has more than ${MAX_KEPT} elements`)
    if (open.length === MAX_DEPTH) throw fault(`elements are nested more than ${MAX_DEPTH} deep`)
    const attributes = attributesOf()
    const end = match(TAG_END)
    if (!end) throw fault('a tag is not well formed')
    const [tag, prefix = '', name = ''] = named
    const scopes = scopesIn(attributes, open.at(-1)?.scopes ?? none)
    const namespace = scopes.get(prefix) ?? ''
    if (prefix !== '' && namespace === '') throw fault(`the prefix ${prefix} is not declared`)
    open.push({ element: { name, namespace, attributes, children: [], text: '' }, tag, scopes, keptBefore: kept++ })
    if (end[1] === '/') close()
  }

  function attributesOf(): ReadonlyMap<string, string> {
    let attributes: Map<string, string> | undefined
    for (let found = match(ATTRIBUTE); found; found = match(ATTRIBUTE)) {
      const [, name = '', double, single = ''] = found
      attributes ??= new Map()
      if (attributes.has(name)) throw fault(`the attribute ${name} stands twice`)
      attributes.set(name, plain(double ?? single))
      if (attributes.size > MAX_ATTRIBUTES) throw fault(`an element has more than ${MAX_ATTRIBUTES} attributes`)
    }
    return attributes ?? none
  }

  function close(): void {
    const { element, keptBefore } = open.pop() as Open
    const parent = open.at(-1)?.element
    if (!parent) root = element
    else if (taken(element, parent)) kept = keptBefore
    else parent.children.push(element)
  }

  function closeTag(): void {
    const named = match(NAME)
    if (!named || match(TAG_END)?.[1] !== '') throw fault('a closing tag is not well formed')
    if (open.at(-1)?.tag !== named[0]) throw fault(`</${named[0]}> does not close <${open.at(-1)?.tag ?? ''}>`)
    close()
  }

  const wrong = FORBIDDEN.exec(text)
  if (wrong) {
    at = wrong.index
    throw fault('a character is not allowed in XML')
  }
  const declared = DECLARATION.exec(text)
  if (declared?.[3] && !/^(utf-8|us-ascii)$/i.test(declared[3]))
    throw fault(`the encoding ${declared[3]} is not UTF-8`, 'encoding')
  at = declared?.[0].length ?? 0
  while (at < text.length) {
    const next = text.indexOf('<', at)
    addText(text.slice(at, next < 0 ? text.length : next), false)
    if (next < 0) break
    at = next + 1
    if (text.startsWith('!--', at)) {
      at += 3
      if (until('--', 'a comment') && text[at] !== '>') throw fault('-- stands in a comment')
      at++
    } else if (text.startsWith('![CDATA[', at)) {
      at += 8
      addText(until(']]>', 'a CDATA section'), true)
    } else if (text.startsWith('!', at)) throw fault('document types and declarations are refused', 'dtd_forbidden')
    else if (text.startsWith('?', at)) throw fault('processing instructions are refused')
    else if (text.startsWith('/', at)) {
      at++
      closeTag()
    } else openTag()
  }
  if (open.length > 0 || !root)
    throw new StatementFault('unexpected_end', 'the document ends before its last element does')
  return root
}

/** The namespaces that prefixes stand for within an element. Most elements declare none. */
function scopesIn(
  attributes: ReadonlyMap<string, string>,
  outer: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  let scopes: Map<string, string> | undefined
  for (const [name, value] of attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
    scopes ??= new Map(outer)
    scopes.set(name.slice('xmlns:'.length), value)
  }
  return scopes ?? outer
}

/** The first element along a path of names. */
export function at(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  return path.reduce((found, name) => found?.children.find((child) => child.name === name), element)
}

/** All children of a name. */
export function all(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? []
}

/** The text of the element along a path, without blanks around it; empty if there is none. */
export function textAt(element: XmlElement | undefined, ...path: string[]): string {
  return at(element, ...path)?.text.trim() ?? ''
}
