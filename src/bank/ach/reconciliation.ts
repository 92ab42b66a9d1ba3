import type { AchReconciliation } from '../../banking/ach/get-ach-reconciliation.ts'
import type { Database } from '../../database/database.ts'
import { type DaySums, daySums, ledgerNet } from './reconciliation.sql.ts'

/** The ACH entries of a settlement day, by files and by the ledger. Of one organisation, or of all but those `elsewhere`. */
export async function reconcileDay(
  database: Database,
  organisationId: number | null,
  date: string,
  elsewhere: number[] = [],
): Promise<AchReconciliation> {
  const [sums, booked] = await database.transaction(async (transaction) => {
    await transaction.query('set transaction isolation level repeatable read, read only')
    return [
      await daySums(transaction, organisationId, date, elsewhere),
      await ledgerNet(transaction, organisationId, date, elsewhere),
    ] as const
  })
  const of = (kind: DaySums['kind']) => {
    const { count = 0, credits = 0, debits = 0 } = sums.find((each) => each.kind === kind) ?? {}
    return { count, credits, debits }
  }
  // A credit that leaves takes money, a debit that leaves brings it. Incoming entries are the other way round.
  const sign = (kind: DaySums['kind']) => (kind === 'received' || kind === 'returnsReceived' ? 1 : -1)
  const net = sums.reduce((sum, { kind, credits, debits }) => sum + sign(kind) * (credits - debits), 0)
  const pending = sums.reduce((sum, each) => sum + sign(each.kind) * (each.pendingCredits - each.pendingDebits), 0)
  return {
    date,
    originated: of('originated'),
    received: of('received'),
    returnsSent: of('returnsSent'),
    returnsReceived: of('returnsReceived'),
    ...{ net, pending, ledgerNet: booked, difference: net - pending - booked },
  }
}
