import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OtherDatabase } from '../../../src/bank/ach/spread/spread.ts'
import { sweepOrganisations } from '../../../src/bank/organisations/sweep.ts'
import { start } from '../../../src/cells/commands/move.ts'
import { verifyLedger } from '../../../src/ledger/verify.ts'
import { bankingDaysAfter } from '../../../src/rails/ach/calendar.ts'
import { readAchFile } from '../../../src/rails/ach/read-file.ts'
import { openSeals } from '../../../src/secrets/seals.ts'
import { killedMove } from '../../support/cells/killed-move.ts'
import { commandParts } from '../../support/cells/moves.ts'
import { type Cell, startTwoCells, type TwoCells } from '../../support/cells/two-cells.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { accountOf, makePayer, type Payer, pay } from '../../support/ledger.ts'
import { testAch } from '../../support/rails/ach.ts'
import { incomingFile, lastBankingDay, returnOf, type SentEntry } from '../../support/rails/incoming.ts'
import { passCutoff } from '../../support/rails/leaving.ts'
import { operate } from '../../support/run/command-line.ts'
import { until } from '../../support/service.ts'

/** Organisations of a live bank move with their payments in ACH files, which hold payments of others as well. */

const outgoing = mkdtempSync(join(tmpdir(), 'purser-moved-files-'))
let cells: TwoCells
let live: Record<string, TestBank>
/** Acme moves, and Staying does not. */
let acme: Client
let staying: Client
/** The entries of the settlement day before the tests: at weekends, the money that accounts began with. */
let opening: { count: number; credits: number }

interface Client {
  name: string
  key: string
  payer: Payer
  accountNumber: string
}

beforeAll(async () => {
  cells = await startTwoCells({ ach: testAch(outgoing) })
  const liveOn = ({ name, server }: Cell) =>
    openTestBank({ on: { name, server, drop: async () => undefined }, mode: 'live', ach: testAch(outgoing) })
  live = { home: await liveOn(cells.home), east: await liveOn(cells.east) }
  acme = await openClient('Acme')
  staying = await openClient('Staying')
  opening = (await dayOf(settlementDay)).received as typeof opening
})
afterAll(async () => {
  for (const bank of Object.values(live ?? {})) await bank.close()
  await cells?.stop()
  rmSync(outgoing, { recursive: true })
})

const at = ({ bank }: Cell, key: string): TestBank => ({
  ...bank,
  key,
  call: (method, path, options) => bank.call(method, path, { key, ...options }),
})

async function openClient(name: string): Promise<Client> {
  const key = await cells.home.bank.makeKey(name, null)
  const bank = at(cells.home, key)
  const payer = await makePayer(bank, 500_00)
  const { accountNumber } = await accountOf(bank, payer.accountId)
  return { name, key, payer, accountNumber }
}

const settlementDay = lastBankingDay()
const today = () => new Date().toISOString().slice(0, 10)
const eastCell = (): OtherDatabase[] => [{ name: 'east', shares: live.east?.shares }]
const balanceIn = async (cell: Cell, { key, payer }: Client) =>
  (await accountOf(at(cell, key), payer.accountId)).balance

function move(name: string, to: string, reached?: Parameters<typeof start>[2]): Promise<void> {
  return start(commandParts(cells), { name, to, reach: undefined }, reached)
}

/** The laws hold in both cells, also for the latest rows, and the day of the bank is reconciled. */
async function expectSound(): Promise<void> {
  const since = new Date(Date.now() - 86_400_000).toISOString()
  for (const { database } of [cells.home, cells.east]) {
    for (const options of [{}, { since }]) expect(await verifyLedger(database, options)).toEqual([])
  }
}

/** The sums of a settlement day of the whole bank. */
async function dayOf(date: string): Promise<Record<string, unknown>> {
  const [day] = await operate(['ach', 'reconcile', date], cells.environment)
  return day
}

interface Paid {
  id: string
  amount: number
  status: string
  traceNumber: string
}
const paymentIn = async (cell: Cell, { key }: Client, id: string): Promise<Paid> =>
  (await at(cell, key).call('GET', `/v0/banking/payments/${id}`)).json.data

