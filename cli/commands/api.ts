import { type OperationId, operations } from '../../client/src/index.ts'
import { UsageError } from '../../ground/failure.ts'
import { suggestion } from '../../ground/nearest-name.ts'
import { commandWords } from '../../ground/text.ts'
import type { Call, Command } from '../command.ts'
import { parseJson, readMembers } from '../files.ts'
import { allOption, callOperation, idempotencyKeyOption, outputOption, setMember } from '../operation-command.ts'

export const api: Command = {
  path: 'api',
  summary: 'Calls any operation by its id, or lists the operations',
  description:
    'Fields are parameters of the path first, then members of the query or the body. A field with dots is a member of an inner record, and one with brackets is an entry of a list: -f address.city=Springfield, -f scopes[]=banking:read.',
  group: 'Develop',
  arguments: [{ name: 'operation', description: 'Id of the operation, such as createPayment', optional: true }],
  options: [
    { flags: '-f, --field <name=text>', description: 'A field whose value is a text', repeatable: true },
    { flags: '-F, --json-field <name=json>', description: 'A field whose value is JSON', repeatable: true },
    { flags: '--input <path>', description: 'The query or the body as a file of JSON, or - for standard input' },
    idempotencyKeyOption,
    allOption,
    outputOption,
  ],
  examples: [
    { run: 'purser api', does: 'Lists the operations with their commands' },
    { run: 'purser api getPayment -f paymentId="$PAYMENT"', does: 'Gets a payment' },
    {
      run: 'purser api createPayment -f accountId="$ACCOUNT" -F amount=2000 -f counterpartyAccountId="$EXTERNAL_ACCOUNT" -f originalType=ACH -f description=Lunch',
      does: 'Makes a payment of 20.00',
    },
    {
      run: `echo '{"limit": 5}' | purser api listPayments --input -`,
      does: 'Lists payments by a query from standard input',
    },
  ],
  run: async (call) => {
    const [id] = call.args
    if (id === undefined) return listOperations(call)
    if (!isOperation(id)) throw new UsageError(`there is no operation ${id}${suggestion(id, Object.keys(operations))}`)
    return callOperation(call, id, await inputOf(id, call))
  },
}

function isOperation(id: string): id is OperationId {
  return Object.hasOwn(operations, id)
}

async function listOperations({ out }: Call): Promise<void> {
  const rows = Object.entries(operations).map(([operation, [name, method, path]]) => ({
    operation,
    command: `purser ${commandWords(name)}`,
    method,
    path,
  }))
  await out.records(rows)
}

async function inputOf(id: OperationId, call: Call) {
  const [, , path, takes] = operations[id]
  const { input: file } = call.options as { input?: string }
  const input = await readMembers('--input', file === undefined || file === '-' ? file : `@${file}`, call)
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const params: Record<string, string> = Object.fromEntries(names.map((name) => [name, '']))
  for (const [name, value] of fieldsOf(call)) {
    if (names.includes(name)) params[name] = String(value)
    else if (takes === null) throw new UsageError(`${id} has no field ${name}`)
    else addField(input, name, value)
  }
  return { params, input }
}

function fieldsOf({ options }: Call): [name: string, value: unknown][] {
  const { field = [], jsonField = [] } = options as { field?: string[]; jsonField?: string[] }
  const texts = field.map((text) => partsOf('-f', text))
  const values = jsonField.map((text) => partsOf('-F', text))
  return [...texts, ...values.map(([name, text]): [string, unknown] => [name, parseJson(`-F ${name}`, text)])]
}

export function partsOf(flag: string, text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`${flag} takes name=value, not ${text}`)
  return [text.slice(0, at), text.slice(at + 1)]
}

function addField(input: Record<string, unknown>, name: string, value: unknown): void {
  const path = name.replace(/\[\]$/, '')
  const earlier = path.split('.').reduce<unknown>((inner, each) => (inner as Record<string, unknown>)?.[each], input)
  setMember(input, path, path === name ? value : [...(Array.isArray(earlier) ? earlier : []), value])
}
