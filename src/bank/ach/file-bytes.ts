import type { Steps } from '../../base/pace.ts'
import { batchingOf, type OutgoingPayment } from '../../rails/ach/batching.ts'
import { easternOf } from '../../rails/ach/calendar.ts'
import type { Batch } from '../../rails/ach/file.ts'
import type { AchSettings } from '../../rails/ach/settings.ts'
import { type Writing, writingOf } from '../../rails/ach/write-file.ts'
import type { LedgerPayment } from '../records/records.ts'
import type { BuildingFile } from './build-file.sql.ts'

export interface Company {
  name: string
  companyId: string
}

/** Payments of a step. */
const STEP = 100

/** The batches of a file and its bytes, in steps: a pure function of the file's row, its payments, the companies and the settings. */
export function* renderingOf(
  file: Pick<BuildingFile, 'windowAt' | 'modifier' | 'createdOn'>,
  payments: readonly LedgerPayment[],
  companies: ReadonlyMap<number, Company>,
  { settings, routingNumber }: { settings: AchSettings; routingNumber: string },
): Steps<{ batches: Batch[]; writing: Writing }> {
  const { destination, origin, destinationName, originName, sameDayLimitCents } = settings
  const own = new Map<number, OutgoingPayment[]>([...companies.keys()].map((organisationId) => [organisationId, []]))
  for (const [at, payment] of payments.entries()) {
    if (at % STEP === 0) yield
    const company = companies.get(payment.organisationId)
    if (!company) throw new Error('a payment without a company')
    own.get(payment.organisationId)?.push(outgoing(payment, company))
  }
  const batches: Batch[] = []
  // Organisations with the same company have batches of their own.
  for (const outgoings of own.values()) {
    const [found = [], ...more] = yield* batchingOf(outgoings, routingNumber.slice(0, 8))
    if (more.length > 0) throw new Error('the payments of a file do not fit into one')
    for (const batch of found) batches.push({ ...batch, number: batches.length + 1 })
  }
  const { createdOn, modifier } = file
  const createdAt = easternOf(file.windowAt).time
  const header = { destination, origin, createdOn, createdAt, modifier, destinationName, originName, reference: '' }
  const writing = yield* writingOf({ header, batches }, { limits: { sameDayLimit: sameDayLimitCents } })
  return { batches, writing }
}

function outgoing(payment: LedgerPayment, company: Company): OutgoingPayment {
  const { cutoffAt, settlesAt, traceNumber, counterparty, addenda, secCode } = payment
  if (cutoffAt === null || settlesAt === null || traceNumber === null) throw new Error('a payment without a file')
  const settles = easternOf(settlesAt)
  const isSameDay = easternOf(cutoffAt).day === settles.day
  return {
    id: String(payment.id),
    amount: payment.amount,
    side: payment.direction === 'Debit' ? 'debit' : 'credit',
    companyName: company.name,
    companyId: company.companyId,
    description: payment.description,
    ...(addenda !== null && { addenda }),
    ...(secCode !== null && { secCode }),
    effectiveDate: settles.day,
    descriptiveDate: isSameDay ? `SD${settles.time.replace(':', '')}` : '',
    receiver: {
      name: counterparty.name,
      // The SEC code was fixed when the payment was created.
      type: 'Unknown',
      accountType: counterparty.accountType as OutgoingPayment['receiver']['accountType'],
      routingNumber: counterparty.routingNumber,
      accountNumber: counterparty.accountNumber,
    },
    sequence: Number(traceNumber.slice(-7)),
  }
}
