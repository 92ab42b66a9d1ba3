import type { Static, TObject } from 'typebox'
import type { Queryable } from '../../database/database.ts'
import type { Filter } from '../../rewards/filter/filter.ts'
import { PartnerUser, TaggedPartnerUser } from '../../rewards/records/partner-user.ts'
import { PartnerUserCard } from '../../rewards/records/partner-user-card.ts'
import { Reward } from '../../rewards/records/reward.ts'
import { RewardPayment } from '../../rewards/records/reward-payment.ts'
import { RewardableTransaction } from '../../rewards/records/rewardable-transaction.ts'
import { compileClause } from './clause.sql.ts'

/** A table of records: the SQL name of each field, and all of them as a select lists them. */
export interface RecordTable<Record extends TObject> {
  name: string
  record: Record
  columns: ReadonlyMap<string, string>
  selected: string
}

/** Names the columns after the fields: `bankCardId` is stored in `bank_card_id`. */
function tableOf<Record extends TObject>(name: string, record: Record): RecordTable<Record> {
  const snakeCase = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const columns = new Map(Object.keys(record.properties).map((field) => [field, snakeCase(field)]))
  const selected = [...columns].map(([field, column]) => `${column} as "${field}"`).join(', ')
  return { name, record, columns, selected }
}

export const partnerUsers = tableOf('partner_user', PartnerUser)
export const taggedUsers = tableOf('partner_user', TaggedPartnerUser)
export const partnerUserCards = tableOf('partner_user_card', PartnerUserCard)
export const rewardableTransactions = tableOf('rewardable_transaction', RewardableTransaction)
export const rewards = tableOf('reward', Reward)
export const rewardPayments = tableOf('reward_payment', RewardPayment)

export function listRecords<Record extends TObject>(
  database: Queryable,
  { name, columns, selected }: RecordTable<Record>,
  organisationId: number,
  { clause, limit, offset }: Filter,
): Promise<Static<Record>[]> {
  const values: unknown[] = [organisationId, limit + 1, offset]
  const { where, order } = compileClause(clause, columns, values)
  const text = `select ${selected} from ${name} where organisation_id = $1::bigint and ${where}
     order by ${order} limit $2::bigint offset $3::bigint`
  return database.query(text, values, 'once')
}

export async function findRecord<Record extends TObject>(
  database: Queryable,
  { name, selected }: RecordTable<Record>,
  organisationId: number,
  id: number,
): Promise<Static<Record> | undefined> {
  const [row] = await database.query<Static<Record>>(
    `select ${selected} from ${name} where organisation_id = $1::bigint and id = $2::bigint`,
    [organisationId, id],
  )
  return row
}

/** No row if the user is enrolled already. */
export async function insertPartnerUser(
  transaction: Queryable,
  organisationId: number,
  { userId, tags }: Pick<TaggedPartnerUser, 'userId' | 'tags'>,
): Promise<TaggedPartnerUser | undefined> {
  const [row] = await transaction.query<TaggedPartnerUser>(
    `insert into partner_user (organisation_id, user_id, tags, created_at)
     values ($1::bigint, $2::bigint, $3::jsonb, bank_time($1))
     on conflict (organisation_id, user_id) do nothing
     returning ${taggedUsers.selected}`,
    [organisationId, userId, JSON.stringify(tags)],
  )
  return row
}

/** No row if the card has a live link. */
export async function insertPartnerUserCard(
  transaction: Queryable,
  organisationId: number,
  { partnerUserId, bankCardId }: Pick<PartnerUserCard, 'partnerUserId' | 'bankCardId'>,
): Promise<PartnerUserCard | undefined> {
  const [row] = await transaction.query<PartnerUserCard>(
    `insert into partner_user_card (organisation_id, partner_user_id, bank_card_id, created_at)
     values ($1::bigint, $2::bigint, $3::text, bank_time($1))
     on conflict (organisation_id, bank_card_id) where not is_removed do nothing
     returning ${partnerUserCards.selected}`,
    [organisationId, partnerUserId, bankCardId],
  )
  return row
}

/** Whether the card has a live link beside this one. */
export async function hasOtherLink(
  transaction: Queryable,
  organisationId: number,
  { id, bankCardId }: Pick<PartnerUserCard, 'id' | 'bankCardId'>,
): Promise<boolean> {
  const rows = await transaction.query(
    `select true from partner_user_card
     where organisation_id = $1::bigint and bank_card_id = $2::text and not is_removed and id <> $3::bigint`,
    [organisationId, bankCardId, id],
  )
  return rows.length > 0
}

/** Changes a partner user. No row if nothing changes, or if there is no such user. */
export async function changeUser(
  transaction: Queryable,
  organisationId: number,
  { id, isRemoved, tags }: { id: number; isRemoved: boolean | undefined; tags: object | undefined },
): Promise<{ record: TaggedPartnerUser; version: number } | undefined> {
  const [row] = await transaction.query<TaggedPartnerUser & { version: number }>(
    `update partner_user set is_removed = coalesce($3::boolean, is_removed), tags = coalesce($4::jsonb, tags),
       version = version + 1, updated_at = bank_time(organisation_id)
     where organisation_id = $1::bigint and id = $2::bigint
       and (is_removed, tags) is distinct from (coalesce($3, is_removed), coalesce($4, tags))
     returning ${taggedUsers.selected}, version`,
    [organisationId, id, isRemoved ?? null, tags ? JSON.stringify(tags) : null],
  )
  return row && split(row)
}

function split<Row extends { version: number }>({ version, ...record }: Row) {
  return { record, version }
}

/** Removes a record or brings it back. No row if it is so already, or if there is no such record. */
export async function setRemoved<Record extends TObject>(
  transaction: Queryable,
  { name, selected }: RecordTable<Record>,
  organisationId: number,
  { id, isRemoved }: { id: number; isRemoved: boolean },
): Promise<{ record: Static<Record>; version: number } | undefined> {
  const [row] = await transaction.query<Static<Record> & { version: number }>(
    `update ${name} set is_removed = $3::boolean, version = version + 1, updated_at = bank_time(organisation_id)
     where organisation_id = $1::bigint and id = $2::bigint and is_removed <> $3
     returning ${selected}, version`,
    [organisationId, id, isRemoved],
  )
  if (!row) return undefined
  const { version, ...record } = row
  return { record: record as Static<Record>, version }
}
