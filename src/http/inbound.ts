import type { FastifyInstance } from 'fastify'
import { Problem } from '../base/problem.ts'
import type { InboundSource, Inbox } from '../events/inbound.ts'
import { parseJson } from './body.ts'
import { refuseOtherMethods } from './serve.ts'

/** What providers tell us arrives here; a provider that is not configured to has no route. */
export interface Inbound {
  sources: InboundSource[]
  inbox: Inbox
}

/** Adds the routes of the providers that tell us of changes, each authenticated by its own signature. */
export function serveInbound(app: FastifyInstance, { sources, inbox }: Inbound): void {
  app.register(async (scope) => {
    // A signature holds for the bytes as they came, and for no other spelling of the same JSON.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, bytes: Buffer) => bytes)
    for (const source of sources) {
      const url = `/v0/inbound/${source.provider}`
      scope.post(url, async (request, reply) => {
        const signature = request.headers[source.signatureHeader]
        const bytes = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
        if (typeof signature !== 'string' || !source.isAuthentic(bytes, signature)) {
          throw new Problem('invalid_signature', { headers: { 'WWW-Authenticate': 'Signature realm="purser"' } })
        }
        await inbox(source, parseJson(bytes))
        return reply.code(200).type('application/json; charset=utf-8').send('{"data":{}}')
      })
      refuseOtherMethods(scope, url, ['POST'])
    }
  })
}
