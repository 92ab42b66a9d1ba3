import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, root, type TestBank } from '../../../test/support/harness.ts'
import { localOffer, merchant, nationalOffer } from '../../../test/support/offers.ts'
import { databaseUrl, endServices, scratchFolder } from '../../../test/support/service.ts'
import type { CatalogueOffer } from '../../rewards/offers/catalogue.ts'
import type { NationalOffer } from '../../rewards/offers/offer.ts'
import { importOffers } from './offer-import.ts'

let bank: TestBank
let folder: string
let file: string
beforeAll(async () => {
  bank = await openTestBank({ own: true })
  folder = scratchFolder()
  file = join(folder, 'offers.jsonl')
})
afterAll(async () => {
  await bank.close()
  await endServices()
  rmSync(folder, { recursive: true, force: true })
})

async function run(lines: (CatalogueOffer | Record<string, unknown> | string | Buffer)[]) {
  const texts = lines.map((line) =>
    Buffer.isBuffer(line) ? line : Buffer.from(typeof line === 'string' ? line : JSON.stringify(line)),
  )
  writeFileSync(file, Buffer.concat(texts.flatMap((text) => [text, Buffer.from('\n')])))
  const faults: string[] = []
  const progress: number[] = []
  const read = await importOffers([bank.database], file, {
    fault: (line, message) => faults.push(`${line}: ${message}`),
    progress: (count) => progress.push(count),
  })
  return { ...read, faults, progress }
}

async function nationals(search: string): Promise<NationalOffer[]> {
  const url = `/v0/rewards/reward-offers/national-reward-offers?userId=1&page=0&pageSize=200&search=${search}`
  return (await bank.call('GET', url)).json.data.nationalRewardOffers
}