/** Payments of clients in a cell whose cut-off has passed. */
async function payments(cell: Cell, clients: Client[], amount: number): Promise<string[]> {
  const made: string[] = []
  for (const { key, payer } of clients) {
    const { status, text, json } = await pay(at(cell, key), payer, { amount })
    expect(status, text).toBe(201)
    made.push(json.data.id)
  }
  await passCutoff(cell.database)
  return made
}

let sequence = 0
const modifiers = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
function fileWith(entries: Omit<SentEntry, 'sequence'>[]) {
  const name = `in-${++sequence}.ach`
  const modifier = modifiers[sequence % 36] as string
  const numbered = entries.map((entry, place) => ({ ...entry, sequence: sequence * 100 + place }))
  const createdAt = `08:${String(Math.floor(sequence / 36)).padStart(2, '0')}`
  return {
    name,
    bytes: incomingFile({ entries: numbered, settlesOn: settlementDay, modifier, header: { createdAt } }),
  }
}
const credit = ({ accountNumber }: Client, amount: number) => ({ code: 22, amount, accountNumber })
const returnIn = (payment: Paid) => {
  const { sequence: _, ...entry } = returnOf(payment, { sequence: 0 })
  return entry
}
const take = (file: ReturnType<typeof fileWith>) => live.home?.takeFile(file, eastCell())

/** The file as the command of the operator shows it. */
async function shownFile(fileId: string): Promise<Record<string, unknown>> {
  const [file] = await operate(['ach', 'show', fileId], cells.environment)
  return file
}

async function fileOf({ database }: Cell, paymentId: string): Promise<string> {
  const [row] = await database.query<{ id: number }>('select ach_file_id as id from payment where id = $1::bigint', [
    paymentId,
  ])
  return String(row?.id)
}

/** The row of a file in a cell. */
const totalsIn = ({ database }: Cell, fileId: string) =>
  database.query(
    `select entry_count as entries, credits, arrived, sealed_content is not null as "hasContent" from ach_file
     where id = $1::bigint`,
    [fileId],
  )

async function knownIn(cell: Cell, { key }: Client): Promise<void> {
  await until('the key to be known', async () => {
    return (await at(cell, key).call('GET', '/v0/banking/payments')).status === 200
  })
}

/** Lets the batches of a client settle. */
async function settle(cell: Cell, { key, payer }: Client): Promise<void> {
  await cell.database.query(
    `update ach_batch set settles_at = bank_time(organisation_id) - interval '1 minute'
     where settled_at is null and organisation_id = (select organisation_id from account where id = $1::bigint)`,
    [payer.accountId],
  )
  const { status, text } = await at(cell, key).call('POST', '/v0/sandbox/clock/advance', { body: { by: 'PT1S' } })
  expect(status, text).toBe(200)
}

test('an organisation moves with its entries in files, and takes its returns in the new cell', async () => {
  const { home, east } = cells
  const settled = await payments(home, [acme, staying], 10_00)
  await live.home?.moveFiles()
  for (const client of [acme, staying]) await settle(home, client)
  const clearing = await payments(home, [acme, staying], 20_00)
  await live.home?.moveFiles()
  const taken = fileWith([credit(acme, 5_00), credit(staying, 6_00)])
  expect(await take(taken)).toMatchObject({ state: 'applied', exceptions: 0 })
  const paid = async (cell: Cell, client: Client, place: number) => [
    await paymentIn(cell, client, settled[place] ?? ''),
    await paymentIn(cell, client, clearing[place] ?? ''),
  ]
  const [acmes, stayings] = [await paid(home, acme, 0), await paid(home, staying, 1)] as [[Paid, Paid], [Paid, Paid]]
  expect([...acmes, ...stayings].map(({ status }) => status)).toEqual(['Sent', 'Clearing', 'Sent', 'Clearing'])
  const fileId = await fileOf(home, clearing[0] ?? '')
  const shown = await shownFile(fileId)
  expect(shown).toMatchObject({ entries: 2, credits: 40_00, batches: [{ number: 1 }, { number: 2 }] })
  const day = await dayOf(settlementDay)
  const received = { count: opening.count + 2, credits: opening.credits + 11_00 }
  expect(day).toMatchObject({ difference: 0, received })
  await expectSound()

  await move('Acme', 'east')
  await knownIn(east, acme)
  await expectSound()
  expect(await shownFile(fileId)).toEqual(shown)
  expect(await dayOf(settlementDay)).toEqual(day)
  expect(await totalsIn(home, fileId)).toEqual([{ entries: 1, credits: 20_00, arrived: false, hasContent: true }])
  expect(await totalsIn(east, fileId)).toEqual([{ entries: 1, credits: 20_00, arrived: true, hasContent: false }])
  const [batch] = (await at(east, acme.key).call('GET', `/v0/banking/ach-batches?fileId=${fileId}`)).json.data
  const entries = (await at(east, acme.key).call('GET', `/v0/banking/ach-batches/${batch.id}/entries`)).json.data
  expect(entries).toMatchObject([{ traceNumber: acmes[1].traceNumber, amount: 20_00 }])
  // A file that was taken before has no further effect.
  expect(await take(taken)).toMatchObject({ state: 'already applied' })

  const before = [await balanceIn(east, acme), await balanceIn(home, staying)] as const
  // The second return of a payment is an exception of its organisation.
  const answered = [...acmes, ...stayings, acmes[1]]
  const answers = fileWith([...answered.map(returnIn), credit(acme, 7_00)])
  expect(await take(answers)).toMatchObject({ state: 'applied', entries: 6, exceptions: 1 })
  expect(await take(answers)).toMatchObject({ state: 'already applied' })
  const all = [...(await paid(east, acme, 0)), ...(await paid(home, staying, 1))]
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['Returned']))
  expect([await balanceIn(east, acme), await balanceIn(home, staying)]).toEqual([before[0] + 37_00, before[1] + 30_00])
  await expectSound()
  expect(await dayOf(settlementDay)).toMatchObject({ difference: 0, returnsReceived: { count: 5, credits: 80_00 } })
})

