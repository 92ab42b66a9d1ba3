import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makePayer, type Payer, pay } from '../../../test/support/ledger.ts'

// The bytes that a payment sends to the database are counted on the way to the driver's connections. Others may send something
// meanwhile, so the smallest of many payments counts. The numbers are those of the version before debits: a payment that sends money pays nothing for them.

/** The bytes of a null column: recurring payments have added one. */
const RECURRING = 30

/** The length of the statement's name in a message that binds it. A process numbers its statements, so names get longer in one that knows many. */
function nameLength(buffer: Buffer): number {
  if (buffer[0] !== 0x42) return 0
  const portalEnd = buffer.indexOf(0, 5)
  return buffer.indexOf(0, portalEnd + 1) - portalEnd - 1
}

interface Sent {
  statements: number
  bytes: number
}

const sent: Sent = { statements: 0, bytes: 0 }
const driver = pg.Connection.prototype as unknown as { _send(buffer: Buffer): unknown }
const send = driver._send

let bank: TestBank
let payer: Payer
beforeAll(async () => {
  bank = await openTestBank()
  payer = await makePayer(bank, 10_000_00)
  driver._send = function (this: unknown, buffer: Buffer) {
    // Execute, or a simple query.
    if (buffer[0] === 0x45 || buffer[0] === 0x51) sent.statements++
    sent.bytes += buffer.length - nameLength(buffer)
    return send.call(this, buffer)
  }
})
afterAll(async () => {
  driver._send = send
  await bank.close()
})

test('a payment that sends money costs as many statements and bytes as before there were debits', async () => {
  let least: Sent = { statements: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }
  for (let made = 0; made < 60; made++) {
    const before = { ...sent }
    const { status } = await pay(bank, payer, { amount: 1_00 })
    expect(status).toBe(201)
    const own = { statements: sent.statements - before.statements, bytes: sent.bytes - before.bytes }
    least = { statements: Math.min(least.statements, own.statements), bytes: Math.min(least.bytes, own.bytes) }
  }
  expect(least.statements).toBe(7)
  expect(least.bytes).toBeLessThanOrEqual(2_846 + RECURRING)
})
