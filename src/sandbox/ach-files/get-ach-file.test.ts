import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestBank } from '../../../test/support/harness.ts'
import { openRailBank, sendPayments } from '../../../test/support/rails/leaving.ts'

const outgoing = mkdtempSync(join(tmpdir(), 'purser-ach-'))
let bank: TestBank
beforeAll(async () => {
  bank = await openRailBank(outgoing)
})
afterAll(async () => {
  await bank.close()
  rmSync(outgoing, { recursive: true })
})

describe('GET /v0/sandbox/ach-files/:achFileId', () => {
  test('shows a file as the list does, to its organisation only', async () => {
    await sendPayments(bank, [20_00])
    await bank.moveFiles()
    const [file] = (await bank.call('GET', '/v0/sandbox/ach-files')).json.data
    expect(file).toMatchObject({ status: 'Delivered', deliveredAt: expect.stringContaining('2030-02-05T19:15') })
    const path = `/v0/sandbox/ach-files/${file.id}`
    const { status, json } = await bank.call('GET', path)
    expect([status, json.data]).toEqual([200, file])
    for (const [other, key] of [
      [path, bank.otherKey],
      ['/v0/sandbox/ach-files/9000000', bank.key],
      ['/v0/sandbox/ach-files/x', bank.key],
    ] as const) {
      const refused = await bank.call('GET', other, { key })
      expect([refused.status, refused.json.code]).toEqual([404, 'ach_file_not_found'])
    }
  })
})
