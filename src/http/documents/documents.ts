import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import { withOpenWords } from '../../base/text.ts'
import type { EventKind } from '../../events/event.ts'
import { openapiOf } from '../openapi/document.ts'
import { openapi30Of } from '../openapi/older-openapi.ts'
import { refuseOtherMethods } from '../request/served-paths.ts'
import { sendFile, servedFile } from '../send-file.ts'
import { indexPage } from './index-page.ts'
import { type MarkdownPages, readMarkdown } from './markdown-pages.ts'
import { operationPage } from './operation-page.ts'
import { type About, errorsPage, landingPage } from './pages.ts'

const HTML = 'text/html; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'

/** The members of /readyz beside the status. */
export interface Readiness {
  /** The state of each cell, if there are several. */
  cells?: Record<string, 'ready' | 'away'>
  /** Present while ACH files wait for the operator. */
  ach?: 'held'
}

interface DocumentParts extends Omit<About, 'host'> {
  ready(): Promise<Readiness>
  catalogue: EventKind[]
  /** Whether another provider answers, which may use words of its own in the place of an enumeration. */
  hasConnector: boolean
  /** The folder of the documentation. */
  docs: string
}

/** Serves the pages and documents that need no key: landing page, reference, errors, OpenAPI, health. */
export function serveDocuments(
  app: FastifyInstance,
  { operations, ready, catalogue, docs, hasConnector, ...about }: DocumentParts,
  described: Operation[],
): void {
  servePage(app, '/', (request, reply) =>
    reply.type(HTML).send(landingPage({ ...about, operations, host: request.host })),
  )
  const document = () => {
    const written = openapiOf(described, about.version, catalogue)
    return hasConnector ? withOpenWords(written) : written
  }
  const name = [about.version, hasConnector, ...described.map(({ id }) => id)].join(' ')
  servePage(app, '/openapi.json', writtenDocument(`3.1 ${name}`, document))
  servePage(
    app,
    '/openapi-3.0.json',
    writtenDocument(`3.0 ${name}`, () => openapi30Of(document())),
  )
  serveMarkdown(app, { described, mode: about.mode, docs })
  servePage(app, '/docs', (_request, reply) => reply.redirect('/console/reference'))
  servePage(app, '/docs/json', (_request, reply) => reply.redirect('/openapi.json'))
  servePage(app, '/docs/errors', fixedAnswer(HTML, errorsPage()))
  servePage(app, '/livez', fixedAnswer(JSON_TYPE, JSON.stringify({ status: 'ok' })))
  servePage(app, '/readyz', async (_request, reply) => {
    const readiness = await ready()
    return reply.type(JSON_TYPE).send(JSON.stringify({ status: 'ready', ...readiness }))
  })
}

interface MarkdownParts {
  described: Operation[]
  mode: string
  docs: string
}

/** The reference and the documentation as Markdown. Each page is read or written when it is first asked for. */
function serveMarkdown(app: FastifyInstance, { described, mode, docs }: MarkdownParts): void {
  let written: MarkdownPages | undefined
  const markdown = () => (written ??= readMarkdown(docs))
  const operations = new Map(described.map((operation) => [operation.id, operation]))
  const textOf = (name: string) => {
    const operation = operations.get(name)
    return operation ? operationPage(operation) : markdown().pages.get(name)?.text
  }
  servePage(
    app,
    '/llms.txt',
    lateAnswer(TEXT, () => indexPage(described, mode, markdown())),
  )
  servePage(app, '/docs/:page', pageByName(textOf))
  servePage(
    app,
    '/docs/guides',
    lateAnswer(JSON_TYPE, () => JSON.stringify(guideList(markdown()))),
  )
  servePage(
    app,
    '/docs/guides/:page',
    pageByName((name) => markdown().guides.get(name)?.text),
  )
}

function guideList({ guides }: MarkdownPages): { name: string; title: string }[] {
  return [...guides.values()].map(({ name, title }) => ({ name, title }))
}

/** Answers the page that `:page` names. Only names of pages are kept, so that requests cannot fill the memory. */
function pageByName(textOf: (name: string) => string | undefined): Handler {
  const answers = new Map<string, Handler>()
  return (request, reply) => {
    const { page } = request.params as { page: string }
    const name = page.endsWith('.md') ? page.slice(0, -'.md'.length) : ''
    const answer = answers.get(name) ?? fixedPage(textOf(name))
    answers.set(name, answer)
    return answer(request, reply)
  }
}

function fixedPage(text: string | undefined): Handler {
  if (text === undefined) {
    throw new Problem('route_not_found', { detail: 'There is no page with this name; /llms.txt lists all.' })
  }
  return fixedAnswer(MARKDOWN, text)
}

const writtenDocuments = new Map<string, Handler>()

/**
 * The document of a set of operations, which takes 100 ms to write: once, however many servers a process opens, and not
 * before the first request, so that a start does not wait for it.
 */
function writtenDocument(name: string, document: () => object): Handler {
  const written = writtenDocuments.get(name) ?? lateAnswer(JSON_TYPE, () => JSON.stringify(document()))
  writtenDocuments.set(name, written)
  return written
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown

function servePage(app: FastifyInstance, url: string, handler: Handler): void {
  app.get(url, handler)
  refuseOtherMethods(app, url, ['GET', 'HEAD'])
}

/** A text that is written when it is first asked for. */
function lateAnswer(type: string, text: () => string): Handler {
  let answer: Handler | undefined
  return (request, reply) => {
    answer ??= fixedAnswer(type, text())
    return answer(request, reply)
  }
}

/** A text that is the same for every request: written and compressed once, with its tag. */
function fixedAnswer(type: string, text: string): Handler {
  const file = servedFile(Buffer.from(text), type)
  return (request, reply) => sendFile(file, request, reply)
}
