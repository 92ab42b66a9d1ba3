import type { Database } from '../../database/database.ts'
import { lets, typeFilter } from '../../events/event-filter.ts'
import type { ActiveFaults, ActiveRule } from '../../sandbox/faults/fault-rule.ts'
import type { DeliveryFaults } from '../../webhooks/delivery/delivery-faults.ts'
import { drawRule, listActiveRules } from './fault-rules.sql.ts'

/** The rules in memory, and how they follow those in the database. */
export interface LoadedFaults extends ActiveFaults, DeliveryFaults {
  /** Reads the rules of an organisation, or of all. */
  load(organisationId?: number): Promise<void>
  /** Takes a notification of any process; undefined after notifications were missed. */
  heard(payload: string | undefined): Promise<void>
}

/** The notification that the rules of an organisation changed. */
export function payloadOf(organisationId: number): string {
  return `fault_rule:${organisationId}`
}

interface Loaded {
  database: Database
  rules: Map<number, ActiveRule[]>
  /** The organisations whose rules are to be read; null for all. */
  due: Set<number | null>
  loading: Promise<void> | undefined
  /** The last draw of each organisation: one at a time, so that draws take one connection to the database at most. */
  draws: Map<number, Promise<unknown>>
}

/** An organisation without rules costs a request one look into a map. */
export function openActiveFaults(database: Database): LoadedFaults {
  const loaded: Loaded = { database, rules: new Map(), due: new Set(), loading: undefined, draws: new Map() }
  return {
    rulesOf: (organisationId) => loaded.rules.get(organisationId),
    takesEffect: (rule) => takesEffect(loaded, rule),
    effectOn: (delivery, canReorder) => effectOn(loaded, delivery, canReorder),
    load: (organisationId) => load(loaded, organisationId ?? null),
    heard: async (payload) => {
      if (payload === undefined) return load(loaded, null)
      const [, organisationId] = /^fault_rule:(\d+)$/.exec(payload) ?? []
      if (organisationId !== undefined) await load(loaded, Number(organisationId))
    },
  }
}

/** Loads run one after the other, so that an older result never replaces a newer one. */
function load(loaded: Loaded, organisationId: number | null): Promise<void> {
  loaded.due.add(organisationId)
  loaded.loading ??= loadDue(loaded)
  return loaded.loading
}

async function loadDue(loaded: Loaded): Promise<void> {
  try {
    for (const organisationId of loaded.due) {
      loaded.due.delete(organisationId)
      const found = await listActiveRules(loaded.database, organisationId).catch((error: Error) => {
        loaded.due.add(organisationId)
        throw error
      })
      if (organisationId === null) loaded.rules.clear()
      else loaded.rules.delete(organisationId)
      for (const rule of found) {
        const rules = loaded.rules.get(rule.organisationId)
        if (rules) rules.push(rule)
        else loaded.rules.set(rule.organisationId, [rule])
      }
    }
  } finally {
    // In the same step as the last look at `due`, so that no call is left out.
    loaded.loading = undefined
  }
}

/** A rule without a seed and a number of times is drawn in memory, and not counted. */
async function takesEffect(loaded: Loaded, rule: ActiveRule): Promise<boolean> {
  const chance = Math.random()
  if (rule.times === null && rule.seed === null) return chance < rule.probability
  const { organisationId } = rule
  const before = loaded.draws.get(organisationId) ?? Promise.resolve()
  const drawn = before.then(() => drawRule(loaded.database, rule.id, chance))
  const ended = drawn.then(
    () => undefined,
    () => undefined,
  )
  loaded.draws.set(organisationId, ended)
  const result = await drawn.finally(() => {
    if (loaded.draws.get(organisationId) === ended) loaded.draws.delete(organisationId)
  })
  if (!result || result.isUsedUp) forget(loaded, rule)
  return result?.takesEffect ?? false
}

function forget({ rules }: Loaded, { id, organisationId }: ActiveRule): void {
  const left = (rules.get(organisationId) ?? []).filter((rule) => rule.id !== id)
  if (left.length > 0) rules.set(organisationId, left)
  else rules.delete(organisationId)
}

async function effectOn(
  loaded: Loaded,
  { organisationId, type }: Parameters<DeliveryFaults['effectOn']>[0],
  canReorder: boolean,
): ReturnType<DeliveryFaults['effectOn']> {
  for (const rule of loaded.rules.get(organisationId) ?? []) {
    const { match, effect } = rule
    const filter = match.eventType === undefined ? undefined : typeFilter([match.eventType])
    if (filter === undefined || (effect.reorder && !canReorder)) continue
    if (filter !== null && !lets(filter, type)) continue
    if (await takesEffect(loaded, rule)) return effect.reorder ? 'reorder' : 'duplicate'
  }
  return undefined
}
