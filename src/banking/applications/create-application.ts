import { type Static, Type } from 'typebox'
import { parseInstant } from '../../base/clock.ts'
import { type Fault, invalidRequest } from '../../base/problem.ts'
import { Text } from '../../base/text.ts'
import { Address, addressFaults } from '../address.ts'
import { Email, Phone } from '../customers/customer.ts'
import { bankingWrite } from '../provider.ts'
import { Application } from './application.ts'

const CreateApplicationInput = Type.Object({
  name: Text(1, 255, { examples: ['Ada Example'] }),
  dateOfBirth: Type.String({ format: 'date', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', examples: ['1990-01-31'] }),
  ssn: Type.String({ pattern: '^[0-9]{9}$', description: 'Nine digits', examples: ['123456789'] }),
  email: Email,
  phone: Phone,
  address: Address,
})
export type CreateApplicationInput = Static<typeof CreateApplicationInput>

/** Extension. Creates the application of a person who wants to become a customer. */
export const createApplication = bankingWrite({
  id: 'createApplication',
  area: 'banking',
  method: 'POST',
  path: '/v0/banking/applications',
  summary: 'Create application',
  status: 201,
  scope: 'banking:write',
  body: CreateApplicationInput,
  data: Application,
  problems: [],
  run: ({ bank, write }, { body }) => {
    const faults = [...dateFaults(body.dateOfBirth), ...addressFaults(body.address, '/address')]
    if (faults.length > 0) throw invalidRequest(faults)
    return bank.createApplication(write, body)
  },
})

function dateFaults(dateOfBirth: string): Fault[] {
  if (parseInstant(dateOfBirth) !== undefined) return []
  return [{ pointer: '/dateOfBirth', code: 'bad_format', message: 'dateOfBirth must be a day of the calendar' }]
}
