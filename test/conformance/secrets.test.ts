import { hash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureFirstKey } from '../../src/access/first-key.ts'
import { makeKey } from '../../src/access/key-text.ts'
import { openRecordIds } from '../../src/database/record-ids.ts'
import { openSeals } from '../../src/secrets/seals.ts'
import { openTestBank, type Reply, type TestBank } from '../support/harness.ts'
import { makeExternalAccount, makePayer, type Payer, pay } from '../support/ledger.ts'
import { applicant, makeApplication } from '../support/world.ts'

let bank: TestBank
let key: string
let everything: string

const ssns = ['713946825', '000000003']
const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(4096)])
const tokens: string[] = []
const keys: string[] = []
/** Account numbers at other banks. */
const numbers = ['31415926535897932', '2718281828']
let externalAccountId: string
let payer: Payer

beforeAll(async () => {
  bank = await openTestBank()
  key = makeKey('sandbox', 'sk')
  await ensureFirstKey(bank.database, openRecordIds(bank.database), { source: 'generated', key }, 0)
  const headers = (name: string) => ({ 'idempotency-key': name })

  const body = { ...applicant, ssn: ssns[0] }
  const applied = await made(bank.call('POST', '/v0/banking/applications', { key, body, headers: headers('apply') }))
  await made(bank.call('POST', '/v0/banking/applications', { key, body }))
  const { customerId } = applied.json.data
  for (const [method, word] of [
    ['POST', 'token-verifications'],
    ['GET', 'token-verification'],
  ] as const) {
    const path = `/v0/banking/customers/${customerId}/${word}`
    const reply = await made(bank.call(method, path, { key, headers: headers('token') }))
    tokens.push(reply.json.data.verificationToken)
  }
  const { applicationId, documentId } = await makeApplication(bank)
  for (const side of ['', '/back']) {
    const path = `/v0/banking/applications/${applicationId}/documents/${documentId}${side}`
    const file = { file: content.toString('base64'), contentType: 'application/pdf' }
    await made(bank.call('POST', path, { body: file, headers: headers(`upload${side}`) }))
  }
  const created = await made(
    bank.call('POST', '/v0/api-keys', { body: { name: 'Sample' }, headers: headers('create-key') }),
  )
  const rotation = `/v0/api-keys/${created.json.data.id}/rotate`
  const rotated = await bank.call('POST', rotation, { body: { graceSeconds: 60 }, headers: headers('rotate-key') })
  for (const { json } of [created, rotated]) keys.push(json.data.key)
  await payOthers()
  everything = await dump()
})
afterAll(() => bank.close())

describe('the database', () => {
  test('holds no API key, SSN, token or part of a document in clear text or in a plain encoding', () => {
    for (const secret of [key, ...keys, ...ssns, ...tokens]) expect(traces(Buffer.from(secret)), secret).toEqual([])
    for (let at = 0; at + 12 <= content.length; at += 12) {
      expect(traces(content.subarray(at, at + 12)), `byte ${at}`).toEqual([])
    }
  })

  test('holds no account number at another bank in clear text or in a plain encoding', () => {
    for (const number of numbers) expect(traces(Buffer.from(number)), number).toEqual([])
  })

  test('shows these numbers all the same, and finds external accounts by them', async () => {
    const [number = ''] = numbers
    const list = `/v0/banking/customers/${payer.customerId}/external-accounts`
    const found = await bank.call('GET', `${list}?accountNumber=${number}`)
    expect(found.json.data.map(({ id }: { id: string }) => id)).toEqual([externalAccountId])
    expect(found.json.data[0].accountNumber).toBe(number)
    expect((await bank.call('GET', `${list}?accountNumber=${number.slice(0, -1)}`)).json.data).toEqual([])
    for (const text of [number, number.slice(-4)]) {
      const { json } = await bank.call('GET', `/v0/search?q=${text}`)
      expect(json.data, text).toContainEqual(
        expect.objectContaining({ type: 'externalAccount', id: externalAccountId }),
      )
    }
    const events = (await bank.call('GET', '/v0/events?limit=1000')).text
    expect(events.split(number).length - 1).toBeGreaterThan(6)
  })

  test('holds no hash from which an SSN could be guessed', () => {
    const { ssn: _, ...person } = applicant
    const members = Object.entries({ ...person, ssn: ssns[0] }).sort(([a], [b]) => (a < b ? -1 : 1))
    const sorted = JSON.stringify(Object.fromEntries(members), (_name, value) =>
      value?.street ? Object.fromEntries(Object.entries(value).sort()) : value,
    )
    for (const text of [ssns[0] ?? '', sorted, `POST /v0/banking/applications\n${sorted}`]) {
      expect(everything).not.toContain(hash('sha256', text, 'hex'))
    }
  })

  test('holds all of them sealed', async () => {
    const seals = openSeals(bank.database, [Buffer.alloc(32, 7)])
    const applications = await bank.database.query<{ id: number; organisationId: number; sealed: Buffer }>(
      'select id, organisation_id as "organisationId", sealed_ssn as sealed from application order by id',
    )
    const ssnOf = async ({ id, organisationId, sealed }: (typeof applications)[number]) =>
      (await seals.of(organisationId))
        .unseal(sealed, { table: 'application', row: id, column: 'sealed_ssn' })
        .toString()
    expect(await Promise.all(applications.map(ssnOf))).toEqual([ssns[0], ssns[0], ssns[1]])

    const files = await bank.database.query<{ id: number; organisationId: number; side: string; sealed: Buffer }>(
      `select document_id as id, organisation_id as "organisationId", side, sealed_content as sealed from document_file`,
    )
    expect(files).toHaveLength(2)
    for (const { id, organisationId, side, sealed } of files) {
      const place = { table: 'document_file', row: `${id}/${side}`, column: 'sealed_content' }
      expect((await seals.of(organisationId)).unseal(sealed, place).equals(content)).toBe(true)
    }
    expect(everything).toContain(hash('sha256', key, 'hex'))
    for (const secret of [...keys, ...tokens]) expect(everything).toContain(hash('sha256', secret, 'hex'))
  })
})

