import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type EmbeddedServer, startEmbedded } from '../../src/database/embedded/embedded.ts'
import type { Desk } from '../desk.ts'
import type { Figures } from '../figures.ts'
import { load } from '../load.ts'
import { scratchFolder, startService } from '../service.ts'
import { createWorld } from '../world.ts'

/** The connections of the payments in the home cell, and the requests that wait for the other cell all the time. */
const CONNECTIONS = 16
const STRANGERS = 32
/** A cell that is back is noticed within seconds. */
const READY_MS = 60_000
/** The bar for the p99 of payments in one cell while another one is frozen or killed. */
export const mostSlower = 1.5

const KEY = 'a-key-of-the-cell-east'

/** The states of the further cell: it answers and nobody calls it, its server is frozen, or killed. */
export const awayStates = ['frozen', 'killed'] as const
const states = ['quiet', ...awayStates] as const

/**
 * Payments in the home cell alone, and beside requests of a further cell whose database is frozen or was killed, in turn. Beside
 * a cell that answers, its requests would take the processor from the payments, and any effect of the others would be hidden.
 */
export async function cellRounds({ options, figures, say, fault }: Desk): Promise<void> {
  const folder = scratchFolder()
  const lost = (error: Error) => fault(`the server of the further cell was lost: ${error.message}`)
  const start = () => startEmbedded({ dataDir: folder, say: () => undefined, lost })
  let east = await start()
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
    for (const state of states) {
      const goOn = state === 'quiet' ? undefined : state === 'frozen' ? await freeze(east) : await kill(east)
      const strangers = state === 'quiet' ? undefined : callAllTheTime(service.url)
      const { requests, seconds, p99Ms, bad } = await load(order)
      await strangers?.stop()
      goOn?.()
      if (state === 'killed') east = await start()
      await untilReady(service.url)
      if (bad > 0) fault(`${bad} payments of the home cell were refused while the other cell was ${state}`)
      say(`the other cell is ${state}: ${Math.round(requests / seconds)} payments/s, p99 ${p99Ms.toFixed(1)} ms`)
      // The first round warms up.
      if (round > 0) figures.add(`cells ${state} p99`, p99Ms)
    }
  }
  await service.stop()
  await east.stop()
}

/** How many times as long the p99 is while the other cell is in a state. */
export function slowerWhile(state: (typeof awayStates)[number], figures: Figures): number | undefined {
  return figures.ratio(`cells ${state} p99`, 'cells quiet p99')?.median
}

export function cellRows(figures: Figures): [string, string | undefined, string][] {
  return states.map((state) => {
    const p99Ms = figures.median(`cells ${state} p99`)
    const ratio = state === 'quiet' ? undefined : slowerWhile(state, figures)
    return [
      `p99, the other cell is ${state}`,
      p99Ms === undefined ? undefined : `${p99Ms.toFixed(1)} ms`,
      ratio === undefined ? '' : `${ratio.toFixed(2)} × the quiet one`,
    ]
  })
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
async function freeze(server: EmbeddedServer): Promise<() => void> {
  const client = new pg.Client(server.connection)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity where pid <> pg_backend_pid()')
  await client.end()
  const pids = [postmasterOf(server), ...rows.map(({ pid }) => pid)].filter((pid) => signal(pid, 'SIGSTOP'))
  return () => {
    for (const pid of pids) signal(pid, 'SIGCONT')
  }
}

/** Ends a server without notice, and keeps its owner from starting it again. */
async function kill(server: EmbeddedServer): Promise<undefined> {
  signal(postmasterOf(server), 'SIGKILL')
  await server.stop()
}

function postmasterOf({ dataDir }: EmbeddedServer): number {
  return Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
}

/** Waits until the further cell answers again. */
async function untilReady(url: string): Promise<void> {
  for (const untilMs = performance.now() + READY_MS; performance.now() < untilMs; await sleep(50)) {
    const answer = (await (await fetch(`${url}/readyz`)).json()) as { cells?: { east?: string } }
    if (answer.cells?.east === 'ready') return
  }
  throw new Error('the further cell did not come back')
}

/** Sends a signal; false if the process has ended since it was listed. */
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
      // A refusal comes at once if the cell is known to be away; a client pauses then, as Retry-After asks.
      await sleep(answer.ok ? 5 : 1_000 * Number(answer.headers.get('Retry-After') ?? 1))
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