test('a payment that it received before the move is returned with a file of the new cell', async () => {
  const { east } = cells
  const path = '/v0/banking/received-payments'
  const list = (await at(east, acme.key).call('GET', `${path}?direction=Credit`)).json.data
  const received = list.find(({ amount }: { amount: number }) => amount === 5_00)
  const options = { key: acme.key, body: { returnCode: 'R23' } }
  const { status, text } = (await live.east?.call('POST', `${path}/${received.id}/return`, options)) ?? {}
  expect(status, text).toBe(200)
  await east.database.query(
    `update received_payment set return_cutoff_at = now() - interval '1 minute',
       return_settles_at = ($1::date + interval '14 hours') at time zone 'UTC'
     where return_code is not null and return_file_id is null`,
    [bankingDaysAfter(today(), 3)],
  )
  await live.east?.takeFiles()
  await live.east?.moveFiles()
  const [row] = await east.database.query<{ name: string; modifier: string; state: string }>(
    `select f.name, f.modifier, f.state from received_payment r join ach_file f on f.id = r.return_file_id
     where r.id = $1::bigint`,
    [received.id],
  )
  // The modifiers of files that came along are not used up.
  expect(row).toMatchObject({ modifier: 'J', state: 'delivered' })
  const { file } = readAchFile(readFileSync(join(outgoing, row?.name ?? '')))
  expect(file?.batches.flatMap((each) => each.entries)).toMatchObject([
    { amount: 5_00, accountNumber: acme.accountNumber, addenda: { type: 'return', code: 'R23' } },
  ])
  await expectSound()
})

test('the cell that it left keeps its files readable when it deletes its rows', async () => {
  const { home } = cells
  const sealed = `select id, key_organisation_id as key, sealed_content as content from ach_file
    where organisation_id is null and sealed_content is not null order by id`
  const read = async () => {
    const seals = openSeals(home.database, [Buffer.alloc(32, 7)])
    const texts: string[] = []
    for (const { id, key, content } of await home.database.query<{ id: number; key: number; content: Buffer }>(
      sealed,
    )) {
      texts.push(
        (await seals.of(key)).unseal(content, { table: 'ach_file', row: id, column: 'sealed_content' }).toString(),
      )
    }
    return texts
  }
  const keyed = () =>
    home.database.query<{ id: number }>(
      `select f.id from ach_file f left join organisation o on o.id = f.key_organisation_id
       where f.organisation_id is null and (o.id is null or o.ended_at is not null) order by f.id`,
    )
  // A file of others is still being built when the organisation has left that was the first one in it.
  await home.database.query(
    `insert into ach_file (id, key_organisation_id, direction, window_at, part, modifier, created_on, name, state)
     select nextval('record_id'), id, 'out', now(), 1, 'I', now(), 'building', 'building' from organisation where ended_at is not null`,
  )
  const before = await read()
  expect((await keyed()).length).toBeGreaterThan(2)
  await sweepOrganisations(home.bank, { graceMs: 0, callMs: 10_000 })
  expect(await keyed()).toEqual([])
  expect(await read()).toEqual(before)
  expect(await home.database.query('select from organisation where ended_at is not null')).toEqual([])
  await home.database.query(`delete from ach_file where state = 'building'`)
  await expectSound()
})

