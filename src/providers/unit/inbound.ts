import { invalidRequest, Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import { type EventDraft, eventTypes } from '../../events/event.ts'
import { hmacCheck, type InboundSource, type TakeIn } from '../../events/inbound.ts'
import type { UpstreamPurchase } from '../../rewards/purchases.ts'
import { nextVersion } from './inbound.sql.ts'
import type { ReadPurchase } from './purchases.ts'
import { childOf, Garbled, type Resource, relatedId, resourcesOf } from './resource.ts'
import type { UnitBank } from './unit.ts'

export interface UnitInboundOptions {
  webhookSecret: string
  /** Reads the records that the upstream's events name. */
  bank: UnitBank
  readPurchase: ReadPurchase
  /** Lets a purchase earn a reward, where its card is linked. */
  takePurchase(transaction: Queryable, organisationId: number, purchase: UpstreamPurchase): Promise<EventDraft[]>
}

/** A caller for reads. The credential decides whose records they are. */
const nobody = { organisationId: 0, keyId: 0 }

/** Unit's webhooks, which become our events. Unit names a record without its content, so that it is read now. */
export function unitInbound(options: UnitInboundOptions): InboundSource {
  const { webhookSecret, readPurchase, takePurchase } = options
  const readers = readersOf(options.bank)

  async function fetch(event: Resource): Promise<TakeIn> {
    const { type } = event
    const [kind = ''] = type.split('.')
    const ourType = eventTypes.find((ours) => ours === type)
    const id = relatedId(event, kind)
    const read = readers.get(kind)
    const record = ourType && read && id !== undefined ? await read(id, event).catch(goneAsUndefined) : undefined
    if (!ourType || !record || id === undefined) return async () => []
    const purchase = type === 'transaction.created' ? await purchaseOf(event) : undefined
    return async (transaction, organisationId) => {
      const version = await nextVersion(transaction, organisationId, { type: kind, id })
      const drafts: EventDraft[] = [{ type: ourType, id, version, data: record }]
      if (purchase) drafts.push(...(await takePurchase(transaction, organisationId, purchase)))
      return drafts
    }
  }

  async function purchaseOf(event: Resource): Promise<UpstreamPurchase | undefined> {
    const [accountId, id] = [relatedId(event, 'account'), relatedId(event, 'transaction')]
    return accountId && id ? readPurchase(accountId, id) : undefined
  }

  return {
    provider: 'unit',
    signatureHeader: 'x-unit-signature',
    isAuthentic: hmacCheck('sha1', webhookSecret),
    read: (content) =>
      eventsIn(content).map((event) => ({ upstreamId: event.id, type: event.type, fetch: () => fetch(event) })),
  }
}

type ReadRecord = (id: string, event: Resource) => Promise<unknown>

/** How the record of each kind is read. An event of any other kind is stored and emits nothing. */
function readersOf(bank: UnitBank): Map<string, ReadRecord> {
  return new Map<string, ReadRecord>([
    ['account', (id) => bank.getAccount(nobody, id)],
    ['application', (id) => bank.getApplication(nobody, id)],
    ['authorization', (id) => bank.getAuthorization(nobody, id)],
    ['card', (id) => bank.getCard(nobody, id)],
    ['customer', (id) => bank.getCustomer(nobody, id)],
    [
      'document',
      async (id, event) => {
        const { documents } = await bank.getApplication(nobody, relatedId(event, 'application') ?? '')
        return documents.find((document) => document.id === id)
      },
    ],
    ['payment', (id) => bank.getPayment(nobody, id)],
    [
      'transaction',
      (id, event) => bank.getTransaction(nobody, { transactionId: id, accountId: relatedId(event, 'account') ?? '' }),
    ],
  ])
}

/** Undefined for a record that was deleted meanwhile. */
function goneAsUndefined(error: unknown): undefined {
  if (error instanceof Problem && error.status === 404) return undefined
  throw error
}

function eventsIn(content: unknown): Resource[] {
  try {
    const events = resourcesOf(childOf(content).data)
    if (events.every(({ id, type }) => /^[\x21-\x7e]{1,200}$/.test(id) && /^[\x21-\x7e]{1,200}$/.test(type))) {
      return events
    }
  } catch (error) {
    if (!(error instanceof Garbled)) throw error
  }
  throw invalidRequest([{ pointer: '', code: 'unreadable', message: 'the body is not a webhook of Unit' }])
}
