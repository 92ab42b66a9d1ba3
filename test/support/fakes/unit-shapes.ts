import { type Kind, kindOf, relationOf } from './unit-kinds.ts'

/**
 * The shapes of Unit's records, by Unit's OpenAPI document, SDKs and documentation. A member that one of these
 * calls optional is optional here: it ends with `?`. A kind follows a colon if the name alone does not say it.
 */
export interface Member {
  name: string
  optional: boolean
  kind: Kind
}

export interface Shape {
  attributes: Member[]
  relationships: Member[]
  /** Whether records of this type have an id. */
  hasId: boolean
}

export type UnitType = keyof typeof table | `${keyof typeof transactions}Transaction`

const base = 'createdAt direction amount balance summary tags?'
const owner = 'account customer? customers?'
const byCard = 'merchant recurring paymentMethod? digitalWallet? cardVerificationData? cardNetwork?'
const spent = 'networkTransactionId? interchange? grossInterchange? internationalServiceFee? currencyConversion?'

/** The 38 types of transactions: members beside those that all of them have. */
const transactions = {
  originatedAch: [`description addenda? counterparty secCode? traceNumber?`, 'payment recurringPayment?'],
  receivedAch: [
    `description addenda? companyName counterpartyName? counterpartyRoutingNumber traceNumber? secCode?`,
    '',
  ],
  returnedAch: ['companyName counterpartyName counterpartyRoutingNumber reason achReason?', 'payment'],
  returnedReceivedAch: ['companyName reason', 'returned'],
  dishonoredAch: [
    'description companyName counterpartyName? counterpartyRoutingNumber traceNumber? reason? secCode?',
    '',
  ],
  book: ['counterparty', 'counterpartyAccount counterpartyCustomer? payment? recurringPayment?'],
  purchase: [
    `cardLast4Digits ${byCard} ecommerce cardPresent coordinates? ${spent} cashWithdrawalAmount? richMerchantData?`,
    'card authorization? authorizationRequest?',
  ],
  atm: [`cardLast4Digits atmName atmLocation? surcharge cardNetwork? ${spent}`, 'card authorization?'],
  fee: ['', 'relatedTransaction?'],
  feeReversal: ['', 'relatedTransaction'],
  card: [`cardLast4Digits ${byCard} cardPresent? ${spent} richMerchantData?`, 'card authorization?'],
  cardReversal: ['cardLast4Digits', 'card relatedTransaction?'],
  wire: [
    `counterparty description? senderReference? referenceForBeneficiary? originatorToBeneficiaryInformation? beneficiaryInformation? beneficiaryAdviceInformation? imadOmad?`,
    '',
  ],
  returnedWire: ['reason imad omad?', 'payment'],
  release: ['senderName? senderAccountNumber? senderAddress? description? counterparty', ''],
  adjustment: ['description?', ''],
  interest: ['', ''],
  interestShare: ['', 'org'],
  sponsoredInterest: ['', 'org?'],
  dispute: ['reason disputeId?', 'disputedTransaction?'],
  checkDeposit: ['', 'checkDeposit'],
  returnedCheckDeposit: ['reason?', 'checkDeposit'],
  checkPayment: ['', 'checkPayment'],
  returnedCheckPayment: ['reason? returnReason?', 'checkPayment'],
  paymentAdvance: ['', 'receivedPayment'],
  repaidPaymentAdvance: ['', 'receivedPayment paymentAdvanceTransaction'],
  paymentCanceled: ['', 'org? relatedTransaction receivedPayment?'],
  chargeback: ['counterparty?', 'counterpartyAccount chargeback'],
  reward: ['receiverCounterparty', 'reward receiverAccount'],
  negativeBalanceCoverage: ['', 'receiverAccount?'],
  accountLowBalanceClosure: ['direction? receiverCounterparty?', 'receiverAccount'],
  bankRepayment: ['paidForDate', 'org? receivingAccount?'],
  customerRepayment: ['', 'org? repayment'],
  customerRepaymentReturned: ['', 'org? repayment'],
  cashDeposit: ['recurring? cardLast4Digits? merchant?', ''],
  pushToCard: ['', 'org payment?'],
  pushToCardReversal: ['', 'org payment? originalTransaction'],
  writeOff: ['', ''],
} as const

const account = 'createdAt updatedAt? name currency balance hold available status:accountStatus tags? freezeReason?'
const closing = 'closeReason? fraudReason? closeReasonText?'
const card = 'createdAt updatedAt? last4Digits expirationDate nextExpirationDate? bin? tags? freezeReason?'
const physical = 'shippingAddress? design?'
const holder = 'address fullName phone email dateOfBirth nationality? ssn? passport?'
const paid = 'createdAt amount:positive description:payment status:paymentStatus reason?'
const paidBy = 'account customer? customers? transaction?'
const decided =
  'message? decisionMethod? decisionUserId? decisionReason? decisionDateTime? riskRate? evaluationFlags? archived? ip?'
