import type { FastifyReply, FastifyRequest } from 'fastify'
import { allows, unauthorized } from '../access/api-key.ts'
import type { KeyAuthenticator, KeyHolder } from '../access/authenticate-key.ts'
import type { Scope } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'
import type { Limits, Rates } from './limits.ts'
import { type Load, overloaded } from './load.ts'

const holder = Symbol('holder')
type Authenticated = FastifyRequest & { [holder]?: KeyHolder }

/** Who sent a request that has passed an authenticator. */
export function holderOf(request: FastifyRequest): KeyHolder {
  const found = (request as Authenticated)[holder]
  if (!found) throw new Error('a request passed without authentication')
  return found
}

/** What a request has to pass before its body is read. */
export interface Gate {
  keys: KeyAuthenticator
  load: Load
  /** Absent in sandbox mode. */
  limits: Limits | undefined
}

/**
 * A hook that finds the holder of the request's key: 401 where there is none, 403 where the key lacks the scope, 429
 * where there are too many. A key that was seen a moment ago is answered at once, without a turn of the event loop.
 */
export function authenticator({ keys, load, limits }: Gate, scopes: Scope[], kind: keyof Rates) {
  function admit(request: FastifyRequest, reply: FastifyReply, found: KeyHolder | undefined): void {
    if (!found) {
      limits?.failed(request.ip)
      throw unauthorized()
    }
    limits?.spend(found.keyId, kind, reply)
    const missing = scopes.find((scope) => !allows(found.scopes, scope))
    if (missing) throw new Problem('forbidden', { detail: `The API key lacks the scope ${missing}.` })
    ;(request as Authenticated)[holder] = found
  }

  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    if (load.running >= load.most) {
      done(overloaded)
      return
    }
    const key = request.headers['x-service-api-key']
    const wellFormed = typeof key === 'string' && /^[\x21-\x7e]{8,512}$/.test(key)
    // A key that was good before may go on: a stranger behind the same proxy must not lock its holder out.
    const refusal = limits && !(wellFormed && keys.worked(key)) ? limits.refusalOf(request.ip) : undefined
    if (refusal) {
      done(refusal)
      return
    }
    const found = wellFormed ? keys.authenticate(key) : undefined
    if (found instanceof Promise) {
      load.running++
      found
        .finally(() => load.running--)
        .then((late) => admit(request, reply, late))
        .then(() => done(), done)
      return
    }
    try {
      admit(request, reply, found)
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  }
}
