import { Link } from 'wouter'
import type { DepositAccount } from '../../../../client/src/index.ts'
import { ShortList } from '../../../components/lists/list-screen.tsx'
import { useMay } from '../../../data/purser.tsx'
import { recurringPayments } from './lists.tsx'
import { NewRecurringPayment } from './new-recurring-payment.tsx'

/** The recurring payments of an account that have not ended. */
export function RecurringOf({ account }: { account: DepositAccount }) {
  const may = useMay('createRecurringPayment')
  const where = { accountId: account.id }
  return (
    <ShortList
      of={recurringPayments}
      where={where}
      query={{ status: ['Active', 'Paused'] }}
      columns={['For', 'Amount']}
      none="No payment repeats."
      aside={
        <>
          <Link href={`/recurring-payments/calendar?${new URLSearchParams(where)}`}>Calendar</Link>
          {may && <NewRecurringPayment account={account} />}
        </>
      }
    />
  )
}
