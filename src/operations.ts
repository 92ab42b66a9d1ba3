import { closeAccount } from './banking/accounts/close-account.ts'
import { createAccount } from './banking/accounts/create-account.ts'
import { freezeAccount } from './banking/accounts/freeze-account.ts'
import { getAccount } from './banking/accounts/get-account.ts'
import { listAccounts } from './banking/accounts/list-accounts.ts'
import { reopenAccount } from './banking/accounts/reopen-account.ts'
import { unfreezeAccount } from './banking/accounts/unfreeze-account.ts'
import { createApplication } from './banking/applications/create-application.ts'
import { getApplication } from './banking/applications/get-application.ts'
import { uploadDocumentBack } from './banking/applications/upload-document-back.ts'
import { uploadDocumentFront } from './banking/applications/upload-document-front.ts'
import { createVerificationToken } from './banking/customers/create-verification-token.ts'
import { getCustomer } from './banking/customers/get-customer.ts'
import { listCustomers } from './banking/customers/list-customers.ts'
import { createExternalAccount } from './banking/external-accounts/create-external-account.ts'
import { deleteExternalAccount } from './banking/external-accounts/delete-external-account.ts'
import { listExternalAccounts } from './banking/external-accounts/list-external-accounts.ts'
import { createPayment } from './banking/payments/create-payment.ts'
import { getPayment } from './banking/payments/get-payment.ts'
import { listPayments } from './banking/payments/list-payments.ts'
import { getTransaction } from './banking/transactions/get-transaction.ts'
import { listTransactions } from './banking/transactions/list-transactions.ts'
import type { Operation } from './base/operation.ts'
import { approveApplication } from './sandbox/approve-application.ts'
import { approveDocument } from './sandbox/approve-document.ts'
import { createCustomer } from './sandbox/create-customer.ts'
import { denyApplication } from './sandbox/deny-application.ts'
import { receiveAch } from './sandbox/receive-ach.ts'
import { rejectDocument } from './sandbox/reject-document.ts'
import { returnPayment } from './sandbox/return-payment.ts'

/**
 * Every operation of the service, one line each. Routes, validation, types, OpenAPI and the generated tests come
 * from this list.
 */
export const operations: Operation[] = [
  createVerificationToken, // B2
  getTransaction, // B3
  listTransactions, // B4
  createPayment, // B8
  getPayment, // B9
  listPayments, // B10
  createExternalAccount, // B11
  listExternalAccounts, // B12
  createAccount, // B14
  reopenAccount, // B15
  getAccount, // B16
  uploadDocumentBack, // B17

  listAccounts,
  closeAccount,
  freezeAccount,
  unfreezeAccount,
  listCustomers,
  getCustomer,
  deleteExternalAccount,
  createApplication,
  getApplication,
  uploadDocumentFront,

  createCustomer,
  receiveAch,
  returnPayment,
  approveApplication,
  denyApplication,
  approveDocument,
  rejectDocument,
]
