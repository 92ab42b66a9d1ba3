import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { apply, decide, refusalOf, requestDocument, upload } from '../../test/support/review/reviewer.ts'
import { applicant } from '../../test/support/world.ts'
import { eraseCustomer } from '../bank/erasure/erase.ts'
import { makeSsnDigests } from '../bank/screening/same-people.ts'

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
      samePeople: [ids[2], ids[0]].map((id, place) => ({
        ...{ type: 'application', id, name: applicant.name, on: ['address', 'email', 'phone', 'ssn'] },
        status: place === 0 ? 'AwaitingDocuments' : 'PendingReview',
      })),
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

  test('names customers and applications with the same number, e-mail, phone or address, of the organisation alone', async () => {
    const alike = (place: number) => ({
      ssn: `98765432${place}`,
      email: `Person${place}@Example.com`,
      phone: `+1415555010${place}`,
      address: { ...applicant.address, street: `${place} Other Street`, postalCode: '94103' },
    })
    const sameOf = async (id: string) =>
      (await queue('?limit=100')).find((row: { id: string }) => row.id === id).samePeople
    const approved = await apply(bank, { ...alike(1), name: 'Mary Known' })
    const { customerId } = (await decide(bank, `applications/${approved}/approve`)).json.data
    const denied = await apply(bank, { ...alike(2), ssn: alike(3).ssn })
    await decide(bank, `applications/${denied}/deny`, { reason: 'Not verified' })
    const other = { key: bank.otherKey, body: { ...applicant, ...alike(4), ssn: alike(4).ssn } }
    const elsewhere = (await bank.call('POST', '/v0/banking/applications', other)).json.data.id
    expect(
      await decide(bank, `applications/${elsewhere}/deny`, { reason: 'No' }, { key: bank.otherKey }),
    ).toMatchObject({ status: 200 })

    const known = { type: 'customer', id: customerId, name: 'Mary Known', status: 'Active' }
    for (const [content, expected] of [
      [{ ssn: alike(1).ssn }, [{ ...known, on: ['ssn'] }]],
      [{ email: 'person1@example.COM' }, [{ ...known, on: ['email'] }]],
      [{ phone: alike(1).phone }, [{ ...known, on: ['phone'] }]],
      [
        { address: { ...alike(1).address, street: '1 OTHER street', city: 'Oakland' } },
        [{ ...known, on: ['address'] }],
      ],
      [{ address: { ...alike(1).address, postalCode: '94104' } }, []],
      [
        { ssn: alike(3).ssn, email: alike(1).email },
        [
          { type: 'application', id: denied, name: applicant.name, status: 'Denied', on: ['ssn'] },
          { ...known, on: ['email'] },
        ],
      ],
      [alike(4), []],
    ] as const) {
      const id = await apply(bank, { ...alike(9), ...content })
      expect(await sameOf(id), JSON.stringify(content)).toEqual(expected)
      await bank.database.query('delete from document where application_id = $1::bigint', [id])
      await bank.database.query('delete from application where id = $1::bigint', [id])
    }
  })

  test('finds numbers of a version without digests, and none after an erasure', async () => {
    const first = await apply(bank, { ssn: '555443333', email: 'a@example.com', phone: '+14155550200' })
    const { customerId } = (await decide(bank, `applications/${first}/approve`)).json.data
    const address = { ...applicant.address, street: '77 Sole Street' }
    const second = await apply(bank, { ssn: '555443333', email: 'b@example.com', phone: '+14155550201', address })
    const sameOf = async () => (await queue('?limit=100')).find((row: { id: string }) => row.id === second).samePeople
    await bank.database.query('update application set ssn_digest = null where id = $1::bigint', [first])
    expect(await sameOf()).toEqual([])
    expect(await makeSsnDigests(bank.database, bank.seals)).toBe(true)
    expect(await sameOf()).toMatchObject([{ type: 'customer', id: customerId, on: ['ssn'] }])
    await eraseCustomer(bank.database, Number(customerId), { early: true })
    expect(await sameOf()).toEqual([])
    expect(await makeSsnDigests(bank.database, bank.seals)).toBe(true)
    expect(await sameOf()).toEqual([])
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
