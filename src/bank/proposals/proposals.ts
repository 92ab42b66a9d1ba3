import type { KeyHolder } from '../../access/authenticate-key.ts'
import { idNumber } from '../../base/ids.ts'
import { type Answer, emptyAnswer, lacksScope, randomKey, type Scope, type Write } from '../../base/operation.ts'
import { pageWindow, toCursorPage } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import { sha256 } from '../../base/sha256.ts'
import type { Queryable } from '../../database/database.ts'
import { type EventSink, type EventType, emit, emitSealed } from '../../events/event.ts'
import { storeAnswer } from '../../idempotency/stored-answer.ts'
import type { RailResumePermit } from '../../review/proposals/permit-rail-resume.ts'
import {
  type Proposal,
  type ProposalDraft,
  type Proposals,
  requireProposer,
  requireSecondPerson,
} from '../../review/proposals/proposal.ts'
import { firstOrganisation } from '../ach/incoming/incoming.sql.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankWrite } from '../parts/bank-write.ts'
import { keepReason } from '../screening/decision-reasons.ts'
import {
  decideProposal,
  type Ending,
  findProposal,
  findWaiting,
  finishProposal,
  hasPermit,
  hasRailPermit,
  insertProposal,
  interruptedProposals,
  listProposalRows,
  lockProposal,
  type ProposalRow,
} from './proposals.sql.ts'

/** The operations that can be proposed. */
export interface SignedOperations {
  /** The first scope that a caller lacks for an operation. */
  missing(holder: KeyHolder, operationId: string): Scope | undefined
  /** The ids of those that a caller may call. */
  callable(holder: KeyHolder): string[]
  run(write: Write<never>, stored: Pick<ProposalRow, 'operationId' | 'params' | 'body'>): Promise<Answer>
}

export interface ProposalParts extends Pick<BankParts, 'database' | 'ids' | 'runOnce' | 'seals'> {
  operations: SignedOperations
  expiryMs: number
}

/** Proposals that the list of what needs attention names. */
const SHOWN = 10
const notOperator = 'ACH files are those of the whole bank: only the first organisation decides about them.'
/** A request under way is not disturbed for so long. */
const INTERRUPTED_MS = 30_000
export function proposalsOf(parts: ProposalParts): Proposals {
  const { database, operations } = parts
  return {
    propose: (write, judge) => propose(parts, write, judge),
    listProposals: async (holder, { state, recordId, ...query }) => {
      const { organisationId } = holder
      const filter = { organisationId, operationIds: operations.callable(holder), state, recordId }
      const page = pageWindow(query)
      return toCursorPage(await listProposalRows(database, filter, page), page.limit, proposalOf)
    },
    getProposal: async (holder, proposalId) =>
      proposalOf(requireOwn(parts, holder, await findProposal(database, holder.organisationId, idNumber(proposalId)))),
    waiting: (holder, most) => findWaiting(database, holder, operations.callable(holder), { most, shown: SHOWN }),
    approveProposal: (write, holder, input) => approve(parts, write, holder, input),
    rejectProposal: (write, holder, { proposalId, reason }) =>
      decide(parts, write, { holder, proposalId }, () => ({ state: 'Rejected', signer: holder, reason })),
    withdrawProposal: (write, holder, proposalId) =>
      decide(parts, write, { holder, proposalId }, (row) => {
        requireProposer({ ...proposalOf(row), holder })
        return { state: 'Withdrawn', signer: null, reason: null }
      }),
    permit: (write) => parts.runOnce.transaction(write, async () => null),
    isPermitted: (holder, operationId, recordId) => hasPermit(database, holder, { operationId, recordId }),
    requireOperator: async ({ organisationId }) => {
      if ((await firstOrganisation(database)) !== organisationId)
        throw new Problem('forbidden', { detail: notOperator })
    },
    resume: () => resume(parts),
  }
}

class Uncovered extends Error {}

