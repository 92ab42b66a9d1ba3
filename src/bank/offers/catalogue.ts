import { clock } from '../../base/clock.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { waitForLock } from '../../database/patient-lock.ts'
import { openRecordIds, type RecordIds } from '../../database/record-ids.ts'
import { normalisedMerchantName } from '../../rewards/merchant-name.ts'
import type { CatalogueOffer } from '../../rewards/offers/catalogue.ts'
import {
  analyzeCatalogue,
  hasCatalogue,
  liftTimeLimit,
  type NewMerchantRow,
  type NewOfferRow,
  upsertMerchants,
  upsertOffers,
} from './catalogue.sql.ts'
import { copySamples } from './sample-offers.ts'

/** Advisory lock under which the catalogue is changed. Any fixed number serves. */
const CATALOGUE_LOCK = 7_275_743

/** Fills an empty catalogue with invented offers. Returns how many it made, and nothing if there were some. */
export async function loadSamples(
  database: Database,
  folder: string,
): Promise<{ offers: number; ms: number } | undefined> {
  if (await hasCatalogue(database)) return undefined
  const startedMs = clock.elapsedMs()
  const load = async (transaction: Queryable) => {
    await waitForLock(transaction, CATALOGUE_LOCK)
    // Another process may have been faster.
    if (await hasCatalogue(transaction)) return undefined
    await liftTimeLimit(transaction)
    const offers = await copySamples(transaction, folder)
    await analyzeCatalogue(transaction)
    return { offers, ms: Math.round(clock.elapsedMs() - startedMs) }
  }
  return database.transaction(load, { unlimited: true })
}

/** One transaction in which offers and their merchants are written by their keys, in as many portions as it takes. */
export function changeCatalogue<T>(
  database: Database,
  work: (write: (offers: CatalogueOffer[]) => Promise<void>) => Promise<T>,
): Promise<T> {
  const change = async (transaction: Queryable) => {
    await waitForLock(transaction, CATALOGUE_LOCK)
    const ids = openRecordIds(transaction)
    const written = new Set<string>()
    const result = await work((offers) => writeOffers(transaction, ids, written, offers))
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

/** The row of an offer without its merchant's id. */
export function offerRow(id: number, offer: CatalogueOffer): NewOfferRow {
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
    merchantIds: offer.merchantIds ?? null,
    categoryCodes: offer.categoryCodes ?? null,
    ...(offer.offerType === 'INSTORE' && {
      operationHours: offer.operationHours,
      ...offer.address,
      ...offer.geoLocation,
      phone: offer.phone,
    }),
  }
}
