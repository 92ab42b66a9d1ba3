import * as cardsSql from '../../../src/bank/records/cards.sql.ts'
import * as holdsSql from '../../../src/bank/records/holds.sql.ts'
import { bankKinds } from '../../../src/bank/records/kinds.ts'
import * as paymentsSql from '../../../src/bank/records/payments.sql.ts'
import * as purchasesSql from '../../../src/bank/records/purchases.sql.ts'
import type {
  LedgerAuthorization,
  LedgerHold,
  LedgerPayment,
  LedgerPurchase,
  LedgerReward,
} from '../../../src/bank/records/records.ts'
import type { Queryable } from '../../../src/database/database.ts'
import * as ledgerSql from '../../../src/ledger/ledger.sql.ts'
import { rowsWriter } from '../../../src/ledger/write-batch.sql.ts'

const time = '2026-01-01T00:00:00.000Z'
const payment = {
  id: 1,
  status: 'Sent',
  returnCode: null,
  achFileId: null,
  traceNumber: null,
  version: 2,
} as unknown as LedgerPayment
const authorization = {
  ...{ id: 1, status: 'Authorized', amount: 1, settled: 0, refunded: 0, overSettlement: null, version: 1 },
} as LedgerAuthorization
const hold = { id: 1, status: 'Released', endedAt: time, version: 2 } as LedgerHold
const reward = {
  id: 1,
  userAmount: 1,
  issuerAmount: 1,
  state: 'PAID',
  paymentId: 1,
  rewardPaymentId: 1,
  paidAt: time,
  updatedAt: time,
  version: 1,
} as LedgerReward
const purchase = { id: 1, organisationId: 1, refunded: 0, version: 1, updatedAt: time, reward } as LedgerPurchase
const earning = { authorizationId: 1, partnerUserIds: [1], linkId: 1, offerIds: ['a'] }
const noRows = { transfers: [], accounts: [], answers: [], events: [] }

/** The statements of a batch of the lane. */
export const batchStatements: [string, (queryable: Queryable) => Promise<unknown>][] = [
  ['to lock accounts', (queryable) => ledgerSql.lockAccounts(queryable, [1])],
  ['to lock free accounts', (queryable) => ledgerSql.lockFreeAccounts(queryable, [1])],
  ['to read payees', (queryable) => paymentsSql.readPayees(queryable, [1])],
  ['to read cards', (queryable) => cardsSql.readCards(queryable, [1])],
  ['to read authorizations', (queryable) => cardsSql.readAuthorizations(queryable, [1])],
  ['to read holds', (queryable) => holdsSql.readHolds(queryable, [1])],
  ['to read payments', (queryable) => paymentsSql.readPayments(queryable, [1])],
  ['to read times and keys', (queryable) => ledgerSql.readTimesAndKeys(queryable, [1], [Buffer.alloc(32)])],
  ['to read what is earned by', (queryable) => purchasesSql.lockEarning(queryable, [earning], 'wait')],
  ['to write a batch', (queryable) => rowsWriter(bankKinds)(queryable, noRows, new Map())],
  ['to change payments', (queryable) => paymentsSql.writeChangedPayments(queryable, [payment])],
  [
    'to change authorizations',
    (queryable) => cardsSql.writeAuthorizations(queryable, { inserted: [], updated: [authorization] }),
  ],
  ['to end holds', (queryable) => holdsSql.writeHolds(queryable, { inserted: [], updated: [hold] })],
  [
    'to change purchases',
    (queryable) => purchasesSql.writePurchases(queryable, { inserted: [], rewarded: [], updated: [purchase] }),
  ],
]
