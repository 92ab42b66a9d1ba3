import { afterAll, beforeAll, expect, test } from 'vitest'
import { collect, makeDebtor } from '../../test/support/bank/debits.ts'
import { ask, makeVirtualCard, settle } from '../../test/support/cards.ts'
import type { TestBank } from '../../test/support/harness.ts'
import { expectSoundLedger, makePayer, pay } from '../../test/support/ledger.ts'
import { advanceTo, openRailBank } from '../../test/support/rails/leaving.ts'
import { insertReward } from '../../test/support/rewards.ts'
import { makeAccount } from '../../test/support/world.ts'
import type { LedgerPosition } from './list-ledger-position.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openRailBank()
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

async function position(key = bank.key): Promise<Record<string, Omit<LedgerPosition, 'kind'>>> {
  const { status, json, text } = await bank.call('GET', '/v0/ledger/position', { key })
  expect(status, text).toBe(200)
  return Object.fromEntries(json.data.map(({ kind, ...rest }: LedgerPosition) => [kind, rest]))
}
const none = { amount: 0, count: 0, more: false, due: null }

test('has every kind without a record', async () => {
  expect(await position(bank.otherKey)).toEqual({ deposits: none, outgoing: none, purchases: none, cashBack: none })
})

test('counts accounts that are not closed with all deposits', async () => {
  const before = (await position()).deposits?.count ?? 0
  const closed = await makeAccount(bank)
  await makePayer(bank, 500_00)
  await bank.call('POST', `/v0/banking/accounts/${closed}/close`, { body: { reason: 'ByCustomer' } })
  expect((await position()).deposits).toEqual({ amount: 500_00, count: before + 1, more: false, due: null })
})

test('has payments to other banks from their request to their settlement, and no money that is collected', async () => {
  const payer = await makePayer(bank, 500_00)
  for (const amount of [20_00, 5_00]) await pay(bank, payer, { amount })
  const waiting = (await position()).outgoing
  expect(waiting).toMatchObject({ amount: 25_00, count: 2, more: false })
  await collect(bank, await makeDebtor(bank, { accountNumber: '123456789' }), { amount: 7_00 })
  expect((await position()).outgoing).toEqual(waiting)
  await advanceTo(bank, '2030-02-05T19:15:00Z')
  // They left with a file, and the batch settles when the payments said.
  expect((await position()).outgoing).toEqual(waiting)
  await advanceTo(bank, '2030-02-07T19:15:00Z')
  expect((await position()).outgoing).toEqual(none)
})

test('has what purchases still hold, until they expire', async () => {
  const { accountId } = await makePayer(bank, 500_00)
  const card = await makeVirtualCard(bank, accountId)
  const buy = (amount: number) =>
    ask(bank, 'POST', `/v0/sandbox/cards/${card.id}/authorizations`, { amount, merchant: { name: 'Sample Coffee' } })
  const first = await buy(30_00)
  await buy(4_00)
  await settle(bank, first.id, { amount: 10_00, final: false })
  const [held] = await bank.database.query<{ hold: number; expires: string }>(
    `select a.hold, (select min(expires_at) from card_authorization where account_id = a.id) as expires
     from account a where id = $1::bigint`,
    [accountId],
  )
  expect((await position()).purchases).toEqual({ amount: held?.hold, count: 2, more: false, due: held?.expires })
  await settle(bank, first.id)
  expect((await position()).purchases).toMatchObject({ amount: 4_00, count: 1 })
})

test('has the cash back that is earned and not paid out, with the first payout', async () => {
  for (const [state, day] of [
    ['PENDING', '2030-02-20'],
    ['PENDING', '2030-02-12'],
    ['PAID', '2030-02-01'],
    ['CLAWED_BACK', '2030-02-02'],
  ])
    await insertReward(bank, { state, payoutDueAt: `${day}T00:00:00.000Z` })
  expect((await position()).cashBack).toEqual({
    ...{ amount: 1_00, count: 2, more: false, due: '2030-02-12T00:00:00.000Z' },
  })
  await bank.database.query('update reward set state = $1', ['PAID'])
})