test('a file that is under way is waited for, and one whose outcome is unknown holds the move up', async () => {
  const { home, east } = cells
  const [made = ''] = await payments(east, [acme], 3_00)
  const last = `(select max(id) from ach_file where direction = 'out' and not arrived)`
  const turn = (state: string) => east.database.query(`update ach_file set state = $1 where id = ${last}`, [state])
  /** Delivers what is built, as often as the pause of writes keeps it from it. */
  const deliver = () =>
    until('the file to be delivered', async () => {
      await live.east?.moveFiles()
      const [file] = await east.database.query<{ state: string }>(`select state from ach_file where id = ${last}`)
      return file?.state === 'delivered'
    })
  await live.east?.moveFiles()
  await turn('unknown')
  await expect(move('Acme', 'home')).rejects.toThrow(/which is unknown in the cell east: note its outcome/)
  await turn('delivered')
  const [later = ''] = await payments(east, [acme], 4_00)
  let delivery: Promise<unknown> | undefined
  await move('Acme', 'home', async (step) => {
    if (step === 'followed') await live.east?.moveFiles()
    // The file is under way when writes are paused: the pause ends, and begins again when it is delivered.
    if (step === 'paused' && !delivery) await turn('built')
    if (step === 'retry') delivery ??= deliver()
  })
  expect(await delivery).toBe(true)
  await knownIn(home, acme)
  await expectSound()
  await settle(home, acme)
  for (const id of [made, later]) expect((await paymentIn(home, acme, id)).status).toBe('Sent')
  await expectSound()
  // The other cell has no entries of the files that came from home any more.
  await sweepOrganisations(east.bank, { graceMs: 0, callMs: 10_000 })
  expect(await east.database.query('select id from ach_file where arrived')).toEqual([])
  await expectSound()
})

test('an intake that was interrupted has no second effect after the move', async () => {
  const { home, east } = cells
  await move('Acme', 'east')
  await knownIn(east, acme)
  const before = [await balanceIn(east, acme), await balanceIn(home, staying)] as const
  const file = fileWith([credit(acme, 1_00), credit(staying, 2_00)])
  const shares = live.east?.shares
  if (!shares) throw new Error('the cell has no part in files')
  const finish = async (...all: Parameters<typeof shares.finish>) => {
    await shares.finish(...all)
    throw new Error('the process ended')
  }
  const cut = live.home?.takeFile(file, [{ name: 'east', shares: { ...shares, finish } }])
  await expect(cut).rejects.toThrow('the process ended')
  // The file is applied in the cell of Acme alone: it moves to the other one, where the intake goes on.
  await move('Acme', 'home')
  await knownIn(home, acme)
  expect(await take(file)).toMatchObject({ state: 'applied', exceptions: 0 })
  expect([await balanceIn(home, acme), await balanceIn(home, staying)]).toEqual([before[0] + 1_00, before[1] + 2_00])
  await expectSound()
})

test('a file is rejected in all cells that have batches of it, also after a move that was killed', async () => {
  const { home, east } = cells
  const [acmes = '', stayings = ''] = await payments(home, [acme, staying], 8_00)
  await live.home?.moveFiles()
  const fileId = await fileOf(home, acmes)
  const day = await dayOf(settlementDay)
  expect(day).toMatchObject({ difference: 0, received: { count: opening.count + 5 } })
  // Both cells own the organisation for a moment: the totals agree in each, and the day counts its entries once.
  await killedMove(cells, 'Acme', 'east', 'switched')
  await expectSound()
  expect(await dayOf(settlementDay)).toEqual(day)
  await move('Acme', 'east')
  await knownIn(east, acme)
  expect(await operate(['ach', 'reject', fileId], cells.environment)).toEqual([
    { id: fileId, state: 'rejected', batches: 2 },
  ])
  expect(await shownFile(fileId)).toMatchObject({
    ...{ state: 'rejected', entries: 2, credits: 16_00 },
    batches: [{ state: 'rejected' }, { state: 'rejected' }],
  })
  for (const [cell, client, id] of [
    [east, acme, acmes],
    [home, staying, stayings],
  ] as const) {
    await at(cell, client.key).call('POST', '/v0/sandbox/clock/advance', { body: { by: 'PT1S' } })
    expect((await paymentIn(cell, client, id)).status).toBe('Rejected')
  }
  const listed = await operate(['ach', 'list'], cells.environment)
  expect(listed).toContainEqual(expect.objectContaining({ id: fileId, entries: 2, cell: 'home' }))
  expect(listed.filter(({ id }) => id === fileId)).toHaveLength(1)
  await expectSound()
})

