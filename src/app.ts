import type { FastifyInstance, FastifyRequest } from 'fastify'
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
import type { EventTypeInfo } from './events/list-event-types.ts'
import { holderOf, knownHolder } from './http/authenticate.ts'
import { type ConsoleParts, serveConsole } from './http/console/console.ts'
import { deniedRequest } from './http/denied-request.ts'
import { type Readiness, serveDocuments } from './http/documents/documents.ts'
import { problemReporter } from './http/errors.ts'
import type { RequestLog } from './http/exchanges/request-log.ts'
import type { Hosts } from './http/hosts.ts'
import { type Inbound, serveInbound } from './http/inbound.ts'
import { openLimits, type Rates } from './http/limits/limits.ts'
import { openSharedLimits } from './http/limits/shared-limits.ts'
import type { Load } from './http/load.ts'
import type { Log } from './http/log.ts'
import type { Metrics } from './http/metrics/metrics.ts'
import { eventTypesOf } from './http/openapi/event-types.ts'
import { type BodyOwner, openBodyBudget } from './http/request/body-budget.ts'
import { cellAt, type ServedCell } from './http/request/cell.ts'
import type { ServedStandby } from './http/request/stale-read.ts'
import { openTurns } from './http/request/turns.ts'
import type { SentAnswer } from './http/send.ts'
import { serveOperations } from './http/serve.ts'
import { openServer } from './http/server.ts'
import { type AgentSettings, serveMcp } from './mcp/serve-mcp.ts'
import { operations } from './operations.ts'
import type { Processor } from './processor/processor.ts'
import type { Review } from './review/review.ts'
import type { RewardsProvider } from './rewards/provider.ts'
import type { RewardRecords } from './rewards/records/records.ts'
import type { Scenario } from './sandbox/create-scenario.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { Tools } from './tools/tools.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

/** The ports of a cell, which the context of an operation has. */
export interface Ports {
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
  /** With the log of requests, except in live mode. */
  events: Events
  webhooks: Webhooks
  tools: Tools
  /** Absent in live mode and with a connector; then no sandbox route exists. */
  sandbox: Sandbox | undefined
}

/** A cell as the server uses it. */
export interface AppCell extends ServedCell {
  ports: Ports
  /** A standby that may answer reads, with the ports that read from it. */
  standby: (ServedStandby & { ports: Ports }) | undefined
  /** Absent in live mode. */
  requestLog: RequestLog | undefined
  /** Keeps refused requests for the audit log. */
  denials: Pick<Denials, 'note'>
}

export interface AppParts {
  mode: 'sandbox' | 'live'
  version: string
  keys: KeyAuthenticator
  /** The cells by the place that the holder of a key names. One that has not joined yet is absent. */
  cells: readonly [AppCell, ...(AppCell | undefined)[]]
  /** Absent without a connector. */
  inbound: Inbound | undefined
  /** The provider of each area. */
  providers: About['providers']
  /** A fault of the settings that the operator should know, if there is one. */
  warning: string | undefined
  /** The ids of the demo records, if there are any. */
  demo: Scenario | undefined
  log: Log
  /** The requests whose keys are looked up in all cells and whose bodies arrive. With one cell it is the load of the cell, too. */
  load: Load
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
  /** Absent if nothing is measured. */
  metrics: Metrics | undefined
  /** The other processes behind the same port; absent if there are none. */
  peers: Peers | undefined
  /** Rejects while the service cannot serve requests. */
  ready(): Promise<Readiness>
}

/** Four uploads of 28 MiB, two of one organisation. An upload takes about six times its size in memory. */
const MAX_BODY_BYTES = 112 * 1024 * 1024
/** Each of several processes has room for two of them, of two organisations. */
const LEAST_BODY_BYTES = MAX_BODY_BYTES / 2

function bodyOwnerOf({ place, organisationId }: KeyHolder): BodyOwner {
  return { cell: place, name: organisationId }
}

function aboutOf({ mode, version, providers, warning }: AppParts, supported: Operation[]): About {
  return { mode, version, providers, operations: supported, ...(warning !== undefined && { warnings: [warning] }) }
}

