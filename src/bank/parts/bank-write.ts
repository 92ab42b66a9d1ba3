import { emptyAnswer, randomKey, type Write } from '../../base/operation.ts'

/** A write that the bank makes by itself, such as an expiry. Its random key lets a lost COMMIT be settled. */
export function bankWrite<Data = void>(organisationId: number): Write<Data> {
  return {
    caller: { organisationId, keyId: 0 },
    requestId: null,
    key: randomKey(),
    render: () => emptyAnswer,
  }
}
