import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Email, Phone } from '../../banking/customers/customer.ts'
import {
  AccountNumber,
  AccountType,
  HolderType,
  RoutingNumber,
} from '../../banking/external-accounts/external-account.ts'
import { parseInstant } from '../../base/clock.ts'

/** Returns the fault of a text, or undefined. */
type Check = (text: string) => string | undefined

interface Column {
  required?: true
  check: Check
  /** For the documentation. */
  about: string
}

/** The files of a folder that an import reads, in the order in which it reads them, with their columns. */
export const fileNames = ['customers', 'accounts', 'external-accounts', 'cards', 'history'] as const
export type FileName = (typeof fileNames)[number]

const length =
  (longest: number): Check =>
  (text) =>
    [...text].length > longest ? `has more than ${longest} characters` : undefined

const fits = (schema: TSchema, what: string): Check => {
  const compiled = Compile(schema)
  return (text) => (compiled.Check(text) ? undefined : `is no ${what}`)
}

const pattern =
  (form: RegExp, what: string): Check =>
  (text) =>
    form.test(text) ? undefined : `is no ${what}`

const INSTANT = '2026-01-31T12:00:00.000Z'.length

const time: Check = (text) => {
  const instant = parseInstant(text)
  if (instant === undefined) return 'is no time such as 2026-01-31T12:00:00Z'
  // The database keeps milliseconds.
  return instant.length > INSTANT ? 'has more than three decimals of a second' : undefined
}

const cents: Check = (text) =>
  /^-?(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text))
    ? undefined
    : 'is no number of cents such as 2500'

const amount: Check = (text) => cents(text) ?? (Number(text) === 0 ? 'is zero' : undefined)

const id = (about: string): Column => ({ required: true, check: length(255), about })
const optional = (check: Check, about: string): Column => ({ check, about })
const needed = (check: Check, about: string): Column => ({ required: true, check, about })

const address = {
  street: optional(length(255), 'Street and number. With it, `city`, `state` and `postalCode` are required'),
  street2: optional(length(255), 'Apartment, suite or floor'),
  city: optional(length(255), 'City or town'),
  state: optional(length(255), 'State, in the United States by its two letters'),
  postalCode: optional(length(20), 'Postal code'),
  country: optional(pattern(/^[A-Z]{2}$/, 'country of two letters'), 'Country by its two letters; `US` if it is empty'),
}

export const columnsOf: Record<FileName, Record<string, Column>> = {
  customers: {
    id: id('Id in the former system'),
    name: needed(length(255), 'Full name'),
    email: optional(fits(Email, 'e-mail address'), 'E-mail address'),
    phone: optional(fits(Phone, 'phone number such as +12125550123'), 'Phone number in the form of E.164'),
    ...address,
    createdAt: needed(time, 'Since when the person is a customer'),
  },
  accounts: {
    id: id('Id in the former system'),
    customerId: id('Customer, by the id in the former system'),
    openedAt: needed(time, 'When the account was opened, or when the history begins'),
    openingBalance: optional(cents, 'Cents at that time; 0 if it is empty'),
    balance: needed(cents, 'Cents at the end: what the opening balance and the history must make'),
    status: optional(pattern(/^(Open|Frozen|Closed)$/, 'Open, Frozen or Closed'), '`Open` if it is empty'),
    accountNumber: optional(length(255), 'Account number in the former system, to look it up'),
  },
  'external-accounts': {
    id: id('Id in the former system'),
    customerId: id('Customer, by the id in the former system'),
    name: needed(length(50), 'Holder'),
    type: needed(fits(HolderType, 'Business, Person or Unknown'), '`Business`, `Person` or `Unknown`'),
    routingNumber: needed(fits(RoutingNumber, 'routing number of nine digits'), 'Routing number of the bank'),
    accountNumber: needed(fits(AccountNumber, 'account number of up to 17 digits'), 'Account number at that bank'),
    accountType: needed(fits(AccountType, 'Checking, Savings or Loan'), '`Checking`, `Savings` or `Loan`'),
  },
  cards: {
    id: id('Id in the former system'),
    accountId: id('Account, by the id in the former system'),
    type: needed(
      pattern(/^individual(Virtual)?DebitCard$/, 'individualDebitCard or individualVirtualDebitCard'),
      '`individualDebitCard` or `individualVirtualDebitCard`',
    ),
    last4Digits: needed(pattern(/^\d{4}$/, 'text of four digits'), 'Last four digits'),
    expirationDate: needed(
      pattern(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/, 'month such as 2029-07'),
      'Month in which it expires',
    ),
    status: needed(
      pattern(/^(Inactive|Active|Frozen)$/, 'Inactive, Active or Frozen'),
      '`Inactive`, `Active` or `Frozen`',
    ),
    createdAt: needed(time, 'When the card was made'),
    processorReference: optional(length(255), 'Id of the card at the processor'),
    design: optional(length(50), 'Design of a physical card; `default` if it is empty'),
    ...address,
  },
  history: {
    id: optional(length(255), 'Id in the former system'),
    accountId: id('Account, by the id in the former system'),
    at: needed(time, 'Time of the booking. The lines are in the order of their times'),
    amount: needed(amount, 'Cents that came, or with `-` went'),
    counterparty: optional(length(255), 'Name of the payer or the payee'),
    description: optional(length(255), 'Description'),
  },
}
