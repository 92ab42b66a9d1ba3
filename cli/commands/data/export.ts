import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { isProblem, Purser } from '../../../client/src/index.ts'
import { exitCodes, Refusal, UsageError } from '../../../ground/failure.ts'
import type { Call, Command } from '../../command.ts'
import { fetchInto } from '../../http-fetch.ts'
import { outputOption } from '../../operation-command.ts'
import { partsOf } from '../api.ts'

export const exportRecords: Command = {
  path: 'export',
  summary: 'Writes the records of a list to a file',
  description:
    'Streams what a list shows, up to a million records, as CSV or JSON Lines. The list is named as in `purser LIST list`: payments, transactions, cards, all-authorizations, ledger-transfers, events; a wrong name gets the names of all. Amounts are in cents, times in UTC. A file has its name only if it is complete.',
  group: 'Records',
  arguments: [
    {
      name: 'list',
      description: 'List, such as payments',
      completions: ['payments', 'transactions', 'accounts', 'customers', 'cards', 'all-authorizations', 'events'],
    },
  ],
  options: [
    { flags: '--since <time>', description: 'Only records created after this time' },
    { flags: '--until <time>', description: 'Only records created before this time' },
    { flags: '-f, --field <name=text>', description: 'A further filter of the list', repeatable: true },
    { flags: '--limit <number>', description: 'Most records; all by default' },
    {
      flags: '--format <format>',
      description: 'csv, or jsonl for JSON Lines (default: by the name of the file, else csv)',
      choices: ['csv', 'jsonl'],
    },
    outputOption,
  ],
  examples: [
    { run: 'purser export payments --since 2026-01-01 --output payments.csv', does: 'Writes payments as a table' },
    {
      run: 'purser export payments -f status=Returned --format jsonl | head -n 1',
      does: 'Takes the latest returned payment as JSON',
    },
  ],
  run,
}

/** A million records may take an hour on a slow line. */
const LONGEST_MS = 24 * 3_600_000

async function run(call: Call): Promise<void> {
  const { settings, out, dryRun } = call
  const { output } = call.options as { output?: string }
  const toFile = output !== undefined && output !== '-' && !dryRun
  if (!toFile && out.isTerminal && !dryRun)
    throw new UsageError('the answer is a file: name one with --output, or pipe it to a program')
  const part = `${output}.part`
  const file = toFile ? openSync(part, 'w') : undefined
  let bytes = 0
  const take = (piece: Buffer) => {
    bytes += piece.length
    if (file === undefined) out.bytes(piece)
    else writeSync(file, piece)
  }
  const client = dryRun
    ? call.purser()
    : new Purser({
        url: settings.url,
        apiKey: settings.apiKey(),
        headers: settings.headers,
        fetch: fetchInto(take),
        timeoutMs: LONGEST_MS,
        retries: 0,
      })
  try {
    await client.call('exportList', { params: { list: call.args[0] ?? '' }, query: queryOf(call) })
  } catch (error) {
    if (toFile) rmSync(part, { force: true })
    if (isProblem(error) || bytes === 0) throw error
    throw new Refusal('the connection ended before the export was complete', { code: exitCodes.retry, cause: error })
  } finally {
    if (file !== undefined) closeSync(file)
  }
  if (!toFile) return
  renameSync(part, output)
  out.note(`Wrote ${output}, ${bytes} bytes.`)
}

function queryOf({ options }: Call): Record<string, never> {
  const {
    since,
    until,
    limit,
    output = '',
    field = [],
  } = options as Record<'since' | 'until' | 'limit' | 'output', string> & {
    field?: string[]
  }
  const { format = output.endsWith('.jsonl') ? 'jsonl' : 'csv' } = options
  const query: Record<string, unknown> = { format, since, until, limit }
  for (const text of field) {
    const [name, value] = partsOf('-f', text)
    query[name] = query[name] === undefined ? value : [query[name], value].flat()
  }
  return query as Record<string, never>
}
