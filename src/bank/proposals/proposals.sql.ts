import type { SignedDecision } from '../../base/operation.ts'
import type { Queryable } from '../../database/database.ts'
import { isOfOrganisation, type ListWindow, listRows } from '../../database/lists.ts'
import type { RailResumePermit } from '../../review/proposals/permit-rail-resume.ts'
import type { Proposal, ProposalDraft, ProposalState, WaitingProposals } from '../../review/proposals/proposal.ts'

export interface ProposalRow {
  id: number
  organisationId: number
  state: ProposalState
  decision: SignedDecision
  operationId: string
  params: Record<string, string>
  body: Record<string, unknown>
  recordId: string
  customerId: number | null
  amount: number | null
  reason: string | null
  proposerKeyId: number
  proposerPersonId: number | null
  proposerName: string | null
  /** The persons who made the key that proposed. */
  proposerMakers: number[]
  /** The persons who invited the proposer, or those who made the key. */
  proposerInviters: number[]
  signerKeyId: number | null
  signerPersonId: number | null
  signerName: string | null
  signerDecidesRisk: boolean | null
  decisionReason: string | null
  problem: Proposal['problem']
  createdAt: string
  expiresAt: string
  decidedAt: string | null
  version: number
  /** Whether its time is over in bank time. */
  isOver: boolean
}

const columns = `id, organisation_id as "organisationId", state, decision, operation_id as "operationId", params, body,
  record_id as "recordId", customer_id as "customerId", amount, reason, proposer_key_id as "proposerKeyId", proposer_person_id as "proposerPersonId",
  proposer_name as "proposerName", to_jsonb(proposer_makers) as "proposerMakers", to_jsonb(proposer_inviters) as "proposerInviters",
  signer_key_id as "signerKeyId", signer_person_id as "signerPersonId",
  signer_name as "signerName", signer_decides_risk as "signerDecidesRisk", decision_reason as "decisionReason", problem,
  created_at as "createdAt", expires_at as "expiresAt", decided_at as "decidedAt", version,
  expires_at <= bank_time(organisation_id) as "isOver"`

/** The key or the session that acts, and the person of a session. */
export interface Actor {
  organisationId: number
  keyId: number
  personId?: number | undefined
  /** The person who invited this one. */
  invitedBy?: number | undefined
}

/** Stores a proposal; undefined if the same decision about the record waits or runs already. */
export async function insertProposal(
  transaction: Queryable,
  id: number,
  { organisationId, keyId, personId, invitedBy }: Actor,
  { decision, operationId, params, body, recordId, customerId, amount, reason }: ProposalDraft,
  expiryMs: number,
): Promise<ProposalRow | undefined> {
  const [row] = await transaction.query<ProposalRow>(
    `insert into proposal (id, organisation_id, state, decision, operation_id, params, body, record_id, amount, reason,
       proposer_key_id, proposer_person_id, proposer_name, proposer_makers, proposer_inviters, customer_id, created_at,
       expires_at, version)
     select $1::bigint, $2::bigint, 'Waiting', $3::text, $4::text, $5::jsonb, $6::jsonb, $7::text, $8::bigint, $9::text,
       $10::bigint, $11::bigint, (select name from api_key where id = $10),
       coalesce((select makers from api_key where id = $10), '{}'),
       $13::bigint[] || (select maker_inviters from api_key where id = $10), $14::bigint, now,
       now + make_interval(secs => $12::float8 / 1000), 1
     from bank_time($2) now
     on conflict (organisation_id, operation_id, record_id) where state in ('Waiting', 'Approved') do nothing
     returning ${columns}`,
    [
      ...[id, organisationId, decision, operationId, JSON.stringify(params), JSON.stringify(body), recordId, amount],
      ...[reason, keyId, personId ?? null, expiryMs, invitedBy === undefined ? [] : [invitedBy], customerId ?? null],
    ],
  )
  return row
}

/** The proposals of some operations. */
export function listProposalRows(
  database: Queryable,
  filter: {
    organisationId: number
    operationIds: string[]
    state: ProposalState | undefined
    recordId: string | undefined
  },
  page: ListWindow,
): Promise<ProposalRow[]> {
  const filters = {
    always: [isOfOrganisation, 'operation_id = any($operationIds::text[])'],
    along: ['state = $state::text', 'record_id = $recordId::text'],
  }
  return listRows(database, `select ${columns} from proposal`, filters, filter, page)
}

/** Counts the waiting proposals of some operations, at most `most`, and names the oldest ones; undefined if there is none. */
export async function findWaiting(
  database: Queryable,
  { organisationId, keyId, personId }: Actor,
  operationIds: string[],
  { most, shown }: { most: number; shown: number },
): Promise<WaitingProposals | undefined> {
  const [row] = await database.query<WaitingProposals>(
    `select count(*)::int as count, coalesce(sum(amount), 0)::bigint as amount, min(created_at) as since,
       coalesce((array_agg(id::text order by created_at, id))[1:$6::int], '{}') as ids, array_agg(operation_id) as whys,
       (count(*) filter (where case when proposer_person_id is null then proposer_key_id = $3::bigint
         else proposer_person_id = $4::bigint end))::int as own
     from (
       select * from proposal
       where organisation_id = $1::bigint and state = 'Waiting' and operation_id = any($2::text[])
       order by created_at, id limit $5::int) w
     having count(*) > 0`,
    [organisationId, operationIds, keyId, personId ?? null, most, shown],
    'once',
  )
  return row
}

