import type { LoggedRequest, LoggedRequestDetail, Purser } from '../../client/src/index.ts'
import type { OptionValues } from '../../ground/command-call.ts'
import { Refusal, UsageError } from '../../ground/failure.ts'
import type { Call, Command } from '../command.ts'
import { type NumberedList, positionOptions, printNumbered } from '../numbered-list.ts'
import { quietClient } from '../quiet-client.ts'

export const logs: Command = {
  path: 'logs',
  summary: 'Shows the latest requests, new ones as they arrive, or one of them in full',
  description: `Prints the requests of the organisation, oldest first: the latest 20, those after a number, or new ones as they arrive. With an id, prints one request with headers, bodies and the events that it caused; the id is that of the entry, its number, or the X-Request-Id.

A sandbox keeps the latest requests in memory; live mode keeps none. Requests of commands that only look on are left out.`,
  group: 'Develop',
  arguments: [
    {
      name: 'id',
      description: 'Id of a request (req_…), its number, or its X-Request-Id; `tail` follows',
      optional: true,
      completions: ['tail'],
    },
  ],
  options: [
    ...positionOptions,
    { flags: '--status <status>', description: 'Only answers with this status: 404, or 4xx' },
    { flags: '--operation <id>', description: 'Only requests of this operation, such as createPayment' },
    { flags: '--code <code>', description: 'Only refusals with this code, such as insufficient_funds' },
    { flags: '--key <id>', description: 'Only requests of the API key with this id' },
    { flags: '--idempotency-key <key>', description: 'Only requests with this idempotency key' },
  ],
  examples: [
    { run: 'purser logs', does: 'Shows the latest 20 requests' },
    { run: 'purser logs --status 4xx --limit 5', does: 'Shows the latest five requests that were refused' },
    { run: 'purser logs --operation createPayment --after 0', does: 'Shows all requests for payments that are kept' },
    { run: 'purser logs $REQUEST', does: 'Shows one request with its answer and its events' },
    { run: 'purser logs --follow', does: 'Prints requests as they come', lasting: true },
  ],
  run,
}

async function run(call: Call): Promise<void> {
  const purser = quietClient(call)
  const [id] = call.args
  if (id === 'tail') return printLog({ ...call, options: { ...call.options, follow: true } }, purser)
  if (id !== undefined) return call.out.record(await requestOf(purser, id, call.options))
  return printLog(call, purser)
}

async function printLog(call: Call, purser: Purser): Promise<void> {
  const { status, operation, code, key, idempotencyKey } = call.options as Record<string, string | undefined>
  const filter = {
    ...(status && { status }),
    ...(operation && { operation }),
    ...(code && { code }),
    ...(key && { apiKeyId: key }),
    ...(idempotencyKey && { idempotencyKey }),
  }
  const list: NumberedList<LoggedRequest> = {
    page: (query) => purser.requests.list({ ...filter, ...query }),
    follow: (after, signal) => purser.requests.follow({ ...filter, after, signal }),
    table: ['sequence', 'status', 'path', 'at', 'code', 'ms', 'operation', 'id'],
    line: [
      { text: ({ sequence }) => String(sequence), width: 6 },
      { text: ({ at }) => at, width: 24 },
      { text: ({ status: each }) => String(each), width: 3 },
      { text: ({ operation: each }) => each, width: 22 },
      { text: ({ ms }) => `${ms} ms`, width: 9 },
      { text: ({ code: each }) => each ?? '', width: 30 },
    ],
  }
  await printNumbered(call, list)
}

/** One request. An X-Request-Id may be that of several; then the latest is shown. */
async function requestOf(purser: Purser, id: string, options: OptionValues): Promise<LoggedRequestDetail> {
  const filters = Object.entries(options).filter(([, value]) => value !== undefined)
  if (filters.length > 0) throw new UsageError('an id names one request and takes no other option')
  if (id.startsWith('req_')) return purser.requests.get(id)
  const [latest] = (await purser.requests.list({ requestId: id, sort: '-sequence', limit: 1 }).page()).data
  const numbered = latest ?? (await requestNumbered(purser, id))
  if (!numbered)
    throw new Refusal(`no request with the id ${id} is kept: the log holds the latest ones since the start`)
  return purser.requests.get(numbered.id)
}

/** The entry with a sequence number, as the table shows it. */
async function requestNumbered(purser: Purser, text: string): Promise<LoggedRequest | undefined> {
  if (!/^[1-9]\d{0,15}$/.test(text)) return undefined
  const [next] = (await purser.requests.list({ after: Number(text) - 1, limit: 1 }).page()).data
  return next?.sequence === Number(text) ? next : undefined
}
