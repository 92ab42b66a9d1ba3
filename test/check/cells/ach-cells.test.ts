import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { reconcileDay } from '../../../src/bank/ach/reconciliation.ts'
import type { OtherDatabase, ShareIntake } from '../../../src/bank/ach/spread/spread.ts'
import { readSent } from '../../../src/bank/ach/witness/sent-file.ts'
import { verifyLedger } from '../../../src/ledger/verify.ts'
import { bankingDaysAfter } from '../../../src/rails/ach/calendar.ts'
import { readAchFile } from '../../../src/rails/ach/read-file.ts'
import { type LiveCell, type LiveCells, openLiveCells } from '../../support/cells/live-cells.ts'
import { accountOf, pay } from '../../support/ledger.ts'
import { testAch } from '../../support/rails/ach.ts'
import { incomingFile, lastBankingDay, returnOf, type SentEntry } from '../../support/rails/incoming.ts'
import { passCutoff } from '../../support/rails/leaving.ts'

const outgoing = mkdtempSync(join(tmpdir(), 'purser-ach-cells-'))
let cells: LiveCells
let home: LiveCell
let east: LiveCell

beforeAll(async () => {
  cells = await openLiveCells(testAch(outgoing))
  ;({ home, east } = cells)
})
afterEach(async () => {
  for (const { sandbox } of [home, east]) expect(await verifyLedger(sandbox.database)).toEqual([])
})
afterAll(async () => {
  await cells.close()
  rmSync(outgoing, { recursive: true })
})

const both = () => [home, east] as const
const eastCell = (shares: ShareIntake | undefined = east.live.shares): OtherDatabase[] => [{ name: 'east', shares }]
const today = () => new Date().toISOString().slice(0, 10)
const balanceOf = async ({ sandbox, payer }: LiveCell) => (await accountOf(sandbox, payer.accountId)).balance
const numberOf = async ({ sandbox, payer }: LiveCell): Promise<string> =>
  (await sandbox.call('GET', `/v0/banking/accounts/${payer.accountId}`)).json.data.accountNumber

interface Paid {
  id: string
  amount: number
  status: string
  traceNumber: string
}
const paymentOf = async ({ sandbox }: LiveCell, id: string): Promise<Paid> =>
  (await sandbox.call('GET', `/v0/banking/payments/${id}`)).json.data

/** A payment whose cut-off has passed a moment ago, in a file that is delivered. */
async function send(cell: LiveCell, amount: number): Promise<Paid> {
  const { json } = await pay(cell.sandbox, cell.payer, { amount })
  await passCutoff(cell.sandbox.database)
  await cell.live.moveFiles()
  return paymentOf(cell, json.data.id)
}

let sequence = 0
const files = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const fileWith = (entries: Omit<SentEntry, 'sequence'>[]) => {
  const name = `in-${++sequence}.ach`
  const modifier = files[sequence % 36] as string
  const numbered = entries.map((entry, place) => ({ ...entry, sequence: sequence * 100 + place }))
  return { name, bytes: incomingFile({ entries: numbered, settlesOn: lastBankingDay(), modifier }) }
}
const credit = (accountNumber: string, amount: number) => ({ code: 22, amount, accountNumber })
const returnIn = (payment: Paid) => {
  const { sequence: _, ...entry } = returnOf(payment, { sequence: 0 })
  return entry
}
const incomingOf = ({ sandbox }: LiveCell, name: string) =>
  sandbox.database.query<{ state: string; entry_count: number; credits: number }>(
    `select state, entry_count, credits from ach_file where direction = 'in' and name = $1`,
    [name],
  )

