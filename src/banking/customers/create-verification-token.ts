import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { VerificationToken } from './verification-token.ts'

const path = '/v0/banking/customers/:customerId/token-verifications'
const singular = '/v0/banking/customers/:customerId/token-verification'
const deprecatedAt = Date.UTC(2026, 0) / 1000

/** B2. Creates a token that proves the verification of a customer for ten minutes. */
export const createVerificationToken = bankingWrite({
  id: 'createVerificationToken',
  resource: 'customers',
  verb: 'createVerificationToken',
  number: 'B2',
  path,
  // The sample in the interface's description uses GET and the singular.
  aliases: [
    { method: 'GET', path, deprecatedAt },
    { method: 'POST', path: singular, deprecatedAt },
    { method: 'GET', path: singular, deprecatedAt },
  ],
  summary: 'Create verification token',
  description:
    'Creates a token that proves for ten minutes that the customer was verified. Pass it to the part of your app that asks for the proof. Only this answer shows the token; the service stores a hash.\n\nAn unknown customer is refused with `customer_not_found`. Emits `verificationToken.created`, without the token.',
  status: 201,
  secret: true,
  params: Type.Object({ customerId: Id('customer') }),
  data: VerificationToken,
  problems: ['customer_not_found', 'customer_erased'],
  run: ({ bank, write }, { params }) => bank.createVerificationToken(write, params.customerId),
})
