import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { advance, ask } from '../../../test/support/cards.ts'
import { ENCRYPTION_KEY } from '../../../test/support/cells/home-cell.ts'
import { eventsAfter, expectAccurate, type RecordedEvent } from '../../../test/support/events.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger, holdRows, locksAwaited, makePayer, pay } from '../../../test/support/ledger.ts'
import { openAuthenticator } from '../../../test/support/people/authenticator.ts'
import { type SignedInPerson, signIn } from '../../../test/support/people/sign-in.ts'
import { auditOf, refusalOf } from '../../../test/support/review/reviewer.ts'
import { verifyRecords } from '../../bank/proof/verify-records.ts'
import { clock } from '../../base/clock.ts'
import type { Scope } from '../../base/operation.ts'
import { sha256 } from '../../base/sha256.ts'
import { operations } from '../../operations.ts'
import { changeRole, inviteAnew, remove } from '../../people/manage-people.ts'

const LEAST = 50_00
const EVERYWHERE_MS = 5_000
let bank: TestBank
let ada: SignedInPerson
let bob: SignedInPerson
/** A person without the scope of reviewers. */
let viewer: SignedInPerson

beforeAll(async () => {
  bank = await openTestBank({ signatures: { from: { paymentApproval: LEAST }, expiryMs: 7 * 86_400_000 } })
  ada = await signIn(bank, { first: 'reviewer' }, { name: 'Ada' })
  bob = await signIn(bank, { first: 'reviewer' }, { name: 'Bob' })
  viewer = await signIn(bank, { first: 'viewer' }, { name: 'Vic' })
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

const body = { reason: 'The invoice was checked' }

/** A payment that waits for a review. */
async function paymentInReview(amount = LEAST): Promise<{ id: string; path: string }> {
  const payer = await makePayer(bank, 1_000_00)
  await ask(bank, 'PUT', `/v0/banking/accounts/${payer.accountId}/limits`, { payment: { soft: 1 } })
  const { id } = (await pay(bank, payer, { amount })).json.data
  return { id, path: `/v0/review/payments/${id}/approve` }
}

async function propose(by: Pick<SignedInPerson, 'call'> = ada) {
  const payment = await paymentInReview()
  const { status, text, json } = await by.call('POST', payment.path, { body })
  expect(status, text).toBe(202)
  return { payment, id: json.data.id as string, proposal: json.data }
}

const decide = (by: Pick<SignedInPerson, 'call'>, id: string, verb: string, content: object = {}, headers = {}) =>
  by.call('POST', `/v0/proposals/${id}/${verb}`, { body: content, headers })

const statusOf = async (id: string) => (await ask(bank, 'GET', `/v0/banking/payments/${id}`)).status

describe('A decision that a rule covers', () => {
  test('is proposed: nothing else changes, and a repeated request gets the same answer', async () => {
    const { id, path } = await paymentInReview()
    const headers = { 'idempotency-key': `approve-${id}` }
    const first = await ada.call('POST', path, { body, headers })
    expect(first.status, first.text).toBe(202)
    const { data } = first.json
    expect(data).toEqual({
      ...{
        id: expect.stringMatching(/^\d+$/),
        state: 'Waiting',
        decision: 'paymentApproval',
        operation: 'approvePayment',
      },
      ...{ params: { paymentId: id }, body, recordId: id, amount: LEAST, reason: body.reason },
      proposedBy: { type: 'person', id: String(ada.id), name: 'Ada' },
      ...{ decidedBy: null, decisionReason: null, problem: null, decidedAt: null },
      createdAt: expect.any(String),
      expiresAt: new Date(Date.parse(data.createdAt) + 7 * 86_400_000).toISOString(),
    })
    expect(await statusOf(id)).toBe('PendingReview')
    expect((await ada.call('POST', path, { body, headers })).text).toBe(first.text)
    expect(refusalOf(await bob.call('POST', path, { body }))).toEqual([409, 'proposal_waiting'])
    expect((await bob.call('GET', `/v0/proposals/${data.id}`)).json.data).toEqual(data)
    expect((await bob.call('GET', '/v0/proposals?state=Waiting&limit=1')).json.data).toEqual([data])
    const [event] = await ask(bank, 'GET', '/v0/events?type=proposal.created&limit=1000')
    expect(event.data.decision).toBe('paymentApproval')
    expect((await auditOf(bank, 'proposal.created', data.id)).reason).toBe(body.reason)
    // The first request is answered like this for ever, whatever becomes of the proposal.
    expect((await decide(bob, data.id, 'approve')).json.data.state).toBe('Executed')
    expect((await ada.call('POST', path, { body, headers })).text).toBe(first.text)
  })

  test('is not proposed below the amount, nor if the operation would refuse it', async () => {
    const below = await paymentInReview(LEAST - 1)
    expect((await ada.call('POST', below.path, { body })).json.data).toMatchObject({ id: below.id, status: 'Sent' })
    expect(refusalOf(await ada.call('POST', below.path, { body }))).toEqual([409, 'payment_not_in_review'])
    const unknown = '/v0/review/payments/999999999/approve'
    expect(refusalOf(await ada.call('POST', unknown, { body }))).toEqual([404, 'payment_not_found'])
    const { path } = await paymentInReview()
    expect(refusalOf(await ada.call('POST', path, { body: {} }))).toEqual([400, 'invalid_request'])
    expect(refusalOf(await viewer.call('POST', path, { body }))).toEqual([403, 'forbidden'])
  })
})

describe('The second signature', () => {
  test('runs the operation as the signer, and everything names both persons', async () => {
    const { payment, id } = await propose()
    const approved = await decide(bob, id, 'approve', { reason: 'I called the payee' })
    expect(approved.status, approved.text).toBe(200)
    expect(approved.json.data).toMatchObject({
      ...{ state: 'Executed', decisionReason: 'I called the payee', problem: null },
      proposedBy: { name: 'Ada' },
      decidedBy: { type: 'person', id: String(bob.id), name: 'Bob' },
    })
    expect(await statusOf(payment.id)).toBe('Sent')
    expect(await auditOf(bank, 'payment.sent', payment.id)).toMatchObject({
      actor: { name: 'Bob' },
      reason: body.reason,
    })
    expect(await auditOf(bank, 'proposal.created', id)).toMatchObject({ actor: { name: 'Ada' } })
    const signed = { actor: { name: 'Bob' }, reason: 'I called the payee' }
    expect(await auditOf(bank, 'proposal.approved', id)).toMatchObject(signed)
    const events = await ask(bank, 'GET', '/v0/events?limit=1000')
    const sent = events.find(
      ({ type, entity }: never) => type === 'payment.sent' && (entity as { id: string }).id === payment.id,
    )
    expect(sent.request.idempotencyKey).toBe(`proposal ${id}`)
    const proof = { encryptionKeys: [ENCRYPTION_KEY], keepAnswersMs: 90 * 86_400_000 }
    expect(await verifyRecords(bank.database, proof)).toEqual([])
    expect(refusalOf(await decide(bob, id, 'approve'))).toEqual([409, 'proposal_not_waiting'])
  })

  test('is not that of the proposer, in any session or role, nor that of a key', async () => {
    const { payment, id } = await propose()
    const second = [409, 'second_person_required']
    expect(refusalOf(await decide(ada, id, 'approve'))).toEqual(second)
    const again = await signIn(bank, {}, { as: ada.id })
    expect(refusalOf(await decide(again, id, 'approve'))).toEqual(second)
    const command = await signIn(bank, {}, { as: ada.id, kind: 'command' })
    expect(refusalOf(await decide(command, id, 'approve'))).toEqual(second)
    await bank.database.query(`update people set roles = '{"first": "administrator"}' where id = $1::bigint`, [ada.id])
    expect(refusalOf(await decide(await signIn(bank, {}, { as: ada.id }), id, 'approve'))).toEqual(second)
    await bank.database.query(`update people set roles = '{"first": "reviewer"}' where id = $1::bigint`, [ada.id])
    const key = await bank.makeKey('first', ['review:write'])
    expect(refusalOf(await bank.call('POST', `/v0/proposals/${id}/approve`, { key, body: {} }))).toEqual(second)
    expect(refusalOf(await decide(viewer, id, 'approve'))).toEqual([403, 'forbidden'])
    expect(refusalOf(await viewer.call('GET', '/v0/proposals'))).toEqual([403, 'forbidden'])
    // A key for risk lacks the scope of this operation.
    const risk = await bank.makeKey('first', ['risk:write'])
    expect((await bank.call('GET', '/v0/proposals', { key: risk })).json.data).toEqual([])
    expect(refusalOf(await bank.call('GET', `/v0/proposals/${id}`, { key: risk }))).toEqual([403, 'forbidden'])
    expect(refusalOf(await viewer.call('GET', `/v0/proposals/${id}`))).toEqual([403, 'forbidden'])
    const stranger = { key: bank.otherKey, body: {} }
    expect(refusalOf(await bank.call('POST', `/v0/proposals/${id}/approve`, stranger))).toEqual([
      404,
      'proposal_not_found',
    ])
    expect(await statusOf(payment.id)).toBe('PendingReview')
  })

  test('is not that of a person whom the proposer has invited, nor of who has invited the proposer', async () => {
    const page = { host: 'localhost:4000', origin: 'http://localhost:4000', 'sec-fetch-site': 'same-origin' }
    const post = (name: string, content: object, headers: Record<string, string> = {}) =>
      bank.call('POST', `/session/${name}`, { key: null, body: content, headers: { ...page, ...headers } })
    const grace = await signIn(bank, { first: 'administrator' }, { name: 'Grace Hopper' })
    const [old, cy] = [await signIn(bank, { first: 'reviewer' }), await signIn(bank, { first: 'reviewer' })]
    const { payment, id } = await propose(grace)
    // The administrator makes a link for a lost device of a colleague, and uses it alone.
    const linkTo = async (person: SignedInPerson) => {
      const { json } = await grace.call('POST', '/session/people/link', {
        body: { id: String(person.id) },
        headers: page,
      })
      return json.data.link.split('#invitation=')[1]
    }
    const { data: options } = (await post('invitation', { invitation: await linkTo(old) })).json
    const registered = await post('registration', { response: openAuthenticator(page.origin).register(options) })
    const cookie = String(registered.headers['set-cookie']).split(';')[0] ?? ''
    const as = {
      call: (method: string, path: string, options = {}) =>
        bank.call(method, path, { key: null, ...options, headers: { ...page, cookie } }),
    }
    const second = [409, 'second_person_required']
    expect(refusalOf(await decide(as, id, 'approve'))).toEqual(second)
    const lookedUp = async (by: Pick<SignedInPerson, 'call'>, proposal: string) =>
      (await by.call('GET', `/v0/lookup/proposal/${proposal}`)).json.data.actions[0].problem
    expect(await lookedUp(as, id)).toBe('second_person_required')
    const theirs = await propose(as)
    expect(refusalOf(await decide(grace, theirs.id, 'approve'))).toEqual(second)
    expect(await lookedUp(grace, theirs.id)).toBe('second_person_required')
    expect(await statusOf(payment.id)).toBe('PendingReview')
    // Two whom the same administrator has invited are two persons, and a link of the operator makes them independent.
    await linkTo(cy)
    const invited = await signIn(bank, {}, { as: cy.id })
    expect((await decide(invited, theirs.id, 'approve')).json.data.state).toBe('Executed')
    await inviteAnew(bank.database, old.id)
    const again = await signIn(bank, {}, { as: old.id })
    expect((await decide(again, id, 'approve')).json.data.state).toBe('Executed')
  })

  test('of a person counts for the proposal of a key', async () => {
    const key = await bank.makeKey('first', ['review:write'])
    const byKey = { call: (method: string, path: string, options = {}) => bank.call(method, path, { key, ...options }) }
    const { id, proposal } = await propose(byKey)
    expect(proposal.proposedBy).toMatchObject({ type: 'apiKey', name: key })
    expect((await decide(ada, id, 'approve')).json.data.state).toBe('Executed')
  })

  test('is not that of a person who has made or rotated the key that proposes', async () => {
    const grace = await signIn(bank, { first: 'administrator' }, { name: 'Grace Hopper' })
    const scopes = ['review:write', 'keys:write']
    const issued = async (
      call: SignedInPerson['call'],
      path: string,
      content: object,
    ): Promise<SignedInPerson['call']> => {
      const { status, text, json } = await call('POST', path, { body: content })
      expect(status, text).toBe(path.endsWith('rotate') ? 200 : 201)
      const headers = { 'x-service-api-key': json.data.key }
      return (method, url, options = {}) => bank.call(method, url, { ...options, key: null, headers })
    }
    const own = await issued(grace.call, '/v0/api-keys', { name: 'Made by Grace', scopes })
    const next = await issued(own, '/v0/api-keys', { name: 'Made by the key', scopes })
    const other = (await ask(bank, 'POST', '/v0/api-keys', { name: 'Rotated by Grace', scopes })).id
    const rotated = await issued(grace.call, `/v0/api-keys/${other}/rotate`, { graceSeconds: 0 })
    const invited = await signIn(bank, { first: 'reviewer' })
    await bank.database.query('update people set invited_by = $2::bigint where id = $1::bigint', [invited.id, grace.id])
    for (const call of [own, next, rotated]) {
      const { id, proposal } = await propose({ call })
      expect(proposal.proposedBy.type).toBe('apiKey')
      for (const by of [grace, invited])
        expect(refusalOf(await decide(by, id, 'approve'))).toEqual([409, 'second_person_required'])
      expect((await decide(bob, id, 'approve')).json.data.state).toBe('Executed')
    }
  })

  test('is not that of a person who was removed, or lost the role, after the proposal', async () => {
    const { payment, id } = await propose()
    const [removed, changed] = [await signIn(bank, { first: 'reviewer' }), await signIn(bank, { first: 'reviewer' })]
    for (const person of [removed, changed])
      expect((await person.call('GET', `/v0/proposals/${id}`)).json.data.state).toBe('Waiting')
    await remove(bank.database, removed.id)
    await changeRole(bank.database, { id: changed.id, organisation: 'first', role: 'viewer' })
    const later = performance.now() + EVERYWHERE_MS
    vi.spyOn(clock, 'elapsedMs').mockImplementation(() => later)
    expect(refusalOf(await decide(removed, id, 'approve'))).toEqual([401, 'unauthorized'])
    expect(refusalOf(await decide(changed, id, 'approve'))).toEqual([403, 'forbidden'])
    vi.restoreAllMocks()
    expect(await statusOf(payment.id)).toBe('PendingReview')
    // The proposer may be gone by then: the signer sees who it was.
    const gone = await signIn(bank, { first: 'reviewer' }, { name: 'Dan' })
    const theirs = await propose(gone)
    await remove(bank.database, gone.id)
    const { json } = await decide(bob, theirs.id, 'approve')
    expect(json.data).toMatchObject({ state: 'Executed', proposedBy: { name: 'Dan' } })
  })

  test('of a person finds nothing in another organisation in which the person has a role', async () => {
    const { id } = await propose()
    const eve = await signIn(bank, { first: 'reviewer', second: 'administrator' })
    for (const verb of ['approve', 'reject', 'withdraw']) {
      const content = verb === 'reject' ? body : {}
      const reply = await eve.call('POST', `/v0/proposals/${id}/${verb}`, { body: content, in: 'second' })
      expect(refusalOf(reply), verb).toEqual([404, 'proposal_not_found'])
    }
    expect(refusalOf(await eve.call('GET', `/v0/proposals/${id}`, { in: 'second' }))).toEqual([
      404,
      'proposal_not_found',
    ])
    expect((await eve.call('GET', '/v0/proposals', { in: 'second' })).json.data).toEqual([])
    expect((await decide(eve, id, 'approve')).json.data.state).toBe('Executed')
  })

  test('and a rejection, a withdrawal and the expiry at the same time end a proposal in one way', async () => {
    const endings = new Set<string>()
    for (let round = 0; round < 12; round++) {
      const { payment, id } = await propose()
      const ways = [
        () => decide(bob, id, 'approve'),
        () => decide(ada, id, 'withdraw'),
        () => decide(bob, id, 'reject', body),
        () => bank.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'P7D' } }),
      ]
      // Another one comes first each time.
      const turned = ways.map((_, place) => ways[(place + round) % ways.length]?.())
      for (const reply of await Promise.all(turned)) expect([200, 409]).toContain(reply?.status)
      const { state } = (await bob.call('GET', `/v0/proposals/${id}`)).json.data
      endings.add(state)
      expect(await statusOf(payment.id)).toBe(state === 'Executed' ? 'Sent' : 'PendingReview')
      const own = (await eventsAfter(bank, 0)).filter(({ entityId }) => entityId === id).map(({ type }) => type)
      const between = state === 'Executed' ? ['proposal.approved'] : []
      expect(own).toEqual(['proposal.created', ...between, `proposal.${state.toLowerCase()}`])
    }
    expect(endings.size).toBeGreaterThan(1)
  })

  test('takes effect once in a race of 50, of one person or of several', async () => {
    for (const persons of [[bob], [bob, await signIn(bank, { first: 'reviewer' }, { name: 'Cy' })]]) {
      const { payment, id } = await propose()
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, place) =>
          decide(persons[place % persons.length] as SignedInPerson, id, 'approve'),
        ),
      )
      const states = replies.map(({ status, json }) => (status === 200 ? json.data.state : json.code))
      expect(states).toContain('Executed')
      expect(states.filter((state) => !['Executed', 'proposal_not_waiting'].includes(state))).toEqual([])
      const events = await ask(bank, 'GET', '/v0/events?limit=1000&after=0')
      const own = events.filter(({ entity }: { entity: { id: string } }) => [payment.id, id].includes(entity.id))
      const types = own.map(({ type }: { type: string }) => type)
      const proposal = ['proposal.created', 'proposal.approved', 'payment.sent', 'proposal.executed']
      expect(types).toEqual(['payment.created', ...proposal])
    }
  })

  test('says so if the operation is refused by then', async () => {
    const { payment, id } = await propose()
    await ada.call('POST', `/v0/review/payments/${payment.id}/reject`, { body })
    const { status, json } = await decide(bob, id, 'approve')
    expect([status, json.data]).toMatchObject([200, { state: 'Failed', problem: { code: 'payment_not_in_review' } }])
    expect(await statusOf(payment.id)).toBe('Rejected')
    expect(refusalOf(await decide(bob, id, 'approve'))).toEqual([409, 'proposal_not_waiting'])
  })

  describe('whose operation runs twice', () => {
    /** Lets the operation run again, for another payment that stands for its own. */
    const interrupt = (id: string, paymentId: string) =>
      bank.database.query(
        `update proposal set state = 'Approved', problem = null, changed_at = now() - interval '1 minute',
           params = $2::jsonb where id = $1::bigint`,
        [Number(id), JSON.stringify({ paymentId })],
      )
    const outcomeOf = async (id: string) => (await bob.call('GET', `/v0/proposals/${id}`)).json.data
    const hashOf = (id: string) => sha256(`proposal ${id}`)

    /** An approved proposal whose run was lost, and whose next one is refused. */
    async function withRefusal(): Promise<string> {
      const { id } = await propose()
      await decide(bob, id, 'approve')
      await bank.database.query('delete from answer where key_hash = $1::bytea', [hashOf(id)])
      const rejected = await paymentInReview()
      await ada.call('POST', `/v0/review/payments/${rejected.id}/reject`, { body })
      await interrupt(id, rejected.id)
      return id
    }

    test('is executed if one run has an effect before the refusal of the other one is noted', async () => {
      const id = await withRefusal()
      const release = await holdRows(bank, 'select from proposal where id = $1::bigint for update', id)
      const resumed = bank.resumeProposals()
      await locksAwaited(bank)
      await bank.database.query(
        `insert into answer (organisation_id, key_hash, fingerprint, status, body, created_at)
         select organisation_id, $2::bytea, $3::bytea, 200, '', now() from proposal where id = $1::bigint`,
        [Number(id), hashOf(id), Buffer.alloc(32)],
      )
      await release()
      await resumed
      expect(await outcomeOf(id)).toMatchObject({ state: 'Executed', problem: null })
    })

    test('has no effect once a refusal is noted', async () => {
      const id = await withRefusal()
      await bank.resumeProposals()
      expect(await outcomeOf(id)).toMatchObject({ state: 'Failed', problem: { code: 'payment_not_in_review' } })
      const late = await paymentInReview()
      await interrupt(id, late.id)
      await bank.resumeProposals()
      expect(await statusOf(late.id)).toBe('PendingReview')
    })
  })

  test('is completed after a crash between the signature and the outcome', async () => {
    for (const hasRun of [false, true]) {
      const { payment, id } = await propose()
      await decide(bob, id, 'approve')
      const time = `changed_at = now() - interval '1 minute'`
      await bank.database.query(`update proposal set state = 'Approved', ${time} where id = $1::bigint`, [Number(id)])
      if (!hasRun) {
        // A second payment stands for the one whose approval was lost.
        const other = await paymentInReview()
        const params = JSON.stringify({ paymentId: other.id })
        await bank.database.query(`delete from answer where key_hash = $1::bytea`, [sha256(`proposal ${id}`)])
        await bank.database.query(`update proposal set params = $2::jsonb where id = $1::bigint`, [Number(id), params])
        payment.id = other.id
      }
      await bank.resumeProposals()
      expect(await statusOf(payment.id)).toBe('Sent')
      expect((await bob.call('GET', `/v0/proposals/${id}`)).json.data).toMatchObject({
        state: 'Executed',
        problem: null,
      })
    }
  })
})

