import { readSecret } from '../secrets/read-secret.ts'

export type Mode = 'sandbox' | 'live'
export type Environment = Record<string, string | undefined>

/** The settings that may also be read from a file, which a variable with the ending `_FILE` names. */
const secretSettings = new Set([
  'DATABASE_URL',
  'PURSER_READ_URL',
  'PURSER_API_KEY',
  'PURSER_ENCRYPTION_KEY',
  'PURSER_ENCRYPTION_KEY_NEW',
  'PURSER_CLOSING_KEY',
  'PURSER_OIDC_CLIENT_SECRET',
  'PURSER_DECISION_SECRET',
  'PURSER_SCREENING_SECRET',
  'PURSER_UNIT_TOKEN',
  'PURSER_UNIT_WEBHOOK_SECRET',
  'PURSER_KARD_CLIENT_ID',
  'PURSER_KARD_CLIENT_SECRET',
  'PURSER_KARD_WEBHOOK_SECRET',
])

/** The variables of further cells begin with it. */
export const CELL_PREFIX = 'PURSER_CELL_'
/** Those of their standbys. */
export const READ_PREFIX = 'PURSER_READ_URL_'
const prefixes = [CELL_PREFIX, READ_PREFIX]

/** A kind of value: how it is read from a text, and how a fault describes it. */
export interface Kind<T> {
  parse(text: string): T | undefined
  expected: string | ((text: string) => string)
}

export interface Reader {
  faults: string[]
  fault(line: string): void
  has(name: string): boolean
  read<T>(name: string, kind: Kind<T>, fallback: T): T
  /** A variable that has no default. */
  optional<T>(name: string, kind: Kind<T>): T | undefined
  /** The variables with this beginning that are set, without the ending `_FILE`, in the order of their names. */
  beginningWith(prefix: string): string[]
}

/** The text of a setting, and how a fault names it. */
interface Given {
  text: string
  named: string
}

export function openReader(environment: Environment): Reader {
  const faults: string[] = []
  const isSecret = (name: string) => secretSettings.has(name) || prefixes.some((prefix) => name.startsWith(prefix))
  const fileOf = (name: string) => (isSecret(name) ? environment[`${name}_FILE`] : undefined)

  function given(name: string): Given | undefined {
    const [text, path] = [environment[name], fileOf(name)]
    if (!path) return text ? { text, named: name } : undefined
    const read = text ? { fault: `and ${name} are both set: keep one of them` } : readSecret(path)
    if ('text' in read) return { text: read.text, named: `the contents of ${name}_FILE` }
    faults.push(`${name}_FILE ${read.fault}`)
    return undefined
  }

  function optional<T>(name: string, { parse, expected }: Kind<T>): T | undefined {
    const found = given(name)
    if (!found) return undefined
    const { text, named } = found
    const value = parse(text)
    if (value === undefined) faults.push(`${named} must be ${typeof expected === 'string' ? expected : expected(text)}`)
    return value
  }
  return {
    faults,
    fault: (line) => void faults.push(line),
    has: (name) => Boolean(environment[name] || fileOf(name)),
    read: (name, kind, fallback) => optional(name, kind) ?? fallback,
    optional,
    beginningWith: (prefix) => {
      const set = Object.keys(environment).filter((name) => environment[name])
      const names = new Set(set.map((name) => name.replace(/_FILE$/, '')))
      return [...names].filter((name) => name.startsWith(prefix)).sort()
    },
  }
}

export function requireAll({ has, fault }: Reader, names: string[], by: string): void {
  for (const name of names) if (!has(name)) fault(`${name} is required with ${by}`)
}
