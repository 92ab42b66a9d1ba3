import { getAuthorization } from '../../banking/authorizations/get-authorization.ts'
import { getTransaction } from '../../banking/transactions/get-transaction.ts'
import { Problem } from '../../base/problem.ts'
import type { UpstreamPurchase } from '../../rewards/purchases.ts'
import { IN_ANY_STATE } from './authorizations.ts'
import { connectorOf, type UnitParts } from './parts.ts'
import { cents, childOf, idOf, instant, optionalText, type Resource, relatedId } from './resource.ts'

/** Reads a transaction; undefined if it is not a purchase by card. */
export type ReadPurchase = (accountId: string, transactionId: string) => Promise<UpstreamPurchase | undefined>

export function purchaseReader(parts: UnitParts): ReadPurchase {
  const { one } = connectorOf(parts)

  /** When the card was used, which may be days before the settlement. An offer must have been live then. */
  async function authorizedAt(authorizationId: string): Promise<string | undefined> {
    const path = `/authorizations/${authorizationId}${IN_ANY_STATE}`
    return one(getAuthorization, [authorizationId], path, (resource) => instant(resource, 'createdAt')).catch(
      (error: unknown) => {
        if (error instanceof Problem && error.code === 'authorization_not_found') return undefined
        throw error
      },
    )
  }

  return async (accountId, transactionId) => {
    const path = `/accounts/${accountId}/transactions/${transactionId}`
    const transaction = await one(getTransaction, [accountId, transactionId], path, (resource: Resource) => resource)
    const cardId = relatedId(transaction, 'card')
    const isPurchase = transaction.type === 'purchaseTransaction' && transaction.attributes.direction === 'Debit'
    if (!isPurchase || cardId === undefined) return undefined
    const merchant = childOf(transaction.attributes, 'merchant')
    const authorizationId = relatedId(transaction, 'authorization')
    const usedAt = authorizationId === undefined ? undefined : await authorizedAt(authorizationId)
    return {
      transactionId: idOf(transaction),
      cardId,
      accountId,
      amount: cents(transaction, 'amount'),
      merchantName: word(merchant.name) || (optionalText(transaction, 'summary') ?? ''),
      merchantLocation: word(merchant.location),
      merchantId: word(merchant.id) || null,
      categoryCode: codeOf(merchant.type),
      purchasedAt: usedAt ?? instant(transaction, 'createdAt'),
    }
  }
}

/** Unit writes the code as a number, or as a text. */
function codeOf(type: unknown): string | null {
  const code = String(type ?? '').padStart(4, '0')
  return /^\d{4}$/.test(code) && code !== '0000' ? code : null
}

function word(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
