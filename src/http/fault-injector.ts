import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'
import { retryAfter } from '../base/retry-after.ts'
import { type ActiveFaults, type ActiveRule, FAULTS_PATH, type FaultEffect } from '../sandbox/faults/fault-rule.ts'
import { holderOf } from './authenticate.ts'
import { overloaded } from './load.ts'

/** Injects the faults of an organisation's rules into its requests. */
export interface FaultInjector {
  /** A hook for the requests of an operation; undefined for the operations on rules, which are exempt. */
  hookFor(operation: Operation): Hook | undefined
  /** Ends all delays; from now on no request waits. */
  release(): void
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

/** Requests that are held at a time: they wait for a delay or for the draw of a rule. */
const MAX_HELD = 1_000
const MAX_HELD_OF_ORGANISATION = 200

interface Injecting {
  faults: ActiveFaults
  /** Held requests by organisation. */
  held: Map<number, number>
  total: number
  /** Ends each delay. */
  waking: Set<() => void>
  released: boolean
}

export function openFaultInjector(faults: ActiveFaults): FaultInjector {
  const injecting: Injecting = { faults, held: new Map(), total: 0, waking: new Set(), released: false }
  return {
    hookFor: (operation) => (operation.path.startsWith(FAULTS_PATH) ? undefined : hookOf(injecting, operation)),
    release: () => {
      injecting.released = true
      for (const wake of injecting.waking) wake()
    },
  }
}

/** Runs after authentication and before the body is read: a request that waits takes no memory for its body and no place. */
function hookOf(injecting: Injecting, { id }: Operation): Hook {
  return (request, reply, done) => {
    const rules = injecting.faults.rulesOf(holderOf(request).organisationId)
    const matching = rules?.filter((rule) => matches(rule, id, request)) ?? []
    if (matching.length === 0) done()
    else inject(injecting, matching, request, reply).then(() => done(), done)
  }
}

function matches({ match }: ActiveRule, operationId: string, { params, query }: FastifyRequest): boolean {
  if (match.operation !== operationId) return false
  if (match.accountId === undefined) return true
  const named = [params, query] as { accountId?: unknown }[]
  return named.some(({ accountId }) => accountId === match.accountId)
}

async function inject(
  injecting: Injecting,
  rules: ActiveRule[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { organisationId } = holderOf(request)
  hold(injecting, organisationId)
  try {
    for (const rule of rules) {
      if (!(await injecting.faults.takesEffect(rule))) continue
      reply.raw.setHeader('x-purser-fault', rule.id)
      return await apply(injecting, rule.effect, reply.raw)
    }
  } finally {
    letGo(injecting, organisationId)
  }
}

function hold(injecting: Injecting, organisationId: number): void {
  const own = injecting.held.get(organisationId) ?? 0
  if (injecting.total >= MAX_HELD || own >= MAX_HELD_OF_ORGANISATION) throw overloaded
  injecting.held.set(organisationId, own + 1)
  injecting.total++
}

function letGo(injecting: Injecting, organisationId: number): void {
  const left = (injecting.held.get(organisationId) ?? 0) - 1
  if (left > 0) injecting.held.set(organisationId, left)
  else injecting.held.delete(organisationId)
  injecting.total--
}

async function apply(injecting: Injecting, effect: FaultEffect, response: ServerResponse): Promise<void> {
  if (effect.delayMs !== undefined) await delay(injecting, effect.delayMs, response)
  if (effect.status !== undefined) throw problemOf(effect.status)
  if (effect.dropAfterCommit) dropWhenAnswered(response)
}

/** Waits, until the caller disconnects or the process stops. */
async function delay(injecting: Injecting, ms: number, response: ServerResponse): Promise<void> {
  if (!injecting.released) await pause(injecting.waking, ms, response)
  if (response.destroyed) {
    throw new Problem('invalid_request', { detail: 'The caller disconnected during the delay of a fault rule.' })
  }
}

function pause(waking: Set<() => void>, ms: number, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      waking.delete(wake)
      response.off('close', wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    waking.add(wake)
    response.once('close', wake)
  })
}

function problemOf(status: NonNullable<FaultEffect['status']>): Problem {
  const detail = 'A fault rule of the sandbox answered this request; nothing was done.'
  if (status === 500) return new Problem('internal_error', { detail })
  return new Problem(status === 429 ? 'rate_limited' : 'unavailable', { detail, headers: retryAfter(1) })
}

/**
 * Closes the connection instead of sending the answer. Every way to answer calls `end` of the response, and headers are not
 * sent before it, so that other requests need not be looked at.
 */
function dropWhenAnswered(response: ServerResponse): void {
  response.end = () => response.destroy()
}
