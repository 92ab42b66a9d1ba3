import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeApplication } from '../../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const pdf = Buffer.from('%PDF-1.7\n').toString('base64')

interface Names {
  applicationId: string
  documentId: string
}

function upload({ applicationId, documentId }: Names, body: Record<string, unknown> = {}, side = '') {
  const path = `/v0/banking/applications/${applicationId}/documents/${documentId}${side}`
  return bank.call('POST', path, { body: { file: pdf, contentType: 'application/pdf', ...body } })
}

const sidesOf = async (documentId: string) =>
  (
    await bank.database.query<{ side: string }>(
      `select side from document_file where document_id = $1 order by side desc`,
      [documentId],
    )
  ).map(({ side }) => side)

describe('upload document front', () => {
  test('approves a passport by its front side alone', async () => {
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
    const application = await bank.call('GET', `/v0/banking/applications/${names.applicationId}`)
    expect(application.json.data).toMatchObject({ status: 'Approved', customerId: expect.any(String) })
  })

  test('stores the front side beside the back side', async () => {
    const names = await makeApplication(bank)
    await upload(names)
    expect(await sidesOf(names.documentId)).toEqual(['front'])
    await upload(names, {}, '/back')
    expect(await sidesOf(names.documentId)).toEqual(['front', 'back'])
  })

  test('accepts a body of 28 MiB, like the back side', async () => {
    const names = await makeApplication(bank)
    const { status, json } = await upload(names, { file: 'A'.repeat(27 * 1024 * 1024) })
    expect([status, json.detail]).toEqual([413, 'The decoded file may hold 20 MiB.'])
  })

  test('refuses a file that is not Base64, and bytes of another type', async () => {
    const names = await makeApplication(bank)
    expect((await upload(names, { file: 'not base64' })).json.errors).toMatchObject([{ pointer: '/file' }])
    const other = await upload(names, { contentType: 'image/png' })
    expect([other.status, other.json.code]).toEqual([422, 'content_type_mismatch'])
  })

  test('refuses an unknown application, a document of another application, and a denied application', async () => {
    const [mine, other] = [await makeApplication(bank), await makeApplication(bank)]
    expect((await upload({ ...mine, applicationId: '1000' })).json.code).toBe('application_not_found')
    expect((await upload({ ...mine, documentId: other.documentId })).json.code).toBe('document_not_found')
    await bank.call('POST', `/v0/sandbox/applications/${mine.applicationId}/deny`)
    const { status, json } = await upload(mine)
    expect([status, json.code]).toEqual([409, 'application_wrong_state'])
  })
})
