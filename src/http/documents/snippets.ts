import type { Operation } from '../../base/operation.ts'
import { exampleOf } from '../openapi/examples.ts'

/** The call of an operation's example by `curl`, by the client and by the command line. */
export interface Snippets {
  curl: string
  client: string
  command: string
}

export function snippetsOf(operation: Operation): Snippets {
  return { curl: curlOf(operation), client: clientOf(operation), command: commandOf(operation) }
}

function curlOf(operation: Operation): string {
  const { params = {}, query = {}, body } = exampleOf(operation).request
  const path = operation.path.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(pairsOf(query)).toString()
  return [
    operation.method === 'GET' ? 'curl' : `curl -X ${operation.method}`,
    `"$PURSER_URL${path}${search && `?${search}`}"`,
    `-H "X-Service-API-Key: $PURSER_API_KEY"`,
    ...(operation.method === 'POST' ? [`-H "Idempotency-Key: $(date +%s%N)"`] : []),
    ...(body ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`] : []),
    ...(operation.contentType ? [typeof operation.contentType === 'string' ? '-o answer.pdf' : '-O -J'] : []),
  ].join(' \\\n  ')
}

function clientOf(operation: Operation): string {
  const { params = {}, query, body } = exampleOf(operation).request
  const input = operation.body ? body : query
  const values = [...namesIn(operation.path).map((name) => params[name]), ...(input ? [input] : [])]
  const call = `purser.${operation.resource}.${operation.verb}(${values.map((each) => JSON.stringify(each)).join(', ')})`
  return isList(operation) ? `for await (const each of ${call}) console.log(each)` : `await ${call}`
}

/** A list that goes on: the client reads it page by page. */
function isList({ method, data }: Operation): boolean {
  return method === 'GET' && (data as { type?: string }).type === 'array'
}

function commandOf(operation: Operation): string {
  const { params = {}, query = {}, body } = exampleOf(operation).request
  const words = [...operation.resource.split('.'), operation.verb].map(kebab)
  const values = namesIn(operation.path).map((name) => quoted(String(params[name])))
  const flags = pairsOf(query).map(([name, value]) => `--${kebab(name)} ${quoted(value)}`)
  const data = operation.body && body ? [`--data ${quoted(JSON.stringify(body))}`] : []
  return ['purser', ...words, ...values, ...flags, ...data].join(' ')
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
}

/** The values of a query as texts; a list is one pair for each entry. */
function pairsOf(query: Record<string, unknown>): [name: string, value: string][] {
  return Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each): [string, string] => [name, String(each)]),
  )
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** A word of a shell's command line. */
function quoted(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
