import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { expectSoundLedger } from '../../test/support/ledger.ts'
import { signIn } from '../../test/support/people/sign-in.ts'
import { type BankDay, baiFile } from '../../test/support/rails/statements.ts'
import { certify, readDay } from '../bank/closing/banking-days.ts'
import { checkCertificate, checkChain } from '../bank/closing/certificate.ts'
import { closingOf } from '../bank/closing/closing.ts'
import type { ReadLedgers } from '../bank/closing/reconcile.ts'
import { operations } from '../operations.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

const friday = '2024-06-14'
const file: BankDay = {
  asOf: friday,
  opening: 100_00,
  lines: [
    { amount: -15_00, code: '698', text: 'FEES' },
    { amount: 7_77, code: '721', text: 'LOAN' },
  ],
  // A line without a direction is in no balance that a reader could prove.
  closing: 85_00,
}
const get = (path: string, key = bank.key) => bank.call('GET', `/v0/closing/${path}`, { key })
const post = (path: string, body?: unknown, headers: Record<string, string> = {}, key = bank.key) =>
  bank.call('POST', `/v0/closing/${path}`, { key, headers, ...(body !== undefined && { body }) })
const take = (day: BankDay, more: Record<string, unknown> = {}, key = bank.key) =>
  post('statements', { name: 'day.bai', file: Buffer.from(baiFile(day)).toString('base64'), ...more }, {}, key)
// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
const items = async (query = ''): Promise<any[]> => (await get(`items${query}`)).json.data
const itemOf = async (text: string) => {
  const found = (await items()).find(({ description }) => description.includes(text))
  if (!found) throw new Error(`there is no open item with ${text}`)
  return found
}
const decide = (id: string, body: unknown, headers?: Record<string, string>) =>
  post(`items/${id}/decide`, body, headers)
const problem = ({ status, json }: { status: number; json: { code: string; detail: string } }) => [
  status,
  json.code,
  json.detail,
]
const reason = 'The bank was asked'

test('These tests cover the whole area', () => {
  const covered = ['listClosingDays', 'getClosingDay', 'closeDay', 'reopenDay', 'listSettlementItems']
  covered.push('decideSettlementItem', 'listBankStatements', 'takeBankStatement')
  expect(
    operations
      .filter(({ area }) => area === 'closing')
      .map(({ id }) => id)
      .sort(),
  ).toEqual(covered.sort())
})

