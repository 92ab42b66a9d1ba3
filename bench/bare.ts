import { serveHere } from './serve-here.ts'

/** A server that does nothing but HTTP: the ceiling for the service. Run by the benchmark with the answers to give. */
export interface BareAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

const { get, post } = JSON.parse(process.argv[2] ?? '{}') as { get: BareAnswer; post: BareAnswer }

serveHere((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(get.status, get.headers).end(get.body)
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { amount } = JSON.parse(Buffer.concat(chunks).toString())
    response.writeHead(amount > 0 ? post.status : 400, post.headers).end(post.body)
  })
})
