import type pg from 'pg'
import { clock } from '../base/clock.ts'
import { type Connection, endClient, NoAnswer, newClient, withinDeadline } from './connection.ts'
import { workingProcesses } from './session.sql.ts'

/** How long a server has to answer a new connection before it counts as hung. */
const ANSWER_MS = 3_000
/** A statement can be on its way for so long before its server has it: uploads are large. */
const SENDING_MS = 3_000

/**
 * Finds the connections of one server that will never be answered, by asking on a connection of its own. If the
 * server does not answer either, it hangs, and all of them are silent. If it answers, a connection is silent if its
 * statement is long overdue while its process is gone or idle: the network has lost it.
 */
export async function findSilent(server: pg.ClientConfig, connections: Connection[]): Promise<Silence> {
  const startedMs = clock.elapsedMs()
  const overdue = connections.filter((connection) => connection.silentMs(startedMs) > SENDING_MS)
  const client = newClient(server, { application_name: 'purser watch' })
  try {
    const working = await withinDeadline(client, ANSWER_MS, async () => {
      await client.connect()
      return workingProcesses(
        client,
        overdue.map(({ pid }) => pid),
      )
    })
    void endClient(client).catch(() => undefined)
    const nowMs = clock.elapsedMs()
    // An answer that arrived since then has started the count anew.
    const isSilent = (one: Connection) => !working.includes(one.pid) && one.silentMs(nowMs) > SENDING_MS
    return { hangs: false, silent: overdue.filter(isSilent) }
  } catch (error) {
    // A refusal is an answer: too many connections, or a server that is shutting down and ends its connections itself.
    const hangs = error instanceof NoAnswer
    return { hangs, silent: hangs ? connections : [] }
  }
}

interface Silence {
  /** The server does not answer anybody. */
  hangs: boolean
  /** The connections to give up. */
  silent: Connection[]
}
