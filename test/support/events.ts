import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Compile } from 'typebox/compile'
import { expect } from 'vitest'
import { firstStatesReader } from '../../src/bank/first-states/first-states.ts'
import { getOrganisationLimits } from '../../src/bank/limits/organisation-limits.ts'
import { withOpenWords } from '../../src/base/text.ts'
import type { Database } from '../../src/database/database.ts'
import { eventCatalogue } from '../../src/event-catalogue.ts'
import type { CompleteEvent, Event, StoredEvent } from '../../src/events/event.ts'
import { columnsOf } from '../../src/events/events.sql.ts'
import { eventOf } from '../../src/events/feed.ts'
import { completeEvents } from '../../src/events/stored/complete-events.ts'
import { erasedData } from '../../src/events/stored/sealed-data.ts'
import { openSeals } from '../../src/secrets/seals.ts'
import { ask } from './cards.ts'
import type { TestBank } from './harness.ts'

/** An event as it is stored, with its data parsed. */
export interface RecordedEvent {
  sequence: number
  type: string
  entityId: string
  version: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read records as the JSON they are
  data: any
  requestId: string | null
  idempotencyKey: string | null
  apiKeyId: number | null
}

/** Reads the events of a test bank as the service does. */
function readerOf(database: Database) {
  return firstStatesReader(openSeals(database, [Buffer.alloc(32, 7)]))
}

/** The events of an organisation after a number, in order. */
export async function eventsAfter(bank: TestBank, sequence: number, organisation = 'first'): Promise<RecordedEvent[]> {
  const rows = await bank.database.query<
    RecordedEvent & { organisationId: number; entityVersion: number; data: string | null }
  >(
    `select e.organisation_id as "organisationId", e.sequence, e.type, e.entity_id as "entityId",
       e.entity_version as version, e.entity_version as "entityVersion", e.data,
       e.request_id as "requestId", e.idempotency_key as "idempotencyKey", e.api_key_id as "apiKeyId"
     from event e join organisation o on o.id = e.organisation_id
     where o.name = $1::text and e.sequence > $2::bigint order by e.sequence`,
    [organisation, sequence],
  )
  const complete = await completeEvents(bank.database, readerOf(bank.database), rows)
  return complete.map(({ organisationId: _, entityVersion: __, ...row }) => ({ ...row, data: JSON.parse(row.data) }))
}

export async function lastSequence(bank: TestBank, organisation = 'first'): Promise<number> {
  return (await eventsAfter(bank, 0, organisation)).at(-1)?.sequence ?? 0
}

interface Kind {
  table: string
  /** Returns the record as the interface shows it now. */
  show(bank: TestBank, event: RecordedEvent): Promise<unknown>
}

const byId =
  (path: string) =>
  (bank: TestBank, { entityId }: RecordedEvent) =>
    ask(bank, 'GET', `${path}/${entityId}`)
const filtered =
  (list: string) =>
  async (bank: TestBank, { entityId }: RecordedEvent) => {
    const where = new URLSearchParams({ whereClause: '$C1 = $V1', columnNames: 'id', values: `[${entityId}]` })
    return (await ask(bank, 'GET', `/v0/rewards/${list}?${where}`))[0]
  }

/** A declined increment shows the authorization beside the decision. */
async function showAuthorization(bank: TestBank, event: RecordedEvent): Promise<unknown> {
  const shown = await byId('/v0/banking/authorizations')(bank, event)
  if (/^authorization\.(overSettled|reviewed)$/.test(event.type))
    return showOverSettlement(bank, shown as Record<string, unknown>)
  return event.type === 'authorization.incrementDeclined' ? { ...event.data, authorization: shown } : shown
}

/** An over-settlement is listed only while it is open: it is compared with the authorization and its row. */
async function showOverSettlement(bank: TestBank, shown: Record<string, unknown>): Promise<unknown> {
  const [row] = await bank.database.query<Record<string, unknown>>(
    `select over_settlement as status, settled, refunded, account_id::text as "accountId", customer_id::text as "customerId",
       card_id::text as "cardId", amount * 11 / 10 as tolerated
     from card_authorization where id = $1::bigint`,
    [shown.id],
  )
  const { status: _status, description: _description, ...common } = shown
  return { ...common, ...row }
}

/** The reference of the processor is shown to the processor alone. */
async function showCard(bank: TestBank, event: RecordedEvent): Promise<unknown> {
  if (event.type === 'card.limitsChanged') return ask(bank, 'GET', `/v0/banking/cards/${event.entityId}/limits`)
  if (event.type !== 'card.referenceChanged') return byId('/v0/banking/cards')(bank, event)
  const [card] = await ask(bank, 'GET', `/v0/processor/cards?reference=${event.data.reference}`)
  return card
}

