import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openUnitBanking } from '../../test/support/banking-providers.ts'
import { openTestBank, type Reply, type TestBank } from '../../test/support/harness.ts'
import { expectSoundLedger, holdAccount, makePayer, type Payer, pay } from '../../test/support/ledger.ts'

let bank: TestBank
let ada: Payer
beforeAll(async () => {
  bank = await openTestBank()
  ada = await makePayer(bank, 1_000_00)
  expect((await bank.call('POST', '/v0/sandbox/scenarios')).status).toBe(201)
})
afterAll(() => bank.close())

const run = (headers: Record<string, string> = {}, key = bank.key): Promise<Reply> =>
  bank.call('POST', '/v0/ledger/verification', { key, headers })

describe('run ledger verification', () => {
  test('answers that every law holds', async () => {
    await expectSoundLedger(bank)
    const { status, json } = await run()
    expect(status).toBe(200)
    const { checkedAt, durationMs, laws, ...rest } = json.data
    expect(rest).toEqual({ status: 'Holds' })
    expect(checkedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(durationMs).toBeGreaterThanOrEqual(0)
    expect(laws.length).toBeGreaterThan(10)
    for (const law of laws) expect(law).toEqual({ law: expect.any(String), holds: true, rows: [], more: false })
  })

  test('answers the rows that break a law, to their own organisation alone', async () => {
    await bank.database.query('update account set hold = hold + 5 where id = $1', [ada.accountId])
    const { json } = await run()
    expect(json.data.status).toBe('Broken')
    expect(json.data.laws.filter(({ holds }: { holds: boolean }) => !holds)).toEqual([
      {
        law: 'an account holds what its open authorizations and its active holds hold',
        holds: false,
        rows: [{ id: Number(ada.accountId), hold: 5, held: 0 }],
        more: false,
      },
    ])
    const other = await run({}, bank.otherKey)
    expect(other.json.data.status).toBe('Holds')
    expect(other.text).not.toContain(ada.accountId)
    await bank.database.query('update account set hold = hold - 5 where id = $1', [ada.accountId])
  })

  test('answers the events that are not as the chain of hashes says', async () => {
    const [page] = await bank.database.query<{ last: number; count: number; at: string }>(
      `select p.last, p.count, p.created_at as at from event_page p join account a using (organisation_id)
       where a.id = $1 order by p.last desc limit 1`,
      [ada.accountId],
    )
    const { last = 0, count = 0, at = '' } = page ?? {}
    const date = async (time: string) => {
      await bank.database.query('alter table event_page disable trigger user')
      await bank.database.query('update event_page set created_at = $1::timestamptz where last = $2::bigint', [
        time,
        last,
      ])
      await bank.database.query('alter table event_page enable trigger user')
    }
    await date('2020-01-01T00:00:00.000Z')
    const { json } = await run()
    expect(json.data.laws.filter(({ holds }: { holds: boolean }) => !holds)).toEqual([
      {
        law: 'every event is in the chain of hashes, which is unbroken',
        holds: false,
        rows: [{ first: last - count + 1, last, reason: expect.stringMatching(/changed/) }],
        more: false,
      },
    ])
    await date(at)
    expect((await run()).json.data.status).toBe('Holds')
  })

  test('answers a repeated idempotency key as before, without another check', async () => {
    const first = await run({ 'idempotency-key': 'check-1' })
    const again = await run({ 'idempotency-key': 'check-1' })
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true'])
    const [row] = await bank.database.query<{ at: string }>(
      'select checked_at as at from ledger_verification where organisation_id = (select organisation_id from account where id = $1)',
      [ada.accountId],
    )
    expect(row?.at).toBe(first.json.data.checkedAt)
  })

  test('runs once for requests that come together, and payments go on meanwhile', async () => {
    const release = await holdAccount(bank, ada.accountId)
    const grace = await makePayer(bank, 100_00)
    const together = [...Array(15)].map((_, index) =>
      run(index % 2 === 0 ? {} : { 'idempotency-key': `together-${index}` }),
    )
    const others = [...Array(3)].map(() => run({}, bank.otherKey))
    const paid = await pay(bank, grace, { amount: 1_00 })
    expect(paid.status).toBe(201)
    const replies = await Promise.all(together)
    expect(replies.map(({ status }) => status)).toEqual(Array(15).fill(200))
    // The keys are looked up first, so that some may have come after the first check had ended.
    expect(new Set(replies.map(({ json }) => json.data.checkedAt)).size).toBeLessThanOrEqual(2)
    for (const { status } of await Promise.all(others)) expect(status).toBe(200)
    await release()
  })

  test('refuses members and parameters, which it has none of', async () => {
    const body = await bank.call('POST', '/v0/ledger/verification', { body: { law: 'all' } })
    expect([body.status, body.json.errors[0].pointer]).toEqual([400, '/law'])
  })
})

describe('the operations on the ledger, with a connector', () => {
  test('answer 501 and are not described', async () => {
    const unit = await openUnitBanking()
    for (const path of ['accounts', 'transfers', 'flows', 'balances', 'verification']) {
      const { status, json } = await unit.bank.call('GET', `/v0/ledger/${path}`)
      expect([status, json.code], path).toEqual([501, 'not_supported_by_provider'])
    }
    const post = await unit.bank.call('POST', '/v0/ledger/verification')
    expect([post.status, post.json.code]).toEqual([501, 'not_supported_by_provider'])
    const { json } = await unit.bank.call('GET', '/openapi.json')
    expect(Object.keys(json.paths).filter((path) => path.startsWith('/v0/ledger'))).toEqual([])
    await unit.close()
  })
})
