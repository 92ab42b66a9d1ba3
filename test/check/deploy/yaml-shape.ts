/** A block that is open: the column of its entries, their kind, and the keys it has. */
interface Block {
  column: number
  isList: boolean
  keys: Set<string>
}

const entry = /^( *)(- )?(.*)$/
const pair = /^([A-Za-z_][\w.-]*):(?: (.+))?$/

/**
 * The lines that break the small part of YAML that these files keep to: blocks of keys and lists, each two columns deeper
 * than its parent, values on one line, no key twice.
 */
export function yamlFaults(text: string): string[] {
  const open: Block[] = []
  const faults: string[] = []
  let mayDeepen = true
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue
    const fault = (reason: string) => void faults.push(`${index + 1}: ${reason}`)
    const [, indent = '', dash, rest = ''] = entry.exec(line) ?? []
    if (line.includes('\t')) {
      fault('a tab')
      continue
    }
    const column = indent.length
    while (open.length > 0 && (open.at(-1)?.column ?? 0) > column) open.pop()
    const parent = open.at(-1)
    if (parent?.column === column) {
      if (parent.isList !== Boolean(dash)) fault('a list and keys in one block')
    } else if (!mayDeepen || column !== (parent ? parent.column + 2 : 0)) fault('an indentation of no block')
    if (open.at(-1)?.column !== column) open.push({ column, isList: Boolean(dash), keys: new Set() })
    // The keys of an item of a list form a block of their own.
    if (dash && pair.test(rest)) open.push({ column: column + 2, isList: false, keys: new Set() })
    const [, key, value] = pair.exec(rest) ?? []
    mayDeepen = key !== undefined && value === undefined
    if (key !== undefined) {
      const { keys } = open.at(-1) as Block
      if (keys.has(key)) fault(`${key} a second time`)
      keys.add(key)
    } else if (!dash) fault('neither a key nor an item')
    const scalar = key === undefined ? rest : value
    if (scalar !== undefined && !isValue(scalar)) fault(`not a value: ${scalar}`)
  }
  return faults
}

/** Whether a text is a quoted value, a list on one line, or a plain value that YAML reads as one text. */
function isValue(text: string): boolean {
  if (text.startsWith("'")) return /^'([^']|'')*'$/.test(text)
  if (text.startsWith('"')) return /^"([^"\\]|\\.)*"$/.test(text)
  if (text.startsWith('[')) return /^\[(("[^"]*"|[\w.-]+)(, )?)*\]$/.test(text)
  return !/^[{}[\]&*!|>%@`,?-]\S|^[{}|>]|: |:$| #/.test(text)
}
