import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '../src/operations.ts'
import { applicant } from '../test/support/world.ts'
import { attacksOn, type Pulse, takePulse } from '../test/support/worst-case.ts'
import type { Desk } from './desk.ts'
import { apiKey, call, type Service, scratchFolder, startService } from './service.ts'
import { administer } from './world.ts'

/** The probes of an orchestrator, and the longest that each may take, whatever a request or the database does. */
export const probes = [
  { path: '/livez', maxMs: 250 },
  { path: '/readyz', maxMs: 3_000 },
] as const
export const troubles = ['worst-case requests', 'twenty uploads', 'frozen database'] as const

const UPLOADS = 20
const UPLOAD_BYTES = 20 * 1024 * 1024
const FROZEN_MS = 15_000

/** Asks for both probes all the time while the service has one trouble after the other. */
export async function probeRounds({ options, figures, say }: Desk): Promise<void> {
  const service = await startService(scratchFolder())
  const pulses = await Promise.all(probes.map(({ path }) => takePulse(service.url, path)))
  const work: Record<(typeof troubles)[number], () => Promise<void>> = {
    'worst-case requests': () => sendWorstCases(service),
    'twenty uploads': () => upload(service),
    'frozen database': () => freeze(service),
  }
  for (let round = 1; round <= options.rounds; round++) {
    for (const trouble of troubles) {
      await Promise.all(pulses.map((pulse) => pulse.slowest()))
      await work[trouble]()
      for (const [index, { path }] of probes.entries()) {
        const ms = await (pulses[index] as Pulse).slowest()
        figures.add(`${path} ${trouble}`, ms)
        say(`${path} with ${trouble}: at most ${Math.round(ms)} ms`)
      }
    }
  }
  await Promise.all(pulses.map((pulse) => pulse.stop()))
  await service.stop()
}

/** The requests at every size limit that are worst to judge, of every operation, one after the other. */
async function sendWorstCases({ url }: Service): Promise<void> {
  const headers = { 'X-Service-API-Key': apiKey, 'Content-Type': 'application/json' }
  for (const operation of operations) {
    const address = url + operation.path.replace(/:\w+/g, '1000000')
    for (const { search, body } of attacksOn(operation)) {
      const reply = await fetch(search ? `${address}?${search}` : address, {
        method: operation.method,
        headers,
        ...(body && { body }),
      })
      await reply.arrayBuffer()
    }
  }
}

async function upload({ url }: Service): Promise<void> {
  const { id, documents } = await call(url, 'POST', '/v0/banking/applications', { ...applicant, ssn: '000000003' })
  const file = Buffer.alloc(UPLOAD_BYTES, '%PDF-1.7 ').toString('base64')
  const body = Buffer.from(JSON.stringify({ file, contentType: 'application/pdf' }))
  const send = async () => {
    // An upload past the limit is refused before its body was read, which may break the connection.
    const reply = await fetch(`${url}/v0/banking/applications/${id}/documents/${documents[0].id}`, {
      method: 'POST',
      headers: { 'X-Service-API-Key': apiKey, 'Content-Type': 'application/json' },
      body,
    }).catch(() => undefined)
    await reply?.arrayBuffer().catch(() => undefined)
  }
  await Promise.all(Array.from({ length: UPLOADS }, send))
}

/** Stops every process of the database server, as on a frozen machine, and lets them go on. */
async function freeze(service: Service): Promise<void> {
  const { rows } = await administer(service, (client) =>
    client.query<{ pid: number }>('select pid from pg_stat_activity'),
  )
  const [postmaster] = readFileSync(join(service.dataDir, 'pg18', 'postmaster.pid'), 'utf8').split('\n')
  // The postmaster first, so that it starts no further process meanwhile.
  const pids = [Number(postmaster), ...rows.map(({ pid }) => pid)]
  signalAll(pids, 'SIGSTOP')
  try {
    await sleep(FROZEN_MS)
  } finally {
    signalAll(pids, 'SIGCONT')
  }
  while ((await fetch(`${service.url}/readyz`)).status !== 200) await sleep(50)
}

function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      // A process of the server may have ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
