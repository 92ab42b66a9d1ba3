import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { KeyManagement } from './access/api-key.ts'
import type { KeyAuthenticator, KeyHolder } from './access/authenticate-key.ts'
import type { Denials } from './access/denials.ts'
import type { About } from './access/get-me.ts'
import type { Accounting } from './accounting/accounting.ts'
import type { BankingProvider } from './banking/provider.ts'
import type { Operation, Patience, SignatureRules, Write } from './base/operation.ts'
import type { Peers } from './base/peers/peers.ts'
import type { Closing } from './closing/closing.ts'
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
import { type PeopleParts, servePeople } from './http/people/serve-people.ts'
import type { ServedBackend } from './http/request/backend.ts'
import type { BodyAccount } from './http/request/body.ts'
import type { ServedStandby } from './http/request/stale-read.ts'
import { openTurns } from './http/request/turns.ts'
import type { SentAnswer } from './http/send.ts'
import { serveOperations } from './http/serve.ts'
import { openServer } from './http/server.ts'
import { type AgentSettings, serveMcp } from './mcp/serve-mcp.ts'
import { operations } from './operations.ts'
import type { Processor } from './processor/processor.ts'
import type { Proposals } from './review/proposals/proposal.ts'
import type { Review } from './review/review.ts'
import type { RewardsProvider } from './rewards/provider.ts'
import type { RewardRecords } from './rewards/records/records.ts'
import type { Scenario } from './sandbox/create-scenario.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { Tools } from './tools/tools.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

/** The ports of a backend, which the context of an operation has. */
export interface Ports {
  apiKeys: KeyManagement
  bank: BankingProvider
  /** Absent with a connector, because the ledger is at the upstream then. */
  accounting: Accounting | undefined
  /** Absent with a connector, whose upstream has a card processor of its own. */
  processor: Processor | undefined
  /** Absent with a connector, whose upstream reviews itself. */
  review: Review | undefined
  /** Absent with a connector, as the review is. */
  proposals: Proposals | undefined
  /** Absent with a connector, whose upstream has the money. */
  closing: Closing | undefined
  records: RewardRecords
  offers: RewardsProvider
  /** With the log of requests, except in live mode. */
  events: Events
  webhooks: Webhooks
  tools: Tools
  /** Absent in live mode and with a connector; then no sandbox route exists. */
  sandbox: Sandbox | undefined
}

/** A backend as the server uses it: a database with its bank, its ports and its limits. */
export interface AppBackend extends ServedBackend {
  ports: Ports
  /** A standby that may answer reads, with the ports that read from it. */
  standby: (ServedStandby & { ports: Ports }) | undefined
  /** Absent in live mode. */
  requestLog: RequestLog | undefined
  /** Keeps refused requests for the audit log. */
  denials: Pick<Denials, 'note'>
}

/** The backends of a service. Mostly there is one, which has all organisations. */
export interface AppBackends {
  /** The backend of a caller: its database has the caller's organisation. */
  of(caller: KeyHolder): AppBackend
  /** The first one. All have the ports that it has. */
  first: AppBackend
  /** Those that are there: a key that does not work may be of any. */
  all(): AppBackend[]
  /** The load that the look-up of a key counts to. */
  loadOf(key: string): Load
}