describe('The closing of days over HTTP', () => {
  test('takes a statement once, and answers why it refuses one', async () => {
    expect((await get('days?month=2024-06')).json.data).toEqual([])
    expect((await get(`days/${friday}`)).json.data).toMatchObject({
      ...{ state: 'open', certificates: [] },
      reasons: [`no final statement of ${friday} was taken`],
    })
    const noFile = await post('statements', { name: 'a', file: '' })
    expect([noFile.status, noFile.json.errors[0].pointer]).toEqual([400, '/file'])
    const odd = await post('statements', { name: 'a', file: Buffer.from('?').toString('base64') })
    expect([odd.status, odd.json.data]).toEqual([
      201,
      { state: 'refused', detail: expect.stringMatching(/^format: /), statements: [] },
    ])
    const wrong = await take({ ...file, lines: file.lines.slice(0, 1), closing: 1 })
    expect(wrong.json.data).toMatchObject({ state: 'refused', detail: expect.stringMatching(/^balances: .*cents/) })
    const [first, ...more] = await Promise.all([take(file), take(file), take(file)])
    expect([first, ...more].map(({ status }) => status)).toEqual([201, 201, 201])
    expect([first, ...more].map(({ json }) => json.data.state).sort()).toEqual([
      'already taken',
      'already taken',
      'taken',
    ])
    const taken = [first, ...more].find(({ json }) => json.data.state === 'taken')
    expect(taken?.json.data).toEqual({
      state: 'taken',
      detail: '1 statement of the account',
      statements: [{ asOf: friday, entries: 2, flags: ['type_code_unknown'], effect: 'taken' }],
    })
    expect((await take({ ...file, fileId: '2', closing: 185_00, opening: 200_00 })).json.data).toMatchObject({
      state: 'refused',
      detail: expect.stringMatching(/other content was taken/),
    })
    const replaced = await take({ ...file, fileId: '3', opening: 200_00, closing: 185_00 }, { replace: reason })
    expect(replaced.json.data.statements).toMatchObject([{ effect: 'replaced' }])
    expect((await take(file, { replace: reason })).json.data.state).toBe('already taken')
    await take({ ...file, fileId: '4' }, { replace: reason })
    const listed = await get('statements?limit=1')
    expect(listed.json.data).toEqual([
      {
        ...{ file: 'day.bai', state: 'taken', detail: '1 statement of the account', takenAt: expect.any(String) },
        ...{ asOf: friday, page: 1, opening: 100_00, closing: 85_00, entries: 2, flags: ['type_code_unknown'] },
        standing: 'current',
      },
    ])
    expect(listed.headers.link).toContain('offset=1')
  })

  test('lists items with their age, and refuses decisions that do not fit them', async () => {
    const fee = await itemOf('FEES')
    expect(fee).toEqual({
      ...{ id: expect.stringMatching(/^\d+$/), side: 'statement', day: friday, ageDays: expect.any(Number) },
      ...{ amount: -15_00, description: '698 B1 FEES', hint: 'a fee of the bank: book it', owner: null, note: null },
      ...{ match: null, reason: null },
    })
    expect(fee.ageDays).toBeGreaterThan(300)
    const held = await itemOf('held at the bank')
    const loan = await itemOf('LOAN')
    expect(loan).toMatchObject({ amount: null, hint: 'the type code does not say whether money came or left' })
    expect(problem(await decide(fee.id, { decision: 'split', amounts: [-1, -2], reason }))).toEqual([
      ...[409, 'settlement_sums_differ', `the parts make -3 cents, and item ${fee.id} has -1500 cents`],
    ])
    expect(problem(await decide(fee.id, { decision: 'match', with: [held.id], reason }))).toEqual([
      ...[409, 'settlement_sums_differ', `the items differ by 8500 cents: lines 8500 cents, movements 0 cents`],
    ])
    expect(problem(await decide(fee.id, { decision: 'match', with: ['999999999'], reason }))).toEqual([
      ...[404, 'settlement_item_not_found', 'There is no settlement item 999999999 that counts.'],
    ])
    for (const [id, body, detail] of [
      [fee.id, { decision: 'unmatch' }, /is in no match/],
      [fee.id, { decision: 'direct', direction: 'credit' }, /has a direction/],
      [loan.id, { decision: 'book', to: 'fees' }, /has no direction yet/],
    ] as const) {
      const [status, code, said] = problem(await decide(id, { ...body, reason }))
      expect([status, code, said]).toEqual([409, 'settlement_item_wrong_state', expect.stringMatching(detail)])
    }
    for (const body of [{ decision: 'book', to: 'fees' }, { decision: 'book', to: 'gifts', reason }, { reason }]) {
      expect((await decide(fee.id, body)).status).toBe(400)
    }
  })

  test('needs attention while days are not closed and items have no owner, for keys of the operator that may close', async () => {
    const found = async (key = bank.key) => {
      const { json } = await bank.call('GET', '/v0/attention', { key })
      return json.data.filter(({ kind }: { kind: string }) => kind === 'openDays' || kind === 'openItems')
    }
    const [days, open, ...more] = await found()
    expect(days).toMatchObject({
      ...{ kind: 'openDays', level: 'soon', amount: null, since: '2024-06-14T04:00:00.000Z', command: null },
      ...{
        count: expect.any(Number),
        words: expect.stringMatching(/^[\d,]+ banking days are over and are not closed$/),
      },
      operation: { id: 'listClosingDays', path: '/v0/closing/days?month=2024-06', input: { month: '2024-06' } },
    })
    expect(days.count).toBeGreaterThan(100)
    expect(open).toMatchObject({
      ...{ kind: 'openItems', level: 'soon', count: 3, amount: 122_77, since: '2024-06-14T04:00:00.000Z' },
      words: '3 items of the settlement account have no match and no owner, $122.77 in all',
      ...{ operation: { id: 'listSettlementItems', path: '/v0/closing/items', input: {} }, records: [] },
    })
    expect(more).toEqual([])
    expect([await found(bank.otherKey), await found(await bank.makeKey('first', ['banking:read']))]).toEqual([[], []])
    await decide((await itemOf('LOAN')).id, { decision: 'note', owner: 'Ada', reason })
    expect((await found())[1]).toMatchObject({ count: 2, amount: 115_00 })
  })

  test('names the missing cents, books an item once, and closes the day once', async () => {
    expect((await get('days?month=2024-06')).json.data[0]).toEqual({
      ...{ day: friday, state: 'open', hasStatement: true, version: null, openItems: 3, missing: 85_00 },
    })
    const open = problem(await post(`days/${friday}/close`))
    expect(open).toEqual([409, 'closing_day_open', expect.stringMatching(/-1500 cents, 698 B1 FEES \(a fee/)])
    const loan = await itemOf('LOAN')
    expect((await decide(loan.id, { decision: 'direct', direction: 'debit', reason })).status).toBe(204)
    expect(await itemOf('LOAN')).toMatchObject({ amount: -7_77 })
    // The line has a direction now, so that the closing balance is short of it.
    expect(problem(await post(`days/${friday}/close`))[2]).toMatch(/differs from its entries by -777 cents/)
    await take({ ...file, fileId: '5', lines: file.lines.slice(0, 1) }, { replace: 'Without the loan' })

    const held = await itemOf('held')
    const book = { decision: 'book', to: 'funding', reason: 'Reserve of the program' }
    const headers = { 'idempotency-key': 'book-the-reserve' }
    const booked = await Promise.all([decide(held.id, book, headers), decide(held.id, book), decide(held.id, book)])
    expect(booked.map(({ status }) => status).sort()).toEqual([204, 409, 409])
    if (booked[0]?.status === 204) expect((await decide(held.id, book, headers)).status).toBe(204)
    const [{ count }] = (await bank.database.query(
      `select count(*)::int as count from transfer where source_kind = 'statement_booking'`,
      [],
    )) as [{ count: number }]
    expect(count).toBe(1)
    expect(await items(`?day=${friday}`)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          id: held.id,
          reason: expect.stringMatching(/^booked by hand, key \d+: Reserve of the program$/),
        }),
      ]),
    )
    const { database } = bank
    const ledgers: ReadLedgers = async (read) => [await read(database, [])]
    const read = await readDay({ database, ledgers, routingNumber: '812345678', account: '1', windowDays: 2 }, friday)
    expect((await decide((await itemOf('FEES')).id, { decision: 'note', owner: 'Ada', reason })).status).toBe(204)
    expect(await itemOf('FEES')).toMatchObject({ owner: 'Ada', note: reason })
    // The certificate would lack what was decided after the day was read.
    const { privateKey } = generateKeyPairSync('ed25519')
    const stale = database.transaction((transaction) => certify(transaction, read, privateKey))
    await expect(stale).rejects.toThrow(/changed meanwhile/)

    const closes = await Promise.all([
      post(`days/${friday}/close`, undefined, { 'idempotency-key': 'close-friday' }),
      post(`days/${friday}/close`),
    ])
    expect(closes.map(({ status }) => status).sort()).toEqual([201, 409])
    const made = closes.find(({ status }) => status === 201)?.json.data
    expect(made).toEqual({
      ...{ day: friday, version: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/), closedAt: expect.any(String) },
      ...{ reopenedAt: null, reopenedBecause: null, certificate: expect.stringContaining('"signature"') },
    })
    expect(checkCertificate(made.certificate, undefined).faults).toEqual([])
    if (closes[0]?.status === 201) {
      const again = await post(`days/${friday}/close`, undefined, { 'idempotency-key': 'close-friday' })
      expect(again.text).toBe(closes[0].text)
    }
    expect(problem(await post(`days/${friday}/close`)).slice(0, 2)).toEqual([409, 'closing_day_wrong_state'])
    expect((await get('days?month=2024-06')).json.data[0]).toMatchObject({ state: 'closed', version: 1 })
    expect((await get(`days/${friday}`)).json.data).toEqual({
      ...{ day: friday, state: 'closed', reasons: [], certificates: [made] },
      settlement: { statement: 85_00, ledger: 0, statementItems: 85_00, ledgerItems: 0, difference: 0 },
      ledger: expect.any(Array),
    })
  })

  test('reopens the last day with a reason, and keeps both certificates', async () => {
    const reopen = (day: string) => post(`days/${day}/reopen`, { reason: 'The fee is booked' })
    expect(problem(await reopen('2024-06-17'))).toEqual([
      ...[409, 'closing_day_wrong_state', `the last closed day is ${friday}: days are reopened from the last one on`],
    ])
    expect((await reopen(friday)).json.data).toMatchObject({ version: 1, reopenedBecause: 'The fee is booked' })
    expect((await decide((await itemOf('FEES')).id, { decision: 'book', to: 'fees', reason })).status).toBe(204)
    expect((await post(`days/${friday}/close`)).json.data).toMatchObject({ version: 2 })
    const { certificates } = (await get(`days/${friday}`)).json.data
    const verdicts = certificates.map(({ certificate }: { certificate: string }) =>
      checkCertificate(certificate, undefined),
    )
    expect(checkChain(verdicts).map(({ faults, certificate }) => [certificate.version, faults])).toEqual([
      [1, []],
      [2, []],
    ])
  })

  test('knows no days, items and statements for other organisations, and no days of weekends', async () => {
    const { otherKey } = bank
    for (const path of ['days?month=2024-06', `items?day=${friday}`, 'statements'])
      expect((await get(path, otherKey)).json.data).toEqual([])
    const [line] = await items(`?day=${friday}`)
    const note = { decision: 'note', owner: 'Ada', reason }
    expect(problem(await get(`days/${friday}`, otherKey)).slice(0, 2)).toEqual([404, 'closing_day_not_found'])
    for (const [path, body, status] of [
      [`days/${friday}/close`, undefined, 404],
      [`days/${friday}/reopen`, { reason }, 404],
      [`items/${line.id}/decide`, note, 404],
      ['statements', { name: 'a', file: 'Pw==' }, 403],
    ] as const) {
      expect([path, (await post(path, body, {}, otherKey)).status]).toEqual([path, status])
    }
    expect(problem(await get('days/2024-06-15')).slice(0, 2)).toEqual([404, 'closing_day_not_found'])
    expect((await get('days/2024-02-30')).status).toBe(404)
    expect((await get('items?day=2024-02-30')).status).toBe(400)
    expect((await get('days?month=2024-13')).status).toBe(400)
  })

  test('needs the settings, and one database', async () => {
    const { database } = bank
    const form = { account: '1', kinds: new Map(), windowDays: 2 }
    const closing = (parts: object) => closingOf({ database, routingNumber: '', key: undefined, ...parts } as never)
    const caller = { organisationId: 1, keyId: 1 }
    const code = async (parts: object) =>
      (async () => closing(parts).listBankStatements(caller, {}))().catch((error) => [error.code, error.message])
    expect(await code({ form: undefined, databases: 1 })).toEqual([
      'closing_unavailable',
      expect.stringMatching(/PURSER_STATEMENT_ACCOUNT/),
    ])
    expect(await code({ form, databases: 2 })).toEqual(['closing_unavailable', expect.stringMatching(/purser day/)])
  })
})

