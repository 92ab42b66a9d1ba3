import { Application, ListedApplication } from '../../../banking/applications/application.ts'
import type { CreateApplicationInput } from '../../../banking/applications/create-application.ts'
import { Document } from '../../../banking/applications/document.ts'
import {
  childOf,
  idOf,
  instant,
  type LeaveOut,
  optionalText,
  type Resource,
  readable,
  relatedId,
  text,
} from '../resource.ts'
import { sentAddress } from './address.ts'
import { emailOf, nameOf } from './customer.ts'
import { fitting } from './fitting.ts'

const asDocument = fitting(Document)
const asApplication = fitting(Application)
const asListedApplication = fitting(ListedApplication)

/**
 * A document. The data that the upstream read from it, such as a name or a date of birth, is left out. A document whose
 * type is unknown can still be uploaded.
 */
export function document(resource: Resource): Document {
  const shown = {
    id: idOf(resource),
    documentType: optionalText(resource, 'documentType') ?? '',
    status: text(resource, 'status'),
    description: optionalText(resource, 'description') ?? '',
  }
  return asDocument(shown, resource)
}

/** An application with its documents. A document that cannot be read is left out: the application is still good. */
export function application(resource: Resource, included: unknown, leaveOut: LeaveOut): Application {
  const related = Array.isArray(included) ? included : []
  const documents = related.filter((record) => childOf(record).type === 'document')
  const shown = { ...membersOf(resource), documents: readable(documents, document, leaveOut).items }
  return asApplication(shown, resource)
}

/** An application of a list, which the upstream sends without its documents. */
export function listedApplication(resource: Resource): ListedApplication {
  return asListedApplication(membersOf(resource), resource)
}

function membersOf(resource: Resource) {
  const customerId = relatedId(resource, 'customer')
  return {
    id: idOf(resource),
    status: text(resource, 'status'),
    createdAt: instant(resource, 'createdAt'),
    name: nameOf(resource),
    email: emailOf(resource) ?? '',
    ...(customerId !== undefined && { customerId }),
  }
}

/** An application in the upstream's form, which has a first and a last name, and a phone number without its country. */
export function individualApplication(input: CreateApplicationInput): object {
  const { name, dateOfBirth, ssn, email, phone, address, occupation, annualIncome, sourceOfIncome, ip } = input
  const [, first = name, last = ''] = /^(.*\S)\s+(\S+)$/.exec(name.trim()) ?? []
  return {
    ...{ dateOfBirth, ssn, email, occupation, annualIncome, sourceOfIncome, ip },
    fullName: { first, last },
    phone: phoneParts(phone),
    address: sentAddress(address),
  }
}

/** The country codes of one and of two digits that the ITU has assigned; all others have three. */
const COUNTRY_CODE = /^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/

function phoneParts(phone: string): { countryCode: string; number: string } {
  const digits = phone.slice(1)
  const countryCode = COUNTRY_CODE.exec(digits)?.[0] ?? ''
  return { countryCode, number: digits.slice(countryCode.length) }
}
