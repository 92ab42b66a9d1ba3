// The plain way: sums over the rewards of a campaign.
// What it cost: a batch would read all rewards of its campaigns.
// The test that compares: test/properties/campaign-budgets.test.ts, and the law about the use of budgets.
import { byId, recordKind } from '../../../ledger/kinds.ts'
import {
  alertsOf,
  type Budget,
  type BudgetAlert,
  budgetPeriods,
  fits,
  isUseKept,
  leftOf,
  periodNames,
  type UseOfPeriods,
} from '../../../rewards/campaigns/budget.ts'
import { lockBudgets, writeUsage, writeVersions } from './budgets.sql.ts'

/** A campaign with the offers and users whose budgets a purchase may use; both are empty for a refund. */
export interface BudgetId {
  campaignId: number
  offerIds: number[]
  partnerUserIds: number[]
}

export interface LedgerCampaign {
  id: number
  name: string
  status: string
  budget: Budget | null
  userBudget: Budget | null
  version: number
}

/** The use of a holder in a period. The holder is a campaign or an offer of it, for all users or one. */
export interface UsageChange {
  organisationId: number
  campaignId: number
  /** 0 for all offers. */
  offerId: number
  /** 0 for all users. */
  partnerUserId: number
  period: string
  amount: number
  count: number
}

export interface ReadBudgets {
  campaigns: LedgerCampaign[]
  offers: { id: number; budget: Budget | null; userBudget: Budget | null }[]
  usage: UsageChange[]
}

/** The offer and the user of a reward. */
export interface Earner {
  organisationId: number
  campaignId: number
  offerId: number
  partnerUserId: number
}

type Holder = Omit<UsageChange, 'period' | 'amount' | 'count'>

interface BudgetBook {
  /** Whether a cash back fits all budgets that it would use now. */
  has(earner: Earner, amount: number): boolean
  /** Uses budgets, or gives them back, in the periods of a time. Returns the alerts of a use, each with the campaign's next version. */
  change(earner: Earner, at: string, change: { amount: number; count: number }): Alert[]
  changes: UsageChange[]
  alerted: Map<number, LedgerCampaign>
}

export interface Alert {
  version: number
  data: BudgetAlert
}

const campaignLock = (id: number) => `campaign ${id}`

/** Budgets of campaigns, their offers and users. */
export const budgets = recordKind({
  name: 'budgets',
  locks: ({ campaignId }: BudgetId) => [campaignLock(campaignId)],
  async read(transaction, ids: BudgetId[], { locking, times, held }): Promise<ReadBudgets[]> {
    const periods = new Set([...times.values()].flatMap((time) => Object.values(periodNames(time))))
    const read = await lockBudgets(transaction, ids, { periods: [...periods], locking })
    const locked = new Set(read.campaigns.map(({ id }) => id))
    const isHeld = (id: number) => locking === 'skip' && !locked.has(id)
    for (const { campaignId } of ids) if (isHeld(campaignId)) held.add(campaignLock(campaignId))
    return [read]
  },
  open([read]: ReadBudgets[], { undo, now }): BudgetBook {
    const campaigns = byId(read?.campaigns ?? [])
    const offers = byId(read?.offers ?? [])
    const usage = new Map<string, UsageChange>()
    for (const each of read?.usage ?? []) usage.set(nameOf(each, each.period), each)
    const changes: UsageChange[] = []
    const alerted = new Map<number, LedgerCampaign>()

    function useOf(holder: Holder, at: string): UseOfPeriods {
      const names = periodNames(at)
      const use = (period: keyof UseOfPeriods) => usage.get(nameOf(holder, names[period])) ?? { amount: 0, count: 0 }
      return { day: use('day'), month: use('month'), total: use('total') }
    }

    function add(holder: Holder, at: string, { amount, count }: { amount: number; count: number }): void {
      const names = periodNames(at)
      for (const each of budgetPeriods) {
        const change = { ...holder, period: names[each], amount, count }
        if (!isUseKept(change.period, now(holder.organisationId))) continue
        const name = nameOf(holder, change.period)
        const before = usage.get(name)
        usage.set(name, {
          ...change,
          amount: (before?.amount ?? 0) + amount,
          count: (before?.count ?? 0) + count,
        })
        undo.push(() => (before ? usage.set(name, before) : usage.delete(name)))
        undo.append(changes, change)
      }
    }

    /** The alerts of a budget after a use, and the versions that their events get. */
    function alert({ campaignId, offerId }: Holder, found: ReturnType<typeof alertsOf>): Alert[] {
      return found.flatMap((each) => {
        const before = campaigns.get(campaignId)
        if (!before) return []
        const campaign = { ...before, version: before.version + 1 }
        undo.replace(campaigns, campaign, before)
        const wasAlerted = alerted.get(campaignId)
        alerted.set(campaignId, campaign)
        undo.push(() => (wasAlerted ? alerted.set(campaignId, wasAlerted) : alerted.delete(campaignId)))
        const { name, status, version } = campaign
        const data = { id: String(campaignId), name, status, offerId: offerId === 0 ? null : String(offerId), ...each }
        return [{ version, data }]
      })
    }

    return {
      has(earner, amount) {
        const limited = holdersOf(earner).map((holder) => ({
          budget: budgetOf(holder, campaigns, offers),
          used: useOf(holder, now(earner.organisationId)),
        }))
        return fits(leftOf(limited), amount)
      },
      change(earner, at, change) {
        return holdersOf(earner).flatMap((holder) => {
          const before = useOf(holder, at)
          add(holder, at, change)
          if (change.amount <= 0 || holder.partnerUserId !== 0) return []
          return alert(holder, alertsOf(budgetOf(holder, campaigns, offers), before, useOf(holder, at)))
        })
      },
      changes,
      alerted,
    }
  },
  async write(transaction, { changes, alerted }) {
    await writeUsage(transaction, summed(changes))
    await writeVersions(transaction, [...alerted.values()])
  },
})

/** All whose budgets a reward uses: the campaign and the offer, for all users and for its own. */
function holdersOf({ organisationId, campaignId, ...own }: Earner): Holder[] {
  return [0, own.offerId].flatMap((offerId) =>
    [0, own.partnerUserId].map((partnerUserId) => ({ organisationId, campaignId, offerId, partnerUserId })),
  )
}

function budgetOf(
  { campaignId, offerId, partnerUserId }: Holder,
  campaigns: Map<number, LedgerCampaign>,
  offers: Map<number, ReadBudgets['offers'][number]>,
): Budget | null {
  const holder = offerId === 0 ? campaigns.get(campaignId) : offers.get(offerId)
  return (partnerUserId === 0 ? holder?.budget : holder?.userBudget) ?? null
}

function nameOf({ campaignId, offerId, partnerUserId }: Holder, period: string): string {
  return `${campaignId} ${offerId} ${partnerUserId} ${period}`
}

/** One change for each row, in the order in which every batch writes them. */
function summed(changes: UsageChange[]): UsageChange[] {
  const sums = new Map<string, UsageChange>()
  for (const change of changes) {
    const name = nameOf(change, change.period)
    const before = sums.get(name)
    sums.set(name, {
      ...change,
      amount: change.amount + (before?.amount ?? 0),
      count: change.count + (before?.count ?? 0),
    })
  }
  return [...sums.values()].sort(
    (a, b) =>
      a.campaignId - b.campaignId ||
      a.offerId - b.offerId ||
      a.partnerUserId - b.partnerUserId ||
      (a.period < b.period ? -1 : 1),
  )
}
