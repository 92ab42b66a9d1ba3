import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { type SignedInPerson, signIn } from '../../../test/support/people/sign-in.ts'
import { auditOf, refusalOf } from '../../../test/support/review/reviewer.ts'
import { schemaOf } from '../../../test/support/schemas/samples.ts'
import { makeCustomer } from '../../../test/support/world.ts'
import { operations } from '../../operations.ts'
import { personalLists } from './permit-export.ts'

let bank: TestBank
let ada: SignedInPerson
let bob: SignedInPerson

beforeAll(async () => {
  const from = { personalExport: 0, railResume: 0, personRights: 0 }
  bank = await openTestBank({ own: true, signatures: { from, expiryMs: 7 * 86_400_000 } })
  ada = await signIn(bank, { first: 'risk', second: 'risk' }, { name: 'Ada' })
  bob = await signIn(bank, { first: 'risk', second: 'risk' }, { name: 'Bob' })
  await makeCustomer(bank)
})
afterAll(() => bank.close())

const second = [409, 'second_person_required']
const body = { reason: 'The yearly audit' }
const decide = (by: Pick<SignedInPerson, 'call'>, id: string, verb: string) =>
  by.call('POST', `/v0/proposals/${id}/${verb}`, { body: {} })

async function propose(path: string, content: object = body, by: Pick<SignedInPerson, 'call'> = ada): Promise<string> {
  const { status, text, json } = await by.call('POST', `/v0/permits/${path}`, { body: content })
  expect(status, text).toBe(202)
  return json.data.id
}

describe('The export of a list with personal data', () => {
  const path = '/v0/exports/customers'

  test('needs a proposal of the caller that a second person has approved within a day', async () => {
    expect(refusalOf(await ada.call('GET', path))).toEqual(second)
    expect((await ada.call('GET', path)).json.detail).toContain('POST /v0/permits/exports/customers')
    const id = await propose('exports/customers')
    expect((await bob.call('GET', `/v0/proposals/${id}`)).json.data).toMatchObject({
      ...{ decision: 'personalExport', operation: 'permitExport', params: { list: 'customers' } },
      ...{ recordId: 'customers', amount: null, reason: body.reason },
    })
    const { label, related } = (await bob.call('GET', `/v0/lookup/proposal/${id}`)).json.data
    expect([label, related]).toEqual([
      'Export of personal data, proposed by Ada',
      [expect.objectContaining({ type: 'event' })],
    ])
    expect(refusalOf(await ada.call('GET', path))).toEqual(second)
    const again = await signIn(bank, {}, { as: ada.id })
    expect(refusalOf(await decide(again, id, 'approve'))).toEqual(second)
    const key = await bank.makeKey('first', ['review:write', 'risk:write'])
    expect(refusalOf(await bank.call('POST', `/v0/proposals/${id}/approve`, { key, body: {} }))).toEqual(second)
    expect((await decide(bob, id, 'approve')).json.data.state).toBe('Executed')
    for (const person of [ada, again]) {
      const { status, text } = await person.call('GET', path)
      expect([status, text.split('\n').length]).toEqual([200, 3])
    }
    expect((await auditOf(bank, 'proposal.executed', id)).actor.name).toBe('Bob')
    // Neither others, nor another list, nor another organisation.
    expect(refusalOf(await bob.call('GET', path))).toEqual(second)
    expect(refusalOf(await ada.call('GET', '/v0/exports/events?format=jsonl'))).toEqual(second)
    expect(refusalOf(await ada.call('GET', path, { in: 'second' }))).toEqual(second)
    expect((await ada.call('HEAD', path, { in: 'second' })).status).toBe(409)
    expect((await ada.call('GET', '/v0/exports/rewards')).status).toBe(200)
    const day = `update proposal set changed_at = changed_at - interval '1 day' where id = $1::bigint`
    await bank.database.query(day, [Number(id)])
    expect(refusalOf(await ada.call('GET', path))).toEqual(second)
  })

  test('is not permitted by a proposal that was withdrawn or rejected', async () => {
    for (const verb of ['withdraw', 'reject']) {
      const id = await propose('exports/accounts')
      const content = verb === 'reject' ? { body } : { body: {} }
      const { status } = await (verb === 'reject' ? bob : ada).call('POST', `/v0/proposals/${id}/${verb}`, content)
      expect(status).toBe(200)
      expect(refusalOf(await ada.call('GET', '/v0/exports/accounts'))).toEqual(second)
    }
  })

  test('may be proposed by a key, which then makes it alone', async () => {
    const key = await bank.makeKey('first', ['review:write', 'banking:read'])
    const byKey = { call: (method: string, to: string, options = {}) => bank.call(method, to, { key, ...options }) }
    const id = await propose('exports/payments', body, byKey)
    await decide(ada, id, 'approve')
    expect((await byKey.call('GET', '/v0/exports/payments')).status).toBe(200)
    expect(refusalOf(await ada.call('GET', '/v0/exports/payments'))).toEqual(second)
  })

  test('needs no permit without the rule, and a permit then changes nothing', async () => {
    const plain = await openTestBank()
    expect((await plain.call('GET', path)).status).toBe(200)
    expect((await plain.call('POST', '/v0/permits/exports/customers', { body })).status).toBe(204)
    const unknown = await plain.call('POST', '/v0/permits/exports/rewards', { body })
    expect([unknown.status, unknown.json.detail]).toEqual([404, expect.stringContaining('there are accounts, ')])
    await plain.close()
  })

  test('is one of the lists whose records have an address, a birthday, an account number or the name of a customer', () => {
    const personal = /address$|^(email|phone|dateOfBirth|accountNumber|(customer|receiver)Name)$/i
    const shows = (schema: unknown): boolean =>
      typeof schema === 'object' &&
      schema !== null &&
      (Object.keys((schema as { properties?: object }).properties ?? {}).some((name) => personal.test(name)) ||
        Object.values(schema).some(shows))
    const lists = operations.filter(({ id, data }) => id.startsWith('list') && shows(schemaOf(data as never)))
    const names = lists.map(({ id }) =>
      id
        .slice('list'.length)
        .replace(/\B[A-Z]/g, '-$&')
        .toLowerCase(),
    )
    // The samples of event types are of nobody, offers show merchants, and the audit log shows addresses of callers.
    const ofNobody = ['event-types', 'local-offers', 'audit-log']
    // Events have all records, in a member of any form.
    const shown = [...names.filter((name) => !ofNobody.includes(name)), 'events']
    expect(shown.sort()).toEqual(personalLists)
  })
})

