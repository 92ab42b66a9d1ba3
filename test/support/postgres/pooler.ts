import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'

/** A pooler that lends a connection of the server for one transaction, as PgBouncer does with pool_mode = transaction. */
export interface Pooler {
  server: pg.ClientConfig
  close(): Promise<void>
}

/** A connection to the server, and the client that it is lent to. */
interface Backend {
  socket: Socket
  client: Socket | undefined
}

export async function openPooler(upstream: pg.ClientConfig): Promise<Pooler> {
  const { host, port, user, database } = new pg.Client(upstream)
  const sockets = new Set<Socket>()
  const idle: Backend[] = []
  const lentTo = new Set<Backend>()
  /** The answer of the server to the first client, which all others get, too. */
  let greeted: Buffer = Buffer.alloc(0)
  const known = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }

  /** Opens a connection by a client's first message; `greeting` is what the server answers to it. */
  function openBackend(startup: Buffer): Promise<Buffer> {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    known(socket)
    const backend: Backend = { socket, client: undefined }
    socket.write(startup)
    let greeting: Buffer | undefined = Buffer.alloc(0)
    return new Promise((resolve) => {
      const isAtRest = restsIn((chunk) => {
        if (greeting) greeting = Buffer.concat([greeting, chunk])
        else backend.client?.write(chunk)
      })
      socket.on('data', (chunk) => {
        if (!isAtRest(chunk)) return
        backend.client = undefined
        idle.push(backend)
        if (greeting) resolve(greeting)
        greeting = undefined
      })
    })
  }

  const listener = createServer((client) => {
    known(client)
    let startup: Buffer | undefined
    // One message after the other: opening a connection takes a while.
    let turn = Promise.resolve()
    const handle = async (chunk: Buffer) => {
      if (!startup) {
        startup = chunk
        if (idle.length === 0) greeted = await openBackend(chunk)
        client.write(greeted)
        return
      }
      let lent = [...lentTo].find((backend) => backend.client === client)
      if (!lent) {
        if (idle.length === 0) await openBackend(startup)
        lent = idle.pop()
      }
      if (!lent) return
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
    server: { host: '127.0.0.1', port: address.port, user, database } as pg.ClientConfig,
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