test('The approval of an external account lets no payment leave that two persons have to approve', async () => {
  const payer = await makePayer(bank, 1_000_00)
  const account = Number(payer.externalAccountId)
  await bank.database.query(`update external_account set review = 'PendingReview' where id = $1::bigint`, [account])
  const [small, large] = [await pay(bank, payer, { amount: LEAST - 1 }), await pay(bank, payer, { amount: LEAST })]
  const path = `/v0/review/external-accounts/${account}/approve`
  expect((await ada.call('POST', path, { body: {} })).status).toBe(200)
  await advance(bank, { by: 'PT1M' })
  expect(await statusOf(small.json.data.id)).toBe('Sent')
  const { id } = large.json.data
  expect(await statusOf(id)).toBe('PendingReview')
  const proposed = await ada.call('POST', `/v0/review/payments/${id}/approve`, { body })
  expect((await decide(bob, proposed.json.data.id, 'approve')).json.data.state).toBe('Executed')
  expect(await statusOf(id)).toBe('Sent')
})

describe('Other decisions', () => {
  test('of limits, and of the release of a hold for a legal order, wait for a second person', async () => {
    const rules = { from: { limits: 0, holdRelease: LEAST }, expiryMs: 7 * 86_400_000 }
    const signed = await openTestBank({ signatures: rules })
    const [first, second] = [
      await signIn(signed, { first: 'operator' }, { name: 'Ada' }),
      await signIn(signed, { first: 'operator' }, { name: 'Bob' }),
    ]
    const { accountId } = await makePayer(signed, 1_000_00)
    const account = `/v0/banking/accounts/${accountId}`
    const limits = await first.call('PUT', `${account}/limits`, { body: { overdraft: 5_00 } })
    expect([limits.status, limits.json.data.decision]).toEqual([202, 'limits'])
    expect((await decide(second, limits.json.data.id, 'approve')).json.data.state).toBe('Executed')
    expect((await ask(signed, 'GET', `${account}/limits`)).overdraft).toBe(5_00)
    // While the approved decision runs, there is no newer one that it could overwrite.
    const become = (state: string) =>
      signed.database.query('update proposal set state = $1::text where id = $2::bigint', [
        state,
        Number(limits.json.data.id),
      ])
    const newer = () => first.call('PUT', `${account}/limits`, { body: { overdraft: 0 } })
    await become('Approved')
    expect(refusalOf(await newer())).toEqual([409, 'proposal_waiting'])
    await become('Executed')
    expect((await newer()).status).toBe(202)
    const release = async (amount: number, reason: string) => {
      const hold = await first.call('POST', `${account}/holds`, { body: { amount, reason } })
      return first.call('POST', `${account}/holds/${hold.json.data.id}/release`, { body: {} })
    }
    expect((await release(LEAST - 1, 'LegalOrder')).status).toBe(200)
    expect((await release(LEAST, 'Dispute')).status).toBe(200)
    const { status, json } = await release(LEAST, 'LegalOrder')
    expect([status, json.data.amount]).toEqual([202, LEAST])
    expect((await decide(second, json.data.id, 'approve')).json.data.state).toBe('Executed')
    expect((await ask(signed, 'GET', `${account}/holds`))[0].status).toBe('Released')
    await signed.close()
  })

  test('of a hold for a legal order are those of keys and persons with the scope for risk alone', async () => {
    const roles: Record<string, Scope[]> = { clerk: ['banking:write', 'review:write'] }
    const rules = { from: { holdRelease: 0 }, expiryMs: 7 * 86_400_000 }
    const signed = await openTestBank({ signatures: rules, people: { roles } })
    const { accountId } = await makePayer(signed, 1_000_00)
    const holds = `/v0/banking/accounts/${accountId}/holds`
    const { id } = await ask(signed, 'POST', holds, { amount: LEAST, reason: 'LegalOrder' })
    const release = `${holds}/${id}/release`
    const clerk = await signIn(signed, { first: 'clerk' })
    const refused = [409, 'risk_key_required']
    expect(refusalOf(await clerk.call('POST', release, { body: {} }))).toEqual(refused)
    const app = await signed.makeKey('first', ['banking:write'])
    expect(refusalOf(await signed.call('POST', release, { key: app, body: {} }))).toEqual(refused)
    const proposed = await signed.call('POST', release, { body: {} })
    expect(proposed.status, proposed.text).toBe(202)
    for (const verb of ['approve', 'reject']) {
      const reply = await decide(clerk, proposed.json.data.id, verb, verb === 'reject' ? body : {})
      expect([refusalOf(reply), reply.json.detail], verb).toEqual([
        [403, 'forbidden'],
        expect.stringContaining('risk:write'),
      ])
    }
    expect((await clerk.call('GET', '/v0/proposals')).json.data).toEqual([])
    const risk = await signIn(signed, { first: 'operator' })
    expect((await decide(risk, proposed.json.data.id, 'approve')).json.data.state).toBe('Executed')
    await signed.close()
  })
})

