import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SourceKind } from '../../../ledger/records.ts'
import { transaction, transactionJson } from './transaction-view.ts'
import type { TransactionRow } from './transactions.sql.ts'

const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
/** Few, so that the payer is often the account itself. */
const accountId = fc.integer({ min: 1_000_000, max: 1_000_002 })
const word = fc.string({ unit: 'binary' })
const sourceKinds: SourceKind[] = [
  'payment',
  'payment_return',
  'received_ach',
  'card_settlement',
  'card_refund',
  'reward',
  'reward_clawback',
]
const row: fc.Arbitrary<TransactionRow> = fc.record({
  id,
  organisationId: id,
  accountId,
  customerId: id,
  amount: id,
  direction: fc.constantFrom('Credit', 'Debit'),
  balance: fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
  createdAt: fc.constant('2026-01-31T12:00:00.000Z'),
  sourceKind: fc.constantFrom(...sourceKinds),
  party: fc.option(word),
  description: fc.option(word),
  payment: fc.option(
    fc.record({
      id,
      accountId,
      externalAccountId: fc.option(id),
      description: word,
      name: word,
      routingNumber: word,
      accountNumber: word,
      accountType: word,
    }),
  ),
  other: fc.record({ id, customerId: fc.option(id), name: word, accountNumber: word }),
})

test('a transaction that is written out is the transaction as JSON', () => {
  fc.assert(
    fc.property(row, (each) => {
      expect(transactionJson(each, '812345678')).toBe(JSON.stringify(transaction(each, '812345678')))
    }),
    { numRuns: 1_000 },
  )
})
