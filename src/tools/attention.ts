import { dollars } from '../../ground/text.ts'
import { words } from '../../ground/words.ts'
import { allows, missingScope } from '../access/api-key.ts'
import { RATE_DAYS, type ReturnRate } from '../banking/ach/return-rates.ts'
import { clock, instantOf } from '../base/clock.ts'
import { Page } from '../base/page.ts'
import { returnInWords } from '../rails/ach/codes.ts'
import type { AttentionItem, AttentionKind } from './list-attention.ts'
import type { LookUp } from './readers.ts'
import type { RecordType } from './record-types.ts'
import type { Asker } from './tools.ts'

/** Records of a kind that are counted at most. */
export const MOST = 1_000
/** Records that an item names. */
export const SHOWN = 10
/** A limit of which so much is used is nearly used. */
export const NEAR = 0.8
/** A check of the ledger that is older should be repeated. */
const OLD_CHECK_SECONDS = 7 * 86_400

/** Records that wait: how many, the oldest, and the sum of their amounts. */
export interface Waiting {
  count: number
  amount: number
  since: string
  ids: string[]
  /** Why each one waits, in a word; null if that is not known. */
  whys: (string | null)[]
  /** Those that the caller made, for proposals. */
  own?: number
}

/** An account with a limit that is nearly used. */
export interface NearLimit {
  id: string
  period: 'day' | 'month'
  used: number
  limit: number
}

/** A return rate that is a warning or more, of the organisation or of a company. */
export interface NotableRate {
  company: string | undefined
  rate: ReturnRate
}

/** The state of an organisation at the built-in bank, as far as it needs attention. */
export interface Concerns {
  /** Bank time. */
  now: string
  /** The number of the last event before the day. */
  lastEventBefore: number
  queues: (Waiting & { name: AttentionKind })[]
  accounts: NearLimit[]
  /** The organisation's own limits that are nearly used. */
  own: Omit<NearLimit, 'id'>[]
  /** Why no ACH file leaves; undefined while files leave. */
  railHeld: string | undefined
  rates: NotableRate[]
}

type Call = [operation: string, input: Record<string, string | number | boolean | string[]>]

interface Kind {
  level: AttentionItem['level']
  type: RecordType | undefined
  words(waiting: Waiting & { number: string }): string
  /** The cause of a word for why records wait. The word itself in words by default. */
  cause?(why: string): string
  /** The operations that list the records; the first one that the key may call is named. */
  calls(concerns: Concerns, waiting: Waiting): Call[]
  command?: string
}

const many = (count: number, one: string, several: string) => (count === 1 ? one : several)
const DAY = 'YYYY-MM-DD'.length
/** The reasons for which endpoints are disabled. Other causes are the words of the latest attempt. */
const endpointCauses: Record<string, string> = {
  Failing: 'Disabled after days without a success',
  Gone: 'Disabled because it answered 410',
}
const inAll = ({ amount }: Waiting) => `${dollars(amount)} in all`

const kinds: Partial<Record<AttentionKind, Kind>> = {
  failingEndpoints: {
    level: 'urgent',
    type: 'webhookEndpoint',
    words: ({ count, number }) =>
      `${number} webhook ${many(count, 'endpoint does', 'endpoints do')} not accept what is sent`,
    cause: (why) => endpointCauses[why] ?? why,
    calls: () => [['listWebhookEndpoints', { failing: true }]],
  },
  returnedPayments: {
    level: 'soon',
    type: 'payment',
    words: (each) =>
      `${each.number} ${many(each.count, 'payment was', 'payments were')} returned today, ${inAll(each)}`,
    cause: (code) => {
      const { returnReason } = returnInWords(code)
      return returnReason ? `${returnReason} (${code})` : code
    },
    calls: ({ now, lastEventBefore }) => [
      ['listPayments', { returnedSince: now.slice(0, DAY) }],
      ['listEvents', { type: ['payment.returned'], after: lastEventBefore }],
    ],
  },
  waitingProposals: {
    level: 'soon',
    type: 'proposal',
    words: ({ own = 0, ...each }) => {
      const sum = each.amount > 0 ? `, ${inAll(each)}` : ''
      const mine =
        own === each.count ? many(own, ', which is your own', ', all of them your own') : `, ${own} of them your own`
      return `${each.number} ${many(each.count, 'decision waits', 'decisions wait')} for a second signature${sum}${own > 0 ? mine : ''}`
    },
    calls: () => [['listProposals', { state: 'Waiting' }]],
  },
  reviewedPayments: {
    level: 'soon',
    type: 'payment',
    words: (each) =>
      `${each.number} ${many(each.count, 'payment waits', 'payments wait')} for a review, ${inAll(each)}`,
    calls: () => [
      ['listReviewPayments', {}],
      ['listPayments', { status: ['PendingReview'] }],
    ],
  },
  reviewedApplications: {
    level: 'soon',
    type: 'application',
    words: ({ count, number }) => `${number} ${many(count, 'application waits', 'applications wait')} for a review`,
    cause: () => 'All documents are there: a person has to decide',
    calls: () => [
      ['listReviewApplications', { status: 'PendingReview' }],
      ['listApplications', { status: ['PendingReview'] }],
    ],
  },
  reviewedExternalAccounts: {
    level: 'soon',
    type: 'externalAccount',
    words: ({ count, number }) =>
      `${number} external ${many(count, 'account waits', 'accounts wait')} for a review, and payments to ${many(count, 'it', 'them')}`,
    cause: () => 'The screening left the decision to a person',
    calls: () => [['listReviewExternalAccounts', {}]],
  },
  overSettlements: {
    level: 'soon',
    type: 'authorization',
    words: ({ count, number }) =>
      `${number} ${many(count, 'authorization', 'authorizations')} settled for more than the trade explains`,
    cause: (merchant) => merchant,
    calls: () => [['listOverSettlements', {}]],
  },
  railExceptions: {
    level: 'urgent',
    type: undefined,
    words: (each) =>
      `${each.number} ACH ${many(each.count, 'exception needs', 'exceptions need')} the operator, ${inAll(each)}`,
    calls: () => [],
    command: 'purser ach exceptions',
  },
  openDays: {
    level: 'soon',
    type: undefined,
    words: ({ count, number }) =>
      `${number} banking ${many(count, 'day is over and is', 'days are over and are')} not closed`,
    cause: (day) => `The first is ${day}`,
    calls: (_concerns, { since }) => [['listClosingDays', { month: since.slice(0, 'YYYY-MM'.length) }]],
  },
  openItems: {
    level: 'soon',
    type: undefined,
    words: (each) =>
      `${each.number} ${many(each.count, 'item', 'items')} of the settlement account ${many(each.count, 'has', 'have')} no match and no owner, ${inAll(each)}`,
    cause: (side) => (side === 'inLedgerOnly' ? 'in the ledger only' : 'on the statement only'),
    calls: () => [['listSettlementItems', {}]],
  },
}

