import type { ListedTransaction, Transaction } from '../../../banking/transactions/transaction.ts'
import { cents, idOf, instant, optionalText, type Resource, tagsOf, text } from '../resource.ts'
import { counterpartyOf } from './payment.ts'

/** In a list flat, without what it is related to. */
export function listedTransaction(resource: Resource): ListedTransaction {
  return { type: resource.type, id: idOf(resource), ...attributesOf(resource), tags: tagsOf(resource) }
}

/** By itself whole, as the upstream gives it; the interface's own members are complete. */
export function transaction(resource: Resource): Transaction {
  return {
    type: resource.type,
    id: idOf(resource),
    attributes: { ...resource.attributes, ...attributesOf(resource), tags: tagsOf(resource) },
    relationships: resource.relationships as Transaction['relationships'],
  }
}

function attributesOf(resource: Resource) {
  return {
    createdAt: instant(resource, 'createdAt'),
    amount: cents(resource, 'amount'),
    direction: text(resource, 'direction'),
    balance: cents(resource, 'balance'),
    summary: optionalText(resource, 'summary') ?? '',
    counterparty: counterpartyOf(resource),
  }
}
