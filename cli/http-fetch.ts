import type { IncomingMessage } from 'node:http'

/**
 * A `fetch` for the client on `node:http`. The global one takes longer to load than a command takes to run. It has the
 * parts that the client uses: a text as body, no redirect followed, and an answer that is read as a whole.
 */
export const httpFetch = fetchWith(wholeOf)

/** The same for a file of any size: `take` gets the parts of a success as they come, and the client an empty body. */
export function fetchInto(take: (part: Buffer) => void): typeof fetch {
  return fetchWith(async (answer, ok) => {
    if (!ok) return wholeOf(answer)
    for await (const part of answer) take(part as Buffer)
    return new ArrayBuffer(0)
  })
}

function fetchWith(read: (answer: IncomingMessage, ok: boolean) => Promise<ArrayBuffer>): typeof fetch {
  return (async (address: string, init: HttpRequest = {}) => {
    const answer = await sent(address, init)
    const status = answer.statusCode ?? 0
    const ok = status >= 200 && status < 300
    const headers = { get: (name: string) => textOf(answer.headers[name.toLowerCase()]) }
    return { ok, status, headers, arrayBuffer: () => read(answer, ok) }
  }) as unknown as typeof fetch
}

async function wholeOf(answer: IncomingMessage): Promise<ArrayBuffer> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part as Buffer)
  return new Uint8Array(Buffer.concat(parts)).buffer
}

interface HttpRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
}

function sent(address: string, { method = 'GET', headers = {}, body, signal }: HttpRequest): Promise<IncomingMessage> {
  const { request } = moduleOf(new URL(address).protocol)
  return new Promise((resolve, reject) => {
    request(address, { method, headers, ...(signal && { signal }) }, resolve)
      .on('error', reject)
      .end(body)
  })
}

function textOf(header: string | string[] | undefined): string | null {
  return header === undefined ? null : String(header)
}

/** Loaded when it is needed: it would take an eighth of the time of every command. */
export function moduleOf(protocol: string): typeof import('node:http') | typeof import('node:https') {
  return process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')
}
