import { afterEach, expect, test, vi } from 'vitest'
import { clock } from '../../../src/base/clock.ts'
import { start } from '../../../src/cells/commands/move.ts'
import { changeRole, remove } from '../../../src/people/manage-people.ts'
import { commandParts } from '../../support/cells/moves.ts'
import { startTwoCells, type TwoCells } from '../../support/cells/two-cells.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { makePayer, pay } from '../../support/ledger.ts'
import { signIn } from '../../support/people/sign-in.ts'
import { endServices, scratchFolder, startService, until } from '../../support/service.ts'

const EVERYWHERE_MS = 5_000
const body = { reason: 'The invoice was checked' }

let bank: TestBank | undefined
let cells: TwoCells | undefined
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await endServices()
  await bank?.close()
  await cells?.stop()
  bank = undefined
  cells = undefined
})

test('persons of the home cell sign in an organisation of another cell, and can do nothing there within five seconds of their removal', async () => {
  vi.stubEnv('TEST_CELLS', '1')
  const signatures = { from: { paymentApproval: 0 }, expiryMs: 86_400_000 }
  bank = await openTestBank({ own: true, signatures })
  const [there, home] = [bank.database, bank.databaseOf(bank.otherKey)]
  expect(home).not.toBe(there)
  const at = { database: home, call: bank.call }
  const roles = { first: 'reviewer', second: 'viewer' }
  const [ada, bob, eve] = [await signIn(at, roles), await signIn(at, roles, { name: 'Bob' }), await signIn(at, roles)]
  const payer = await makePayer(bank, 1_000_00)
  await bank.call('PUT', `/v0/banking/accounts/${payer.accountId}/limits`, { body: { payment: { soft: 1 } } })
  const { id } = (await pay(bank, payer, { amount: 10_00 })).json.data
  const proposed = await ada.call('POST', `/v0/review/payments/${id}/approve`, { body })
  expect(proposed.status, proposed.text).toBe(202)
  const path = `/v0/proposals/${proposed.json.data.id}`
  for (const person of [bob, eve]) expect((await person.call('GET', path)).status).toBe(200)
  expect((await ada.call('GET', '/v0/me', { in: 'second' })).json.data.organisation.name).toBe('second')

  await remove(home, eve.id)
  await changeRole(home, { id: ada.id, organisation: 'first', role: null })
  const later = performance.now() + EVERYWHERE_MS
  vi.spyOn(clock, 'elapsedMs').mockImplementation(() => later)
  expect((await eve.call('POST', `${path}/approve`, { body: {} })).status).toBe(401)
  expect((await ada.call('GET', path, { in: 'first' })).status).toBe(403)
  const { json } = await bob.call('POST', `${path}/approve`, { body: {} })
  expect(json.data).toMatchObject({ state: 'Executed', decidedBy: { id: String(bob.id), name: 'Bob' } })
  const stored = (database: TestBank['database']) => database.query('select state from proposal')
  expect([await stored(home), await stored(there)]).toEqual([[], [{ state: 'Executed' }]])
})

test('a proposal moves to another cell with its organisation, and is signed there by a session from before', async () => {
  cells = await startTwoCells()
  const { home, east } = cells
  const nobody = () => Promise.reject(new Error('a person of this test calls the service by its key'))
  const person = (name: string) =>
    signIn({ database: home.database, call: nobody }, { default: 'reviewer' }, { name, kind: 'command' })
  const [ada, bob] = [await person('Ada'), await person('Bob')]
  const service = await startService({
    ...cells.environment,
    ...{ PURSER_DATA_DIR: scratchFolder(), PURSER_API_KEY: 'the-first-key-of-the-service', PURSER_DEMO: 'off' },
    PURSER_TWO_SIGNATURES: 'paymentApproval:1',
  })
  await until('the cell to join', async () => (await service.call('GET', '/readyz')).json.cells.east === 'ready')
  const own = { ...home.bank, key: service.key, call: callsOf(service) } as TestBank
  const payer = await makePayer(own, 1_000_00)
  await own.call('PUT', `/v0/banking/accounts/${payer.accountId}/limits`, { body: { payment: { soft: 1 } } })
  const { id } = (await pay(own, payer, { amount: 10_00 })).json.data
  const approval = `/v0/review/payments/${id}/approve`
  const proposed = await service.call('POST', approval, { key: ada.token, body })
  expect(proposed.status, proposed.text).toBe(202)
  const path = `/v0/proposals/${proposed.json.data.id}`
  expect((await service.call('GET', path, { key: bob.token })).json.data.state).toBe('Waiting')

  await start(commandParts(cells), { name: 'default', to: 'east', reach: undefined })
  expect((await service.call('GET', path, { key: bob.token })).json.data).toEqual(proposed.json.data)
  // The process remembers for four seconds where a session acts: until then it says that the organisation is being moved.
  const approve = () =>
    service.call('POST', `${path}/approve`, { key: bob.token, body: {}, idempotencyKey: 'the-second-signature' })
  const signed = await until('the organisation to answer', async () => {
    const reply = await approve()
    return reply.status !== 503 && reply
  })
  expect(signed.status, signed.text).toBe(200)
  expect(signed.json.data).toMatchObject({ state: 'Executed', proposedBy: { name: 'Ada' }, decidedBy: { name: 'Bob' } })
  expect((await own.call('GET', `/v0/banking/payments/${id}`)).json.data.status).toBe('Sent')
  const stored = ({ database }: TwoCells['home']) =>
    database.query(
      `select p.state from proposal p join organisation o on o.id = p.organisation_id where o.ended_at is null`,
    )
  expect([await stored(home), await stored(east)]).toEqual([[], [{ state: 'Executed' }]])

  await remove(home.database, bob.id)
  await until('the session to end', async () => (await service.call('GET', path, { key: bob.token })).status === 401)
})

/** The calls of a bank at a service, by its own key. */
function callsOf(service: Awaited<ReturnType<typeof startService>>): TestBank['call'] {
  return async (method, path, options = {}) => {
    const { headers, ...reply } = await service.call(method, path, { body: options.body })
    return { ...reply, headers: Object.fromEntries(headers), bytes: Buffer.from(reply.text) }
  }
}
