import type { List } from '../client/src/index.ts'
import type { OptionValues } from '../ground/command-call.ts'
import { UsageError } from '../ground/failure.ts'
import type { Output } from '../ground/output.ts'
import { padded, visible } from '../ground/text.ts'
import type { Call, Option } from './command.ts'

/** A column of lines that are printed as they come: its text and its width. */
interface LineColumn<Entry> {
  text(entry: Entry): string
  width: number
}

/** A list by sequence numbers, such as the feed: read once, or followed. */
export interface NumberedList<Entry> {
  page(query: { after?: number; sort?: '-sequence'; limit: number }): List<Entry>
  follow(after: number | 'latest', signal: AbortSignal): AsyncIterable<Entry>
  /** The columns of a table, and those of lines that come one by one. */
  table: readonly string[]
  line: readonly LineColumn<Entry>[]
}

/** The options of a command that shows such a list. */
export const positionOptions: readonly Option[] = [
  { flags: '-f, --follow', description: 'Print entries as they come, until Ctrl-C' },
  { flags: '--after <number>', description: 'Begin after the entry with this sequence number' },
  { flags: '-n, --limit <number>', description: 'Print at most so many entries (default: the latest 20)' },
]

const LATEST = 20
const PAGE = 1_000

/** Prints the latest entries, those after a number, or those that come. Oldest first, as the lines of a log. */
export async function printNumbered<Entry extends object>(call: Call, list: NumberedList<Entry>): Promise<void> {
  const { options, out } = call
  const after = positionOf(options.after)
  if (!options.follow) {
    const rows =
      after === undefined ? await latest(list, limitOf(options) ?? LATEST) : rest(list, after, limitOf(options))
    return out.records(rows, list.table)
  }
  if (options.limit !== undefined) throw new UsageError('--follow takes no --limit: it goes on until Ctrl-C')
  for await (const entry of list.follow(after ?? 'latest', call.signal())) {
    if (out.forPeople) out.line(lineOf(entry, list.line, out))
    else out.record(entry)
  }
}

async function latest<Entry>(list: NumberedList<Entry>, limit: number): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of list.page({ sort: '-sequence', limit: Math.min(limit, PAGE) })) {
    if (entries.push(entry) === limit) break
  }
  return entries.reverse()
}

async function* rest<Entry>(list: NumberedList<Entry>, after: number, limit = Number.POSITIVE_INFINITY) {
  let count = 0
  for await (const entry of list.page({ after, limit: Math.min(limit, PAGE) })) {
    yield entry
    if (++count >= limit) return
  }
}

function lineOf<Entry>(entry: Entry, columns: readonly LineColumn<Entry>[], { colors }: Output): string {
  const [first = '', ...others] = columns.map(({ text, width }) => padded(visible(text(entry)), width))
  return [colors.dim(first), ...others].join('  ').trimEnd()
}

/** The number of `--after`. */
export function positionOf(text: OptionValues[string]): number | undefined {
  if (text === undefined) return undefined
  const number = Number(text)
  if (!/^\d+$/.test(String(text)) || !Number.isSafeInteger(number)) {
    throw new UsageError(`--after takes a sequence number, not ${text}`)
  }
  return number
}

function limitOf({ limit }: OptionValues): number | undefined {
  if (limit === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(String(limit))) throw new UsageError(`--limit takes a number from 1, not ${limit}`)
  return Number(limit)
}
