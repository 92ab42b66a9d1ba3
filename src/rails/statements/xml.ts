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
  /** The elements that were kept before it. */
  keptBefore: number
}

const none: ReadonlyMap<string, string> = new Map()

type Taken = (element: XmlElement, parent: XmlElement) => boolean

/** Reads a document. An element that `taken` keeps for itself is not added to its parent. */
export function readXml(text: string, taken: Taken): XmlElement {
  return new XmlReader(text, taken).read()
}

class XmlReader {
  private at = 0
  private kept = 0
  private root: XmlElement | undefined
  private readonly open: Open[] = []
  private readonly text: string
  private readonly taken: Taken

  constructor(text: string, taken: Taken) {
    this.text = text
    this.taken = taken
  }

  read(): XmlElement {
    const { text } = this
    this.begin()
    while (this.at < text.length) {
      const next = text.indexOf('<', this.at)
      this.addText(text.slice(this.at, next < 0 ? text.length : next), false)
      if (next < 0) break
      this.at = next + 1
      if (this.skip('!--')) {
        if (this.until('--', 'a comment') && text[this.at] !== '>') throw this.fault('-- stands in a comment')
        this.at++
      } else if (this.skip('![CDATA[')) this.addText(this.until(']]>', 'a CDATA section'), true)
      else if (this.skip('!')) throw this.fault('document types and declarations are refused', 'dtd_forbidden')
      else if (this.skip('?')) throw this.fault('processing instructions are refused')
      else if (this.skip('/')) this.closeTag()
      else this.openTag()
    }
    if (this.open.length > 0 || !this.root) {
      throw new StatementFault('unexpected_end', 'the document ends before its last element does')
    }
    return this.root
  }

  /** Checks the characters and the declaration. */
  private begin(): void {
    const wrong = FORBIDDEN.exec(this.text)
    if (wrong) {
      this.at = wrong.index
      throw this.fault('a character is not allowed in XML')
    }
    const [declaration = '', , , encoding = 'utf-8'] = DECLARATION.exec(this.text) ?? []
    if (!/^(utf-8|us-ascii)$/i.test(encoding)) throw this.fault(`the encoding ${encoding} is not UTF-8`, 'encoding')
    this.at = declaration.length
  }

  private fault(detail: string, code: 'xml' | 'dtd_forbidden' | 'encoding' = 'xml'): StatementFault {
    return new StatementFault(code, detail, this.text.slice(0, this.at).split('\n').length)
  }

  /** Passes over a text if it stands here. */
  private skip(text: string): boolean {
    const isHere = this.text.startsWith(text, this.at)
    if (isHere) this.at += text.length
    return isHere
  }

  /** A match of a sticky pattern at this place, after which the reading goes on. */
  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found) this.at = pattern.lastIndex
    return found ?? undefined
  }

  /** Passes over everything up to a text, and returns what is before it. */
  private until(end: string, what: string): string {
    const found = this.text.indexOf(end, this.at)
    if (found < 0) throw this.fault(`${what} has no end`)
    const passed = this.text.slice(this.at, found)
    this.at = found + end.length
    return passed
  }

  private addText(written: string, isLiteral: boolean): void {
    const top = this.open.at(-1)?.element
    if (top) top.text += isLiteral ? written : this.plain(written)
    else if (written.trim() !== '') throw this.fault('text stands outside the document')
    if (top && top.text.length > MAX_TEXT) throw this.fault(`a text has more than ${MAX_TEXT} characters`)
  }

  /** A text with its references resolved. */
  private plain(written: string): string {
    if (written.includes(']]>')) throw this.fault(']]> stands in a text')
    return written.replace(/&([^;&\s]{0,10})(;?)/g, (reference, name: string, end: string) => {
      const [, decimal, hex] = /^#(?:([0-9]{1,7})|x([0-9A-Fa-f]{1,6}))$/.exec(name) ?? []
      const point = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined
      const isCharacter = point !== undefined && point > 0 && point <= 0x10ffff && (point & 0xfff800) !== 0xd800
      const character = isCharacter ? String.fromCodePoint(point) : entities[name]
      if (end === '' || character === undefined || FORBIDDEN.test(character)) {
        throw this.fault(`${reference} is no reference`)
      }
      return character
    })
  }

  private openTag(): void {
    const { open } = this
    const named = this.match(NAME)
    if (!named) throw this.fault('a tag has no name')
    if (this.root && open.length === 0) throw this.fault('the document has a second root')
    if (this.kept === MAX_KEPT) throw this.fault(`the document has more than ${MAX_KEPT} elements`)
    if (open.length === MAX_DEPTH) throw this.fault(`elements are nested more than ${MAX_DEPTH} deep`)
    const attributes = this.attributes()
    const end = this.match(TAG_END)
    if (!end) throw this.fault('a tag is not well formed')
    const [tag, prefix = '', name = ''] = named
    const namespace = this.namespaceOf(prefix, attributes)
    const element: XmlElement = { name, namespace, attributes, children: [], text: '' }
    open.push({ element, tag, keptBefore: this.kept++ })
    if (end[1] === '/') this.close()
  }

  /** The namespace that a prefix stands for: the nearest element around that declares it says so. */
  private namespaceOf(prefix: string, attributes: ReadonlyMap<string, string>): string {
    const name = prefix === '' ? 'xmlns' : `xmlns:${prefix}`
    let namespace = attributes.get(name)
    for (let depth = this.open.length - 1; depth >= 0 && namespace === undefined; depth--) {
      namespace = this.open[depth]?.element.attributes.get(name)
    }
    if (prefix !== '' && !namespace) throw this.fault(`the prefix ${prefix} is not declared`)
    return namespace ?? ''
  }

  private attributes(): ReadonlyMap<string, string> {
    let attributes: Map<string, string> | undefined
    for (let found = this.match(ATTRIBUTE); found; found = this.match(ATTRIBUTE)) {
      const [, name = '', double, single = ''] = found
      attributes ??= new Map()
      if (attributes.has(name)) throw this.fault(`the attribute ${name} stands twice`)
      attributes.set(name, this.plain(double ?? single))
      if (attributes.size > MAX_ATTRIBUTES) throw this.fault(`an element has more than ${MAX_ATTRIBUTES} attributes`)
    }
    return attributes ?? none
  }

  private closeTag(): void {
    const named = this.match(NAME)
    if (!named || this.match(TAG_END)?.[1] !== '') throw this.fault('a closing tag is not well formed')
    const tag = this.open.at(-1)?.tag ?? ''
    if (tag !== named[0]) throw this.fault(`</${named[0]}> does not close <${tag}>`)
    this.close()
  }

  private close(): void {
    const { element, keptBefore } = this.open.pop() as Open
    const parent = this.open.at(-1)?.element
    if (!parent) this.root = element
    else if (this.taken(element, parent)) this.kept = keptBefore
    else parent.children.push(element)
  }
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
