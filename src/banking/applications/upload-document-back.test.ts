import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { applicant, makeApplication } from '../../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const MIB = 1024 * 1024
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, ...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0])
const pdf = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n', 'latin1')
const zip = Buffer.from('504b0304140000000000000000000000000000000000000000000500000061', 'hex')

interface Names {
  applicationId: string
  documentId: string
}

function upload(
  { applicationId, documentId }: Names,
  body: Record<string, unknown> = {},
  { to = bank, headers = {} }: { to?: TestBank; headers?: Record<string, string> } = {},
) {
  const path = `/v0/banking/applications/${applicationId}/documents/${documentId}/back`
  return to.call('POST', path, { headers, body: { file: png.toString('base64'), contentType: 'image/png', ...body } })
}

const applicationOf = async ({ applicationId }: Names) =>
  (await bank.call('GET', `/v0/banking/applications/${applicationId}`)).json.data

const filesOf = (documentId: string) =>
  bank.database.query<{ side: string; contentType: string; size: number; version: number }>(
    `select side, content_type as "contentType", length(sealed_content) as size, version
     from document_file where document_id = $1 order by side`,
    [documentId],
  )

/** The bytes that sealing adds: version, nonce and tag. */
const SEAL_BYTES = 32

describe('B17 upload document back', () => {
  test('answers the approved document, and approves the application', async () => {
    const names = await makeApplication(bank)
    const { status, json } = await upload(names)
    expect(status).toBe(201)
    expect(json).toEqual({
      data: {
        id: names.documentId,
        documentType: 'Passport',
        status: 'Approved',
        description: 'Upload the photo page of the passport.',
      },
    })
    const application = await applicationOf(names)
    expect(application).toMatchObject({ status: 'Approved', documents: [json.data] })
    const customer = await bank.call('GET', `/v0/banking/customers/${application.customerId}`)
    expect(customer.json.data).toMatchObject({ name: applicant.name, address: applicant.address, status: 'Active' })
  })

  test('accepts each of the three content types', async () => {
    for (const [contentType, content] of [
      ['image/png', png],
      ['image/jpeg', jpeg],
      ['application/pdf', pdf],
    ] as const) {
      const names = await makeApplication(bank)
      const { status, text } = await upload(names, { contentType, file: content.toString('base64') })
      expect([status, contentType], text).toEqual([201, contentType])
      expect(await filesOf(names.documentId)).toEqual([
        { side: 'back', contentType, size: content.length + SEAL_BYTES, version: 1 },
      ])
    }
  })

  test('replaces an earlier upload, and creates no second customer', async () => {
    const names = await makeApplication(bank)
    await upload(names)
    const { customerId } = await applicationOf(names)
    const again = await upload(names, { contentType: 'application/pdf', file: pdf.toString('base64') })
    expect([again.status, again.json.data.status]).toEqual([201, 'Approved'])
    expect(await filesOf(names.documentId)).toEqual([
      { side: 'back', contentType: 'application/pdf', size: pdf.length + SEAL_BYTES, version: 2 },
    ])
    expect((await applicationOf(names)).customerId).toBe(customerId)
  })

  test('creates one customer when sixteen uploads of an application run at once', async () => {
    const names = await makeApplication(bank)
    const count = async () => (await bank.call('GET', '/v0/banking/customers?limit=1000')).json.data.length
    const before = await count()
    const front = `/v0/banking/applications/${names.applicationId}/documents/${names.documentId}`
    const body = { file: png.toString('base64'), contentType: 'image/png' }
    const replies = await Promise.all([
      ...Array.from({ length: 8 }, () => upload(names)),
      ...Array.from({ length: 8 }, () => bank.call('POST', front, { body })),
    ])
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 201))
    expect(await count()).toBe(before + 1)
    expect((await filesOf(names.documentId)).map(({ side }) => side)).toEqual(['back', 'front'])
  })

  test('stores a file once for one idempotency key, and refuses the key for other bytes', async () => {
    const names = await makeApplication(bank)
    const headers = { 'idempotency-key': 'passport' }
    const first = await upload(names, {}, { headers })
    const again = await upload(names, {}, { headers })
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
    expect(await filesOf(names.documentId)).toMatchObject([{ version: 1 }])
    const other = await upload(names, { contentType: 'image/jpeg', file: jpeg.toString('base64') }, { headers })
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused'])
  })

  test('refuses a file that is not strict Base64', async () => {
    const names = await makeApplication(bank)
    const good = Buffer.from([0xfb, 0xff, 0xfe, 1]).toString('base64')
    const wrong = {
      empty: '',
      'a space': good.replace('/', '/ '),
      'spaces around': ` ${good} `,
      'the alphabet for URLs': good.replaceAll('+', '-').replaceAll('/', '_'),
      'no padding': good.replaceAll('=', ''),
      'too much padding': `${good}=`,
      'padding alone': '====',
      'padding in the middle': 'QQ==QQ==',
      'bits after the end': 'QR==',
      'a letter too many': `${good}A`,
      'a data URL': `data:image/png;base64,${good}`,
      'a letter of no alphabet': good.replace('+', 'é'),
    }
    for (const [what, file] of Object.entries(wrong)) {
      const { status, json } = await upload(names, { file })
      expect([status, json.errors?.[0]?.pointer, json.errors?.[0]?.code], what).toEqual([400, '/file', 'bad_format'])
    }
    for (const file of [`${good}\n`, `${good.slice(0, 4)}\r\n${good.slice(4)}`]) {
      const message = '/file must hold no line break; send Base64 in one line'
      expect((await upload(names, { file })).json.errors).toMatchObject([{ pointer: '/file', message }])
    }
    expect((await applicationOf(names)).status).toBe('AwaitingDocuments')
    expect((await upload(names, { file: good })).status).toBe(201)
  })

  test('accepts a file of 20 MiB and refuses one byte more', async () => {
    const names = await makeApplication(bank)
    const largest = Buffer.concat([pdf, Buffer.alloc(20 * MIB - pdf.length, 'x')])
    const taken = await upload(names, { contentType: 'application/pdf', file: largest.toString('base64') })
    expect([taken.status, taken.json.data.status]).toEqual([201, 'Approved'])
    expect(await filesOf(names.documentId)).toMatchObject([{ size: 20 * MIB + SEAL_BYTES }])

    const past = Buffer.concat([largest, Buffer.alloc(1)])
    const refused = await upload(names, { contentType: 'application/pdf', file: past.toString('base64') })
    expect([refused.status, refused.json.code, refused.json.detail]).toEqual([
      413,
      'payload_too_large',
      'The decoded file may hold 20 MiB.',
    ])
    const flood = await upload(names, { contentType: 'application/pdf', file: 'A'.repeat(28 * MIB) })
    expect([flood.status, flood.json.code]).toEqual([413, 'payload_too_large'])
  })

  test('refuses bytes that are recognised as another type', async () => {
    const names = await makeApplication(bank)
    const cases: [Buffer, string][] = [
      [jpeg, 'image/png'],
      [pdf, 'image/png'],
      [png, 'image/jpeg'],
      [png, 'application/pdf'],
      [zip, 'application/pdf'],
      [Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1'), 'image/png'],
      [Buffer.from('<?xml version="1.0"?><a/>'), 'application/pdf'],
    ]
    for (const [content, contentType] of cases) {
      const { status, json } = await upload(names, { contentType, file: content.toString('base64') })
      expect([status, json.code], contentType).toEqual([422, 'content_type_mismatch'])
      expect(json.detail).toMatch(new RegExp(`^The bytes of the file are [\\w/+.-]+, not ${contentType}\\.$`))
    }
    expect(await filesOf(names.documentId)).toEqual([])
  })

  test('accepts bytes of no known type in the sandbox, and an animated PNG as a PNG', async () => {
    const names = await makeApplication(bank)
    for (const content of [Buffer.from('Hello'), Buffer.from([0]), Buffer.from('text '.repeat(1000))]) {
      expect((await upload(names, { file: content.toString('base64') })).status).toBe(201)
    }
    const chunk = Buffer.from('000000086163544c00000001000000000000000000', 'hex')
    const animated = Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)])
    expect((await upload(names, { file: animated.toString('base64') })).status).toBe(201)
  })

  test('never answers a 5xx status, whatever the bytes', async () => {
    const names = await makeApplication(bank)
    for (const start of [png, jpeg, pdf, zip, Buffer.from('1f8b08', 'hex'), Buffer.from('ID3'), Buffer.from('RIFF')]) {
      for (const length of [1, 4, 8, 12, 20, 33, 40, 4096]) {
        const content = Buffer.concat([start.subarray(0, length), randomBytes(length)])
        const { status, text } = await upload(names, { file: content.toString('base64') })
        expect([201, 422], `${content.subarray(0, 32).toString('hex')} ${text}`).toContain(status)
      }
    }
  })

  test('refuses a content type other than the three', async () => {
    const names = await makeApplication(bank)
    for (const contentType of ['image/gif', 'image/jpg', 'IMAGE/PNG', 'image/png; q=1', '']) {
      const { status, json } = await upload(names, { contentType })
      expect([status, json.errors?.[0]?.pointer], contentType).toEqual([400, '/contentType'])
    }
  })

  test('refuses an unknown application and a document of another one', async () => {
    const [mine, other] = [await makeApplication(bank), await makeApplication(bank)]
    const unknown = await upload({ ...mine, applicationId: '1000' })
    expect([unknown.status, unknown.json.code]).toEqual([404, 'application_not_found'])
    for (const documentId of [other.documentId, '1000', mine.applicationId]) {
      const { status, json } = await upload({ ...mine, documentId })
      expect([status, json.code]).toEqual([404, 'document_not_found'])
    }
  })

  test('refuses a denied application', async () => {
    const names = await makeApplication(bank)
    await bank.call('POST', `/v0/sandbox/applications/${names.applicationId}/deny`)
    const { status, json } = await upload(names)
    expect([status, json.code]).toEqual([409, 'application_wrong_state'])
    expect(json.detail).toContain('000000003')
  })
})

