/** How a member of Unit's looks: samples of it, of which the first is the usual one, and a test of a value. */
export interface Kind {
  samples: readonly unknown[]
  fits(value: unknown): boolean
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const text: Kind = { samples: ['Sample text'], fits: (value) => typeof value === 'string' }
const flag: Kind = { samples: [false, true], fits: (value) => typeof value === 'boolean' }
const decimal: Kind = { samples: [1.25], fits: Number.isFinite }
const whole = (...samples: number[]): Kind => ({ samples, fits: Number.isSafeInteger })
const cents = whole(20_00, 0, 9_007_199_254_740_991)
const like = (pattern: RegExp, ...samples: string[]): Kind => ({
  samples,
  fits: (value) => typeof value === 'string' && pattern.test(value),
})
const oneOf = (...words: string[]): Kind => ({ samples: words, fits: (value) => words.includes(value as string) })
const either = (...kinds: Kind[]): Kind => ({
  samples: kinds.flatMap(({ samples }) => samples.slice(0, 1)),
  fits: (value) => kinds.some((kind) => kind.fits(value)),
})
const listOf = (kind: Kind): Kind => ({
  samples: [kind.samples.slice(0, 1), []],
  fits: (value) => Array.isArray(value) && value.every((one) => kind.fits(one)),
})
const upTo = (length: number, sample: string): Kind => ({
  samples: [sample],
  fits: (value) => typeof value === 'string' && value.length >= 1 && value.length <= length,
})
/** An object of the members named; a name that ends with `?` may be absent or null. */
const made = (members: Record<string, Kind>): Kind => ({
  samples: [
    Object.fromEntries(Object.entries(members).map(([name, { samples }]) => [name.replace('?', ''), samples[0]])),
  ],
  fits: (value) =>
    isObject(value) &&
    Object.keys(value).every((name) => name in members || `${name}?` in members) &&
    Object.entries(members).every(([name, kind]) => {
      const own = value[name.replace('?', '')]
      return (name.endsWith('?') && (own === undefined || own === null)) || kind.fits(own)
    }),
})

const instant = like(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  '2026-01-31T12:00:00.123Z',
  '2026-01-31T12:00:00Z',
  '2026-01-31T12:00:00.123456Z',
  '2026-01-31T13:00:00.5+01:00',
)
const date = like(/^\d{4}-\d\d-\d\d$/, '1990-01-31')
const month = like(/^\d{4}-(1[012]|0[1-9])$/, '2031-02')
const routingNumber = like(/^\d{9}$/, '021000021')
const nineDigits = like(/^\d{9}$/, '123456789')
const email = like(/^[^@\s]+@[^@\s]+$/, 'ada@example.com')
const phone = made({ countryCode: like(/^\d{1,3}$/, '1'), number: like(/^\d{1,15}$/, '2125550123') })
const fullName = made({ first: upTo(255, 'Ada'), last: upTo(255, 'Example') })
const address = made({
  street: upTo(255, '1 Sample Street'),
  'street2?': text,
  city: upTo(255, 'Springfield'),
  state: upTo(255, 'IL'),
  postalCode: like(/^\d{5}(-\d{4})?$/, '62701'),
  country: like(/^[A-Z]{2}$/, 'US'),
})
const tags: Kind = {
  samples: [{ purpose: 'rent' }, {}],
  fits: (value) =>
    isObject(value) &&
    Object.keys(value).length <= 15 &&
    Object.values(value).every((tag) => typeof tag === 'string' && tag.length >= 1 && tag.length <= 255),
}
const accountType = oneOf('Checking', 'Savings', 'Loan')
const counterparty = made({
  name: upTo(50, 'Grace Sample'),
  routingNumber,
  accountNumber: like(/^\d{1,17}$/, '9876543210'),
  accountType,
})
const merchant = made({
  name: like(/./, 'Sample Coffee'),
  type: whole(5814),
  category: like(/./, 'Restaurants'),
  'location?': text,
  'id?': text,
})
const physicalStatus = [
  ...['Active', 'Inactive', 'Stolen', 'Lost', 'Frozen', 'ClosedByCustomer', 'Unknown', 'SuspectedFraud'],
  'ActiveForOnlineUse',
]
const closeReasons = [
  ...['ByCustomer', 'Fraud', 'Overdue', 'NegativeBalance', 'ByBank', 'BreachOfTermsAndConditions'],
  ...['NoAccountActivity', 'ProgramChange'],
]

/** Kinds that the table of shapes names: `status:accountStatus`. */
const named: Record<string, Kind> = {
  accountNumber12: like(/^\d{10,12}$/, '1000000001'),
  accountStatus: oneOf('Open', 'Closed', 'Frozen'),
  applicationStatus: oneOf('AwaitingDocuments', 'PendingReview', 'Approved', 'Denied', 'Pending', 'Canceled'),
  authorizationStatus: oneOf('Authorized', 'Completed', 'Canceled', 'Declined'),
  credit: oneOf('Credit'),
  customerStatus: oneOf('Active', 'Archived'),
  documentStatus: oneOf('Required', 'ReceivedBack', 'ReceivedFront', 'Invalid', 'Approved', 'PendingReview'),
  holder: oneOf('Person', 'Business', 'Unknown'),
  payment: upTo(80, 'Rent'),
  paymentStatus: oneOf('Pending', 'PendingReview', 'Rejected', 'Clearing', 'Sent', 'Canceled', 'Returned'),
  physicalStatus: oneOf(...physicalStatus),
  positive: { samples: [20_00, 1], fits: (value) => Number.isSafeInteger(value) && (value as number) >= 1 },
  receivedStatus: oneOf('Pending', 'Advanced', 'PendingReview', 'MarkedForReturn', 'Returned', 'Completed'),
  virtualStatus: oneOf(...physicalStatus.slice(0, -1)),
  wireCounterparty: made({
    name: upTo(50, 'Grace Sample'),
    routingNumber,
    accountNumber: upTo(17, '9876543210'),
    address,
  }),
}

/** Kinds of the members that have one kind everywhere; all others are texts. */
const usual: Record<string, Kind> = {
  accountNumber: like(/^\d{1,17}$/, '9876543210'),
  accountType,
  address,
  amount: cents,
  annualIncome: oneOf(
    ...['UpTo10k', 'Between10kAnd25k', 'Between25kAnd50k', 'Between50kAnd100k', 'Between100kAnd250k', 'Over250k'],
  ),
  archived: flag,
  authorizedUsers: listOf(made({ fullName, email, phone, 'jwtSubject?': text })),
  available: cents,
  balance: whole(20_00, 0, -5_00),
  beneficialOwners: listOf(made({ 'fullName?': fullName, 'status?': text, 'percentage?': whole(25) })),
  bin: nineDigits,
  cardLast4Digits: like(/^\d{4}$/, '4242'),
  cardPresent: flag,
  cardVerificationData: made({ 'verificationMethod?': text }),
  cashWithdrawalAmount: cents,
  clearingDaysOverride: whole(2),
  closeReason: oneOf(...closeReasons),
  contact: made({ fullName, email, phone, 'jwtSubject?': text }),
  coordinates: made({ longitude: decimal, latitude: decimal }),
  counterparty,
  counterpartyRoutingNumber: routingNumber,
  createdAt: instant,
  creditLimit: cents,
  currency: like(/^[A-Z]{3}$/, 'USD'),
  currencyConversion: made({ originalCurrency: text, amountInOriginalCurrency: cents, 'fxRate?': text }),
  dacaStatus: oneOf('Entered', 'Activated'),
  dateOfBirth: date,
  dateOfIncorporation: date,
  decisionDateTime: instant,
  direction: oneOf('Credit', 'Debit'),
  documentType: oneOf(
    ...['IdDocument', 'Passport', 'AddressVerification', 'SocialSecurityCard', 'CertificateOfIncorporation'],
    ...['EmployerIdentificationNumberConfirmation', 'PowerOfAttorney', 'ClientRequested', 'SelfieVerification'],
  ),
  ecommerce: flag,
  ein: nineDigits,
  email,
  entityType: oneOf(
    ...['Corporation', 'LLC', 'Partnership', 'PubliclyTradedCorporation', 'PrivatelyHeldCorporation'],
    'NotForProfitOrganization',
  ),
  evaluationFlags: listOf(text),
  expectedCompletionDate: date,
  expirationDate: month,
  fullName,
  hold: cents,
  idTheftScore: whole(5),
  imadOmad: made({ 'imad?': text, 'omad?': text }),
  interchange: either(like(/^-?\d+(\.\d+)?$/, '1.25'), decimal),
  internationalServiceFee: cents,
  isAdvaceable: flag,
  isAdvanceable: flag,
  isOverdrawnWithinLimit: flag,
  last4Digits: like(/^\d{4}$/, '4242'),
  maskedAccountNumber: like(/^\*{6,8}\d{4}$/, '******0001'),
  merchant,
  nationality: like(/^[A-Z]{2}$/, 'US'),
  nextExpirationDate: month,
  occupation: oneOf(
    ...['ArchitectOrEngineer', 'BusinessAnalystAccountantOrFinancialAdvisor', 'CommunityAndSocialServicesWorker'],
    ...['ConstructionMechanicOrMaintenanceWorker', 'Doctor', 'Educator', 'EntertainmentSportsArtsOrMedia'],
    ...['ExecutiveOrManager', 'FarmerFishermanForester', 'FoodServiceWorker', 'GigWorker', 'HouseholdManager'],
    ...['HospitalityOfficeOrAdministrativeSupportWorker', 'JanitorHousekeeperLandscaper', 'Lawyer', 'Student'],
    ...['ManufacturingOrProductionWorker', 'MilitaryOrPublicSafety', 'NurseHealthcareTechnicianOrHealthcareSupport'],
    ...['PersonalCareOrServiceWorker', 'PilotDriverOperator', 'SalesRepresentativeBrokerAgent'],
    'ScientistOrTechnologist',
  ),
  officer: made({ 'fullName?': fullName, 'email?': email, 'status?': text }),
  operatingAddress: address,
  overdraftLimit: either(cents, text),
  period: month,
  permissions: oneOf('CreditOnly', 'DebitOnly', 'CreditAndDebit'),
  phone,
  receiverCounterparty: counterparty,
  recurring: flag,
  richMerchantData: { samples: [{ name: 'Sample Coffee' }], fits: isObject },
  riskRate: oneOf('low', 'medium', 'high'),
  routingNumber,
  sameDay: flag,
  secCode: like(/^.{3}$/, 'WEB', 'PPD', 'CCD'),
  secondaryAccountNumber: made({ routingNumber, accountNumber: text }),
  senderAddress: address,
  settlementDate: date,
  shippingAddress: address,
  soleProprietorship: flag,
  sourceOfIncome: oneOf(
    ...['EmploymentOrPayrollIncome', 'PartTimeOrContractorIncome', 'InheritancesAndGifts', 'PersonalInvestments'],
    ...['BusinessOwnershipInterests', 'GovernmentBenefits'],
  ),
  ssn: nineDigits,
  surcharge: cents,
  tags,
  traceNumber: either(like(/^\d+$/, '021000021000001'), whole(21_000_021_000_001)),
  updatedAt: instant,
  wasAdvanced: flag,
}

/** The types of related records that differ from the name of the relationship; `[]` marks a list. */
const relatedTypes: Record<string, string[]> = {
  account: ['account', 'depositAccount', 'creditAccount', 'batchAccount'],
  application: ['application', 'individualApplication', 'businessApplication'],
  beneficialOwners: ['[]', 'beneficialOwner'],
  checkPayment: ['payment', 'checkPayment'],
  counterpartyAccount: ['account', 'depositAccount'],
  counterpartyCustomer: ['customer', 'individualCustomer', 'businessCustomer'],
  customer: ['customer', 'individualCustomer', 'businessCustomer'],
  customers: ['[]', 'customer', 'individualCustomer'],
  disputedTransaction: ['transaction'],
  documents: ['[]', 'document'],
  originalTransaction: ['originalTransaction', 'transaction'],
  payment: ['payment', 'achPayment'],
  paymentAdvanceTransaction: ['transaction'],
  receivePaymentTransaction: ['transaction'],
  receiverAccount: ['account', 'depositAccount'],
  receivingAccount: ['account', 'depositAccount', 'creditAccount'],
  relatedTransaction: ['transaction'],
  repayPaymentAdvanceTransaction: ['transaction'],
  returned: ['transaction'],
}

export function kindOf(member: string): Kind {
  const [name = '', wanted] = member.split(':')
  if (wanted === undefined) return usual[name] ?? text
  const kind = named[wanted]
  if (!kind) throw new Error(`no kind is named ${wanted}`)
  return kind
}

const related: string[] = []

/** A relationship; its samples name another record for every name. */
export function relationOf(name: string): Kind {
  if (!related.includes(name)) related.push(name)
  const id = like(/^[1-9]\d*$/, String(5_000 + related.indexOf(name)))
  const [first = '', ...more] = relatedTypes[name] ?? [name]
  if (first !== '[]') return made({ data: made({ type: oneOf(first, ...more), id }) })
  return made({ data: listOf(made({ type: oneOf(...more), id })) })
}
