import { arrayOf, bigint, boolean, rowSet, text } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import { keptOf, type OrganisationLimits, periodsOf, type Share } from './shares.ts'

/** The shares of a connection, by `organisation period`, and the limits under which they were read. */
export interface Shares {
  limits: Map<number, OrganisationLimits>
  shares: Map<string, Share>
}

/** The first number of the advisory locks under which all shares of an organisation are read. */
const SHARE_LOCKS = 7_275_759

interface ShareRow {
  organisationId: number
  period: string
  slot: number
  used: number
  softLeft: number
  hardLeft: number
}

const columns = `organisation_id as "organisationId", period, slot, used, soft_left as "softLeft", hard_left as "hardLeft"`

/** Locks the shares of one slot. The order is that of all statements that lock shares. */
const lockOwn = `
  select ${columns} from organisation_usage
  where organisation_id = any($1::bigint[]) and period = any($2::text[]) and slot = $3::int
  order by organisation_id, period, slot for no key update`

const lockAll = `
  select ${columns} from organisation_usage
  where organisation_id = any($1::bigint[]) and period = any($2::text[])
  order by organisation_id, period, slot for no key update`

/** Reads the limits again after the locks: a change of them waits for the locks, or has taken the shares away. */
const readLimits = `
  select id as "organisationId", limits from organisation where id = any($1::bigint[]) and limits is not null`

/**
 * Locks and reads the shares of organisations with limits: those of a slot, or all of them.
 */
export async function lockShares(
  transaction: Queryable,
  found: Map<number, OrganisationLimits>,
  times: Map<number, string>,
  { slot, exact }: { slot: number; exact: boolean },
): Promise<Shares> {
  const ids = [...found.keys()].sort((a, b) => a - b)
  const periods = new Set<string>()
  for (const id of ids) for (const period of Object.values(periodsOf(times.get(id) ?? ''))) periods.add(period)
  const values = [arrayOf('bigint', ids), arrayOf('text', [...periods])]
  if (!exact) {
    const rows = await transaction.query<ShareRow>(lockOwn, [...values, slot])
    return { limits: found, shares: sharesOf(rows) }
  }
  const locks = [...new Set(ids.map((id) => id % 2 ** 31))].sort((a, b) => a - b)
  for (const lock of locks)
    await transaction.query(`select pg_advisory_xact_lock($1::int, $2::int)`, [SHARE_LOCKS, lock])
  const rows = await transaction.query<ShareRow>(lockAll, values)
  const limits = await transaction.query<{ organisationId: number; limits: OrganisationLimits }>(readLimits, [
    values[0],
  ])
  const current = new Map(limits.map((row) => [row.organisationId, row.limits]))
  return { limits: current, shares: exactShares(rows, { slot, limits: current, times }) }
}

export const shareName = (organisationId: number, period: string) => `${organisationId} ${period}`

function sharesOf(rows: ShareRow[]): Map<string, Share> {
  return new Map(
    rows.map(({ organisationId, period, softLeft, hardLeft }) => {
      const share = { ...emptyShare(organisationId, period, false), softLeft, hardLeft }
      return [shareName(organisationId, period), share]
    }),
  )
}

export function emptyShare(organisationId: number, period: string, isExact: boolean): Share {
  return {
    organisationId,
    period,
    used: 0,
    softLeft: 0,
    hardLeft: 0,
    othersSoft: 0,
    othersHard: 0,
    isExact,
    takesSoft: false,
    takesHard: false,
  }
}

/** Shares that know all that is left of the limits, because all rows are under lock. */
function exactShares(
  rows: ShareRow[],
  known: { slot: number; limits: Map<number, OrganisationLimits>; times: Map<number, string> },
): Map<string, Share> {
  const shares = new Map<string, Share>()
  for (const [organisationId, limits] of known.limits) {
    const time = known.times.get(organisationId) ?? ''
    for (const [name, period] of Object.entries(periodsOf(time)) as ['day' | 'month', string][]) {
      const own = rows.filter((row) => row.organisationId === organisationId && row.period === period)
      const others = own.filter(({ slot }) => slot !== known.slot)
      const share = emptyShare(organisationId, period, true)
      const used = sum(own.map((row) => row.used))
      share.othersSoft = sum(others.map(({ softLeft }) => softLeft))
      share.othersHard = sum(others.map(({ hardLeft }) => hardLeft))
      share.softLeft = Math.max(0, (limits[name].soft ?? 0) - used - share.othersSoft)
      share.hardLeft = Math.max(0, (limits[name].hard ?? 0) - used - share.othersHard)
      shares.set(shareName(organisationId, period), share)
    }
  }
  return shares
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

const changes = rowSet<Share>({
  organisation_id: bigint(({ organisationId }) => organisationId),
  period: text(({ period }) => period),
  used: bigint(({ used }) => used),
  soft_left: bigint((share) => keptOf(share).softLeft),
  hard_left: bigint((share) => keptOf(share).hardLeft),
  takes_soft: boolean(({ takesSoft }) => takesSoft),
  takes_hard: boolean(({ takesHard }) => takesHard),
})
const slotNumber = `$${changes.next}::int`
const upsert = (left: string) => `
  with n as (${changes.select}),
  taken as (
    update organisation_usage u
    set soft_left = case when n.takes_soft then 0 else u.soft_left end,
      hard_left = case when n.takes_hard then 0 else u.hard_left end
    from n where (n.takes_soft or n.takes_hard) and u.organisation_id = n.organisation_id and u.period = n.period
      and u.slot <> ${slotNumber})
  insert into organisation_usage (organisation_id, period, slot, used, soft_left, hard_left)
  select organisation_id, period, ${slotNumber}, used, soft_left, hard_left from n order by organisation_id, period
  on conflict (organisation_id, period, slot) do update set used = organisation_usage.used + excluded.used ${left}`
const writeUsed = upsert(', soft_left = excluded.soft_left, hard_left = excluded.hard_left')
const writeCounted = upsert('')

/** Writes the shares that a batch used, and amounts that are only counted. They come before answers, as all locks of shares do. */
export async function writeShares(
  transaction: Queryable,
  { used, counted }: { used: Share[]; counted: { organisationId: number; period: string; amount: number }[] },
  slot: number,
): Promise<void> {
  if (used.length > 0) await transaction.query(writeUsed, [...changes.values(used), slot])
  if (counted.length === 0) return
  const sums = new Map<string, Share>()
  for (const { organisationId, period, amount } of counted) {
    const name = shareName(organisationId, period)
    const before = sums.get(name) ?? emptyShare(organisationId, period, false)
    sums.set(name, { ...before, used: before.used + amount })
  }
  await transaction.query(writeCounted, [...changes.values([...sums.values()]), slot])
}
