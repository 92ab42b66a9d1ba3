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
  /** Injects the faults of a request's organisation, as a hook that runs before the body is read. */
  inject(operationId: string, request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void
  /** Ends all delays; from now on no request waits. */
  release(): void
}

/** Whether an operation is about the rules themselves, which they do not change. */
export function isExempt({ path }: Operation): boolean {
  return path.startsWith(FAULTS_PATH)
}

/** Requests that wait at a time. */
interface Waiting {
  max: number
  maxOfOrganisation: number
  total: number
  ofOrganisation: Map<number, number>
}

interface Injecting {
  faults: ActiveFaults
  /** Apart from the others: a delay lasts up to half a minute, and requests without one must not fail meanwhile. */
  delayed: Waiting
  /** Those that wait for the draw of a rule, which the database makes one after the other. */
  drawing: Waiting
  /** Ends each delay. */
  waking: Set<() => void>
  released: boolean
}

export function openFaultInjector(faults: ActiveFaults): FaultInjector {
  const delayed = { max: 1_000, maxOfOrganisation: 200, total: 0, ofOrganisation: new Map() }
  const drawing = { max: 5_000, maxOfOrganisation: 1_000, total: 0, ofOrganisation: new Map() }
  const injecting: Injecting = { faults, delayed, drawing, waking: new Set(), released: false }
  return {
    // After authentication and before the body is read: a request that waits takes no memory for its body and no place.
    inject(operationId, request, reply, done) {
      const rules = injecting.faults.rulesOf(holderOf(request).organisationId)
      const matching = rules?.filter((rule) => matches(rule, operationId, request)) ?? []
      if (matching.length === 0) done()
      else inject(injecting, matching, request, reply).then(() => done(), done)
    },
    release: () => {
      injecting.released = true
      for (const wake of injecting.waking) wake()
    },
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
  const rule = await counted(injecting.drawing, organisationId, () => firstEffective(injecting.faults, rules))
  if (!rule) return
  const { id, effect } = rule
  const { delayMs, status, dropAfterCommit } = effect
  reply.raw.setHeader('x-purser-fault', id)
  if (delayMs !== undefined) {
    await counted(injecting.delayed, organisationId, () => delay(injecting, delayMs, reply.raw))
  }
  if (status !== undefined) throw problemOf(status)
  if (dropAfterCommit) dropWhenAnswered(reply.raw)
}

async function firstEffective(faults: ActiveFaults, rules: ActiveRule[]): Promise<ActiveRule | undefined> {
  for (const rule of rules) if (await faults.takesEffect(rule)) return rule
  return undefined
}

/** Counts a request among those that wait, until `wait` ends. */
async function counted<T>(waiting: Waiting, organisationId: number, wait: () => Promise<T>): Promise<T> {
  const { ofOrganisation } = waiting
  const own = ofOrganisation.get(organisationId) ?? 0
  if (waiting.total >= waiting.max || own >= waiting.maxOfOrganisation) throw overloaded
  ofOrganisation.set(organisationId, own + 1)
  waiting.total++
  try {
    return await wait()
  } finally {
    waiting.total--
    const left = (ofOrganisation.get(organisationId) ?? 0) - 1
    if (left > 0) ofOrganisation.set(organisationId, left)
    else ofOrganisation.delete(organisationId)
  }
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
