import { serveHere } from './serve-here.ts'

/** Whoever webhooks are sent to: takes everything, at once. Run by the benchmark. */
serveHere((request, response) => {
  request.resume()
  response.writeHead(200).end()
})
