import { isProblem } from 'purser-client'

/**
 * Pays the rent of a month. The idempotency key names the month, so that it is paid once, however often this runs.
 *
 * @param {import('purser-client').Purser} purser
 * @param {{ accountId: string, landlordId: string, amount: number, month: string }} rent
 */
export async function payRent(purser, { accountId, landlordId, amount, month }) {
  try {
    const payment = await purser.payments.create(
      accountId,
      { amount, counterpartyAccountId: landlordId, originalType: 'ACH', description: 'Rent' },
      { idempotencyKey: `rent-${accountId}-${month}` },
    )
    return { paid: true, paymentId: payment.id }
  } catch (error) {
    if (isProblem(error, 'insufficient_funds')) return { paid: false, reason: error.detail }
    throw error
  }
}