describe('an import', () => {
  test('takes in local and national offers, which lists then show', async () => {
    const shop = localOffer({ title: 'an imported shop' })
    const site = nationalOffer({ title: 'an imported site', commission: 4.35, expirationDate: '2098-07-01' })
    expect(await run([shop, '', site, '  '])).toEqual({ offers: 2, faultyLines: 0, faults: [], progress: [] })
    const [shown] = await nationals('an%20imported%20site')
    expect(shown).toMatchObject({ commission: 4.35, expirationDate: '2098-07-01T00:00:00.000Z' })
    const local = await bank.call('GET', '/v0/rewards/reward-offers/local-reward-offers?userId=1&page=0&zipCode=10001')
    expect(local.json.data.localRewardOffers).toMatchObject([{ title: 'an imported shop', address: shop.address }])
  })

  test('replaces what it finds by its key, and keeps the id', async () => {
    const first = nationalOffer({ title: 'upserted once', merchant: merchant('Upsert Toys') })
    await run([first])
    const [before] = await nationals('upserted')
    const renamed = { ...first.merchant, name: 'Upsert Games' }
    await run([{ ...first, title: 'upserted twice', commission: 1, merchant: renamed }])
    const after = await nationals('upserted')
    expect(after).toMatchObject([{ id: before?.id, title: 'upserted twice', commission: 1 }])
    expect(after[0]?.merchant).toMatchObject({ id: before?.merchant.id, name: 'Upsert Games' })
  })

  test('reports every fault of every line, and changes nothing when there is one', async () => {
    const good = nationalOffer({ title: 'atomic' })
    const shop = localOffer()
    const { merchant: shopMerchant, ...withoutMerchant } = nationalOffer()
    const { faults, faultyLines } = await run([
      good,
      'not json',
      '[]',
      'null',
      { ...nationalOffer(), offerType: 'BOTH' },
      { ...nationalOffer(), title: '', commission: 'much' },
      { ...nationalOffer(), surprise: 1 },
      withoutMerchant,
      { ...nationalOffer(), phone: '+12125550123' },
      { ...shop, key: 'a', geoLocation: { lat: 91, long: -74 } },
      { ...shop, key: 'b', operationHours: { monday: '09:00-17:00' } },
      nationalOffer({ commission: 4.355 }),
      nationalOffer({ commission: 7, totalCommission: 6 }),
      nationalOffer({ validFrom: 'yesterday' }),
      nationalOffer({ validFrom: '2026-01-02', expirationDate: '2026-01-02' }),
      nationalOffer({ title: 'a\u0000b' }),
      { ...nationalOffer(), key: good.key },
      nationalOffer({ merchant: { ...good.merchant, name: 'Another' } }),
      Buffer.from([0x7b, 0xff, 0x7d]),
      nationalOffer({ minimumSpend: -1 }),
      nationalOffer({ maximumReward: 0 }),
      nationalOffer({ commission: 0 }),
      nationalOffer({ commission: 100.01, totalCommission: 100.01 }),
    ])
    expect(shopMerchant).toBeDefined()
    expect(faultyLines).toBe(22)
    expect(faults).toEqual([
      '2: is not JSON',
      '3: /offerType must be INSTORE or ONLINE',
      '4: /offerType must be INSTORE or ONLINE',
      '5: /offerType must be INSTORE or ONLINE',
      expect.stringMatching(/^6: \/title must /),
      expect.stringMatching(/^6: \/commission must /),
      '7: /surprise is not known',
      '8: /merchant is required',
      '9: /phone is not known',
      expect.stringMatching(/^10: \/geoLocation\/lat must /),
      ...['tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map(
        (day) => `11: /operationHours/${day} is required`,
      ),
      '12: /commission must have at most two decimals',
      '13: /totalCommission must not be less than commission',
      '14: /validFrom must be an RFC 3339 date-time or YYYY-MM-DD',
      '15: /expirationDate must be after validFrom',
      '16: /title must hold no control character or lone surrogate',
      '17: /key is that of line 1',
      '18: /merchant differs from the one of this key in line 1',
      '19: is not UTF-8',
      expect.stringMatching(/^20: \/minimumSpend must /),
      expect.stringMatching(/^21: \/maximumReward must /),
      expect.stringMatching(/^22: \/commission must /),
      expect.stringMatching(/^23: \/commission must /),
      expect.stringMatching(/^23: \/totalCommission must /),
    ])
    expect(await nationals('atomic')).toEqual([])
  })

  test('keeps nothing of thousands of good lines before a bad one, and shows how far it is', async () => {
    const many = Array.from({ length: 2_500 }, () => nationalOffer({ title: 'one of many' }))
    const { faults, progress } = await run([...many, '{}'])
    expect(faults).toEqual(['2501: /offerType must be INSTORE or ONLINE'])
    expect(progress).toEqual([1_000, 2_000])
    expect(await nationals('one%20of%20many')).toEqual([])
    expect(await run(many)).toMatchObject({ offers: 2_500, faultyLines: 0 })
    expect(await nationals('one%20of%20many')).toHaveLength(200)
  })
})

describe('purser offers', () => {
  const command = (...words: string[]) =>
    promisify(execFile)(process.execPath, ['bin/purser.js', 'offers', ...words], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: databaseUrl(bank.server),
        PURSER_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
        PURSER_DATA_DIR: folder,
      },
    }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    )

  test('imports while the service runs', async () => {
    writeFileSync(file, `${JSON.stringify(nationalOffer({ title: 'by command' }))}\n`)
    expect(await command('import', file)).toMatchObject({ code: 0, stdout: '{"imported":1,"faultyLines":0}\n' })
    expect(await nationals('by%20command')).toHaveLength(1)
  })

  test('ends with 1 and the faults, or with the way to call it', async () => {
    writeFileSync(file, '{}\n')
    expect(await command('import', file)).toMatchObject({
      code: 1,
      stdout: '{"line":1,"fault":"/offerType must be INSTORE or ONLINE"}\n{"imported":0,"faultyLines":1}\n',
    })
    expect(await command('import')).toMatchObject({ code: 2, stderr: expect.stringContaining("argument 'file'") })
    const missing = await command('import', join(folder, 'none'))
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('(ENOENT)') })
  })
})
