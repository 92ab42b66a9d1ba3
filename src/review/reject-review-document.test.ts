import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { auditOf, decide, refusalOf, statusOf, upload } from '../../test/support/review/reviewer.ts'
import { makeApplication } from '../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank({ review: 'manual' })
})
afterAll(() => bank.close())

describe('reject document as reviewer', () => {
  test('asks for another upload, with the reason', async () => {
    const { applicationId, documentId } = await makeApplication(bank)
    await upload(bank, applicationId, documentId)
    const reply = await decide(bank, `documents/${documentId}/reject`, { reason: 'The picture is blurred' })
    expect([reply.status, reply.json.data]).toEqual([
      200,
      {
        id: documentId,
        documentType: 'Passport',
        status: 'Invalid',
        description: 'Upload the photo page of the passport. Rejected: The picture is blurred',
      },
    ])
    expect(await statusOf(bank, applicationId)).toBe('AwaitingDocuments')
    expect((await auditOf(bank, 'document.rejected', documentId)).reason).toBe('The picture is blurred')
    expect(refusalOf(await decide(bank, `documents/${documentId}/reject`, { reason: 'x' }))).toEqual([
      409,
      'document_wrong_state',
    ])
    await upload(bank, applicationId, documentId)
    expect(await statusOf(bank, applicationId)).toBe('PendingReview')
  })

  test('needs a reason, the scope and a document of the organisation', async () => {
    const { documentId } = await makeApplication(bank)
    for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(256) }, { reason: null }]) {
      expect(refusalOf(await decide(bank, `documents/${documentId}/reject`, body))).toEqual([400, 'invalid_request'])
    }
    const reason = 'x'.repeat(255)
    const reject = (id: string, key: string) => decide(bank, `documents/${id}/reject`, { reason }, { key })
    expect(refusalOf(await reject(documentId, bank.otherKey))).toEqual([404, 'document_not_found'])
    expect(refusalOf(await reject('1', bank.key))).toEqual([404, 'document_not_found'])
    expect(refusalOf(await reject(documentId, await bank.makeKey('first', null)))).toEqual([403, 'forbidden'])
    expect((await reject(documentId, bank.key)).status).toBe(200)
  })
})
