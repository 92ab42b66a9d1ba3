import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { parseInstant } from '../../base/clock.ts'
import { isCleanText } from '../../base/text.ts'
import type { Database } from '../../database/database.ts'
import { type CatalogueOffer, LocalCatalogueOffer, NationalCatalogueOffer } from '../../rewards/offers/catalogue.ts'
import { changeCatalogue } from './catalogue.ts'

const OFFERS_AT_ONCE = 1_000

export interface ImportReport {
  fault(line: number, message: string): void
  /** How much has been read so far. */
  progress(lines: number, bytes: number): void
}

/**
 * Takes a file of JSON Lines into the catalogues of all databases, an offer a line, by their keys, all or none. Returns how many
 * offers there were and how many lines have faults. Should a COMMIT fail after that of another database, the same file brings both
 * to the same state.
 */
export async function importOffers(
  databases: Database[],
  file: string,
  { fault, progress }: ImportReport,
): Promise<{ offers: number; faultyLines: number }> {
  const read = { offers: 0, faultyLines: 0 }
  try {
    await changeCatalogues(databases, async (write) => {
      const reader = lineReader()
      let number = 0
      let size = 0
      let portion: CatalogueOffer[] = []
      for await (const bytes of linesOf(file)) {
        size += bytes.length + 1
        if (++number % OFFERS_AT_ONCE === 0) progress(number, size)
        const { offer, faults } = reader(bytes, number)
        for (const message of faults) fault(number, message)
        if (faults.length > 0) read.faultyLines++
        if (!offer) continue
        read.offers++
        portion.push(offer)
        // Once there is a fault nothing will be kept, and the rest is read only to report on it.
        if (portion.length < OFFERS_AT_ONCE && read.faultyLines === 0) continue
        if (read.faultyLines === 0) await write(portion)
        portion = []
      }
      if (read.faultyLines > 0) throw new NothingKept()
      await write(portion)
    })
  } catch (error) {
    if (!(error instanceof NothingKept)) throw error
  }
  return read
}

/** Changes the catalogues of all databases, in a transaction in each. */
async function changeCatalogues(
  [database, ...others]: Database[],
  change: (write: (offers: CatalogueOffer[]) => Promise<void>) => Promise<void>,
) {
  if (!database) return
  await changeCatalogue(database, (write) =>
    others.length === 0
      ? change(write)
      : changeCatalogues(others, (writeOthers) =>
          change(async (offers) => {
            await Promise.all([write(offers), writeOthers(offers)])
          }),
        ),
  )
}

/** Rolls the transactions back. */
class NothingKept extends Error {}

/** The lines of a file as bytes, however long it is. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let started: Buffer[] = []
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let first = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, first)) {
      yield Buffer.concat([...started, chunk.subarray(first, end)])
      started = []
      first = end + 1
    }
    started.push(chunk.subarray(first))
  }
  yield Buffer.concat(started)
}

interface ReadLine {
  offer?: CatalogueOffer
  faults: string[]
}

const schemas = { INSTORE: Compile(LocalCatalogueOffer), ONLINE: Compile(NationalCatalogueOffer) }

/** Reads line after line; what one line may not say because of another is a fault, too. */
function lineReader(): (bytes: Buffer, number: number) => ReadLine {
  const offerLines = new Map<string, number>()
  const merchantLines = new Map<string, { text: string; number: number }>()

  function acrossLines({ key, merchant }: CatalogueOffer, number: number): string[] {
    const faults: string[] = []
    const before = offerLines.get(key)
    if (before !== undefined) faults.push(`/key is that of line ${before}`)
    else offerLines.set(key, number)
    const { name, description, websiteURL, imgUrl } = merchant
    const text = JSON.stringify([name, description, websiteURL, imgUrl])
    const same = merchantLines.get(merchant.key)
    if (!same) merchantLines.set(merchant.key, { text, number })
    else if (same.text !== text) faults.push(`/merchant differs from the one of this key in line ${same.number}`)
    return faults
  }

  return (bytes, number) => {
    if (!isUtf8(bytes)) return { faults: ['is not UTF-8'] }
    const text = bytes.toString('utf8').trim()
    if (text === '') return { faults: [] }
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return { faults: ['is not JSON'] }
    }
    const type = (value as { offerType?: unknown } | null)?.offerType
    if (type !== 'INSTORE' && type !== 'ONLINE') return { faults: ['/offerType must be INSTORE or ONLINE'] }
    const schema = schemas[type]
    if (!schema.Check(value)) return { faults: schema.Errors(value).flatMap(faultsOf) }
    const offer = value as CatalogueOffer
    const faults = [...unclean(offer, ''), ...ruleFaults(offer), ...acrossLines(offer, number)]
    if (faults.length > 0) return { faults }
    const [validFrom = '', expirationDate = ''] = [parseInstant(offer.validFrom), parseInstant(offer.expirationDate)]
    return { offer: { ...offer, validFrom, expirationDate }, faults }
  }
}

/** Faults that a schema cannot express. */
function ruleFaults({ commission, totalCommission, validFrom, expirationDate }: CatalogueOffer): string[] {
  const faults: string[] = []
  for (const [name, percent] of Object.entries({ commission, totalCommission })) {
    if (Number(percent.toFixed(2)) !== percent) faults.push(`/${name} must have at most two decimals`)
  }
  if (totalCommission < commission) faults.push('/totalCommission must not be less than commission')
  const [from, until] = [parseInstant(validFrom), parseInstant(expirationDate)]
  for (const [name, instant] of Object.entries({ validFrom: from, expirationDate: until })) {
    if (instant === undefined) faults.push(`/${name} must be an RFC 3339 date-time or YYYY-MM-DD`)
  }
  if (from !== undefined && until !== undefined && Date.parse(until) <= Date.parse(from))
    faults.push('/expirationDate must be after validFrom')
  return faults
}

function unclean(value: unknown, pointer: string): string[] {
  if (typeof value === 'string')
    return isCleanText(value) ? [] : [`${pointer} must hold no control character or lone surrogate`]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => unclean(member, `${pointer}/${name}`))
}

function faultsOf(error: TLocalizedValidationError): string[] {
  const { instancePath: pointer } = error
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => `${pointer}/${name} is required`)
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => `${pointer}/${name} is not known`)
    // The boolean schema `false` is how an unknown member is refused; additionalProperties has named it.
    case 'boolean':
      return []
    default:
      return [`${pointer} ${error.message}`]
  }
}