async function propose(
  { ids, runOnce, expiryMs }: ProposalParts,
  write: Write<Proposal>,
  judge: () => Promise<ProposalDraft | undefined>,
): Promise<Answer | undefined> {
  const prepare = async () => {
    const draft = await judge()
    if (!draft) throw new Uncovered()
    return { draft, id: await ids.next() }
  }
  try {
    return await runOnce.transactionAfter(write, prepare, async (transaction, events, { draft, id }) => {
      const row = await insertProposal(transaction, id, write.caller, draft, expiryMs)
      if (!row) throw new Problem('proposal_waiting')
      const action = 'proposal.created'
      const reason = row.reason ?? undefined
      await keepReason(transaction, write, { action, recordId: id, subjectId: row.customerId ?? id, reason })
      return emitProposal(events, action, row)
    })
  } catch (error) {
    if (error instanceof Uncovered) return undefined
    throw error
  }
}

/**
 * Signs a proposal, runs its operation and notes the outcome, each in a transaction of its own. The key of the operation comes from
 * the proposal, so that it has one effect, whatever breaks in between and however often it is tried again.
 */
function approve(
  parts: ProposalParts,
  write: Write<Proposal>,
  holder: KeyHolder,
  { proposalId, reason }: { proposalId: string; reason?: string },
): Promise<Answer> {
  const { runOnce } = parts
  return runOnce.transactionAfter(
    write,
    async () => {
      const row = await sign(parts, write, { holder, proposalId, reason: reason ?? null })
      return { row, problem: await outcomeOf(parts, write, row) }
    },
    (transaction, events, { row, problem }) => finish(parts, transaction, events, { row, problem }),
  )
}

async function sign(
  parts: ProposalParts,
  { key: _, ...write }: Write<Proposal>,
  { holder, proposalId, reason }: { holder: KeyHolder; proposalId: string; reason: string | null },
): Promise<ProposalRow> {
  const { personId, organisationId } = holder
  await decide(parts, { ...write, key: randomKey() }, { holder, proposalId }, (row) => {
    requireSecondPerson({ ...row, proposedBy: proposalOf(row).proposedBy, holder })
    // The same person goes on after an interruption.
    const isSigned = row.state === 'Approved' && row.signerPersonId === personId
    return isSigned ? undefined : { state: 'Approved', signer: holder, reason }
  })
  return requireOwn(parts, holder, await findProposal(parts.database, organisationId, idNumber(proposalId)))
}

/** Decides about a proposal that waits, unless there is nothing to decide. */
function decide(
  parts: ProposalParts,
  write: Write<Proposal>,
  { holder, proposalId }: { holder: KeyHolder; proposalId: string },
  endingOf: (row: ProposalRow) => Ending | undefined,
): Promise<Answer> {
  return parts.runOnce.transaction(write, async (transaction, events) => {
    const row = requireOwn(parts, holder, await lockProposal(transaction, holder.organisationId, idNumber(proposalId)))
    const ending = endingOf(row)
    if (!ending) return proposalOf(row)
    if (row.state !== 'Waiting' || row.isOver) throw new Problem('proposal_not_waiting')
    const decided = await decideProposal(transaction, row.id, ending)
    const action = actions[ending.state]
    const reason = ending.reason ?? undefined
    await keepReason(transaction, write, { action, recordId: row.id, subjectId: row.customerId ?? row.id, reason })
    return emitProposal(events, action, decided)
  })
}

const actions = {
  Waiting: 'proposal.created',
  Approved: 'proposal.approved',
  Executed: 'proposal.executed',
  Failed: 'proposal.failed',
  Rejected: 'proposal.rejected',
  Withdrawn: 'proposal.withdrawn',
  Expired: 'proposal.expired',
} as const

/** The write of the operation of an approved proposal, as its signer. */
function operationWrite(row: ProposalRow, requestId: string | null): Write<never> {
  const { id, organisationId, signerKeyId, signerPersonId, signerDecidesRisk } = row
  const caller = {
    organisationId,
    keyId: signerKeyId ?? 0,
    ...(signerPersonId !== null && { personId: signerPersonId }),
    decidesRisk: signerDecidesRisk ?? false,
  }
  // No caller can send this key, which has a space.
  const text = `proposal ${id}`
  const key = { text, hash: sha256(text), fingerprint: Buffer.alloc(32), fromCaller: true }
  return { caller, requestId, key, render: () => emptyAnswer }
}

