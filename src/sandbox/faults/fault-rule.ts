import { type Static, Type } from 'typebox'
import { RecordId } from '../../base/ids.ts'
import type { Answer, Caller, Operation, Write } from '../../base/operation.ts'
import type { Page, PageQuery } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import { Text, Timestamp } from '../../base/text.ts'
import { EventFilter } from '../../events/event-filter.ts'

/** No rule applies to the operations under this path: a tester can always remove a rule. */
export const FAULTS_PATH = '/v0/sandbox/faults'

const FaultMatch = Type.Object(
  {
    operation: Type.Optional(
      Text(1, 100, {
        description: 'Id of an operation: the rule applies to its requests. The operations on fault rules are exempt',
        examples: ['createPayment'],
      }),
    ),
    accountId: Type.Optional(
      Type.String({
        description: 'Only requests that name this account as `accountId` in their path or query',
        'x-resource': 'account',
      }),
    ),
    eventType: Type.Optional(
      Type.Enum([...EventFilter.enum], {
        description:
          'Type of event: the rule applies to its webhook deliveries. `payment.*` means all types of payment events, `*` all events',
      }),
    ),
  },
  {
    $id: 'FaultMatch',
    description: 'The requests of an operation, or the webhook deliveries of a type of event',
    'x-rules': [{ rule: 'exactlyOne', members: ['operation', 'eventType'] }],
  },
)

const MAX_DELAY_MS = 30_000

const FaultEffect = Type.Object(
  {
    delayMs: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_DELAY_MS,
        description: 'Milliseconds that the request waits before anything is done; alone, or beside another effect',
        examples: [2_000],
      }),
    ),
    status: Type.Optional(
      Type.Unsafe<429 | 500 | 503>({
        type: 'integer',
        enum: [429, 500, 503],
        description:
          'The request is answered with this status and its problem, and has no effect: `rate_limited` (429), `internal_error` (500) or `unavailable` (503)',
      }),
    ),
    dropAfterCommit: Type.Optional(
      Type.Literal(true, {
        description: 'The request is carried out and committed, and its connection is closed instead of an answer',
      }),
    ),
    duplicate: Type.Optional(Type.Literal(true, { description: 'The delivery is sent a second time after a success' })),
    reorder: Type.Optional(
      Type.Literal(true, {
        description:
          'The delivery is held back until a later event has been sent to the endpoint, for five seconds at most. Events of one record keep their order',
      }),
    ),
  },
  {
    $id: 'FaultEffect',
    description:
      '`status`, `delayMs` and `dropAfterCommit` are for requests, `duplicate` and `reorder` for webhook deliveries',
    'x-rules': [
      { rule: 'atLeastOne', members: ['delayMs', 'status', 'dropAfterCommit', 'duplicate', 'reorder'] },
      { rule: 'atMostOne', members: ['status', 'dropAfterCommit', 'duplicate', 'reorder'] },
    ],
  },
)
export type FaultEffect = Static<typeof FaultEffect>

/** A rule by which faults are injected into the requests or webhook deliveries of an organisation. */
export const FaultRule = Type.Object(
  {
    id: RecordId(),
    match: FaultMatch,
    effect: FaultEffect,
    probability: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Share of the matching requests or deliveries that the effect happens to',
      examples: [0.5],
    }),
    times: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The effect happens so often at most; null for no limit',
      examples: [1],
    }),
    remaining: Type.Union([Type.Integer(), Type.Null()], {
      description: 'How often the effect can still happen; 0 for a rule that is used up, null for no limit',
      examples: [1],
    }),
    seed: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The seed of the draws; null if they differ every time',
      examples: [42],
    }),
    createdAt: Timestamp,
  },
  { $id: 'FaultRule', description: 'A rule that lets requests or webhook deliveries of the organisation fail' },
)
export type FaultRule = Static<typeof FaultRule>

export const CreateFaultRuleBody = Type.Object(
  {
    match: FaultMatch,
    effect: FaultEffect,
    probability: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        description: 'Share of the matching requests or deliveries that the effect happens to',
        examples: [0.5],
      }),
    ),
    times: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'The effect happens so often at most; without it there is no limit',
        examples: [1],
      }),
    ),
    seed: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2 ** 32 - 1,
        description: 'The same seed lets the same matches take effect, counted from the creation of the rule',
        examples: [42],
      }),
    ),
  },
  { description: 'The new rule' },
)
export type CreateFaultRuleInput = Static<typeof CreateFaultRuleBody>

/** The rules of an organisation, one method for each operation. */
export interface SandboxFaults {
  createFaultRule(write: Write<FaultRule>, input: CreateFaultRuleInput): Promise<Answer>
  listFaultRules(caller: Caller, query: PageQuery): Promise<Page<FaultRule>>
  getFaultRule(caller: Caller, faultRuleId: string): Promise<FaultRule>
  deleteFaultRule(write: Write<null>, faultRuleId: string): Promise<Answer>
  deleteFaultRules(write: Write<null>): Promise<Answer>
}

/** A rule that is not used up. */
export interface ActiveRule extends Pick<FaultRule, 'match' | 'effect' | 'probability' | 'times' | 'seed'> {
  id: number
  organisationId: number
}

/** The rules that are not used up, in memory. */
export interface ActiveFaults {
  /** The rules of an organisation in the order of their creation; undefined if it has none. */
  rulesOf(organisationId: number): readonly ActiveRule[] | undefined
  /** Draws whether a matching rule takes effect this time, and counts it. */
  takesEffect(rule: ActiveRule): Promise<boolean>
}

/** Refuses a rule that could never take effect. */
export function requireFitting({ match, effect }: CreateFaultRuleInput, operations: Operation[]): void {
  const isForDeliveries = effect.duplicate !== undefined || effect.reorder !== undefined
  if (match.eventType !== undefined) {
    if (match.accountId !== undefined) throw mismatch('accountId is for the requests of an operation.')
    if (!isForDeliveries || effect.delayMs !== undefined)
      throw mismatch('Webhook deliveries can be sent twice (duplicate) or later (reorder).')
    return
  }
  if (isForDeliveries) throw mismatch('duplicate and reorder are for webhook deliveries.')
  const operation = operations.find(({ id }) => id === match.operation)
  if (!operation) throw mismatch('There is no operation with this id; GET /v0/me lists the ids.')
  if (operation.path.startsWith(FAULTS_PATH)) throw mismatch('No rule applies to the operations on fault rules.')
  const named = { ...operation.params?.properties, ...operation.query?.properties }
  if (match.accountId !== undefined && !('accountId' in named)) {
    throw mismatch(`Requests of ${operation.id} name no accountId in their path or query.`)
  }
}

function mismatch(detail: string): Problem {
  return new Problem('fault_rule_mismatch', { detail })
}
