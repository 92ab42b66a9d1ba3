import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { auditOf, decide, refusalOf, statusOf, upload } from '../../test/support/review/reviewer.ts'
import { makeApplication } from '../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank({ review: 'manual' })
})
afterAll(() => bank.close())

const wrong = [409, 'document_wrong_state']

describe('approve document as reviewer', () => {
  test('approves a document, and an application that only waited for it', async () => {
    const { applicationId, documentId } = await makeApplication(bank)
    await upload(bank, applicationId, documentId)
    const reply = await decide(bank, `documents/${documentId}/approve`, { reason: 'Checked' })
    expect([reply.status, reply.json.data]).toEqual([
      200,
      {
        id: documentId,
        documentType: 'Passport',
        status: 'Approved',
        description: 'Upload the photo page of the passport.',
      },
    ])
    expect(await statusOf(bank, applicationId)).toBe('Approved')
    expect((await auditOf(bank, 'document.approved', documentId)).reason).toBe('Checked')
    expect(refusalOf(await decide(bank, `documents/${documentId}/approve`))).toEqual(wrong)
    await upload(bank, applicationId, documentId)
    expect((await decide(bank, `documents/${documentId}/approve`)).status).toBe(200)
  })

  test('lets one of many decisions win that are made at the same time', async () => {
    const { applicationId, documentId } = await makeApplication(bank)
    await upload(bank, applicationId, documentId)
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, place) =>
        decide(bank, `documents/${documentId}/${place % 2 ? 'approve' : 'reject'}`, { reason: 'x' }),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  })

  test('finds documents of the organisation alone, by keys with the scope', async () => {
    const { documentId } = await makeApplication(bank)
    for (const [id, key] of [
      [documentId, bank.otherKey],
      ['1', bank.key],
      ['x', bank.key],
    ] as const) {
      expect(refusalOf(await decide(bank, `documents/${id}/approve`, {}, { key }))).toEqual([404, 'document_not_found'])
    }
    const key = await bank.makeKey('first', null)
    expect(refusalOf(await decide(bank, `documents/${documentId}/approve`, {}, { key }))).toEqual([403, 'forbidden'])
    for (const reason of ['', 'x'.repeat(256), 1]) {
      expect(refusalOf(await decide(bank, `documents/${documentId}/approve`, { reason }))).toEqual([
        400,
        'invalid_request',
      ])
    }
  })
})
