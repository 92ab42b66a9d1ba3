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
  paths.push({ rank: rankOf(path), methods, pattern: patternOf(path) })
  // In the order in which the router looks: a name comes before a parameter in the same place.
  paths.sort((one, other) => (one.rank < other.rank ? -1 : 1))
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

/** Whether a request for the first path could be taken for one for the second, which has a parameter in its place. */
export function isShadow(path: string, other: string): boolean {
  return path !== other && other.includes(':') && patternOf(other).test(path.replace(/:\w+/g, ':'))
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

/** The path of a request's target, which may be a whole URL, as the router reads it; undefined where it is malformed. */
function pathOf(url: string): string | undefined {
  try {
    const { path } = addressOf(url.startsWith('/') ? url : new URL(url).pathname)
    return decodeURI(path.replace(/#.*$/s, '')).replace(/(?<=.)\/$/, '')
  } catch {
    return undefined
  }
}
