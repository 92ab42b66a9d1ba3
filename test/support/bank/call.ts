import type { FastifyInstance } from 'fastify'
import type { CallOptions, Reply } from '../harness.ts'

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
