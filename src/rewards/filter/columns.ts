import type { TObject } from 'typebox'
import { Timestamp } from '../../base/text.ts'

export type ColumnType = 'integer' | 'boolean' | 'timestamp' | 'string'

/** The columns that a list can be filtered and ordered by. A Map, because `constructor` must not count as a column. */
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

/** The columns of a list: the fields of its records. */
export function columnsOf(record: TObject): Columns {
  return new Map(Object.entries(record.properties).map(([name, property]) => [name, typeOf(property as Property)]))
}

function typeOf({ type, pattern, anyOf }: Property): ColumnType {
  // A nullable field is a union of null and its type.
  if (anyOf) return typeOf(anyOf.find((branch) => branch.type !== 'null') ?? {})
  if (type === 'integer' || type === 'boolean') return type
  return pattern === (Timestamp as Property).pattern ? 'timestamp' : 'string'
}
