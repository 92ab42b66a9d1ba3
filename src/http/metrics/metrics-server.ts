import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartupError } from '../../base/startup-error.ts'
import type { Metrics } from './metrics.ts'

/** Serves /metrics on a port of its own, so that it need not be reachable from outside. */
export async function serveMetrics(
  { contentType, text }: Pick<Metrics, 'contentType' | 'text'>,
  { port, host }: { port: number; host: string },
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0]
    if (path !== '/metrics') return void response.writeHead(404).end()
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return void response.writeHead(405, { Allow: 'GET, HEAD' }).end()
    }
    text().then(
      (body) => response.writeHead(200, { 'Content-Type': contentType }).end(body),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new StartupError(`${host}:${port} is in use: stop the other process or set PURSER_METRICS_PORT`)
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