/** The HTTP server with every operation. */
export function buildApp(parts: AppParts): FastifyInstance {
  const { mode, version, keys, cells, inbound, demo, log, load, ready, rates, hosts, docs } = parts
  const [{ ports: home }] = cells
  const { sandbox } = home
  const { peers } = parts
  const total = Math.max(LEAST_BODY_BYTES, MAX_BODY_BYTES / (peers?.count ?? 1))
  const size = { total, cells: cells.length, largest: MAX_BODY_BYTES / 4 }
  const body = { load, budget: openBodyBudget(size), turns: openTurns() }
  // Sandbox hints name sandbox operations, and with a connector there are none.
  const hints = sandbox ? 'sandbox' : 'live'
  const { app, answered } = openServer({
    mode: hints,
    log,
    body: { ...body, ownerOf: (request) => bodyOwnerOf(holderOf(request as never)) },
    trustedProxies: parts.trustedProxies,
    answered: (request, answer, ms) => noteAnswer(cells, request, answer, ms),
  })
  const served = operations.filter(({ area }) => area !== 'sandbox' || sandbox !== undefined)
  const supports = (operation: Operation) => isSupported(operation, home)
  const supported = served.filter(supports)
  const limits = rates && (peers ? openSharedLimits(rates, peers) : openLimits(rates))
  const gate = { keys, load, loadAt: (place: number) => cells[place]?.load, limits }
  serveOperations(app, served, {
    gate,
    budget: body.budget,
    turns: body.turns,
    context: contextOf(cells, aboutOf(parts, supported)),
    cells,
    supports,
    answered,
    problemOf: problemReporter({ mode: hints, log }),
    hasFaults: sandbox !== undefined,
    observe: parts.metrics?.request,
  })
  if (inbound) serveInbound(app, inbound, body)
  serveMcp(app, { mode, version, gate, budget: body.budget, operations: supported, log, hosts, docs, ...parts.agents })
  serveConsole(app, { hosts, files: parts.console })
  const hasConnector = Object.values(parts.providers).some((provider) => provider !== 'builtin')
  const about = { mode, version, operations: served, demo, ready, catalogue: eventCatalogue, docs, hasConnector }
  serveDocuments(app, about, supported)
  return app
}

/** Keeps an answer in the log of requests, and a denied request for the audit log of the cell that knows its key. */
function noteAnswer(cells: AppParts['cells'], request: FastifyRequest, answer: SentAnswer, ms: number): void {
  const holder = knownHolder(request)
  const own = holder && cellAt(cells, holder.place)
  own?.requestLog?.keep(request, answer, ms)
  const denied = deniedRequest(request, answer.status)
  if (!denied) return
  // A key that does not work any more is still known to its cell, which is one of them.
  for (const cell of own ? [own] : cells) cell?.denials.note(denied)
}

/** Whether the configured providers have the operation, or the mode has the log of requests. Cells do not differ in that. */
function isSupported({ area, id }: Operation, ports: Ports): boolean {
  const { bank, accounting, processor, review, records, offers, events } = ports
  if (area === 'banking') return id in bank
  if (area === 'processor') return processor !== undefined
  if (area === 'review') return review !== undefined
  if (area === 'rewards') return id in records || id in offers
  if (id === 'listRequests' || id === 'getRequest') return events[id] !== undefined
  return area !== 'ledger' || accounting !== undefined
}

let eventTypes: EventTypeInfo[] | undefined

/** Made for the first caller: every start would wait for the schemas of all types. */
function describedEventTypes(): EventTypeInfo[] {
  eventTypes ??= eventTypesOf(eventCatalogue)
  return eventTypes
}

/** The context of every operation, with the ports of the caller's cell: an operation's type says which it uses. */
function contextOf(cells: AppParts['cells'], about: About) {
  return (
    { caller, requestId, atStandby }: { caller: KeyHolder; requestId: string; atStandby: boolean },
    write: Write | undefined,
    patience: Patience,
  ) => {
    const cell = cellAt(cells, caller.place)
    const ports = (atStandby && cell.standby?.ports) || cell.ports
    return {
      bank: ports.bank,
      accounting: ports.accounting,
      processor: ports.processor,
      review: ports.review,
      offers: ports.offers,
      records: ports.records,
      events: ports.events,
      webhooks: ports.webhooks,
      tools: ports.tools,
      sandbox: ports.sandbox,
      apiKeys: ports.apiKeys,
      about,
      eventTypes: describedEventTypes,
      caller,
      requestId,
      holder: caller,
      write,
      patience,
    }
  }
}
