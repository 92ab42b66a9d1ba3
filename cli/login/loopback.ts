import type { IncomingMessage, ServerResponse } from 'node:http'
import { moduleOf } from '../http-fetch.ts'

/** The answer that a browser brings back from the console: a code, or none if the person refuses. */
export interface Outcome {
  code: string | undefined
}

/** A server of this machine alone, to which the console sends the browser. */
export interface Loopback {
  port: number
  /** Waits for the browser. `finish` decides what the browser shows: nothing but that it worked, or the reason why not. */
  wait(finish: (outcome: Outcome) => Promise<void>): Promise<void>
  close(): void
}

export async function openLoopback(state: string): Promise<Loopback> {
  const { createServer } = moduleOf('http:') as typeof import('node:http')
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as { port: number }).port,
    wait: (finish) =>
      new Promise((resolve, reject) => {
        let isTaken = false
        server.on('request', (request: IncomingMessage, response: ServerResponse) => {
          const outcome = isTaken ? undefined : outcomeOf(`http://127.0.0.1${request.url}`, state)
          // Any page of this machine's browser can call: only that of the console knows the state.
          if (!outcome)
            return show(response, 400, 'This is not the sign-in that was begun here. Run purser login again.')
          isTaken = true
          finish(outcome)
            .then(() => show(response, 200, 'The command line is signed in. You can close this page.'))
            .then(resolve, (error: Error) => {
              show(response, 403, error.message)
              reject(error)
            })
        })
      }),
    close: () => {
      server.close()
      server.closeIdleConnections()
    },
  }
}

/** The outcome in the address at which a browser ended; undefined if it belongs to another sign-in. */
export function outcomeOf(address: string, state: string): Outcome | undefined {
  const url = URL.canParse(address.trim()) ? new URL(address.trim()) : undefined
  if (url?.searchParams.get('state') !== state) return undefined
  return { code: url.searchParams.get('code') ?? undefined }
}

function show(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      connection: 'close',
    })
    .end(`${text}\n`)
}
