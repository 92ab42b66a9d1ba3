import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callable } from '../access/get-me.ts'
import type { Operation } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'
import { authenticator, type Gate, holderOf } from '../http/authenticate.ts'
import { type Hosts, hostCheck } from '../http/hosts.ts'
import type { Log } from '../http/log.ts'
import { type BodyRequest, releaseBody } from '../http/request/body.ts'
import { refuseOtherMethods } from '../http/request/served-paths.ts'
import { ORGANISATION_HEADER } from '../http/session-cookie.ts'
import { callOperation } from './call-operation.ts'
import { type Documentation, openDocumentation } from './documentation.ts'
import { type Arrival, answerMessage } from './protocol.ts'
import { isForAgents, type Session } from './session.ts'

/** The settings of the service for agents. */
export interface AgentSettings {
  /** Whether agents may call the operations that change something. */
  writes: boolean
}

interface McpParts extends AgentSettings {
  /** The host names for which the endpoint answers. */
  hosts: Hosts
  /** The folder of the documentation. */
  docs: string
  mode: 'sandbox' | 'live'
  version: string
  gate: Gate
  /** The operations that this service has with its mode and its providers. */
  operations: Operation[]
  log: Log
}

const PATH = '/mcp'

/** Serves agents over the Model Context Protocol (Streamable HTTP, without sessions). */
export function serveMcp(app: FastifyInstance, parts: McpParts): void {
  const documentation = openDocumentation(parts.docs)
  app.route({
    method: 'POST',
    url: PATH,
    // The name in the audit log of a request that is denied.
    config: { operationId: 'mcp' } as object,
    onRequest: [hostCheck(parts.hosts), takeBearer, authenticator(parts.gate)],
    handler: async (request, reply) => {
      try {
        await answer(app, parts, documentation, request, reply)
      } finally {
        releaseBody(request as unknown as BodyRequest)
      }
    },
  })
  // There is no stream that a GET could open, and no session that a DELETE could end.
  refuseOtherMethods(app, PATH, ['POST'])
}

/** Takes the key from `Authorization: Bearer` as well, because some clients can send it in no other header. */
function takeBearer({ headers }: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (token !== undefined) headers['x-service-api-key'] ??= token
  done()
}

async function answer(
  app: FastifyInstance,
  parts: McpParts,
  documentation: Documentation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const message = messageIn(request.body)
  const arrival: Arrival = { message, headers: protocolHeaders(request) }
  const failed = (error: Error) => parts.log.error({ requestId: request.id, err: error }, 'tool of an agent failed')
  const response = await answerMessage(sessionOf(app, parts, documentation, request), arrival, failed)
  reply.code(response.status)
  if (response.body === null) reply.send()
  else reply.type('application/json; charset=utf-8').send(await response.text())
}

function sessionOf(
  app: FastifyInstance,
  { mode, version, operations, writes }: McpParts,
  documentation: Documentation,
  request: FastifyRequest,
): Session {
  const holder = holderOf(request)
  const organisation = request.headers[ORGANISATION_HEADER]
  const caller = {
    key: String(request.headers['x-service-api-key']),
    organisation: typeof organisation === 'string' ? organisation : undefined,
    address: request.ip,
    requestId: request.id,
  }
  return {
    mode,
    version,
    organisationId: holder.organisationId,
    operations: callable(operations, holder).filter((operation) => isForAgents(operation, writes)),
    documentation,
    call: (operation, input, options) => callOperation(app, caller, operation, input, options),
  }
}

/** The deepest nesting of a message. Operations take three levels; the library reads a message by recursion. */
const MAX_DEPTH = 32

/** A single message. Batches ended with the revision of June 2025, and one request would make any number of calls. */
function messageIn(body: unknown): Arrival['message'] {
  if (Array.isArray(body))
    throw new Problem('invalid_request', { detail: 'Send one message a request: batches are not served.' })
  if (typeof body !== 'object' || body === null) {
    throw new Problem('invalid_request', { detail: 'The body must be one JSON-RPC message.' })
  }
  if (isDeeper(body, MAX_DEPTH)) {
    throw new Problem('invalid_request', { detail: `The message is nested deeper than ${MAX_DEPTH} levels.` })
  }
  return body as Arrival['message']
}

/** Level by level, because recursion could exhaust the stack. */
function isDeeper(value: object, max: number): boolean {
  let level: object[] = [value]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > max) return true
    level = level.flatMap((each) => Object.values(each).filter((part) => typeof part === 'object' && part !== null))
  }
  return false
}

/** The headers that the protocol itself reads. */
function protocolHeaders({ headers }: FastifyRequest): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'))
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]))
}
