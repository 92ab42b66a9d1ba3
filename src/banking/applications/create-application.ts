import { type Static, Type } from 'typebox'
import { type Fault, invalidRequest } from '../../base/problem.ts'
import type { Rule } from '../../base/rules.ts'
import { isIpAddress, Text } from '../../base/text.ts'
import { MailingAddress } from '../address.ts'
import { Email, Phone } from '../customers/customer.ts'
import { bankingWrite } from '../provider.ts'
import { Application } from './application.ts'

const occupations = [
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
] as const
const annualIncomes = [
  'UpTo10k',
  'Between10kAnd25k',
  'Between25kAnd50k',
  'Between50kAnd100k',
  'Between100kAnd250k',
  'Over250k',
] as const
const sourcesOfIncome = [
  'EmploymentOrPayrollIncome',
  'PartTimeOrContractorIncome',
  'InheritancesAndGifts',
  'PersonalInvestments',
  'BusinessOwnershipInterests',
  'GovernmentBenefits',
] as const

/** Facts about the applicant for a provider that asks for them. They are personal, so that Purser keeps none. */
const passedOn = (subject: string) => ({
  description: `${subject}. Passed on to the provider; the built-in bank does not store it`,
  'x-secret': true,
})

const CreateApplicationInput = Type.Object(
  {
    name: Text(1, 255, { description: 'Full name of the applicant', examples: ['Ada Example'] }),
    dateOfBirth: Type.String({
      format: 'date',
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      description: 'Day of birth, not in the future',
      examples: ['1990-01-31'],
    }),
    ssn: Type.String({
      pattern: '^[0-9]{9}$',
      description: 'Social security number, nine digits',
      examples: ['123456789'],
      'x-secret': true,
    }),
    email: Email,
    phone: Phone,
    address: MailingAddress,
    occupation: Type.Optional(Type.Enum([...occupations], passedOn('Occupation of the applicant'))),
    annualIncome: Type.Optional(Type.Enum([...annualIncomes], passedOn('Income in US dollars a year'))),
    sourceOfIncome: Type.Optional(Type.Enum([...sourcesOfIncome], passedOn('Main source of income'))),
    ip: Type.Optional(
      Type.String({
        format: 'ip',
        pattern: '^[0-9a-fA-F.:]{2,45}$',
        ...passedOn('IP address, version 4 or 6, from which the person applies'),
        examples: ['203.0.113.7'],
      }),
    ),
  },
  { description: 'The person who applies', 'x-rules': [{ rule: 'past', members: ['dateOfBirth'] }] satisfies Rule[] },
)
export type CreateApplicationInput = Static<typeof CreateApplicationInput>

/** Extension. Creates the application of a person who wants to become a customer. */
export const createApplication = bankingWrite({
  id: 'createApplication',
  resource: 'applications',
  verb: 'create',
  path: '/v0/banking/applications',
  summary: 'Create application',
  description:
    'Applies for an account on behalf of a person. The built-in bank approves at once, and `customerId` in the answer is the new customer. If the service is set to manual review, which is the default in live mode, the status is `PendingReview` until a reviewer decides. If the operator has a screening (a service that checks names), it may ask for a review or refuse, and then the status is `Denied`. Other providers may first ask for documents or a review.\n\nIn a sandbox the `ssn` chooses the outcome: 000000001 is `Denied`, 000000003 is `AwaitingDocuments` with a passport to upload, 000000004 is `PendingReview`; any other is `Approved`, or `PendingReview` with manual review. A `dateOfBirth` in the future is refused with `invalid_request`.\n\nEmits `application.created`, and before it `customer.created` if the application is approved. The social security number is encrypted and never shown.',
  status: 201,
  body: CreateApplicationInput,
  data: Application,
  problems: ['customer_erased'],
  run: ({ bank, write }, { body }) => {
    const faults = ipFaults(body.ip)
    if (faults.length > 0) throw invalidRequest(faults)
    return bank.createApplication(write, body)
  },
})

function ipFaults(ip: string | undefined): Fault[] {
  if (ip === undefined || isIpAddress(ip)) return []
  return [{ pointer: '/ip', code: 'bad_format', message: 'ip must be an IPv4 or IPv6 address' }]
}
