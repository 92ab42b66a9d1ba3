/** A member with the number of an account or of a person, also in JSON that is a text itself. A redacted one has none. */
const NUMBER = /(\\*"(?:accountNumber|ssn)\\*":\s*\\*")([^"\\[][^"\\]*)/g
const MEMBER = /^(accountNumber|ssn)$/
const SHOWN_DIGITS = 4

/** Whether JSON shows numbers that are personal data. */
export function hasNumbers(json: string): boolean {
  return json.search(NUMBER) >= 0
}

/** JSON with the last four digits of each number, and `*` in place of the others. */
export function maskNumbers(json: string): string {
  return json.replace(NUMBER, (_match, before: string, number: string) => {
    const hidden = number.length > SHOWN_DIGITS ? number.length - SHOWN_DIGITS : number.length
    return `${before}${'*'.repeat(hidden)}${number.slice(hidden)}`
  })
}

/** The ids of the records that show numbers: of each number, the innermost record that has an id. */
export function recordsWithNumbers(json: string): string[] {
  const found = new Set<string>()
  note(JSON.parse(json), undefined, found)
  return [...found]
}

function note(value: unknown, id: string | undefined, found: Set<string>): void {
  if (typeof value === 'string') {
    if (id !== undefined && hasNumbers(value)) found.add(id)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const { id: own } = value as { id?: unknown }
  const inner = typeof own === 'string' && !Array.isArray(value) ? own : id
  for (const [name, member] of Object.entries(value)) {
    if (inner !== undefined && MEMBER.test(name) && typeof member === 'string') found.add(inner)
    note(member, inner, found)
  }
}
