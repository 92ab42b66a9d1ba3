import { dataDirOption, operatorCommand } from '../../operate.ts'

export const customersErase = operatorCommand({
  path: 'customers erase',
  summary: 'Erases the personal data of a customer',
  description:
    'Destroys the key that the events of the customer are encrypted with, and overwrites names, addresses, numbers, documents and stored answers. Accounts, payments and transfers stay, and the chain of events holds. Refused while an account is open or has a balance, an authorization is open, a hold is active or a payment is not sent, and for five years after the last account was closed. Asks before it erases; nothing can be brought back. The service may run.',
  arguments: [{ name: 'id', description: 'Id of the customer' }],
  options: [
    {
      flags: '--early',
      description: 'Erase although an account was closed less than five years ago, if no law requires the records',
    },
    { flags: '--yes', description: 'Erase without a question' },
    dataDirOption,
  ],
  examples: [{ run: 'purser customers erase "$FORMER_CUSTOMER" --yes', does: 'Erases a customer without a question' }],
  load: async () => (await import('../../../src/operator/customers.ts')).eraseCustomerData,
})
