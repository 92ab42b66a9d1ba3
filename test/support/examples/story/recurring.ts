import type { Call, Cast } from './cast.ts'

/** A rent that is paid each month, and a savings plan whose first run is due. */
export async function payEachMonth(
  call: Call,
  { accountId, secondAccountId, externalAccountId }: Cast,
): Promise<{ rentId: string; planId: string }> {
  const rent = await call('createRecurringPayment', {
    body: {
      ...{ type: 'achPayment', accountId, counterpartyAccountId: externalAccountId, amount: 900_00 },
      description: 'Rent',
      ...{ interval: 'Monthly', startDate: '2026-07-01', onMissingMoney: 'Retry', retryDays: 5 },
    },
  })
  const params = { recurringPaymentId: rent.id }
  await call('changeRecurringPayment', { params, body: { amount: 950_00, from: '2026-10-01' } })
  await call('skipRecurringPayment', { params, body: { date: '2026-08-01' } })
  await call('pauseRecurringPayment', { params })
  await call('resumeRecurringPayment', { params })
  await call('getRecurringPayment', { params })
  await call('listRecurringPayments', { query: { accountId, limit: 2 } })
  await call('listPlannedPayments', { params: { accountId }, query: { until: '2026-11-30' } })
  const savings = {
    type: 'bookPayment',
    accountId,
    toAccountId: secondAccountId,
    amount: 50_00,
    description: 'Savings',
  }
  const plan = await call('createRecurringPayment', {
    body: { ...savings, interval: 'Weekly', startDate: '2026-06-15' },
  })
  return { rentId: rent.id, planId: plan.id }
}

/** The run of the savings plan, which is canceled then. */
export async function endPlan(call: Call, planId: string): Promise<void> {
  const params = { recurringPaymentId: planId }
  await call('listRecurringPaymentRuns', { params, query: { limit: 2 } })
  await call('cancelRecurringPayment', { params })
}
