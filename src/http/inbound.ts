import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../base/problem.ts'
import type { InboundSource, Inbox } from '../events/inbound/inbound.ts'
import { type BodyParts, type BodyRequest, parseJson, readBytes, releaseBody } from './request/body.ts'
import type { BodyBudget } from './request/body-budget.ts'
import { refuseOtherMethods } from './request/served-paths.ts'

/** The notifications of upstream providers. A provider that is not configured for them has no route. */
export interface Inbound {
  sources: InboundSource[]
  inbox: Inbox
}

/**
 * The values of a body, five times as many as a caller may send: a provider that puts whole records into its events would
 * otherwise repeat a large delivery for ever. They are read after the signature was checked, and take about 50 ms.
 */
const MAX_VALUES = 50_000

/** Adds a route for the notifications of each provider, authenticated by the provider's own signature. */
export function serveInbound(
  app: FastifyInstance,
  { sources, inbox }: Inbound,
  body: Omit<BodyParts, 'accountOf'> & { budget: BodyBudget },
): void {
  app.register(async (scope) => {
    // As bytes: a signature holds for the body as it was sent, not for another spelling of the same JSON.
    scope.removeAllContentTypeParsers()
    const parts = { ...body, accountOf: () => ({ budget: body.budget, owner: 'inbound' }) }
    scope.addContentTypeParser('*', (request, payload, done) =>
      readBytes(request as unknown as BodyRequest, payload, parts, done),
    )
    scope.addHook('onResponse', async (request: FastifyRequest) => {
      releaseBody(request as unknown as BodyRequest)
    })
    for (const source of sources) {
      const url = `/v0/inbound/${source.provider}`
      scope.post(url, async (request, reply) => {
        const signature = request.headers[source.signatureHeader]
        const bytes = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
        if (typeof signature !== 'string' || !source.isAuthentic(bytes, signature)) {
          throw new Problem('invalid_signature', { headers: { 'WWW-Authenticate': 'Signature realm="purser"' } })
        }
        await inbox(source, parseJson(bytes, MAX_VALUES))
        return reply.code(200).type('application/json; charset=utf-8').send('{"data":{}}')
      })
      refuseOtherMethods(scope, url, ['POST'])
    }
  })
}
