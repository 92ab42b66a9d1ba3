import { Type } from 'typebox'

/** The kinds of record an id can name; the generated tests know one of each. */
export type ResourceName =
  | 'account'
  | 'apiKey'
  | 'application'
  | 'authorization'
  | 'card'
  | 'customer'
  | 'document'
  | 'event'
  | 'externalAccount'
  | 'partnerUser'
  | 'partnerUserCard'
  | 'payment'
  | 'purchase'
  | 'transaction'
  | 'recurringPayment'
  | 'statement'
  | 'reward'
  | 'webhookEndpoint'

/**
 * An id in a request: any string, because a malformed one behaves as an unknown one. The annotation tells the
 * documentation and the generated tests which record it names.
 */
export function Id(resource: ResourceName) {
  return Type.String({ description: `Id of a record: ${resource}`, 'x-resource': resource })
}

/** An id in an answer. Ours have seven digits and more; an upstream's pass through. */
export function RecordId() {
  return Type.String({ pattern: '^[1-9][0-9]*$', examples: ['1000042'] })
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

/** An id of the rewards tables in a body. What is out of range behaves as unknown, as far as a number can say it. */
export function IntegerId(resource: ResourceName) {
  return Type.Integer({
    maximum: Number.MAX_SAFE_INTEGER,
    description: `Id of a record: ${resource}`,
    'x-resource': resource,
  })
}

/** An id of the rewards tables in an answer. */
export function IntegerRecordId() {
  return Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [42] })
}

/** The number behind an id of the rewards tables, from a path or a body, or 0, which no record has. */
export function integerIdNumber(id: string | number): number {
  const number = /^[1-9][0-9]{0,15}$/.test(String(id)) ? Number(id) : 0
  return Number.isSafeInteger(number) ? number : 0
}
