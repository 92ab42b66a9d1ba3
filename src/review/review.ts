import { type Static, Type } from 'typebox'
import type { Application } from '../banking/applications/application.ts'
import type { Document } from '../banking/applications/document.ts'
import type { OverSettlement } from '../banking/authorizations/over-settlement.ts'
import type { ExternalAccount } from '../banking/external-accounts/external-account.ts'
import type { Payment } from '../banking/payments/payment.ts'
import { type Answer, type Caller, type FileContent, operationsOver, type Write } from '../base/operation.ts'
import type { Page } from '../base/page.ts'
import { Text } from '../base/text.ts'
import type { ListOverSettlementsQuery } from './list-over-settlements.ts'
import type { ListReviewApplicationsQuery } from './list-review-applications.ts'
import type { ListReviewExternalAccountsQuery } from './list-review-external-accounts.ts'
import type { ListReviewPaymentsQuery } from './list-review-payments.ts'
import type { ReviewApplication } from './review-application.ts'
import type { ReviewPayment } from './review-payment.ts'

/** The body of a decision that needs a reason, which is kept. */
export const DecisionBody = Type.Object(
  { reason: Text(1, 255, { description: 'Why it is decided so', examples: ['The invoice was checked'] }) },
  { description: 'The decision' },
)
type Decision = Static<typeof DecisionBody>

export interface PaymentDecision extends Decision {
  paymentId: string
}

export interface OverSettlementDecision extends Decision {
  authorizationId: string
}

/** The body of an approval, whose reason may be absent. */
export const ApprovalBody = Type.Object(
  {
    reason: Type.Optional(
      Text(1, 255, {
        description: 'Why it is approved; the audit log shows it',
        examples: ['The passport was checked'],
      }),
    ),
  },
  { description: 'The approval' },
)
type Approval = Static<typeof ApprovalBody>

export interface ApplicationDecision extends Approval {
  applicationId: string
}

export interface DocumentDecision extends Approval {
  documentId: string
}

export interface ExternalAccountDecision extends Approval {
  externalAccountId: string
}

/** A look at a file of a document: who looks, and at which side. */
export interface DocumentView {
  caller: Caller
  requestId: string
  documentId: string
  side: 'front' | 'back'
}

/** The work of reviewers: one method for each operation, under the operation's id. */
export interface Review {
  listReviewApplications(caller: Caller, query: ListReviewApplicationsQuery): Promise<Page<ReviewApplication>>
  approveReviewApplication(write: Write<Application>, input: ApplicationDecision): Promise<Answer>
  denyReviewApplication(write: Write<Application>, input: ApplicationDecision): Promise<Answer>
  requestReviewDocument(write: Write<Document>, input: ApplicationDecision): Promise<Answer>
  getReviewDocumentContent(view: DocumentView): Promise<FileContent>
  approveReviewDocument(write: Write<Document>, input: DocumentDecision): Promise<Answer>
  listReviewExternalAccounts(caller: Caller, query: ListReviewExternalAccountsQuery): Promise<Page<ExternalAccount>>
  approveExternalAccount(write: Write<ExternalAccount>, input: ExternalAccountDecision): Promise<Answer>
  rejectExternalAccount(write: Write<ExternalAccount>, input: ExternalAccountDecision): Promise<Answer>
  rejectReviewDocument(write: Write<Document>, input: DocumentDecision): Promise<Answer>
  listReviewPayments(caller: Caller, query: ListReviewPaymentsQuery): Promise<Page<ReviewPayment>>
  /** The amount and the customer of a payment that waits for a review; throws the refusal of another one. */
  requireApprovable(caller: Caller, paymentId: string): Promise<{ amount: number; customerId: string }>
  approvePayment(write: Write<Payment>, input: PaymentDecision): Promise<Answer>
  rejectPayment(write: Write<Payment>, input: PaymentDecision): Promise<Answer>
  stopPayment(write: Write<Payment>, input: PaymentDecision): Promise<Answer>
  listOverSettlements(caller: Caller, query: ListOverSettlementsQuery): Promise<Page<OverSettlement>>
  resolveOverSettlement(write: Write<OverSettlement>, input: OverSettlementDecision): Promise<Answer>
}

export const { read: reviewRead, write: reviewWrite } = operationsOver<{ review: Review }>('review', 'review:write')
