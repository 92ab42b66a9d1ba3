import { gzipSync } from 'node:zlib'

/** One declaration of the client, such as an interface with its comment. */
interface Declaration {
  name: string
  text: string
  words: Set<string>
}

/** How many of the last characters the next declaration is compared with. No number is the best for all texts, so all are tried. */
const COMPARED = [2000, 3000, 4000, 5000, 8000]

/**
 * One file with everything that the declarations of `index` export and what that is made of: it is four kilobytes smaller,
 * packed, than a file for each module. Declarations with the same words stand beside each other, because a packer sees
 * only the 32 kilobytes before.
 */
export function bundledDeclarations(files: Record<string, string>, index: string): string {
  const declarations = new Map<string, Declaration>()
  const exported = new Set<string>()
  for (const [path, text] of Object.entries(files)) {
    if (path === index) continue
    for (const declaration of declarationsIn(text)) {
      const { name } = declaration
      if (declarations.has(name)) throw new Error(`two declarations of the client are named ${name}`)
      declarations.set(name, declaration)
    }
  }
  for (const [, names = '', from = ''] of (files[index] ?? '').matchAll(
    /^export (?:type )?(\*|\{.*?\}) from '(.*)';?$/gm,
  )) {
    const all =
      names === '*' ? namesIn(files, from) : [...names.replace(/\btype /g, '').matchAll(/\w+/g)].map(([name]) => name)
    for (const name of all) exported.add(name)
  }
  const needed = reachable(exported, declarations)
  const texts = COMPARED.map((compared) => {
    const inOrder = ordered(needed, compared)
    return inOrder.map(({ name, text }) => (exported.has(name) ? text : text.replace(/^export /gm, ''))).join('')
  })
  const [smallest = ''] = texts.toSorted((a, b) => gzipSync(a).length - gzipSync(b).length)
  return `${smallest}export {}\n`
}

/** The declarations of a file, each with the comment before it. */
function declarationsIn(text: string): Declaration[] {
  const parts = text.split(/^(?=\/\*\*)|(?<!\*\/\n)^(?=export |declare |interface |type |import )/m)
  const texts = new Map<string, string>()
  for (const part of parts) {
    const [, name] = /^(?:export )?(?:declare )?(?:interface|type|class|function|const) (\w+)/m.exec(part) ?? []
    // A type and a constant may have one name.
    if (name) texts.set(name, (texts.get(name) ?? '') + part.replace(/;$/gm, ''))
  }
  return [...texts].map(([name, text]) => ({ name, text, words: new Set(text.match(/\w+/g)) }))
}

function namesIn(files: Record<string, string>, from: string): string[] {
  const text = files[from.replace('./', '').replace(/\.js$/, '.d.ts')]
  if (text === undefined) throw new Error(`the declarations of ${from} are missing`)
  return declarationsIn(text)
    .filter((each) => /^export /m.test(each.text))
    .map(({ name }) => name)
}

/** The declarations that the exported ones name, directly or not. */
function reachable(exported: Set<string>, declarations: Map<string, Declaration>): Declaration[] {
  const reached = new Set<Declaration>()
  const visit = (name: string) => {
    const declaration = declarations.get(name)
    if (!declaration || reached.has(declaration)) return
    reached.add(declaration)
    const code = declaration.text.replace(/\/\*\*[\s\S]*?\*\//g, '')
    for (const [word] of code.matchAll(/\b[A-Z]\w*|(?<=typeof )\w+/g)) visit(word)
  }
  for (const name of exported) {
    if (!declarations.has(name)) throw new Error(`the client exports ${name}, which has no declaration`)
    visit(name)
  }
  return [...declarations.values()].filter((each) => reached.has(each))
}

/** The declarations in an order in which each has many rare words of those before it. */
function ordered(declarations: Declaration[], compared: number): Declaration[] {
  const uses = new Map<string, number>()
  for (const word of declarations.flatMap(({ words }) => [...words])) uses.set(word, (uses.get(word) ?? 0) + 1)
  const weight = (word: string) => word.length / Math.log2((uses.get(word) ?? 0) + 1)
  const likeness = ({ words }: Declaration, before: Set<string>) => {
    let [common, size] = [0, 0]
    for (const word of words) {
      size += word.length
      if (before.has(word)) common += weight(word)
    }
    return common / (size + 20) ** 0.7
  }
  const left = new Set(declarations)
  const written: Declaration[] = []
  while (left.size > 0) {
    const before = wordsAtEnd(written, compared)
    let [next, most] = [[...left][0] as Declaration, 0]
    for (const each of left) {
      const value = likeness(each, before)
      if (value > most) [next, most] = [each, value]
    }
    left.delete(next)
    written.push(next)
  }
  return written
}

function wordsAtEnd(written: Declaration[], most: number): Set<string> {
  const words = new Set<string>()
  let length = 0
  for (let at = written.length - 1; at >= 0 && length < most; at--) {
    const { text, words: own } = written[at] as Declaration
    for (const word of own) words.add(word)
    length += text.length
  }
  return words
}
