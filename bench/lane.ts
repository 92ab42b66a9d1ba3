import '../src/v8.ts'
import type { Payment } from '../src/banking/payments/payment.ts'
import { openClosers } from '../src/base/closers.ts'
import type { Write } from '../src/base/operation.ts'
import { sha256 } from '../src/base/sha256.ts'
import { openCore } from '../src/cell/core.ts'
import { storedEncryptionKey } from '../src/secrets/secret-file.ts'
import type { Service } from './service.ts'
import type { World } from './world.ts'

/** The settings of the bank, as the service has them without any environment. */
const coreSettings = {
  mode: 'sandbox',
  routingNumber: '812345678',
  overdraftCents: 0,
  reviewFirstPayment: false,
  ach: 'instant',
  review: 'automatic',
  rewardPayoutDelayMs: 0,
} as const

/** Records no event, to measure what events cost. */
const dropEvents = async () => undefined

/** Payments by the built-in bank without HTTP, in a process of its own. Run by the benchmark with what to do. */
export interface LaneOrder {
  connection: Service['connection']
  /** The data folder of the service, with its encryption key. */
  dataDir: string
  world: World
  seconds: number
  /** Payments under way at a time. */
  outstanding: number
  maxInBatch: number
  events: boolean
}

export interface LaneResult {
  payments: number
  perSecond: number
}

async function run({
  connection,
  dataDir,
  world,
  seconds,
  outstanding,
  maxInBatch,
  events,
}: LaneOrder): Promise<LaneResult> {
  const closers = openClosers()
  const { builtin } = openCore({
    settings: coreSettings,
    servers: [{ ...connection, ssl: false }],
    encryptionKeys: [await storedEncryptionKey(dataDir)],
    closers,
    lane: { maxInBatch },
    ...(!events && { recordEvents: dropEvents }),
  })

  let payments = 0
  async function pay(): Promise<void> {
    const number = Math.floor(Math.random() * world.count)
    const body = {
      amount: 10_00,
      counterpartyAccountId: String(world.firstExternal + number),
      description: 'Rent',
      originalType: 'ACH' as const,
    }
    const answer = await builtin.bank.createPayment(writeOf(world.organisationId), {
      accountId: String(world.firstAccount + number),
      ...body,
    })
    if (answer.status !== 201) throw new Error(answer.body)
    payments++
  }

  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: outstanding }, async () => {
      while (performance.now() - startedMs < seconds * 1000) await pay()
    }),
  )
  const perSecond = (payments / (performance.now() - startedMs)) * 1000
  await closers.close()
  return { payments, perSecond }
}

let keys = 0

function writeOf(organisationId: number): Write<Payment> {
  const key = `lane-${process.pid}-${Date.now()}-${keys++}`
  return {
    caller: { organisationId, keyId: 0 },
    requestId: key,
    key: {
      text: null,
      hash: sha256(key),
      fingerprint: sha256(`POST ${key}`),
      fromCaller: true,
    },
    render: (data) => ({ status: 201, body: JSON.stringify({ data }), replayed: false }),
  }
}

const result = await run(JSON.parse(process.argv[2] ?? '{}') as LaneOrder)
process.stdout.write(`${JSON.stringify(result)}\n`)
