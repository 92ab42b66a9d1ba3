/** Why a payment has to be reviewed before it leaves. */
export const reviewReasons = [
  'accountLimit',
  'organisationLimit',
  'firstPayment',
  'externalAccount',
  'screening',
  'accountFrozen',
  'paymentsBlocked',
  'legalHold',
  'stopped',
] as const
export type ReviewReason = (typeof reviewReasons)[number]
