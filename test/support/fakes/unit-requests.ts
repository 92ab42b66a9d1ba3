import { type TProperties, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { FakeCall } from './server.ts'

/** A request that Unit describes. A call that fits none of them is one that Unit may refuse or misread. */
interface Described {
  method: string
  path: RegExp
  /** The parameters that are described, with the form of their values. */
  query?: Record<string, RegExp>
  /** Absent if the request has no body. */
  body?: TSchema
  /** The media types of a file, for a request whose body is one. */
  file?: string[]
}

const closed = (properties: TProperties) => Type.Object(properties, { additionalProperties: false })
const optional = Type.Optional
const oneOf = (...words: string[]) => Type.Enum(words)
const Identifier = Type.String({ pattern: '^[1-9]\\d*$' })
const Cents = Type.Integer({ minimum: 1 })
const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const Name = Text(255)
const Digits = (count: number) => Type.String({ pattern: `^\\d{${count}}$` })
const to = (...types: string[]) => closed({ data: closed({ type: oneOf(...types), id: Identifier }) })

const Tags = Type.Record(Type.String(), Text(255), { maxProperties: 15 })
const Address = closed({
  street: Name,
  street2: optional(Type.String()),
  city: Name,
  state: Type.String(),
  postalCode: Type.String({ pattern: '^[0-9]{5}(-[0-9]{4})?$' }),
  country: oneOf('US'),
})
const Phone = closed({ countryCode: Type.String({ pattern: '^\\d+$' }), number: Type.String({ pattern: '^\\d+$' }) })

/** A document with one resource. */
const resource = (type: TSchema, attributes: TProperties, relationships?: TProperties) =>
  closed({
    data: closed({
      type,
      attributes: closed(attributes),
      ...(relationships && { relationships: closed(relationships) }),
    }),
  })
const creation = (type: string, attributes: TProperties, relationships?: TProperties) =>
  resource(oneOf(type), { ...attributes, tags: optional(Tags), idempotencyKey: Name }, relationships)

const customer = to('customer', 'individualCustomer', 'businessCustomer')
const account = to('account', 'depositAccount')

const application = creation('individualApplication', {
  fullName: closed({ first: Name, last: Name }),
  email: Type.String({ pattern: '^[!-?A-~]+@[a-zA-Z0-9.-]+$' }),
  phone: Phone,
  ssn: Digits(9),
  address: Address,
  dateOfBirth: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
  ip: optional(Type.String({ pattern: '^[0-9a-fA-F.:]+$' })),
  occupation: optional(
    oneOf(
      'ArchitectOrEngineer',
      'BusinessAnalystAccountantOrFinancialAdvisor',
      'CommunityAndSocialServicesWorker',
      'ConstructionMechanicOrMaintenanceWorker',
      'Doctor',
      'Educator',
      'EntertainmentSportsArtsOrMedia',
      'ExecutiveOrManager',
      'FarmerFishermanForester',
      'FoodServiceWorker',
      'GigWorker',
      'HospitalityOfficeOrAdministrativeSupportWorker',
      'HouseholdManager',
      'JanitorHousekeeperLandscaper',
      'Lawyer',
      'ManufacturingOrProductionWorker',
      'MilitaryOrPublicSafety',
      'NurseHealthcareTechnicianOrHealthcareSupport',
      'PersonalCareOrServiceWorker',
      'PilotDriverOperator',
      'SalesRepresentativeBrokerAgent',
      'ScientistOrTechnologist',
      'Student',
    ),
  ),
  annualIncome: optional(
    oneOf('UpTo10k', 'Between10kAnd25k', 'Between25kAnd50k', 'Between50kAnd100k', 'Between100kAnd250k', 'Over250k'),
  ),
  sourceOfIncome: optional(
    oneOf(
      'EmploymentOrPayrollIncome',
      'PartTimeOrContractorIncome',
      'InheritancesAndGifts',
      'PersonalInvestments',
      'BusinessOwnershipInterests',
      'GovernmentBenefits',
    ),
  ),
})

/** The creations, which carry an idempotency key. */
const creations: Record<string, TSchema> = {
  accounts: creation('depositAccount', { depositProduct: Name }, { customer }),
  applications: application,
  cards: Type.Union([
    creation(
      'individualDebitCard',
      { shippingAddress: optional(Address), design: optional(Type.String()) },
      { account, customer: optional(customer) },
    ),
    creation('individualVirtualDebitCard', {}, { account, customer: optional(customer) }),
  ]),
  counterparties: creation(
    'achCounterparty',
    {
      routingNumber: Digits(9),
      accountNumber: Type.String({ pattern: '^\\d{1,17}$' }),
      accountType: oneOf('Checking', 'Savings', 'Loan'),
      type: oneOf('Business', 'Person', 'Unknown'),
      name: Name,
      // CreditOnly is what a counterparty has without the member; it is no value of it.
      permissions: optional(oneOf('DebitOnly', 'CreditAndDebit')),
    },
    { customer },
  ),
  payments: Type.Union([
    creation(
      'achPayment',
      { amount: Cents, direction: oneOf('Credit', 'Debit'), description: Text(10), addenda: optional(Text(80)) },
      { account, counterparty: to('counterparty') },
    ),
    creation('bookPayment', { amount: Cents, description: Text(50) }, { account, counterpartyAccount: account }),
  ]),
}

const any = /^.+$/
const digits = /^\d+$/
const word = /^[A-Za-z]+$/
const id = /^[1-9]\d*$/
const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const page = { 'page[limit]': /^([1-9]\d{0,2}|1000)$/, 'page[offset]': digits }
const byCreation = { ...page, sort: /^-?createdAt$/ }
const period = { 'filter[since]': time, 'filter[until]': time }
const amounts = { 'filter[fromAmount]': digits, 'filter[toAmount]': digits }

/** The lists. That of accounts has no described order. */
const lists: Record<string, Record<string, RegExp>> = {
  accounts: {
    ...page,
    'filter[customerId]': id,
    'filter[status][n]': /^(Open|Frozen|Closed)$/,
    'filter[type]': /^deposit$/,
  },
  applications: { ...byCreation, 'filter[status][n]': word },
  authorizations: {
    ...byCreation,
    'filter[customerId]': id,
    'filter[accountId]': id,
    'filter[cardId]': id,
    'filter[status]': /^Authorized$/,
    ...period,
    ...amounts,
  },
  cards: { ...byCreation, 'filter[customerId]': id, 'filter[accountId]': id, 'filter[status][n]': word },
  counterparties: {
    ...byCreation,
    'filter[customerId]': id,
    'filter[routingNumber]': any,
    'filter[accountNumber]': any,
  },
  customers: { ...byCreation, 'filter[query]': any },
  payments: {
    ...byCreation,
    'filter[accountId]': id,
    'filter[customerId]': id,
    'filter[counterpartyAccountId]': id,
    'filter[recurringPaymentId]': id,
    'filter[tags]': /^\{.*\}$/,
    'filter[status][n]': word,
    'filter[type][n]': /^(AchPayment|BookPayment)$/,
    'filter[direction][n]': /^(Credit|Debit)$/,
    'filter[feature][n]': /^(SameDay|RecurringPayment)$/,
    ...period,
    ...amounts,
  },
  statements: { ...page, sort: /^-?period$/, 'filter[accountId]': id, 'filter[period]': /^\d{4}-\d\d$/ },
  transactions: {
    ...byCreation,
    'filter[accountId]': id,
    'filter[customerId]': id,
    'filter[direction][n]': /^(Credit|Debit)$/,
    ...period,
  },
}

const described: Described[] = [
  ...Object.entries(creations).map(([name, body]) => ({ method: 'POST', path: new RegExp(`^/${name}$`), body })),
  ...Object.entries(lists).map(([name, query]) => ({ method: 'GET', path: new RegExp(`^/${name}$`), query })),
  { method: 'GET', path: /^\/(accounts|applications|cards|counterparties|customers|payments)\/\d+$/ },
  { method: 'GET', path: /^\/authorizations\/\d+$/, query: { 'filter[includeNonAuthorized]': /^(true|false)$/ } },
  { method: 'GET', path: /^\/accounts\/\d+\/transactions\/\d+$/ },
  { method: 'GET', path: /^\/statements\/\d+\/(html|pdf)$/ },
  { method: 'DELETE', path: /^\/counterparties\/\d+$/ },
  { method: 'POST', path: /^\/accounts\/\d+\/(unfreeze|reopen)$/ },
  {
    method: 'POST',
    path: /^\/accounts\/\d+\/close$/,
    body: resource(oneOf('depositAccountClose'), { reason: oneOf('ByCustomer', 'Fraud') }),
  },
  {
    method: 'POST',
    path: /^\/accounts\/\d+\/freeze$/,
    body: resource(oneOf('accountFreeze'), { reason: oneOf('Fraud', 'Other'), reasonText: optional(Text(255)) }),
  },
  { method: 'POST', path: /^\/cards\/\d+\/(freeze|unfreeze|close|report-lost|report-stolen)$/ },
  {
    method: 'POST',
    path: /^\/cards\/\d+\/replace$/,
    body: resource(oneOf('replaceCard'), { shippingAddress: Address }),
  },
  {
    method: 'POST',
    path: /^\/customers\/\d+\/token\/verification$/,
    body: resource(oneOf('customerTokenVerification'), { channel: oneOf('sms', 'call') }),
  },
  {
    method: 'PUT',
    path: /^\/applications\/\d+\/documents\/\d+(\/back)?$/,
    file: ['image/png', 'image/jpeg', 'application/pdf'],
  },
]

/** The faults of a call by Unit's descriptions; none if it is as described. */
export function requestFaults(call: FakeCall): string[] {
  const { method, path, query, headers, body } = call
  const match = described.find((one) => one.method === method && one.path.test(path))
  if (!match) return [`${method} ${path} is not described`]
  const parameters = [...query].flatMap(([name, value]) => {
    const form = match.query?.[name.replace(/\[\d+\]$/, '[n]')]
    return form?.test(value) ? [] : [`${method} ${path}: parameter ${name}=${value}`]
  })
  const type = headers['content-type'] ?? ''
  if (match.file) return [...parameters, ...(match.file.includes(type) ? [] : [`${method} ${path}: ${type}`])]
  if (!match.body) return [...parameters, ...(body.length === 0 ? [] : [`${method} ${path}: has a body`])]
  const media = type === 'application/vnd.api+json' ? [] : [`${method} ${path}: ${type}`]
  return [...parameters, ...media, ...bodyFaults(match.body, body).map((fault) => `${method} ${path}: ${fault}`)]
}

const compiled = new Map<TSchema, ReturnType<typeof Compile>>()

function bodyFaults(schema: TSchema, body: Buffer): string[] {
  const validator = compiled.get(schema) ?? Compile(schema)
  compiled.set(schema, validator)
  const errors = validator.Errors(body.length > 0 ? JSON.parse(body.toString('utf8')) : undefined)
  return errors.map(({ instancePath, message }) => `${instancePath} ${message}`)
}
