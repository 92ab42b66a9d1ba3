import { bankName } from '../../../banking/external-accounts/bank-names.ts'
import type { ExternalAccount } from '../../../banking/external-accounts/external-account.ts'
import { emitSealed } from '../../../events/event.ts'
import { transactionCode } from '../../../rails/ach/codes.ts'
import { type Correction, correctionOf } from '../../../rails/ach/corrections.ts'
import type { Addenda } from '../../../rails/ach/file.ts'
import { lastDigits, numberDigest, sealedNumber } from '../../../secrets/numbers.ts'
import { type CorrectedColumns, correctExternalAccount } from '../../payments/external-accounts.sql.ts'
import { externalAccount } from '../../payments/external-accounts.ts'
import { endOpenVerification } from '../../payments/verification/verifications.sql.ts'
import type { AchException } from '../../records/received-records.ts'
import { bankTime } from '../../time/clock.sql.ts'
import type { IncomingEntry } from './entries.ts'
import { insertEntries, insertExceptions } from './incoming.sql.ts'
import { entryRow, entryWrite, type IntakeBank } from './intake.ts'

/** The external account that a notification of change is about, by the payment or the verification that was sent to it. */
interface Corrected {
  organisationId: number
  externalAccountId: number | null
  paymentId: number | null
}

type ChangeAddenda = Extract<Addenda, { type: 'change' }>

/** Corrects the external account that a notification of change is about. The payment keeps its state. */
export async function applyChange(
  intake: IntakeBank,
  entry: IncomingEntry,
  { code, correctedData, originalTrace }: ChangeAddenda,
  about: Corrected | undefined,
): Promise<void> {
  const { ids, runOnce, seals } = intake
  const organisationId = about?.organisationId ?? intake.organisationId
  const exceptionId = await ids.next()
  const correction = correctionOf(code, correctedData)
  const columns = correction && correctedColumns(intake, correction)
  const seal = await seals.of(organisationId)
  await runOnce.transaction(entryWrite(intake, organisationId, entry), async (transaction, events) => {
    const id = about?.externalAccountId ?? null
    const paymentId = about?.paymentId ?? null
    const row = columns && id !== null ? await correctExternalAccount(transaction, id, sealed(columns, id)) : undefined
    if (row?.verification?.reason === 'NumberChanged') await endOpenVerification(transaction, row.id)
    if (row) emitSealed(events, row.customerId, 'externalAccount.corrected', row.version, externalAccount(row, seal))
    else {
      const kind: AchException['kind'] = about ? 'change_not_usable' : 'change_unmatched'
      const detail = `${code} of trace ${originalTrace}`
      const createdAt = await bankTime(transaction, organisationId)
      const place = { fileId: intake.fileId, line: entry.line, paymentId, createdAt }
      const exception = { id: exceptionId, organisationId, kind, detail, direction: null, amount: 0, ...place }
      await insertExceptions(transaction, [exception])
    }
    const outcome = row ? { outcome: 'applied' as const } : { outcome: 'exception' as const, exceptionId }
    const refs = { organisationId, paymentId }
    await insertEntries(transaction, [entryRow(intake, entry, { ...refs, ...outcome })])
    return null
  })

  function sealed({ accountNumber, ...rest }: PlainColumns, id: number): CorrectedColumns {
    if (accountNumber === null) return { ...rest, accountNumber: null, numberDigest: null, lastDigits: null }
    return {
      ...rest,
      accountNumber: sealedNumber(seal, id, accountNumber),
      numberDigest: numberDigest(seal, accountNumber),
      lastDigits: lastDigits(accountNumber),
    }
  }
}

/** The columns of an external account with a correction; null if they stay. */
interface PlainColumns {
  name: string | null
  routingNumber: string | null
  bank: string | null
  accountType: ExternalAccount['accountType'] | null
  accountNumber: string | null
}

/** Undefined if an external account cannot hold the correction. */
function correctedColumns(
  { routingNumber: own }: IntakeBank,
  { name, routingNumber, accountNumber, code }: Correction,
): PlainColumns | undefined {
  const account = code === undefined ? undefined : transactionCode(code)?.account
  if (account === 'GeneralLedger' || (accountNumber !== undefined && !/^\d{1,17}$/.test(accountNumber)))
    return undefined
  if (name === undefined && routingNumber === undefined && accountNumber === undefined && !account) return undefined
  return {
    name: name ?? null,
    routingNumber: routingNumber ?? null,
    bank: routingNumber === undefined ? null : bankName(routingNumber, own),
    accountType: account ?? null,
    accountNumber: accountNumber ?? null,
  }
}