describe('The resume of ACH', () => {
  const decisions = ['purser-260203A.ach left']
  const content = { decisions, digest: 'a'.repeat(64), ...body }

  test('is proposed and approved by persons of the first organisation', async () => {
    const id = await propose('rail-resume', content)
    expect(refusalOf(await bob.call('POST', '/v0/permits/rail-resume', { body: content }))).toEqual([
      409,
      'proposal_waiting',
    ])
    const elsewhere = await ada.call('POST', '/v0/permits/rail-resume', { body: content, in: 'second' })
    expect(refusalOf(elsewhere)).toEqual([403, 'forbidden'])
    expect(refusalOf(await decide(ada, id, 'approve'))).toEqual(second)
    const reviewer = await signIn(bank, { first: 'reviewer' })
    expect(refusalOf(await decide(reviewer, id, 'approve'))).toEqual([403, 'forbidden'])
    expect((await decide(bob, id, 'approve')).json.data).toMatchObject({
      ...{ state: 'Executed', decision: 'railResume', operation: 'permitRailResume', body: content },
    })
  })
})

describe('The rights of a person', () => {
  const page = { host: 'localhost:4000', origin: 'http://localhost:4000' }
  const manage = (by: SignedInPerson, name: string, content: object) =>
    by.call('POST', `/session/people/${name}`, { body: content, headers: page })
  const roleOf = async ({ id }: SignedInPerson) => {
    const [row] = await bank.database.query<{ roles: object }>('select roles from people where id = $1::bigint', [id])
    return row?.roles
  }
  let admin: SignedInPerson
  let other: SignedInPerson
  beforeAll(async () => {
    admin = await signIn(bank, { first: 'administrator' }, { name: 'Grace' })
    other = await signIn(bank, { first: 'administrator' }, { name: 'Edsger' })
  })

  test('who could sign, make keys or manage persons are given by two administrators', async () => {
    const vic = await signIn(bank, { first: 'viewer' }, { name: 'Vic' })
    const id = String(vic.id)
    expect((await manage(admin, 'role', { id, role: 'support' })).status).toBe(200)
    for (const role of ['reviewer', 'risk', 'developer', 'operator', 'administrator'])
      expect(refusalOf(await manage(admin, 'role', { id, role })), role).toEqual(second)
    expect(await roleOf(vic)).toEqual({ first: 'support' })
    const proposed = await propose(`people/${id}`, { role: 'administrator', ...body }, admin)
    expect(refusalOf(await ada.call('POST', `/v0/proposals/${proposed}/approve`, { body: {} }))).toEqual([
      403,
      'forbidden',
    ])
    expect(refusalOf(await decide(admin, proposed, 'approve'))).toEqual(second)
    expect((await decide(other, proposed, 'approve')).json.data).toMatchObject({
      ...{ state: 'Executed', decision: 'personRights', operation: 'permitPersonRights' },
      ...{ params: { personId: id }, body: { role: 'administrator' } },
    })
    // Neither another role, nor another person, nor another administrator.
    expect(refusalOf(await manage(admin, 'role', { id, role: 'risk' }))).toEqual(second)
    expect(refusalOf(await manage(admin, 'role', { id: String(bob.id), role: 'administrator' }))).toEqual(second)
    expect(refusalOf(await manage(other, 'role', { id, role: 'administrator' }))).toEqual(second)
    expect((await manage(admin, 'role', { id, role: 'administrator' })).status).toBe(200)
    expect(await roleOf(vic)).toEqual({ first: 'administrator' })
  })

  test('are not got by an invitation, nor by a new link for a person who has them', async () => {
    const refused = await manage(admin, 'invite', { name: 'Me again', role: 'reviewer' })
    expect([refusalOf(refused), refused.json.detail]).toEqual([
      second,
      expect.stringContaining('Invite with another role'),
    ])
    expect((await manage(admin, 'invite', { name: 'Ada', role: 'viewer' })).status).toBe(200)
    const link = { id: String(other.id) }
    expect(refusalOf(await manage(admin, 'link', link))).toEqual(second)
    expect((await other.call('GET', '/v0/me')).status).toBe(200)
    const third = await signIn(bank, { first: 'administrator' })
    const proposed = await propose(`people/${other.id}`, { role: 'administrator', ...body }, admin)
    await decide(third, proposed, 'approve')
    expect((await manage(admin, 'link', link)).status).toBe(200)
    expect((await other.call('GET', '/v0/me')).status).toBe(401)
    const elsewhere = await signIn(bank, { second: 'reviewer' })
    expect((await manage(admin, 'link', { id: String(elsewhere.id) })).status).toBe(404)
  })
})