/** Runs the operation of an approved proposal as its signer; the refusal, or null if it ran. */
async function outcomeOf(
  { operations }: ProposalParts,
  { requestId }: Pick<Write<never>, 'requestId'>,
  row: ProposalRow,
): Promise<Proposal['problem']> {
  try {
    await operations.run(operationWrite(row, requestId), row)
    return null
  } catch (error) {
    const isRefusal = error instanceof Problem && error.status < 500 && error.code !== 'idempotency_in_progress'
    if (!isRefusal) throw error
    return { code: error.code, detail: error.message }
  }
}

/** Notes the outcome. A refused operation takes its key, so that no other run of the approval has an effect from now on. */
async function finish(
  { seals }: ProposalParts,
  transaction: Queryable,
  events: EventSink,
  { row: { organisationId, id }, problem }: { row: ProposalRow; problem: Proposal['problem'] },
): Promise<Proposal> {
  const row = await lockProposal(transaction, organisationId, id)
  if (!row) throw new Problem('proposal_not_found')
  if (row.state !== 'Approved') return proposalOf(row)
  const hasRun = problem === null || !(await storeAnswer(transaction, seals, operationWrite(row, null), emptyAnswer))
  const finished = await finishProposal(transaction, id, hasRun ? null : problem)
  return emitProposal(events, actions[finished.state], finished)
}

async function resume(parts: ProposalParts): Promise<void> {
  let failure: { error: unknown } | undefined
  for (const row of await interruptedProposals(parts.database, INTERRUPTED_MS)) {
    try {
      const problem = await outcomeOf(parts, { requestId: null }, row)
      await parts.runOnce.transaction(bankWrite<Proposal>(row.organisationId), (transaction, events) =>
        finish(parts, transaction, events, { row, problem }),
      )
    } catch (error) {
      failure ??= { error }
    }
  }
  if (failure) throw failure.error
}

/** The row if the caller may call its operation. */
function requireOwn({ operations }: ProposalParts, holder: KeyHolder, row: ProposalRow | undefined): ProposalRow {
  if (!row) throw new Problem('proposal_not_found')
  const missing = operations.missing(holder, row.operationId)
  if (missing) throw lacksScope(missing)
  return row
}

/** Whether the operator may open ACH with these decisions: two persons of the first organisation have permitted them. */
export async function isRailPermitted(database: Queryable, permit: RailResumePermit): Promise<boolean> {
  const organisationId = await firstOrganisation(database)
  return organisationId !== undefined && hasRailPermit(database, organisationId, permit)
}

/** Emits the event of a proposal, sealed with the key of the customer: the reasons may say something about the customer. */
export function emitProposal(events: EventSink, type: EventType, row: ProposalRow): Proposal {
  const shown = proposalOf(row)
  return row.customerId === null
    ? emit(events, type, row.version, shown)
    : emitSealed(events, row.customerId, type, row.version, shown)
}

function proposalOf(row: ProposalRow): Proposal {
  const { id, state, decision, operationId: operation, params, body, recordId, amount, reason } = row
  const { decisionReason, problem, createdAt, expiresAt, decidedAt } = row
  return {
    id: String(id),
    ...{ state, decision, operation, params, body, recordId, amount, reason },
    proposedBy: signerOf(row.proposerKeyId, row.proposerPersonId, row.proposerName),
    decidedBy: row.signerKeyId === null ? null : signerOf(row.signerKeyId, row.signerPersonId, row.signerName),
    ...{ decisionReason, problem, createdAt, expiresAt, decidedAt },
  }
}

function signerOf(keyId: number, personId: number | null, name: string | null): Proposal['proposedBy'] {
  return personId === null
    ? { type: 'apiKey', id: String(keyId), name }
    : { type: 'person', id: String(personId), name }
}