export async function findProposal(
  database: Queryable,
  organisationId: number,
  id: number,
): Promise<ProposalRow | undefined> {
  const [row] = await database.query<ProposalRow>(
    `select ${columns} from proposal where organisation_id = $1::bigint and id = $2::bigint`,
    [organisationId, id],
  )
  return row
}

export async function lockProposal(
  transaction: Queryable,
  organisationId: number,
  id: number,
): Promise<ProposalRow | undefined> {
  const [row] = await transaction.query<ProposalRow>(
    `select ${columns} from proposal where organisation_id = $1::bigint and id = $2::bigint for update`,
    [organisationId, id],
  )
  return row
}

/** The decision about a proposal that waits. */
export interface Ending {
  state: ProposalState
  /** The person or key that approved or rejected it; null if nobody has. */
  signer: (Actor & { decidesRisk: boolean }) | null
  reason: string | null
}

export async function decideProposal(
  transaction: Queryable,
  id: number,
  { state, signer, reason }: Ending,
): Promise<ProposalRow> {
  const [row] = await transaction.query<ProposalRow>(
    `update proposal set state = $2::text, signer_key_id = $3::bigint, signer_person_id = $4::bigint,
       signer_name = (select name from api_key where id = $3), signer_decides_risk = $5::boolean,
       decision_reason = $6::text, decided_at = bank_time(organisation_id), changed_at = clock_timestamp(),
       version = version + 1
     where id = $1::bigint returning ${columns}`,
    [id, state, signer?.keyId ?? null, signer?.personId ?? null, signer?.decidesRisk ?? null, reason],
  )
  if (!row) throw new Error('a locked proposal is missing')
  return row
}

/** Notes what became of the operation of an approved proposal. */
export async function finishProposal(
  transaction: Queryable,
  id: number,
  problem: Proposal['problem'],
): Promise<ProposalRow> {
  const [row] = await transaction.query<ProposalRow>(
    `update proposal set state = case when $2::jsonb is null then 'Executed' else 'Failed' end, problem = $2,
       changed_at = clock_timestamp(), version = version + 1
     where id = $1::bigint returning ${columns}`,
    [id, problem && JSON.stringify(problem)],
  )
  if (!row) throw new Error('a locked proposal is missing')
  return row
}

/** Whether a second person has approved a proposal of the actor about a record within a day. */
export async function hasPermit(
  database: Queryable,
  { organisationId, keyId, personId }: Actor,
  { operationId, recordId }: Pick<ProposalRow, 'operationId' | 'recordId'>,
): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>(
    `select exists (
       select from proposal where organisation_id = $1::bigint and record_id = $2::text and operation_id = $3::text
         and state = 'Executed' and changed_at > clock_timestamp() - interval '1 day'
         and case when proposer_person_id is null then proposer_key_id = $4::bigint
           else proposer_person_id = $5::bigint end) as found`,
    [organisationId, recordId, operationId, keyId, personId ?? null],
  )
  return row?.found ?? false
}

/** Whether a second person of an organisation has permitted these decisions about held ACH files within a day. */
export async function hasRailPermit(
  database: Queryable,
  organisationId: number,
  { decisions, digest }: RailResumePermit,
): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>(
    `select exists (
       select from proposal where organisation_id = $1::bigint and record_id = $2::text and operation_id = 'permitRailResume'
         and state = 'Executed' and changed_at > clock_timestamp() - interval '1 day' and body -> 'decisions' = $3::jsonb) as found`,
    [organisationId, digest, JSON.stringify(decisions)],
  )
  return row?.found ?? false
}

/** Approved proposals whose operation has not been finished for a while. */
export function interruptedProposals(database: Queryable, sinceMs: number): Promise<ProposalRow[]> {
  return database.query(
    `select ${columns} from proposal p where state = 'Approved'
       and changed_at < clock_timestamp() - make_interval(secs => $1::float8 / 1000)
       and not exists (select from organisation o where o.id = p.organisation_id and (o.ended_at is not null or is_moving(o.id)))
     order by changed_at, id limit 100`,
    [sinceMs],
  )
}

/** The waiting proposals that expire until a time, in the order of their expiry. */
export function expiringProposals(
  database: Queryable,
  organisationId: number,
  until: string,
  most: number,
): Promise<{ id: number; expiresAt: string }[]> {
  return database.query(
    `select id, expires_at as "expiresAt" from proposal
     where organisation_id = $1::bigint and state = 'Waiting' and expires_at <= $2::timestamptz
     order by expires_at, id limit $3`,
    [organisationId, until, most],
  )
}
