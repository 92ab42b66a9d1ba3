import { offerRow } from '../src/bank/offers/catalogue.ts'
import { normalisedMerchantName } from '../src/rewards/merchant-name.ts'
import type { CatalogueMerchant, CatalogueOffer } from '../src/rewards/offers/catalogue.ts'
import { sampleCatalogue, sampleDates, sampleHours } from '../src/rewards/offers/sample-catalogue.ts'
import { allZipCodes } from './zip-code-lines.ts'

/** Any day: the lines are the same for all. */
const DAY = '2026-01-31'

/**
 * The sample catalogue as `copySamples` reads it. The line of an offer begins with the number of its merchant's line, that of
 * its date among those of `sampleDates`, and the name of its hours. The rest are columns in PostgreSQL's text format.
 */
export function sampleLines(): { merchants: string; offers: string } {
  const catalogue = sampleCatalogue(allZipCodes(), DAY)
  const merchants = new Map(catalogue.map(({ merchant }) => [merchant.key, merchant]))
  const merchantNumbers = numbered(merchants.keys())
  const dateNumbers = numbered(sampleDates(DAY).expirations)
  const lines = catalogue.map((offer) => [
    merchantNumbers.get(offer.merchant.key),
    dateNumbers.get(offer.expirationDate),
    offer.offerType === 'INSTORE' ? hoursNames.get(offer.operationHours) : 'none',
    ...offerColumns(offer),
  ])
  return { merchants: linesOf([...merchants.values()].map(merchantColumns)), offers: linesOf(lines) }
}

const hoursNames = new Map(Object.entries(sampleHours).map(([name, hours]) => [hours, name]))

function numbered(items: Iterable<string>): Map<string, number> {
  return new Map([...items].map((item, index) => [item, index]))
}

function merchantColumns({ key, name, description, websiteURL, imgUrl }: CatalogueMerchant): unknown[] {
  return [key, name, normalisedMerchantName(name), description, websiteURL, imgUrl]
}

function offerColumns(offer: CatalogueOffer): unknown[] {
  const row = offerRow(0, offer)
  return [
    ...[row.key, row.offerType, row.title, row.terms, row.category, row.redeemableOnce, row.commissionBp, row.totalBp],
    ...[row.minimumSpend, row.maximumReward, row.street, row.city, row.state, row.zip, row.lat, row.long, row.phone],
  ]
}

function linesOf(rows: unknown[][]): string {
  return rows.map((values) => `${values.map(inText).join('\t')}\n`).join('')
}

function inText(value: unknown): string {
  const text = String(value ?? '\\N')
  if (text !== '\\N' && /[\\\t\n\r]/.test(text)) throw new Error(`not a plain text: ${text}`)
  return text
}
