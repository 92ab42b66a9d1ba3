import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcileDay } from '../../src/bank/ach/reconciliation.ts'
import { entryClasses } from '../../src/rails/ach/codes.ts'
import { openTestBank, type TestBank } from '../support/harness.ts'
import { accountOf, expectSoundLedger, makePayer } from '../support/ledger.ts'
import { lastBankingDay } from '../support/rails/incoming.ts'
import { type LineEntry, receivedFile } from '../support/rails/received-file.ts'
import { railSettings } from '../support/rails/settings.ts'
import { seedOfTest } from '../support/random.ts'

const runs = process.env.SOAK ? 300 : 12
const { settings, remove } = railSettings()
const numbers: string[] = []
let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank({ ach: settings })
  for (const balance of [0, 5_00, 500_00]) {
    const { accountId } = await makePayer(bank, balance)
    numbers.push((await accountOf(bank, accountId)).accountNumber)
  }
})
afterAll(async () => {
  await bank.close()
  remove()
})

const readCodes = [...entryClasses.keys()].filter((code) => code !== 'COR')
const otherCodes = ['IAT', 'ENR', 'MTE', 'SHR', 'TRC', 'TRX', 'ACK', 'ATX', 'DNE', 'ADV', 'ZZZ', 'ppd', '   ']

const entry = fc.record({
  // A live code, a prenote, a code of returns without an addenda, and codes that do not exist.
  code: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(22, 27, 32, 37) },
    { weight: 1, arbitrary: fc.constantFrom(23, 21, 52, 47, 61, 88) },
  ),
  amount: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max: 40_000 }) }, fc.constant(0)),
  // The last one is nobody's.
  account: fc.integer({ min: 0, max: 3 }),
  isOwnBank: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
  addenda: fc.integer({ min: 0, max: 3 }),
})
type Drawn = typeof entry extends fc.Arbitrary<infer E> ? E : never
const batch = fc.record({
  secCode: fc.oneof(fc.constantFrom(...readCodes), fc.constantFrom(...otherCodes)),
  entries: fc.array(entry, { minLength: 1, maxLength: 6 }),
})

/** The number and kind of addenda that fit the SEC code, and the name with them. */
function lineEntry(secCode: string, { code, amount, account, isOwnBank, addenda }: Drawn, sequence: number): LineEntry {
  const { addenda: kind, maxAddenda = 0 } = entryClasses.get(secCode) ?? { addenda: 'terminal', maxAddenda: 3 }
  const count = Math.min(addenda, maxAddenda)
  const name = secCode === 'CTX' ? `${String(count).padStart(4, '0')}GRACE SAMPLE` : 'GRACE SAMPLE'
  return {
    ...{ code, amount, sequence, accountNumber: numbers[account] ?? '40400404' },
    ...(!isOwnBank && { routingNumber: '011401533' }),
    text: `${'GRACE SAMPLE'.padEnd(15)}${name}`,
    addenda: Array(count).fill(kind === 'payment' ? '05' : '02'),
  }
}

/** Whether the account is to be credited or debited. */
function isGood(secCode: string, { code, amount, account, isOwnBank }: Drawn): boolean {
  const side = entryClasses.get(secCode)?.side
  const isLive = [22, 27, 32, 37].includes(code) && amount > 0
  const isAllowed = side === undefined || side === (code % 10 < 5 ? 'credit' : 'debit')
  return readCodes.includes(secCode) && isLive && isAllowed && isOwnBank && account < 3
}

interface Outcome {
  line: number
  outcome: string
  kind: string
  amount: number
  status: string | null
  returnCode: string | null
  exception: string | null
}

const outcomesOf = (name: string) =>
  bank.database.query<Outcome>(
    `select e.line, e.outcome, e.kind, e.amount, r.status, r.return_code as "returnCode", x.kind as exception
     from ach_file f join ach_received_entry e on e.file_id = f.id
     left join received_payment r on r.id = e.received_payment_id left join ach_exception x on x.id = e.exception_id
     where f.name = $1 order by e.line`,
    [name],
  )

/** The balances of the internal accounts. */
async function held(): Promise<{ settlement: number; suspense: number }> {
  const rows = await bank.database.query<{ kind: string; sum: number }>(
    `select kind, sum(balance)::bigint as sum from account where id < 0 and kind in ('ach_settlement', 'ach_suspense') group by kind`,
  )
  const of = (kind: string) => rows.find((row) => row.kind === kind)?.sum ?? 0
  return { settlement: of('ach_settlement'), suspense: of('ach_suspense') }
}

test('each good entry is booked, each other one is an exception or a return, to the cent', async () => {
  let sequence = 0
  let files = 0
  const settlesOn = lastBankingDay()
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 8 }), async (batches) => {
      const made = batches.map(({ secCode, entries }) => ({
        secCode,
        entries: entries.map((each) => lineEntry(secCode, each, ++sequence)),
      }))
      const name = `drawn-${++files}.ach`
      // Each file has a time of creation of its own.
      const createdAt = new Date(files * 60_000).toISOString().slice(11, 16).replace(':', '')
      const bytes = receivedFile(made, settlesOn, 'A', createdAt)
      const before = await held()
      const intake = await bank.takeFile({ name, bytes })
      const drawn = batches.flatMap(({ secCode, entries }) => entries.map((each) => ({ secCode, each })))
      expect(intake).toMatchObject({ state: 'applied', entries: drawn.length })
      const outcomes = await outcomesOf(name)
      expect(outcomes).toHaveLength(drawn.length)
      let [booked, suspended] = [0, 0]
      for (const [index, { secCode, each }] of drawn.entries()) {
        const { outcome, kind, amount, status, returnCode, exception } = outcomes[index] as Outcome
        const about = JSON.stringify({ secCode, each, found: outcomes[index] })
        expect(amount, about).toBe(each.amount)
        const signed = each.code % 10 < 5 ? amount : -amount
        if (status === 'Completed') booked += signed
        else suspended += signed
        if (isGood(secCode, each)) {
          // A debit that the account cannot pay goes back.
          expect([status, returnCode], about).toEqual(
            status === 'Completed' || signed > 0 ? ['Completed', null] : ['MarkedForReturn', 'R01'],
          )
        } else if (status !== null)
          expect([outcome, status, returnCode], about).toEqual(['applied', 'MarkedForReturn', 'R03'])
        else if (kind === 'prenote') expect([outcome, amount], about).toEqual(['applied', 0])
        else
          expect([outcome, exception], about).toEqual([
            'exception',
            readCodes.includes(secCode) ? 'entry_invalid' : 'entry_unsupported',
          ])
      }
      const after = await held()
      expect(before.settlement - after.settlement).toBe(booked + suspended)
      expect(after.suspense - before.suspense).toBe(suspended)
      expect((await reconcileDay(bank.database, null, settlesOn)).difference).toBe(0)
    }),
    { numRuns: runs, seed: seedOfTest() },
  )
  await expectSoundLedger(bank)
})
