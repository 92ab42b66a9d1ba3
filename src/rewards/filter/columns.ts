import type { TObject } from 'typebox'
import { Timestamp } from '../../base/text.ts'

export type ColumnType = 'integer' | 'boolean' | 'timestamp' | 'string'

/** The columns that a list is filtered and ordered by. A Map, so that `constructor` is none of them. */
export type Columns = ReadonlyMap<string, ColumnType>

export interface Column {
  name: string
  type: ColumnType
}

export type Value = number | boolean | string

interface Property {
  type?: string
  pattern?: string
  anyOf?: Property[]
}

/** The columns of a list are the fields of its records. */
export function columnsOf(record: TObject): Columns {
  return new Map(Object.entries(record.properties).map(([name, property]) => [name, typeOf(property as Property)]))
}

function typeOf({ type, pattern, anyOf }: Property): ColumnType {
  // What may be null has a type beside it.
  if (anyOf) return typeOf(anyOf.find((branch) => branch.type !== 'null') ?? {})
  if (type === 'integer' || type === 'boolean') return type
  return pattern === (Timestamp as Property).pattern ? 'timestamp' : 'string'
}