export interface AppParts {
  mode: 'sandbox' | 'live'
  version: string
  keys: KeyAuthenticator
  people: Omit<PeopleParts, 'hosts' | 'gate' | 'isPermitted'>
  backends: AppBackends
  /** Absent without a connector. */
  inbound: Inbound | undefined
  /** The provider of each area. */
  providers: About['providers']
  /** A fault of the settings that the operator should know, if there is one. */
  warning: string | undefined
  /** The ids of the demo records, if there are any. */
  demo: Scenario | undefined
  log: Log
  /** The requests whose bodies arrive. */
  load: Load
  /** The decisions that need a second person; absent if none does. */
  signatures: SignatureRules | undefined
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

function aboutOf({ mode, version, providers, warning }: AppParts, supported: Operation[]): About {
  return { mode, version, providers, operations: supported, ...(warning !== undefined && { warnings: [warning] }) }
}

/** The HTTP server with every operation. */
export function buildApp(parts: AppParts): FastifyInstance {
  const { mode, version, keys, people, backends, inbound, demo, log, load, ready, rates, hosts, docs } = parts
  const { ports, bodies } = backends.first
  const { sandbox } = ports
  const { peers } = parts
  const body = { load, turns: openTurns() }
  // Sandbox hints name sandbox operations, and with a connector there are none.
  const hints = sandbox ? 'sandbox' : 'live'
  const { app, answered } = openServer({
    mode: hints,
    log,
    body: { ...body, accountOf: (request) => bodyAccount(backends, holderOf(request as never)) },
    trustedProxies: parts.trustedProxies,
    answered: (request, answer, ms) => noteAnswer(backends, request, answer, ms),
  })
  const served = operations.filter(({ area }) => area !== 'sandbox' || sandbox !== undefined)
  const supports = (operation: Operation) => isSupported(operation, ports)
  const supported = served.filter(supports)
  const limits = rates && (peers ? openSharedLimits(rates, peers) : openLimits(rates))
  const gate = {
    keys,
    sessions: people.sessions,
    origin: people.settings.origin,
    load,
    loadOf: backends.loadOf,
    limits,
  }
  serveOperations(app, served, {
    gate,
    turns: body.turns,
    context: contextOf(backends, aboutOf(parts, supported)),
    backendOf: backends.of,
    supports,
    answered,
    problemOf: problemReporter({ mode: hints, log }),
    signatures: parts.signatures,
    hasFaults: sandbox !== undefined,
    observe: parts.metrics?.request,
  })
  if (inbound) serveInbound(app, inbound, { ...body, budget: bodies })
  serveMcp(app, { mode, version, gate, operations: supported, log, hosts, docs, ...parts.agents })
  servePeople(app, { ...people, hosts, gate, isPermitted: personRightsOf(parts) })
  serveConsole(app, { hosts, files: parts.console })
  const hasConnector = Object.values(parts.providers).some((provider) => provider !== 'builtin')
  const about = { mode, version, operations: served, demo, ready, catalogue: eventCatalogue, docs, hasConnector }
  serveDocuments(app, about, supported)
  return app
}

function bodyAccount(backends: AppBackends, caller: KeyHolder): BodyAccount {
  return { budget: backends.of(caller).bodies, owner: caller.organisationId }
}

/** Keeps an answer in the log of requests, and a denied request for the audit log that knows its key. */
function noteAnswer(backends: AppBackends, request: FastifyRequest, answer: SentAnswer, ms: number): void {
  const holder = knownHolder(request)
  const own = holder && backends.of(holder)
  own?.requestLog?.keep(request, answer, ms)
  const denied = deniedRequest(request, answer.status)
  if (!denied) return
  // A key that does not work any more is still known to one of them.
  for (const backend of own ? [own] : backends.all()) backend.denials.note(denied)
}

/** Whether the configured providers have the operation, or the mode has the log of requests. */
function isSupported({ area, id }: Operation, ports: Ports): boolean {
  const { bank, accounting, processor, review, closing, records, offers, events } = ports
  if (area === 'banking') return id in bank
  if (area === 'processor') return processor !== undefined
  if (area === 'review') return review !== undefined
  if (area === 'closing') return closing !== undefined
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

/** The context of every operation, with the ports of the caller's backend: an operation's type says which it uses. */
function contextOf(backends: AppBackends, about: About) {
  return (
    { caller, requestId, atStandby }: { caller: KeyHolder; requestId: string; atStandby: boolean },
    write: Write | undefined,
    patience: Patience,
  ) => {
    const backend = backends.of(caller)
    const ports = (atStandby && backend.standby?.ports) || backend.ports
    return {
      bank: ports.bank,
      accounting: ports.accounting,
      processor: ports.processor,
      review: ports.review,
      closing: ports.closing,
      proposals: ports.proposals,
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

/** Asks for permits of rights, if a rule of the operator wants a second person for them. */
function personRightsOf({ signatures, backends }: AppParts): PeopleParts['isPermitted'] {
  if (signatures?.from.personRights === undefined) return undefined
  return async (holder, recordId) =>
    (await backends.of(holder).ports.proposals?.isPermitted(holder, 'permitPersonRights', recordId)) ?? false
}