const steps = [
  ...['begun', 'arriving', 'guarded', 'published', 'slot', 'subscribed', 'copied', 'followed', 'paused'],
  ...['caught up', 'alone', 'compared', 'fenced', 'switched', 'ended', 'replication ended', 'unguarded'],
]

test.each(process.env.SOAK ? steps : [])(
  'the totals agree where the command is killed at the step %s, and after it was run again',
  async (step) => {
    const { home, east } = cells
    const [from, to] =
      (await at(home, acme.key).call('GET', '/v0/banking/payments')).status === 200 ? [home, east] : [east, home]
    await payments(from, [acme], 1)
    await live[from.name]?.moveFiles()
    await killedMove(cells, 'Acme', to.name, step)
    await expectSound()
    await move('Acme', to.name)
    await knownIn(to, acme)
    await expectSound()
  },
)

test.runIf(process.env.SOAK)('files that come in and leave while it moves have one effect', async () => {
  const { home, east } = cells
  const both = [home, east] as const
  const whereabouts = async () =>
    (await at(home, acme.key).call('GET', '/v0/banking/payments')).status === 200 ? both : ([east, home] as const)
  const [start] = await whereabouts()
  const before = [await balanceIn(start, acme), await balanceIn(home, staying)] as const
  const sent: string[] = []
  let credits = 0
  let returned = 0
  let stopped = false

  /** Payments leave with files of the cell that has the organisation. */
  const leaving = async () => {
    while (!stopped) {
      for (const cell of both) {
        const reply = await pay(at(cell, acme.key), acme.payer, { amount: 1_00 })
        if (reply.status === 201) sent.push(reply.json.data.id)
        await passCutoff(cell.database).catch(() => undefined)
        await live[cell.name]?.moveFiles().catch(() => undefined)
      }
      await sleep(50)
    }
  }
  /** Files with a credit for each client and the return of a payment, taken until they are applied. */
  const coming = async () => {
    for (let next = 0; !stopped; ) {
      const entries: Omit<SentEntry, 'sequence'>[] = [credit(acme, 2_00), credit(staying, 3_00)]
      const id = sent[next]
      const found = await Promise.all(both.map((cell) => (id ? paymentIn(cell, acme, id) : undefined)))
      const paid = found.find((each) => each?.traceNumber && each.status === 'Clearing')
      if (paid) entries.push(returnIn(paid))
      const file = fileWith(entries)
      await until('the file to be applied', async () => {
        const outcome = await take(file)?.catch(() => undefined)
        if (outcome?.state === 'refused') throw new Error(outcome.reason)
        return outcome?.state === 'applied' || outcome?.state === 'already applied'
      })
      credits++
      if (paid) [next, returned] = [next + 1, returned + 1]
      if ((await take(file))?.state !== 'already applied') throw new Error('the file was taken twice')
      await sleep(300)
    }
  }
  const running = Promise.all([leaving(), coming()])
  running.catch(() => undefined)
  for (let round = 0; round < 8; round++) {
    const [, to] = await whereabouts()
    await move('Acme', to.name)
    await knownIn(to, acme)
    for (const { database } of both) expect(await verifyLedger(database)).toEqual([])
  }
  stopped = true
  await running
  process.stdout.write(`${credits} files came in, ${sent.length} payments left, ${returned} returned\n`)
  const [owner] = await whereabouts()
  const change = 2_00 * credits - 1_00 * (sent.length - returned)
  expect([await balanceIn(owner, acme), await balanceIn(home, staying)]).toEqual([
    before[0] + change,
    before[1] + 3_00 * credits,
  ])
  await expectSound()
})