test('Operations that may need a second person declare the proposal as an answer', async () => {
  const { json } = await bank.call('GET', '/openapi.json')
  const proposing = operations.filter(({ signature }) => signature)
  expect(proposing.map(({ id }) => id)).toContain('approvePayment')
  for (const { path, method } of operations) {
    const { operationId, responses } = json.paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()]
    const schema = responses[202]?.content['application/json'].schema
    const isProposing = proposing.some(({ id }) => id === operationId)
    expect(schema, operationId).toEqual(isProposing ? { $ref: '#/components/schemas/ProposedResponse' } : undefined)
  }
  const { data } = json.components.schemas.ProposedResponse.properties
  expect(data).toEqual({ $ref: '#/components/schemas/Proposal' })
})

describe('A reviewer', () => {
  test('finds a proposal under what needs attention, by its id and at its record, with what they may do', async () => {
    await ask(bank, 'POST', '/v0/sandbox/clock/advance', { by: 'P7D' })
    const { payment, id } = await propose()
    const waiting = async (by: SignedInPerson) => {
      const items = (await by.call('GET', '/v0/attention')).json.data as { kind: string }[]
      return items.find(({ kind }) => kind === 'waitingProposals')
    }
    expect(await waiting(bob)).toMatchObject({
      ...{ level: 'soon', words: '1 decision waits for a second signature, $50.00 in all', count: 1, amount: LEAST },
      records: [{ type: 'proposal', id }],
      operation: { id: 'listProposals', path: '/v0/proposals?state=Waiting' },
    })
    const own = '1 decision waits for a second signature, $50.00 in all, which is your own'
    expect(await waiting(ada)).toMatchObject({ words: own })
    expect(await waiting(viewer)).toBeUndefined()
    const mayDo = async (by: SignedInPerson) => {
      const { json } = await by.call('GET', `/v0/lookup/proposal/${id}`)
      const { label, related, actions } = json.data
      expect(label).toBe('Approval of a payment, $50.00, proposed by Ada')
      expect(related).toContainEqual({ relation: 'payment', type: 'payment', id: payment.id })
      return actions.map(({ problem }: { problem: string | null }) => problem)
    }
    expect(await mayDo(bob)).toEqual([null, null, 'not_proposer'])
    expect(await mayDo(ada)).toEqual(['second_person_required', null, null])
    const found = (await bob.call('GET', `/v0/search?q=${id}`)).json.data
    expect(found).toMatchObject([{ type: 'proposal', id }])
    const { related } = (await bob.call('GET', `/v0/lookup/payment/${payment.id}`)).json.data
    expect(related).toContainEqual({ relation: 'proposal', type: 'proposal', id })
    const about = `/v0/proposals?recordId=${payment.id}&state=Waiting`
    expect((await bob.call('GET', about)).json.data).toMatchObject([{ id }])
    await decide(bob, id, 'approve')
    expect((await bob.call('GET', about)).json.data).toEqual([])
    expect(await waiting(bob)).toBeUndefined()
    expect(await mayDo(bob)).toEqual(['proposal_not_waiting', 'proposal_not_waiting', 'not_proposer'])
    const steps = (await bob.call('GET', `/v0/history/proposal/${id}`)).json.data
    const by = steps.map(({ cause }: { cause: { apiKey: object } }) => cause.apiKey)
    expect(by).toMatchObject([
      { name: 'Ada', personId: String(ada.id) },
      { name: 'Bob', personId: String(bob.id) },
    ])
    expect(steps.flatMap(({ changes }: { changes: { type: string }[] }) => changes.map(({ type }) => type))).toEqual([
      'proposal.created',
      'proposal.approved',
      'proposal.executed',
    ])
  })

  test('does not find a proposal without the scopes of its operation', async () => {
    const { payment, id } = await propose()
    // A key for risk may read proposals, but not this one.
    const key = await bank.makeKey('first', ['risk:write', 'banking:read', 'events:read'])
    const read = async (path: string) => (await bank.call('GET', path, { key })).json
    expect((await read('/v0/attention')).data.map(({ kind }: { kind: string }) => kind)).not.toContain(
      'waitingProposals',
    )
    expect((await read(`/v0/lookup/proposal/${id}`)).code).toBe('forbidden')
    for (const path of [`/v0/lookup?id=${id}`, `/v0/search?q=${id}`, `/v0/proposals?recordId=${payment.id}`])
      expect((await read(path)).data, path).toEqual([])
    await decide(ada, id, 'withdraw')
  })
})

