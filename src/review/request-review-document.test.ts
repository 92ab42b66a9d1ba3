import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../test/support/cards.ts'
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

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const inReview = () => apply(bank, { ssn: '000000004' })

describe('request document', () => {
  test('adds a document that the application then awaits', async () => {
    const id = await inReview()
    const reply = await decide(bank, `applications/${id}/documents`, { reason: 'The name is common' })
    expect([reply.status, reply.json.data]).toEqual([
      201,
      {
        id: expect.any(String),
        documentType: 'Passport',
        status: 'Required',
        description: 'Upload the photo page of the passport.',
      },
    ])
    const application = await ask(bank, 'GET', `/v0/banking/applications/${id}`)
    expect(application).toMatchObject({ status: 'AwaitingDocuments', documents: [reply.json.data] })
    expect((await auditOf(bank, 'document.requested', reply.json.data.id)).reason).toBe('The name is common')
  })

  test('leaves the decision to the reviewer, also where documents are approved as they come', async () => {
    const id = await inReview()
    await upload(bank, id, await requestDocument(bank, id))
    expect(await statusOf(bank, id)).toBe('PendingReview')
    // All documents are approved, so that another one may be asked for.
    await requestDocument(bank, id)
    expect(await statusOf(bank, id)).toBe('AwaitingDocuments')
  })

  test('refuses a second document while one is missing, and an application that is decided', async () => {
    const id = await inReview()
    await requestDocument(bank, id)
    expect(refusalOf(await decide(bank, `applications/${id}/documents`))).toEqual([409, 'document_wrong_state'])
    const parallel = await inReview()
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => decide(bank, `applications/${parallel}/documents`)),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    const decided = await apply(bank)
    expect(refusalOf(await decide(bank, `applications/${decided}/documents`))).toEqual([409, 'application_wrong_state'])
    for (const odd of ['1', 'x']) {
      expect(refusalOf(await decide(bank, `applications/${odd}/documents`))).toEqual([404, 'application_not_found'])
    }
    const other = await decide(bank, `applications/${id}/documents`, {}, { key: bank.otherKey })
    expect(refusalOf(other)).toEqual([404, 'application_not_found'])
    const key = await bank.makeKey('first', null)
    expect(refusalOf(await decide(bank, `applications/${id}/documents`, {}, { key }))).toEqual([403, 'forbidden'])
  })
})
