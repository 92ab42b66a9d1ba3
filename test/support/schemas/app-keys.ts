import type { Scope } from '../../../src/base/operation.ts'

/** The scopes of an app in live mode: all but those that a key has only by name. */
export const appScopes: Scope[] = ['banking:write', 'rewards:write', 'events:read', 'webhooks:write', 'keys:write']

/**
 * The answers to a question about every operation: may the key of an app do this to itself in live mode? A new operation
 * needs an answer here before the tests pass.
 */
export const answers = {
  /** Yes: it shows records of the app's own organisation, or the catalogue, and changes nothing. */
  shows: [
    ...['listAllAuthorizations', 'listHistory', 'listAttention', 'listImports'],
    ...['listAuthorizations', 'getAuthorization', 'getTransaction', 'listTransactions', 'listCards', 'getCard'],
    ...['getCardLimits', 'getPayment', 'listPayments', 'listExternalAccounts', 'listStatements', 'getStatement'],
    ...['getStatementPdf', 'getAccount', 'listAccounts', 'getAccountLimits', 'listAccountHolds', 'getAccountHold'],
    ...['listCustomers', 'getCustomer', 'listAchBatches', 'getAchBatch', 'listAchEntries', 'getAchReconciliation'],
    'getReturnRates',
    ...['getRecurringPayment', 'listRecurringPayments', 'listRecurringPaymentRuns', 'listPlannedPayments'],
    ...['listReceivedPayments', 'getReceivedPayment', 'getApplication', 'listApplications', 'getDailyReconciliation'],
    ...['listLocalOffers', 'listNationalOffers', 'listPartnerUsers', 'listPartnerUserCards', 'getZipCode'],
    ...['listRewardableTransactions', 'listRewardPayments', 'listRewards', 'getReward', 'getRewardExplanation'],
    ...[
      'listOfferFunnel',
      'listMerchantBills',
      'getPurchaseExplanation',
      'getPartnerUser',
      'getCampaign',
      'listCampaigns',
    ],
    ...['listActivations', 'listPartnerUserOffers', 'getCampaignOffer', 'listCampaignOffers'],
    ...['listLedgerAccounts', 'listLedgerTransfers', 'listLedgerFlows', 'listLedgerBalances', 'listLedgerPosition'],
    'getLedgerVerification',
    ...['listApiKeys', 'getMe', 'listEvents', 'getEvent', 'listEventTypes', 'listWebhookEndpoints'],
    ...['getWebhookEndpoint', 'listDeliveries', 'listAllDeliveries', 'getDelivery', 'verifyDelivery', 'listAuditLog'],
    ...['getAuditLogHead', 'lookUpRecord', 'lookUpId', 'search', 'exportList'],
  ],
  /** Yes: money leaves by it, or comes back to the limits. The limits, the overdraft, holds and freezes bind it. */
  pays: [
    ...['createPayment', 'createPaymentBatch', 'createBookTransfer', 'cancelPayment', 'returnReceivedPayment'],
    ...['retryPayment', 'reversePayment'],
    ...['createRecurringPayment', 'resumeRecurringPayment', 'skipRecurringPayment', 'changeRecurringPayment'],
    ...['pauseRecurringPayment', 'cancelRecurringPayment'],
    ...['closeAccount', 'reopenAccount'],
  ],
  /** Yes: it stops the app itself, and what it stopped, not what the bank stopped. */
  stops: ['freezeAccount', 'unfreezeAccount', 'createAccountHold', 'releaseAccountHold', 'freezeCard', 'unfreezeCard'],
  /** Yes: it makes or changes records that decide nothing about limits. A payee may wait for a reviewer, a customer always does. */
  changes: [
    ...['createVerificationToken', 'createCard', 'replaceCard', 'activateCard', 'closeCard', 'reportLostCard'],
    ...[
      'reportStolenCard',
      'createExternalAccount',
      'updateExternalAccount',
      'giveMandate',
      'revokeMandate',
      'startVerification',
      'confirmVerification',
      'deleteExternalAccount',
      'createAccount',
      'createApplication',
    ],
    ...['uploadDocumentFront', 'uploadDocumentBack', 'createPartnerUser', 'updatePartnerUser', 'createPartnerUserCard'],
    ...['updatePartnerUserCard', 'createCampaign', 'updateCampaign', 'createCampaignOffer', 'updateCampaignOffer'],
    ...['activateOffer', 'cancelActivation', 'createAttributions'],
    ...['createRewardableTransaction', 'runLedgerVerification', 'redeliverEvent'],
    ...['createWebhookEndpoint', 'updateWebhookEndpoint', 'deleteWebhookEndpoint', 'rotateWebhookSecret'],
    ...['testWebhookEndpoint', 'recoverWebhookEndpoint', 'redeliverDelivery'],
  ],
  /** Yes: a key with a list of scopes issues none that it lacks, and to delete a key of the bank gives no right. */
  keys: ['createApiKey', 'rotateApiKey', 'deleteApiKey'],
  /** No: 403 without a scope that a key has only by name. */
  forbidden: [
    ...['listClosingDays', 'getClosingDay', 'closeDay', 'reopenDay', 'listSettlementItems', 'decideSettlementItem'],
    ...['listBankStatements', 'takeBankStatement'],
    ...['listProposals', 'getProposal', 'approveProposal', 'rejectProposal', 'withdrawProposal'],
    ...['permitExport', 'permitRailResume', 'permitPersonRights'],
    ...['setAccountLimits', 'setCardLimits', 'attestExternalAccount', 'blockPayments', 'releasePayments'],
    ...['listReviewApplications', 'approveReviewApplication', 'denyReviewApplication', 'requestReviewDocument'],
    ...['getReviewDocumentContent', 'approveReviewDocument', 'rejectReviewDocument', 'listReviewPayments'],
    ...['approvePayment', 'rejectPayment', 'stopPayment', 'listReviewExternalAccounts', 'approveExternalAccount'],
    ...['rejectExternalAccount', 'listProcessorCards', 'setCardReference', 'createProcessorAuthorization'],
    ...['incrementAuthorization', 'adviseAuthorization', 'settleProcessorAuthorization'],
    ...[
      'reverseProcessorAuthorization',
      'refundProcessorAuthorization',
      'listOverSettlements',
      'resolveOverSettlement',
    ],
  ],
  /** No: live mode does not have it. */
  absent: [
    'getMicroEntries',
    ...['listRequests', 'getRequest', 'createOrganisation', 'deleteOrganisation', 'resetOrganisation'],
    ...['createFaultRule', 'listFaultRules', 'getFaultRule', 'deleteFaultRule', 'deleteFaultRules', 'createScenario'],
    ...['createCustomer', 'receiveAch', 'returnPayment', 'listAchFiles', 'getAchFile', 'getAchFileContent'],
    ...['approveApplication', 'denyApplication', 'approveDocument', 'rejectDocument', 'createAuthorization'],
    ...['settleAuthorization', 'reverseAuthorization', 'refundAuthorization', 'getClock', 'advanceClock'],
    'createStatement',
  ],
}
