import { count, month, words } from './format.ts'

/** Work of the bank that is due or was done at a time. */
export interface Happening {
  at: string
  type: string
  id: string
}

/** Happenings of one type at one time. */
export interface HappeningGroup {
  at: string
  type: string
  ids: string[]
}

const coming: Record<string, string> = {
  'authorization.canceled': 'Authorization expires',
  'accountHold.expired': 'Hold expires',
  'proposal.expired': 'Proposal expires',
  'reward.paid': 'Reward is paid out',
  'webhook.delivered': 'Webhook is sent again',
}

const done: Record<string, [one: string, several: string]> = {
  'authorization.canceled': ['Authorization canceled', 'authorizations canceled'],
  'accountHold.expired': ['Hold expired', 'holds expired'],
  'statement.created': ['Statement created', 'statements created'],
  'reward.paid': ['Reward paid', 'rewards paid'],
  'webhook.delivered': ['Webhook sent', 'webhooks sent'],
}

/** Things that are due, in words. */
export function comingText({ type, ids }: Pick<HappeningGroup, 'type' | 'ids'>): string {
  if (type === 'month.ended') return `${month(ids[0] ?? '')} ends, and every account gets its statement`
  return timesOf(coming[type] ?? words(type), ids)
}

function timesOf(text: string, { length }: string[]): string {
  return length === 1 ? text : `${count(length)} × ${text.charAt(0).toLowerCase()}${text.slice(1)}`
}

const DELIVERED = 'webhook.delivered'

/** Things that are due in their order. Deliveries that are repeated are one thing, at the time of the first one. */
export function comingGroups(upcoming: readonly Happening[]): HappeningGroup[] {
  const sent = upcoming.filter(({ type }) => type === DELIVERED)
  const [first] = sent
  const others = grouped(upcoming.filter(({ type }) => type !== DELIVERED))
  const all = first ? [...others, { at: first.at, type: DELIVERED, ids: sent.map(({ id }) => id) }] : others
  return all.toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)))
}

/** The next thing that is due beside deliveries, which come by themselves. */
export function nextDue(upcoming: readonly Happening[]): Happening | undefined {
  return upcoming.find(({ type }) => type !== DELIVERED)
}

/** Things that happened, in words. */
export function doneText({ type, ids }: HappeningGroup): string {
  const texts = done[type]
  if (type === 'month.ended') return `${month(ids[0] ?? '')} ended`
  if (!texts) return timesOf(words(type), ids)
  return ids.length === 1 ? texts[0] : `${count(ids.length)} ${texts[1]}`
}

/** Happenings in their order, those of one type at one time together: a month's end makes a statement of every account. */
export function grouped(happenings: readonly Happening[]): HappeningGroup[] {
  const groups: HappeningGroup[] = []
  for (const { at, type, id } of happenings) {
    const last = groups.at(-1)
    if (last?.at === at && last.type === type) last.ids.push(id)
    else groups.push({ at, type, ids: [id] })
  }
  return groups
}

const DAY_MS = 86_400_000

/** The distance of bank time from real time in words; undefined within a minute. */
export function aheadText(bankMs: number, realMs: number): string | undefined {
  const ms = bankMs - realMs
  if (Math.abs(ms) < 60_000) return undefined
  const days = Math.floor(Math.abs(ms) / DAY_MS)
  const hours = Math.floor(Math.abs(ms) / 3_600_000)
  const [count, unit] =
    days > 0 ? [days, 'day'] : hours > 0 ? [hours, 'hour'] : [Math.floor(Math.abs(ms) / 60_000), 'minute']
  return `${count.toLocaleString('en-US')} ${unit}${count === 1 ? '' : 's'} ${ms > 0 ? 'ahead of' : 'behind'} real time`
}
