import { expect } from 'vitest'
import type { Operation } from '../../../src/base/operation.ts'
import { operations } from '../../../src/operations.ts'
import type { CallOptions, Reply, TestBank } from '../harness.ts'
import { makeSandboxOrganisation } from '../organisations.ts'
import { makeWorld } from '../world.ts'
import { exceptions } from './exceptions.ts'
import { type Sample, sampleRequest } from './samples.ts'

type Send = (operation: Operation, sample: Sample, options?: CallOptions) => Promise<Reply>

/** Sends generated requests until every operation has succeeded, and returns those that never did, with their refusals. */
export async function neverSucceeding(bank: TestBank, send: Send, rounds = 40): Promise<string[]> {
  const waiting = new Set(operations.filter(({ id }) => !exceptions.needMore.includes(id)))
  const last = new Map<string, string>()
  // Moves need one another (unfreeze needs freeze), so that each round takes them in another order.
  for (let round = 0; round < rounds && waiting.size > 0; round++) {
    const world = await makeWorld(bank)
    const [deletions, others] = [true, false].map((isDelete) =>
      operations.filter(({ method }) => (method === 'DELETE') === isDelete),
    ) as [Operation[], Operation[]]
    // Several operations decide about one application: in every other round those that have not succeeded yet go first.
    const isWaiting = (each: Operation) => round % 2 === 1 && waiting.has(each)
    const order = shuffled(others, round).sort((one, other) => Number(isWaiting(other)) - Number(isWaiting(one)))
    // A read that has succeeded helps no other operation.
    const isOfUse = (each: Operation) => each.method !== 'GET' || waiting.has(each)
    for (const operation of [...order, ...deletions].filter(isOfUse)) {
      const own = exceptions.endOrganisation.includes(operation.id) && {
        key: (await makeSandboxOrganisation(bank)).key,
      }
      const { status, json } = await send(operation, sampleRequest(operation, world), own || {})
      expect([200, 201, 204, 409, 422], `${operation.id}: ${JSON.stringify(json)}`).toContain(status)
      if (status < 300) {
        expect(status, operation.id).toBe(operation.status)
        waiting.delete(operation)
      } else last.set(operation.id, json.code)
    }
  }
  return [...waiting].map(({ id }) => `${id}: ${last.get(id)}`)
}

/** The same order for the same round, on every run. */
function shuffled<T>(items: T[], round: number): T[] {
  let state = round * 2_654_435_761 + 1
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state
  }
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}
