import type { ResourceName } from '../../src/base/ids.ts'
import { openedAt } from './bank-time.ts'
import type { TestBank } from './harness.ts'
import {
  insertAchBatch,
  insertAchFile,
  insertProposal,
  insertReceivedPayment,
  insertReward,
  insertSettlementItem,
} from './sets/records.ts'

/** One record of each resource, by the resource's name, and a second account for money to go to. */
export type World = Record<ResourceName | 'secondAccount', string>

type Maker = (bank: TestBank, key: string, made: World) => Promise<string>

/** All that an application needs; an `ssn` of the sandbox's own decides what becomes of it. */
export const applicant = {
  name: 'Ada Example',
  dateOfBirth: '1990-01-31',
  ssn: '123456789',
  email: 'ada@example.com',
  phone: '+12125550123',
  address: { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701' },
}

/** How to make one record of each resource. A maker may use the records of the makers above it. */
const makers: Record<keyof World, Maker> = {
  customer: (bank, key) => made(bank, key, '/v0/sandbox/customers', { name: 'Ada Example' }),
  account: (bank, key, { customer }) => made(bank, key, '/v0/banking/accounts', { customerId: customer }),
  secondAccount: async (bank, key) => {
    const customerId = await made(bank, key, '/v0/sandbox/customers', { name: 'Mary Second' })
    return made(bank, key, '/v0/banking/accounts', { customerId })
  },
  externalAccount: (bank, key, { customer }) =>
    made(bank, key, `/v0/banking/customers/${customer}/external-accounts`, {
      type: 'Person',
      name: 'Grace Sample',
      routingNumber: '021000021',
      accountNumber: '9876543210',
      accountType: 'Checking',
    }),
  transaction: (bank, key, { account }) =>
    made(bank, key, `/v0/sandbox/accounts/${account}/receive-ach`, {
      amount: 1_000_000_00,
      companyName: 'Sample Payroll',
    }),
  accountHold: (bank, key, { account }) =>
    made(bank, key, `/v0/banking/accounts/${account}/holds`, { amount: 5_00, reason: 'Dispute' }),
  payment: (bank, key, { account, externalAccount }) =>
    made(bank, key, `/v0/banking/accounts/${account}/payments`, {
      amount: 20_00,
      counterpartyAccountId: externalAccount,
      description: 'Rent',
      originalType: 'ACH',
    }),
  // Making the records above has emitted events.
  event: async (bank, key) => (await bank.call('GET', '/v0/events?limit=1', { key })).json.data[0].id,
  application: (bank, key) => made(bank, key, '/v0/banking/applications', { ...applicant, ssn: '000000003' }),
  document: async (bank, key, { application }) =>
    (await bank.call('GET', `/v0/banking/applications/${application}`, { key })).json.data.documents[0].id,
  card: async (bank, key, { account }) => {
    const shippingAddress = { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701' }
    const body = { type: 'individualDebitCard', accountId: account, shippingAddress }
    const card = await made(bank, key, '/v0/banking/cards', body)
    await bank.call('POST', `/v0/banking/cards/${card}/activate`, { key })
    return card
  },
  authorization: (bank, key, { card }) =>
    made(bank, key, `/v0/sandbox/cards/${card}/authorizations`, { amount: 5_00, merchant: { name: 'Sample Coffee' } }),
  // The period is the example of the schema, which the generated calls send too.
  statement: async (bank, key, { account }) => {
    await openedAt(bank, account, '2026-01-15T12:00:00Z')
    return made(bank, key, `/v0/sandbox/accounts/${account}/statements`, { period: '2026-01' })
  },
  partnerUser: (bank, key) => made(bank, key, '/v0/rewards/partner-users', { userId: newUserId() }),
  // With a card of its own, so that the other one is free to be linked.
  partnerUserCard: async (bank, key, { account, partnerUser }) => {
    const card = { type: 'individualVirtualDebitCard', accountId: account }
    const bankCardId = await made(bank, key, '/v0/banking/cards', card)
    return made(bank, key, '/v0/rewards/partner-user-cards', { partnerUserId: Number(partnerUser), bankCardId })
  },
  campaign: (bank, key) => made(bank, key, '/v0/rewards/campaigns', { name: 'Spring' }),
  campaignOffer: (bank, key, { campaign }) =>
    made(bank, key, `/v0/rewards/campaigns/${campaign}/offers`, {
      ...{ merchantName: newMerchantName(), title: '5% cash back', commission: 5, activation: { days: 7 } },
    }),
  // A user activates an offer once: the second activation of a world is of another offer.
  offerActivation: async (bank, key, { campaign, campaignOffer, partnerUser }) => {
    const body = { partnerUserId: Number(partnerUser) }
    const { status, json } = await bank.call('POST', `/v0/rewards/offers/${campaignOffer}/activations`, { key, body })
    if (status === 201) return json.data.id
    const terms = { merchantName: newMerchantName(), title: 'Cash back', amount: 1_00, activation: { days: 7 } }
    const other = await made(bank, key, `/v0/rewards/campaigns/${campaign}/offers`, terms)
    return made(bank, key, `/v0/rewards/offers/${other}/activations`, body)
  },
  // Of no more scopes than a key needs that may make keys.
  apiKey: (bank, key) => made(bank, key, '/v0/api-keys', { name: 'Sample', scopes: ['keys:write'] }),
  reward: (bank, _key, { partnerUserCard }) => insertReward(bank, partnerUserCard),
  // The transaction of a settled purchase.
  purchase: async (bank, key, { card }) => {
    const body = { amount: 5_00, merchant: { name: 'Sample Coffee' } }
    const authorization = await made(bank, key, `/v0/sandbox/cards/${card}/authorizations`, body)
    return made(bank, key, `/v0/sandbox/authorizations/${authorization}/settle`, {})
  },
  webhookEndpoint: (bank, key) =>
    made(bank, key, '/v0/webhook-endpoints', { url: 'https://example.com/webhooks', events: ['statement.created'] }),
  // The number of rules is limited, and there are many worlds.
  faultRule: async (bank, key) => {
    await bank.call('DELETE', '/v0/sandbox/faults', { key })
    return made(bank, key, '/v0/sandbox/faults', {
      match: { eventType: 'customer.archived' },
      effect: { duplicate: true },
    })
  },
  // A past event is a delivery at once.
  delivery: async (bank, key, { webhookEndpoint }) => {
    const [event] = (await bank.call('GET', '/v0/events?type=statement.created&sort=-sequence&limit=1', { key })).json
      .data
    await bank.call('POST', `/v0/events/${event.id}/redeliver`, { key })
    return (await bank.call('GET', `/v0/deliveries?endpointId=${webhookEndpoint}&limit=1`, { key })).json.data[0].id
  },
  // Making the records above has left them.
  request: async (bank, key) =>
    (await bank.call('GET', '/v0/requests?sort=-sequence&limit=1', { key })).json.data[0].id,
  receivedPayment: (bank, _key, { account }) => insertReceivedPayment(bank, account),
  achFile: (bank, _key, { account }) => insertAchFile(bank, account),
  achBatch: (bank, _key, { account, achFile }) => insertAchBatch(bank, account, achFile),
  proposal: (bank, _key, { account }) => insertProposal(bank, account),
  settlementItem: (bank) => insertSettlementItem(bank),
  // The sample of `lookUpRecord` asks for an account.
  record: async (_bank, _key, { account }) => account,
  recurringPayment: (bank, key, { account, externalAccount }) =>
    made(bank, key, '/v0/banking/recurring-payments', {
      ...{ type: 'achPayment', accountId: account, counterpartyAccountId: externalAccount, amount: 20_00 },
      ...{ description: 'Rent', interval: 'Weekly', startDate: '2099-02-01' },
    }),
}

/** A small bank for one key. Records that are there already, and that the test does not change, need not be made again. */
export async function makeWorld(
  opened: TestBank,
  key: string = opened.key,
  there: Partial<World> = {},
): Promise<World> {
  const bank = { ...opened, database: opened.databaseOf(key) }
  const world = {} as World
  for (const [name, make] of Object.entries(makers) as [keyof World, Maker][])
    world[name] = there[name] ?? (await make(bank, key, world))
  return world
}

export async function makeCustomer(bank: TestBank, body: Record<string, unknown> = {}): Promise<string> {
  return made(bank, bank.key, '/v0/sandbox/customers', { name: 'Ada Example', ...body })
}

export async function makeAccount(bank: TestBank, body: Record<string, unknown> = {}): Promise<string> {
  const customerId = body.customerId ?? (await makeCustomer(bank))
  return made(bank, bank.key, '/v0/banking/accounts', { ...body, customerId })
}

/** An application that awaits a passport. */
export async function makeApplication(bank: TestBank): Promise<{ applicationId: string; documentId: string }> {
  const { json } = await bank.call('POST', '/v0/banking/applications', { body: { ...applicant, ssn: '000000003' } })
  return { applicationId: json.data.id, documentId: json.data.documents[0].id }
}

let userIds = 1_000

/** A number that no partner user has yet. */
export function newUserId(): number {
  return userIds++
}

let merchants = 1

/** The name of a merchant that has no offer yet. */
export function newMerchantName(): string {
  return `Merchant ${merchants++} Of Samples`
}

let messageIds = 1

/** An id that no message has yet. */
export function newMessageId(): string {
  return `message-${messageIds++}`
}

async function made(bank: TestBank, key: string, path: string, body: unknown): Promise<string> {
  const { status, text, json } = await bank.call('POST', path, { key, body })
  if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${text}`)
  return String(json.data.id)
}
