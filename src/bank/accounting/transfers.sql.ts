import type { Queryable } from '../../database/database.ts'
import { named } from '../../database/lists.ts'

interface SideRow {
  accountId: number
  kind: string | null
  name: string
  sequence: number
  balance: number
}

export interface TransferRow {
  id: number
  createdAt: string
  amount: number
  sourceKind: string
  sourceId: number | null
  /** The reward that a payout or a claw-back belongs to. */
  rewardId: number | null
  description: string | null
  debit: SideRow
  credit: SideRow
  /** Whether the transfer has one of the kinds that were asked for. The last one that was looked at is returned anyway. */
  matches: boolean
  /** The number of the transfer among those that were looked at. */
  place: number
}

export interface TransferRange {
  organisationId: number
  since: string | null
  until: string | null
  ascending: boolean
  /** Null for every kind. */
  kinds: string[] | null
  /** How many transfers are looked at. */
  scan: number
  take: number
}

/** A transfer that a page begins after. */
export interface TransferPlace {
  id: number
  createdAt: string
  debitAccountId: number
  debitSeq: number
  creditAccountId: number
  creditSeq: number
}

export async function findPlace(
  database: Queryable,
  organisationId: number,
  transferId: number,
): Promise<TransferPlace | undefined> {
  const [row] = await database.query<TransferPlace>(
    `select id, created_at as "createdAt", debit_account_id as "debitAccountId", debit_seq as "debitSeq",
       credit_account_id as "creditAccountId", credit_seq as "creditSeq"
     from transfer where id = $1::bigint and organisation_id = $2::bigint`,
    [transferId, organisationId],
  )
  return row
}

const sideJson = (side: 'debit' | 'credit', account: string) => `
  json_build_object('accountId', x.${side}_account_id, 'kind', ${account}.kind, 'name', ${account}.name,
    'sequence', x.${side}_seq, 'balance', x.${side}_balance) as ${side}`

/**
 * Adds accounts, payments and rewards to the transfers of a page. `offset 0` keeps each join a look-up per row.
 */
const shown = (looked: string) => `
  select x.id, x.created_at as "createdAt", x.amount, x.source_kind as "sourceKind", x.source_id as "sourceId",
    r.id as "rewardId", coalesce(x.description, p.description) as description, ${sideJson('debit', 'd')},
    ${sideJson('credit', 'c')}, x.matches, x.place
  from (
    select y.*, $kinds::text[] is null or y.source_kind = any($kinds) as matches from (${looked}) y
    where $kinds is null or y.source_kind = any($kinds) or y.place = $scan::bigint order by y.place limit $take::bigint) x
  cross join lateral (select kind, name from account where id = x.debit_account_id offset 0) d
  cross join lateral (select kind, name from account where id = x.credit_account_id offset 0) c
  left join lateral (
    select description from payment where id = x.source_id and x.source_kind in ('payment', 'payment_return', 'payment_release', 'debit', 'debit_return') offset 0) p on true
  left join lateral (
    select id from reward where payout_payment_id = x.source_id and x.source_kind in ('reward', 'reward_clawback')
    limit 1) r on true
  order by x.place`

/** Lists an organisation's transfers by time, along the index of the organisation. */
export function listOfOrganisation(
  database: Queryable,
  range: TransferRange,
  after: TransferPlace | null,
): Promise<TransferRow[]> {
  const text = range.ascending ? organisationAscending : organisationDescending
  return database.query(...named(text, placeMembers(range, after), range))
}

/** The place that a page begins after, as a place in an index. */
function placeMembers({ since, until, ascending }: TransferRange, after: TransferPlace | null): object {
  return {
    since: since ?? '-infinity',
    until: until ?? 'infinity',
    afterTime: after?.createdAt ?? (ascending ? '-infinity' : 'infinity'),
    afterId: after?.id ?? 0,
  }
}

const ofOrganisation = (direction: '' | 'desc', comparison: '<' | '>') =>
  shown(
    `select t.*, row_number() over (order by t.created_at ${direction}, t.id ${direction}) as place from transfer t
     where t.organisation_id = $organisationId::bigint
       and t.created_at > $since::timestamptz and t.created_at < $until::timestamptz
       and (t.created_at, t.id) ${comparison} ($afterTime::timestamptz, $afterId::bigint)
     order by t.created_at ${direction}, t.id ${direction} limit $scan::bigint`,
  )