const applied = `createdAt updatedAt? status:applicationStatus tags? ${decided} phone? address?`
const person = 'fullName email? ssn? passport? nationality? dateOfBirth? ein? dba? soleProprietorship? jwtSubject?'

/** All other records: attributes and relationships. */
const table = {
  depositAccount: [
    `${account} depositProduct routingNumber accountNumber?:accountNumber12 maskedAccountNumber? secondaryAccountNumber? overdraftLimit? isOverdrawnWithinLimit? dacaStatus? ${closing}`,
    'customer? customers? org?',
  ],
  creditAccount: [`${account} creditTerms creditLimit ${closing}`, 'customer? customers? org?'],
  walletAccount: [`${account} walletTerms? routingNumber? accountNumber? ${closing}`, 'customer? customers? org?'],
  individualDebitCard: [`${card} ${physical} status:physicalStatus`, owner],
  individualVirtualDebitCard: [`${card} status:virtualStatus`, owner],
  businessDebitCard: [`${card} ${physical} ${holder} status?:physicalStatus`, owner],
  businessVirtualDebitCard: [`${card} ${holder} status?:virtualStatus`, owner],
  businessCreditCard: [`${card} ${physical} ${holder} status?:physicalStatus`, owner],
  businessVirtualCreditCard: [`${card} ${holder} status?:virtualStatus`, owner],
  individualCustomer: [
    `createdAt status:customerStatus phone? address? tags? riskRate? authorizedUsers? archiveReason? ${person}`,
    'org? application?',
  ],
  businessCustomer: [
    'createdAt? name dba? ein? entityType dateOfIncorporation? stateOfIncorporation purpose? phone? address? contact tags? riskRate? authorizedUsers? status:customerStatus archiveReason?',
    'org? application?',
  ],
  achPayment: [
    `${paid} direction addenda? counterparty? tags? settlementDate? expectedCompletionDate? secCode? traceNumber? sameDay? counterpartyVerificationMethod? clearingDaysOverride?`,
    `${paidBy} counterparty? recurringPayment?`,
  ],
  bookPayment: [
    `${paid} direction tags? transactionSummaryOverride?`,
    `${paidBy} counterpartyAccount counterpartyCustomer? recurringPayment?`,
  ],
  wirePayment: [`${paid} direction:credit counterparty?:wireCounterparty settlementDate? imadOmad? tags?`, paidBy],
  pushToCardPayment: [`${paid} direction tags? astraRoutineId?`, `${paidBy} achPayment?`],
  achReceivedPayment: [
    'createdAt status:receivedStatus amount:positive completionDate direction wasAdvanced isAdvanceable? isAdvaceable? companyName counterpartyRoutingNumber counterpartyAccountNumber? description addenda? traceNumber secCode? returnReason? receivingEntityName? tags? sameDay?',
    'account customer? customers? receivePaymentTransaction? paymentAdvanceTransaction? repayPaymentAdvanceTransaction?',
  ],
  achCounterparty: [
    'createdAt name routingNumber accountNumber accountType type:holder permissions bank? tags?',
    'customer',
  ],
  individualApplication: [
    `${applied} ${person} occupation? annualIncome? sourceOfIncome?`,
    'customer? documents? org? applicationForm?',
  ],
  businessApplication: [
    `${applied} name dba? ein? entityType dateOfIncorporation? stateOfIncorporation purpose? contact officer beneficialOwners website? operatingAddress?`,
    'customer? documents? beneficialOwners? org? applicationForm?',
  ],
  document: [
    'documentType? status:documentStatus description? name? address? dateOfBirth? passport? ssn? nationality? ein? reasonCode? reason? archived?',
    '',
  ],
  authorization: [
    `createdAt amount cardLast4Digits status:authorizationStatus declineReason? summary? tags? ${byCard} cashWithdrawalAmount? richMerchantData? currencyConversion?`,
    'account card customer? customers? authorizationRequest?',
  ],
  statement: ['period?', 'account? customer? customers?'],
  accountStatementDTO: ['period?', 'account? customer? customers?'],
  customerTokenVerification: ['verificationToken', ''],
} as const

function membersOf(line: string, kind: (name: string) => Kind): Member[] {
  const members = new Map<string, Member>()
  for (const word of line.split(' ').filter(Boolean)) {
    const [, name = '', mark, wanted = ''] = /^(\w+)(\??)(:\w+)?$/.exec(word) ?? []
    members.set(name, { name, optional: mark === '?', kind: kind(`${name}${wanted}`) })
  }
  return [...members.values()]
}

