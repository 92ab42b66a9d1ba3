import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server of one of the benchmark's programs: says where it is, and ends when told to. */
export function serveHere(answer: RequestListener): void {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`)
  })
  process.once('SIGTERM', () => process.exit(0))
}
