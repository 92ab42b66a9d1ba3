import type { FastifyRequest } from 'fastify'
import { Problem } from '../base/problem.ts'

/** The host names for which the pages and endpoints of tools answer. */
export interface Hosts {
  /** The address that the service listens on. */
  boundTo: string
  /** Names beside it, as `PURSER_HOSTS` lists them: in lower case, without a port. */
  names: string[]
}

/** The loopback names, and the address that the service listens on, which may be any of 127.0.0.0/8. */
function loopbackNames(boundTo: string): string[] {
  const own = boundTo.includes(':') ? `[${boundTo}]` : boundTo.toLowerCase()
  return [...new Set(['localhost', '127.0.0.1', '[::1]', own])]
}

/**
 * A hook that refuses requests for another host name, or from a page of another one. It prevents DNS rebinding: a page of
 * a stranger whose name resolves to this machine would otherwise reach the service from the browser of a developer.
 * `X-Forwarded-Host` does not count, because such a page can send it.
 */
export function hostCheck({ boundTo, names }: Hosts) {
  const allowed = new Set([...(isLoopback(boundTo) ? loopbackNames(boundTo) : []), ...names])
  const shown = allowed.size > 0 ? `only for ${[...allowed].join(', ')}` : 'for no host name yet'
  const refusal = (header: string) =>
    new Problem('forbidden', {
      detail: `The header ${header} names a host that is not allowed here: this path answers ${shown}. PURSER_HOSTS lists further names.`,
    })

  return ({ raw: { headers } }: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
    const { host, origin } = headers
    if (!allowed.has(nameIn(host))) done(refusal('Host'))
    else if (origin !== undefined && !allowed.has(nameIn(originHost(origin)))) done(refusal('Origin'))
    else done()
  }
}

/** A sentence for the start of a service whose tools would answer nobody. */
export function hostWarning({ boundTo, names }: Hosts): string | undefined {
  if (isLoopback(boundTo) || names.length > 0) return undefined
  return '/console and /mcp answer for no host name yet: set PURSER_HOSTS to the names by which this service is reached'
}

/** The address of a page by a host name for which it answers; undefined if there is none yet. */
export function addressFor(path: string, listening: string, { boundTo, names }: Hosts): URL | undefined {
  const url = new URL(path, listening)
  if (isLoopback(boundTo)) return url
  const [name] = names
  if (name === undefined) return undefined
  url.hostname = name
  return url
}

function isLoopback(address: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(address)
}

/** The name in a Host header, in lower case and without its port; empty if it has another form. */
function nameIn(host: string | undefined): string {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.exec(host?.toLowerCase() ?? '')?.[1] ?? ''
}

function originHost(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/i.exec(origin)?.[1]
}
