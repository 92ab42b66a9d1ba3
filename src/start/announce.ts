import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { EmbeddedServer } from '../database/embedded/embedded.ts'
import { addressFor, hostWarning } from '../http/hosts.ts'
import type { Scenario } from '../sandbox/create-scenario.ts'

interface Announced {
  say(line: string): void
  key: string | undefined
  embedded: EmbeddedServer | undefined
  demo: Scenario | undefined
}

/** Prints if the service listens, and in a sandbox how to call it. */
export function announce(address: string, config: Config, { say, key, embedded, demo }: Announced): void {
  const { mode, unit, kard } = config
  if (unit) say(upstreamLine('banking', 'Unit', unit))
  if (kard) say(upstreamLine('offers', 'Kard', kard))
  noteAddress(address, config)
  say(`listening on ${address}`)
  const unanswered = hostWarning({ boundTo: config.host, names: config.hosts })
  if (unanswered) say(`warning: ${unanswered}`)
  if (mode !== 'sandbox') {
    say(`console at ${consoleAddress(address, config)}`)
    return
  }
  const path = demo ? `banking/accounts/${demo.accountId}` : 'banking/customers'
  say(`
  Console    ${consoleAddress(address, config, key)}
  Base URL   ${address}
  Docs       ${address}/docs
  Data       ${embedded ? embedded.dataDir : 'the PostgreSQL server of DATABASE_URL'}
  API key    ${key ?? 'none of this start: see the warning above'}
${
  demo
    ? `\n  Demo world\n${Object.entries(demo)
        .map(([name, id]) => `    ${name.padEnd(18)} ${id}`)
        .join('\n')}\n`
    : ''
}
  curl -s ${address}/v0/${path} -H 'X-Service-API-Key: ${key ?? '...'}'
`)
}

/** Keeps the address beside the key: commands in the same folder find both. A service without a data folder needs neither. */
function noteAddress(address: string, { dataDir }: Config): void {
  if (existsSync(dataDir)) writeFileSync(join(dataDir, 'address'), `${address}\n`)
}

/** A fragment with a key reaches no server and no log. */
function consoleAddress(listening: string, { host, hosts }: Config, key?: string): string {
  const url = addressFor('/console', listening, { boundTo: host, names: hosts })
  if (!url) return 'no host name yet: PURSER_HOSTS lists those that it answers for'
  if (key !== undefined) url.hash = `key=${encodeURIComponent(key)}`
  return url.href
}

/** Says which upstream serves an area. A webhook without a route would otherwise be noticed late. */
function upstreamLine(
  area: string,
  name: string,
  { url, webhookSecret }: { url: string; webhookSecret: string | undefined },
): string {
  const webhooks = webhookSecret
    ? `webhooks to /v0/inbound/${name.toLowerCase()}`
    : `no webhooks without PURSER_${name.toUpperCase()}_WEBHOOK_SECRET`
  return `${area}: ${name} at ${url}, ${webhooks}`
}
