import { commandWords, kebab, shellWord } from './text.ts'

/** An operation as its calls need it: a row of the client's table. */
export type Route = readonly [
  /** Resource and verb: `payments.create`. */
  name: string,
  method: string,
  /** The path with parameters in the form `:accountId`. */
  path: string,
  takes: 'query' | 'body' | null,
  gives: 'record' | 'list' | 'file' | 'nothing',
]

/** The input of a call by its parts. */
export interface SnippetInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

export const languages = ['curl', 'TypeScript', 'purser'] as const
export type Language = (typeof languages)[number]

/** One call of an operation as a text to paste. `origin` is an address, or the variable of a shell that holds it. */
export function snippet(language: Language, route: Route, input: SnippetInput, origin: string): string {
  if (language === 'curl') return curlSnippet(route, input, origin)
  return language === 'TypeScript' ? clientSnippet(route, input) : commandSnippet(route, input)
}

/** The request of a call: path and query, and the body as JSON. */
export function requestOf([, method, path, takes]: Route, { params = {}, query = {}, body }: SnippetInput) {
  const filled = path.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(String(params[name])))
  const search = searchOf(query)
  return {
    method,
    path: search ? `${filled}?${search}` : filled,
    body: takes === 'body' && body !== undefined ? JSON.stringify(body) : undefined,
  }
}

/** A POST has a key, made in a line of its own: a retry of the command repeats the key, and the call has one effect. */
function curlSnippet(route: Route, input: SnippetInput, origin: string): string {
  const { method, path, body } = requestOf(route, input)
  const [name, , , , gives] = route
  const isPost = method === 'POST'
  const command = curlCommand({
    method,
    address: origin.startsWith('$') ? `"${origin}${path}"` : shellWord(origin + path),
    headers: [
      '"X-Service-API-Key: $PURSER_API_KEY"',
      ...(isPost ? ['"Idempotency-Key: $KEY"'] : []),
      ...(body === undefined ? [] : [`'Content-Type: application/json'`]),
    ],
    body,
    ...(gives === 'file' && { file: fileOf(name) }),
  })
  return isPost ? `KEY=${commandWords(name).replaceAll(' ', '-')}-$(date +%s)  # a retry keeps it\n${command}` : command
}

interface CurlRequest {
  method: string
  /** The address and the headers as words of a shell. */
  address: string
  headers: readonly string[]
  body: string | undefined
  /** The name of the file for the answer. */
  file?: string
}

/** A request as a command of a POSIX shell. */
export function curlCommand({ method, address, headers, body, file }: CurlRequest): string {
  const options = [...(file ? [`-o ${file}`] : []), ...(method === 'GET' ? [] : [`-X ${method}`])]
  const data = body === undefined ? [] : [`-d ${shellWord(body)}`]
  return [['curl', ...options, address].join(' '), ...headers.map((each) => `-H ${each}`), ...data].join(' \\\n  ')
}

/** A name for the file that a method answers: `statements.getPdf` gives `statement.pdf`. */
function fileOf(name: string): string {
  return `${kebab(itemOf(name))}.${name.replace(/^.*\.get/, '').toLowerCase()}`
}

function searchOf(query: Record<string, unknown>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) if (each !== undefined && each !== null) search.append(name, String(each))
  }
  return search.toString()
}

function clientSnippet(route: Route, input: SnippetInput): string {
  const [name, , , , gives] = route
  const call = clientCall(route, input)
  if (gives === 'list') return `for await (const ${itemOf(name)} of ${call}) {\n  console.log(${itemOf(name)})\n}`
  if (gives === 'file') return `const bytes = await ${call}\nconsole.log(bytes.length)`
  return gives === 'nothing' ? `await ${call}` : `console.log(await ${call})`
}

/** A call of the client's method for an operation. */
export function clientCall(
  [name, , path, takes]: Route,
  { params = {}, query, body }: SnippetInput,
  indent = '',
): string {
  const input = takes === 'body' ? body : takes === 'query' ? withoutAbsent(query) : undefined
  const values = [...paramsIn(path).map((each) => params[each]), ...(input === undefined ? [] : [input])]
  return `purser.${name}(${values.map((value) => literal(value, indent)).join(', ')})`
}

/** The names of a path's parameters, in their order. */
function paramsIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, each = '']) => each)
}

/** The name of one record of a list: `externalAccounts.list` gives `externalAccount`. `import` is a word of the language. */
function itemOf(name: string): string {
  const group = name.split('.').at(-2) ?? 'record'
  return group.endsWith('s') && group !== 'imports' ? group.slice(0, -1) : 'entry'
}

function withoutAbsent(query: Record<string, unknown> = {}): Record<string, unknown> | undefined {
  const members = Object.entries(query).filter(([, value]) => value !== undefined)
  return members.length > 0 ? Object.fromEntries(members) : undefined
}

/** The name of a variable, in place of a value. */
export class Variable {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** A value as TypeScript. */
export function literal(value: unknown, indent = ''): string {
  if (value instanceof Variable) return value.name
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, indent)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const members = Object.entries(value).map(([name, each]) => {
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name)
    const text = literal(each, inner)
    return each instanceof Variable && text === key ? key : `${key}: ${text}`
  })
  const line = members.length > 0 ? `{ ${members.join(', ')} }` : '{}'
  return line.length <= 70 ? line : `{\n${inner}${members.join(`,\n${inner}`)},\n${indent}}`
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

function commandSnippet([name, , path, takes]: Route, { params = {}, query, body }: SnippetInput): string {
  const values = paramsIn(path).map((each) => String(params[each]))
  const input = (takes === 'body' ? body : takes === 'query' ? query : undefined) ?? {}
  const flags = hasFlags(input) ? flagsOf(input as Record<string, unknown>) : [`-d ${shellWord(JSON.stringify(input))}`]
  const words = ['purser', commandWords(name)]
  // A value that begins with a hyphen is read as a flag unless it comes after `--`.
  if (values.some((value) => value.startsWith('-')))
    return [...words, ...flags, '--', ...values.map(shellWord)].join(' ')
  return [...words, ...values.map(shellWord), ...flags].join(' ')
}

/** Members whose names are free. Their flag takes JSON. */
const jsonMembers = new Set(['tags', 'headers'])
/** Members with the bytes of a file, whose flag takes a path. */
const fileMembers = new Set(['file'])

/** Whether an input can be written as flags. Null, empty lists, empty objects and files need the whole body. */
function hasFlags(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((each) => typeof each !== 'object')
  if (typeof value !== 'object') return true
  if (value === null) return false
  return Object.entries(value).every(
    ([name, each]) =>
      !fileMembers.has(name) && (jsonMembers.has(name) || (hasFlags(each) && JSON.stringify(each) !== '{}')),
  )
}

/** The members of an input as flags: inner objects by a path with dots, lists by a flag for each value. */
function flagsOf(input: Record<string, unknown>, path = ''): string[] {
  return Object.entries(input).flatMap(([name, value]) => {
    const flag = `${path}${kebab(name)}`
    if (value === undefined) return []
    if (Array.isArray(value)) return value.map((each) => flagWith(flag, String(each)))
    if (typeof value !== 'object') return [flagWith(flag, String(value))]
    if (jsonMembers.has(name)) return [flagWith(flag, JSON.stringify(value))]
    return flagsOf(value as Record<string, unknown>, `${flag}.`)
  })
}

function flagWith(flag: string, value: string): string {
  return `--${flag}${value.startsWith('-') ? '=' : ' '}${shellWord(value)}`
}
