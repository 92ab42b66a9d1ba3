import { createApiKey } from './access/create-api-key.ts'
import { deleteApiKey } from './access/delete-api-key.ts'
import { getMe } from './access/get-me.ts'
import { listApiKeys } from './access/list-api-keys.ts'
import { rotateApiKey } from './access/rotate-api-key.ts'
import { getLedgerVerification } from './accounting/get-ledger-verification.ts'
import { listLedgerAccounts } from './accounting/list-ledger-accounts.ts'
import { listLedgerBalances } from './accounting/list-ledger-balances.ts'
import { listLedgerFlows } from './accounting/list-ledger-flows.ts'
import { listLedgerPosition } from './accounting/list-ledger-position.ts'
import { listLedgerTransfers } from './accounting/list-ledger-transfers.ts'
import { runLedgerVerification } from './accounting/run-ledger-verification.ts'
import { createAccountHold } from './banking/account-holds/create-account-hold.ts'
import { getAccountHold } from './banking/account-holds/get-account-hold.ts'
import { listAccountHolds } from './banking/account-holds/list-account-holds.ts'
import { releaseAccountHold } from './banking/account-holds/release-account-hold.ts'
import { blockPayments } from './banking/accounts/block-payments.ts'
import { closeAccount } from './banking/accounts/close-account.ts'
import { createAccount } from './banking/accounts/create-account.ts'
import { freezeAccount } from './banking/accounts/freeze-account.ts'
import { getAccount } from './banking/accounts/get-account.ts'
import { getAccountLimits } from './banking/accounts/get-account-limits.ts'
import { listAccounts } from './banking/accounts/list-accounts.ts'
import { releasePayments } from './banking/accounts/release-payments.ts'
import { reopenAccount } from './banking/accounts/reopen-account.ts'
import { setAccountLimits } from './banking/accounts/set-account-limits.ts'
import { unfreezeAccount } from './banking/accounts/unfreeze-account.ts'
import { getAchBatch } from './banking/ach/get-ach-batch.ts'
import { getAchReconciliation } from './banking/ach/get-ach-reconciliation.ts'
import { getReturnRates } from './banking/ach/get-return-rates.ts'
import { listAchBatches } from './banking/ach/list-ach-batches.ts'
import { listAchEntries } from './banking/ach/list-ach-entries.ts'
import { createApplication } from './banking/applications/create-application.ts'
import { getApplication } from './banking/applications/get-application.ts'
import { listApplications } from './banking/applications/list-applications.ts'
import { uploadDocumentBack } from './banking/applications/upload-document-back.ts'
import { uploadDocumentFront } from './banking/applications/upload-document-front.ts'
import { getAuthorization } from './banking/authorizations/get-authorization.ts'
import { listAllAuthorizations } from './banking/authorizations/list-all-authorizations.ts'
import { listAuthorizations } from './banking/authorizations/list-authorizations.ts'
import { activateCard } from './banking/cards/activate-card.ts'
import { closeCard } from './banking/cards/close-card.ts'
import { createCard } from './banking/cards/create-card.ts'
import { freezeCard } from './banking/cards/freeze-card.ts'
import { getCard } from './banking/cards/get-card.ts'
import { getCardLimits } from './banking/cards/get-card-limits.ts'
import { listCards } from './banking/cards/list-cards.ts'
import { replaceCard } from './banking/cards/replace-card.ts'
import { reportLostCard } from './banking/cards/report-lost-card.ts'
import { reportStolenCard } from './banking/cards/report-stolen-card.ts'
import { setCardLimits } from './banking/cards/set-card-limits.ts'
import { unfreezeCard } from './banking/cards/unfreeze-card.ts'
import { createVerificationToken } from './banking/customers/create-verification-token.ts'
import { getCustomer } from './banking/customers/get-customer.ts'
import { listCustomers } from './banking/customers/list-customers.ts'
import { attestExternalAccount } from './banking/external-accounts/attest-external-account.ts'
import { confirmVerification } from './banking/external-accounts/confirm-verification.ts'
import { createExternalAccount } from './banking/external-accounts/create-external-account.ts'
import { deleteExternalAccount } from './banking/external-accounts/delete-external-account.ts'
import { giveMandate } from './banking/external-accounts/give-mandate.ts'
import { listExternalAccounts } from './banking/external-accounts/list-external-accounts.ts'
import { revokeMandate } from './banking/external-accounts/revoke-mandate.ts'
import { startVerification } from './banking/external-accounts/start-verification.ts'
import { updateExternalAccount } from './banking/external-accounts/update-external-account.ts'
import { cancelPayment } from './banking/payments/cancel-payment.ts'
import { createBookTransfer } from './banking/payments/create-book-transfer.ts'
import { createPayment } from './banking/payments/create-payment.ts'
import { createPaymentBatch } from './banking/payments/create-payment-batch.ts'
import { getPayment } from './banking/payments/get-payment.ts'
import { listPayments } from './banking/payments/list-payments.ts'
import { retryPayment } from './banking/payments/retry-payment.ts'
import { reversePayment } from './banking/payments/reverse-payment.ts'
import { getReceivedPayment } from './banking/received-payments/get-received-payment.ts'
import { listReceivedPayments } from './banking/received-payments/list-received-payments.ts'
import { returnReceivedPayment } from './banking/received-payments/return-received-payment.ts'
import { cancelRecurringPayment } from './banking/recurring-payments/cancel-recurring-payment.ts'
import { changeRecurringPayment } from './banking/recurring-payments/change-recurring-payment.ts'
import { createRecurringPayment } from './banking/recurring-payments/create-recurring-payment.ts'
import { getRecurringPayment } from './banking/recurring-payments/get-recurring-payment.ts'
import { listPlannedPayments } from './banking/recurring-payments/list-planned-payments.ts'
import { listRecurringPaymentRuns } from './banking/recurring-payments/list-recurring-payment-runs.ts'
import { listRecurringPayments } from './banking/recurring-payments/list-recurring-payments.ts'
import { pauseRecurringPayment } from './banking/recurring-payments/pause-recurring-payment.ts'
import { resumeRecurringPayment } from './banking/recurring-payments/resume-recurring-payment.ts'
import { skipRecurringPayment } from './banking/recurring-payments/skip-recurring-payment.ts'
import { getStatement } from './banking/statements/get-statement.ts'
import { getStatementPdf } from './banking/statements/get-statement-pdf.ts'
import { listStatements } from './banking/statements/list-statements.ts'
import { getTransaction } from './banking/transactions/get-transaction.ts'
import { listTransactions } from './banking/transactions/list-transactions.ts'
import type { Operation } from './base/operation.ts'
import { closeDay } from './closing/close-day.ts'
import { decideSettlementItem } from './closing/decide-settlement-item.ts'
import { getClosingDay } from './closing/get-closing-day.ts'
import { listBankStatements } from './closing/list-bank-statements.ts'
import { listClosingDays } from './closing/list-closing-days.ts'
import { listSettlementItems } from './closing/list-settlement-items.ts'
import { reopenDay } from './closing/reopen-day.ts'
import { takeBankStatement } from './closing/take-bank-statement.ts'
import { listAuditLog } from './events/audit/list-audit-log.ts'
import { getAuditLogHead } from './events/chain/get-audit-log-head.ts'
import { getEvent } from './events/get-event.ts'
import { listEventTypes } from './events/list-event-types.ts'
import { listEvents } from './events/list-events.ts'
import { getRequest } from './events/requests/get-request.ts'
import { listRequests } from './events/requests/list-requests.ts'
import { adviseAuthorization } from './processor/advise-authorization.ts'
import { createProcessorAuthorization } from './processor/create-processor-authorization.ts'
import { incrementAuthorization } from './processor/increment-authorization.ts'
import { listProcessorCards } from './processor/list-processor-cards.ts'
import { refundProcessorAuthorization } from './processor/refund-processor-authorization.ts'
import { reverseProcessorAuthorization } from './processor/reverse-processor-authorization.ts'
import { setCardReference } from './processor/set-card-reference.ts'
import { settleProcessorAuthorization } from './processor/settle-processor-authorization.ts'
import { approveExternalAccount } from './review/approve-external-account.ts'
import { approvePayment } from './review/approve-payment.ts'
import { approveReviewApplication } from './review/approve-review-application.ts'
import { approveReviewDocument } from './review/approve-review-document.ts'
import { denyReviewApplication } from './review/deny-review-application.ts'
import { getReviewDocumentContent } from './review/get-review-document-content.ts'
import { listOverSettlements } from './review/list-over-settlements.ts'
import { listReviewApplications } from './review/list-review-applications.ts'
import { listReviewExternalAccounts } from './review/list-review-external-accounts.ts'
import { listReviewPayments } from './review/list-review-payments.ts'
import { approveProposal } from './review/proposals/approve-proposal.ts'
import { getProposal } from './review/proposals/get-proposal.ts'
import { listProposals } from './review/proposals/list-proposals.ts'
import { permitExport } from './review/proposals/permit-export.ts'
import { permitPersonRights } from './review/proposals/permit-person-rights.ts'
import { permitRailResume } from './review/proposals/permit-rail-resume.ts'
import { rejectProposal } from './review/proposals/reject-proposal.ts'
import { withdrawProposal } from './review/proposals/withdraw-proposal.ts'
import { rejectExternalAccount } from './review/reject-external-account.ts'
import { rejectPayment } from './review/reject-payment.ts'
import { rejectReviewDocument } from './review/reject-review-document.ts'
import { requestReviewDocument } from './review/request-review-document.ts'
import { resolveOverSettlement } from './review/resolve-over-settlement.ts'
import { stopPayment } from './review/stop-payment.ts'
import { createAttributions } from './rewards/attribution/create-attributions.ts'
import { listOfferFunnel } from './rewards/attribution/list-offer-funnel.ts'
import { activateOffer } from './rewards/campaigns/activate-offer.ts'
import { cancelActivation } from './rewards/campaigns/cancel-activation.ts'
import { createCampaign } from './rewards/campaigns/create-campaign.ts'
import { createCampaignOffer } from './rewards/campaigns/create-campaign-offer.ts'
import { getCampaign } from './rewards/campaigns/get-campaign.ts'
import { getCampaignOffer } from './rewards/campaigns/get-campaign-offer.ts'
import { listActivations } from './rewards/campaigns/list-activations.ts'
import { listCampaignOffers } from './rewards/campaigns/list-campaign-offers.ts'
import { listCampaigns } from './rewards/campaigns/list-campaigns.ts'
import { listPartnerUserOffers } from './rewards/campaigns/list-partner-user-offers.ts'
import { updateCampaign } from './rewards/campaigns/update-campaign.ts'
import { updateCampaignOffer } from './rewards/campaigns/update-campaign-offer.ts'
import { getZipCode } from './rewards/offers/get-zip-code.ts'
import { listLocalOffers } from './rewards/offers/list-local-offers.ts'
import { listNationalOffers } from './rewards/offers/list-national-offers.ts'
import { createPartnerUser } from './rewards/records/create-partner-user.ts'
import { createPartnerUserCard } from './rewards/records/create-partner-user-card.ts'
import { createRewardableTransaction } from './rewards/records/create-rewardable-transaction.ts'
import { getDailyReconciliation } from './rewards/records/get-daily-reconciliation.ts'
import { getPartnerUser } from './rewards/records/get-partner-user.ts'
import { getPurchaseExplanation } from './rewards/records/get-purchase-explanation.ts'
import { getReward } from './rewards/records/get-reward.ts'
import { getRewardExplanation } from './rewards/records/get-reward-explanation.ts'
import { listMerchantBills } from './rewards/records/list-merchant-bills.ts'
import { listPartnerUserCards } from './rewards/records/list-partner-user-cards.ts'
import { listPartnerUsers } from './rewards/records/list-partner-users.ts'
import { listRewardPayments } from './rewards/records/list-reward-payments.ts'
import { listRewardableTransactions } from './rewards/records/list-rewardable-transactions.ts'
import { listRewards } from './rewards/records/list-rewards.ts'
import { updatePartnerUser } from './rewards/records/update-partner-user.ts'
import { updatePartnerUserCard } from './rewards/records/update-partner-user-card.ts'
import { getAchFile } from './sandbox/ach-files/get-ach-file.ts'
import { getAchFileContent } from './sandbox/ach-files/get-ach-file-content.ts'
import { listAchFiles } from './sandbox/ach-files/list-ach-files.ts'
import { advanceClock } from './sandbox/advance-clock.ts'
import { approveApplication } from './sandbox/approve-application.ts'
import { approveDocument } from './sandbox/approve-document.ts'
import { createAuthorization } from './sandbox/create-authorization.ts'
import { createCustomer } from './sandbox/create-customer.ts'
import { createOrganisation } from './sandbox/create-organisation.ts'
import { createScenario } from './sandbox/create-scenario.ts'
import { createStatement } from './sandbox/create-statement.ts'
import { deleteOrganisation } from './sandbox/delete-organisation.ts'
import { denyApplication } from './sandbox/deny-application.ts'
import { createFaultRule } from './sandbox/faults/create-fault-rule.ts'
import { deleteFaultRule } from './sandbox/faults/delete-fault-rule.ts'
import { deleteFaultRules } from './sandbox/faults/delete-fault-rules.ts'
import { getFaultRule } from './sandbox/faults/get-fault-rule.ts'
import { listFaultRules } from './sandbox/faults/list-fault-rules.ts'
import { getClock } from './sandbox/get-clock.ts'
import { getMicroEntries } from './sandbox/get-micro-entries.ts'
import { receiveAch } from './sandbox/receive-ach.ts'
import { refundAuthorization } from './sandbox/refund-authorization.ts'
import { rejectDocument } from './sandbox/reject-document.ts'
import { resetOrganisation } from './sandbox/reset-organisation.ts'
import { returnPayment } from './sandbox/return-payment.ts'
import { reverseAuthorization } from './sandbox/reverse-authorization.ts'
import { settleAuthorization } from './sandbox/settle-authorization.ts'
import { exportList } from './tools/export-list.ts'
import { listAttention } from './tools/list-attention.ts'
import { listHistory } from './tools/list-history.ts'
import { listImports } from './tools/list-imports.ts'
import { lookUpId } from './tools/look-up-id.ts'
import { lookUpRecord } from './tools/look-up-record.ts'
import { search } from './tools/search.ts'
import { getDelivery } from './webhooks/deliveries/get-delivery.ts'
import { listAllDeliveries } from './webhooks/deliveries/list-all-deliveries.ts'
import { listDeliveries } from './webhooks/deliveries/list-deliveries.ts'
import { redeliverDelivery } from './webhooks/deliveries/redeliver-delivery.ts'
import { redeliverEvent } from './webhooks/deliveries/redeliver-event.ts'
import { verifyDelivery } from './webhooks/deliveries/verify-delivery.ts'
import { createWebhookEndpoint } from './webhooks/endpoints/create-webhook-endpoint.ts'
import { deleteWebhookEndpoint } from './webhooks/endpoints/delete-webhook-endpoint.ts'
import { getWebhookEndpoint } from './webhooks/endpoints/get-webhook-endpoint.ts'
import { listWebhookEndpoints } from './webhooks/endpoints/list-webhook-endpoints.ts'
import { recoverWebhookEndpoint } from './webhooks/endpoints/recover-webhook-endpoint.ts'
import { rotateWebhookSecret } from './webhooks/endpoints/rotate-webhook-secret.ts'
import { testWebhookEndpoint } from './webhooks/endpoints/test-webhook-endpoint.ts'
import { updateWebhookEndpoint } from './webhooks/endpoints/update-webhook-endpoint.ts'