const organisationDescending = ofOrganisation('desc', '<')
const organisationAscending = ofOrganisation('', '>')

/** Lists the transfers of one account by their numbers, which have no gaps: any page is a range of each index. */
export function listOfAccount(
  database: Queryable,
  range: TransferRange & { accountId: number },
  afterSeq: number | null,
): Promise<TransferRow[]> {
  return database.query(...named(range.ascending ? accountAscending : accountDescending, { afterSeq }, range))
}

const ofAccount = (range: string, direction: '' | 'desc') => `
  with bound as materialized (
    select case when $until::timestamptz is null then a.seq else seq_before(a.id, $until) end as high,
      case when $since::timestamptz is null then 0 else seq_before(a.id, $since + interval '1 microsecond') end as low
    from account a where a.id = $accountId::bigint and a.organisation_id = $organisationId::bigint),
  range as materialized (${range})
  ${shown(
    `select s.*, row_number() over (order by s.seq ${direction}) as place from (
       select t.*, t.debit_seq as seq from transfer t where t.debit_account_id = $accountId
         and t.debit_seq between (select first from range) and (select last from range)
       union all
       select t.*, t.credit_seq from transfer t where t.credit_account_id = $accountId
         and t.credit_seq between (select first from range) and (select last from range)) s`,
  )}`
const accountDescending = ofAccount(
  `select greatest(low, least(high, $afterSeq::bigint - 1) - $scan::bigint) + 1 as first, least(high, $afterSeq - 1) as last from bound`,
  'desc',
)
const accountAscending = ofAccount(
  `select greatest(low, $afterSeq::bigint) + 1 as first, least(high, greatest(low, $afterSeq) + $scan::bigint) as last from bound`,
  '',
)

/** Lists the transfers of one source. A payment's own transfer has its time; all others are in the index of sources. */
export function listOfSource(
  database: Queryable,
  range: TransferRange & { accountId: number | null; source: { recordId: number | null; rewardId: number | null } },
  after: TransferPlace | null,
): Promise<TransferRow[]> {
  const text = range.ascending ? sourceAscending : sourceDescending
  return database.query(...named(text, placeMembers(range, after), range.source, range))
}

const ofSource = (direction: '' | 'desc', comparison: '<' | '>') =>
  shown(
    `select t.*, row_number() over (order by t.created_at ${direction}, t.id ${direction}) as place from (
       select o.* from payment p
       join transfer o on o.organisation_id = p.organisation_id and o.created_at = p.created_at and o.source_id = p.id
       where p.id = $recordId::bigint and p.organisation_id = $organisationId::bigint and o.source_kind = 'payment'
       union
       select o.* from transfer o
       where o.source_id = $recordId and o.source_kind <> 'payment' and o.organisation_id = $organisationId
       union
       select o.* from reward r join transfer o on o.source_id = r.payout_payment_id
       where r.id = $rewardId::bigint and r.organisation_id = $organisationId
         and o.organisation_id = $organisationId and o.source_kind <> 'payment' and o.source_kind in ('reward', 'reward_clawback')) t
     where t.created_at > $since::timestamptz and t.created_at < $until::timestamptz
       and (t.created_at, t.id) ${comparison} ($afterTime::timestamptz, $afterId::bigint)
       and ($accountId::bigint is null or $accountId in (t.debit_account_id, t.credit_account_id))
     order by t.created_at ${direction}, t.id ${direction} limit $scan::bigint`,
  )
const sourceDescending = ofSource('desc', '<')
const sourceAscending = ofSource('', '>')

/** The requests that made transfers, by the ids of the transfers. One side has an event: that of a customer's account. */
export async function findRequests(
  database: Queryable,
  organisationId: number,
  rows: TransferRow[],
): Promise<Map<number, string | null>> {
  const transactionIds = rows.map(({ id, debit }) => (debit.accountId > 0 ? id : id + 1))
  const found = await database.query<{ id: number; requestId: string | null }>(
    `select id, request_id as "requestId" from requests_of_transactions($1::bigint, $2::bigint[], $3::timestamptz[])`,
    [organisationId, transactionIds, rows.map(({ createdAt }) => createdAt)],
  )
  return new Map(found.map(({ id, requestId }) => [id - (id % 2), requestId]))
}
