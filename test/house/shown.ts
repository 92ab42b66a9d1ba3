import { join } from 'node:path'

/** The answer of a block's last command: the longest tail of its output that is JSON. */
export function lastJson(output: string): unknown {
  for (let at = output.indexOf('{'); at >= 0; at = output.indexOf('{', at + 1)) {
    try {
      return JSON.parse(output.slice(at))
    } catch {
      // It begins later: before it stand headers, or the answer of an earlier command.
    }
  }
  return undefined
}

/** Kinds of text of which no two answers have the same. */
const varying = {
  ID: /\d{7,}/,
  TIME: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/,
  REQUEST: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/,
  SECRET: /(?:prs|whsec)_[\w+/=]+/,
  EVENT: /evt_\d+_\d+/,
}

const wholly = Object.values(varying).map((pattern) => new RegExp(`^${pattern.source}$`))

/** The differences between the JSON that a page shows and an answer. Of a list, the page shows the first entry. */
export function differences(shown: unknown, found: unknown, path: string): string[] {
  const at = path || 'the answer'
  if (kindOf(shown) !== kindOf(found)) return [`${at}: ${kindOf(shown)} is shown, ${kindOf(found)} was answered`]
  if (Array.isArray(shown) && Array.isArray(found)) {
    if (shown.length > 0 && found.length === 0) return [`${at}: nothing was answered`]
    return shown.length === 0 ? [] : found.flatMap((item, index) => differences(shown[0], item, `${path}[${index}]`))
  }
  if (typeof shown === 'string') {
    const kind = wholly.find((pattern) => pattern.test(shown))
    const same = kind ? kind.test(String(found)) : shown === found
    return same ? [] : [`${at}: ${JSON.stringify(shown)} is shown, ${JSON.stringify(found)} was answered`]
  }
  if (typeof shown !== 'object' || shown === null) {
    const same = shown === found || /(^|\/)(id|\w+Id)$/.test(path)
    return same ? [] : [`${at}: ${shown} is shown, ${found} was answered`]
  }
  const [left, right] = [shown as Record<string, unknown>, found as Record<string, unknown>]
  return [
    ...Object.keys(left).flatMap((name) =>
      name in right ? differences(left[name], right[name], join(path, name)) : [`${join(path, name)}: not answered`],
    ),
    ...Object.keys(right)
      .filter((name) => !(name in left))
      .map((name) => `${join(path, name)}: not shown`),
  ]
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** The differences between the lines that a page shows and an output. The line `…` stands for any lines. */
export function lineDifferences(shown: string, printed: string): string[] {
  const [left, right] = [linesOf(shown), linesOf(printed)]
  return isSame(left, right) ? [] : [`shows\n${left.join('\n')}\n  and printed\n${right.join('\n')}`]
}

function isSame([first, ...others]: string[], printed: string[]): boolean {
  if (first === undefined) return printed.length === 0
  if (first === '…')
    return isSame(others, printed) || (printed.length > 0 && isSame([first, ...others], printed.slice(1)))
  return first === printed[0] && isSame(others, printed.slice(1))
}

/** The lines of a text with words in place of what varies. The width of columns varies with the ids in them. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => comparable(line).replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
}

function comparable(line: string): string {
  const words = Object.entries(varying).toReversed()
  const named = words.reduce(
    (changed, [word, pattern]) => changed.replaceAll(new RegExp(`(?<![\\w.])${pattern.source}(?!\\w)`, 'g'), word),
    line,
  )
  return named.replaceAll(/\b\d+(\.\d+)? ?ms\b/g, 'DURATION')
}
