import { mono } from '../../../components/layout/details.tsx'
import { CustomerLink } from '../../../components/records/record-link.tsx'
import { recordScreen } from '../../../components/records/record-page.tsx'
import { lastFour } from '../../../data/format.ts'
import { recordPath } from '../../../routes.ts'

/** One account at another bank that a customer can pay. */
export const ExternalAccount = recordScreen('externalAccount', ({ record }) => {
  const { name, bank, accountNumber, routingNumber, accountType, type, permissions, customerId, review } = record
  return {
    name: `External account of ${name}`,
    title: name,
    beside: `${bank} ${lastFour(accountNumber)}`,
    state: review ?? undefined,
    parent: { name: 'Customer', path: recordPath('customer', customerId) },
    target: { customerId },
    api: ['listExternalAccounts', { params: { customerId }, query: { accountNumber } }],
    details: {
      Holder: name,
      'Kind of holder': type,
      Bank: bank,
      'Account number': mono(accountNumber),
      'Routing number': mono(routingNumber),
      'Kind of account': accountType,
      Permissions: permissions === 'CreditOnly' ? 'Receives money only' : permissions,
      Customer: <CustomerLink id={customerId} />,
    },
    without: ['customer'],
  }
})
