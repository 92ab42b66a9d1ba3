import type { OperationId } from '../../../../../client/src/index.ts'
import type { Schema } from '../../../../../ground/schema.ts'
import type { SnippetInput } from '../../../../../ground/snippets.ts'
import { type Described, type Document, plainSchema } from '../openapi.ts'
import { type Draft, draftOf, readDraft } from './draft.ts'
import type { World } from './world.ts'

/** The state of an operation's form. */
export interface Drafts {
  params: Record<string, Draft>
  query: Record<string, Draft>
  body: Draft | undefined
}

/** The types of records whose ids an operation takes. */
export function typesIn(document: Document, { params, query, body }: Described): string[] {
  const schemas = [...params, ...query].map(({ schema }) => schema)
  const found = [...schemas, ...(body ? [body.schema] : [])].flatMap((schema) => typesOf(document, schema))
  return [...new Set(found)]
}

function typesOf(document: Document, schema: Schema): string[] {
  const plain = plainSchema(document, schema)
  const inner = [
    ...Object.values(plain.properties ?? {}),
    ...(plain.oneOf ?? []),
    ...(plain.items ? [plain.items] : []),
  ]
  const own = plain['x-resource']
  return [...(own ? [own] : []), ...inner.flatMap((each) => typesOf(document, each))]
}

/** The state of a record that an operation changes. Others take a record in any state. */
const changes: Partial<Record<OperationId, string>> = {
  reopenAccount: 'Closed',
  unfreezeAccount: 'Frozen',
  unfreezeCard: 'Frozen',
  activateCard: 'Inactive',
  approveApplication: 'PendingReview',
  denyApplication: 'PendingReview',
  uploadDocumentFront: 'AwaitingDocuments',
  uploadDocumentBack: 'AwaitingDocuments',
}

/** A form filled with the example of the operation, with ids of this world and times near the present bank time. */
export function initialDrafts(document: Document, described: Described, world: World, now: string): Drafts {
  const draft = (name: string, schema: Schema, example: unknown, required: boolean) =>
    draftOf(
      document,
      schema,
      fitted({ document, world, now, state: changes[described.id] }, name, schema, example, required),
    )
  const byName = (parameters: Described['params']) =>
    Object.fromEntries(
      parameters.map(({ name, schema, example, required }) => [name, draft(name, schema, example, required)]),
    )
  const { body } = described
  return {
    params: byName(described.params),
    query: byName(described.query),
    body: body && draft('', body.schema, body.example, true),
  }
}

interface Place {
  document: Document
  world: World
  now: string
  /** The state of the records to choose, if there is one in it. */
  state: string | undefined
}

/** An example for the reader: ids, names and times that exist only in the documentation are replaced by those of the bank. */
function fitted(place: Place, name: string, schema: Schema, example: unknown, required: boolean): unknown {
  const plain = plainSchema(place.document, schema)
  const type = plain['x-resource']
  if (type !== undefined) {
    const choices = place.world[type] ?? []
    const fit = choices.find(({ state }) => state === place.state) ?? choices[0]
    return example === undefined && !required ? undefined : fit?.id
  }
  const { items } = plain
  if (items && Array.isArray(example)) return example.map((each) => fitted(place, name, items, each, true))
  const properties = propertiesOf(place.document, plain, example)
  if (properties && typeof example === 'object' && example !== null) {
    const given = example as Record<string, unknown>
    const members = Object.entries(given).map(
      ([each, value]) => [each, properties[each] ? fitted(place, each, properties[each], value, true) : value] as const,
    )
    return Object.fromEntries(members.filter(([, value]) => value !== undefined))
  }
  const value = example ?? (required ? (plain.examples?.[0] ?? plain.enum?.[0] ?? plain.default) : undefined)
  if (value === undefined) return undefined
  if (name === 'period') return monthBefore(place.now)
  if (name === 'date' || name === 'since' || name === 'until') {
    return required ? place.now.slice(0, 10) : undefined
  }
  return value
}

/** The members of an object; of a choice, those of all options. */
function propertiesOf(document: Document, schema: Schema, example: unknown): Record<string, Schema> | undefined {
  if (!schema.oneOf || typeof example !== 'object') return schema.properties
  return Object.assign({}, ...schema.oneOf.map((each) => plainSchema(document, each).properties))
}

/** The month before a time: `2026-05` for a day of June 2026. */
function monthBefore(iso: string): string {
  const first = new Date(`${iso.slice(0, 7)}-01T00:00:00Z`)
  first.setUTCDate(0)
  return first.toISOString().slice(0, 7)
}

/** The input that the form gives, or the first fault. */
export function inputOf(
  document: Document,
  { params, query, body }: Described,
  drafts: Drafts,
  json: string | undefined,
): SnippetInput | Error {
  const values = (parameters: Described['params'], own: Record<string, Draft>) =>
    Object.fromEntries(
      parameters.flatMap(({ name, schema, required }) => {
        const draft = own[name]
        const value = draft && readDraft(document, schema, draft, name, required)
        return value === undefined ? [] : [[name, value]]
      }),
    )
  try {
    const written = body && json !== undefined ? { kind: 'json' as const, text: json } : drafts.body
    return {
      ...(params.length > 0 && { params: values(params, drafts.params) }),
      ...(query.length > 0 && { query: values(query, drafts.query) }),
      ...(body && written && { body: readDraft(document, body.schema, written, '', true) }),
    }
  } catch (error) {
    return error as Error
  }
}
