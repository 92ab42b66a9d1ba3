import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Operation } from '../../../src/base/operation.ts'
import { operations } from '../../../src/operations.ts'
import { openTestBank, type Reply, type TestBank } from '../../support/harness.ts'
import { expectSoundLedger, makePayer, pay } from '../../support/ledger.ts'
import { smallCatalogue } from '../../support/offers.ts'
import { neverSucceeding } from '../../support/schemas/every-operation.ts'
import { idsIn, members, notFound, withMember } from '../../support/schemas/members.ts'
import { type Sample, sampleRequest, schemaOf, urlOf } from '../../support/schemas/samples.ts'
import { makeWorld, type World } from '../../support/world.ts'

/** An organisation of one cell, and that of the other. Both have a record of every kind. */
interface Side {
  cell: string
  key: string
  world: World
}

let bank: TestBank
let east: Side
let home: Side

beforeAll(async () => {
  vi.stubEnv('TEST_CELLS', 'on')
  bank = await openTestBank({ catalogue: smallCatalogue() })
  east = { cell: 'east', key: bank.key, world: await makeWorld(bank) }
  home = { cell: 'home', key: bank.otherKey, world: await makeWorld(bank, bank.otherKey) }
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await bank.close()
})

const directions = (): [from: Side, to: Side][] => [
  [east, home],
  [home, east],
]

function send({ method, path }: Pick<Operation, 'method' | 'path'>, sample: Sample, key: string): Promise<Reply> {
  const { body } = sample
  return bank.call(method, urlOf(path, sample), { key, ...(body !== undefined && { body }) })
}

const idsInBody = ({ body }: Operation) => members(schemaOf(body)).filter(({ schema }) => schema['x-resource'])
const isList = ({ data }: Operation) => schemaOf(data).type === 'array'
/** Days are closed for a bank with one database. */
const isClosing = ({ problems }: Operation) => problems.includes('closing_unavailable')
const inPathOrBody = operations.filter(
  (each) => (idsIn(each.params).length > 0 || idsInBody(each).length > 0) && !isClosing(each),
)
const inFilter = operations.filter(({ query }) => idsIn(query).length > 0)
const lists = operations.filter(
  (each) => each.method === 'GET' && isList(each) && idsIn(each.params).length === 0 && !isClosing(each),
)

test('the organisations live in two cells', async () => {
  expect(Number(east.world.account)).toBeGreaterThan(10 ** 14)
  expect(Number(home.world.account)).toBeLessThan(10 ** 14)
  expect(inPathOrBody.length + inFilter.length + lists.length).toBeGreaterThan(100)
})

describe('no operation reaches a record of another cell', () => {
  test.each(inPathOrBody.map((operation) => [operation.id, operation] as const))('%s', async (_, operation) => {
    for (const [from, to] of directions()) {
      for (const [name, { 'x-resource': resource }] of idsIn(operation.params)) {
        for (const spelling of [operation, ...(operation.aliases ?? [])]) {
          const sample = sampleRequest(operation, from.world)
          sample.params[name] = to.world[resource]
          const { status, json } = await send(spelling, sample, from.key)
          expect([status, json.code], `${from.cell} ${name}`).toEqual([404, notFound(resource)])
        }
      }
      for (const { pointer, schema } of idsInBody(operation)) {
        const resource = schema['x-resource'] as keyof World
        const sample = sampleRequest(operation, from.world)
        const id = schema.type === 'integer' ? Number(to.world[resource]) : to.world[resource]
        const body = withMember(sample.body ?? {}, pointer, id) as Sample['body']
        if (!body) continue
        const { status, json } = await send(operation, { ...sample, body }, from.key)
        expect([status, json.code], `${from.cell} ${pointer}`).toEqual([404, notFound(resource as never)])
      }
    }
  })

  test.each(inFilter.map((operation) => [operation.id, operation] as const))(
    '%s, by a filter',
    async (_, operation) => {
      for (const [from, to] of directions()) {
        for (const [name, { 'x-resource': resource }] of idsIn(operation.query)) {
          const sample = sampleRequest(operation, from.world)
          const filtered = { ...sample, query: { ...sample.query, [name]: to.world[resource] } }
          const { status, json } = await send(operation, filtered, from.key)
          expect([status, json.data], `${from.cell} ${name}`).toEqual(isList(operation) ? [200, []] : [404, undefined])
        }
      }
    },
  )

  test.each(lists.map((operation) => [operation.id, operation] as const))('%s, in its list', async (_, operation) => {
    for (const [from, to] of directions()) {
      const { status, json } = await send(operation, sampleRequest(operation, from.world), from.key)
      expect(status, from.cell).toBe(200)
      // Some records have numbers of their organisation, which begin with 1 in both.
      const foreign = new Set(Object.values(to.world).filter((id) => id.length >= 7))
      const ids = json.data.flatMap((row: unknown) =>
        Object.values(Object(row)).filter((value) => foreign.has(String(value))),
      )
      expect(ids, from.cell).toEqual([])
    }
  })
})

test.each(operations.filter(isClosing).map((operation) => [operation.id, operation] as const))(
  '%s is for a bank with one database',
  async (_, operation) => {
    const { status, json } = await send(operation, sampleRequest(operation, home.world), home.key)
    expect([status, json.code]).toEqual([409, 'closing_unavailable'])
  },
)

describe('the further cell serves as the home cell does', () => {
  test('every operation, with generated requests', async () => {
    const sendEast = (operation: Operation, sample: Sample, options: { key?: string | null } = {}) =>
      send(operation, sample, options.key ?? east.key)
    // The last operations need many rounds; test/conformance/generated.test.ts waits for all of them on one cell.
    const left = await neverSucceeding(bank, sendEast, process.env.SOAK ? 40 : 2)
    expect(left.length, left.join(', ')).toBeLessThan(process.env.SOAK ? 1 : operations.length / 5)
    await expectSoundLedger(bank)
  })

  test('payments, their events and their replays', async () => {
    for (const [{ key, cell }] of directions()) {
      const call: TestBank['call'] = (method, path, options) => bank.call(method, path, { ...options, key })
      const own = { ...bank, call, database: bank.databaseOf(key) }
      const payer = await makePayer(own, 100_00)
      const options = { headers: { 'idempotency-key': `of-${cell}` } }
      const first = await pay(own, payer, { amount: 40_00 }, options)
      const again = await pay(own, payer, { amount: 40_00 }, options)
      expect([first.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, first.text, 'true'])
      expect((await pay(own, payer, { amount: 60_01 })).json.code).toBe('insufficient_funds')
      const head = (await call('GET', '/v0/audit-log/head')).json.data
      const { json } = await call('GET', `/v0/events?after=${head.sequence - 2}`)
      expect(json.data.map(({ type }: { type: string }) => type)).toEqual(['payment.created', 'transaction.created'])
      await expectSoundLedger(own)
    }
  })

  test('one idempotency key in both cells is two payments', async () => {
    const made = new Set<string>()
    for (const [{ key }] of directions()) {
      const headers = { 'idempotency-key': 'the-same-in-both' }
      const { status, json } = await bank.call('POST', '/v0/sandbox/scenarios', { key, body: {}, headers })
      expect(status).toBe(201)
      made.add(json.data.customerId)
    }
    expect(made.size).toBe(2)
  })
})
