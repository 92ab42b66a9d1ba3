import type { Reply, TestBank } from './harness.ts'
import { makeAccount, newMerchantName, newUserId } from './world.ts'

/** The parameters of a list in the filter language. */
export interface FilterTexts {
  whereClause?: string
  columnNames?: string
  values?: string
  orderByClause?: string
  limit?: string
  offset?: string
}

export type RecordList =
  | 'partner-users'
  | 'partner-user-cards'
  | 'rewardable-transactions'
  | 'rewards'
  | 'reward-payments'

/** A record as a test reads it. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
type Data = any

export function filterUrl(list: RecordList, texts: FilterTexts): string {
  return `/v0/rewards/${list}?${new URLSearchParams({ ...texts })}`
}

export function listRecords(bank: TestBank, list: RecordList, texts: FilterTexts = {}, key = bank.key): Promise<Reply> {
  return bank.call('GET', filterUrl(list, texts), { key })
}

/** The ids that a list answers, in its order. */
export async function idsOf(bank: TestBank, list: RecordList, texts: FilterTexts, key = bank.key): Promise<number[]> {
  const { status, text, json } = await listRecords(bank, list, texts, key)
  if (status !== 200) throw new Error(`${list} answered ${status}: ${text}`)
  return json.data.map(({ id }: { id: number }) => id)
}

/** Puts a record into a table as it is; it belongs to the organisation of that name. */
export async function insertRecord(
  bank: TestBank,
  table: string,
  record: Record<string, unknown>,
  organisation = 'first',
): Promise<number> {
  const fields = Object.entries({ createdAt: '2026-01-31T12:00:00.000Z', ...record })
  const columns = fields.map(([field]) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  const [row] = await bank.database.query<{ id: number }>(
    `insert into ${table} (organisation_id, ${columns.join(', ')})
     select id, ${columns.map((_, at) => `$${at + 2}`).join(', ')} from organisation where name = $1 returning id`,
    [organisation, ...fields.map(([, value]) => value)],
  )
  if (!row) throw new Error(`no record was put into ${table}`)
  return row.id
}

export async function makePartnerUser(bank: TestBank, userId = newUserId()): Promise<Data> {
  return created(await bank.call('POST', '/v0/rewards/partner-users', { body: { userId } }))
}

export async function makeLink(bank: TestBank, partnerUserId: number, bankCardId: string): Promise<Data> {
  return created(await bank.call('POST', '/v0/rewards/partner-user-cards', { body: { partnerUserId, bankCardId } }))
}

/** A card of a new account. */
export async function makeBankCard(bank: TestBank): Promise<string> {
  const accountId = await makeAccount(bank)
  const body = { type: 'individualVirtualDebitCard', accountId }
  return (await created(await bank.call('POST', '/v0/banking/cards', { body }))).id
}

export function setRemoved(
  bank: TestBank,
  list: 'partner-users' | 'partner-user-cards',
  id: number | string,
  isRemoved: boolean,
  key = bank.key,
): Promise<Reply> {
  return bank.call('PATCH', `/v0/rewards/${list}/${id}`, { body: { isRemoved }, key })
}

/** A partner user with money and a linked card. */
export interface Shopper {
  accountId: string
  cardId: string
  partnerUserId: number
}

export async function makeShopper(bank: TestBank, tags: Record<string, string> = {}): Promise<Shopper> {
  const accountId = await makeAccount(bank)
  const post = async (path: string, body: unknown) => created(await bank.call('POST', path, { body }))
  await post(`/v0/sandbox/accounts/${accountId}/receive-ach`, { amount: 10_000_00, companyName: 'Sample Payroll' })
  const { id: cardId } = await post('/v0/banking/cards', { type: 'individualVirtualDebitCard', accountId })
  const { id: partnerUserId } = await post('/v0/rewards/partner-users', { userId: newUserId(), tags })
  await makeLink(bank, partnerUserId, cardId)
  return { accountId, cardId, partnerUserId }
}

/** Authorizes and settles a purchase, and returns its authorization. */
export async function buy(bank: TestBank, { cardId }: Shopper, name: string, amount: number): Promise<string> {
  const body = { amount, merchant: { name } }
  const { id } = created(await bank.call('POST', `/v0/sandbox/cards/${cardId}/authorizations`, { body }))
  created(await bank.call('POST', `/v0/sandbox/authorizations/${id}/settle`))
  return id
}

/** The rewards of a shopper, oldest first. */
export async function rewardsOf(bank: TestBank, { partnerUserId }: Shopper): Promise<Data[]> {
  const texts = { whereClause: '$C1 = $V1', columnNames: 'partnerUserId,id', values: `[${partnerUserId}]` }
  return (await listRecords(bank, 'rewards', { ...texts, orderByClause: '$C2' })).json.data
}

export async function makeCampaign(bank: TestBank, body: Record<string, unknown> = {}): Promise<string> {
  return (await created(await bank.call('POST', '/v0/rewards/campaigns', { body: { name: 'Spring', ...body } }))).id
}

/** The body of an offer of a campaign, of 5 % at a new merchant unless it says otherwise. */
export function campaignOffer(own: Record<string, unknown> = {}) {
  const rate = own.amount === undefined && { commission: 5 }
  return { merchantName: newMerchantName(), title: 'Cash back', ...rate, ...own }
}

/** An offer of a campaign, a new one unless `campaignId` names it. */
export async function makeCampaignOffer(
  bank: TestBank,
  { campaignId, ...own }: Record<string, unknown> = {},
): Promise<Data> {
  const path = `/v0/rewards/campaigns/${campaignId ?? (await makeCampaign(bank))}/offers`
  return created(await bank.call('POST', path, { body: campaignOffer(own) }))
}

/** An activation of a new offer. */
export async function makeActivation(
  bank: TestBank,
  { id: partnerUserId }: { id: number },
  activation: Record<string, unknown> = { days: 7 },
): Promise<Data> {
  const { id } = await makeCampaignOffer(bank, { activation })
  return created(await bank.call('POST', `/v0/rewards/offers/${id}/activations`, { body: { partnerUserId } }))
}

/** A rewardable transaction of a new link. */
export async function insertTransaction(bank: TestBank, record: Record<string, unknown> = {}): Promise<number> {
  const partnerUserId = await insertRecord(bank, 'partner_user', { userId: newUserId() })
  const bankCardId = `card of ${partnerUserId}`
  const partnerUserCardId = await insertRecord(bank, 'partner_user_card', { partnerUserId, bankCardId })
  const bankTransactionId = `purchase of ${partnerUserId}`
  return insertRecord(bank, 'rewardable_transaction', { partnerUserCardId, bankTransactionId, ...record })
}

/** A reward of a new transaction. */
export async function insertReward(bank: TestBank, record: Record<string, unknown> = {}): Promise<number> {
  const partnerUserId = await insertRecord(bank, 'partner_user', { userId: newUserId() })
  return insertRecord(bank, 'reward', {
    partnerUserId,
    rewardableTransactionId: await insertTransaction(bank),
    offerId: '1000042',
    merchantName: 'Sample Coffee',
    commissionBasisPoints: 500,
    totalBasisPoints: 800,
    amount: 10_00,
    userAmount: 50,
    issuerAmount: 30,
    state: 'PENDING',
    ...record,
  })
}

function created({ status, text, json }: Reply): Data {
  if (status !== 201) throw new Error(`a record was not created, ${status}: ${text}`)
  return json.data
}