/** An alert shows the limit that is reached beside the campaign. */
async function showCampaign(bank: TestBank, event: RecordedEvent): Promise<unknown> {
  const { id, name, status, ...shown } = await ask(bank, 'GET', `/v0/rewards/campaigns/${event.entityId}`)
  const isAlert = event.type === 'campaign.budgetReached'
  return isAlert ? { ...event.data, id, name, status } : { id, name, status, ...shown }
}

/** A change of limits shows the limits. */
async function showAccount(bank: TestBank, event: RecordedEvent): Promise<unknown> {
  if (event.type.startsWith('account.payments')) {
    const { paymentBlock } = await ask(bank, 'GET', `/v0/banking/accounts/${event.entityId}`)
    return { id: event.entityId, reason: null, since: null, ...paymentBlock }
  }
  const isLimits = event.type === 'account.limitsChanged'
  return ask(bank, 'GET', `/v0/banking/accounts/${event.entityId}${isLimits ? '/limits' : ''}`)
}

/** The operator alone sees the limits of an organisation. */
async function showOrganisationLimits(bank: TestBank, id: string): Promise<unknown> {
  const [row] = await bank.database.query<{ name: string }>('select name from organisation where id = $1::bigint', [id])
  const shown = await getOrganisationLimits(bank.database, row?.name ?? '')
  if (!shown) return undefined
  const { used, payment, day, month } = shown
  return { id, payment, day: { ...day, used: used.day }, month: { ...month, used: used.month } }
}

const kinds: Record<string, Kind> = {
  account: { table: 'account', show: showAccount },
  accountHold: {
    table: 'account_hold',
    show: (bank, { entityId, data }) => ask(bank, 'GET', `/v0/banking/accounts/${data.accountId}/holds/${entityId}`),
  },
  recurringPayment: { table: 'recurring_payment', show: byId('/v0/banking/recurring-payments') },
  apiKey: {
    table: 'api_key',
    show: async (bank, { entityId }) =>
      (await ask(bank, 'GET', '/v0/api-keys?limit=1000')).find(({ id }: { id: string }) => id === entityId),
  },
  achException: {
    table: 'ach_exception',
    // No operation shows it: it is compared with its row.
    async show(bank, { entityId }) {
      const [row] = await bank.database.query(
        `select id::text, kind, detail, amount, direction, created_at as "createdAt", resolution, reason, resolved_at as "resolvedAt"
         from ach_exception where id = $1::bigint`,
        [entityId],
      )
      return row
    },
  },
  application: { table: 'application', show: byId('/v0/banking/applications') },
  authorization: { table: 'card_authorization', show: showAuthorization },
  campaign: { table: 'campaign', show: showCampaign },
  campaignOffer: { table: 'campaign_offer', show: byId('/v0/rewards/offers') },
  card: { table: 'card', show: showCard },
  customer: { table: 'customer', show: byId('/v0/banking/customers') },
  document: {
    table: 'document',
    async show(bank, { entityId }) {
      const [row] = await bank.database.query<{ id: number }>(
        'select application_id as id from document where id = $1::bigint',
        [entityId],
      )
      const { documents } = await ask(bank, 'GET', `/v0/banking/applications/${row?.id}`)
      return documents.find(({ id }: { id: string }) => id === entityId)
    },
  },
  externalAccount: {
    table: 'external_account',
    async show(bank, { entityId, data }) {
      const all = await ask(bank, 'GET', `/v0/banking/customers/${data.customerId}/external-accounts`)
      return all.find(({ id }: { id: string }) => id === entityId)
    },
  },
  offerActivation: {
    table: 'offer_activation',
    show: async (bank, { entityId }) =>
      (await ask(bank, 'GET', '/v0/rewards/activations?limit=1000')).find(({ id }: { id: string }) => id === entityId),
  },
  organisation: {
    table: 'organisation',
    // Its own key sees it, and not that of the caller: it is compared with its row.
    async show(bank, { type, entityId }) {
      if (type === 'organisation.limitsChanged') return showOrganisationLimits(bank, entityId)
      const [row] = await bank.database.query(
        `select id::text, coalesce(label, name) as name, created_at as "createdAt", frozen_at is not null as frozen
         from organisation where id = $1::bigint`,
        [entityId],
      )
      return row
    },
  },
  // Without its tags, which can be personal.
  partnerUser: { table: 'partner_user', show: filtered('partner-users') },
  partnerUserCard: { table: 'partner_user_card', show: filtered('partner-user-cards') },
  payment: { table: 'payment', show: byId('/v0/banking/payments') },
  proposal: { table: 'proposal', show: byId('/v0/proposals') },
  receivedPayment: { table: 'received_payment', show: byId('/v0/banking/received-payments') },
  reward: { table: 'reward', show: byId('/v0/rewards/rewards') },
  rewardableTransaction: { table: 'rewardable_transaction', show: filtered('rewardable-transactions') },
  rewardPayment: { table: 'reward_payment', show: filtered('reward-payments') },
  statement: { table: 'statement', show: byId('/v0/banking/statements') },
  transaction: {
    table: 'transfer',
    show: (bank, { entityId, data }) =>
      ask(bank, 'GET', `/v0/banking/transactions/${entityId}?accountId=${data.relationships.account.data.id}`),
  },
  verificationToken: {
    table: 'verification_token',
    // No operation shows a token again: it is compared with its row.
    async show(bank, { entityId }) {
      const [row] = await bank.database.query(
        `select id::text, customer_id::text as "customerId", created_at as "createdAt", expires_at as "expiresAt"
         from verification_token where id = $1::bigint`,
        [entityId],
      )
      return row
    },
  },
  webhookEndpoint: {
    table: 'webhook_endpoint',
    async show(bank, { entityId }) {
      const all = await ask(bank, 'GET', '/v0/webhook-endpoints?limit=1000')
      const found = all.find(({ id }: { id: string }) => id === entityId)
      if (!found) return undefined
      // The list says how deliveries went, and an event does not.
      const { lastDay: _lastDay, failingSince: _failingSince, ...endpoint } = found
      return endpoint
    },
  },
}

