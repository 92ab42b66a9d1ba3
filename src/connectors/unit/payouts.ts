import { createPayment } from '../../banking/payments/create-payment.ts'
import type { Payment } from '../../banking/payments/payment.ts'
import type { Write } from '../../base/operation.ts'
import { sha256 } from '../../base/sha256.ts'
import type { Payouts } from '../../rewards/purchases.ts'
import { acceptedPayment } from './mapping/payment.ts'
import { connectorOf, relation, type UnitParts } from './parts.ts'

/** Pays cash back by a book payment from the funding account. */
export function openUnitPayouts(parts: UnitParts, fundingAccountId: string): Payouts {
  const { create } = connectorOf(parts)
  return {
    async pay({ organisationId, rewardId, purchaseId, isBegunByReward, accountId, amount }) {
      const of = isBegunByReward ? `reward ${rewardId}` : `purchase ${purchaseId}`
      const { body } = await create(payoutWrite(organisationId, of), createPayment, {
        ids: [
          [fundingAccountId, 'account_not_found'],
          [accountId, 'account_not_found'],
        ],
        path: '/payments',
        data: {
          type: 'bookPayment',
          attributes: {
            amount,
            description: 'Cash back',
            tags: { originalType: 'REWARD', rewardId: String(rewardId) },
          },
          relationships: {
            account: relation('depositAccount', fundingAccountId),
            counterpartyAccount: relation('depositAccount', accountId),
          },
        },
        map: acceptedPayment,
      })
      return JSON.parse(body).data.id
    },
  }
}

/**
 * The write of a payout: its key is made of the purchase, so that a payout that broke off is resumed. A restored database
 * gives ids of rewards again, to other rewards. The key contains spaces, which no caller's key does.
 */
function payoutWrite(organisationId: number, of: string): Write<Payment> {
  return {
    caller: { organisationId, keyId: 0 },
    requestId: null,
    key: {
      text: null,
      hash: sha256(`payout of ${of}`),
      fingerprint: Buffer.alloc(32),
      fromCaller: true,
    },
    render: (data) => ({ status: 201, body: JSON.stringify({ data }), replayed: false }),
  }
}
