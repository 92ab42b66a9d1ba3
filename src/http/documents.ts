import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../base/operation.ts'
import type { EventKind } from '../events/event.ts'
import { etagOf, matches } from './etag.ts'
import { openapiOf } from './openapi/document.ts'
import type { JsonObject } from './openapi/schemas.ts'
import { type About, errorsPage, landingPage } from './pages.ts'
import { refuseOtherMethods } from './serve.ts'

const HTML = 'text/html; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

/** Serves the pages and documents that need no key: landing page, reference, errors, OpenAPI, health. */
export function serveDocuments(
  app: FastifyInstance,
  { operations, ready, catalogue, ...about }: Omit<About, 'host'> & { ready(): Promise<void>; catalogue: EventKind[] },
  described: Operation[],
): void {
  const { document, openapi } = writtenDocument(described, about.version, catalogue)
  servePage(app, '/', (request, reply) =>
    reply.type(HTML).send(landingPage({ ...about, operations, host: request.host })),
  )
  servePage(app, '/docs/errors', fixedAnswer(HTML, errorsPage()))
  servePage(app, '/openapi.json', openapi)
  servePage(app, '/livez', fixedAnswer(JSON_TYPE, JSON.stringify({ status: 'ok' })))
  servePage(app, '/readyz', async (_request, reply) => {
    await ready()
    return reply.type(JSON_TYPE).send(JSON.stringify({ status: 'ready' }))
  })
  app.register(fastifySwagger, { mode: 'static', specification: { document: document as never } })
  app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    staticCSP: contentPolicy,
    theme: { title: 'Purser' },
    logo,
    uiHooks: {
      // The plugin would write the document anew for each request, which takes 7 ms.
      onRequest: (request, reply, done) => {
        if (request.routeOptions.url === '/docs/json') openapi(request, reply)
        else done()
      },
    },
  })
}

interface WrittenDocument {
  document: JsonObject
  openapi: Handler
}

const writtenDocuments = new Map<string, WrittenDocument>()

/** The document of a set of operations, which takes 100 ms to write: once, however many servers a process opens. */
function writtenDocument(operations: Operation[], version: string, catalogue: EventKind[]): WrittenDocument {
  const name = [version, ...operations.map(({ id }) => id)].join(' ')
  const earlier = writtenDocuments.get(name)
  if (earlier) return earlier
  const document = openapiOf(operations, version, catalogue)
  const written = { document, openapi: fixedAnswer(JSON_TYPE, JSON.stringify(document)) }
  writtenDocuments.set(name, written)
  return written
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown

function servePage(app: FastifyInstance, url: string, handler: Handler): void {
  app.get(url, handler)
  refuseOtherMethods(app, url, ['GET', 'HEAD'])
}

/** A text that is the same for every request: written once, with its tag. */
function fixedAnswer(type: string, text: string): Handler {
  const body = Buffer.from(text)
  const etag = etagOf(body)
  return (request, reply) => {
    reply.header('ETag', etag)
    if (matches(request.headers['if-none-match'], etag)) reply.code(304).send()
    else reply.type(type).send(body)
  }
}

const logo = {
  type: 'image/svg+xml',
  content:
    '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><text x="0" y="28" font-family="sans-serif" font-size="26" fill="#fff">Purser</text></svg>',
}

/** The reference loads nothing from other hosts. */
const contentPolicy = `default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'`
