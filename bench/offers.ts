import type { Bench } from './desk.ts'
import { medianOf } from './figures.ts'
import { apiKey } from './service.ts'
import { administer } from './world.ts'

export const offerCounts = [400, 100_000]
const REQUESTS = 200
const WARM_UP = 20

/** Local offers near one ZIP code, in a small catalogue that lies around it and in a large one over the country. */
export async function offerPages({ service, figures, fault }: Bench): Promise<void> {
  const near = 'lat 40.75 ± 0.12'
  await fill(1, offerCounts[0] ?? 0, near)
  figures.add(`offers ${offerCounts[0]}`, await measure())
  await fill((offerCounts[0] ?? 0) + 1, offerCounts[1] ?? 0, 'the country')
  figures.add(`offers ${offerCounts[1]}`, await measure())

  async function fill(first: number, last: number, where: string): Promise<void> {
    const [lat, long] =
      where === near
        ? ['40.75 + (random() - 0.5) * 0.24', '-73.99 + (random() - 0.5) * 0.3']
        : ['25 + random() * 24', '-124 + random() * 57']
    await administer(service, async (client) => {
      if (first === 1) await client.query('delete from offer')
      await client.query(
        `insert into offer (id, external_key, merchant_id, offer_type, title, terms, category, redeemable_once,
           commission_bp, total_bp, valid_from, expires_at, minimum_spend, operation_hours, street, city, state, zip, lat,
           long, phone)
         select 900000000 + n, 'bench-' || n, (select min(id) from merchant), 'INSTORE', '5% cash back', '', 'Groceries',
           false, 500, 800, '2020-01-01', '2099-01-01', 0, '{"monday":"","tuesday":"","wednesday":"","thursday":"","friday":"","saturday":"","sunday":""}',
           '1 Sample Street', 'New York', 'NY', '10001', ${lat}, ${long}, '+12125550123'
         from generate_series($1::int, $2::int) n`,
        [first, last],
      )
      await client.query('analyze offer')
    })
  }

  async function measure(): Promise<number> {
    const times: number[] = []
    const path = '/v0/rewards/reward-offers/local-reward-offers?zipCode=10001&userId=1&page=0'
    for (let number = 0; number < WARM_UP + REQUESTS; number++) {
      const startedMs = performance.now()
      const response = await fetch(service.url + path, { headers: { 'X-Service-API-Key': apiKey } })
      const { data } = (await response.json()) as { data: { localRewardOffers: unknown[] } }
      if (number >= WARM_UP) times.push(performance.now() - startedMs)
      if (data.localRewardOffers.length !== 20) fault(`a page of offers has ${data.localRewardOffers.length} entries`)
    }
    return medianOf(times) ?? Number.NaN
  }
}
