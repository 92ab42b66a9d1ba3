import { createServer } from 'node:net'
import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { connect } from '../service.ts'

/** A pooler that lends a connection of the server for one transaction, as PgBouncer does with pool_mode = transaction. */
export interface Pooler {
  server: pg.ClientConfig
  close(): Promise<void>
}

/** A connection to the server, and the client that it is lent to. */
interface Backend {
  socket: Duplex
  client: Duplex | undefined
}

/** AuthenticationOk, then ReadyForQuery outside of a transaction. */
const greeting = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I')

export async function openPooler(upstream: pg.ClientConfig): Promise<Pooler> {
  const sockets = new Set<Duplex>()
  const idle: Backend[] = []
  const lentTo = new Set<Backend>()
  const known = (socket: Duplex) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }

  /** Connects as the pooler's own role, which may need a password. Clients are let in without one. */
  async function openBackend(): Promise<Backend> {
    const socket = (await connect(upstream)).connection.stream
    socket.removeAllListeners('data')
    known(socket)
    const backend: Backend = { socket, client: undefined }
    const isAtRest = restsIn((chunk) => backend.client?.write(chunk))
    socket.on('data', (chunk) => {
      if (!isAtRest(chunk)) return
      backend.client = undefined
      idle.push(backend)
    })
    return backend
  }

  const listener = createServer((client) => {
    known(client)
    let greeted = false
    // One message after the other: opening a connection takes a while.
    let turn = Promise.resolve()
    const handle = async (chunk: Buffer) => {
      if (!greeted) {
        greeted = true
        client.write(greeting)
        return
      }
      const free = [...lentTo].find((backend) => backend.client === client) ?? idle.pop()
      // Terminate, which also ends a connection of the server: later clients begin with new ones.
      if (!free && chunk.toString('latin1', 0, 1) === 'X') return
      const lent = free ?? (await openBackend())
      lent.client = client
      lentTo.add(lent)
      lent.socket.write(chunk)
    }
    client.on('data', (chunk) => {
      turn = turn.then(() => handle(chunk))
    })
  })
  await new Promise<void>((ready) => listener.listen(0, '127.0.0.1', ready))
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the pooler has no port')
  return {
    server: { host: '127.0.0.1', port: address.port, user: 'anyone', database: 'any' },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => listener.close(closed))
    },
  }
}

/** Passes the messages of a server on, and returns whether it is outside of a transaction after them. */
function restsIn(pass: (chunk: Buffer) => void): (chunk: Buffer) => boolean {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    pass(chunk)
    rest = Buffer.concat([rest, chunk])
    let atRest = false
    while (rest.length >= 5) {
      const end = 1 + rest.readInt32BE(1)
      if (rest.length < end) break
      // ReadyForQuery, with the state of the transaction.
      atRest = rest.toString('latin1', 0, 1) === 'Z' && rest.toString('latin1', 5, 6) === 'I'
      rest = rest.subarray(end)
    }
    return atRest
  }
}
