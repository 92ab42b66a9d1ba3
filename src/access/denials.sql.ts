import { bytea, integer, rowSet, text } from '../database/arrays.ts'
import type { Queryable } from '../database/database.ts'
import type { Denial } from './denials.ts'

const denialRows = rowSet<Denial & { place: number }>({
  place: integer(({ place }) => place),
  key_hash: bytea(({ keyHash }) => keyHash),
  code: text(({ code }) => code),
  operation_id: text(({ operationId }) => operationId),
  path: text(({ path }) => path),
  address: text(({ address }) => address),
  request_id: text(({ requestId }) => requestId),
  unwritten: integer(({ unwritten }) => unwritten),
})

/** Stores denials. Those of keys that never existed belong to no organisation and are left out. */
export async function insertDenials(database: Queryable, denials: Denial[]): Promise<void> {
  await database.query(
    `insert into denied_request (organisation_id, api_key_id, created_at, code, operation_id, path, address, request_id,
       unwritten)
     select k.organisation_id, k.id, bank_time(k.organisation_id), d.code, d.operation_id, d.path, d.address,
       d.request_id, d.unwritten
     from (${denialRows.select}) d
     join (select hash, id from api_key union all select hash, api_key_id from api_key_retired) s on s.hash = d.key_hash
     join api_key k on k.id = s.id
     order by d.place`,
    denialRows.values(denials.map((denial, place) => ({ ...denial, place }))),
  )
}
