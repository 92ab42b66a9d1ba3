import { context, propagation, SpanKind } from '@opentelemetry/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clock } from '../base/clock.ts'
import type { Operation } from '../base/operation.ts'
import { inSpan, isTraced } from '../base/span.ts'
import { problemOf } from './errors.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Wraps a handler in a span; without an OpenTelemetry SDK, the handler itself. */
export function traced(operation: Operation, route: string, handler: Handler): Handler {
  if (!isTraced()) return handler
  return (request, reply) => {
    const options = {
      kind: SpanKind.SERVER,
      startTime: clock.nowMs() - reply.elapsedTime,
      parent: propagation.extract(context.active(), request.headers),
      // A refusal with a 4xx status is no failure of the service.
      isFailure: (error: unknown) => problemOf(error as Error).status >= 500,
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'purser.operation': operation.id,
        'purser.request_id': request.id,
      },
    }
    return inSpan(`${request.method} ${route}`, options, async (span) => {
      try {
        await handler(request, reply)
        span.setAttribute('http.response.status_code', reply.statusCode)
      } catch (error) {
        span.setAttribute('http.response.status_code', problemOf(error as Error).status)
        throw error
      }
    })
  }
}
