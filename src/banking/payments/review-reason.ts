/** Why a payment has to be reviewed before it leaves. */
export const reviewReasons = [
  'accountLimit',
  'organisationLimit',
  'firstPayment',
  'externalAccount',
  'screening',
] as const
export type ReviewReason = (typeof reviewReasons)[number]
