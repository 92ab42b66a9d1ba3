import type { Reward } from './reward.ts'

export type RewardState = Reward['state']

/** Changes of a reward: for each the states that allow it, and the state that follows. */
const transitions = {
  confirm: { PENDING: 'CONFIRMED' },
  pay: { PENDING: 'PAID', CONFIRMED: 'PAID' },
  /** A refund has left nothing of the cash back. */
  refundAll: { PENDING: 'REVERSED', CONFIRMED: 'REVERSED', PAID: 'CLAWED_BACK' },
} as const satisfies Record<string, Partial<Record<RewardState, RewardState>>>

export type RewardChange = keyof typeof transitions

/** The state after a change; undefined if the state does not allow it. */
export function stateAfter(state: RewardState, change: RewardChange): RewardState | undefined {
  const following: Partial<Record<RewardState, RewardState>> = transitions[change]
  return following[state]
}
