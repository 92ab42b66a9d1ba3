import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../../test/support/harness.ts'
import { accountOf, expectSoundLedger, holdAccount, makePayer } from '../../../../test/support/ledger.ts'
import { lastBankingDay } from '../../../../test/support/rails/incoming.ts'
import { receivedFile } from '../../../../test/support/rails/received-file.ts'
import { railSettings } from '../../../../test/support/rails/settings.ts'
import { until } from '../../../../test/support/service.ts'

const { settings, remove } = railSettings()
/** More than two portions. */
const ENTRIES = 600

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank({ ach: settings })
})
afterAll(async () => {
  await bank.close()
  remove()
})

/** An account of an organisation, and its folder. */
async function receiver(name: string, key: string) {
  const [organisation] = await bank.database.query<{ id: number }>('select id from organisation where name = $1', [
    name,
  ])
  const customer = await bank.call('POST', '/v0/sandbox/customers', { key, body: { name: 'Ada Example' } })
  const body = { customerId: customer.json.data.id }
  const { id, accountNumber } = (await bank.call('POST', '/v0/banking/accounts', { key, body })).json.data
  const folder = join(settings.incoming, String(organisation?.id))
  mkdirSync(folder, { recursive: true })
  const balance = async () =>
    (await bank.call('GET', `/v0/banking/accounts/${id}`, { key })).json.data.balance as number
  return { id: id as string, accountNumber: accountNumber as string, folder, balance }
}
type Receiver = Awaited<ReturnType<typeof receiver>>

function put({ folder, accountNumber }: Receiver, name: string, count: number, modifier = 'A'): void {
  const entries = Array.from({ length: count }, (_, at) => ({
    ...{
      code: 22,
      amount: 1_00,
      accountNumber,
      sequence: modifier.charCodeAt(0) * 1_000 + at,
      text: `${' '.repeat(15)}ADA EXAMPLE`,
    },
  }))
  writeFileSync(join(folder, name), receivedFile([{ secCode: 'PPD', entries }], lastBankingDay(), modifier))
  utimesSync(join(folder, name), 0, 0)
}

const stateOf = async (name: string) =>
  (await bank.database.query<{ state: string }>('select state from ach_file where name = $1', [name]))[0]?.state

test('a file of another organisation is taken while a large one stands still', async () => {
  const large = await receiver('first', bank.key)
  const small = await receiver('second', bank.otherKey)
  put(large, 'large.ach', ENTRIES)
  const release = await holdAccount(bank, large.id)
  const taking = bank.takeFiles()
  await until('the large file to be taken', async () => (await stateOf('large.ach')) === 'taken')
  put(small, 'small.ach', 1)
  await until('the small file to be applied', async () => (await stateOf('small.ach')) === 'applied')
  expect(await small.balance()).toBe(1_00)
  expect(await stateOf('large.ach')).toBe('taken')
  await release()
  await taking
  // A command that waited for too long leaves the rest to the next look at the folder.
  await until('the large file to be applied', async () => {
    await bank.takeFiles()
    return (await stateOf('large.ach')) === 'applied'
  })
  expect(await large.balance()).toBe(ENTRIES * 1_00)
  await until(
    'both to be moved away',
    async () => readdirSync(large.folder).concat(readdirSync(small.folder)).join() === 'done,done',
  )
  await expectSoundLedger(bank)
})

test('two processes do not take the same file, and neither waits for the other', async () => {
  const payer = await makePayer(bank)
  const { accountNumber } = await accountOf(bank, payer.accountId)
  const own = await receiver('first', bank.key)
  put({ ...own, accountNumber }, 'twice.ach', ENTRIES + 1, 'B')
  await Promise.all([bank.takeFiles(), bank.takeFiles()])
  expect((await accountOf(bank, payer.accountId)).balance).toBe((ENTRIES + 1) * 1_00)
  expect(await stateOf('twice.ach')).toBe('applied')
  await expectSoundLedger(bank)
})
