import { useEffect, useState } from 'react'
import type { Clock } from '../../client/src/index.ts'
import { useCall, useMay, useSession } from './purser.tsx'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** The time of this machine, which moves on while the component is on screen. */
export function useNow(everyMs: number): number {
  const [nowMs, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return nowMs
}

/**
 * Bank time to the minute, which runs on here since it was read; undefined until it is known, and null if the key may not read
 * the clock of a sandbox. In live mode it is real time.
 */
export function useBankNow(): string | null | undefined {
  const { me } = useSession()
  const may = useMay('getClock')
  const { data, dataUpdatedAt } = useCall('getClock', {})
  const nowMs = useNow(MINUTE_MS)
  if (me.mode === 'live') return new Date(nowMs).toISOString()
  return may ? bankTime(data, nowMs - dataUpdatedAt) : null
}

/** Today in bank time, `2026-01-31` in UTC; undefined or null if `useBankNow` is. */
export function useBankDay(): string | null | undefined {
  const now = useBankNow()
  return now ? now.slice(0, 10) : now
}

/** Today in bank time by the calendar of the ACH operator, in Eastern time; undefined or null if `useBankNow` is. */
export function useSettlementDay(): string | null | undefined {
  const now = useBankNow()
  return now ? easternDay(now) : now
}

const eastern = new Intl.DateTimeFormat('en-US', {
  ...{ timeZone: 'America/New_York', year: 'numeric', month: '2-digit', day: '2-digit' },
})

/** The day of an instant in Eastern time. */
export function easternDay(instant: string): string {
  const parts = eastern.formatToParts(Date.parse(instant))
  const part = (name: string) => parts.find(({ type }) => type === name)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}

/** The clock as it was read, which runs on since then unless it is frozen. */
export function bankTime(clock: Pick<Clock, 'now' | 'frozen'> | undefined, sinceMs: number): string | undefined {
  if (!clock || clock.frozen) return clock?.now
  return new Date(Date.parse(clock.now) + Math.max(0, sinceMs)).toISOString()
}

/** The day that comes `days` after another one; before it if the number is negative. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The month before the one of a day, `2025-12` for `2026-01-31`. */
export function monthBefore(day: string): string {
  return dayAfter(`${day.slice(0, 7)}-01`, -1).slice(0, 7)
}

/** The first day of a curve that ends today: at most `days` long, from the day of opening on, and at least a week. */
export function curveStart(today: string, opened: string, days: number): string {
  const earliest = dayAfter(today, 1 - days)
  const week = dayAfter(today, -6)
  if (opened < earliest) return earliest
  return opened > week ? week : opened
}
