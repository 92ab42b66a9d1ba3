import type { Review } from '../../review/review.ts'
import { decideApplication } from '../customers/applications.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { paymentBankOf } from '../payments/payment-bank.ts'
import { stopPayment } from '../payments/payment-stop.ts'
import { listReviewApplications, requestReviewDocument } from './applications.ts'
import { decideDocument, viewsOf } from './documents.ts'
import { decideExternalAccount, listReviewExternalAccounts } from './external-accounts.ts'
import { listOverSettlements, resolveOverSettlement } from './over-settlements.ts'
import { approvePayment, listReviewPayments, rejectPayment, requireApprovable } from './payments.ts'

/** The work of reviewers at the built-in bank. Decisions run the same commands as the simulations of the sandbox. */
export function reviewOf(bank: BankParts): Review {
  const payments = paymentBankOf(bank)
  return {
    listReviewApplications: (caller, query) => listReviewApplications(bank, caller, query),
    approveReviewApplication: (write, input) => decideApplication(bank, write, input, 'approveReviewApplication'),
    denyReviewApplication: (write, input) => decideApplication(bank, write, input, 'denyReviewApplication'),
    requestReviewDocument: (write, input) => requestReviewDocument(bank, write, input),
    getReviewDocumentContent: viewsOf(bank),
    approveReviewDocument: (write, input) => decideDocument(bank, write, input, 'approveReviewDocument'),
    listReviewExternalAccounts: (caller, query) => listReviewExternalAccounts(bank, caller, query),
    approveExternalAccount: (write, input) => decideExternalAccount(bank, write, input, 'approveExternalAccount'),
    rejectExternalAccount: (write, input) => decideExternalAccount(bank, write, input, 'rejectExternalAccount'),
    rejectReviewDocument: (write, input) => decideDocument(bank, write, input, 'rejectReviewDocument'),
    listReviewPayments: (caller, query) => listReviewPayments(bank, caller, query),
    listOverSettlements: (caller, query) => listOverSettlements(bank, caller, query),
    resolveOverSettlement: (write, input) => resolveOverSettlement(bank, write, input),
    requireApprovable: (caller, paymentId) => requireApprovable(payments, caller, paymentId),
    approvePayment: (write, input) => approvePayment(payments, write, input),
    rejectPayment: (write, input) => rejectPayment(payments, write, input),
    stopPayment: (write, input) => stopPayment(payments, write, input),
  }
}
