import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { operate } from '../../test/support/run/command-line.ts'
import { databaseUrl } from '../../test/support/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'purser-imports-'))
let bank: TestBank
let key: string
let formers: { kind: string; former: string; id: string }[]

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  key = await bank.makeKey('Moved', null)
  writeFileSync(join(folder, 'customers.csv'), 'id,name,createdAt\nC-1,Ada Example,2025-01-05\n')
  const account = 'A-1,C-1,2025-01-05,300,7700123'
  writeFileSync(join(folder, 'accounts.csv'), `id,customerId,openedAt,balance,accountNumber\n${account}\n`)
  writeFileSync(join(folder, 'history.csv'), 'id,accountId,at,amount\nT-1,A-1,2025-01-31,300\n')
  const environment = {
    DATABASE_URL: databaseUrl(bank.server),
    PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    PURSER_DATA_DIR: folder,
    PURSER_ROUTING_NUMBER: '812345678',
  }
  await operate(['import', folder, '--organisation', 'Moved'], environment)
  formers = (await operate(['organisations', 'former-ids', 'Moved'], environment)) as typeof formers
})
afterAll(async () => {
  await bank.close()
  rmSync(folder, { recursive: true })
})

const imports = (caller: string) => bank.call('GET', '/v0/imports', { key: caller })

test('lists the counts of the files and of the bank side by side', async () => {
  const { status, json } = await imports(key)
  expect(status).toBe(200)
  const figure = (what: string, value: string) => ({ what, before: value, after: value })
  expect(json.data).toEqual([
    {
      source: 'files',
      importedAt: expect.stringMatching(/^\d{4}-/),
      figures: [
        figure('customers', '1'),
        figure('accounts', '1'),
        figure('external-accounts', '0'),
        figure('cards', '0'),
        figure('transfers, with opening balances', '1'),
        figure('cents in accounts', '300'),
      ],
      sequence: 3,
      link: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ])
})

test('lists nothing of another organisation, and needs banking:read', async () => {
  expect((await imports(bank.key)).json.data).toEqual([])
  const { status, json } = await imports(await bank.makeKey('Moved', ['rewards:read']))
  expect([status, json.errors?.[0]?.code ?? json.code]).toEqual([403, 'forbidden'])
})

test.each(['C-1', 'A-1', '7700123', 'T-1'])('a search finds %s by its former id', async (former) => {
  const { json } = await bank.call('GET', `/v0/search?q=${former}`, { key })
  const { id, kind } = formers.find((each) => each.former === former) ?? {}
  expect(json.data.map((each: { type: string; id: string }) => [each.type, each.id])).toContainEqual([kind, id])
  expect((await bank.call('GET', `/v0/search?q=${former}`)).json.data).toEqual([])
})
