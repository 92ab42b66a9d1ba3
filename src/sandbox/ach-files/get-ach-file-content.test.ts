import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestBank } from '../../../test/support/harness.ts'
import { openRailBank, sendPayments } from '../../../test/support/rails/leaving.ts'
import { readAchFile } from '../../rails/ach/read-file.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openRailBank()
})
afterAll(() => bank.close())

describe('GET /v0/sandbox/ach-files/:achFileId/content', () => {
  test('answers the bytes of a file, to its organisation only', async () => {
    await sendPayments(bank, [20_00])
    const [file] = (await bank.call('GET', '/v0/sandbox/ach-files')).json.data
    const path = `/v0/sandbox/ach-files/${file.id}/content`
    const { status, headers, text } = await bank.call('GET', path)
    expect([status, headers['content-type']]).toEqual([200, 'text/plain'])
    expect(createHash('sha256').update(text).digest('hex')).toBe(file.sha256)
    expect(readAchFile(Buffer.from(text)).file?.batches[0]?.entries).toMatchObject([{ amount: 20_00 }])
    const refused = await bank.call('GET', path, { key: bank.otherKey })
    expect([refused.status, refused.json.code]).toEqual([404, 'ach_file_not_found'])
  })

  test('is refused where a file has no bytes, or too many', async () => {
    const code = async (id: unknown) => {
      const { status, json } = await bank.call('GET', `/v0/sandbox/ach-files/${id}/content`)
      return [status, json.code]
    }
    const { fileId } = await bank.takeFile({ name: 'wrong.ach', bytes: Buffer.from('no file') })
    expect(await code(fileId)).toEqual([409, 'ach_file_without_content'])
    await bank.database.query(
      `update ach_file set sealed_content = convert_to(repeat('x', 16777217), 'UTF8') where direction = 'out'`,
    )
    const [large] = (await bank.call('GET', '/v0/sandbox/ach-files?direction=Outgoing')).json.data
    expect(await code(large.id)).toEqual([409, 'ach_file_without_content'])
    expect(await code('9000000')).toEqual([404, 'ach_file_not_found'])
  })
})
