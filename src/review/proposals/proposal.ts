import { type Static, Type } from 'typebox'
import type { KeyHolder } from '../../access/authenticate-key.ts'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import {
  type Answer,
  type Caller,
  type Judged,
  operationsOver,
  signedDecisions,
  type Write,
} from '../../base/operation.ts'
import type { Page } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import { CreatedAt, described, Timestamp, Word } from '../../base/text.ts'
import type { ListProposalsQuery } from './list-proposals.ts'

export const proposalStates = ['Waiting', 'Approved', 'Executed', 'Failed', 'Rejected', 'Withdrawn', 'Expired'] as const
export type ProposalState = (typeof proposalStates)[number]

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const Signer = Type.Object(
  {
    type: Type.Enum(['person', 'apiKey'], {
      description: 'Whether a person signed, or an API key proposed or rejected',
    }),
    id: Type.String({ description: 'Id of the person or of the key', examples: ['1000042'] }),
    name: orNull(Type.String(), 'Name at the time of the decision; null if the key has none'),
  },
  { $id: 'Signer', description: 'The person or the key behind a decision' },
)

export const Proposal = Type.Object(
  {
    id: RecordId(),
    state: Word(proposalStates, {
      description: '`Approved` while the operation runs; `Failed` if it was refused then',
    }),
    decision: Word(signedDecisions, { description: 'The kind of decision' }),
    operation: Type.String({ description: 'The operation that an approval runs', examples: ['approvePayment'] }),
    params: Type.Record(Type.String(), Type.String(), {
      description: 'Parameters in the path of the operation',
      examples: [{ paymentId: '1000042' }],
    }),
    body: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Body of the operation',
      examples: [{ reason: 'The invoice was checked' }],
    }),
    recordId: Type.String({ description: 'Id of the record that the operation changes', examples: ['1000042'] }),
    amount: orNull(CentsValue, 'Amount in cents; null for a decision without one'),
    reason: orNull(Type.String(), 'The reason of the proposer; null if there is none'),
    proposedBy: Signer,
    decidedBy: orNull(Signer, 'The person or key that decided; null for nobody'),
    decisionReason: orNull(Type.String(), 'The reason of who decided; null without one'),
    problem: orNull(
      Type.Object(
        {
          code: Type.String({ description: 'Code of the refusal', examples: ['payment_not_in_review'] }),
          detail: Type.String({ description: 'The refusal in words' }),
        },
        { $id: 'ProposalProblem', description: 'Why the operation was refused after the approval' },
      ),
      'The refusal of a `Failed` proposal; null for others',
    ),
    createdAt: CreatedAt,
    expiresAt: described(Timestamp, 'Bank time until which it can be approved'),
    decidedAt: orNull(Timestamp, 'Bank time of the approval, rejection, withdrawal or expiry; null while it waits'),
  },
  { $id: 'Proposal', description: 'A decision that waits for a second person, or what became of it' },
)
export type Proposal = Static<typeof Proposal>

/** A proposal, and who decides about it. */
export interface Decided {
  state: ProposalState
  proposedBy: Pick<Static<typeof Signer>, 'type' | 'id'>
  /** The persons who made the key that proposed. */
  proposerMakers: number[]
  /** The persons who invited the proposer, or those who made the key. */
  proposerInviters: number[]
  holder: Pick<KeyHolder, 'keyId' | 'personId' | 'invitedBy'>
}

/**
 * A key is no person, and the person who proposed, or made the key that did, is no second one. Of a person and the one who invited them, both could be the
 * same: who invites gets the link with which the other registers.
 */
export function requireSecondPerson({ proposedBy, holder, ...row }: Omit<Decided, 'state'>): void {
  const { personId, invitedBy } = holder
  const proposers = [...(proposedBy.type === 'person' ? [Number(proposedBy.id)] : []), ...row.proposerMakers]
  const isSecond = personId !== undefined && ![...proposers, ...row.proposerInviters].includes(personId)
  if (!isSecond || (invitedBy !== undefined && proposers.includes(invitedBy)))
    throw new Problem('second_person_required')
}

export function requireProposer({ proposedBy, holder }: Pick<Decided, 'proposedBy' | 'holder'>): void {
  const id = proposedBy.type === 'person' ? holder.personId : holder.keyId
  if (proposedBy.id !== String(id)) throw new Problem('not_proposer')
}

export function requireWaiting({ state }: Pick<Decided, 'state'>): void {
  if (state !== 'Waiting') throw new Problem('proposal_not_waiting')
}

/** The proposals that wait for a second person: how many, the sum of their amounts, and the oldest ones. */
export interface WaitingProposals {
  count: number
  amount: number
  since: string
  ids: string[]
  /** The operation of each. */
  whys: string[]
  /** Those that the caller made. */
  own: number
}

/** A decision of an operation that a rule covers. */
export interface ProposalDraft extends Judged {
  decision: Proposal['decision']
  operationId: string
  params: Record<string, string>
  body: Record<string, unknown>
}

/** The operations of permits that the proposer uses. */
type PermitId = 'permitExport' | 'permitPersonRights'

/** Decisions that need a second person: one method for each operation, under the operation's id. */
export interface Proposals {
  /** Stores a decision; undefined if `judge` finds that no rule covers it. */
  propose(write: Write<Proposal>, judge: () => Promise<ProposalDraft | undefined>): Promise<Answer | undefined>
  listProposals(holder: KeyHolder, query: ListProposalsQuery): Promise<Page<Proposal>>
  getProposal(holder: KeyHolder, proposalId: string): Promise<Proposal>
  /** Those of operations that the caller may call, at most `most`; undefined if there is none. */
  waiting(holder: KeyHolder, most: number): Promise<WaitingProposals | undefined>
  approveProposal(
    write: Write<Proposal>,
    holder: KeyHolder,
    input: { proposalId: string; reason?: string },
  ): Promise<Answer>
  rejectProposal(
    write: Write<Proposal>,
    holder: KeyHolder,
    input: { proposalId: string; reason: string },
  ): Promise<Answer>
  withdrawProposal(write: Write<Proposal>, holder: KeyHolder, proposalId: string): Promise<Answer>
  /** The operation of a permit: its proposal is all that it leaves. */
  permit(write: Write<null>): Promise<Answer>
  /** Whether the caller has proposed a permit that a second person has approved within a day. */
  isPermitted(holder: KeyHolder, operationId: PermitId, recordId: string): Promise<boolean>
  /** Refuses callers that do not belong to the first organisation, which is that of the operator. */
  requireOperator(caller: Caller): Promise<void>
  /** Runs the operations of approved proposals again that a crash has interrupted. */
  resume(): Promise<void>
}

export const { read: proposalRead, write: proposalWrite } = operationsOver<{
  proposals: Proposals
  holder: KeyHolder
}>('review', 'review:write')