describe('a live bank of two cells', () => {
  test('builds a file in each, with modifiers and trace numbers of its own', async () => {
    const sent = [await send(home, 20_00), await send(east, 30_00)]
    expect(sent.map(({ status }) => status)).toEqual(['Clearing', 'Clearing'])
    const [ofHome, ofEast, ...names] = readdirSync(outgoing).sort()
    expect([ofHome, ofEast]).toEqual(['.purser-journal', '.purser-journal-1'])
    expect(names.map((name) => name.slice(-6))).toEqual(['-A.ach', '-J.ach'])
    const headers = names.map((name) => readAchFile(readFileSync(join(outgoing, name))))
    expect(headers.flatMap(({ faults }) => faults)).toEqual([])
    const [one, other] = headers.map(({ file }) => file)
    expect({ ...one?.header, modifier: '' }).toEqual({ ...other?.header, modifier: '' })
    expect(sent.map(({ traceNumber }) => Math.floor(Number(traceNumber.slice(-7)) / 2_499_999))).toEqual([0, 1])
  })

  test('goes on with the next modifiers of each, and after the last with those of the next day', async () => {
    await send(home, 1_00)
    for (let count = 2; count <= 10; count++) await send(east, count)
    const made = await east.sandbox.database.query<{ modifier: string; day: number }>(
      `select modifier, created_on - min(created_on) over () as day from ach_file where direction = 'out' order by id`,
    )
    expect(made.map(({ modifier, day }) => `${modifier}${day}`).join(' ')).toBe('J0 K0 L0 M0 N0 O0 P0 Q0 R0 J1')
    expect(readdirSync(outgoing).filter((name) => name.endsWith('-B.ach'))).toHaveLength(1)
  })

  test('holds the files of the cell alone whose database is older, and takes no file until it is resumed', async () => {
    const names = () => readdirSync(outgoing).filter((name) => name.endsWith('.ach'))
    await east.sandbox.database.query(`delete from ach_journal where line = (select max(line) from ach_journal)`)
    await expect(east.live.moveFiles()).rejects.toThrow('the database was restored')
    await expect(home.live.takeFiles(eastCell())).rejects.toThrow('ACH is held')
    await home.live.moveFiles()
    const sent = names().map((name) => readSent(readFileSync(join(outgoing, name)), { ach: testAch(outgoing) }, name))
    const said = { sentNames: [], notSent: [], trustDatabase: false }
    const moves = { isElsewhere: async () => false, endMoved: async () => undefined }
    // The files of the other cell are among those that left.
    expect(await east.live.rail.resume({ sent, ...said, ...moves })).toEqual({ files: 0, lost: 0 })
    await east.live.moveFiles()
  })

  test('takes a file once: each cell its own entries, the home cell those of nobody', async () => {
    const paid = [await send(home, 21_00), await send(east, 31_00)] as const
    const before = [await balanceOf(home), await balanceOf(east)] as const
    const file = fileWith([
      credit(await numberOf(home), 11_00),
      credit(await numberOf(east), 12_00),
      credit('5550000', 13_00),
      returnIn(paid[0]),
      returnIn(paid[1]),
      returnIn({ ...paid[1], traceNumber: '812345672600000' }),
    ])
    expect(await home.live.takeFile(file, eastCell())).toMatchObject({ state: 'applied', entries: 6, exceptions: 1 })
    expect(await home.live.takeFile(file, eastCell())).toMatchObject({ state: 'already applied' })
    expect([await balanceOf(home), await balanceOf(east)]).toEqual([before[0] + 32_00, before[1] + 43_00])
    for (const [place, cell] of both().entries()) {
      expect((await paymentOf(cell, paid[place]?.id ?? '')).status).toBe('Returned')
    }
    // Each cell has the totals of its own entries.
    expect(await incomingOf(home, file.name)).toEqual([{ state: 'applied', entry_count: 4, credits: 76_00 }])
    expect(await incomingOf(east, file.name)).toEqual([{ state: 'applied', entry_count: 2, credits: 43_00 }])
    for (const { sandbox } of both()) {
      expect((await reconcileDay(sandbox.database, null, lastBankingDay())).difference).toBe(0)
    }
  })

  test('takes a return of an entry from before there were several cells', async () => {
    const paid = await send(home, 9_00)
    const traceNumber = '812345673000001'
    await home.sandbox.database.query('update payment set trace_number = $2 where id = $1', [paid.id, traceNumber])
    const file = fileWith([returnIn({ ...paid, traceNumber })])
    expect(await home.live.takeFile(file, eastCell())).toMatchObject({ state: 'applied', exceptions: 0 })
    expect((await paymentOf(home, paid.id)).status).toBe('Returned')
  })

  test('sends back what it received, from the cell that has it', async () => {
    const path = '/v0/banking/received-payments'
    const [received] = (await east.sandbox.call('GET', `${path}?direction=Credit&limit=1`)).json.data
    const { status } = await east.live.call('POST', `${path}/${received.id}/return`, { body: { returnCode: 'R23' } })
    expect(status).toBe(200)
    await east.sandbox.database.query(
      `update received_payment set return_cutoff_at = now() - interval '1 minute',
         return_settles_at = ($1::date + interval '14 hours') at time zone 'UTC' where return_code is not null`,
      [bankingDaysAfter(today(), 3)],
    )
    await east.live.takeFiles()
    const [row] = await east.sandbox.database.query<{ trace: string; modifier: string }>(
      `select r.return_trace as trace, f.modifier from received_payment r join ach_file f on f.id = r.return_file_id`,
    )
    expect(Number(row?.trace.slice(-7))).toBeGreaterThan(2_499_999)
    expect('JKLMNOPQR').toContain(row?.modifier)
  })
})

