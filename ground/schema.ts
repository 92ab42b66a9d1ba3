/** A JSON schema, as far as the description of the API uses it. */
export interface Schema {
  $ref?: string
  type?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: boolean | Schema
  examples?: unknown[]
  default?: unknown
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
  contentEncoding?: string
  contentMediaType?: string
  discriminator?: { propertyName: string }
  /** The type of record that the text is the id of. */
  'x-resource'?: string
  'x-extensible-enum'?: boolean
}

/** The `components` of an OpenAPI document by kind and name, which each `$ref` names. */
export type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The part that a reference leads to; any other part as it is. */
export function resolved<Part extends object>(part: Part & { $ref?: string }, components: Components): Part {
  const { $ref } = part
  if ($ref === undefined) return part
  const [, , kind = '', name = ''] = $ref.split('/')
  return resolved((components[kind]?.[name] ?? {}) as Part, components)
}

/** The name of the schema that a reference leads to. */
export function schemaName({ $ref }: Schema): string | undefined {
  return $ref?.slice($ref.lastIndexOf('/') + 1)
}

/** The values that a schema lists. */
export function listedValues(schema: Schema): unknown[] {
  return schema.enum ?? (schema.const === undefined ? [] : [schema.const])
}
