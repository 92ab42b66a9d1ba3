import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { withOpenWords } from '../../../base/text.ts'
import { IncompleteRecord, type Resource } from '../resource.ts'

/** Compiles a schema at its first use, so that a service without this connector starts no slower. */
export function compiledOnce<Schema extends TSchema>(schema: Schema) {
  let validator: ReturnType<typeof Compile<Schema>> | undefined
  return () => {
    validator ??= Compile(withOpenWords(schema))
    return validator
  }
}

/**
 * Makes the last step of a mapping: a record passes if it fits its schema in the OpenAPI document. The upstream allows more
 * than the interface in places, such as an account without a number.
 */
export function fitting<Schema extends TSchema>(schema: Schema) {
  const validator = compiledOnce(schema)
  return (record: Static<Schema>, { type }: Resource): Static<Schema> => {
    if (validator().Check(record)) return record
    const places = validator()
      .Errors(record)
      .map(({ instancePath }) => instancePath || '/')
    throw new IncompleteRecord(`a ${type} is not as the interface shows it at ${[...new Set(places)].join(', ')}`)
  }
}
