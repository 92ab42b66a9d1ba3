import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { invalidRequest, Problem } from '../base/problem.ts'

/** Reads a body. Every caller sends a JSON content type, also with no body at all, so nothing is read as nothing. */
export function readBody(headers: IncomingHttpHeaders, bytes: Buffer): unknown {
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
