import { type TProperties, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { FakeReply } from './server.ts'

/**
 * The shapes of Kard's answers and notifications, as its descriptions of the current (2024-10-01) and of the legacy API have
 * them: every member that is required, and no member that is not described. Names of categories are any text here, because
 * the tests' own categories are not Kard's.
 */
function closed<T extends TProperties>(properties: T) {
  return Type.Object(properties, { additionalProperties: false })
}
const Text = Type.String()
const Maybe = Type.Optional
const Integer = Type.Integer()
const Time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$' })
const Id24 = Type.String({ minLength: 1 })
const Channels = Type.Array(Type.Enum(['INSTORE', 'ONLINE']))
const CommissionType = Type.Enum(['FLAT', 'PERCENT'])

const token = closed({ access_token: Text, expires_in: Maybe(Integer), token_type: Maybe(Text) })

const currentError = closed({
  errors: Type.Array(
    closed({
      status: Type.String({ pattern: '^\\d{3}$' }),
      title: Text,
      detail: Text,
      source: Maybe(closed({ pointer: Maybe(Text), parameter: Maybe(Text), header: Maybe(Text) })),
      id: Maybe(Text),
    }),
    { minItems: 1 },
  ),
})

const Cents = Maybe(closed({ type: Type.Literal('CENTS'), value: Integer }))
const Category = closed({ type: Type.Literal('category'), id: Text, attributes: closed({ name: Text }) })
const CategoryReferences = closed({ data: Type.Array(closed({ type: Type.Literal('category'), id: Text })) })
const CurrentOffer = closed({
  type: Type.Literal('standardOffer'),
  id: Id24,
  attributes: closed({
    terms: Text,
    maxRedemptions: Maybe(Integer),
    name: Text,
    purchaseChannel: Channels,
    userReward: closed({ type: CommissionType, value: Type.Number() }),
    assets: Type.Array(closed({ type: Text, url: Text, alt: Text })),
    startDate: Time,
    expirationDate: Time,
    isTargeted: Type.Boolean(),
    minTransactionAmount: Cents,
    maxTransactionAmount: Cents,
    minRewardAmount: Cents,
    maxRewardAmount: Cents,
    websiteUrl: Maybe(Text),
    description: Maybe(Text),
  }),
  relationships: Maybe(closed({ category: CategoryReferences })),
})
const Links = closed({ self: Text, prev: Maybe(Text), next: Maybe(Text) })
const currentOffers = closed({
  data: Type.Array(CurrentOffer),
  links: Links,
  included: Maybe(Type.Array(Category)),
  meta: Maybe(closed({ availableCategories: Maybe(Type.Array(Category)) })),
})

const taken = closed({
  data: closed({ type: Type.Literal('job'), id: Text, attributes: closed({ status: Text, message: Text }) }),
})
const activated = closed({
  data: closed({
    type: Type.Literal('offerAttribution'),
    id: Text,
    attributes: closed({ entityId: Text, eventCode: Text, medium: Text, eventDate: Time }),
  }),
})

const Address = closed({ street: Text, city: Text, state: Text, zipCode: Text })
const Coordinates = closed({ longitude: Type.Number(), latitude: Type.Number() })
const DayTime = closed({ day: Integer, time: Type.String({ pattern: '^\\d{4}$' }) })
const References = closed({ data: Type.Array(closed({ type: Text, id: Text })) })
const currentLocations = closed({
  data: Type.Array(
    closed({
      type: Type.Literal('location'),
      id: Id24,
      attributes: closed({
        name: Text,
        address: Address,
        coordinates: Coordinates,
        phone: Text,
        operationHours: closed({
          periods: Type.Array(closed({ open: DayTime, close: DayTime })),
          weekdayText: Type.Array(Text),
        }),
        partnerIds: Type.Array(closed({ type: Type.Literal('google'), id: Text })),
      }),
      relationships: Maybe(closed({ offers: References, category: References })),
    }),
  ),
  links: Links,
  included: Maybe(Type.Array(Type.Union([CurrentOffer, Category]))),
})

const Source = Type.Enum(['NATIONAL', 'LOCAL'])
const legacyOffer = {
  _id: Id24,
  terms: Text,
  redeemableOnce: Type.Boolean(),
  name: Text,
  offerType: Type.Enum(['INSTORE', 'ONLINE']),
  commissionType: CommissionType,
  startDate: Time,
  expirationDate: Time,
  isTargeted: Type.Boolean(),
  createdDate: Time,
  lastModified: Time,
  totalCommission: Type.Number(),
  isLocationSpecific: Type.Boolean(),
  issuersCommission: Maybe(Type.Number()),
  usersCommission: Maybe(Type.Number()),
  minTransactionAmount: Maybe(Integer),
  maxTransactionAmount: Maybe(Integer),
  minRewardAmount: Maybe(Integer),
  maxRewardAmount: Maybe(Integer),
  source: Source,
  imgUrl: Maybe(Text),
  bannerImgUrl: Maybe(Text),
}
const LegacyMerchant = closed({
  _id: Id24,
  name: Text,
  description: Text,
  type: Type.Enum(['CARDLINKED', 'AFFILIATE']),
  websiteURL: Text,
  category: Text,
  acceptedCards: Type.Array(Type.Enum(['VISA', 'MASTERCARD', 'AMERICAN EXPRESS', 'DISCOVER'])),
  imgUrl: Text,
  bannerImgUrl: Maybe(Text),
})
const legacyOffers = Type.Array(closed({ ...legacyOffer, category: Text, merchant: LegacyMerchant }))
const days = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY']
const legacyLocations = Type.Array(
  closed({
    _id: Id24,
    merchantId: Text,
    name: Text,
    locationType: Type.Literal('INSTORE'),
    address: closed({ ...Address.properties, state: Type.String({ pattern: '^[A-Z]{2}$' }) }),
    geoLocation: Coordinates,
    phone: Text,
    operationHours: Maybe(closed(Object.fromEntries(days.map((day) => [day, Maybe(Text)])))),
    googleId: Maybe(Text),
    createdDate: Time,
    lastModified: Time,
    source: Source,
    category: Text,
    offers: Type.Array(closed({ ...legacyOffer, category: Maybe(Text) })),
    merchant: LegacyMerchant,
  }),
)

type Shapes = [path: RegExp, byStatus: Record<number, TSchema>][]
const currentFaults = { 400: currentError, 401: currentError, 404: currentError, 500: currentError }
const legacyFaults = {
  400: Type.Union([closed({ errors: Type.Array(Text) }), Text]),
  401: closed({ message: Text }),
  404: Text,
  500: Text,
}

/** The shape of an answer by its path and status. */
const shapes: Shapes = [
  [/^\/v2\/auth\/token$/, { 200: token, 400: currentError, 401: currentError }],
  [/^\/oauth2\/token$/, { 200: token, 400: closed({ error: Text }) }],
  [/^\/v2\/issuers\/[^/]+\/users\/[^/]+\/offers$/, { 200: currentOffers, ...currentFaults }],
  [/^\/v2\/issuers\/[^/]+\/users\/[^/]+\/locations$/, { 200: currentLocations, ...currentFaults }],
  [/^\/v2\/issuers\/[^/]+\/users\/[^/]+\/attributions$/, { 201: taken, ...currentFaults }],
  [/^\/v2\/issuers\/[^/]+\/users\/[^/]+\/offers\/[^/]+\/activate$/, { 201: activated, ...currentFaults }],
  [/^\/v2\//, currentFaults],
  [/^\/rewards\/merchant\/offers\/user\/[^/]+$/, { 200: legacyOffers, ...legacyFaults }],
  [/^\/rewards\/merchant\/locations\/user\/[^/]+$/, { 200: legacyLocations, ...legacyFaults }],
  [/^\//, legacyFaults],
]

const Cause = closed({ type: Text, id: Text })
const Related = closed({ data: Cause })
const commission = closed({ type: Type.Literal('cents'), value: Integer })
const rewarded = {
  message: Text,
  name: Text,
  attributionUrl: Text,
  surveyUrl: Maybe(Text),
  cardProductId: Maybe(Text),
  transactionTimestamp: Maybe(Time),
  transactionId: Text,
  transactionAmountInCents: Integer,
}
const enriched = {
  categoryName: Maybe(Text),
  userReward: Maybe(closed({ type: CommissionType, value: Type.Number() })),
  assets: Maybe(Type.Array(closed({ type: Type.Enum(['IMG_VIEW', 'BANNER_VIEW']), url: Text, alt: Maybe(Text) }))),
  purchaseChannel: Maybe(Channels),
}
const purchase = { user: Related, offer: Related, transaction: Related }
const failed = { message: Text, reason: Text, name: Text, cardProductId: Maybe(Text) }

function notificationShape(type: string, attributes: TProperties, relationships?: TProperties): TSchema {
  return closed({
    data: closed({
      type: Type.Literal(type),
      id: Text,
      attributes: closed(attributes),
      ...(relationships && { relationships: closed(relationships) }),
    }),
    meta: Maybe(closed({ issuerId: Text, issuerName: Text })),
    errors: Maybe(currentError.properties.errors),
  })
}

/** The shape of a notification of the current form by its type. */
export const notificationShapes: Record<string, TSchema> = {
  earnedRewardApproved: notificationShape('earnedRewardApproved', { ...rewarded, ...enriched }, purchase),
  earnedRewardSettled: notificationShape(
    'earnedRewardSettled',
    { ...rewarded, ...enriched, commissionEarned: commission },
    purchase,
  ),
  earnedRewardRejected: notificationShape(
    'earnedRewardRejected',
    {
      reason: Text,
      message: Text,
      transactionId: Text,
      transactionAmountInCents: Integer,
      transactionTimestamp: Maybe(Time),
    },
    { user: Related, transaction: Related },
  ),
  validTransaction: notificationShape(
    'validTransaction',
    { ...rewarded, commissionEarned: closed({ issuer: commission, user: commission }) },
    purchase,
  ),
  failedTransaction: notificationShape('failedTransaction', failed, purchase),
  clawback: notificationShape('clawback', failed, purchase),
  auditUpdate: notificationShape(
    'auditUpdate',
    {
      status: Type.Enum(['NEW', 'IN_PROGRESS', 'CLOSED']),
      auditCode: Integer,
      merchantName: Text,
      auditDescription: Text,
      transactionId: Text,
      resolutionCode: Maybe(Integer),
      resolutionDescription: Maybe(Text),
      resolutionTimeStamp: Maybe(Time),
    },
    { user: Related, audit: Related },
  ),
  fileProcessingResult: notificationShape('fileProcessingResult', {
    fileName: Text,
    sentAt: Text,
    lastModified: Text,
    downloadUrl: Text,
  }),
  pushNotificationPlacementFile: notificationShape(
    'pushNotificationPlacementFile',
    { placementName: Text, availableSlots: Integer, cadence: Text, downloadUrl: Text },
    { placement: Related, contentStrategy: Maybe(Related) },
  ),
  emailNotificationPlacementFile: notificationShape(
    'emailNotificationPlacementFile',
    { name: Text, organizationId: Text, availableSlots: Integer, cadence: Text, downloadUrl: Text },
    { placement: Related, contentStrategy: Maybe(Related) },
  ),
}

const legacyNotification = closed({
  user: closed({ referringPartnerUserId: Text }),
  card: closed({ bin: Text, last4: Text, network: Type.Enum(['VISA', 'MASTERCARD', 'AMERICAN EXPRESS', 'DISCOVER']) }),
  reward: closed({
    merchantId: Text,
    name: Text,
    commissionToIssuer: Integer,
    commissionSplit: closed({ issuersCommissionInCents: Integer, usersCommissionInCents: Integer }),
    status: Type.Literal('APPROVED'),
    type: Type.Literal('CARDLINKED'),
  }),
  transaction: closed({
    issuerTransactionId: Text,
    status: Type.Enum(['APPROVED', 'SETTLED']),
    transactionAmountInCents: Integer,
    transactionTimeStamp: Text,
  }),
  postDineInLinkURL: Maybe(Text),
  error: Maybe(Text),
})

const compiled = new Map<TSchema, ReturnType<typeof Compile>>()

function misfit(shape: TSchema | undefined, value: unknown): string | undefined {
  if (!shape) return 'not described'
  const check = compiled.get(shape) ?? Compile(shape)
  compiled.set(shape, check)
  return check.Check(value) ? undefined : JSON.stringify(check.Errors(value).slice(0, 3))
}

/** The reason why an answer does not fit Kard's description; undefined for one that fits. */
export function misfitOf(path: string, { status, body }: FakeReply): string | undefined {
  const found = shapes.find(([pattern]) => pattern.test(path))
  return misfit(found?.[1][status], body)
}

/** The same for a notification of either form. */
export function misfitOfNotification(content: object): string | undefined {
  const { data } = content as { data?: { type: string } }
  return misfit(data ? notificationShapes[data.type] : legacyNotification, content)
}
