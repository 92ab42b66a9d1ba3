import { Type } from 'typebox'

/** The kinds of record that an id can name. The generated tests make one of each. */
export type ResourceName =
  | 'account'
  | 'accountHold'
  | 'achBatch'
  | 'achFile'
  | 'apiKey'
  | 'application'
  | 'authorization'
  | 'campaign'
  | 'campaignOffer'
  | 'card'
  | 'customer'
  | 'delivery'
  | 'document'
  | 'event'
  | 'externalAccount'
  | 'faultRule'
  | 'offerActivation'
  | 'partnerUser'
  | 'partnerUserCard'
  | 'payment'
  | 'proposal'
  | 'purchase'
  | 'receivedPayment'
  | 'record'
  | 'transaction'
  | 'request'
  | 'recurringPayment'
  | 'settlementItem'
  | 'statement'
  | 'reward'
  | 'webhookEndpoint'

/**
 * An id in a request. Any string is valid, because a malformed id behaves as an unknown one: 404. The annotation
 * `x-resource` names the kind of record, for the documentation and the generated tests.
 */
export function Id(resource: ResourceName, description = idText(resource)) {
  return Type.String({ description, 'x-resource': resource })
}

/** `apiKey` becomes `Id of the API key`. */
function idText(resource: ResourceName): string {
  return `Id of the ${resource
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace('api key', 'API key')
    .replace('ach ', 'ACH ')}`
}

/** An id in an answer. The built-in bank's have seven digits or more; those of an upstream are passed on. */
export function RecordId(description = 'Id of this record') {
  return Type.String({ description, pattern: '^[1-9][0-9]*$', examples: ['1000042'] })
}

/** The number of an id, or 0 for a malformed one: no record has the id 0. */
export function idNumber(id: string): number {
  if (!/^[1-9][0-9]{6,15}$/.test(id)) return 0
  const number = Number(id)
  return Number.isSafeInteger(number) ? number : 0
}

/** The number of an id in a query, or null if it is absent. */
export function optionalIdNumber(id: string | undefined): number | null {
  return id === undefined ? null : idNumber(id)
}

/** An id of the rewards tables in a body: any safe integer, because one that is out of range behaves as unknown. */
export function IntegerId(resource: ResourceName, description = idText(resource)) {
  return Type.Integer({
    maximum: Number.MAX_SAFE_INTEGER,
    description,
    'x-resource': resource,
  })
}

/** An id of the rewards tables in an answer. */
export function IntegerRecordId(description = 'Id of this record') {
  return Type.Integer({ description, minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [42] })
}

/** The number of an id of the rewards tables, from a path or a body, or 0 for a malformed one. */
export function integerIdNumber(id: string | number): number {
  const number = /^[1-9][0-9]{0,15}$/.test(String(id)) ? Number(id) : 0
  return Number.isSafeInteger(number) ? number : 0
}