test('A booking from the amount of a rule on waits for a second person, also in parts', async () => {
  const signed = await openTestBank({ own: true, signatures: { from: { writeOff: 10_00 }, expiryMs: 86_400_000 } })
  const ada = await signIn(signed, { first: 'operator' }, { name: 'Ada' })
  const bob = await signIn(signed, { first: 'operator' }, { name: 'Bob' })
  const day = {
    ...{ asOf: friday, opening: 0, closing: -24_99 },
    lines: [
      { amount: -15_00, code: '698', text: 'FEES' },
      { amount: -9_99, code: '698', text: 'SMALL' },
    ],
  }
  const content = Buffer.from(baiFile(day)).toString('base64')
  await signed.call('POST', '/v0/closing/statements', { body: { name: 'day.bai', file: content } })
  const found = async (text: string): Promise<{ id: string }> => {
    const { json } = await signed.call('GET', '/v0/closing/items')
    return json.data.find(({ description }: { description: string }) => description.includes(text))
  }
  const decided = (id: string, body: object, by = ada) => by.call('POST', `/v0/closing/items/${id}/decide`, { body })
  const book = { decision: 'book', to: 'write-off', reason }
  const small = await found('SMALL')
  expect((await decided(small.id, book)).status).toBe(204)
  const { id } = await found('FEES')
  expect((await decided(id, { decision: 'note', owner: 'Ada', reason })).status).toBe(204)
  const waiting = await decided(id, book)
  expect([waiting.status, waiting.json.data]).toMatchObject([202, { decision: 'writeOff', amount: 15_00, reason }])
  expect(problem(await decided(id, book, bob)).slice(0, 2)).toEqual([409, 'proposal_waiting'])
  const withdraw = await ada.call('POST', `/v0/proposals/${waiting.json.data.id}/withdraw`, { body: {} })
  expect(withdraw.status, withdraw.text).toBe(200)
  expect((await decided(id, { decision: 'split', amounts: [-8_00, -7_00], reason })).status).toBe(204)
  const { json } = await decided((await found('part of')).id, book)
  expect(json.data).toMatchObject({ state: 'Waiting', amount: 15_00 })
  const approved = await bob.call('POST', `/v0/proposals/${json.data.id}/approve`, { body: {} })
  expect(approved.json.data).toMatchObject({ state: 'Executed', problem: null })
  const unknown = [404, 'settlement_item_not_found']
  for (const each of ['0', '999999999']) expect(problem(await decided(each, book)).slice(0, 2)).toEqual(unknown)
  expect(problem(await decided(small.id, book)).slice(0, 2)).toEqual([409, 'settlement_item_wrong_state'])
  await expectSoundLedger(signed)
  await signed.close()
})
