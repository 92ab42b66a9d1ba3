import { changeCatalogue } from '../../../src/bank/offers/catalogue.ts'
import type { Database } from '../../../src/database/database.ts'
import type { CatalogueOffer } from '../../../src/rewards/offers/catalogue.ts'

export async function loadCatalogue(database: Database, offers: CatalogueOffer[]): Promise<void> {
  await changeCatalogue(database, async (write) => {
    for (let first = 0; first < offers.length; first += 2_000) await write(offers.slice(first, first + 2_000))
  })
}
