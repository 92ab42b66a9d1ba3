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
    async pay({ organisationId, rewardId, accountId, amount }) {
      const { body } = await create(payoutWrite(organisationId, rewardId), createPayment, {
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

/** The write of a payout: its key is made of the reward, so that a payout that broke off is resumed. The key contains spaces, which no caller's key does. */
function payoutWrite(organisationId: number, rewardId: number): Write<Payment> {
  return {
    caller: { organisationId, keyId: 0 },
    requestId: null,
    key: {
      text: null,
      hash: sha256(`payout of reward ${rewardId}`),
      fingerprint: Buffer.alloc(32),
      fromCaller: true,
    },
    render: (data) => ({ status: 201, body: JSON.stringify({ data }), replayed: false }),
  }
}
