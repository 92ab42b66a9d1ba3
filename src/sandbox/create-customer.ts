import { type Static, Type } from 'typebox'
import { Address } from '../banking/address.ts'
import { Customer, Email, Phone } from '../banking/customers/customer.ts'
import { Text } from '../base/text.ts'
import { sandboxWrite } from './sandbox.ts'

const CreateCustomerInput = Type.Object(
  {
    name: Text(1, 255, { description: 'Full name', examples: ['Ada Example'] }),
    email: Type.Optional(Email),
    phone: Type.Optional(Phone),
    address: Type.Optional(Address),
  },
  { description: 'The new customer' },
)
export type CreateCustomerInput = Static<typeof CreateCustomerInput>

/** Sandbox. Creates a customer without an application. */
export const createCustomer = sandboxWrite({
  id: 'createCustomer',
  resource: 'sandbox.customers',
  verb: 'create',
  path: '/v0/sandbox/customers',
  summary: 'Create customer',
  description:
    'Creates a customer without an application. Only the name is required. Emits `customer.created`. Next, `POST /v0/banking/accounts` opens an account.',
  status: 201,
  body: CreateCustomerInput,
  data: Customer,
  problems: ['customer_erased'],
  run: ({ sandbox, write }, { body }) => sandbox.createCustomer(write, body),
})
