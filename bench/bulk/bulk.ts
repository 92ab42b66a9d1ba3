import { Agent, request } from 'node:http'
import { type Desk, measure } from '../desk.ts'
import { load } from '../load.ts'
import { cpuMs } from '../machine.ts'
import { apiKey, type Service, scratchFolder, startService } from '../service.ts'
import { createWorld, type World } from '../world.ts'

export const bulkSizes = [100, 1_000] as const
/** The number of payments in batches that an organisation may have under way. */
const AT_ONCE = 2_000
const singleConnections = 128
/** Single payments beside batches of a thousand: few, so that their times show who waits for whom. */
const besideConnections = 4

/** Payments by batches and by single requests, in turn on one service; and single payments beside batches. */
export async function bulkRounds(desk: Desk): Promise<void> {
  const service = await startService(scratchFolder())
  const world = await createWorld(service, desk.options.accounts)
  for (let round = 0; round <= desk.options.rounds; round++) {
    // The first round warms up.
    const noted = round > 0
    await noteCpu(desk, service, { name: 'single', noted }, () => sendSingles(desk, service, world, noted))
    for (const size of bulkSizes) {
      await noteCpu(desk, service, { name: `${size}`, noted }, async () => {
        const { payments, seconds, bad } = await sendBatches(service, world, size, desk.options.seconds)
        if (bad > 0) desk.fault(`${bad} of ${payments} payments in batches of ${size} were refused`)
        desk.say(`batches of ${size}: ${Math.round(payments / seconds)} payments/s`)
        if (noted) desk.figures.add(`bulk ${size}`, payments / seconds)
        return payments
      })
    }
    await measureBeside(desk, service, world, noted)
  }
  await service.stop()
}

/** Notes the CPU time that a payment takes the service and its database. */
async function noteCpu(
  { figures, say }: Desk,
  { pid }: Service,
  { name, noted }: { name: string; noted: boolean },
  send: () => Promise<number>,
): Promise<void> {
  const before = cpuMs(pid)
  const payments = await send()
  const after = cpuMs(pid)
  if (!noted || !before || !after) return
  const us = ((after.own + after.started - before.own - before.started) * 1_000) / payments
  figures.add(`bulk cpu ${name}`, us)
  say(`a payment, ${name === 'single' ? 'single' : `in batches of ${name}`}: ${us.toFixed(0)} µs of CPU time`)
}

async function sendSingles(desk: Desk, service: Service, world: World, noted: boolean): Promise<number> {
  const order = singles(service, world)
  const { requests } = noted
    ? await measure({ ...desk, world }, 'bulk single', order)
    : await load({ ...order, seconds: desk.options.seconds })
  return requests
}

function singles(service: Service, world: World) {
  return { kind: 'payments', url: service.url, connections: singleConnections, world } as const
}

async function measureBeside(desk: Desk, service: Service, world: World, noted: boolean): Promise<void> {
  const { seconds } = desk.options
  const order = { ...singles(service, world), connections: besideConnections, seconds }
  const alone = await load(order)
  const [beside] = await Promise.all([load(order), sendBatches(service, world, 1_000, seconds)])
  if (beside.bad > 0) desk.fault(`${beside.bad} single payments beside batches were refused`)
  desk.say(`a single payment: p99 ${alone.p99Ms.toFixed(1)} ms, beside batches ${beside.p99Ms.toFixed(1)} ms`)
  if (!noted) return
  desk.figures.add('bulk alone p99', alone.p99Ms)
  desk.figures.add('bulk beside p99', beside.p99Ms)
}

let batches = 0

/** Sends batches one after the other over some connections; a batch under way at the end is waited for. */
async function sendBatches(service: Service, world: World, size: number, seconds: number) {
  const connections = AT_ONCE / size
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const startedMs = performance.now()
  let [payments, bad] = [0, 0]
  const isOver = () => performance.now() - startedMs > seconds * 1_000
  async function sendOn(): Promise<void> {
    while (!isOver()) {
      const made = await sendBatch(agent, service.url, batchOf(world, size))
      payments += size
      bad += size - made
    }
  }
  await Promise.all(Array.from({ length: connections }, sendOn))
  agent.destroy()
  return { payments, bad, seconds: (performance.now() - startedMs) / 1_000 }
}

function batchOf(world: World, size: number): string {
  const payments = Array.from({ length: size }, () => {
    const number = Math.floor(Math.random() * world.count)
    const accountId = String(world.firstAccount + number)
    const counterpartyAccountId = String(world.firstExternal + number)
    return { accountId, amount: 10_00, counterpartyAccountId, description: 'Rent', originalType: 'ACH' }
  })
  return JSON.stringify({ payments })
}

/** Sends a batch; returns how many of its payments were made. */
function sendBatch(agent: Agent, url: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'X-Service-API-Key': apiKey,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'Idempotency-Key': `bulk-${process.pid}-${batches++}`,
    }
    const sent = request(`${url}/v0/banking/payments/batch`, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
      response.on('end', () => resolve(Buffer.concat(chunks).toString('latin1').split('"status":201,').length - 1))
    })
    sent.on('error', reject).end(body)
  })
}
