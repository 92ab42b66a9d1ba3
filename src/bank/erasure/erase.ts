import { StartupError } from '../../base/startup-error.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { announceEvents } from '../../events/announce.ts'
import { emit, entityType } from '../../events/event.ts'
import { bankOrigin, type NewEvent, recordEvents } from '../../events/record.ts'
import { joinEvents, type PagedEvent, splitEvents, withData } from '../../events/stored/event-pages.ts'
import { erasedText, isSealedData, sealedFor } from '../../events/stored/sealed-data.ts'
import { findCustomer } from '../customers/customers.sql.ts'
import { customerOf } from '../customers/customers.ts'
import { updatePages } from '../first-states/move-copies.sql.ts'
import * as sql from './erase.sql.ts'

export interface Erasure {
  organisationId: number
  /** False if the customer was erased before. */
  erased: boolean
  /** Stored answers that were emptied. */
  answers: number
  /** Events that keep their data in clear, because the chain of hashes covers it. */
  clearEvents: number
}

export interface ErasureOptions {
  /** Erase although an account was closed less than five years ago. */
  early: boolean
}

/**
 * Erases the personal data of a customer in one transaction. Events and archives keep their texts, which are sealed with the
 * key that is destroyed, so that books and chain stay as they are. Refuses while the customer can still use the bank.
 */
export async function eraseCustomer(database: Database, id: number, options: ErasureOptions): Promise<Erasure> {
  if (!(await sql.mayErase(database))) {
    throw new StartupError(
      'this role of the database may not erase: use that of the owner of the tables in DATABASE_URL',
    )
  }
  const erasure = await database.transaction((transaction) => erase(transaction, id, options))
  if (erasure.erased) await announceEvents(database)
  return erasure
}

async function erase(transaction: Queryable, id: number, options: ErasureOptions): Promise<Erasure> {
  const customer = await sql.lockCustomer(transaction, id)
  if (!customer) throw new StartupError(`there is no customer ${id}`)
  const { organisationId } = customer
  const before = { organisationId, erased: false, answers: 0, clearEvents: 0 }
  if (customer.status === 'Erased') return before
  if (await sql.isMoving(transaction)) {
    throw new StartupError('rows of a former version are still being moved: start the service, and erase in a while')
  }
  const records = await sql.lockRecords(transaction, id)
  await sql.destroyKeys(transaction, organisationId, [id, ...records.applications])
  // Behind the lock of the key, so that an account that was opened meanwhile is seen.
  await requireErasable(transaction, id, options)
  await sql.overwrite(transaction, id, records)
  await sql.eraseLinks(transaction, customer, records)
  await sql.updateCustomer(transaction, id)
  const { partnerUsers, ...others } = records
  const ids = [id, ...Object.values(others).flat()]
  const answers = await sql.eraseAnswers(transaction, organisationId, { ids, partnerUsers })
  const clearEvents = await eraseEvents(transaction, customer, records)
  await recordErasure(transaction, customer)
  return { organisationId, erased: true, answers, clearEvents }
}

/** Throws the first reason for which a customer cannot be erased. */
async function requireErasable(transaction: Queryable, id: number, { early }: ErasureOptions): Promise<void> {
  const accounts = await sql.findAccountStates(transaction, id)
  for (const { id: account, status, balance } of accounts) {
    if (status !== 'Closed') throw refusal(id, `account ${account} is ${status}: close it first`)
    if (balance !== 0) throw refusal(id, `account ${account} has a balance of ${balance} cents: bring it to zero first`)
  }
  const { authorizationId, holdId, paymentId } = await sql.findUnfinished(transaction, id)
  if (authorizationId !== null)
    throw refusal(id, `authorization ${authorizationId} is open: settle or reverse it first`)
  if (holdId !== null) throw refusal(id, `hold ${holdId} is active: release it first`)
  if (paymentId !== null) throw refusal(id, `payment ${paymentId} is not sent yet`)
  const [latest] = accounts
  if (latest?.kept && !early) {
    const closed = latest.closedAt === null ? 'at an unknown time' : `on ${latest.closedAt.slice(0, 10)}`
    const why = 'banks in the United States keep records of identity for five years after that'
    throw refusal(id, `account ${latest.id} was closed ${closed}, and ${why}: use --early if no law requires it`)
  }
}

function refusal(id: number, why: string): StartupError {
  return new StartupError(`customer ${id} was not erased: ${why}`)
}

/** Removes the data of events from before the chain of hashes. Returns how many events keep theirs in clear. */
async function eraseEvents(
  transaction: Queryable,
  { id, organisationId }: sql.Subject,
  records: sql.Records,
): Promise<number> {
  const owners = ownersOf(id, records)
  const entities = [...owners.values()]
  const pages = await sql.findPages(transaction, organisationId, entities)
  const changed = []
  let clear = 0
  for (const { last, events, linked } of pages) {
    const texts = splitEvents(events).map((event) => {
      const owner = owners.get(`${entityType(event.type)}/${event.entityId}`)?.owner
      if (owner === undefined || !isReadable(event)) return event.text
      if (linked) clear++
      return linked ? event.text : withData(event, erasedText(owner))
    })
    const text = joinEvents(texts)
    if (text !== events) changed.push({ organisationId, last, events: text })
  }
  if (changed.length > 0) await updatePages(transaction, changed)
  return clear
}

/** Whether the data of an event can be read after its customer's key is destroyed. */
function isReadable({ data }: PagedEvent): boolean {
  return data !== '' && !(isSealedData(data) && sealedFor(data) !== undefined)
}

/** The records with events about the customer, and whose key seals each: the application's own, or the customer's. */
function ownersOf(customerId: number, records: sql.Records) {
  const { applications, documents, accounts, cards, externalAccounts, receivedPayments, accountHolds, proposals } =
    records
  // A customer has one application, and all documents belong to it.
  const [applicationId = customerId] = applications
  const owned = (type: string, ids: number[], owner: number) =>
    ids.map((id) => [`${type}/${id}`, { type, id, owner }] as const)
  return new Map<string, { type: string; id: number; owner: number }>([
    ...owned('customer', [customerId], customerId),
    ...owned('application', applications, applicationId),
    ...owned('document', documents, applicationId),
    ...owned('account', accounts, customerId),
    ...owned('card', cards, customerId),
    ...owned('externalAccount', externalAccounts, customerId),
    ...owned('receivedPayment', receivedPayments, customerId),
    ...owned('accountHold', accountHolds, customerId),
    ...owned('proposal', proposals, customerId),
  ])
}

async function recordErasure(transaction: Queryable, { id, organisationId }: sql.Subject): Promise<void> {
  const row = await findCustomer(transaction, organisationId, id)
  if (!row) throw new Error('a locked customer is missing')
  const events: NewEvent[] = []
  const origin = bankOrigin(organisationId)
  emit({ push: (event) => events.push({ event, origin }) }, 'customer.erased', row.version, customerOf(row))
  await recordEvents(transaction, events)
}
