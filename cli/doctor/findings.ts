import { isConnectionError, isProblem, type Me, type Purser } from '../../client/src/index.ts'
import type { Finding } from '../../ground/finding.ts'
import type { Call } from '../command.ts'
import { failureOf } from '../failure.ts'
import { isLoopback, ownAddress } from '../settings.ts'

const SERVICE_MS = 10_000
/** Signatures of webhooks and lifetimes of keys depend on clocks that agree. */
const MAX_SKEW_MS = 5_000
const DAY_MS = 86_400_000

/** All checks, each as soon as it is done. A check that needs a failed one is left out. */
export async function* findings(call: Call): AsyncGenerator<Finding> {
  yield nodeOf(process.versions.node)
  const { url } = call.settings
  if (isLoopback(url) || url === ownAddress(call.environment)) yield* await operatorFindings(call)
  const answer = await answerOf(url)
  yield answer.found
  if (!answer.date) return
  yield skewOf(answer.date)
  let client: Purser
  let me: Me
  try {
    client = call.purser()
    me = await client.me.get()
  } catch (error) {
    // A service that is not ready cannot look a key up.
    if (answer.found.status === 'failed' && isProblem(error, 'unavailable')) return
    const next = 'Pass --api-key, or set PURSER_API_KEY; a sandbox keeps its first key in data/api-key'
    yield { check: 'key', status: 'failed', detail: failureOf(error).line, next }
    return
  }
  yield keyOf(me)
  yield versionOf(me, call.version)
  yield* await recordFindings(client, me)
}

function nodeOf(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const detail = `Node.js ${version}`
  if (major > 20 || (major === 20 && minor >= 19)) return { check: 'node', status: 'ok', detail }
  return { check: 'node', status: 'failed', detail, next: 'Install Node.js 20.19 or newer' }
}

/** The checks of the machine itself need the database, and with it a large part of the service. */
async function operatorFindings({ environment }: Call): Promise<Finding[]> {
  const { machineFindings } = await import('../../src/operator/doctor.ts')
  return machineFindings(environment).catch((error: unknown) => [
    { check: 'machine', status: 'failed', detail: (error as Error).message },
  ])
}

interface Answer {
  found: Finding
  /** The time of the service; absent if no service of ours answered. */
  date?: Date
}

async function answerOf(url: string): Promise<Answer> {
  const check = 'service'
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(SERVICE_MS), redirect: 'manual' })
    const text = await response.text()
    const date = new Date(response.headers.get('date') ?? Date.now())
    if (response.status === 200) return { found: readyAt(url, text), date }
    if (response.status === 503) {
      const next = '`purser logs` and the output of the service say why'
      return { found: { check, status: 'failed', detail: `${url} is not ready: ${reasonIn(text)}`, next }, date }
    }
    const next = 'Another program has this port: stop it, or `purser start --port 4001`'
    return {
      found: { check, status: 'failed', detail: `${url} is not Purser: /readyz answers ${response.status}`, next },
    }
  } catch (error) {
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined
    const reason = cause?.code ?? cause?.message ?? (error as Error).message
    const detail = `nothing answers at ${url} (${reason})`
    return { found: { check, status: 'failed', detail, next: 'purser start, or --server with its address' } }
  }
}

/** A service that is ready. It names cells that it cannot reach. */
function readyAt(url: string, text: string): Finding {
  const away = Object.entries(cellsIn(text)).flatMap(([name, state]) => (state === 'ready' ? [] : [name]))
  if (away.length === 0) return { check: 'service', status: 'ok', detail: `ready at ${url}` }
  const detail = `ready at ${url}, but without ${away.length === 1 ? 'the cell' : 'the cells'} ${away.join(', ')}`
  const next = 'Requests of organisations there are answered 503 until their database can be reached'
  return { check: 'service', status: 'warning', detail, next }
}

function cellsIn(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text).cells ?? {}
  } catch {
    return {}
  }
}

/** The detail of a problem, or the beginning of another text. */
function reasonIn(text: string): string {
  try {
    const { detail } = JSON.parse(text)
    if (typeof detail === 'string') return detail.slice(0, 200)
  } catch {
    // A proxy in front of the service may answer with a page.
  }
  return text.slice(0, 200)
}

