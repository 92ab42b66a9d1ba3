import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Compile } from 'typebox/compile'
import { beforeAll, describe, expect, test } from 'vitest'
import { sampleLines } from '../../../scripts/sample-lines.ts'
import { allZipCodes, zipCodeLines } from '../../../scripts/zip-code-lines.ts'
import { findZipCode } from '../../../src/bank/offers/zip-codes.ts'
import {
  type CatalogueOffer,
  LocalCatalogueOffer,
  NationalCatalogueOffer,
} from '../../../src/rewards/offers/catalogue.ts'
import { milesBetween, searchBox } from '../../../src/rewards/offers/place.ts'
import { sampleCatalogue, type ZipCode } from '../../../src/rewards/offers/sample-catalogue.ts'
import { root } from '../../support/harness.ts'

const now = '2026-01-31T12:00:00.000Z'

let zipCodes: ZipCode[]
let offers: CatalogueOffer[]
let local: LocalCatalogueOffer[]
let national: NationalCatalogueOffer[]
beforeAll(() => {
  zipCodes = allZipCodes()
  offers = sampleCatalogue(zipCodes, now)
  local = offers.filter((offer) => offer.offerType === 'INSTORE')
  national = offers.filter((offer) => offer.offerType === 'ONLINE')
})

const asset = (name: string) => readFileSync(join(root, `assets/${name}.tsv`), 'utf8')

describe('The ZIP codes', () => {
  test('are those of the United States that have coordinates', () => {
    expect(zipCodes).toHaveLength(42_249)
    expect(zipCodes.find(({ zip }) => zip === '90210')).toEqual({
      zip: '90210',
      lat: 34.0901,
      long: -118.4065,
      city: 'Beverly Hills',
      state: 'CA',
    })
    expect(zipCodes.filter(({ zip, lat, long }) => !/^\d{5}$/.test(zip) || (lat === 0 && long === 0))).toEqual([])
    expect(asset('zip-codes') === zipCodeLines(), 'npm run zip-codes').toBe(true)
  })

  test('are found in their file, and no others', () => {
    const others = zipCodes.filter((each) => JSON.stringify(findZipCode(each.zip)) !== JSON.stringify(each))
    expect(others).toEqual([])
    for (const zip of ['00000', '00500', '10000', '99999', '1000', '1000a', ''])
      expect(findZipCode(zip), zip).toBeUndefined()
  })
})

describe('The sample catalogue', () => {
  test('has an offer within ten miles of every ZIP code', () => {
    const byBand = new Map<number, LocalCatalogueOffer[]>()
    for (const offer of local) {
      const band = Math.floor(offer.geoLocation.lat * 20)
      byBand.set(band, [...(byBand.get(band) ?? []), offer])
    }
    const alone = zipCodes.filter((centre) => {
      const { bands, west, east } = searchBox(centre, 10)
      return !bands.some((band) =>
        byBand
          .get(band)
          ?.some(
            ({ geoLocation }) =>
              geoLocation.long >= west && geoLocation.long <= east && milesBetween(centre, geoLocation) <= 10,
          ),
      )
    })
    expect(alone).toEqual([])
  })

  test('is dense in large cities', () => {
    for (const city of ['New York', 'Chicago', 'Houston', 'Los Angeles', 'Philadelphia', 'Phoenix']) {
      expect(local.filter(({ address }) => address.city === city).length, city).toBeGreaterThan(30)
    }
  })

  test('has 80 national offers, each of a merchant of its own', () => {
    expect(national).toHaveLength(80)
    expect(new Set(national.map(({ merchant }) => merchant.name)).size).toBe(80)
  })

  test('is the same for the same ZIP codes and time, and in the files that a first start reads', () => {
    expect(sampleCatalogue(zipCodes, now)).toEqual(offers)
    const { merchants, offers: lines } = sampleLines()
    expect(asset('sample-merchants') === merchants, 'npm run zip-codes').toBe(true)
    expect(asset('sample-offers') === lines, 'npm run zip-codes').toBe(true)
  })

  test('has minimum spends up to $50 and offers that are live at every bank time up to two years ahead', () => {
    const odd = offers.filter(
      ({ minimumSpend = 0, validFrom, expirationDate, commission, totalCommission }) =>
        minimumSpend > 50_00 ||
        validFrom > '2000-01-01T00:00:00.000Z' ||
        expirationDate < '2028-02-01T00:00:00.000Z' ||
        totalCommission < commission,
    )
    expect(odd).toEqual([])
  })

  test('contains no real names, addresses or phone numbers', () => {
    const hosts = offers
      .flatMap(({ merchant }) => [merchant.websiteURL, merchant.imgUrl])
      .map((url) => new URL(url).host)
    expect(hosts.filter((host) => !host.endsWith('.example.com'))).toEqual([])
    expect(local.filter(({ phone }) => !/^\+1[2-9]\d\d55501\d\d$/.test(phone))).toEqual([])
  })

  test('is accepted by the import', () => {
    const [isLocal, isNational] = [Compile(LocalCatalogueOffer), Compile(NationalCatalogueOffer)]
    expect(local.filter((offer) => !isLocal.Check(offer))).toEqual([])
    expect(national.filter((offer) => !isNational.Check(offer))).toEqual([])
    expect(new Set(offers.map(({ key }) => key)).size).toBe(offers.length)
  })
})
