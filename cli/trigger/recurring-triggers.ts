import type { EventType, OperationId } from '../../client/src/index.ts'
import type { Stage } from './stage.ts'
import type { Trigger } from './trigger.ts'

const calls = [
  'createCustomer',
  'createAccount',
  'receiveAch',
  'createExternalAccount',
  'createRecurringPayment',
] as const satisfies OperationId[]
const takes = ['account', 'customer', 'externalAccount'] as const

/** Events of recurring payments that requests lead to. */
export const recurringTriggers = {
  'recurringPayment.created': {
    does: 'Creates a monthly payment.',
    ...{ takes, calls },
    play: (stage) => stage.recurringPayment(),
  },
  'recurringPayment.changed': {
    does: 'Skips the next due date of a monthly payment.',
    takes,
    calls: [...calls, 'skipRecurringPayment'],
    play: (stage) => changed(stage, 'skip'),
  },
  'recurringPayment.paused': {
    does: 'Pauses a monthly payment.',
    takes,
    calls: [...calls, 'pauseRecurringPayment'],
    play: (stage) => changed(stage, 'pause'),
  },
  'recurringPayment.resumed': {
    does: 'Pauses a monthly payment and resumes it.',
    takes,
    calls: [...calls, 'pauseRecurringPayment', 'resumeRecurringPayment'],
    play: async (stage) => (await stage.purser.recurringPayments.resume(await changed(stage, 'pause'))).id,
  },
  'recurringPayment.canceled': {
    does: 'Cancels a monthly payment.',
    takes,
    calls: [...calls, 'cancelRecurringPayment'],
    play: (stage) => changed(stage, 'cancel'),
  },
} as const satisfies Partial<Record<EventType, Trigger>>

async function changed(stage: Stage, how: 'skip' | 'pause' | 'cancel'): Promise<string> {
  const id = await stage.recurringPayment()
  const { recurringPayments } = stage.purser
  return (await (how === 'skip' ? recurringPayments.skip(id, {}) : recurringPayments[how](id))).id
}
