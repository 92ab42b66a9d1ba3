import type { ExternalAccountVerification, Mandate } from '../../../../client/src/index.ts'
import { mono } from '../../../components/layout/details.tsx'
import { CustomerLink } from '../../../components/records/record-link.tsx'
import { recordScreen } from '../../../components/records/record-page.tsx'
import { counted, date, lastFour, words } from '../../../data/format.ts'
import { recordPath } from '../../../routes.ts'

/** One account at another bank that a customer can pay. */
export const ExternalAccount = recordScreen('externalAccount', ({ record }) => {
  const { name, bank, accountNumber, routingNumber, accountType, type, permissions, customerId, review } = record
  const { verification, mandate } = record
  return {
    name: `External account of ${name}`,
    title: name,
    beside: `${bank} ${lastFour(accountNumber)}`,
    state: review ?? undefined,
    parent: { name: 'Customer', path: recordPath('customer', customerId) },
    target: { customerId },
    details: {
      Holder: name,
      'Kind of holder': type,
      Bank: bank,
      'Account number': mono(accountNumber),
      'Routing number': mono(routingNumber),
      'Kind of account': accountType,
      Permissions: permissions === 'CreditOnly' ? 'Receives money only' : 'Money can be collected with a mandate',
      ...(verification && { Verification: shownVerification(verification) }),
      ...(mandate && { Mandate: <ShownMandate of={mandate} /> }),
      Customer: <CustomerLink id={customerId} />,
    },
    without: ['customer'],
  }
})

/** How the customer authorized debits, as a reviewer or another bank asks for it. */
export function ShownMandate({ of }: { of: Mandate }) {
  const { authorization, authorizedAt, textVersion, address, revokedAt } = of
  return (
    <>
      {revokedAt === undefined ? authorization : <>Revoked on {date(revokedAt)}</>}
      <small>
        Given on {date(authorizedAt)} from {address}, text {textVersion}
      </small>
    </>
  )
}

/** The method and state of a verification, with the reason of one that failed. */
function shownVerification({ method, status, reason, returnCode, attemptsLeft, endsAt }: ExternalAccountVerification) {
  const more = [
    reason && words(reason),
    returnCode,
    attemptsLeft !== undefined && `${counted(attemptsLeft, 'attempt')} left`,
    endsAt && `until ${date(endsAt)}`,
  ]
  return [`${words(method)}: ${status}`, ...more.filter(Boolean)].join(', ')
}
