import type { AnyKind } from '../../ledger/kinds.ts'
import { achBatches, buildingFiles } from './ach-files.ts'
import { paymentBlocks } from './blocks/payment-blocks.ts'
import { activations } from './campaigns/activations.ts'
import { budgets } from './campaigns/budgets.ts'
import { authorizations, cards } from './cards.ts'
import { debitSources, debits, debitUsage } from './debits/debits.ts'
import { companyReturns, returnCounts } from './debits/return-rates.ts'
import { holds } from './holds.ts'
import { accountUsage, organisationShares } from './limits.ts'
import { payees, payments } from './payments.ts'
import { purchases } from './purchases.ts'
import { receivedPayments } from './received.ts'
import { recurringPayments } from './recurring/recurring-payments.ts'
import { reviews } from './reviews.ts'

/**
 * The kinds of records that the lane of the bank works with. A batch reads and writes them in this order, after the accounts. Locks are
 * therefore always taken in one order, and a kind can use the records of those before it.
 */
export const bankKinds = [
  purchases,
  activations,
  budgets,
  payees,
  debitSources,
  payments,
  accountUsage,
  organisationShares,
  debitUsage,
  returnCounts,
  companyReturns,
  debits,
  reviews,
  authorizations,
  cards,
  holds,
  buildingFiles,
  achBatches,
  receivedPayments,
  recurringPayments,
  paymentBlocks,
] as AnyKind[]
