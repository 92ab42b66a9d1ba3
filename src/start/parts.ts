import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { requireOneOrganisation } from '../access/organisations.ts'
import { type Core, type CoreParts, openCore } from '../backend/core.ts'
import { DECISIONS, type DecisionHook } from '../bank/parts/decision-hook.ts'
import { SCREENINGS } from '../bank/screening/screening.ts'
import type { Closers } from '../base/closers.ts'
import type { Config } from '../config.ts'
import type { Connectors } from '../connectors/connectors.ts'
import { type ConsoleFiles, openConsoleFiles } from '../http/console/console-files.ts'
import type { Log } from '../http/log.ts'
import { type Metrics, openMetrics } from '../http/metrics/metrics.ts'
import { type Hook, openHook } from '../webhooks/hook.ts'

/** The parts of a process that serves requests. */
export interface OwnParts {
  config: Config
  closers: Closers
  log: Log
  version: string
  servers: CoreParts['servers']
  encryptionKeys: Buffer[]
  /** The number of the process, if there are several. */
  number?: number
}

/** The services of the operator that take part in decisions of the bank, and the count of those that a reviewer has to look at. */
export type Hooks = Pick<CoreParts, 'decision' | 'screening' | 'overSettled'>

/** The bank of this process, with its hooks and metrics. */
export function openBank(parts: OwnParts): { core: Core; metrics: Metrics | undefined; hooks: Hooks } {
  const { config: settings, closers, servers, encryptionKeys, number } = parts
  const metrics = settings.metricsPort === undefined ? undefined : openMetrics(number)
  const hooks = {
    decision: decisionHook(parts, metrics),
    screening: screeningHook(parts, metrics),
    overSettled: metrics?.overSettled,
  }
  const lane = metrics && { lane: { observe: metrics.laneBatch } }
  const core = openCore({ settings, servers, encryptionKeys, closers, ...hooks, ...lane })
  return { core, metrics, hooks }
}

/** The app's part in the decision of card authorizations. It is closed after the requests that wait for it. */
function decisionHook({ config, closers, log, version }: OwnParts, metrics?: Metrics): DecisionHook | undefined {
  const { decision } = config
  if (!decision) return undefined
  const userAgent = `Purser/${version}`
  const hook = openHook(decision, { name: 'decision', decisions: DECISIONS, userAgent, log, observe: metrics?.hook })
  closers.add(() => hook.close())
  return { hook, onSilence: decision.onSilence }
}

/** The service that screens new customers and external accounts. */
function screeningHook({ config, closers, log, version }: OwnParts, metrics?: Metrics): Hook | undefined {
  const { screening } = config
  if (!screening) return undefined
  const parts = { name: 'screening', decisions: SCREENINGS, userAgent: `Purser/${version}`, log }
  const hook = openHook(screening, { ...parts, observe: metrics?.hook })
  closers.add(() => hook.close())
  return hook
}

/** The connectors to upstreams, if some are configured. */
export async function connect({ config, log, version }: OwnParts, core: Core): Promise<Connectors | undefined> {
  if (!config.unit && !config.kard) return undefined
  // Loaded where they are used only: their checks of answers are compiled as they load.
  const { openConnectors } = await import('../connectors/connectors.ts')
  return openConnectors(config, { ...core, log, version, organisationId: await requireOneOrganisation(core.database) })
}

/** The files of the console. A checkout builds them while the database starts; a package has them beside the program. */
export async function consoleFiles(root: string, built: string): Promise<ConsoleFiles> {
  const folder = join(built, 'console')
  const builder = join(root, 'bin/bundle-console.js')
  if (!existsSync(builder)) return openConsoleFiles(folder)
  const { bundleConsole } = await import(pathToFileURL(builder).href)
  return openConsoleFiles(folder, await bundleConsole(folder))
}

/** The bank works without its console. */
export function complainOfConsole({ message }: Error): void {
  process.stderr.write(`purser: /console is not served, because it could not be built: ${message}\n`)
}

/**
 * Makes sure that the port can be listened on, and takes a free one for 0. A first start takes seconds, and would leave a new
 * database behind if it could not listen in the end.
 */
export async function freePort({ port, host }: Config): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen({ port, host }, resolve))
  const { port: taken } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return taken
}
