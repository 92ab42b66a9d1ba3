/**
 * A model of recurring payments that finds due dates by looking at each day of the calendar. It shares no code with the bank:
 * days are numbers since 1970, and holidays and the time of New York follow from the weekday.
 */

const DAY_MS = 86_400_000

export interface Rules {
  interval: string
  startDate: string
  endDate?: string
  count?: number
  days?: number[]
  onClosedDay: 'Before' | 'After' | 'AsItComes'
  onMissingMoney: 'Skip' | 'Retry' | 'Stop'
  retryDays?: number
  onReturn: 'Stop' | 'GoOn'
  amount: number
}

export interface ModelRun {
  dueDate: string
  status: string
  reason: string | null
  amount: number
  /** The instant of its payment. */
  paidAt?: number
}

const numberOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / DAY_MS
const textOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

function partsOf(day: number) {
  const date = new Date(day * DAY_MS)
  const [year, month, of] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
  return { year, month, of, weekday: date.getUTCDay(), last: new Date(Date.UTC(year, month, 0)).getUTCDate() }
}

function isHoliday(day: number, isMoved = true): boolean {
  const { month, of, weekday, last } = partsOf(day)
  if ([101, 619, 704, 1111, 1225].includes(month * 100 + of) && weekday !== 0) return true
  if (weekday === 4) return month === 11 && of > 21 && of < 29
  if (weekday !== 1) return !isMoved && [101, 619, 704, 1111, 1225].includes(month * 100 + of)
  if (month === 5 && of > last - 7) return true
  if ([1, 2].includes(month) && of > 14 && of < 22) return true
  if ((month === 9 && of < 8) || (month === 10 && of > 7 && of < 15)) return true
  return isMoved && isHoliday(day - 1, false)
}

function isOpen(day: number): boolean {
  return ![0, 6].includes(partsOf(day).weekday) && !isHoliday(day)
}

/** 09:00 in New York: daylight saving time lasts from the second Sunday in March to the first in November. */
export function nineInNewYork(day: number): number {
  const { year } = partsOf(day)
  const sundays = (month: number) => {
    const first = Date.UTC(year, month - 1, 1) / DAY_MS
    return first + ((7 - partsOf(first).weekday) % 7)
  }
  const isSummer = day >= sundays(3) + 7 && day < sundays(11)
  return day * DAY_MS + (isSummer ? 13 : 14) * 3_600_000
}

export class ModelPlan {
  status = 'Active'
  reason: string | undefined
  runs: ModelRun[] = []
  skipped = new Set<string>()
  changes: { from: string; amount: number }[] = []
  /** The day after which the next due date is looked for. */
  private behind: number
  private tries = 0
  private due: number | undefined
  /** The instant of the next run. */
  at: number | undefined

  readonly rules: Rules

  constructor(rules: Rules, now: number) {
    this.rules = rules
    this.behind = numberOf(rules.startDate) - 1
    this.toNext()
    if (this.at !== undefined) this.at = Math.max(this.at, now)
  }

  private isDue(day: number): boolean {
    const { interval, startDate, days } = this.rules
    const start = numberOf(startDate)
    const { month, of, last } = partsOf(day)
    const from = partsOf(start)
    const isOn = (wanted: number) => of === Math.min(wanted, last)
    if (interval === 'Once') return day === start
    if (interval === 'Weekly') return (day - start) % 7 === 0
    if (interval === 'EveryTwoWeeks') return (day - start) % 14 === 0
    if (interval === 'Yearly') return month === from.month && isOn(from.of)
    return (days ?? (interval === 'TwiceAMonth' ? [1, 15] : [from.of])).some(isOn)
  }

  private toNext(): void {
    const { endDate, count, interval, startDate } = this.rules
    const isOver = count !== undefined && this.runs.length >= count
    const end = interval === 'Once' ? numberOf(startDate) : endDate === undefined ? Infinity : numberOf(endDate)
    let day = this.behind + 1
    while (day <= end && !this.isDue(day)) day++
    this.due = isOver || day > end ? undefined : day
    this.tries = 0
    this.at = this.due === undefined ? undefined : this.runAt(this.due)
  }

  private runAt(due: number): number {
    let day = due
    const { onClosedDay } = this.rules
    while (onClosedDay !== 'AsItComes' && !isOpen(day)) day += onClosedDay === 'Before' ? -1 : 1
    return nineInNewYork(day)
  }

  private amountOf(due: string): number {
    return this.changes.filter(({ from }) => from <= due).at(-1)?.amount ?? this.rules.amount
  }

  change(amount: number, from: string): void {
    this.changes = [...this.changes.filter((each) => each.from < from), { from, amount }]
  }

  /** Makes the next run with the money that there is, and returns what it paid. */
  run(money: number): number {
    const { due, at } = this
    if (due === undefined || at === undefined) throw new Error('nothing is due')
    const dueDate = textOf(due)
    const amount = this.amountOf(dueDate)
    const { onMissingMoney, retryDays = 3 } = this.rules
    if (this.skipped.has(dueDate)) return this.end('Skipped', 'requested', amount)
    if (this.status === 'Paused') return this.end('Skipped', 'paused', amount)
    if (amount <= money) {
      this.end('Succeeded', null, amount, at)
      return amount
    }
    const again = nineInNewYork(Math.floor(at / DAY_MS) + 1)
    const following = this.following(due)
    if (onMissingMoney === 'Retry' && this.tries < retryDays && !(following !== undefined && again >= following)) {
      this.tries++
      this.at = again
      return 0
    }
    this.end('Failed', 'insufficient_funds', amount)
    if (onMissingMoney === 'Stop' && this.status !== 'Completed') this.stop('Stopped', 'insufficient_funds')
    return 0
  }

  /** The instant of the run after the next one. */
  private following(due: number): number | undefined {
    const { endDate, count, interval } = this.rules
    if (interval === 'Once' || (count !== undefined && this.runs.length + 1 >= count)) return undefined
    let day = due + 1
    while (!this.isDue(day)) day++
    return endDate !== undefined && day > numberOf(endDate) ? undefined : this.runAt(day)
  }

  private end(status: string, reason: string | null, amount: number, paidAt?: number): number {
    const dueDate = textOf(this.due ?? 0)
    this.runs.push({ dueDate, status, reason, amount, ...(paidAt !== undefined && { paidAt }) })
    this.behind = this.due ?? 0
    this.toNext()
    if (this.due === undefined) this.status = 'Completed'
    return 0
  }

  /** The due date that a request without one skips. */
  skipNext(): void {
    let day = this.due ?? 0
    while (this.skipped.has(textOf(day)) || !this.isDue(day)) day++
    this.skipped.add(textOf(day))
  }

  stop(status: string, reason?: string): void {
    if (this.tries > 0 && this.due !== undefined) {
      const dueDate = textOf(this.due)
      this.runs.push({ dueDate, status: 'Failed', reason: 'insufficient_funds', amount: this.amountOf(dueDate) })
    }
    this.status = status
    this.reason = reason
    this.due = undefined
    this.at = undefined
    this.tries = 0
  }
}