function skewOf(date: Date): Finding {
  const skewMs = Math.abs(date.getTime() - Date.now())
  const seconds = Math.round(skewMs / 1000)
  if (skewMs <= MAX_SKEW_MS) return { check: 'time', status: 'ok', detail: 'this machine and the service agree' }
  const next = 'Synchronise both with NTP: signatures of webhooks are valid for five minutes'
  return { check: 'time', status: 'warning', detail: `the service's clock differs by ${seconds} s`, next }
}

function keyOf({ key, organisation }: Me): Finding {
  const detail = `key ${key.id} of the organisation ${organisation.name}, scopes ${key.scopes?.join(', ') ?? 'all'}`
  const left = key.expiresAt ? new Date(key.expiresAt).getTime() - Date.now() : Number.POSITIVE_INFINITY
  if (left > 7 * DAY_MS) return { check: 'key', status: 'ok', detail }
  return {
    check: 'key',
    status: 'warning',
    detail: `${detail}; expires at ${key.expiresAt}`,
    next: 'purser api-keys create',
  }
}

function versionOf({ version, mode }: Me, own: string): Finding {
  const detail = `service ${version} in ${mode} mode`
  if (version === own) return { check: 'version', status: 'ok', detail }
  return { check: 'version', status: 'warning', detail: `${detail}, command ${own}`, next: 'Install the same version' }
}

async function recordFindings(client: Purser, { operations }: Me): Promise<Finding[]> {
  const found: Finding[] = []
  try {
    if (operations.includes('getClock')) found.push(await clockOf(client))
    if (operations.includes('listWebhookEndpoints')) found.push(...(await webhooksOf(client)))
    if (operations.includes('getLedgerVerification')) {
      const may = operations.includes('runLedgerVerification')
      found.push(await lawsOf(client, may))
    }
  } catch (error) {
    if (!isProblem(error) && !isConnectionError(error)) throw error
    found.push({ check: 'service', status: 'failed', detail: failureOf(error).line })
  }
  return found
}

async function clockOf(client: Purser): Promise<Finding> {
  const { now, frozen } = await client.sandbox.clock.get()
  const days = Math.round((new Date(now).getTime() - Date.now()) / DAY_MS)
  const apart = days === 0 ? '' : `, ${Math.abs(days)} days ${days > 0 ? 'ahead of' : 'behind'} real time`
  return { check: 'bank time', status: 'ok', detail: `${now}${apart}${frozen ? ', standing still' : ''}` }
}

async function webhooksOf(client: Purser): Promise<Finding[]> {
  const found: Finding[] = []
  let endpoints = 0
  for await (const { id, url, status, disabledReason, lastDay } of client.webhookEndpoints.list()) {
    endpoints += 1
    const deliveries = `purser webhook-endpoints list-deliveries ${id}`
    if (status === 'Disabled' && disabledReason !== 'Requested') {
      const next = `${deliveries} shows the answers; purser webhook-endpoints update ${id} --status Enabled resumes`
      found.push({ check: 'webhooks', status: 'failed', detail: `${url} is disabled: ${disabledReason}`, next })
    } else if (lastDay.retried + lastDay.failed > 0) {
      const failures = lastDay.retried + lastDay.failed
      const detail = `${url}: ${failures} failed ${failures === 1 ? 'attempt' : 'attempts'} in the last day`
      found.push({ check: 'webhooks', status: 'warning', detail, next: `${deliveries} shows the answers` })
    }
  }
  if (found.length > 0) return found
  const detail = endpoints === 0 ? 'there is no webhook endpoint' : `${endpoints} webhook endpoints, no failed attempt`
  return [{ check: 'webhooks', status: 'ok', detail }]
}

async function lawsOf(client: Purser, mayRun: boolean): Promise<Finding> {
  const { status, laws } = mayRun ? await client.ledger.runVerification() : await client.ledger.getVerification()
  const broken = laws.filter(({ holds }) => holds === false).map(({ law }) => law)
  if (broken.length > 0) {
    const next = 'Stop payments, keep the database, and run purser verify for the rows'
    return { check: 'laws', status: 'failed', detail: `broken: ${broken.join('; ')}`, next }
  }
  return {
    check: 'laws',
    status: 'ok',
    detail: status === 'Holds' ? `all ${laws.length} laws of the ledger hold` : status,
  }
}
