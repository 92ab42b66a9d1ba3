import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openClosers } from '../../src/base/closers.ts'
import { start } from '../../src/operator/organisations/move-command.ts'
import { configOf, startTwoCells, type TwoCells } from '../support/cells/two-cells.ts'
import { expectSoundLedger } from '../support/ledger.ts'
import { makeWorld } from '../support/world.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let cells: TwoCells
beforeAll(async () => {
  cells = await startTwoCells()
})
afterAll(() => cells?.stop())

/** Moves an organisation as the command does, in this process. */
async function move(name: string, to: string, reached?: Parameters<typeof start>[2]): Promise<{ pausedMs: number }> {
  const results: object[] = []
  const out = {
    json: true,
    result: (record: object) => void results.push(record),
    table: () => undefined,
    note: () => undefined,
  }
  await start({ config: () => configOf(cells), closers: openClosers(), out }, { name, to, reach: undefined }, reached)
  return results[0] as { pausedMs: number }
}

describe('an organisation that moves', () => {
  test('takes its records and keys along, and leaves those of others', async () => {
    const { home, east } = cells
    const key = await home.bank.makeKey('Acme', null)
    await makeWorld(home.bank, key)
    await makeWorld(home.bank)
    const before = await home.bank.call('GET', '/v0/banking/customers', { key })
    await move('Acme', 'east')
    expect((await east.bank.call('GET', '/v0/banking/customers', { key })).json).toEqual(before.json)
    expect((await home.bank.call('GET', '/v0/banking/customers', { key })).status).toBe(401)
    const created = await east.bank.call('POST', '/v0/sandbox/customers', { key, body: { name: 'After the move' } })
    expect(created.status).toBe(201)
    await expectSoundLedger(home)
    await expectSoundLedger(east)
  })
})
