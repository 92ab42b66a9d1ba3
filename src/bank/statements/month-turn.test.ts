import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { organisationNamed, setBankTime } from '../../../test/support/bank-time.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeAccount } from '../../../test/support/world.ts'
import { openRecordIds } from '../../database/record-ids.ts'
import type { DueRun } from '../time/due.ts'
import { monthTimerOf } from './month-turn.ts'

let bank: TestBank
let organisationId: number

beforeAll(async () => {
  bank = await openTestBank()
  organisationId = await organisationNamed(bank, 'first')
  await setBankTime(bank, organisationId, '2026-01-10T12:00:00Z')
  for (let account = 0; account < 5; account++) await makeAccount(bank)
})
afterAll(() => bank.close())

/** A run whose time is used up after the first chunk. */
function shortRun(made: string[]): DueRun {
  return { happened: ({ id }) => void made.push(id), putOff: () => undefined, isOver: () => true }
}

describe('the turn of a month', () => {
  test('goes on behind the chunk at which a run was over, and makes each statement once', async () => {
    await setBankTime(bank, organisationId, '2026-02-01T00:00:00Z')
    const timer = monthTimerOf({ database: bank.database, ids: openRecordIds(bank.database) }, 2)
    const runs: number[] = []
    const made: string[] = []
    for (
      let due = await timer(organisationId);
      due?.at === '2026-02-01T00:00:00.000Z';
      due = await timer(organisationId)
    ) {
      const before = made.length
      await due.run(shortRun(made))
      runs.push(made.length - before)
    }
    expect(runs).toEqual([2, 2, 1, 0])
    expect(new Set(made).size).toBe(5)
    expect((await timer(organisationId))?.at).toBe('2026-03-01T00:00:00.000Z')
  })

  test('never comes for the month in which bank time ends', async () => {
    await bank.database.query(`update organisation set statements_from = '9999-12-01' where id = $1`, [organisationId])
    const timer = monthTimerOf({ database: bank.database, ids: openRecordIds(bank.database) })
    expect(await timer(organisationId)).toBeUndefined()
    expect(await bank.monthTurns.nextMonthTurn(organisationId)).toEqual({ period: '9999-12', dueAt: undefined })
  })
})
