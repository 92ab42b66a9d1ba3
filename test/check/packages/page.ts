import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const html = `<!doctype html><title>Purser</title><link rel="icon" href="data:,"><script src="/page.js"></script>`

/** Serves a page with a script, and the service at the same origin, as one proxy in front of both would. */
export async function servePage(script: string, service: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, answer) => {
    if (incoming.url === '/page') answer.setHeader('content-type', 'text/html').end(html)
    else if (incoming.url === '/page.js') answer.setHeader('content-type', 'text/javascript').end(script)
    else forward(service, incoming, answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/page`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}

function forward(service: string, incoming: IncomingMessage, answer: ServerResponse): void {
  const { method, headers, url = '/' } = incoming
  const outgoing = request(new URL(url, service), { method, headers }, (received) => {
    answer.writeHead(received.statusCode ?? 502, received.headers)
    received.pipe(answer)
  })
  outgoing.on('error', () => answer.destroy())
  answer.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}
