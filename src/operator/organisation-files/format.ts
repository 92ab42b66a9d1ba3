import { StartupError } from '../../base/startup-error.ts'
import { LongLine, linesIn } from '../../base/text.ts'

/**
 * An archive of an organisation: lines of JSON, compressed and encrypted. The first line is the manifest, the last one the number
 * of rows, and each line between them a row with the name of its table. All rows are those of one moment.
 */
export interface ArchiveManifest {
  format: typeof FORMAT
  /** A random number, by which an import knows an archive again. */
  archive: string
  /** The version of Purser that has written it. */
  purser: string
  /** The migrations of the database: rows fit only into the same tables. */
  migrations: string[]
  exportedAt: string
  mode: 'sandbox' | 'live'
  routingNumber: string
  /** Whether a service ran on the former bank, which may have sent payments since. */
  served: boolean
  /** The row of the organisation. */
  organisation: OrganisationRow
  /** The keys of the organisation in clear, in Base64: sealed values stay as they are. */
  keys: { data: string; digest: string }
  figures: ArchiveFigures
  /** The shares of the organisation in ACH files of the whole bank. */
  shares: unknown[]
}

export type OrganisationRow = { id: number; name: string; ended_at: null } & Record<string, unknown>

/** Numbers that are the same before and after. */
export interface ArchiveFigures {
  /** The rows of each table. */
  counts: Record<string, number>
  /** Sums over all accounts that change with every change. */
  accounts: string
  /** The cents in the accounts of customers. */
  balance: number
  /** The last event and its link in the chain of hashes. */
  events: string
  /** Payments that leave, or are made, without another request. */
  leaving: number
}

export const FORMAT = 'purser-organisation-1'
/** A document has up to 20 MB, which is 40 MB as hexadecimal digits. */
const LONGEST_LINE = 64 * 1024 * 1024
const LONGEST_MANIFEST = 8 * 1024 * 1024

export interface ArchiveLine {
  number: number
  text: string
}

/** The lines of an archive. Refuses a line that is too long before it is in memory, and bytes that are no text. */
export async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<ArchiveLine> {
  let number = 0
  try {
    for await (const bytes of linesIn(source, (line) => (line === 1 ? LONGEST_MANIFEST : LONGEST_LINE))) {
      number++
      yield { number, text: decoded(number, bytes) }
    }
  } catch (error) {
    throw error instanceof LongLine ? faultAt(error.number, 'the line is too long') : error
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function decoded(number: number, bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw faultAt(number, 'the line is no UTF-8')
  }
}

export function faultAt(number: number, fault: string): StartupError {
  return new StartupError(`line ${number} of the archive: ${fault}`)
}

/** The value of a line. */
export function parsedLine({ number, text }: ArchiveLine): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw faultAt(number, 'the line is no JSON')
  }
}

export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads the manifest. Refuses one that lacks a member, or has one of another type. */
export function manifestOf(line: ArchiveLine): ArchiveManifest {
  const value = parsedLine(line)
  if (!isObject(value) || value.format !== FORMAT) {
    throw new StartupError(`the file is no archive of an organisation of this version (${FORMAT})`)
  }
  const wrong = Object.entries(members).find(([name, fits]) => !fits(value[name]))
  if (wrong) throw faultAt(line.number, `the manifest has no valid ${wrong[0]}`)
  return value as unknown as ArchiveManifest
}

const isText = (value: unknown) => typeof value === 'string' && value.length <= 1_000
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0
const isKey = (value: unknown) => typeof value === 'string' && /^[A-Za-z0-9+/]{43}=$/.test(value)

const members: Record<Exclude<keyof ArchiveManifest, 'format'>, (value: unknown) => boolean> = {
  archive: (value) => typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
  purser: isText,
  migrations: (value) => Array.isArray(value) && value.every(isText),
  exportedAt: (value) => isText(value) && !Number.isNaN(Date.parse(value as string)),
  mode: (value) => value === 'sandbox' || value === 'live',
  routingNumber: (value) => typeof value === 'string' && /^\d{9}$/.test(value),
  served: (value) => typeof value === 'boolean',
  organisation: (value) =>
    isObject(value) && isCount(value.id) && value.id !== 0 && isText(value.name) && value.ended_at === null,
  keys: (value) => isObject(value) && isKey(value.data) && isKey(value.digest),
  figures: (value) =>
    isObject(value) &&
    isObject(value.counts) &&
    Object.values(value.counts).every(isCount) &&
    isText(value.accounts) &&
    Number.isSafeInteger(value.balance) &&
    isText(value.events) &&
    isCount(value.leaving),
  shares: (value) => Array.isArray(value) && value.every(isObject),
}

/** The figures that people compare. */
export function shownFigures({ counts, balance, events }: ArchiveFigures): { what: string; figure: string }[] {
  const [, link = 'none'] = events.split(' ')
  const tables = {
    customers: 'customer',
    'accounts, with internal ones': 'account',
    'external accounts': 'external_account',
    cards: 'card',
    payments: 'payment',
    transfers: 'transfer',
    statements: 'statement',
    documents: 'document_file',
  }
  return [
    ...Object.entries(tables).map(([what, table]) => ({ what, figure: String(counts[table] ?? 0) })),
    { what: 'cents in accounts of customers', figure: String(balance) },
    { what: 'events', figure: events.split(' ')[0] || '0' },
    { what: 'head of the chain of events', figure: link.slice(0, 16) },
  ]
}
