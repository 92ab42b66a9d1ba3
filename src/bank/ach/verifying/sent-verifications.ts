import { clearNumber } from '../../../secrets/numbers.ts'
import type { RailBank } from '../build-file.ts'
import type { IncomingEntry } from '../incoming/entries.ts'
import { type MaybeSentVerification, verificationsByIds } from './verification-files.sql.ts'
import { sidesOf } from './verification-files.ts'

export interface FoundVerification extends MaybeSentVerification {
  /** Its entries in the order of its amounts. */
  entries: IncomingEntry[]
}

/** Whether an entry of a file of this bank verifies an account. No payment has one of these descriptions. */
export function isVerifying({ batch }: IncomingEntry): boolean {
  return /^(ACCTVERIFY|PRENOTE) *$/.test(batch.description)
}

/** The verifications whose entries are all in a file that has left: with the same id, amounts and account. */
export async function matchingVerifications(
  { database, seals }: RailBank,
  entries: IncomingEntry[],
  fileId: number,
): Promise<FoundVerification[]> {
  const named = new Map<number, IncomingEntry[]>()
  for (const entry of entries) {
    if (!isVerifying(entry) || !/^\d+ *$/.test(entry.identification)) continue
    const id = Number(entry.identification)
    named.set(id, [...(named.get(id) ?? []), entry])
  }
  const found: FoundVerification[] = []
  for (const row of named.size > 0 ? await verificationsByIds(database, [...named.keys()], fileId) : []) {
    const accountNumber = clearNumber(await seals.of(row.organisationId), row.externalAccountId, row.accountNumber)
    const own = (named.get(row.id) ?? []).filter(
      (entry) => entry.routingNumber === row.routingNumber && entry.accountNumber.trim() === accountNumber,
    )
    const sides = sidesOf(row.method, row.amounts)
    const ordered = sides.flatMap(([side, , amount]) => {
      const at = own.findIndex(
        (entry) => entry.amount === amount && (entry.direction === 'Debit') === (side === 'credit'),
      )
      return at < 0 ? [] : own.splice(at, 1)
    })
    if (own.length === 0 && ordered.length === sides.length) found.push({ ...row, entries: ordered })
  }
  return found
}