describe('A proposal', () => {
  test.each(['listProposals', 'getProposal', 'approveProposal', 'rejectProposal', 'withdrawProposal'])(
    '%s needs the scope of reviewers or of risk',
    (id) => {
      expect(operations.find((each) => each.id === id)).toMatchObject({ scope: 'review:write', orScope: 'risk:write' })
    },
  )

  test('is withdrawn by who made it, in any session', async () => {
    const { payment, id } = await propose()
    expect(refusalOf(await decide(bob, id, 'withdraw'))).toEqual([409, 'not_proposer'])
    const again = await signIn(bank, {}, { as: ada.id })
    const { status, json } = await decide(again, id, 'withdraw')
    expect([status, json.data]).toMatchObject([
      200,
      { state: 'Withdrawn', decidedBy: null, decidedAt: expect.any(String) },
    ])
    for (const verb of ['approve', 'withdraw'])
      expect(refusalOf(await decide(verb === 'approve' ? bob : ada, id, verb))).toEqual([409, 'proposal_not_waiting'])
    expect(await statusOf(payment.id)).toBe('PendingReview')
    expect((await ada.call('POST', payment.path, { body })).status).toBe(202)
  })

  test('is rejected with a reason', async () => {
    const { id } = await propose()
    expect(refusalOf(await decide(bob, id, 'reject'))).toEqual([400, 'invalid_request'])
    expect(refusalOf(await decide(viewer, id, 'reject', body))).toEqual([403, 'forbidden'])
    const { json } = await decide(bob, id, 'reject', { reason: 'The payee is not known' })
    expect(json.data).toMatchObject({
      state: 'Rejected',
      decisionReason: 'The payee is not known',
      decidedBy: { name: 'Bob' },
    })
    const own = (await eventsAfter(bank, 0)).filter(({ entityId }) => entityId === id)
    expect(own.map(({ type }) => type)).toEqual(['proposal.created', 'proposal.rejected'])
    await expectAccurate(bank, own[1] as RecordedEvent, 0)
    expect((await auditOf(bank, 'proposal.rejected', id)).reason).toBe('The payee is not known')
    expect(refusalOf(await decide(bob, id, 'approve'))).toEqual([409, 'proposal_not_waiting'])
    expect(refusalOf(await decide(bob, '999999999', 'reject', body))).toEqual([404, 'proposal_not_found'])
  })

  test('expires in bank time', async () => {
    const { payment, id } = await propose()
    const { happened } = await advance(bank, { by: 'P7D' })
    expect(happened).toContainEqual(expect.objectContaining({ type: 'proposal.expired', id }))
    expect((await bob.call('GET', `/v0/proposals/${id}`)).json.data).toMatchObject({
      state: 'Expired',
      decidedBy: null,
    })
    expect(refusalOf(await decide(bob, id, 'approve'))).toEqual([409, 'proposal_not_waiting'])
    expect(await statusOf(payment.id)).toBe('PendingReview')
  })
})
