import type { Server } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../base/problem.ts'
import { addressOf } from './address.ts'

interface ServedPath {
  rank: string
  methods: string[]
  pattern: RegExp
}

/** The paths of each server. Routes for the methods that a path lacks would be most of the routes, and of a start's time. */
const servedPaths = new WeakMap<Server, ServedPath[]>()

/** Notes the methods of a path, by which `otherMethod` refuses requests by another one. */
export function refuseOtherMethods(app: FastifyInstance, path: string, methods: string[]): void {
  const paths = servedPaths.get(app.server) ?? []
  servedPaths.set(app.server, paths)
  const rank = rankOf(path)
  // In the order in which the router looks: a name comes before a parameter in the same place.
  const place = paths.findIndex((other) => other.rank > rank)
  paths.splice(place < 0 ? paths.length : place, 0, { rank, methods, pattern: patternOf(path) })
}

/** The refusal of a request for which there is no route, if its path is served by other methods. */
export function otherMethod(request: FastifyRequest): Problem | undefined {
  const { server, method, url } = request
  if (!server.supportedMethods.includes(method)) return undefined
  const path = pathOf(url)
  const served = path && servedPaths.get(server.server)?.find(({ pattern }) => pattern.test(path))
  return served ? methodNotAllowed(served.methods) : undefined
}

export function methodNotAllowed(methods: string[]): Problem {
  return new Problem('method_not_allowed', { headers: { Allow: methods.join(', ') } })
}

/** The paths with a parameter for which a request for another path could be taken. */
export function shadowsOf(path: string, others: Iterable<string>): string[] {
  const plain = path.replace(/:\w+/g, ':')
  return [...others].filter((other) => other !== path && other.includes(':') && patternOf(other).test(plain))
}

/** The patterns of the paths of operations, which every pair of paths is compared by. */
const patterns = new Map<string, RegExp>()

function patternOf(path: string): RegExp {
  const known = patterns.get(path)
  if (known) return known
  const text = path.replace(/[.]/g, '\\$&').replace(/\*$/, '.*').replace(/:\w+/g, '[^/]*')
  const pattern = new RegExp(`^${text}$`, 's')
  patterns.set(path, pattern)
  return pattern
}

function rankOf(path: string): string {
  return path.replace(/:\w+|\*$/g, '\uffff')
}

/** The path of a request's target, which may be a whole URL, as the router reads it; undefined if it is malformed. */
function pathOf(url: string): string | undefined {
  try {
    const { path } = addressOf(url.startsWith('/') ? url : new URL(url).pathname)
    return decodeURI(path.replace(/#.*$/s, '')).replace(/(?<=.)\/$/, '')
  } catch {
    return undefined
  }
}