describe('a file that comes in', () => {
  test('waits in its folder for a cell that is away, and the others have their entries meanwhile', async () => {
    const folder = join(outgoing, 'in')
    mkdirSync(folder, { recursive: true })
    const place = ({ name, bytes }: { name: string; bytes: Buffer }) => {
      writeFileSync(join(folder, name), bytes)
      utimesSync(join(folder, name), 0, 0)
    }
    const [homeNumber, eastNumber] = [await numberOf(home), await numberOf(east)]
    const before = [await balanceOf(home), await balanceOf(east)] as const
    const waiting = fileWith([credit(homeNumber, 1_00), credit(eastNumber, 2_00), credit('5550001', 3_00)])
    place(waiting)
    await home.live.takeFiles([{ name: 'east', shares: undefined }])
    expect([await balanceOf(home), await balanceOf(east)]).toEqual([before[0] + 1_00, before[1]])
    expect(await incomingOf(home, waiting.name)).toMatchObject([{ state: 'taken' }])
    // A file after it is taken.
    const behind = fileWith([credit(homeNumber, 4_00)])
    place(behind)
    await home.live.takeFiles(eastCell())
    expect(await incomingOf(home, behind.name)).toMatchObject([{ state: 'applied' }])
    expect(readdirSync(folder)).toContain(waiting.name)
    expect(await home.live.takeFile(waiting, eastCell())).toMatchObject({ state: 'applied', exceptions: 0 })
    expect([await balanceOf(home), await balanceOf(east)]).toEqual([before[0] + 5_00, before[1] + 2_00])
  })

  test('waits for a cell of the bank that the process does not know', async () => {
    const file = fileWith([credit(await numberOf(home), 1_00), credit(await numberOf(east), 2_00)])
    const before = await balanceOf(east)
    expect(await home.live.takeFile(file)).toMatchObject({
      state: 'waiting',
      awaited: [{ cell: 'east', reason: 'PURSER_CELL_EAST is not set' }],
    })
    expect(await home.live.takeFile(file, eastCell())).toMatchObject({ state: 'applied' })
    expect(await balanceOf(east)).toBe(before + 2_00)
  })

  test('is refused by the home cell for all', async () => {
    const { name, bytes } = fileWith([credit(await numberOf(east), 2_00)])
    expect(await home.live.takeFile({ name, bytes }, eastCell())).toMatchObject({ state: 'applied' })
    // The same header with other content.
    const entries = [{ sequence: 9_000, ...credit(await numberOf(east), 5_00) }]
    const other = incomingFile({ entries, settlesOn: lastBankingDay(), modifier: files[sequence % 36] as string })
    const before = await balanceOf(east)
    expect(await home.live.takeFile({ name: 'other.ach', bytes: other }, eastCell())).toMatchObject({
      state: 'refused',
    })
    expect(await balanceOf(east)).toBe(before)
    expect(await incomingOf(east, 'other.ach')).toEqual([])
  })

  test('has one effect where the intake ends before or after any step of the other cell', async () => {
    const shares = east.live.shares as ShareIntake
    const steps = ['take', 'own', 'finish'] as const
    for (const step of steps) {
      for (const isAfter of [false, true]) {
        const paid = await send(east, 6_00)
        const before = [await balanceOf(home), await balanceOf(east)] as const
        const file = fileWith([
          credit(await numberOf(home), 1_00),
          credit(await numberOf(east), 2_00),
          returnIn(paid),
          credit('5550002', 3_00),
        ])
        const ending: ShareIntake = {
          ...shares,
          [step]: async (...args: never[]) => {
            if (isAfter) await (shares[step] as (...all: never[]) => Promise<unknown>)(...args)
            throw new Error('the process ended')
          },
        }
        const first = await home.live.takeFile(file, eastCell(ending)).catch((error: Error) => error.message)
        expect(first, step).toSatisfy(
          (outcome: typeof first) =>
            outcome === 'the process ended' || (typeof outcome === 'object' && outcome.state === 'waiting'),
        )
        expect(await home.live.takeFile(file, eastCell())).toMatchObject({ state: 'applied', entries: 4 })
        expect([await balanceOf(home), await balanceOf(east)]).toEqual([before[0] + 1_00, before[1] + 8_00])
        expect(await incomingOf(home, file.name)).toEqual([{ state: 'applied', entry_count: 2, credits: 4_00 }])
        expect(await incomingOf(east, file.name)).toEqual([{ state: 'applied', entry_count: 2, credits: 8_00 }])
      }
    }
  })
})
