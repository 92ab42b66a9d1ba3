import { hash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureFirstKey } from '../../src/access/first-key.ts'
import { makeKey } from '../../src/access/key-text.ts'
import { openRecordIds } from '../../src/database/record-ids.ts'
import { openSeals } from '../../src/secrets/seals.ts'
import { openTestBank, type Reply, type TestBank } from '../support/harness.ts'
import { applicant, makeApplication } from '../support/world.ts'

let bank: TestBank
let key: string
let everything: string

const ssns = ['713946825', '000000003']
const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(4096)])
const tokens: string[] = []
const keys: string[] = []

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
      `select document_id as id, organisation_id as "organisationId", side, sealed_content as sealed
       from document_file join document on document.id = document_id`,
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