/** Fails unless the data and version of an event that was just emitted are those of its record, `later` changes ago. */
export async function expectAccurate(bank: TestBank, event: RecordedEvent, later = 0): Promise<void> {
  const kind = kinds[event.type.slice(0, event.type.indexOf('.'))]
  if (!kind) throw new Error(`${event.type} is of no known kind: add a line to test/support/events.ts`)
  const shown = await kind.show(bank, event)
  // A deleted record is not shown any more.
  if (/\.(deleted|revoked)$|^externalAccount\.rejected$/.test(event.type)) expect(shown).toBeUndefined()
  else expect(event.data, event.type).toEqual(shown)
  expect(String(event.data.id)).toBe(event.entityId)
  expect(event.version, `the version of ${event.type}`).toBe((await versionOf(bank, kind, event)) - later)
}

async function versionOf(bank: TestBank, { table }: Kind, { entityId }: RecordedEvent): Promise<number> {
  // These never change.
  if (table === 'transfer' || table === 'verification_token') return 1
  const [row] = await bank.database.query<{ version: number }>(`select version from ${table} where id = $1::bigint`, [
    entityId,
  ])
  return row?.version ?? 0
}

const checks = new Map<string, ReturnType<typeof Compile>>(
  eventCatalogue.map(({ type, data }) => [type, Compile(withOpenWords(data))]),
)

const samplesFile = join(import.meta.dirname, '../../src/event-samples.json')

/**
 * Adds the first event of each type to the samples, unless there is one that is still as the catalogue describes it. One
 * with a word that only a provider knows is taken if there is no other.
 */
function keepSamples(rows: CompleteEvent[]): void {
  const kept = JSON.parse(readFileSync(samplesFile, 'utf8')) as Record<string, Event>
  const samples = eventCatalogue.flatMap(({ type, data }) => {
    const [known, open] = [Compile(data), checks.get(type)]
    const emitted = rows.filter((row) => row.type === type).map((row) => eventOf({ ...row, apiKeyId: null }))
    const candidates = [kept[type], ...emitted].filter((event) => event && open?.Check(event.data))
    const sample = candidates.find((event) => known.Check(event?.data)) ?? candidates[0]
    return sample ? [[type, sample]] : []
  })
  writeFileSync(samplesFile, `${JSON.stringify(Object.fromEntries(samples), null, 2)}\n`)
}

/** The events in a database whose data is not as the catalogue describes it; up to twenty of each type are looked at. */
export async function undescribedEvents(database: Database): Promise<string[]> {
  const stored = await database.query<StoredEvent>(
    `select ${columnsOf}
     from (
       select *, row_number() over (partition by type order by sequence) as number from (select * from event limit 20000) e
     ) numbered where number <= 20`,
  )
  const rows = await completeEvents(database, readerOf(database), stored)
  if (process.env.EVENT_SAMPLES) keepSamples(rows)
  return (
    rows
      // The data of an erased customer is gone.
      .filter(({ entityId, data }) => data !== erasedData(entityId))
      .filter(({ type, data }) => !checks.get(type)?.Check(JSON.parse(data)))
      .map(({ type, data }) => `${type} ${data}`)
  )
}
