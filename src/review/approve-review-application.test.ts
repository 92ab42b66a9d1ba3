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
import { applicant, makeApplication } from '../../test/support/world.ts'

let bank: TestBank
let live: TestBank

beforeAll(async () => {
  bank = await openTestBank()
  live = await openTestBank({ mode: 'live', review: 'manual' })
})
afterAll(async () => {
  await bank.close()
  await live.close()
})

describe('an application under manual review', () => {
  test('waits for a person in live mode, and the approval creates its customer', async () => {
    const id = await apply(live)
    expect(await ask(live, 'GET', `/v0/banking/applications/${id}`)).toEqual({
      id,
      status: 'PendingReview',
      createdAt: expect.any(String),
      name: applicant.name,
      email: applicant.email,
      documents: [],
    })
    const headers = { 'x-request-id': 'approval-1' }
    const reply = await decide(live, `applications/${id}/approve`, { reason: 'The register was checked' }, { headers })
    expect([reply.status, reply.json.data]).toEqual([
      200,
      {
        id,
        status: 'Approved',
        createdAt: expect.any(String),
        name: applicant.name,
        email: applicant.email,
        customerId: expect.stringMatching(/^\d+$/),
        documents: [],
      },
    ])
    const { customerId } = reply.json.data
    expect((await ask(live, 'GET', `/v0/banking/customers/${customerId}`)).status).toBe('Active')
    expect(await auditOf(live, 'application.approved', id)).toMatchObject({
      outcome: 'Done',
      actor: { type: 'apiKey', name: expect.stringContaining('key-of-first') },
      record: { type: 'application', id },
      reason: 'The register was checked',
      requestId: 'approval-1',
    })
  })

  test('is not approved by its documents alone', async () => {
    const id = await apply(live)
    const documentId = await requestDocument(live, id)
    expect(await statusOf(live, id)).toBe('AwaitingDocuments')
    expect((await upload(live, id, documentId)).json.data.status).toBe('PendingReview')
    expect(await statusOf(live, id)).toBe('PendingReview')
    expect((await decide(live, `documents/${documentId}/approve`)).json.data.status).toBe('Approved')
    expect(await statusOf(live, id)).toBe('PendingReview')
    expect((await decide(live, `applications/${id}/approve`)).json.data.status).toBe('Approved')
  })

  test('waits in a sandbox only where it is set, and the numbers of the sandbox keep their outcomes', async () => {
    expect(await statusOf(bank, await apply(bank))).toBe('Approved')
    const manual = await openTestBank({ review: 'manual' })
    try {
      expect(await statusOf(manual, await apply(manual))).toBe('PendingReview')
      expect(await statusOf(manual, await apply(manual, { ssn: '000000001' }))).toBe('Denied')
      expect(await statusOf(manual, await apply(manual, { ssn: '000000003' }))).toBe('AwaitingDocuments')
      expect(await statusOf(manual, await apply(manual, { ssn: '000000004' }))).toBe('PendingReview')
    } finally {
      await manual.close()
    }
  })

  test('is approved at once in live mode where automatic is said', async () => {
    const automatic = await openTestBank({ mode: 'live', review: 'automatic' })
    try {
      expect(await statusOf(automatic, await apply(automatic))).toBe('Approved')
    } finally {
      await automatic.close()
    }
  })
})

describe('approve application as reviewer', () => {
  test('approves in every undecided state, with or without a reason, and once', async () => {
    const { applicationId } = await makeApplication(bank)
    const key = { headers: { 'idempotency-key': 'approve-1' } }
    const first = await decide(bank, `applications/${applicationId}/approve`, {}, key)
    expect(first.json.data.status).toBe('Approved')
    const again = await decide(bank, `applications/${applicationId}/approve`, {}, key)
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([200, first.text, 'true'])
    expect(refusalOf(await decide(bank, `applications/${applicationId}/approve`))).toEqual([
      409,
      'application_wrong_state',
    ])
    expect((await auditOf(bank, 'application.approved', applicationId)).reason).toBeNull()
    const denied = await apply(bank, { ssn: '000000001' })
    expect(refusalOf(await decide(bank, `applications/${denied}/approve`))).toEqual([409, 'application_wrong_state'])
  })

  test('lets one of many decisions win that are made at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => apply(live)))
    for (const id of ids) {
      const replies = await Promise.all(
        Array.from({ length: 6 }, (_, place) =>
          decide(live, `applications/${id}/${place % 2 ? 'approve' : 'deny'}`, { reason: `Reviewer ${place}` }),
        ),
      )
      const [won, ...others] = replies.filter(({ status }) => status === 200)
      expect(others).toEqual([])
      expect(replies.filter(({ json }) => json.code === 'application_wrong_state').length).toBe(5)
      expect(won?.json.data.status).toBe(await statusOf(live, id))
      const reasons = await live.database.query<{ reason: string }>(
        'select reason from decision_reason where record_id = $1::bigint',
        [id],
      )
      expect(reasons.length).toBe(1)
    }
  })

  test('needs the scope by name, and finds nothing of another organisation', async () => {
    const id = await apply(live)
    const full = await live.makeKey('first', null)
    const others = await live.makeKey('first', ['banking:write', 'keys:write', 'processor:write'])
    for (const key of [full, others]) {
      const reply = await decide(live, `applications/${id}/approve`, {}, { key })
      expect(refusalOf(reply)).toEqual([403, 'forbidden'])
      expect(reply.json.detail).toContain('purser keys create --scopes review:write')
    }
    const { json } = await live.call('GET', '/v0/me', { key: full })
    expect(json.data.operations).not.toContain('approveReviewApplication')
    for (const verdict of ['approve', 'deny']) {
      const reply = await decide(live, `applications/${id}/${verdict}`, { reason: 'x' }, { key: live.otherKey })
      expect(refusalOf(reply)).toEqual([404, 'application_not_found'])
    }
    for (const odd of ['1', 'x', '9007199254740993']) {
      expect(refusalOf(await decide(live, `applications/${odd}/approve`))).toEqual([404, 'application_not_found'])
    }
    expect(await statusOf(live, id)).toBe('PendingReview')
  })

  test('takes a reason of 1 to 255 characters', async () => {
    for (const reason of ['', 'x'.repeat(256), 7]) {
      expect(refusalOf(await decide(live, 'applications/1000000/approve', { reason }))).toEqual([
        400,
        'invalid_request',
      ])
    }
    const id = await apply(live)
    expect((await decide(live, `applications/${id}/approve`, { reason: 'é'.repeat(255) })).status).toBe(200)
    expect((await auditOf(live, 'application.approved', id)).reason).toBe('é'.repeat(255))
  })
})
