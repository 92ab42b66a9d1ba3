import type { Clock } from '../../client/src/index.ts'
import { useCall, useMay, useSession } from './purser.tsx'

const DAY_MS = 86_400_000

/**
 * Today in bank time, `2026-01-31`; undefined until it is known, and null where the key may not read the clock of a sandbox.
 * In live mode bank time is real time.
 */
export function useBankDay(): string | null | undefined {
  const { me } = useSession()
  const may = useMay('getClock')
  const { data } = useCall('getClock', {}, { everyMs: 60_000 })
  if (me.mode === 'live') return new Date().toISOString().slice(0, 10)
  return may ? data?.now.slice(0, 10) : null
}

/** The clock as it was read, which runs on since then unless it is frozen. */
export function bankTime(clock: Pick<Clock, 'now' | 'frozen'> | undefined, sinceMs: number): string | undefined {
  if (!clock || clock.frozen) return clock?.now
  return new Date(Date.parse(clock.now) + Math.max(0, sinceMs)).toISOString()
}

/** The day that comes `days` after another one; before it where the number is negative. */
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
