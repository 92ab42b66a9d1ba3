import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'

/** Stands between the service and its database and can break a connection at the worst moment. */
export interface DatabaseProxy {
  server: pg.ClientConfig
  /** Breaks the connections of the next COMMITs: before the server gets them, or after it has done them. */
  breakCommits(moments: ('before' | 'after')[]): void
  /** How many COMMITs are still to be broken. */
  left(): number
  close(): Promise<void>
}

export async function openProxy(upstream: pg.ClientConfig): Promise<DatabaseProxy> {
  const { host, port, user, database, password } = new pg.Client(upstream)
  const sockets = new Set<Socket>()
  let moments: ('before' | 'after')[] = []

  const listener = createServer((client) => {
    const server = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    const isCommit = commitsIn()
    let breaksNow = false
    const both = [client, server]
    for (const socket of both) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        for (const one of both) one.destroy()
      })
    }
    const breakBoth = () => {
      for (const one of both) one.destroy()
    }
    client.on('data', (chunk) => {
      const moment = isCommit(chunk) ? moments.shift() : undefined
      if (moment === 'before') return breakBoth()
      breaksNow ||= moment === 'after'
      server.write(chunk)
    })
    // The server answers a COMMIT only when it is done.
    server.on('data', (chunk) => (breaksNow ? breakBoth() : client.write(chunk)))
  })
  await new Promise<void>((ready) => listener.listen(0, '127.0.0.1', ready))
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    server: { host: '127.0.0.1', port: address.port, user, database, ...(password && { password }) } as pg.ClientConfig,
    breakCommits: (wanted) => {
      moments = [...wanted]
    },
    left: () => moments.length,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => listener.close(closed))
    },
  }
}

/** Reads one connection's messages: does this piece of it carry a COMMIT, in plain or as a prepared statement? */
function commitsIn(): (chunk: Buffer) => boolean {
  let rest = Buffer.alloc(0)
  let started = false
  let prepared: string | undefined
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    let found = false
    for (;;) {
      // The first message has no type before its length.
      const head = started ? 1 : 0
      if (rest.length < head + 4) return found
      const end = head + rest.readInt32BE(head)
      if (rest.length < end) return found
      const type = started ? String.fromCharCode(rest[0] ?? 0) : ''
      const [first, second] = rest
        .subarray(head + 4, end)
        .toString('latin1')
        .split('\0')
      if (type === 'P' && second === 'commit') prepared = first
      if (type === 'Q' && first === 'commit') found = true
      if (type === 'B' && prepared !== undefined && second === prepared) found = true
      started = true
      rest = rest.subarray(end)
    }
  }
}