/** Lists what needs a person, as far as the key may see it. */
export async function listAttention(lookUp: LookUp, asker: Asker): Promise<Page<AttentionItem>> {
  const { directory, connected, accounting } = lookUp
  const { organisationId } = asker.holder
  const concerns = await directory.attention(organisationId)
  const proposals = await lookUp.proposals?.waiting(asker.holder, MOST + 1)
  const queues = [...(proposals ? [{ name: 'waitingProposals' as const, ...proposals }] : []), ...concerns.queues]
  const items = queues
    .filter(({ name }) => !connected || name === 'failingEndpoints')
    .map((queue) => waitingItem(asker, concerns, queue))
  if (!connected) items.push(heldItem(asker, concerns), ratesItem(asker, concerns), limitsItem(asker, concerns))
  if (accounting) items.push(await checkItem(lookUp, asker, concerns))
  const levels: AttentionItem['level'][] = ['urgent', 'soon', 'inOrder']
  const shown = items.filter((item) => item !== undefined)
  return new Page(
    shown.toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level)),
    false,
  )
}

function waitingItem(
  asker: Asker,
  concerns: Concerns,
  { name, ...waiting }: Concerns['queues'][number],
): AttentionItem | undefined {
  const kind = kinds[name]
  if (!kind) throw new Error(`${name} has no words`)
  const operation = firstAllowed(asker, kind.calls(concerns, waiting))
  const { command = null, type } = kind
  if (!operation && (command === null || !allows(asker.holder, 'banking:read'))) return undefined
  const count = Math.min(waiting.count, MOST)
  const more = waiting.count > MOST
  const now = name === 'failingEndpoints' ? instantOf(clock.nowMs()) : concerns.now
  return {
    kind: name,
    level: kind.level,
    words: kind.words({ ...waiting, number: `${count.toLocaleString('en-US')}${more ? '+' : ''}` }),
    cause: causeOf(waiting.whys, kind.cause),
    count,
    more,
    amount: waiting.amount > 0 ? waiting.amount : null,
    since: waiting.since,
    ageSeconds: secondsBetween(waiting.since, now),
    records: type ? waiting.ids.map((id) => ({ type, id })) : [],
    operation,
    command,
  }
}

function firstAllowed({ about, holder }: Asker, calls: Call[]): AttentionItem['operation'] {
  for (const [id, input] of calls) {
    const operation = about.operations.find((one) => one.id === id)
    if (operation && missingScope(holder, operation) === undefined)
      return { id, path: pathOf(operation.path, input), input }
  }
  return null
}

/** The path of a call, with its members in place of the names or after them. */
function pathOf(path: string, input: Record<string, unknown>): string {
  const rest = new Map(Object.entries(input))
  const filled = path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(String(value))
  })
  const search = new URLSearchParams(
    [...rest].map(([name, value]): [string, string] => [name, [value].flat().join(',')]),
  )
  return rest.size === 0 ? filled : `${filled}?${search}`
}

