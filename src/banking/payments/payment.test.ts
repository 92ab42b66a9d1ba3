import { describe, expect, test } from 'vitest'
import { outcomeOf } from '../../../test/support/state-rules.ts'
import { paymentRules, paymentStatuses } from './payment.ts'

describe('the rules of a payment', () => {
  test.each(paymentStatuses)('let a payment that is %s be returned only where it has left', (status) => {
    const outcome = status === 'Clearing' || status === 'Sent' ? 'Returned' : 'payment_not_returnable'
    expect(outcomeOf(paymentRules, 'returnPayment', status)).toBe(outcome)
  })
})
