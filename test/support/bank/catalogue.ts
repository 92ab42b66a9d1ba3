import type { Database } from '../../../src/database/database.ts'
import { insertZipCodes } from '../../../src/providers/builtin/offers/catalogue.sql.ts'
import { changeCatalogue } from '../../../src/providers/builtin/offers/catalogue.ts'
import type { CatalogueOffer } from '../../../src/rewards/offers/catalogue.ts'
import type { ZipCode } from '../../../src/rewards/offers/sample-catalogue.ts'

export interface Catalogue {
  zipCodes: ZipCode[]
  offers: CatalogueOffer[]
}

export async function loadCatalogue(database: Database, { zipCodes, offers }: Catalogue): Promise<void> {
  await insertZipCodes(database, zipCodes)
  await changeCatalogue(database, async (write) => {
    for (let first = 0; first < offers.length; first += 2_000) await write(offers.slice(first, first + 2_000))
  })
}
