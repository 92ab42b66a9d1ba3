import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Operation } from '../../src/base/operation.ts'

/** The faults of an answer's data under the operation's schema, where enumerations that may grow take any word. */
export function answerFaults({ data }: Operation, answered: unknown) {
  return Compile(withOpenWords(data)).Errors(answered)
}

/** A copy in which a word of an upstream passes that its enumeration does not list. */
function withOpenWords<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(withOpenWords) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).filter(([name]) => name !== 'enum' || !('x-extensible-enum' in schema))
  return Object.fromEntries(members.map(([name, value]) => [name, withOpenWords(value)])) as T & TSchema
}
