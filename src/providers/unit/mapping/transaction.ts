import type { ListedTransaction, Transaction } from '../../../banking/transactions/transaction.ts'
import { cents, idOf, instant, optionalText, type Resource, tagsOf, text } from '../resource.ts'
import { counterpartyOf } from './payment.ts'

/** A transaction as lists show it: flat, without relationships. */
export function listedTransaction(resource: Resource): ListedTransaction {
  return { type: resource.type, id: idOf(resource), ...attributesOf(resource), tags: tagsOf(resource) }
}

/** A single transaction: all members of the upstream, and every member of the interface. */
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
