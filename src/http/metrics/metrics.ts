import { AggregatorRegistry, Counter, collectDefaultMetrics, Histogram, type MetricObject, Registry } from 'prom-client'
import { type BackendMetrics, openBackendMetrics, SECONDS } from './backend-metrics.ts'

/** The metrics of the service, and those of its home cell. Each room gets the one function that it calls, and knows no registry. */
export interface Metrics extends BackendMetrics {
  request(operation: string, status: number, seconds: number): void
  /** A question to a hook of the operator: the hook, whether it answered, and the time that it took. */
  hook(name: string, outcome: string, seconds: number): void
  /** A settlement of a card authorization that a reviewer has to look at. */
  overSettled(): void
  /** An event of a provider that could not be applied: the kind of its record is one of ours, or `other`. */
  upstreamEventFailed(provider: string, kind: string): void
  cell(name: string): BackendMetrics
  contentType: string
  text(): Promise<string>
  /** All metrics with their values, for `joinedMetrics` in the parent process. */
  values(): Promise<MetricObject[]>
}

/**
 * The metrics of several processes, each with its label `process`. The sum over all of them would fall when a process is
 * replaced, and Prometheus would take the rest for an increase.
 */
export function joinedMetrics(read: () => Promise<MetricObject[][]>): Pick<Metrics, 'contentType' | 'text'> {
  return {
    contentType: new Registry().contentType,
    text: async () => AggregatorRegistry.aggregate(await read()).metrics(),
  }
}

/** Opens the metrics of a process; `number` is its number if there are several. */
export function openMetrics(number?: number): Metrics {
  const registry = new Registry()
  if (number !== undefined) registry.setDefaultLabels({ process: String(number) })
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'purser_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its response, by operation and status',
    labelNames: ['operation', 'status'],
    buckets: SECONDS,
    registers,
  })
  const failedEvents = new Counter({
    name: 'purser_upstream_events_failed_total',
    help: 'Events of a provider that were stored with a fault and had no effect, by provider and kind of record',
    labelNames: ['provider', 'kind'],
    registers,
  })
  const overSettlements = new Counter({
    name: 'purser_over_settlements_total',
    help: 'Settlements of card authorizations beyond the tolerance of their trade, which wait for a reviewer',
    registers,
  })
  const hooks = new Histogram({
    name: 'purser_hook_duration_seconds',
    help: 'Time that a hook of the operator took, by hook and outcome',
    labelNames: ['hook', 'outcome'],
    buckets: SECONDS,
    registers,
  })
  const cell = openBackendMetrics(registry)
  return {
    ...cell(undefined),
    cell,
    request: (operation, status, seconds) => requests.observe({ operation, status }, seconds),
    hook: (hook, outcome, seconds) => hooks.observe({ hook, outcome }, seconds),
    overSettled: () => overSettlements.inc(),
    upstreamEventFailed: (provider, kind) => failedEvents.inc({ provider, kind }),
    contentType: registry.contentType,
    text: () => registry.metrics(),
    values: () => registry.getMetricsAsJSON() as Promise<MetricObject[]>,
  }
}
