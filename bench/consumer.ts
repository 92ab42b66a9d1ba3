import { serveHere } from './serve-here.ts'

/** A consumer of webhooks that accepts everything at once. Run by the benchmark. */
serveHere((request, response) => {
  request.resume()
  response.writeHead(200).end()
})