function shapeOf(attributes: string, relationships: string, hasId = true): Shape {
  return { attributes: membersOf(attributes, kindOf), relationships: membersOf(relationships, relationOf), hasId }
}

export const shapes = Object.fromEntries([
  ...Object.entries(transactions).map(([name, [own, related]]) => [
    `${name}Transaction`,
    shapeOf(`${base} ${own}`, `${owner} ${related}`),
  ]),
  ...Object.entries(table).map(([type, [own, related]]) => [
    type,
    shapeOf(own, related, type !== 'customerTokenVerification'),
  ]),
]) as Record<UnitType, Shape>

export const transactionTypes = Object.keys(transactions).map((name) => `${name}Transaction`) as UnitType[]

// biome-ignore lint/suspicious/noExplicitAny: an upstream's records are the JSON they are
type Json = any

/** The faults of a record of the upstream's; none if it has the shape of its type. */
export function faultsOfRecord(record: Json): string[] {
  const shape = shapes[record?.type as UnitType]
  if (!shape) return [`/type is ${record?.type}`]
  const { type: _type, id, attributes, relationships = {}, ...more } = record
  const idFaults = shape.hasId === /^[1-9]\d*$/.test(id ?? '') ? [] : [`/id is ${id}`]
  return [
    ...idFaults,
    ...Object.keys(more).map((name) => `/${name} is unknown`),
    ...faultsOf(attributes, shape.attributes, '/attributes'),
    ...faultsOf(relationships, shape.relationships, '/relationships'),
  ]
}

/** An optional member may be null, and an optional relationship empty. */
function faultsOf(value: Json, members: Member[], at: string): string[] {
  if (typeof value !== 'object' || value === null) return [`${at} is missing`]
  const unknown = Object.keys(value).filter((name) => !members.some((member) => member.name === name))
  const wrong = members.filter(({ name, optional, kind }) => {
    if (optional && (value[name] ?? null) === null) return false
    if (optional && value[name].data === null) return false
    return !kind.fits(value[name])
  })
  return [
    ...unknown.map((name) => `${at}/${name} is unknown`),
    ...wrong.map(({ name }) => `${at}/${name} is ${JSON.stringify(value[name])}`),
  ]
}

/** One record of a type, and what is special about it. */
export interface Example {
  what: string
  record: { type: UnitType; id?: string; attributes: Json; relationships: Json }
}

/** Records of every form that the description allows for a type: each value of each member is in one of them. */
export function examplesOf(type: UnitType): Example[] {
  const shape = shapes[type]
  const both = [...shape.attributes, ...shape.relationships]
  const example = (what: string, attributes: Json, relationships: Json): Example => ({
    what,
    record: { type, ...(shape.hasId && { id: '4711' }), attributes, relationships },
  })
  const samples = (members: Member[], value: (member: Member) => unknown) =>
    Object.fromEntries(members.map((member) => [member.name, value(member)]))
  const usual = ({ kind }: Member) => kind.samples[0]
  const required = ({ optional }: Member) => !optional
  // A record has one customer or a list of several, never both.
  const single = ({ name }: Member) => name !== 'customers'
  const full = () => [samples(shape.attributes, usual), samples(shape.relationships.filter(single), usual)] as const
  const minimal = [
    samples(shape.attributes.filter(required), usual),
    samples(shape.relationships.filter(required), usual),
  ]
  const examples = [
    example('full', ...full()),
    example('minimal', minimal[0], minimal[1]),
    example(
      'null',
      {
        ...minimal[0],
        ...samples(
          shape.attributes.filter(({ optional }) => optional),
          () => null,
        ),
      },
      {
        ...minimal[1],
        ...samples(
          shape.relationships.filter(({ optional }) => optional),
          () => ({ data: null }),
        ),
      },
    ),
    example(
      'additional',
      { ...full()[0], addedLater: { of: ['any', 1, null] } },
      { ...full()[1], addedLater: { data: [{ type: 'addition', id: '1' }] } },
    ),
  ]
  if (both.some(({ name }) => name === 'customers')) {
    const { customer: _customer, ...relationships } = full()[1] as Json
    const data = ['1', '2'].map((id) => ({ type: 'customer', id }))
    examples.push(example('joint', full()[0], { ...relationships, customers: { data } }))
  }
  for (const { name, kind } of shape.attributes) {
    for (const sample of kind.samples.slice(1)) {
      examples.push(example(`${name} ${JSON.stringify(sample)}`, { ...full()[0], [name]: sample }, full()[1]))
    }
  }
  return examples
}
