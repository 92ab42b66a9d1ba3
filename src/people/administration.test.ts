import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { type SignedInPerson, signIn } from '../../test/support/people/sign-in.ts'
import { until } from '../../test/support/service.ts'
import { changeRole, remove } from './manage-people.ts'

let bank: TestBank
let admin: SignedInPerson
const page = { host: 'localhost:4000', origin: 'http://localhost:4000', 'sec-fetch-site': 'same-origin' }

beforeAll(async () => {
  bank = await openTestBank({
    own: true,
    people: { roles: { hr: ['people:write', 'banking:read'], gone: ['banking:write'] } },
  })
  admin = await signIn(bank, { first: 'administrator' }, { name: 'Grace Hopper' })
})
afterAll(() => bank.close())

type By = Pick<SignedInPerson, 'call'>
const people = (by: By, name: string, body: object = {}, options: object = {}) =>
  by.call('POST', `/session/people/${name}`, { body, headers: page, ...options })
const refusal = (status: number, detail: string) => [status, expect.stringContaining(detail)]
const seen = ({ status, json }: Awaited<ReturnType<typeof people>>) => [status, json?.detail]
const person = (roles: Record<string, string>, name = 'Ada Lovelace') => signIn(bank, roles, { name })
const rolesOf = async (id: number) => {
  const [row] = await bank.database.query<{ roles: object; removed: boolean }>(
    'select roles, removed_at is not null as removed from people where id = $1::bigint',
    [id],
  )
  return row
}

