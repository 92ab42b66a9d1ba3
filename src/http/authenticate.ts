import type { FastifyReply, FastifyRequest } from 'fastify'
import { missingScope, unauthorized } from '../access/api-key.ts'
import type { KeyAuthenticator, KeyHolder } from '../access/authenticate-key.ts'
import { lacksScope, type Operation } from '../base/operation.ts'
import type { Credential, Sessions } from '../people/sessions.ts'
import type { Limits, Rates } from './limits/limits.ts'
import { type Load, overloaded } from './load.ts'
import { credentialIn, refuseCrossSite } from './session-cookie.ts'

const holder = Symbol('holder')
const called = Symbol('called')
type Authenticated = FastifyRequest & { [holder]?: KeyHolder; [called]?: Operation }

/** The holder of a request's key if the key works, also if it lacks the scope. */
export function knownHolder(request: FastifyRequest): KeyHolder | undefined {
  return (request as Authenticated)[holder]
}

/** The operation that a request calls, if its key works. */
export function operationOf(request: FastifyRequest): Operation | undefined {
  return (request as Authenticated)[called]
}

/** The holder of the key that a request was authenticated with. */
export function holderOf(request: FastifyRequest): KeyHolder {
  const found = knownHolder(request)
  if (!found) throw new Error('a request passed without authentication')
  return found
}

/**
 * Finds the holder anew after the organisation of a request's key has ended: 401 if the key ended with it. A reset, here
 * or in another process, gives the key another organisation.
 */
export async function renewHolder(gate: Pick<Gate, 'keys' | 'sessions'>, request: FastifyRequest) {
  gate.keys.forgetOrganisation(holderOf(request).organisationId)
  if (credentialIn(request)) await gate.sessions?.forget()
  ;(request as Authenticated)[holder] = await presentHolder(gate, request)
}

/** Lets a request go on after it has waited: 401 if its key or session has ended meanwhile, 403 if that has lost the scope. */
export async function admitAgain(gate: Gate, request: FastifyRequest, operation: Operation): Promise<void> {
  const found = await presentHolder(gate, request)
  const missing = missingScope(found, operation)
  if (missing) throw lacksScope(missing)
  ;(request as Authenticated)[holder] = found
}

async function presentHolder({ keys, sessions }: Pick<Gate, 'keys' | 'sessions'>, request: FastifyRequest) {
  const credential = credentialIn(request)
  const found = await (credential
    ? sessions?.authenticate(credential)
    : keys.authenticate(String(request.headers['x-service-api-key'])))
  if (!found) throw unauthorized()
  return found
}

/** The checks that a request has to pass before its body is read. */
export interface Gate {
  keys: KeyAuthenticator
  /** Absent if nobody can sign in. */
  sessions?: Sessions | undefined
  /** The origin of the console, if it is set. */
  origin?: string | undefined
  load: Load
  /** The load that the look-up of a key counts to. */
  loadOf(key: string): Load
  /** Absent in sandbox mode. */
  limits: Limits | undefined
}

/**
 * A hook that finds the holder of a request's key: 401 if there is none, 403 if the key lacks the scope, 429 past
 * a limit, 503 under overload. A key that was seen a moment ago is answered without a turn of the event loop. A route
 * that is no operation, and calls operations itself, needs a key and no scope.
 */
export function authenticator(gate: Gate, operation?: Operation) {
  const { keys, sessions, load, loadOf, limits } = gate
  const kind: keyof Rates = !operation || operation.method === 'GET' ? 'reads' : 'writes'

  function admit(request: FastifyRequest, reply: FastifyReply, found: KeyHolder | undefined): void | Promise<void> {
    if (!found) throw unauthorized()
    ;(request as Authenticated)[holder] = found
    if (operation) (request as Authenticated)[called] = operation
    const spent = limits?.spend(found.keyId, kind, reply)
    if (spent) return spent.then(() => requireScopes(found))
    requireScopes(found)
  }

  function requireScopes(found: KeyHolder): void {
    const missing = operation && missingScope(found, operation)
    if (missing) throw lacksScope(missing)
  }

  function counted(request: FastifyRequest, found: KeyHolder | undefined): KeyHolder | undefined {
    if (!found) limits?.failed(request.ip)
    return found
  }

  /** Finds the holder; throws the refusal of an address that has sent too many unknown keys. */
  function find(request: FastifyRequest): KeyHolder | undefined | Promise<KeyHolder | undefined> {
    const key = request.headers['x-service-api-key']
    const credential = sessions && credentialIn(request)
    if (credential) return findPerson(gate, sessions, { request, operation }, credential)
    const wellFormed = typeof key === 'string' && /^[\x21-\x7e]{8,512}$/.test(key)
    if (!limits) return wellFormed ? keys.authenticate(key) : undefined
    // A key that was good before may go on: a stranger behind the same proxy must not lock its holder out.
    if (wellFormed && keys.worked(key)) {
      const found = keys.authenticate(key)
      if (found instanceof Promise) return found.then((late) => counted(request, late))
      return counted(request, found)
    }
    const refusal = limits.lockout(request.ip)
    if (refusal) throw refusal
    // A request without a key, or with a text that can be none, is no guess: it is refused and not counted.
    return wellFormed ? limits.lookUp(request.ip, () => keys.authenticate(key)) : undefined
  }

  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    if (load.running >= load.max) {
      done(overloaded)
      return
    }
    try {
      const found = find(request)
      if (found instanceof Promise) {
        const own = loadOf(String(request.headers['x-service-api-key']))
        if (own.running >= own.max) {
          found.catch(() => undefined)
          done(overloaded)
          return
        }
        own.running++
        found
          .finally(() => own.running--)
          .then((late) => admit(request, reply, late))
          .then(() => done(), done)
        return
      }
      const admitted = admit(request, reply, found)
      if (admitted) {
        load.running++
        admitted.finally(() => load.running--).then(() => done(), done)
        return
      }
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  }
}

/** Finds the person of a session; throws the refusal of a page of another site, or of an address that guesses. */
function findPerson(
  { limits, origin }: Gate,
  sessions: Sessions,
  { request, operation }: { request: FastifyRequest; operation: Operation | undefined },
  credential: Credential,
) {
  // An alias may make a change by GET.
  const { method } = operation ?? request
  if (credential.kind === 'browser') refuseCrossSite({ method, headers: request.headers }, origin)
  // A secret outlives the session, so that a person who was just removed must not get one.
  const find = () => (operation?.secret ? sessions.recheck(credential) : sessions.authenticate(credential))
  if (!limits || sessions.worked(credential)) return find()
  const refusal = limits.lockout(request.ip)
  if (refusal) throw refusal
  return limits.lookUp(request.ip, find)
}
