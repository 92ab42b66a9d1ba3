import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../src/database/embedded/embedded.ts'
import { newDataDir } from './postgres/new-cluster.ts'
import { ask } from './service.ts'

/** A PostgreSQL server of the test's own, which the test may freeze or reconfigure. */
export interface OwnServer {
  server: pg.ClientConfig
  /** Stops every process of the server: its sockets stay open and nothing is answered, as on a frozen machine. */
  freeze(): Promise<void>
  thaw(): void
  /** Kills every process of the server at once, as a loss of power does. It stays away until `restart`. */
  kill(): Promise<void>
  /** Starts a killed server again, on its data and at its address. */
  restart(): Promise<void>
  /** Changes a setting of the running server. Resolves when all of its processes have taken it. */
  set(name: string, value: string): Promise<void>
  stop(): Promise<void>
}

/** Starts a server in a data folder that there is, or with an empty database. */
export async function startOwnServer(prepared?: string): Promise<OwnServer> {
  const folder = prepared ?? (await newDataDir())
  const start = () =>
    startEmbedded({
      dataDir: folder,
      say: () => undefined,
      lost: (error) => {
        throw error
      },
      // Without senders of the log, a server never waits for a standby.
      settings: { fsync: 'off', wal_level: 'replica', max_wal_senders: '1' },
    })
  let embedded = await start()
  const server: pg.ClientConfig = embedded.connection
  let frozen: number[] = []

  /**
   * Stops the processes of the server and returns them. The postmaster is the first, so that it starts no further one; the others
   * are asked for over a connection that is there already.
   */
  async function stopProcesses(): Promise<number[]> {
    const [postmaster] = (await readFile(join(embedded.dataDir, 'postmaster.pid'), 'utf8')).split('\n')
    const client = new pg.Client(server)
    client.on('error', () => undefined)
    await client.connect()
    signal(Number(postmaster), 'SIGSTOP')
    const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
    const children = rows.map(({ pid }) => pid).filter((pid) => signal(pid, 'SIGSTOP'))
    client.connection.stream.destroy()
    return [Number(postmaster), ...children]
  }

  async function freeze(): Promise<void> {
    frozen = await stopProcesses()
  }

  async function kill(): Promise<void> {
    // Stopped first, so that nothing is written any more. Without `stop` the server would be started again.
    const all = await stopProcesses()
    const stopped = embedded.stop()
    for (const pid of all) signal(pid, 'SIGKILL')
    await stopped
  }

  function thaw(): void {
    for (const pid of frozen.splice(0)) signal(pid, 'SIGCONT')
  }

  return {
    server,
    freeze,
    thaw,
    kill,
    restart: async () => {
      embedded = await start()
    },
    set: async (name, value) => {
      await ask(server, `alter system set ${name} = '${value}'`)
      const [loaded] = await ask<{ at: string }>(server, 'select pg_conf_load_time()::text as at, pg_reload_conf()')
      // A new process has the settings of the postmaster, which signals all others as soon as it has read them.
      for (;;) {
        const [now] = await ask<{ at: string }>(server, 'select pg_conf_load_time()::text as at')
        if (now?.at !== loaded?.at) break
      }
      // The checkpointer reads its settings before it works. It decides for all whether a COMMIT waits for a standby.
      await ask(server, 'checkpoint')
    },
    stop: async () => {
      thaw()
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Whether there was such a process to signal. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    return false
  }
}
