import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, test } from 'vitest'
import { openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import { liveCampaigns } from '../../properties/campaign-life.ts'
import { createDatabase } from '../../support/harness.ts'
import { expectSoundLedger } from '../../support/ledger.ts'
import { choicesOfTest } from '../../support/random.ts'
import { databaseUrl, endServices, type Service, scratchFolder, startService } from '../../support/service.ts'

const LIVES = process.env.SOAK ? 6 : 1
const STEPS = process.env.SOAK ? 80 : 30
/** One request in so many is met by a kill. */
const KILL_IN = process.env.SOAK ? 25 : 40
/** No request succeeds for so long only if none ever will. */
const PATIENCE_MS = 60_000

let pair: [Service, Service]
let environment: Parameters<typeof startService>[0]
let server: Awaited<ReturnType<typeof createDatabase>>['server']
let drop: () => Promise<void>

beforeEach(async () => {
  const database = await createDatabase()
  server = database.server
  drop = database.drop
  environment = {
    PURSER_DATA_DIR: join(scratchFolder(), 'data'),
    DATABASE_URL: databaseUrl(server),
    PURSER_API_KEY: 'key-of-the-first-organisation',
    PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  }
  pair = await Promise.all([startService(environment), startService(environment)])
})
afterEach(async () => {
  await endServices()
  await drop()
})

test('purchases, refunds and activations on two processes that are killed earn what the model says, and use budgets once', async () => {
  const choices = choicesOfTest()
  const { below } = choices
  const written = ['POST', 'PATCH']
  let kills = 0
  let restarting: Promise<void> | undefined

  /** Kills one process at some point of a request, and starts another in its place. The other goes on meanwhile. */
  async function killSoon(place: 0 | 1, pauseMs: number): Promise<void> {
    await sleep(pauseMs)
    await pair[place].kill()
    pair[place] = await startService(environment)
  }

  /** Sends a request under its key to one process after the other until one answers. */
  async function send(method: string, path: string, body?: unknown) {
    const idempotencyKey = written.includes(method) ? randomUUID() : undefined
    let place = below(2) as 0 | 1
    if (idempotencyKey && !restarting && below(KILL_IN) === 0) {
      kills++
      restarting = killSoon(place, below(15)).finally(() => {
        restarting = undefined
      })
    }
    const deadline = performance.now() + PATIENCE_MS
    while (performance.now() < deadline) {
      const reply = await pair[place]
        .call(method, path, { body, ...(idempotencyKey && { idempotencyKey }) })
        .catch(() => undefined)
      if (reply && reply.status < 500 && reply.json?.code !== 'idempotency_in_progress') return reply
      place = place === 0 ? 1 : 0
      await sleep(20)
    }
    throw new Error(`${method} ${path} was not answered in time`)
  }

  for (let life = 0; life < LIVES || kills < 2; life++) await liveCampaigns({ send, choices, steps: STEPS })
  await restarting
  const database = openDatabase({ servers: [server], connections: 1, timeouts: plainTimeouts })
  await expectSoundLedger({ database }).finally(() => database.close())
})
