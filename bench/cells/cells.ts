import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import type { Desk } from '../desk.ts'
import type { Figures } from '../figures.ts'
import { load } from '../load.ts'
import { scratchFolder, startService } from '../service.ts'
import { createWorld } from '../world.ts'

/** The connections of the payments in the home cell, and the requests that wait for the other cell all the time. */
const CONNECTIONS = 16
const STRANGERS = 32
/** The bar for the p99 of payments in one cell while another one is frozen. */
export const mostSlower = 1.5

const KEY = 'a-key-of-the-cell-east'

/**
 * Payments in the home cell alone, and beside requests of a further cell whose database is frozen, in turn. Beside a cell that
 * answers, its requests would take the processor from the payments, and any effect of the frozen one would be hidden.
 */
export async function cellRounds({ options, figures, say, fault }: Desk): Promise<void> {
  const folder = scratchFolder()
  const lost = (error: Error) => fault(`the server of the further cell was lost: ${error.message}`)
  const east = await startEmbedded({ dataDir: folder, say: () => undefined, lost })
  const { host, port, user, database } = east.connection
  const service = await startService(scratchFolder(), {
    environment: {
      PURSER_CELL_EAST: `postgres://${user}@/${database}?${new URLSearchParams({ host: String(host), port: String(port) })}`,
      PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      PURSER_DEMO: 'off',
    },
  })
  await makeKey(east.connection)
  const world = await createWorld(service, options.accounts)
  const order = {
    kind: 'payments',
    url: service.url,
    connections: CONNECTIONS,
    seconds: options.seconds,
    world,
  } as const
  for (let round = 0; round <= options.rounds; round++) {
    for (const state of ['quiet', 'frozen'] as const) {
      const thaw = state === 'frozen' ? await freeze(east) : () => undefined
      const strangers = state === 'frozen' ? callAllTheTime(service.url) : undefined
      const { requests, seconds, p99Ms, bad } = await load(order)
      await strangers?.stop()
      thaw()
      if (bad > 0) fault(`${bad} payments of the home cell were refused while the other cell was ${state}`)
      say(`the other cell is ${state}: ${Math.round(requests / seconds)} payments/s, p99 ${p99Ms.toFixed(1)} ms`)
      // The first round warms up.
      if (round > 0) figures.add(`cells ${state} p99`, p99Ms)
    }
  }
  await service.stop()
  await east.stop()
}

export function cellRows(figures: Figures): [string, string | undefined, string][] {
  const ms = (state: string) => figures.median(`cells ${state} p99`)
  const shown = (value: number | undefined) => (value === undefined ? undefined : `${value.toFixed(1)} ms`)
  const ratio = figures.ratio('cells frozen p99', 'cells quiet p99')
  return [
    ['p99, the other cell is quiet', shown(ms('quiet')), ''],
    ['p99, the other cell is frozen', shown(ms('frozen')), ratio ? `${ratio.median.toFixed(2)} × the other` : ''],
  ]
}

async function makeKey(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(
    `with made as (
       insert into organisation (id, name, created_at) values (nextval('record_id'), 'eastern', now()) returning id)
     insert into api_key (id, organisation_id, name, hash, created_at)
     select nextval('record_id'), id, 'bench', sha256($1::text::bytea), now() from made`,
    [KEY],
  )
  await client.end()
}

/** Stops every process of a server, and returns the function that lets them go on. */
async function freeze({ connection, dataDir }: Awaited<ReturnType<typeof startEmbedded>>): Promise<() => void> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity where pid <> pg_backend_pid()')
  await client.end()
  const postmaster = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
  const pids = [postmaster, ...rows.map(({ pid }) => pid)].filter((pid) => signal(pid, 'SIGSTOP'))
  return () => {
    for (const pid of pids) signal(pid, 'SIGCONT')
  }
}

/** Whether there was such a process. One may have ended since it was listed. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** Requests of the further cell, answered or refused, as many at a time as `STRANGERS`. */
function callAllTheTime(url: string): { stop(): Promise<void> } {
  let stopped = false
  const caller = async () => {
    while (!stopped) {
      const answer = await fetch(`${url}/v0/banking/customers`, { headers: { 'X-Service-API-Key': KEY } })
      await answer.arrayBuffer()
      // A refusal comes at once where the cell is known to be away; a client pauses then.
      await new Promise((resolve) => setTimeout(resolve, answer.ok ? 5 : 100))
    }
  }
  const callers = Array.from({ length: STRANGERS }, caller)
  return {
    stop: async () => {
      stopped = true
      await Promise.allSettled(callers)
    },
  }
}
