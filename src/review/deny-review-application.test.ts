import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import {
  apply,
  auditOf,
  decide,
  refusalOf,
  requestDocument,
  statusOf,
  upload,
} from '../../test/support/review/reviewer.ts'
import { applicant } from '../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank({ mode: 'live', review: 'manual' })
})
afterAll(() => bank.close())

describe('deny application as reviewer', () => {
  test('denies an application, which then takes no documents', async () => {
    const id = await apply(bank)
    const documentId = await requestDocument(bank, id)
    const reply = await decide(bank, `applications/${id}/deny`, { reason: 'Not verified' })
    expect([reply.status, reply.json.data]).toEqual([
      200,
      {
        id,
        status: 'Denied',
        createdAt: expect.any(String),
        name: applicant.name,
        email: applicant.email,
        documents: [
          {
            id: documentId,
            documentType: 'Passport',
            status: 'Required',
            description: 'Upload the photo page of the passport.',
          },
        ],
      },
    ])
    const wrong = [409, 'application_wrong_state']
    expect(refusalOf(await upload(bank, id, documentId))).toEqual(wrong)
    expect(refusalOf(await decide(bank, `applications/${id}/deny`, { reason: 'Again' }))).toEqual(wrong)
    expect(refusalOf(await decide(bank, `applications/${id}/approve`))).toEqual(wrong)
    expect(refusalOf(await decide(bank, `applications/${id}/documents`))).toEqual(wrong)
    expect(refusalOf(await decide(bank, `documents/${documentId}/approve`))).toEqual(wrong)
    expect(refusalOf(await decide(bank, `documents/${documentId}/reject`, { reason: 'x' }))).toEqual(wrong)
    expect(await auditOf(bank, 'application.denied', id)).toMatchObject({
      reason: 'Not verified',
      actor: { type: 'apiKey' },
    })
  })

  test('needs a reason of 1 to 255 characters', async () => {
    const id = await apply(bank)
    for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(256) }, { reason: null }, { reason: ['x'] }]) {
      expect(refusalOf(await decide(bank, `applications/${id}/deny`, body))).toEqual([400, 'invalid_request'])
    }
    expect(await statusOf(bank, id)).toBe('PendingReview')
    expect((await decide(bank, `applications/${id}/deny`, { reason: 'x'.repeat(255) })).status).toBe(200)
  })

  test('refuses unknown applications and keys without the scope', async () => {
    expect(refusalOf(await decide(bank, 'applications/1/deny', { reason: 'x' }))).toEqual([
      404,
      'application_not_found',
    ])
    const key = await bank.makeKey('first', null)
    const reply = await decide(bank, `applications/${await apply(bank)}/deny`, { reason: 'x' }, { key })
    expect(refusalOf(reply)).toEqual([403, 'forbidden'])
  })
})
