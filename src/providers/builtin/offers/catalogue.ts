import { clock } from '../../../base/clock.ts'
import type { Database, Queryable } from '../../../database/database.ts'
import { waitForLock } from '../../../database/patient-lock.ts'
import { openRecordIds, type RecordIds } from '../../../database/record-ids.ts'
import { normalisedMerchantName } from '../../../rewards/merchant-name.ts'
import type { CatalogueOffer } from '../../../rewards/offers/catalogue.ts'
import { sampleCatalogue, type ZipCode } from '../../../rewards/offers/sample-catalogue.ts'
import {
  analyzeCatalogue,
  databaseTime,
  hasOffers,
  hasZipCodes,
  insertZipCodes,
  type NewMerchantRow,
  type NewOfferRow,
  upsertMerchants,
  upsertOffers,
} from './catalogue.sql.ts'
import { readZipCodes } from './zip-codes.ts'

const OFFERS_AT_ONCE = 2_000
/** Advisory lock under which the catalogue is changed. Any fixed number serves. */
const CATALOGUE_LOCK = 7_275_743

/**
 * Fills empty tables of ZIP centres and, where samples are wanted, of offers with invented ones. Returns how many offers it
 * made, and nothing where there were some.
 */
export async function loadCatalogue(
  database: Database,
  zipCodeFile: string,
  { samples }: { samples: boolean },
): Promise<{ offers: number; ms: number } | undefined> {
  const lacksZipCodes = !(await hasZipCodes(database))
  const lacksOffers = samples && !(await hasOffers(database))
  if (!lacksZipCodes && !lacksOffers) return undefined
  const zipCodes = await readZipCodes(zipCodeFile)
  if (lacksZipCodes) await loadZipCodes(database, zipCodes)
  return lacksOffers ? loadSampleOffers(database, zipCodes) : undefined
}

async function loadZipCodes(database: Database, zipCodes: ZipCode[]): Promise<void> {
  const fill = async (transaction: Queryable) => {
    await waitForLock(transaction, CATALOGUE_LOCK)
    // Another process may have been faster.
    if (!(await hasZipCodes(transaction))) await insertZipCodes(transaction, zipCodes)
  }
  await database.transaction(fill, { unlimited: true })
}

async function loadSampleOffers(
  database: Database,
  zipCodes: ZipCode[],
): Promise<{ offers: number; ms: number } | undefined> {
  const startedMs = clock.elapsedMs()
  return changeCatalogue(database, async (write, transaction) => {
    // Another process may have been faster.
    if (await hasOffers(transaction)) return undefined
    const offers = sampleCatalogue(zipCodes, await databaseTime(transaction))
    for (let first = 0; first < offers.length; first += OFFERS_AT_ONCE) {
      await write(offers.slice(first, first + OFFERS_AT_ONCE))
    }
    return { offers: offers.length, ms: Math.round(clock.elapsedMs() - startedMs) }
  })
}

/** One transaction in which offers and their merchants are written by their keys, in as many portions as it takes. */
export function changeCatalogue<T>(
  database: Database,
  work: (write: (offers: CatalogueOffer[]) => Promise<void>, transaction: Queryable) => Promise<T>,
): Promise<T> {
  const change = async (transaction: Queryable) => {
    await waitForLock(transaction, CATALOGUE_LOCK)
    const ids = openRecordIds(transaction)
    const written = new Set<string>()
    const result = await work((offers) => writeOffers(transaction, ids, written, offers), transaction)
    await analyzeCatalogue(transaction)
    return result
  }
  return database.transaction(change, { unlimited: true })
}

/** A chain of shops is in every portion, but its merchant need be written once. */
async function writeOffers(
  transaction: Queryable,
  ids: RecordIds,
  written: Set<string>,
  offers: CatalogueOffer[],
): Promise<void> {
  const merchants = new Map(
    offers.filter(({ merchant }) => !written.has(merchant.key)).map(({ merchant }) => [merchant.key, merchant]),
  )
  const merchantRows: NewMerchantRow[] = []
  for (const { key, name, description, websiteURL, imgUrl } of merchants.values()) {
    const normalisedName = normalisedMerchantName(name)
    written.add(key)
    merchantRows.push({ id: await ids.next(), key, name, normalisedName, description, websiteUrl: websiteURL, imgUrl })
  }
  await upsertMerchants(transaction, merchantRows)
  const offerRows: NewOfferRow[] = []
  for (const offer of offers) offerRows.push(offerRow(await ids.next(), offer))
  await upsertOffers(transaction, offerRows)
}

function offerRow(id: number, offer: CatalogueOffer): NewOfferRow {
  return {
    id,
    key: offer.key,
    merchantKey: offer.merchant.key,
    offerType: offer.offerType,
    title: offer.title,
    terms: offer.terms,
    category: offer.category,
    redeemableOnce: offer.redeemableOnce,
    commissionBp: Math.round(offer.commission * 100),
    totalBp: Math.round(offer.totalCommission * 100),
    validFrom: offer.validFrom,
    expiresAt: offer.expirationDate,
    minimumSpend: offer.minimumSpend ?? 0,
    maximumReward: offer.maximumReward ?? null,
    ...(offer.offerType === 'INSTORE' && {
      operationHours: offer.operationHours,
      ...offer.address,
      ...offer.geoLocation,
      phone: offer.phone,
    }),
  }
}
