import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { apply, decide, refusalOf, requestDocument, upload } from '../../test/support/review/reviewer.ts'
import { applicant } from '../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank({ mode: 'live', review: 'manual' })
})
afterAll(() => bank.close())

const queue = (query = '') => ask(bank, 'GET', `/v0/review/applications${query}`)
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

describe('the queue of applications', () => {
  test('shows undecided applications, oldest first, with the facts that a decision needs', async () => {
    const ids = [await apply(bank), await apply(bank), await apply(bank)] as [string, string, string]
    const documentId = await requestDocument(bank, ids[1])
    await upload(bank, ids[1], documentId)
    await upload(bank, ids[1], documentId, '/back')
    const waiting = await requestDocument(bank, ids[2])
    const rows = await queue()
    expect(idsOf(rows)).toEqual(ids)
    expect(rows[1]).toEqual({
      id: ids[1],
      status: 'PendingReview',
      createdAt: expect.any(String),
      name: applicant.name,
      email: applicant.email,
      dateOfBirth: applicant.dateOfBirth,
      ssnLastDigits: '6789',
      phone: applicant.phone,
      address: applicant.address,
      screening: null,
      documents: [
        {
          id: documentId,
          documentType: 'Passport',
          status: 'PendingReview',
          description: 'Upload the photo page of the passport.',
          files: [
            { side: 'front', contentType: 'image/png', uploadedAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) },
            { side: 'back', contentType: 'image/png', uploadedAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) },
          ],
        },
      ],
    })
    expect(rows[2].documents).toMatchObject([{ id: waiting, status: 'Required', files: [] }])
    expect(idsOf(await queue('?status=AwaitingDocuments'))).toEqual([ids[2]])
    expect(idsOf(await queue('?status=PendingReview'))).toEqual([ids[0], ids[1]])
    expect(idsOf(await queue('?sort=-createdAt'))).toEqual([...ids].reverse())
    expect(idsOf(await queue(`?since=${rows[0].createdAt}`))).toEqual([ids[1], ids[2]])
    expect(idsOf(await queue(`?until=${rows[0].createdAt}`))).toEqual([])

    const first = await bank.call('GET', '/v0/review/applications?limit=2')
    expect(idsOf(first.json.data)).toEqual([ids[0], ids[1]])
    const [, next] = /<([^>]+)>; rel="next"/.exec(String(first.headers.link)) ?? []
    await decide(bank, `applications/${ids[0]}/deny`, { reason: 'Not verified' })
    const second = await bank.call('GET', next ?? '')
    expect([idsOf(second.json.data), second.headers.link]).toEqual([[ids[2]], undefined])
    expect(idsOf(await queue())).toEqual([ids[1], ids[2]])
  })

  test('is shown to reviewers of the organisation alone', async () => {
    await apply(bank)
    expect((await bank.call('GET', '/v0/review/applications', { key: bank.otherKey })).json.data).toEqual([])
    for (const scopes of [null, ['banking:write', 'keys:write'] as const]) {
      const key = await bank.makeKey('first', scopes && [...scopes])
      expect(refusalOf(await bank.call('GET', '/v0/review/applications', { key }))).toEqual([403, 'forbidden'])
    }
  })

  test.each(['limit=0', 'limit=1001', 'status=Approved', 'sort=name', 'since=never', 'cursor=x', 'offset=-1'])(
    'refuses %s',
    async (query) => {
      expect(refusalOf(await bank.call('GET', `/v0/review/applications?${query}`))).toEqual([400, 'invalid_request'])
    },
  )
})