/**
 * Every operation of the service, one line each. Routes, validation, types, OpenAPI and the generated tests come
 * from this list.
 */
export const operations: Operation[] = [
  listAuthorizations, // B1
  createVerificationToken, // B2
  getTransaction, // B3
  listTransactions, // B4
  createCard, // B5
  replaceCard, // B6
  listCards, // B7
  createPayment, // B8
  getPayment, // B9
  listPayments, // B10
  createExternalAccount, // B11
  listExternalAccounts, // B12
  listStatements, // B13
  createAccount, // B14
  reopenAccount, // B15
  getAccount, // B16
  uploadDocumentBack, // B17
  listLocalOffers, // R1
  listNationalOffers, // R2
  listPartnerUsers, // R3
  listRewardableTransactions, // R4
  listRewardPayments, // R5

  listAccounts,
  closeAccount,
  getAccountLimits,
  setAccountLimits,
  createAccountHold,
  listAccountHolds,
  getAccountHold,
  releaseAccountHold,
  freezeAccount,
  unfreezeAccount,
  blockPayments,
  releasePayments,
  getCard,
  getCardLimits,
  setCardLimits,
  activateCard,
  freezeCard,
  unfreezeCard,
  closeCard,
  reportLostCard,
  reportStolenCard,
  getAuthorization,
  listAllAuthorizations,
  listCustomers,
  getCustomer,
  createPaymentBatch,
  createBookTransfer,
  createRecurringPayment,
  listRecurringPayments,
  getRecurringPayment,
  pauseRecurringPayment,
  resumeRecurringPayment,
  skipRecurringPayment,
  changeRecurringPayment,
  cancelRecurringPayment,
  listRecurringPaymentRuns,
  listPlannedPayments,
  cancelPayment,
  retryPayment,
  reversePayment,
  listAchBatches,
  getAchBatch,
  listAchEntries,
  getAchReconciliation,
  getReturnRates,
  listReceivedPayments,
  getReceivedPayment,
  returnReceivedPayment,
  updateExternalAccount,
  deleteExternalAccount,
  giveMandate,
  revokeMandate,
  startVerification,
  confirmVerification,
  attestExternalAccount,
  getStatement,
  getStatementPdf,
  createApplication,
  getApplication,
  listApplications,
  uploadDocumentFront,
  createPartnerUser,
  getPartnerUser,
  updatePartnerUser,
  createPartnerUserCard,
  listPartnerUserCards,
  updatePartnerUserCard,
  createRewardableTransaction,
  listRewards,
  listMerchantBills,
  getReward,
  getRewardExplanation,
  getPurchaseExplanation,
  createCampaign,
  listCampaigns,
  getCampaign,
  updateCampaign,
  createCampaignOffer,
  listCampaignOffers,
  getCampaignOffer,
  updateCampaignOffer,
  activateOffer,
  listActivations,
  cancelActivation,
  listPartnerUserOffers,
  getZipCode,
  getDailyReconciliation,
  createAttributions,
  listOfferFunnel,

  listReviewApplications,
  approveReviewApplication,
  denyReviewApplication,
  requestReviewDocument,
  getReviewDocumentContent,
  approveReviewDocument,
  rejectReviewDocument,
  listReviewPayments,
  approvePayment,
  rejectPayment,
  stopPayment,
  listReviewExternalAccounts,
  approveExternalAccount,
  rejectExternalAccount,
  listOverSettlements,
  resolveOverSettlement,
  listProposals,
  getProposal,
  approveProposal,
  rejectProposal,
  withdrawProposal,
  permitExport,
  permitRailResume,
  permitPersonRights,

  listClosingDays,
  getClosingDay,
  closeDay,
  reopenDay,
  listSettlementItems,
  decideSettlementItem,
  listBankStatements,
  takeBankStatement,
  listProcessorCards,
  setCardReference,
  createProcessorAuthorization,
  incrementAuthorization,
  adviseAuthorization,
  settleProcessorAuthorization,
  reverseProcessorAuthorization,
  refundProcessorAuthorization,

  listLedgerAccounts,
  listLedgerTransfers,
  listLedgerFlows,
  listLedgerBalances,
  listLedgerPosition,
  getLedgerVerification,
  runLedgerVerification,

  createApiKey,
  listApiKeys,
  rotateApiKey,
  deleteApiKey,
  getMe,

  listEvents,
  getEvent,
  listEventTypes,
  redeliverEvent,
  redeliverDelivery,
  createWebhookEndpoint,
  listWebhookEndpoints,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
  recoverWebhookEndpoint,
  listDeliveries,
  listAllDeliveries,
  getDelivery,
  verifyDelivery,
  listAuditLog,
  getAuditLogHead,
  listRequests,
  getRequest,

  lookUpRecord,
  lookUpId,
  listHistory,
  listAttention,
  listImports,
  exportList,
  search,

  createOrganisation,
  deleteOrganisation,
  resetOrganisation,
  createFaultRule,
  listFaultRules,
  getFaultRule,
  deleteFaultRule,
  deleteFaultRules,
  createScenario,
  createCustomer,
  receiveAch,
  returnPayment,
  getMicroEntries,
  listAchFiles,
  getAchFile,
  getAchFileContent,
  approveApplication,
  denyApplication,
  approveDocument,
  rejectDocument,
  createAuthorization,
  settleAuthorization,
  reverseAuthorization,
  refundAuthorization,
  getClock,
  advanceClock,
  createStatement,
]
