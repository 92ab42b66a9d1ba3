import { refuseReplayInGrace } from '../../access/api-key.ts'
import type { KeyChanges, KeyHolder } from '../../access/authenticate-key.ts'
import { issueSandboxKey, requireUsable } from '../../access/manage-keys.ts'
import type { Answer, Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import { originOf, recordEvents } from '../../events/record.ts'
import { storeAnswer } from '../../idempotency/stored-answer.ts'
import type { CreateOrganisationInput } from '../../sandbox/create-organisation.ts'
import type { CreatedOrganisation, SandboxOrganisation, StartingClock } from '../../sandbox/organisation.ts'
import type { SandboxOrganisations } from '../../sandbox/sandbox.ts'
import { endFaultRules } from '../faults/fault-rules.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import {
  closeEvents,
  continueEvents,
  countMadeOrganisations,
  ENDED,
  endOrganisation,
  insertSandboxOrganisation,
  lockCreations,
  lockOrganisation,
  moveKeys,
  type OrganisationRow,
  revokeKeys,
} from './organisations.sql.ts'

export interface OrganisationParts extends Pick<BankParts, 'database' | 'ids' | 'runOnce' | 'seals'> {
  keys: Pick<KeyChanges, 'forgetOrganisation'>
  /** The number of organisations that requests may make. */
  limit?: number
}

const MAX_MADE = 10_000

/** The organisation whose end a notification reports. */
export function endedBy(payload: string | undefined): number | undefined {
  return payload?.startsWith(ENDED) ? Number(payload.slice(ENDED.length)) : undefined
}

export function organisationsOf(parts: OrganisationParts): SandboxOrganisations {
  return {
    createOrganisation: (write, holder, input) => createOrganisation(parts, write, holder, input),
    deleteOrganisation: (write, holder) => deleteOrganisation(parts, write, holder),
    resetOrganisation: (write, holder, clock) => resetOrganisation(parts, write, holder, clock),
  }
}

async function createOrganisation(
  { ids, runOnce, seals, limit = MAX_MADE }: OrganisationParts,
  write: Write<CreatedOrganisation>,
  holder: KeyHolder,
  { name: label, now, frozen }: CreateOrganisationInput,
): Promise<Answer> {
  const id = await ids.next()
  const keyId = await ids.next()
  const answer = await runOnce.transaction(write, async (transaction, events) => {
    await lockCreations(transaction)
    if ((await countMadeOrganisations(transaction)) >= limit) throw new Problem('too_many_organisations')
    const made = { id, name: `sandbox-${id}`, label, made: true, now, frozen }
    const organisation = organisationOf(await insertSandboxOrganisation(transaction, made))
    await seals.create(transaction, id)
    const apiKey = await issueSandboxKey(transaction, { id: keyId, organisationId: id, name: 'Full access' })
    events.push({ type: 'organisation.created', id: organisation.id, version: 1, data: organisation })
    return { ...organisation, apiKey }
  })
  return refuseReplayInGrace(holder, answer)
}

async function deleteOrganisation(
  { runOnce, keys }: OrganisationParts,
  write: Write<null>,
  holder: KeyHolder,
): Promise<Answer> {
  let ended = holder.organisationId
  const answer = await runOnce.transaction(write, async (transaction) => {
    const organisation = await lockOwn(transaction, holder)
    if (!organisation.made) throw new Problem('organisation_not_deletable')
    ended = organisation.id
    await endOrganisation(transaction, organisation.id)
    await endFaultRules(transaction, organisation.id)
    await revokeKeys(transaction, organisation.id)
    await closeEvents(transaction, organisation.id)
    return null
  })
  for (const id of [ended, holder.organisationId]) await keys.forgetOrganisation(id)
  return answer
}

async function resetOrganisation(
  { ids, runOnce, keys, seals }: OrganisationParts,
  write: Write<SandboxOrganisation>,
  holder: KeyHolder,
  clock: StartingClock,
): Promise<Answer> {
  const id = await ids.next()
  let ended = holder.organisationId
  const answer = await runOnce.transaction(write, async (transaction) => {
    const { name, label, made, ...former } = await lockOwn(transaction, holder)
    ended = former.id
    await endOrganisation(transaction, former.id)
    await endFaultRules(transaction, former.id)
    const row = await insertSandboxOrganisation(transaction, { id, name, label, made, ...clock })
    const seal = await seals.create(transaction, id, former.id)
    await moveKeys(transaction, former.id, id)
    await continueEvents(transaction, former.id, id)
    const organisation = organisationOf(row)
    // The key now belongs to the new organisation, where a repeated request looks for this answer and for its event.
    const moved = { ...write, caller: { ...write.caller, organisationId: id } }
    await storeAnswer(transaction, { of: async () => seal }, moved, write.render(organisation))
    const event = { type: 'organisation.created', id: organisation.id, version: 1, data: organisation } as const
    await recordEvents(transaction, [{ event, origin: originOf(moved) }])
    return organisation
  })
  for (const formerId of [ended, holder.organisationId]) await keys.forgetOrganisation(formerId)
  return answer
}

/** Locks the organisation that the caller's key belongs to now: another request may just have replaced it. */
async function lockOwn(transaction: Queryable, holder: KeyHolder): Promise<OrganisationRow> {
  for (;;) {
    const { organisationId } = await requireUsable(transaction, holder)
    const organisation = await lockOrganisation(transaction, organisationId)
    if (!organisation.ended) return organisation
  }
}

function organisationOf({ id, name, label, createdAt, frozen }: OrganisationRow): SandboxOrganisation {
  return { id: String(id), name: label ?? name, createdAt, frozen }
}
