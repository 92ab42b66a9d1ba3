import { arrayOf, bigint, integer, recordColumns, rowSet, timestamptz } from '../../../database/arrays.ts'
import type { Queryable } from '../../../database/database.ts'
import { lastVersions } from '../../../ledger/kinds.ts'
import type { ActivationId, LedgerActivation } from './activations.ts'

export const activationColumns = recordColumns<LedgerActivation>({
  id: 'bigint',
  organisationId: 'bigint',
  offerId: 'bigint',
  partnerUserId: 'bigint',
  status: 'text',
  expiresAt: 'timestamptz',
  uses: 'integer',
  used: 'integer',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
  version: 'integer',
})

/** The activations of partner users for offers, and those of rewards, by their ids. The partner users are locked. */
export function readActivations(transaction: Queryable, wanted: ActivationId[]): Promise<LedgerActivation[]> {
  const of = (values: number[]) => arrayOf('bigint', values)
  const toEarn = wanted.filter(({ offerIds }) => offerIds.length > 0)
  return transaction.query(
    `select ${activationColumns.selected} from offer_activation
     where partner_user_id = any($1::bigint[]) and offer_id = any($2::bigint[]) and expires_at > $3::timestamptz
     union
     select ${activationColumns.selected} from offer_activation where id = any($4::bigint[])`,
    [
      of(toEarn.flatMap(({ partnerUserIds }) => partnerUserIds)),
      of(toEarn.flatMap(({ offerIds }) => offerIds)),
      toEarn.map(({ at }) => at).sort()[0] ?? null,
      of(wanted.flatMap(({ activationIds }) => activationIds)),
    ],
  )
}

const changed = rowSet<LedgerActivation>({
  id: bigint(({ id }) => id),
  used: integer(({ used }) => used),
  updated_at: timestamptz(({ updatedAt }) => updatedAt),
  version: integer(({ version }) => version),
})

export async function writeActivations(transaction: Queryable, updated: LedgerActivation[]): Promise<void> {
  if (updated.length === 0) return
  await transaction.query(
    `update offer_activation a set used = n.used, updated_at = n.updated_at, version = n.version
     from (${changed.select}) n where a.id = n.id and a.id = any($1::bigint[])`,
    changed.values(lastVersions(updated).map(({ row }) => row)),
  )
}