function secondsBetween(since: string, now: string): number {
  return Math.max(0, Math.round((Date.parse(now) - Date.parse(since)) / 1_000))
}

/** How many causes an item names. */
const CAUSES = 3

/** Why records wait, the most frequent causes first, with their numbers if there are several. */
function causeOf(whys: readonly (string | null)[], inWords: (why: string) => string = words): string | null {
  const counts = new Map<string, number>()
  for (const why of whys) if (why !== null) counts.set(why, (counts.get(why) ?? 0) + 1)
  const most = [...counts].sort(([, one], [, other]) => other - one)
  const shown = most.slice(0, CAUSES).map(([why, count]) => `${most.length > 1 ? `${count} × ` : ''}${inWords(why)}`)
  return shown.length === 0 ? null : [...shown, ...(most.length > CAUSES ? ['others'] : [])].join(', ')
}

const nothing = {
  cause: null,
  count: 1,
  more: false,
  amount: null,
  since: null,
  ageSeconds: null,
  records: [],
  operation: null,
  command: null,
}

function heldItem({ holder }: Asker, { railHeld }: Concerns): AttentionItem | undefined {
  if (!railHeld || !allows(holder, 'banking:read')) return undefined
  const words = 'ACH is held: no file leaves until the operator has decided'
  return { ...nothing, kind: 'railHeld', level: 'urgent', words, cause: railHeld, command: 'purser ach resume' }
}

function ratesItem(asker: Asker, { rates }: Concerns): AttentionItem | undefined {
  const operation = firstAllowed(asker, [['getReturnRates', {}]])
  if (rates.length === 0 || !operation) return undefined
  const words = rates.map(({ company, rate: { kind, rate, limit, status } }) => {
    const whose = company === undefined ? '' : ` of ${company}`
    const stopped = status === 'Stopped' ? ', so that new ones are refused' : ''
    return `${rate / 100} % of the debits${whose} were returned (${kind}, limit ${limit / 100} %)${stopped}`
  })
  const isWarning = rates.every(({ rate }) => rate.status === 'Warning')
  const level = isWarning ? 'soon' : 'urgent'
  const cause = `Debits of the last ${RATE_DAYS} days`
  return { ...nothing, kind: 'returnRates', level, words: words.join('; '), cause, count: rates.length, operation }
}

function limitsItem(asker: Asker, { accounts, own }: Concerns): AttentionItem | undefined {
  const [fullest] = accounts
  const count = accounts.length + own.length
  if (count === 0 || !allows(asker.holder, 'banking:read')) return undefined
  const words = [
    ...own.map(
      ({ period, used, limit }) => `${percent(used, limit)} of the organisation's limit of the ${period} is used`,
    ),
    ...(fullest
      ? [
          `${accounts.length} ${many(accounts.length, 'account has', 'accounts have')} used most of a limit, at most ${percent(fullest.used, fullest.limit)}`,
        ]
      : []),
  ]
  return {
    ...nothing,
    kind: 'nearLimits',
    level: 'soon',
    words: words.join('; '),
    cause: causeOf(
      accounts.map(({ period }) => period),
      (period) => `limit of the ${period}`,
    ),
    count: Math.min(count, MOST),
    more: count > MOST,
    records: accounts.slice(0, SHOWN).map(({ id }) => ({ type: 'account', id })),
    operation: fullest ? firstAllowed(asker, [['listAccounts', { nearLimit: true }]]) : null,
    command: own.length > 0 ? 'purser organisations limits' : null,
  }
}

function percent(used: number, limit: number): string {
  return `${Math.floor((used / Math.max(1, limit)) * 100)} %`
}

async function checkItem({ accounting }: LookUp, asker: Asker, { now }: Concerns): Promise<AttentionItem | undefined> {
  const operation = firstAllowed(asker, [['getLedgerVerification', {}]])
  if (!operation || !accounting) return undefined
  const { status, checkedAt, laws } = await accounting.getLedgerVerification(asker.holder)
  const broken = laws.filter(({ holds }) => holds === false)
  const ageSeconds = checkedAt === null ? null : secondsBetween(checkedAt, now)
  const isOld = ageSeconds === null || ageSeconds > OLD_CHECK_SECONDS || status !== 'Holds'
  const words = {
    NotRun: 'The laws of the ledger were not checked yet',
    Holds: `All ${laws.length} laws of the ledger hold`,
    Broken: `${broken.length} of ${laws.length} laws of the ledger ${many(broken.length, 'is', 'are')} broken`,
    Incomplete: 'The last check of the ledger ran out of time',
  }[status as 'Holds']
  return {
    ...nothing,
    kind: 'ledgerCheck',
    level: status === 'Broken' ? 'urgent' : isOld ? 'soon' : 'inOrder',
    words,
    cause: broken.length > 0 ? broken.map(({ law }) => law).join(', ') : null,
    count: status === 'Broken' ? broken.length : 0,
    since: checkedAt,
    ageSeconds,
    operation,
  }
}
