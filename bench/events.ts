import { setTimeout as sleep } from 'node:timers/promises'
import { visitDatabase } from '../src/database/visit.ts'
import { checkLaws, type Desk, measure } from './desk.ts'
import { load } from './load.ts'
import { call, type Service, scratchFolder, startProgram, startService, withEvents, withoutEvents } from './service.ts'
import { administer, createWorld, type World } from './world.ts'

export const eventConnections = 128
/** How long deliveries may take once the payments have ended. */
export const DRAIN_SECONDS = 120
const WARM_UP_SECONDS = 2

/** A service with a data folder and a world of its own, which runs only while it is measured. */
interface Bank {
  name: string
  entry: string
  folder: string
  /** The consumer of its webhooks, if it has an endpoint. */
  consumerUrl?: string
  world?: World
}

/** Payments without events, with them, and with an endpoint that receives them, one service at a time. */
export async function eventRounds(desk: Desk): Promise<void> {
  const { options, say } = desk
  const consumer = await startProgram<{ url: string }>('consumer', {})
  const banks: Bank[] = [
    { name: 'payments without events', entry: withoutEvents, folder: scratchFolder() },
    { name: 'payments with events', entry: withEvents, folder: scratchFolder() },
    {
      name: 'payments with an endpoint',
      entry: withEvents,
      folder: scratchFolder(),
      consumerUrl: consumer.said.url,
    },
  ]
  for (let round = 1; round <= options.rounds; round++) {
    say(`round ${round} of ${options.rounds} of events, ${options.seconds} s each`)
    // To and fro, so that none has the better place.
    for (const bank of round % 2 === 1 ? banks : banks.toReversed()) await measureBank(desk, bank)
  }
  await consumer.stop()
  for (const bank of banks) await checkBank(desk, bank)
}

async function measureBank(desk: Desk, bank: Bank): Promise<void> {
  const service = await startService(bank.folder, { entry: bank.entry })
  bank.world ??= await createWorld(service, desk.options.accounts)
  const { world, consumerUrl } = bank
  const order = { kind: 'payments', url: service.url, connections: eventConnections } as const
  const warmUp = () => load({ ...order, seconds: WARM_UP_SECONDS, world })
  const pay = () => measure({ ...desk, world }, bank.name, order)
  if (consumerUrl === undefined) {
    await warmUp()
    await pay()
  } else {
    // An endpoint of its own, which leaves nothing to be sent.
    await withEndpoint(service, consumerUrl, warmUp)
    await withEndpoint(service, consumerUrl, async (endpointId) => {
      const { seconds } = await pay()
      await drain(desk, service, endpointId, seconds)
    })
  }
  await service.stop()
}

async function withEndpoint(
  { url }: Service,
  consumerUrl: string,
  work: (endpointId: string) => Promise<unknown>,
): Promise<void> {
  const { id } = await call(url, 'POST', '/v0/webhook-endpoints', { url: consumerUrl, events: ['payment.*'] })
  await work(id)
  await call(url, 'DELETE', `/v0/webhook-endpoints/${id}`)
}

/** Waits until the endpoint has got all there is. */
async function drain(
  { figures, say, fault }: Desk,
  service: Service,
  endpointId: string,
  loadSeconds: number,
): Promise<void> {
  const startedMs = performance.now()
  const elapsed = () => (performance.now() - startedMs) / 1_000
  await administer(service, async (client) => {
    const ask = async <Row>(text: string) => (await client.query(text, [endpointId])).rows[0] as Row
    const during = await ask<{ made: string }>(succeeded)
    let done = false
    while (!done && elapsed() < DRAIN_SECONDS) {
      done = (await ask<{ done: boolean }>(allDone)).done
      if (!done) await sleep(50)
    }
    const seconds = elapsed()
    const all = await ask<{ made: string }>(succeeded)
    const { asked } = await ask<{ asked: string }>(askedFor)
    const [before, after] = [Number(during.made) / loadSeconds, (Number(all.made) - Number(during.made)) / seconds]
    figures.add('deliveries during', before)
    figures.add('deliveries afterwards', after)
    figures.add('drain seconds', done ? seconds : Number.POSITIVE_INFINITY)
    say(
      `deliveries ${Math.round(before)}/s while payments ran, ${Math.round(after)}/s afterwards; ` +
        (done ? `all after ${seconds.toFixed(1)} s` : `given up after ${DRAIN_SECONDS} s: ${all.made} of ${asked}`),
    )
    // More than asked for: payments of the warm-up that were committed while the endpoint was created.
    if (done && Number(all.made) < Number(asked))
      fault(`${asked} events were asked for, ${all.made} deliveries have succeeded`)
  })
}

const succeeded = `select count(*) as made from webhook_delivery where endpoint_id = $1::bigint and status = 'Succeeded'`

const allDone = `
  select c.sequence = n.sequence
    and not exists (select from webhook_delivery where endpoint_id = e.id and status = 'Pending') as done
  from webhook_endpoint e join webhook_cursor c on c.endpoint_id = e.id
  join event_counter n on n.organisation_id = e.organisation_id
  where e.id = $1::bigint`

const askedFor = `
  select count(*) as asked from event
  where type like 'payment.%'
    and sequence > (select sequence from event where type = 'webhookEndpoint.created' and entity_id = $1::text)`

/** Without events there must be none, with them one for every payment; and the laws hold either way. */
async function checkBank({ fault }: Desk, { name, entry, folder }: Bank): Promise<void> {
  await visitDatabase({ databaseUrl: undefined, dataDir: folder }, async (database) => {
    const [found] = await database.query<{ payments: number; emitted: number; events: number }>(
      `select (select count(*) from payment) as payments, count(*) filter (where type = 'payment.created') as emitted,
         count(*) as events from event`,
    )
    const right = entry === withEvents ? found?.emitted === found?.payments : found?.events === 0
    if (!right) fault(`${name}: ${JSON.stringify(found)}`)
    await checkLaws(database)
  })
}
