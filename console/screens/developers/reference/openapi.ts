import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type OperationId, operations } from '../../../../client/src/index.ts'
import { resolved, type Schema } from '../../../../ground/schema.ts'
import { words } from '../../../data/format.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
  example?: unknown
}

interface Content {
  schema?: Schema
  example?: unknown
}

interface RawOperation {
  operationId: OperationId
  tags: string[]
  summary: string
  deprecated?: boolean
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, Content> }
}

export interface Document {
  info: { version: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, RawOperation>>
  components: Record<string, Record<string, unknown>>
}

/** One operation as its form needs it. */
export interface Described {
  id: OperationId
  title: string
  deprecated: boolean
  method: string
  params: Parameter[]
  query: Parameter[]
  body: { schema: Schema; example: unknown } | undefined
}

/** The operations of one resource. */
export interface Group {
  /** Its name in words: `External accounts`. */
  name: string
  operations: { id: OperationId; title: string; method: string; path: string; deprecated: boolean }[]
}

/** The document of the interface. It does not change while the service runs, so it is read once. */
export function useDocument(): UseQueryResult<Document> {
  return useQuery({
    queryKey: ['openapi'],
    queryFn: readDocument,
    staleTime: 'static',
    gcTime: Number.POSITIVE_INFINITY,
  })
}

async function readDocument(): Promise<Document> {
  const response = await fetch('/openapi.json')
  if (!response.ok) throw new Error(`/openapi.json answered ${response.status}`)
  return (await response.json()) as Document
}

/** The operations by the resource that the client has them under, in the order of the document's tags. */
export function groupsOf(document: Document): Group[] {
  const groups = new Map<string, Group & { tag: number }>()
  const tags = document.tags.map(({ name }) => name)
  for (const raw of rawOperations(document)) {
    const { operationId: id, deprecated = false } = raw
    const [client, method, path] = operations[id]
    const name = words(client.split('.').slice(0, -1).join(' '))
    const group = groups.get(name) ?? { name, operations: [], tag: tags.indexOf(raw.tags[0] ?? '') }
    groups.set(name, group)
    group.operations.push({ id, title: titleOf(raw), method, path, deprecated })
  }
  return [...groups.values()].toSorted((one, other) => one.tag - other.tag || (one.name < other.name ? -1 : 1))
}

function rawOperations({ paths }: Document): RawOperation[] {
  const all = Object.values(paths).flatMap((path) => Object.values(path))
  return all.filter(({ operationId }) => operationId && Object.hasOwn(operations, operationId))
}

/** Summaries begin with a number of the specification, which is left out here. */
function titleOf({ summary }: RawOperation): string {
  return summary.replace(/^[A-Z]+\d+[a-z]?\. /, '')
}

/** One operation; undefined if the document does not have it. */
export function describedIn(document: Document, id: string): Described | undefined {
  const raw = rawOperations(document).find(({ operationId }) => operationId === id)
  if (!raw) return undefined
  const [, method, , takes] = operations[raw.operationId]
  const parameters = (raw.parameters ?? []).map((each) => resolved(each, document.components))
  const body = raw.requestBody?.content['application/json']
  return {
    id: raw.operationId,
    title: titleOf(raw),
    deprecated: raw.deprecated ?? false,
    method,
    params: parameters.filter((each) => each.in === 'path'),
    query: parameters.filter((each) => each.in === 'query'),
    body: takes === 'body' && body?.schema ? { schema: body.schema, example: body.example } : undefined,
  }
}

/** A schema without references and without the choice of null; `nullable` says whether null was one. */
export function plainSchema(document: Document, schema: Schema): Schema & { nullable: boolean } {
  const found = resolved(schema, document.components)
  const others = found.anyOf?.filter(({ type }) => type !== 'null')
  const nullable = found.anyOf !== undefined && others?.length !== found.anyOf.length
  const [only] = others ?? []
  if (!only || others?.length !== 1) return { ...found, nullable }
  const { anyOf: _choices, ...rest } = found
  return { ...resolved(only, document.components), ...rest, nullable }
}
