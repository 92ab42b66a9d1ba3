import { Type } from 'typebox'

/** The kinds of record an id can name; the generated tests know one of each. */
export type ResourceName =
  | 'account'
  | 'application'
  | 'authorization'
  | 'card'
  | 'customer'
  | 'document'
  | 'externalAccount'
  | 'payment'
  | 'transaction'
  | 'recurringPayment'
  | 'statement'

/**
 * An id in a request: any string, because a malformed one behaves as an unknown one. The annotation tells the
 * documentation and the generated tests which record it names.
 */
export function Id(resource: ResourceName) {
  return Type.String({ description: `Id of a record: ${resource}`, 'x-resource': resource })
}

/** An id in an answer. */
export function RecordId() {
  return Type.String({ pattern: '^[1-9][0-9]{6,15}$', examples: ['1000042'] })
}

/** The number behind an id, or 0, which no record has. */
export function idNumber(id: string): number {
  if (!/^[1-9][0-9]{6,15}$/.test(id)) return 0
  const number = Number(id)
  return Number.isSafeInteger(number) ? number : 0
}

/** The same for an id that may be absent from a query. */
export function optionalIdNumber(id: string | undefined): number | null {
  return id === undefined ? null : idNumber(id)
}