describe('the administration of persons', () => {
  test('lists those with a role in the organisation', async () => {
    const own = await person({ first: 'viewer' }, 'Ada of first')
    const other = await person({ second: 'viewer' }, 'Ada of second')
    const { status, json } = await people(admin, 'list')
    expect(status).toBe(200)
    expect(json.data.find(({ id }: { id: string }) => id === String(own.id))).toEqual({
      ...{ id: String(own.id), name: 'Ada of first', role: 'viewer', signsIn: 'invited', own: false, may: true },
      ...{ createdAt: expect.any(String), usedAt: expect.any(String) },
    })
    expect(json.data.find(({ own: isOwn }: { own: boolean }) => isOwn)).toMatchObject({
      id: String(admin.id),
      may: false,
    })
    expect(json.data.map(({ id }: { id: string }) => id)).not.toContain(String(other.id))
  })

  test('invites a person by a link that works, and names who did it', async () => {
    const { status, json } = await people(admin, 'invite', { name: 'Ada Lovelace', role: 'reviewer' })
    expect([status, json.data.link]).toEqual([
      200,
      expect.stringMatching(/^http:\/\/localhost:4000\/console#invitation=/),
    ])
    const invitation = json.data.link.split('=')[1]
    expect(
      (await bank.call('POST', '/session/invitation', { key: null, body: { invitation }, headers: page })).status,
    ).toBe(200)
    expect(await rolesOf(Number(json.data.id))).toEqual({ roles: { first: 'reviewer' }, removed: false })
    const entry = await until('the entry is written', async () =>
      (await ask(bank, 'GET', '/v0/audit-log?limit=1000')).find(
        ({ record }: { record: { id: string } | null }) => record?.id === json.data.id,
      ),
    )
    expect(entry).toMatchObject({
      action: 'person.invited',
      actor: { type: 'person', id: String(admin.id), name: 'Grace Hopper', session: { address: '127.0.0.1' } },
      detail: { name: 'Ada Lovelace', role: 'reviewer' },
    })
    const anew = await people(admin, 'link', { id: json.data.id })
    expect([anew.status, anew.json.data.link === json.data.link]).toEqual([200, false])
    expect(
      (await bank.call('POST', '/session/invitation', { key: null, body: { invitation }, headers: page })).status,
    ).toBe(403)
  })

  test('changes roles and removes persons, which counts at once', async () => {
    const ada = await person({ first: 'viewer', second: 'viewer' })
    expect((await people(admin, 'role', { id: String(ada.id), role: 'risk' })).status).toBe(200)
    expect((await ada.call('GET', '/v0/me')).json.data.person.role).toBe('risk')
    expect((await people(admin, 'remove', { id: String(ada.id) })).status).toBe(200)
    expect(await rolesOf(ada.id)).toEqual({ roles: { second: 'viewer' }, removed: false })
    expect((await ada.call('GET', '/v0/me', { in: 'first' })).status).toBe(403)
    expect((await ada.call('GET', '/v0/me')).status).toBe(200)
    const bob = await person({ first: 'viewer' })
    expect((await people(admin, 'remove', { id: String(bob.id) })).status).toBe(200)
    expect((await rolesOf(bob.id))?.removed).toBe(true)
    expect((await bob.call('GET', '/v0/me')).status).toBe(401)
  })

  test('lists and ends sessions of a person', async () => {
    const ada = await person({ first: 'viewer' })
    const second = await signIn(bank, {}, { as: ada.id })
    const { json } = await people(admin, 'sessions', { id: String(ada.id) })
    expect(json.data).toMatchObject([{ address: '127.0.0.1', current: false }, { kind: 'browser' }])
    expect((await people(admin, 'end', { id: String(ada.id), session: json.data[0].id })).status).toBe(200)
    expect((await second.call('GET', '/v0/me')).status).toBe(401)
    expect((await ada.call('GET', '/v0/me')).status).toBe(200)
    expect((await people(admin, 'end', { id: String(ada.id) })).status).toBe(200)
    expect((await ada.call('GET', '/v0/me')).status).toBe(401)
  })
})

describe('an administrator', () => {
  test('gives and takes no rights that they lack', async () => {
    const hr = await person({ first: 'hr' })
    expect((await people(hr, 'roles')).json.data).toEqual([{ name: 'hr', scopes: ['people:write', 'banking:read'] }])
    const lack = refusal(403, 'rights that you lack')
    expect(seen(await people(hr, 'invite', { name: 'Ada', role: 'viewer' }))).toEqual(lack)
    expect((await people(hr, 'invite', { name: 'Ada', role: 'hr' })).status).toBe(200)
    const ada = await person({ first: 'hr' })
    expect(seen(await people(hr, 'role', { id: String(ada.id), role: 'administrator' }))).toEqual(lack)
    for (const name of ['remove', 'link', 'end']) {
      expect(seen(await people(hr, name, { id: String(admin.id) })), name).toEqual(lack)
      expect((await admin.call('GET', '/v0/me')).status).toBe(200)
    }
    expect((await people(hr, 'remove', { id: String(ada.id) })).status).toBe(200)
  })

  test('leaves no access behind that they make after they lost the role or were removed', async () => {
    const key = { body: { name: 'Left behind', scopes: ['banking:read'] } }
    const [changed, removed] = [await person({ first: 'administrator' }), await person({ first: 'administrator' })]
    const { json } = await changed.call('POST', '/v0/api-keys', key)
    const rotate = `/v0/api-keys/${json.data.id}/rotate`
    expect((await removed.call('GET', '/v0/me')).status).toBe(200)
    // The command line forgets nothing that the service remembers of sessions.
    await changeRole(bank.database, { id: changed.id, organisation: 'first', role: 'hr' })
    await remove(bank.database, removed.id)
    for (const role of ['administrator', 'viewer']) {
      const invited = await people(changed, 'invite', { name: 'Ada', role })
      expect(seen(invited)).toEqual(refusal(403, 'rights that you lack'))
    }
    const ada = await person({ first: 'hr' })
    const given = await people(changed, 'role', { id: String(ada.id), role: 'viewer' })
    expect(seen(given)).toEqual(refusal(403, 'rights that you lack'))
    expect(seen(await people(removed, 'invite', { name: 'Ada', role: 'viewer' }))).toEqual(refusal(403, 'people:write'))
    for (const [by, status] of [
      [changed, 403],
      [removed, 401],
    ] as const) {
      expect((await by.call('POST', '/v0/api-keys', key)).status).toBe(status)
      expect((await by.call('POST', rotate, { body: {} })).status).toBe(status)
    }
  })

  test('makes no link to a person with rights elsewhere', async () => {
    const ada = await person({ first: 'viewer', second: 'administrator' })
    expect(seen(await people(admin, 'link', { id: String(ada.id) }))).toEqual(refusal(403, 'another organisation'))
    const both = await person({ first: 'administrator', second: 'administrator' })
    expect((await people(both, 'link', { id: String(ada.id) })).status).toBe(200)
  })

  test('does not change their own rights, so that one always remains', async () => {
    for (const [name, body] of [
      ['remove', {}],
      ['role', { role: 'viewer' }],
    ] as const) {
      const reply = await people(admin, name, { id: String(admin.id), ...body })
      expect(seen(reply)).toEqual(refusal(403, 'Another administrator'))
    }
    const two = [await person({ second: 'administrator' }), await person({ second: 'administrator' })] as const
    const replies = await Promise.all([
      people(two[0], 'remove', { id: String(two[1].id) }),
      people(two[1], 'remove', { id: String(two[0].id) }),
    ])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('changes nobody whose roles come from the identity provider', async () => {
    const ada = await person({ first: 'viewer', second: 'viewer' })
    await bank.database.query(`update people set subject = 'https://id.example 1' where id = $1::bigint`, [ada.id])
    for (const name of ['role', 'remove', 'link']) {
      const { status, json } = await people(admin, name, { id: String(ada.id), role: 'risk' })
      expect([status, json.detail], name).toEqual(refusal(403, 'identity provider'))
    }
  })

  test('finds no person of another organisation', async () => {
    const ada = await person({ second: 'viewer' })
    for (const id of [String(ada.id), '999999999', 'x', '', undefined, null, 5, { id: 1 }]) {
      for (const name of ['link', 'role', 'remove', 'sessions', 'end']) {
        expect((await people(admin, name, { id, role: 'viewer' })).status, `${name} ${id}`).toBe(404)
      }
    }
  })
})

test('nobody without people:write administers persons', async () => {
  const routes = ['list', 'roles', 'invite', 'link', 'role', 'remove', 'sessions', 'end']
  const operator = await person({ first: 'operator' })
  for (const name of routes) {
    expect(seen(await people(operator, name)), name).toEqual(refusal(403, 'people:write'))
    const url = `/session/people/${name}`
    expect((await bank.call('POST', url, { body: {}, headers: page })).status, name).toBe(403)
    expect((await bank.call('POST', url, { key: null, body: {}, headers: page })).status, name).toBe(401)
    const cookie = `__Host-purser=${admin.token}`
    const foreign = { ...page, origin: 'https://evil.example', cookie }
    expect((await bank.call('POST', url, { key: null, body: {}, headers: foreign })).status, name).toBe(403)
    const elsewhere = await people(admin, name, {}, { in: 'second' })
    expect(elsewhere.status, name).toBe(403)
  }
  await bank.denials.save()
  const denied = await ask(bank, 'GET', '/v0/audit-log?limit=1000')
  for (const name of routes) {
    const entry = denied.find(({ action }: { action: string }) => action === `people/${name}`)
    expect(entry).toMatchObject({ outcome: 'Denied', denial: { path: `/session/people/${name}` } })
  }
})

test('an invitation needs a name and a role that exists', async () => {
  for (const body of [
    {},
    { name: 'Ada' },
    { role: 'viewer' },
    { name: '', role: 'viewer' },
    { name: 'x'.repeat(256), role: 'viewer' },
    { name: 'a\u0000b', role: 'viewer' },
    { name: 5, role: 'viewer' },
    { name: 'Ada', role: 'unheard of' },
    { name: 'Ada', role: '__proto__' },
  ]) {
    expect((await people(admin, 'invite', body)).status, JSON.stringify(body)).toBe(400)
  }
})
