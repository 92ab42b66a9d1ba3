import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseAst } from 'vitest/node'
import { root } from '../support/harness.ts'

/** A source file. Paths are relative to the repository. */
export interface Source {
  path: string
  text: string
}

const files = new Map<string, Source>()

/** Every TypeScript file below a folder of the repository. Each is read and parsed once. */
export function sourcesIn(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => sourceAt(join(folder, name)))
}

function sourceAt(path: string): Source {
  const source = files.get(path) ?? { path, text: readFileSync(join(root, path), 'utf8') }
  files.set(path, source)
  return source
}

export const isTest = ({ path }: Source) => /\.test\.tsx?$/.test(path)

/** A node of the syntax tree; every member beside these three depends on the type. */
interface Node {
  type: string
  start: number
  end: number
  [member: string]: unknown
}

/** The nodes of a file that the rules look at, each with its parent. */
interface Nodes {
  imports: (Node & Specified)[]
  functions: [node: Node, parent: Node | undefined][]
  literals: Node[]
}

const known = new WeakMap<Source, Nodes>()

/** One walk through a tree for all rules: a walk takes as long as the parser. */
function nodesOf(source: Source): Nodes {
  const found = known.get(source)
  if (found) return found
  const nodes: Nodes = { imports: [], functions: [], literals: [] }
  const tree = parseAst(source.text, { lang: source.path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
  visit(tree, (node, parent) => {
    if (/^(Import|ExportNamed|ExportAll)(Declaration|Expression)$/.test(node.type)) nodes.imports.push(node)
    else if (/^(Function(Declaration|Expression)|ArrowFunctionExpression)$/.test(node.type))
      nodes.functions.push([node, parent])
    else if (node.type === 'Literal' || node.type === 'TemplateLiteral') nodes.literals.push(node)
  })
  known.set(source, nodes)
  return nodes
}

function visit(node: Node, look: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  look(node, parent)
  for (const name in node) {
    const member = node[name]
    if (typeof member !== 'object' || member === null) continue
    for (const child of Array.isArray(member) ? member : [member]) {
      if (child && typeof child === 'object' && typeof (child as Node).type === 'string') visit(child, look, node)
    }
  }
}

export interface Import {
  /** A path in the repository, or the name of a package. */
  target: string
  /** Whether types alone are imported, so that nothing of it is left at run time. */
  typeOnly: boolean
  /** Whether it is loaded when the program comes to it, by `import()`. */
  isLate: boolean
}

/** The modules that a file imports or exports from. */
export function importsOf(source: Source): Import[] {
  // The target of `import()` may be known at run time only.
  return nodesOf(source).imports.flatMap(({ type, source: from, specifiers = [], importKind, exportKind }) => {
    if (typeof from?.value !== 'string') return []
    const kinds = specifiers.map((specifier) => specifier.importKind ?? specifier.exportKind)
    const typeOnly = [importKind, exportKind].includes('type') || (kinds.length > 0 && kinds.every((k) => k === 'type'))
    const target = from.value.startsWith('.') ? normalize(join(dirname(source.path), from.value)) : from.value
    return [{ target, typeOnly, isLate: type === 'ImportExpression' }]
  })
}

interface Specified {
  source?: { value?: unknown } | null
  specifiers?: { importKind?: string; exportKind?: string }[]
  importKind?: string
  exportKind?: string
}

/** Functions with more lines than this, as `path: name, lines`. */
export function longFunctions(source: Source, maxLines: number): string[] {
  return nodesOf(source).functions.flatMap(([node, parent]) => {
    const lines = source.text.slice(node.start, node.end).split('\n').length
    if (lines <= maxLines) return []
    return [`${source.path}: ${nameOf(node) ?? nameOf(parent) ?? 'a function'}, ${lines} lines`]
  })
}

function nameOf(node: Node | undefined): string | undefined {
  const named = (node?.id ?? node?.key) as { name?: string } | undefined
  return named?.name
}

/** Files that import each other in a circle, one list for each circle. Imports of types do not count. */
export function circlesIn(sources: Source[]): string[][] {
  const files = new Set(sources.map(({ path }) => path))
  const edges = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source)
        .filter(({ target, typeOnly }) => !typeOnly && files.has(target))
        .map(({ target }) => target),
    ]),
  )
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const to of edges.get(from) ?? []) {
      if (seen.has(to)) continue
      seen.add(to)
      reach(to, seen)
    }
    return seen
  }
  const reached = new Map([...files].map((file) => [file, reach(file)]))
  const inCircle = [...files].filter((file) => reached.get(file)?.has(file))
  const circles = inCircle.map((file) =>
    inCircle.filter((other) => reached.get(file)?.has(other) && reached.get(other)?.has(file)),
  )
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()]
}

export interface Words {
  line: number
  kind: 'comment' | 'text'
  words: string
}

/** Finds the line of a place in a text by halves: generated files have thousands of lines and of texts. */
function lineFinder(text: string): (at: number) => number {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index)
  return (at) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) < at) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

/** The comments of a file and the texts in its code, each with its line. */
export function wordsOf(source: Source): Words[] {
  const texts: { start: number; end: number; words: string }[] = []
  for (const { type, start, end, value, regex } of nodesOf(source).literals) {
    if (type === 'TemplateLiteral') texts.push({ start, end, words: source.text.slice(start + 1, end - 1) })
    else if (typeof value === 'string') texts.push({ start, end, words: value })
    else if (regex) texts.push({ start, end, words: '' })
  }
  const lineOf = lineFinder(source.text)
  const found: Words[] = texts
    .filter(({ words }) => words !== '')
    .map(({ start, words }) => ({ line: lineOf(start), kind: 'text', words }))
  // Blanked out, so that a slash in a text or in a regular expression begins no comment.
  let code = ''
  for (const { start, end } of texts.toSorted((one, other) => one.start - other.start)) {
    if (end > code.length)
      code = code + source.text.slice(code.length, start) + ' '.repeat(end - Math.max(start, code.length))
  }
  code += source.text.slice(code.length)
  for (const { 0: comment, index } of code.matchAll(/\/\*[\s\S]*?\*\/|(?:[ \t]*\/\/.*\n?)+/g)) {
    const words = comment.replace(/^\s*(\/\*\*?|\*\/|\*|\/\/)/gm, ' ').replace(/\*\/\s*$/, '')
    found.push({
      line: lineOf(index + comment.search(/\S/)),
      kind: 'comment',
      words: words.replace(/\s+/g, ' ').trim(),
    })
  }
  return found
}
