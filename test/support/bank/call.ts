import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { CallOptions, Reply } from '../harness.ts'

/** The latest lines that banks without a log of their own have written: why a request was refused or failed. */
const warnings: string[] = []
const MAX_WARNINGS = 50

export const ownLog = () =>
  pino(
    { level: 'warn' },
    {
      write: (line) => {
        warnings.push(line)
        if (warnings.length > MAX_WARNINGS) warnings.shift()
      },
    },
  )

/** The answer to a request that should have succeeded, with the bank's reason if it failed by itself. */
export function failureOf(method: string, path: string, { status, text, json }: Reply): Error {
  const reasons = status >= 500 ? warnings.filter((line) => line.includes(json?.requestId)) : []
  return new Error([`${method} ${path} answered ${status}: ${text}`, ...reasons].join('\n'))
}

/** Sends requests to the service, with a key unless they name another one. */
export function callOf(
  app: FastifyInstance,
  key: string,
  keyFor: (path: string, sent: string) => Promise<string>,
): (method: string, path: string, options?: CallOptions) => Promise<Reply> {
  return async (method, path, { key: sent = key, body, raw, headers = {} } = {}) => {
    const response = await app.inject({
      method: method as 'GET',
      url: path,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...(sent !== null && { 'x-service-api-key': await keyFor(path, sent) }),
        ...headers,
      },
      ...(raw !== undefined ? { payload: raw } : body !== undefined && { payload: JSON.stringify(body) }),
    })
    const { 'content-type': type, 'content-encoding': coding } = response.headers
    const isJson = String(type).includes('json') && coding === undefined && response.body !== ''
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      bytes: response.rawPayload,
      json: isJson ? JSON.parse(response.body) : undefined,
    }
  }
}
