import { afterAll, expect, test } from 'vitest'
import { Purser } from '../../../client/src/index.ts'
import { endServices, preparedDataDir, type Service, startService, until } from '../../support/service.ts'

afterAll(endServices)

const PAYMENTS = process.env.SOAK ? 400 : 60

/** Pays until the number is reached; a payment that fails while the service is away is tried again with its key. */
async function payAll(
  purser: Purser,
  { accountId, externalAccountId }: Record<'accountId' | 'externalAccountId', string>,
  paid: string[],
) {
  while (paid.length < PAYMENTS) {
    const body = {
      amount: 1,
      counterpartyAccountId: externalAccountId,
      originalType: 'ACH',
      description: 'Feed',
    } as const
    const idempotencyKey = `feed-${paid.length}`
    const pay = () => purser.payments.create(accountId, body, { idempotencyKey })
    paid.push((await until('a payment', pay)).id)
  }
}

test('follow misses nothing and repeats nothing while the service is killed and started again', async () => {
  const dataDir = await preparedDataDir()
  let service: Service = await startService({ PURSER_DATA_DIR: dataDir })
  const { url, key } = service
  const purser = new Purser({ url, apiKey: key })
  const scenario = await purser.sandbox.scenarios.create()
  const ended = new AbortController()
  const [latest] = (await purser.events.list({ sort: '-sequence', limit: 1 }).page()).data
  const feed = purser.events.follow({ after: latest?.sequence ?? 0, types: ['payment.created'], signal: ended.signal })
  const seen: { id: string; sequence: number }[] = []
  const following = (async () => {
    for await (const { data, sequence } of feed) seen.push({ id: data.id, sequence })
  })()
  const paid: string[] = []
  const paying = payAll(purser, scenario, paid)
  // A failure shows where it is awaited.
  paying.catch(() => undefined)
  for (let kills = 0; kills < 2; kills++) {
    await until('a part of the feed', () => seen.length > (PAYMENTS * (kills + 1)) / 4)
    await service.kill()
    service = await startService({ PURSER_DATA_DIR: dataDir, PORT: new URL(url).port })
  }
  await paying
  await until('the end of the feed', () => seen.length >= paid.length)
  ended.abort()
  await following
  expect(seen.map(({ id }) => id)).toEqual(paid)
  expect(seen.every(({ sequence }, at) => at === 0 || sequence > (seen[at - 1]?.sequence ?? 0))).toBe(true)
})

test('a payment whose answer is lost after the commit is retried and pays once', async () => {
  const service = await startService({ PURSER_DATA_DIR: await preparedDataDir() })
  const purser = new Purser({ url: service.url, apiKey: service.key })
  const { accountId, externalAccountId } = await purser.sandbox.scenarios.create()
  const before = await purser.accounts.get(accountId)
  await purser.sandbox.faults.create({
    match: { operation: 'createPayment' },
    effect: { dropAfterCommit: true },
    times: 1,
  })
  const body = {
    amount: 2_00,
    counterpartyAccountId: externalAccountId,
    originalType: 'ACH',
    description: 'Once',
  } as const
  const { data, response } = await purser.payments.create(accountId, body).withResponse()
  expect(response).toMatchObject({ attempts: 2, replayed: true })
  const after = await purser.accounts.get(accountId)
  expect(before.balance - after.balance).toBe(2_00)
  const [latest] = (await purser.payments.list({ accountId, limit: 1 }).page()).data
  expect(latest?.id).toBe(data.id)
})
