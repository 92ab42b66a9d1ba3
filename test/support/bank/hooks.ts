import { DECISIONS } from '../../../src/bank/parts/decision-hook.ts'
import { SCREENINGS } from '../../../src/bank/screening/screening.ts'
import type { Closers } from '../../../src/base/closers.ts'
import type { Log } from '../../../src/http/log.ts'
import type { Metrics } from '../../../src/http/metrics/metrics.ts'
import { openHook } from '../../../src/webhooks/hook.ts'
import type { TestBankOptions } from './options.ts'

/** The secret that signs questions to the hooks of a test bank. */
export const DECISION_SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`

export function openScreening(
  { screening: url, screeningMs: timeoutMs = 30_000 }: Pick<TestBankOptions, 'screening' | 'screeningMs'>,
  log: Log,
  closers: Closers,
) {
  if (url === undefined) return undefined
  const settings = { url, secret: DECISION_SECRET, timeoutMs }
  const hook = openHook(settings, { name: 'screening', decisions: SCREENINGS, userAgent: 'Purser/test', log })
  closers.add(() => hook.close())
  return hook
}

export function openDecision(
  {
    maxAtOnce,
    onSilence = 'decline',
    timeoutMs = 1_500,
    secret = DECISION_SECRET,
    url,
  }: NonNullable<TestBankOptions['decision']>,
  { log, metrics, closers }: { log: Log; metrics: Metrics | undefined; closers: Closers },
) {
  const parts = { name: 'decision', decisions: DECISIONS, userAgent: 'Purser/test', log, observe: metrics?.hook }
  const hook = openHook({ url, secret, timeoutMs }, { ...parts, ...(maxAtOnce && { maxAtOnce }) })
  closers.add(() => hook.close())
  return { hook, onSilence }
}