describe('the search for clear text', () => {
  test('a value that the database holds is found, as text and as bytes', () => {
    expect(traces(Buffer.from(applicant.email))).toEqual(['as text'])
    expect(traces(hash('sha256', key, 'buffer'))).toEqual(['in hex'])
  })
})

/** External accounts, payments to them, returns and replays, with idempotency keys and without. */
async function payOthers(): Promise<void> {
  payer = await makePayer(bank, 100_00)
  const [number, deleted] = numbers
  externalAccountId = await makeExternalAccount(bank, payer.customerId, { accountNumber: number })
  const path = `/v0/banking/customers/${payer.customerId}/external-accounts`
  const body = {
    type: 'Person',
    name: 'Grace',
    routingNumber: '021000021',
    accountNumber: deleted,
    accountType: 'Checking',
  }
  const options = { body, headers: { 'idempotency-key': 'another' } }
  const another = await made(bank.call('POST', path, options))
  expect((await bank.call('POST', path, options)).text).toBe(another.text)
  expect(another.json.data.accountNumber).toBe(deleted)
  const removed = await bank.call('DELETE', `/v0/banking/external-accounts/${another.json.data.id}`)
  expect(removed.status, removed.text).toBeLessThan(300)
  for (const name of ['pay', undefined]) {
    const headers: Record<string, string> = name ? { 'idempotency-key': name } : {}
    const paid = await pay(bank, { ...payer, externalAccountId }, { amount: 1_00 }, { headers })
    expect(paid.json.data.counterparty.accountNumber).toBe(number)
    const { id } = paid.json.data
    const back = { body: { returnCode: 'R01' }, headers: name ? { 'idempotency-key': 'return' } : {} }
    const first = await bank.call('POST', `/v0/sandbox/payments/${id}/return`, back)
    expect(first.json.data).toMatchObject({ status: 'Returned', counterparty: { accountNumber: number } })
    if (name) expect((await bank.call('POST', `/v0/sandbox/payments/${id}/return`, back)).text).toBe(first.text)
  }
}

/** Every row of every table, as text; bytes are in hex. */
async function dump(): Promise<string> {
  const tables = await bank.database.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  )
  const rows = await Promise.all(
    tables.map(({ name }) => bank.database.query<{ line: string }>(`select t::text as line from ${name} t`)),
  )
  return rows
    .flat()
    .map(({ line }) => line)
    .join('\n')
}

/** How a secret shows in the database: as it is, in hex, in Base64. Three bytes are four letters, so pieces match too. */
function traces(secret: Buffer): string[] {
  const base64 = secret.subarray(0, secret.length - (secret.length % 3)).toString('base64')
  return Object.entries({
    'as text': everything.includes(secret.toString('utf8')),
    'in hex': everything.includes(secret.toString('hex')),
    'in Base64': everything.includes(base64),
  })
    .filter(([, found]) => found)
    .map(([how]) => how)
}

async function made(replying: Promise<Reply>): Promise<Reply> {
  const reply = await replying
  if (reply.status !== 201) throw new Error(reply.text)
  return reply
}
