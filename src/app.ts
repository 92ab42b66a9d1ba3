import type { FastifyInstance } from 'fastify'
import type { KeyManagement } from './access/api-key.ts'
import type { KeyAuthenticator, KeyHolder } from './access/authenticate-key.ts'
import type { Denials } from './access/denials.ts'
import type { About } from './access/get-me.ts'
import type { Accounting } from './accounting/accounting.ts'
import type { BankingProvider } from './banking/provider.ts'
import type { Operation, Patience, Write } from './base/operation.ts'
import type { Peers } from './base/peers/peers.ts'
import { eventCatalogue } from './event-catalogue.ts'
import type { Events } from './events/events.ts'
import { holderOf } from './http/authenticate.ts'
import { type ConsoleParts, serveConsole } from './http/console.ts'
import { deniedRequest } from './http/denied-request.ts'
import { serveDocuments } from './http/documents/documents.ts'
import { problemReporter } from './http/errors.ts'
import type { RequestLog } from './http/exchanges/request-log.ts'
import type { FaultInjector } from './http/fault-injector.ts'
import type { Hosts } from './http/hosts.ts'
import { type Inbound, serveInbound } from './http/inbound.ts'
import { openLimits, type Rates } from './http/limits.ts'
import type { Log } from './http/log.ts'
import type { Metrics } from './http/metrics.ts'
import { eventTypesOf } from './http/openapi/event-types.ts'
import { openBodyBudget } from './http/request/body-budget.ts'
import { openTurns } from './http/request/turns.ts'
import { serveOperations } from './http/serve.ts'
import { openServer } from './http/server.ts'
import { openSharedLimits } from './http/shared-limits.ts'
import { type AgentSettings, serveMcp } from './mcp/serve-mcp.ts'
import { operations } from './operations.ts'
import type { Processor } from './processor/processor.ts'
import type { Review } from './review/review.ts'
import type { RewardsProvider } from './rewards/provider.ts'
import type { RewardRecords } from './rewards/records/records.ts'
import type { Scenario } from './sandbox/create-scenario.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { Seals } from './secrets/seals.ts'
import type { Tools } from './tools/tools.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

export interface AppParts {
  mode: 'sandbox' | 'live'
  version: string
  keys: KeyAuthenticator
  apiKeys: KeyManagement
  bank: BankingProvider
  /** Absent with a connector, because the ledger is at the upstream then. */
  accounting: Accounting | undefined
  /** Absent with a connector, whose upstream has a card processor of its own. */
  processor: Processor | undefined
  /** Absent with a connector, whose upstream reviews itself. */
  review: Review | undefined
  records: RewardRecords
  offers: RewardsProvider
  events: Events
  /** Absent in live mode. */
  requestLog: RequestLog | undefined
  webhooks: Webhooks
  tools: Tools
  /** Absent in live mode and with a connector; then no sandbox route exists. */
  sandbox: Sandbox | undefined
  /** Absent where there is no sandbox. */
  faults: FaultInjector | undefined
  /** Absent without a connector. */
  inbound: Inbound | undefined
  /** The provider of each area. */
  providers: About['providers']
  /** The ids of the demo records, where there are any. */
  demo: Scenario | undefined
  log: Log
  /** Keeps refused requests for the audit log. */
  denials: Pick<Denials, 'note'>
  /** Requests that may be in progress at a time. */
  maxRequests: number
  /** Requests a second that a key may make; absent in sandbox mode, which has no limit. */
  rates: Rates | undefined
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  trustedProxies: string[]
  /** The host names for which the console and the endpoint of agents answer. */
  hosts: Hosts
  /** The folder of the documentation. */
  docs: string
  agents: AgentSettings
  /** The files of the console. */
  console: ConsoleParts['files']
  /** Absent where nothing is measured. */
  metrics: Metrics | undefined
  seals: Seals
  /** The other processes behind the same port; absent where there are none. */
  peers: Peers | undefined
  /** Rejects while the service cannot serve requests. */
  ready(): Promise<void>
}

/** Four uploads of 28 MiB, two of one organisation. An upload takes about six times its size in memory. */
const MAX_BODY_BYTES = 112 * 1024 * 1024
/** Each of several processes has room for two of them, of two organisations. */
const LEAST_BODY_BYTES = MAX_BODY_BYTES / 2

/** The HTTP server with every operation. */
export function buildApp(parts: AppParts): FastifyInstance {
  const { mode, version, keys, sandbox, inbound, demo, log, seals, ready, denials, maxRequests, rates, hosts, docs } =
    parts
  const { peers } = parts
  const bodyBytes = Math.max(LEAST_BODY_BYTES, MAX_BODY_BYTES / (peers?.count ?? 1))
  const load = { running: 0, max: maxRequests }
  const body = { load, budget: openBodyBudget(bodyBytes), turns: openTurns() }
  // Sandbox hints name sandbox operations, and with a connector there are none.
  const hints = sandbox ? 'sandbox' : 'live'
  const { app, answered } = openServer({
    mode: hints,
    log,
    body: { ...body, ownerOf: (request) => holderOf(request as never).organisationId },
    trustedProxies: parts.trustedProxies,
    answered: (request, answer, ms) => {
      parts.requestLog?.keep(request, answer, ms)
      const denied = deniedRequest(request, answer.status)
      if (denied) denials.note(denied)
    },
  })
  const served = operations.filter(({ area }) => area !== 'sandbox' || sandbox !== undefined)
  const supports = (operation: Operation) => isSupported(operation, parts)
  const supported = served.filter(supports)
  const limits = rates && (peers ? openSharedLimits(rates, peers) : openLimits(rates))
  const gate = { keys, load, limits }
  serveOperations(app, served, {
    gate,
    budget: body.budget,
    turns: body.turns,
    context: contextOf(parts, { mode, version, providers: parts.providers, operations: supported }),
    seals,
    supports,
    answered,
    problemOf: problemReporter({ mode: hints, log }),
    faults: parts.faults,
    observe: parts.metrics?.request,
  })
  if (inbound) serveInbound(app, inbound, body)
  serveMcp(app, { mode, version, gate, budget: body.budget, operations: supported, log, hosts, docs, ...parts.agents })
  serveConsole(app, { hosts, files: parts.console })
  serveDocuments(app, { mode, version, operations: served, demo, ready, catalogue: eventCatalogue, docs }, supported)
  return app
}

/** Whether the configured providers have the operation, or the mode has the log of requests. */
function isSupported({ area, id }: Operation, parts: AppParts): boolean {
  const { bank, accounting, processor, review, records, offers, requestLog } = parts
  if (area === 'banking') return id in bank
  if (area === 'processor') return processor !== undefined
  if (area === 'review') return review !== undefined
  if (area === 'rewards') return id in records || id in offers
  if (id === 'listRequests' || id === 'getRequest') return requestLog !== undefined
  return area !== 'ledger' || accounting !== undefined
}

const eventTypes = eventTypesOf(eventCatalogue)

/** The context of every operation: an operation's type says which of it the operation uses. */
function contextOf(
  { bank, accounting, processor, review, offers, records, webhooks, tools, sandbox, apiKeys, ...parts }: AppParts,
  about: About,
) {
  const events = { ...parts.events, ...parts.requestLog }
  return (request: { caller: KeyHolder; requestId: string }, write: Write | undefined, patience: Patience) => ({
    bank,
    accounting,
    processor,
    review,
    offers,
    records,
    events,
    webhooks,
    tools,
    sandbox,
    apiKeys,
    about,
    eventTypes,
    ...request,
    holder: request.caller,
    write,
    patience,
  })
}
