import type { CreateFaultRuleRequest, FaultEffect, FaultMatch, FaultRule } from '../../../client/src/index.ts'

/** The effects of rules, by the names that a form has for them. */
export const requestEffects = {
  '503': 'Answer 503, without an effect',
  '500': 'Answer 500, without an effect',
  '429': 'Answer 429, without an effect',
  drop: 'Carry it out, then cut the connection',
  delay: 'Only wait',
} as const
export const deliveryEffects = {
  duplicate: 'Send it twice',
  reorder: 'Send it after a later event',
} as const

/** The rule that the values of a form describe. */
export function ruleOf(values: Record<string, unknown>): CreateFaultRuleRequest {
  const { operation, accountId, eventType, effect, delayMs, probability, times, seed } = values
  const match = eventType === undefined ? { operation, ...(accountId !== undefined && { accountId }) } : { eventType }
  return {
    match: match as CreateFaultRuleRequest['match'],
    effect: { ...effectOf(String(effect)), ...(delayMs !== undefined && { delayMs: delayMs as number }) },
    ...(probability !== undefined && { probability: Number(probability) / 100 }),
    ...(times !== undefined && { times: times as number }),
    ...(seed !== undefined && { seed: seed as number }),
  }
}

function effectOf(name: string): CreateFaultRuleRequest['effect'] {
  if (name === 'drop') return { dropAfterCommit: true }
  if (name === 'delay') return {}
  if (name === 'duplicate' || name === 'reorder') return { [name]: true }
  return { status: Number(name) as 503 }
}

/** The requests or deliveries that a rule is about, in words. */
export function matchText({ operation, accountId, eventType }: FaultMatch): string {
  if (eventType !== undefined) return `Deliveries of ${eventType}`
  return accountId === undefined ? (operation ?? '') : `${operation} of account ${accountId}`
}

/** The effect of a rule, in words. */
export function effectText({ status, delayMs, dropAfterCommit, duplicate, reorder }: FaultEffect): string {
  return [
    delayMs !== undefined && `waits ${delayMs.toLocaleString('en-US')} ms`,
    status !== undefined && `answers ${status}`,
    dropAfterCommit && 'is carried out, then the connection is cut',
    duplicate && 'is sent twice',
    reorder && 'is sent after a later event',
  ]
    .filter((part) => typeof part === 'string')
    .join(', ')
}

/** How often the effect still happens. */
export function leftText({ times, remaining }: FaultRule): string {
  if (times === null || remaining === null) return 'No limit'
  return remaining === 0 ? 'Used up' : `${remaining} of ${times}`
}
