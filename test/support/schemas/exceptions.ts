import { newMerchantName, newMessageId, newUserId, type World } from '../world.ts'

const offerTerms = {
  ...{ title: '5% cash back', terms: '', commission: 5, minimumSpend: 1_00, maximumReward: 5_00, days: ['monday'] },
  ...{ validFrom: '2026-01-31T12:00:00Z', expirationDate: '2099-01-31', settlementDelayDays: 3 },
  condition: { whereClause: '$C1 = $V1', columnNames: 'plan', values: '[gold]' },
  ...{ activation: { days: 7, uses: 3 }, budget: { day: { amount: 5_00, count: 3 } }, userBudget: null },
}

/** Exceptions from the schemas, by operation id. */
export const exceptions = {
  /** Valid bodies if the one generated from the schema is refused. */
  bodies: {
    advanceClock: () => ({ by: 'PT1H' }),
    // The error of the example was discovered long ago.
    reversePayment: () => ({ reason: 'Duplicate' }),
    // A key gives only the scopes that it has.
    createApiKey: () => ({ name: 'Sample', scopes: ['keys:write'], expiresAt: '2099-12-31T00:00:00Z' }),
    // A message has an id of its own, and a card a reference of its own.
    createProcessorAuthorization: () => ({
      amount: 5_00,
      merchant: { name: 'Sample Coffee', category: 'Restaurants', location: 'Springfield, IL' },
      processorId: newMessageId(),
    }),
    incrementAuthorization: () => ({ amount: 2_00, processorId: newMessageId() }),
    adviseAuthorization: () => ({ amount: 6_00, processorId: newMessageId() }),
    settleProcessorAuthorization: () => ({ amount: 5_00, final: false, processorId: newMessageId() }),
    reverseProcessorAuthorization: () => ({ processorId: newMessageId() }),
    refundProcessorAuthorization: () => ({ amount: 1, processorId: newMessageId() }),
    setCardReference: () => ({ reference: newMessageId() }),
    // Of the two lists of categories one at most is taken.
    setCardLimits: () => ({
      purchase: { amount: 500_00 },
      day: { amount: 1_000_00, count: 10 },
      month: { count: 100 },
    }),
    // A rule that keeps the calls of other tests as they are.
    createFaultRule: ({ account }) => ({
      match: { operation: 'listStatements', accountId: account },
      effect: { delayMs: 1 },
      probability: 0.5,
      times: 1,
      seed: 42,
    }),
    // An attribution happened lately.
    createAttributions: ({ partnerUser }) => ({
      attributions: [{ id: newMessageId(), type: 'Click', offerId: '1000042', partnerUserId: Number(partnerUser) }],
    }),
    // A rate or an amount, and an end after the beginning.
    createCampaignOffer: () => ({ merchantName: newMerchantName(), ...offerTerms }),
    updateCampaignOffer: () => ({ status: 'Active', ...offerTerms }),
    // A user is enrolled once.
    createPartnerUser: () => ({ userId: newUserId() }),
    // A legal order needs the scope of risk.
    createAccountHold: () => ({ amount: 1_00, reason: 'Other' }),
    // The balance goes to another account of the same customer, which this world has not.
    closeAccount: () => ({ reason: 'ByCustomer' }),
    // The two accounts differ.
    createBookTransfer: ({ secondAccount }) => ({ toAccountId: secondAccount, amount: 20_00, description: 'Savings' }),
    // One end at most, and the number of days follows from the interval.
    createRecurringPayment: ({ account, externalAccount }) => ({
      ...{ type: 'achPayment', accountId: account, counterpartyAccountId: externalAccount, amount: 20_00 },
      ...{ description: 'Rent', addenda: 'Unit 4', tags: {}, interval: 'Monthly', startDate: '2099-02-01' },
      ...{ days: [31], count: 12, onMissingMoney: 'Retry', retryDays: 3 },
    }),
    // A due date of the recurring payment of the world.
    skipRecurringPayment: () => ({ date: '2099-02-08' }),
    // The day of the sample has no statement.
    takeBankStatement: () => ({ name: 'sample.bai', file: Buffer.from('?').toString('base64') }),
    // The worlds that follow are made at the present time.
    resetOrganisation: () => ({ now: new Date().toISOString(), frozen: false }),
  } as Record<string, (world: World) => Record<string, unknown>>,
  /** `operation/pointer`: a rule beside the schema refuses the schema's edge. */
  narrowerEdges: [
    // A scope is named once, and so is a day.
    ...['createApiKey/scopes', 'createCampaignOffer/days', 'updateCampaignOffer/days'],
    // A rate or an amount.
    ...['createCampaignOffer/amount', 'updateCampaignOffer/amount'],
    // The number of days follows from the interval.
    'createRecurringPayment/days',
    // A soft limit is not above the hard one.
    ...['payment', 'day', 'month', 'debits/payment', 'debits/day', 'debits/month'].flatMap((name) => [
      `setAccountLimits/${name}/soft`,
      `setAccountLimits/${name}/hard`,
    ]),
    ...['createApplication/address', 'createCard/shippingAddress', 'replaceCard/shippingAddress'].flatMap((address) => [
      `${address}/state`,
      `${address}/postalCode`,
    ]),
  ],
  /** `operation/parameter`: a filter that finds nothing in the world. */
  // Of the deliveries there is a test alone.
  findNothing: [
    'listAllDeliveries/eventId',
    'listReviewPayments/accountId',
    'listPayments/recurringPaymentId',
    'listRequests/apiKeyId',
  ],
  /** Operations that end the organisation of their key, which is therefore one of their own. */
  endOrganisation: ['deleteOrganisation', 'resetOrganisation'],
  /** Operations that read a file, which generated calls upload in the world of a whole round alone. */
  needFile: ['getReviewDocumentContent'],
  /** Operations that need a preparation step which the generated calls do not perform. */
  needMore: [
    'activateCard',
    'approvePayment',
    'approveProposal',
    'withdrawProposal',
    'cancelPayment',
    'rejectPayment',
    'retryPayment',
    'stopPayment',
    'approveExternalAccount',
    'rejectExternalAccount',
    'requestReviewDocument',
    'unfreezeCard',
    'resolveOverSettlement',
    'resumeRecurringPayment',
    'closeDay',
    'reopenDay',
    'createRewardableTransaction',
  ],
}
