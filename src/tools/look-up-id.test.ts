import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makeWorld, type World } from '../../test/support/world.ts'
import { recordTypeNames } from './record-types.ts'

let bank: TestBank
let world: World

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  world = await makeWorld(bank)
})
afterAll(() => bank.close())

const lookUp = async (id: string, key = bank.key) => {
  const { status, json, text } = await bank.call('GET', `/v0/lookup?id=${id}`, { key })
  expect(status, text).toBe(200)
  return json.data as { type: string; id: string }[]
}

describe('look up id', () => {
  test('finds the record of every type by its id, as lookUpRecord shows it', async () => {
    for (const type of recordTypeNames) {
      const id = world[type as keyof World]
      if (id === undefined) continue
      const found = (await lookUp(id)).filter((candidate) => candidate.type === type)
      const { json } = await bank.call('GET', `/v0/lookup/${type}/${id}`)
      expect(found, type).toEqual([json.data])
    }
  })

  test('finds every type that has the id', async () => {
    const types = (await lookUp('1')).map(({ type }) => type)
    expect(types).toEqual(['partnerUser', 'partnerUserCard', 'reward', 'rewardableTransaction', 'rewardPayment'])
  })

  test('finds only types that the key may read, and nothing of another organisation', async () => {
    const reader = await bank.makeKey('first', ['banking:read'])
    expect(await lookUp('1', reader)).toEqual([])
    expect(await lookUp(world.account, reader)).toHaveLength(1)
    const rewards = await bank.makeKey('first', ['rewards:read'])
    expect(await lookUp(world.account, rewards)).toEqual([])
    for (const id of Object.values(world)) expect(await lookUp(id, bank.otherKey), id).toEqual([])
  })
})
