import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { signIn } from '../../test/support/people/sign-in.ts'
import { apply, auditOf, decide, PNG, refusalOf, requestDocument, upload } from '../../test/support/review/reviewer.ts'
import { eraseCustomer } from '../bank/erasure/erase.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank({ mode: 'live', review: 'manual' })
})
afterAll(() => bank.close())

const look = (documentId: string, query = '', options = {}) =>
  bank.call('GET', `/v0/review/documents/${documentId}/content${query}`, options)

async function uploaded(): Promise<{ applicationId: string; documentId: string }> {
  const applicationId = await apply(bank)
  const documentId = await requestDocument(bank, applicationId)
  await upload(bank, applicationId, documentId)
  return { applicationId, documentId }
}

describe('the content of a document', () => {
  test('is the file as it was uploaded, and every look is in the audit log', async () => {
    const { documentId } = await uploaded()
    const reply = await look(documentId, '', { headers: { 'x-request-id': 'look-1' } })
    expect(reply.status).toBe(200)
    expect(reply.bytes.equals(Buffer.from(PNG, 'base64'))).toBe(true)
    expect(reply.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(Buffer.from(PNG, 'base64').length),
      'content-disposition': `attachment; filename="document-${documentId}-front.png"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(await auditOf(bank, 'document.viewed', documentId)).toMatchObject({
      outcome: 'Done',
      actor: { type: 'apiKey', name: expect.stringContaining('key-of-first') },
      record: { type: 'document', id: documentId },
      requestId: 'look-1',
    })
    await look(documentId)
    const events = await ask(bank, 'GET', '/v0/events?type=document.viewed')
    const versions = events
      .filter(({ entity }: { entity: { id: string } }) => entity.id === documentId)
      .map(({ entity }: { entity: { version: number } }) => entity.version)
    expect(versions.length).toBe(2)
    expect(versions[1]).toBe(versions[0] + 1)
  })

  test('is found by its side; a side without a file leaves no trace', async () => {
    const { applicationId, documentId } = await uploaded()
    expect(refusalOf(await look(documentId, '?side=back'))).toEqual([409, 'document_not_uploaded'])
    expect(await auditOf(bank, 'document.viewed', documentId)).toBeUndefined()
    const pdf = Buffer.from('%PDF-1.4\n%%EOF\n')
    const path = `/v0/banking/applications/${applicationId}/documents/${documentId}/back`
    const body = { file: pdf.toString('base64'), contentType: 'application/pdf' }
    expect((await bank.call('POST', path, { body })).status).toBe(201)
    const reply = await look(documentId, '?side=back')
    expect([reply.headers['content-type'], reply.bytes.equals(pdf)]).toEqual(['application/pdf', true])
    expect(reply.headers['content-disposition']).toBe(`attachment; filename="document-${documentId}-back.pdf"`)
    expect(refusalOf(await look(documentId, '?side=top'))).toEqual([400, 'invalid_request'])
  })

  test('is shown to reviewers of the organisation alone', async () => {
    const { documentId } = await uploaded()
    expect(refusalOf(await look(documentId, '', { key: bank.otherKey }))).toEqual([404, 'document_not_found'])
    expect(refusalOf(await look(documentId, '', { key: await bank.makeKey('first', null) }))).toEqual([
      403,
      'forbidden',
    ])
    for (const odd of ['1', 'x']) expect(refusalOf(await look(odd))).toEqual([404, 'document_not_found'])
  })

  test('is refused to a viewer and to support, and a look of a reviewer names the person and the session', async () => {
    const { documentId } = await uploaded()
    for (const role of ['viewer', 'support', 'developer', 'operator']) {
      const ada = await signIn(bank, { first: role })
      const { status } = await ada.call('GET', `/v0/review/documents/${documentId}/content`)
      expect(status, role).toBe(role === 'operator' ? 200 : 403)
    }
    const reviewer = await signIn(bank, { first: 'reviewer' }, { name: 'Grace Hopper' })
    expect((await reviewer.call('GET', `/v0/review/documents/${documentId}/content`)).status).toBe(200)
    expect(await auditOf(bank, 'document.viewed', documentId)).toMatchObject({
      actor: { type: 'person', id: String(reviewer.id), name: 'Grace Hopper', session: { address: '127.0.0.1' } },
    })
  })

  test('is gone after the erasure of the customer, and so are the reasons of the decisions', async () => {
    const { applicationId, documentId } = await uploaded()
    await decide(bank, `documents/${documentId}/approve`, { reason: 'The face of Ada' })
    const approval = await decide(bank, `applications/${applicationId}/approve`, { reason: 'Ada was seen' })
    expect((await auditOf(bank, 'document.approved', documentId)).reason).toBe('The face of Ada')
    await eraseCustomer(bank.database, Number(approval.json.data.customerId), { early: true })
    expect(refusalOf(await look(documentId))).toEqual([409, 'document_not_uploaded'])
    expect((await auditOf(bank, 'document.approved', documentId)).reason).toBeNull()
    expect((await auditOf(bank, 'application.approved', applicationId)).reason).toBeNull()
    const rows = await bank.database.query('select from decision_reason where reason like $1', ['%Ada%'])
    expect(rows).toEqual([])
  })

  test('is read by few at a time, and all of them are answered', async () => {
    const { documentId } = await uploaded()
    const replies = await Promise.all(Array.from({ length: 12 }, () => look(documentId)))
    expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200))
  })
})
