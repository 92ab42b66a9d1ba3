import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { invalidRequest, Problem } from '../base/problem.ts'

type Done = (error: Error | null, body?: unknown) => void

/**
 * Reads bodies for Fastify. Those of one turn of the event loop are taken up one after the other at its end, and with them
 * their requests: the processor then goes the same way for all of them, instead of back and forth for each.
 */
export function bodyReader() {
  let waiting: { request: { headers: IncomingHttpHeaders }; bytes: Buffer; done: Done }[] = []

  function takeUp(): void {
    const turn = waiting
    waiting = []
    for (const { request, bytes, done } of turn) {
      let body: unknown
      try {
        body = readBody(request.headers, bytes)
      } catch (error) {
        done(error as Error)
        continue
      }
      done(null, body)
    }
  }

  return (request: { headers: IncomingHttpHeaders }, bytes: Buffer, done: Done): void => {
    if (waiting.length === 0) setImmediate(takeUp)
    waiting.push({ request, bytes, done })
  }
}

/** Every caller sends a JSON content type, also with no body at all, so nothing is read as nothing. */
function readBody(headers: IncomingHttpHeaders, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type) || encoding !== 'identity') {
    throw new Problem('unsupported_media_type')
  }
  return parseJson(bytes)
}

export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw malformed('the body is not UTF-8')
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw malformed(
      error instanceof SyntaxError ? `the body is not JSON: ${error.message.toWellFormed()}` : 'the body is not JSON',
    )
  }
}

function malformed(message: string): Problem {
  return invalidRequest([{ pointer: '', code: 'malformed_json', message }])
}
