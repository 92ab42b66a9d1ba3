import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'

/** A proxy between the service and its database that breaks or silences connections at chosen moments. */
export interface DatabaseProxy {
  server: pg.ClientConfig
  /** Breaks the connections of the next COMMITs: before the server gets them, or after it has committed. */
  breakCommits(moments: ('before' | 'after')[]): void
  /** How many COMMITs are still to be broken. */
  left(): number
  /**
   * Swallows every byte of the connections there are, in both directions and for good: they stay open, as when a firewall
   * has forgotten them. New connections are swallowed too until `accept`.
   */
  swallow(): void
  accept(): void
  close(): Promise<void>
}

export async function openProxy(upstream: pg.ClientConfig): Promise<DatabaseProxy> {
  const { host, port, user, database, password } = new pg.Client(upstream)
  const sockets = new Set<Socket>()
  const clients = new Set<Socket>()
  const silenced = new Set<Socket>()
  let moments: ('before' | 'after')[] = []
  let swallowing = false

  const listener = createServer((client) => {
    if (swallowing) silenced.add(client)
    const server = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    const isCommit = commitsIn()
    let breaksNow = false
    const both = [client, server]
    for (const socket of both) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        clients.delete(socket)
        silenced.delete(socket)
        for (const one of both) one.destroy()
      })
    }
    const breakBoth = () => {
      for (const one of both) one.destroy()
    }
    client.on('data', (chunk) => {
      if (silenced.has(client)) return
      const moment = isCommit(chunk) ? moments.shift() : undefined
      if (moment === 'before') return breakBoth()
      breaksNow ||= moment === 'after'
      server.write(chunk)
    })
    server.on('data', (chunk) => {
      if (silenced.has(client)) return
      // The server answers a COMMIT only when it is done.
      if (breaksNow) breakBoth()
      else client.write(chunk)
    })
    clients.add(client)
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
    swallow: () => {
      swallowing = true
      for (const client of clients) silenced.add(client)
    },
    accept: () => {
      swallowing = false
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => listener.close(closed))
    },
  }
}

/** Reads the messages of one connection and returns whether a chunk carries a COMMIT, plain or prepared. */
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
