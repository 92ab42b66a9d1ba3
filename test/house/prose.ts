type JsonObject = Record<string, unknown>

/** The words that descriptions may name in backticks. */
export interface KnownWords {
  eventTypes: readonly string[]
  codes: readonly string[]
}

const MIN_OPERATION_LENGTH = 60
/** The generator adds the scopes to each description; they alone explain nothing. */
const SCOPES = /\n*(Scopes?: [^\n]*|Every key may call this\.)$/

/**
 * The parts of an OpenAPI document without a description, and the descriptions that name an event or a code that does not
 * exist, or a code that the operation does not answer with.
 */
export function proseFaults(document: JsonObject, known: KnownWords): string[] {
  const { schemas = {} } = (document.components ?? {}) as { schemas?: Record<string, JsonObject> }
  return [
    ...Object.values((document.paths ?? {}) as Record<string, JsonObject>)
      .flatMap((path) => Object.values(path) as JsonObject[])
      .flatMap((operation) => [...operationFaults(operation, document), ...foreignCodes(operation, document, known)]),
    ...Object.entries(schemas).flatMap(([name, schema]) => [
      ...(schema.description ? [] : [`${name} has no description`]),
      ...memberFaults(schema, name, schemas),
    ]),
    ...unknownWords(document, known),
  ]
}

function operationFaults({ operationId, description, parameters }: JsonObject, document: JsonObject): string[] {
  const text = String(description ?? '').replace(SCOPES, '')
  const { parameters: shared = {} } = (document.components ?? {}) as { parameters?: Record<string, JsonObject> }
  const silent = ((parameters ?? []) as JsonObject[])
    .map((parameter) => shared[String(parameter.$ref).split('/').at(-1) ?? ''] ?? parameter)
    .filter((parameter) => !parameter.description)
  return [
    ...(text.length < MIN_OPERATION_LENGTH ? [`${operationId} is described in ${text.length} characters`] : []),
    ...silent.map(({ name }) => `the parameter ${name} of ${operationId} has no description`),
  ]
}

/** The codes in the description of an operation that none of its responses has an example of. */
function foreignCodes(operation: JsonObject, document: JsonObject, { codes }: KnownWords): string[] {
  const { responses: shared = {} } = (document.components ?? {}) as { responses?: Record<string, unknown> }
  const responses = Object.values((operation.responses ?? {}) as Record<string, { $ref?: string }>)
  const text = JSON.stringify(responses.map((response) => shared[nameIn(response.$ref ?? '')] ?? response))
  return [...String(operation.description).matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)]
    .map(([, word = '']) => word)
    .filter((word) => codes.includes(word) && !text.includes(`#/components/examples/${word}"`))
    .map((word) => `${operation.operationId} does not answer \`${word}\``)
}

function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

/** The members without a description of their own or of the schema that they refer to. */
function memberFaults(schema: JsonObject, place: string, schemas: Record<string, JsonObject>): string[] {
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>)
  const parts = [
    schema.items,
    schema.additionalProperties,
    ...['anyOf', 'oneOf', 'allOf'].flatMap((word) => schema[word]),
  ]
  return [
    ...members.flatMap(([name, member]) => [
      ...(descriptionOf(member, schemas) ? [] : [`${place}.${name} has no description`]),
      ...memberFaults(member, `${place}.${name}`, schemas),
    ]),
    ...parts
      .filter((part): part is JsonObject => typeof part === 'object' && part !== null)
      .flatMap((part) => memberFaults(part, place, schemas)),
  ]
}

function descriptionOf({ description, $ref }: JsonObject, schemas: Record<string, JsonObject>): unknown {
  return description ?? (typeof $ref === 'string' && schemas[nameIn($ref)]?.description)
}

/** The events and codes in backticks that do not exist. A path of members, such as `denial.unwritten`, is no event. */
function unknownWords(document: JsonObject, { eventTypes, codes }: KnownWords): string[] {
  const records = new Set(eventTypes.map((type) => type.slice(0, type.indexOf('.'))))
  return descriptionsIn(document).flatMap((text) =>
    [...text.matchAll(/`([a-zA-Z_.]+)`/g)]
      .map(([, word = '']) => word)
      .filter((word) => {
        if (/^[a-z]+(_[a-z]+)+$/.test(word)) return !codes.includes(word)
        const [record = '', change] = word.split('.')
        return change !== undefined && records.has(record) && !eventTypes.includes(word)
      })
      .map((word) => `\`${word}\` does not exist: ${text.slice(0, 60)}`),
  )
}

function descriptionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) =>
    name === 'description' && typeof part === 'string' ? [part] : descriptionsIn(part),
  )
}
