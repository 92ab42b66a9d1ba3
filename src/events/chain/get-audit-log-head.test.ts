import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makePayer, type Payer, pay } from '../../../test/support/ledger.ts'
import { runInProcess } from '../../../test/support/run/command-line.ts'
import { readFirstRows } from '../../bank/first-states/first-states.ts'
import { type NotedHead, proveHeads } from './noted-heads.ts'

let bank: TestBank
let payer: Payer
/** The head after each of three payments. */
const noted: NotedHead[] = []

const headOf = async (key = bank.key) => (await bank.call('GET', '/v0/audit-log/head', { key })).json.data
const prove = (heads: NotedHead[]) => proveHeads(bank.database, heads, { readRows: readFirstRows })

beforeAll(async () => {
  bank = await openTestBank({ inventedEvents: true })
  payer = await makePayer(bank, 100_00)
  for (let made = 0; made < 3; made++) {
    await pay(bank, payer, { amount: 1_00 })
    const { organisationId, sequence, link } = await headOf()
    noted.push({ organisationId: Number(organisationId), sequence, link })
  }
})
afterAll(() => bank.close())

test('The head of the audit log names the latest event, its time and the newest link', async () => {
  const [event] = (await bank.call('GET', '/v0/events?sort=-sequence&limit=1')).json.data
  const head = await headOf()
  expect(head).toEqual({
    organisationId: String(noted[0]?.organisationId),
    sequence: event.sequence,
    link: expect.stringMatching(/^[0-9a-f]{64}$/),
    timestamp: event.timestamp,
  })
  await pay(bank, payer, { amount: 1_00 })
  expect((await headOf()).link).not.toBe(head.link)
})

test('The head of an organisation without events has no link', async () => {
  const head = await headOf(bank.otherKey)
  expect(head).toEqual({ organisationId: expect.any(String), sequence: null, link: null, timestamp: null })
  expect(await prove([{ organisationId: Number(head.organisationId), sequence: 1, link: 'ab' }])).toMatchObject([
    { proven: false, differsFrom: 1, detail: 'the organisation has no chain' },
  ])
})

test('Noted heads are part of the chain that has grown since', async () => {
  expect((await prove(noted)).map(({ proven }) => proven)).toEqual([true, true, true])
})

test('A head past the head of today is named as lost by a restore', async () => {
  const { sequence } = await headOf()
  const [proof] = await prove([{ ...(noted[2] as NotedHead), sequence: sequence + 5 }])
  expect(proof).toMatchObject({ proven: false, differsFrom: sequence + 1, detail: expect.stringContaining('restore') })
})

test('A head within a transaction, and one with another link, lie behind the last head that is proven', async () => {
  const [first, second] = noted as [NotedHead, NotedHead]
  for (const odd of [
    { ...second, sequence: second.sequence - 1 },
    { ...second, link: 'ab'.repeat(32) },
  ]) {
    const proofs = await prove([odd, first])
    expect(proofs).toMatchObject([{ proven: true }, { proven: false, differsFrom: first.sequence + 1 }])
  }
})

test('Heads from before the kept events are still proven when those events are deleted', async () => {
  const floor = noted[1] as NotedHead
  await bank.database.query(`alter table event_page disable trigger user`)
  await bank.database.query(`delete from event_page where last <= $1::bigint`, [floor.sequence])
  await bank.database.query(`update organisation set events_after = $1::bigint where id = $2::bigint`, [
    floor.sequence,
    floor.organisationId,
  ])
  expect((await prove(noted)).map(({ proven }) => proven)).toEqual([true, true, true])
})

test('A chain that was written anew, with every link following, is refuted by its noted heads', async () => {
  const [first, second, third] = noted as [NotedHead, NotedHead, NotedHead]
  await bank.database.query(`alter table event_link disable trigger user`)
  await bank.database.query(`update event_link set digest = sha256(digest) where last = $1::bigint`, [second.sequence])
  await bank.database.query(
    `do $$ declare l event_link; before bytea; begin
       for l in select * from event_link where organisation_id = ${first.organisationId} order by last loop
         before := link_after(before, l.organisation_id, l.last - l.count + 1, l.last, l.created_at,
           l.digest || convert_to('/' || l.history, 'UTF8'));
         update event_link set link = before where organisation_id = l.organisation_id and last = l.last;
       end loop;
       update event_counter set link = before where organisation_id = ${first.organisationId};
     end $$`,
    [],
    'once',
  )
  const proofs = await prove([first, second, third])
  expect(proofs.map(({ proven }) => proven)).toEqual([true, false, false])
  expect(proofs[1]).toMatchObject({
    differsFrom: first.sequence + 1,
    detail: expect.stringMatching(/^the link is [0-9a-f]{64} today: the chain was written anew between events/),
  })
})

test('The command takes the answer of the head, several of them line by line, or options', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'purser-heads-'))
  const file = (text: string) => {
    const path = join(folder, 'heads')
    writeFileSync(path, text)
    return path
  }
  const verify = (...words: string[]) => runInProcess(['audit', 'verify', ...words], { environment: away })
  const away = {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
    PURSER_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  }
  const [first] = noted
  const lines = noted.map((head) => JSON.stringify({ ...head, organisationId: String(head.organisationId) })).join('\n')
  // Heads that are understood are looked up in the database.
  for (const text of [JSON.stringify({ data: first }, null, 2), `${lines}\n`]) {
    expect(await verify('--heads', file(text))).toMatchObject({ code: 5 })
  }
  expect(await verify('--organisation', '1', '--sequence', '2', '--link', first?.link ?? '')).toMatchObject({ code: 5 })
  const refused = (code: number, message: RegExp) => ({ code, stderr: expect.stringMatching(message) })
  expect(await verify('--heads', join(folder, 'none'))).toMatchObject(refused(1, /cannot be read/))
  expect(await verify('--heads', file('{"data":{"link":null}}'))).toMatchObject(refused(1, /holds no head/))
  expect(await verify('--heads', file('{}\nx'))).toMatchObject(refused(1, /line 2 is not the JSON of a head/))
  const odd = await verify('--organisation', '1', '--sequence', '0', '--link', 'x')
  expect(odd).toMatchObject(refused(2, /a head has an organisation, a sequence number and a link/))
  expect(await verify()).toMatchObject(refused(2, /name a file with --heads, or give all three/))
  rmSync(folder, { recursive: true })
})
