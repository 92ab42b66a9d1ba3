import type { Reply, TestBank } from './harness.ts'
import { makeAccount, newUserId } from './world.ts'

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
