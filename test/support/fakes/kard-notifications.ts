import { notificationShapes } from './kard-shapes.ts'

/** The types of notifications of the current form. */
export const notificationTypes = Object.keys(notificationShapes)

let made = 0

const related = (type: string, id: string) => ({ data: { type, id } })
const cents = (value: number) => ({ type: 'cents', value })

/** The members of the attributes that Kard always sends, for each type. */
const required: Record<string, object> = {
  earnedRewardApproved: {
    message: 'Your purchase is being checked.',
    name: 'Quillbrook Coffee',
    attributionUrl: 'https://attribution.example.com/token',
    transactionId: 'purchase-of-the-bank',
    transactionAmountInCents: 30_00,
  },
  earnedRewardSettled: {
    message: 'You earned 72 cents.',
    name: 'Quillbrook Coffee',
    commissionEarned: cents(72),
    attributionUrl: 'https://attribution.example.com/token',
    transactionId: 'purchase-of-the-bank',
    transactionAmountInCents: 30_00,
  },
  earnedRewardRejected: {
    reason: 'OFFER_EXPIRED',
    message: 'The offer had expired.',
    transactionId: 'purchase-of-the-bank',
    transactionAmountInCents: 30_00,
  },
  validTransaction: {
    message: 'Your purchase is valid.',
    name: 'Quillbrook Coffee',
    commissionEarned: { issuer: cents(100), user: cents(320) },
    attributionUrl: 'https://attribution.example.com/token',
    transactionId: 'purchase-of-the-bank',
    transactionAmountInCents: 30_00,
  },
  failedTransaction: { message: 'Validation failed.', reason: 'The user is not eligible.', name: 'Quillbrook Coffee' },
  clawback: { message: 'Marked for clawback.', reason: 'Rewarded elsewhere.', name: 'Quillbrook Coffee' },
  auditUpdate: {
    status: 'IN_PROGRESS',
    auditCode: 8001,
    merchantName: 'Quillbrook Coffee',
    auditDescription: 'duplicate',
    transactionId: 'purchase-of-the-bank',
  },
  fileProcessingResult: {
    fileName: 'rewards.jsonl',
    sentAt: '2026-01-31T12:00:00Z',
    lastModified: '2026-01-31T12:00:00Z',
    downloadUrl: 'https://files.example.com/rewards.jsonl',
  },
  pushNotificationPlacementFile: {
    placementName: 'Home',
    availableSlots: 3,
    cadence: 'WEEKLY',
    downloadUrl: 'https://files.example.com/placement.jsonl.gz',
  },
  emailNotificationPlacementFile: {
    name: 'Monthly',
    organizationId: 'organization-123',
    availableSlots: 3,
    cadence: 'MONTHLY',
    downloadUrl: 'https://files.example.com/placement.jsonl.gz',
  },
}

/** The members that Kard sends for some purchases. */
const purchaseExtras = {
  surveyUrl: 'https://survey.example.com',
  cardProductId: 'card_product_123',
  transactionTimestamp: '2026-01-31T12:00:00.000Z',
}
const offerExtras = {
  ...purchaseExtras,
  categoryName: 'Food & Beverage',
  userReward: { type: 'PERCENT', value: 2.4 },
  assets: [{ type: 'IMG_VIEW', url: 'https://images.example.com/logo.png', alt: 'Logo' }],
  purchaseChannel: ['INSTORE', 'ONLINE'],
}
const optional: Record<string, object> = {
  earnedRewardApproved: offerExtras,
  earnedRewardSettled: offerExtras,
  earnedRewardRejected: { transactionTimestamp: '2026-01-31T12:00:00.000Z' },
  validTransaction: purchaseExtras,
  failedTransaction: { cardProductId: 'card_product_123' },
  clawback: { cardProductId: 'card_product_123' },
  auditUpdate: {
    resolutionCode: 9003,
    resolutionDescription: 'closed',
    resolutionTimeStamp: '2026-01-31T12:00:00.000Z',
  },
}

function relationshipsOf(type: string, transaction: string): object | undefined {
  const user = related('user', '77001')
  if (type === 'fileProcessingResult') return undefined
  if (type.endsWith('PlacementFile')) return { placement: related('placement', 'placement-1') }
  if (type === 'auditUpdate') return { user, audit: related('audit', '5eb2d4a39ce24e00081488c4') }
  const purchase = { user, transaction: related('transaction', transaction) }
  return type === 'earnedRewardRejected'
    ? purchase
    : { ...purchase, offer: related('offer', '6409fa6d8a2a4300083d4143') }
}

export interface KardNotification {
  data: { type: string; id: string; attributes: Record<string, unknown>; relationships?: object }
}

/** A notification of the current form. `full` adds the members that Kard may leave out. */
export function kardNotification(
  type: string,
  { id = `notification-${made++}`, transaction = `purchase-${made++}`, full = false, own = {} } = {},
): KardNotification {
  const relationships = relationshipsOf(type, transaction)
  const attributes = { ...required[type], ...(full && optional[type]), ...own }
  return { data: { type, id, attributes, ...(relationships && { relationships }) } }
}

/** A notification of the legacy form, which has no id. */
export function legacyNotification(status: string, issuerTransactionId: string) {
  return {
    user: { referringPartnerUserId: '77001' },
    card: { bin: '123456', last4: '4321', network: 'VISA' },
    reward: {
      merchantId: '6409f118705b8a000834f23d',
      name: 'Quillbrook Coffee',
      commissionToIssuer: 112,
      commissionSplit: { issuersCommissionInCents: 40, usersCommissionInCents: 72 },
      status: 'APPROVED',
      type: 'CARDLINKED',
    },
    transaction: {
      issuerTransactionId,
      status,
      transactionAmountInCents: 10_00,
      transactionTimeStamp: '2026-01-31T12:00:00.000+00:00',
    },
  }
}
