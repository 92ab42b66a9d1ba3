import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestBank, type Reply, type TestBank } from '../../support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  holdAccount,
  locksAwaited,
  makePayer,
  type Payer,
  pay,
} from '../../support/ledger.ts'
import { type DatabaseProxy, openProxy } from '../../support/proxy.ts'
import { until } from '../../support/service.ts'

let bank: TestBank
afterEach(() => bank.close())

describe('a lane whose server falls silent', () => {
  let proxy: DatabaseProxy
  let ada: Payer

  beforeEach(async () => {
    // The lane connects at its first command; by then the proxy has an address.
    const address: pg.ClientConfig = {}
    bank = await openTestBank({ impatient: true, lane: { servers: [address] } })
    proxy = await openProxy(bank.server)
    Object.assign(address, proxy.server)
    ada = await makePayer(bank, 10_000_00)
  })
  afterEach(() => proxy.close())

  const send = (key: string) => pay(bank, ada, { amount: 1 }, { headers: { 'idempotency-key': key } })

  test('answers every payment, and goes on by itself when a server accepts connections again', async () => {
    const keys = Array.from({ length: 200 }, (_, index) => `silent-${index}`)
    const replies: Promise<Reply>[] = []
    for (const [index, key] of keys.entries()) {
      replies.push(send(key))
      // Ten more are sent when one of the last ten is answered, until the server falls silent while some are under way.
      if (index < 100 && index % 10 === 9) await Promise.race(replies.slice(-10))
      if (index === 105) proxy.swallow()
    }
    const answered = await Promise.all(replies)
    expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([201, 503]))

    proxy.accept()
    // A repeated request has its effect once, whatever became of it before.
    const success = async (key: string) => {
      const reply = await send(key)
      return reply.status === 201 && reply
    }
    const repeated = await Promise.all(keys.map((key) => until('a payment', () => success(key))))
    for (const [index, reply] of answered.entries()) {
      if (reply.status === 201) expect(repeated[index]?.text).toBe(reply.text)
    }
    expect((await accountOf(bank, ada.accountId)).balance).toBe(10_000_00 - 200)
    await expectSoundLedger(bank)
  })
})

describe('a command that no batch takes', () => {
  test('is answered 503 after the longest wait in the queue, and has no effect', async () => {
    const patient = { lockMs: 60_000, statementMs: 90_000, idleMs: 60_000 }
    bank = await openTestBank({ lane: { batches: 1, timeouts: patient, queueMs: 300 } })
    const [held, ada] = [await makePayer(bank, 1_00), await makePayer(bank, 1_00)]
    const release = await holdAccount(bank, held.accountId)
    const running = pay(bank, held, { amount: 1 })
    await locksAwaited(bank)
    const { status, json, headers } = await pay(bank, ada, { amount: 1 })
    expect([status, json.code, headers['retry-after']]).toEqual([503, 'unavailable', '1'])
    await release()
    expect((await running).status).toBe(201)
    expect((await accountOf(bank, ada.accountId)).balance).toBe(1_00)
    expect((await pay(bank, ada, { amount: 1 })).status).toBe(201)
    await expectSoundLedger(bank)
  })
})
