import { writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { type List, type OperationId, operations, type Purser } from '../client/src/index.ts'
import { UsageError } from '../ground/failure.ts'
import { commandWords, kebab } from '../ground/text.ts'
import type { Call, Command, Option } from './command.ts'
import { parseJson, readFile, readMembers } from './files.ts'

type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'json' | 'file'
/** The kind of a flag's values; with brackets for a flag that may be given several times. */
export type FlagKind = Kind | `${Kind}[]`

/** One operation as data for its command. */
export interface OperationCommand {
  id: OperationId
  summary: string
  description: string
  args: readonly (readonly [name: string, description: string])[]
  /** Members of the query or the body, inner ones by a path with dots. */
  flags: readonly (readonly [
    path: string,
    kind: FlagKind,
    description: string,
    required: 0 | 1,
    choices?: readonly string[],
  ])[]
  /** The columns of a list's table. */
  columns?: readonly string[]
  example: string
}

/** The command of an operation. */
export function commandOf(operation: OperationCommand): Command {
  const [name] = operations[operation.id]
  return {
    path: commandWords(name),
    operation: operation.id,
    summary: operation.summary,
    description: operation.description,
    group: 'Records',
    arguments: operation.args.map(([each, description]) => ({ name: kebab(each), description })),
    options: optionsOf(operation),
    examples: [{ run: operation.example, does: `Calls \`${operation.id}\`` }],
    run: (call) => run(operation, call),
  }
}

function flagOf(path: string): string {
  return `--${path.split('.').map(kebab).join('.')}`
}

const placeholders: Record<Kind, string> = {
  text: '<text>',
  integer: '<number>',
  number: '<number>',
  boolean: '[boolean]',
  json: '<json>',
  file: '<path>',
}

function optionsOf({ id, flags }: OperationCommand): Option[] {
  const [, method, , takes, gives] = operations[id]
  const own = flags.map((flag): Option => {
    const [path, kind, description, required, choices] = flag
    const plain = kind.replace('[]', '') as Kind
    const only = onlyChoice(flag)
    const need = only ? ` (default: ${only})` : required ? ' (required)' : ''
    return {
      flags: `${flagOf(path)} ${placeholders[plain]}`,
      description: description + need,
      ...(plain === 'boolean' ? { choices: ['true', 'false'] } : choices && { choices }),
      repeatable: kind.endsWith('[]'),
    }
  })
  return [
    ...own,
    ...(takes === 'body'
      ? [
          {
            flags: '-d, --data <json>',
            description: 'The whole body: JSON, @FILE, or - for standard input; flags replace its members',
          },
        ]
      : []),
    ...(method === 'POST' ? [idempotencyKeyOption] : []),
    ...(gives === 'list' ? [allOption] : []),
    ...(gives === 'file' ? [outputOption] : []),
  ]
}

export const idempotencyKeyOption: Option = {
  flags: '--idempotency-key <key>',
  description: 'Key under which the request has one effect, however often it is sent',
}
export const allOption: Option = { flags: '--all', description: 'Follow the pages to the last record' }
export const outputOption: Option = {
  flags: '-o, --output <path>',
  description: 'File to write; standard output by default',
}

async function run(operation: OperationCommand, call: Call): Promise<void> {
  const params = Object.fromEntries(operation.args.map(([name], at) => [name, call.args[at] ?? '']))
  await callOperation(call, operation.id, { params, input: await inputOf(operation, call) }, operation.columns)
}

export interface OperationInput {
  params: Record<string, string>
  /** The query or the body. */
  input: unknown
}

/** Calls an operation and shows its answer. */
export async function callOperation(
  call: Call,
  id: OperationId,
  { params, input }: OperationInput,
  columns?: readonly string[],
): Promise<void> {
  const [name, , , takes, gives] = operations[id]
  for (const [each, value] of Object.entries(params)) if (value === '') throw new UsageError(`${each} is missing`)
  const purser = call.purser()
  if (gives === 'list') {
    const values = [...Object.values(params), ...(takes ? [input] : [])]
    return showList(call, methodNamed(purser, name)(...values) as List<object>, columns)
  }
  const { idempotencyKey } = call.options as { idempotencyKey?: string }
  const parts = { params, ...(takes && { [takes]: input }) }
  const anyCall = purser.call as (...values: unknown[]) => ReturnType<Purser['me']['get']>
  const { data, response } = await anyCall
    .call(purser, id, parts, idempotencyKey ? { idempotencyKey } : {})
    .withResponse()
  if (response.replayed) call.out.note('An earlier request with this idempotency key had this answer.')
  if (gives === 'file') return writeBytes(call, data as unknown as Uint8Array)
  if (gives === 'record') return call.out.record(data)
  if (call.out.forPeople) call.out.note('Done.')
}

/** A method of the client by its name, such as `payments.list`. */
function methodNamed(purser: Purser, name: string): (...values: unknown[]) => unknown {
  return name.split('.').reduce<unknown>((group, word) => (group as Record<string, unknown>)[word], purser) as never
}

async function showList({ out, options }: Call, list: List<object>, columns?: readonly string[]): Promise<void> {
  if (options.all) return out.records(list, columns)
  const { data, next, total, omitted } = await list.page()
  await out.records(data, columns)
  if (omitted > 0) out.note(`${omitted} records are left out: their provider sent them in a form that cannot be shown.`)
  if (total !== undefined) out.note(`${total} records in all.`)
  if (!out.forPeople) return
  if (data.length === 0) out.note('No records.')
  if (next) out.note('There are more: --all follows the pages.')
}

/** A file of the service: to a path, or to a pipe. A terminal would show its bytes. */
async function writeBytes({ options, out }: Call, bytes: Uint8Array): Promise<void> {
  const { output } = options as { output?: string }
  if (output !== undefined && output !== '-') {
    writeFileSync(output, bytes)
    out.note(`Wrote ${output}, ${bytes.length} bytes.`)
  } else if (out.isTerminal) {
    throw new UsageError('the answer is a file: name one with --output, or pipe it to a program')
  } else {
    out.bytes(bytes)
  }
}

/** The query or the body: `--data` with the flags on top. */
async function inputOf(operation: OperationCommand, call: Call): Promise<Record<string, unknown>> {
  const { data } = call.options as { data?: string }
  const members = await readMembers('--data', data, call)
  const given = operation.flags.filter(([path]) => call.options[path] !== undefined)
  for (const [path, kind] of given) setMember(members, path, flagValue(path, kind, call.options[path]))
  addContentType(operation, members, call)
  for (const flag of operation.flags) if (onlyChoice(flag) && data === undefined) members[flag[0]] ??= onlyChoice(flag)
  const missing = operation.flags.filter(([path, , , required]) => required && memberAt(members, path) === undefined)
  if (missing.length > 0 && data === undefined) {
    throw new UsageError(
      `missing ${missing.map(([path]) => flagOf(path)).join(', ')}: see purser ${commandWords(operations[operation.id][0])} --help`,
    )
  }
  if (operations[operation.id][1] === 'PUT' && given.length === 0 && data === undefined) {
    throw new UsageError("the command replaces everything: name what stays, or --data '{}' for nothing")
  }
  return members
}

/** The value of a required member that has no other. */
function onlyChoice([, , , required, choices = []]: OperationCommand['flags'][number]): string | undefined {
  return required && choices.length === 1 ? choices[0] : undefined
}

function flagValue(path: string, kind: FlagKind, given: unknown): unknown {
  const plain = kind.replace('[]', '') as Kind
  if (Array.isArray(given)) return given.map((each) => parsedValue(flagOf(path), plain, String(each)))
  return parsedValue(flagOf(path), plain, String(given))
}

function parsedValue(flag: string, kind: Kind, text: string): unknown {
  switch (kind) {
    case 'text':
      return text
    case 'json':
      return parseJson(flag, text)
    case 'boolean':
      return text === 'true'
    case 'file':
      return readFile(text).toString('base64')
    case 'integer':
    case 'number':
      return numberOf(flag, kind, text)
  }
}

function numberOf(flag: string, kind: 'integer' | 'number', text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (kind === 'integer' ? Number.isSafeInteger(value) && /^-?\d+$/.test(text) : Number.isFinite(value)) return value
  const cents =
    /amount/i.test(flag) && /^\d+\.\d\d$/.test(text)
      ? `: it is in cents, ${text.replace('.', '').replace(/^0+(?=\d)/, '')} for ${text}`
      : ''
  throw new UsageError(`${flag} takes a ${kind === 'integer' ? 'whole number' : 'number'}, not ${text}${cents}`)
}

const contentTypes: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.pdf': 'application/pdf',
}

/** The type of an uploaded file follows from its name, if the operation takes one. */
function addContentType({ flags }: OperationCommand, members: Record<string, unknown>, { options }: Call): void {
  const file = flags.find(([, kind]) => kind === 'file')?.[0]
  const path = file && options[file]
  const isTyped = flags.some(([member]) => member === 'contentType')
  if (isTyped && typeof path === 'string') members.contentType ??= contentTypes[extname(path).toLowerCase()]
}

export function setMember(record: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  let inner = record
  for (const name of names) {
    if (typeof inner[name] !== 'object' || inner[name] === null) inner[name] = {}
    inner = inner[name] as Record<string, unknown>
  }
  inner[last] = value
}

function memberAt(record: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], record)
}