describe('B17 with manual review', () => {
  let manual: TestBank

  beforeAll(async () => {
    manual = await openTestBank({ review: 'manual' })
  })
  afterAll(() => manual.close())

  test('leaves the document and the application in review until a reviewer decides', async () => {
    const names = await makeApplication(manual)
    const path = `/v0/sandbox/applications/${names.applicationId}/documents/${names.documentId}`
    const application = async () =>
      (await manual.call('GET', `/v0/banking/applications/${names.applicationId}`)).json.data
    const uploaded = await upload(names, {}, { to: manual })
    expect([uploaded.status, uploaded.json.data.status]).toEqual([201, 'PendingReview'])
    expect(await application()).toMatchObject({ status: 'PendingReview', documents: [uploaded.json.data] })

    await manual.call('POST', `${path}/reject`, { body: { reason: 'Blurred' } })
    expect(await application()).toMatchObject({ status: 'AwaitingDocuments', documents: [{ status: 'Invalid' }] })

    const again = await upload(names, {}, { to: manual })
    expect(again.json.data).toEqual(uploaded.json.data)
    await manual.call('POST', `${path}/approve`)
    expect(await application()).toMatchObject({
      status: 'Approved',
      customerId: expect.any(String),
      documents: [{ status: 'Approved' }],
    })
  })
})

describe('B17 in live mode', () => {
  test('refuses bytes of no known type', async () => {
    const live = await openTestBank({ mode: 'live' })
    const applied = await live.call('POST', '/v0/banking/applications', { body: applicant })
    const applicationId = applied.json.data.id
    // In live mode no application asks for documents yet, so the test inserts one.
    await live.database.query(
      `insert into document (id, organisation_id, application_id, document_type, status)
       select 5000000, organisation_id, id, 'Passport', 'Required' from application where id = $1`,
      [applicationId],
    )
    const names = { applicationId, documentId: '5000000' }
    const unknown = await upload(names, { file: Buffer.from('Hello').toString('base64') }, { to: live })
    expect([unknown.status, unknown.json.code, unknown.json.detail]).toEqual([
      422,
      'content_type_mismatch',
      'The bytes of the file are not image/png.',
    ])
    expect((await upload(names, {}, { to: live })).status).toBe(201)
    await live.close()
  })
})
