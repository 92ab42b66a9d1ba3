import type { Queryable } from '../../database/database.ts'

/** The bill of a merchant. Sums are text: they can be larger than a number holds exactly. */
export interface BillRow {
  merchantId: string | null
  merchantName: string
  purchases: number
  purchaseAmount: string
  earned: string
  clawedBack: string
  due: string
  paid: string
}

const inMonth = (time: string) => `${time} >= $2::timestamptz and ${time} < $2::timestamptz + interval '1 month'`

/** A reward earned its present shares and those that refunds took. A payout by another bank has no payment here. */
export function listBillRows(
  database: Queryable,
  organisationId: number,
  { month, take, offset }: { month: string; take: number; offset: number },
): Promise<BillRow[]> {
  return database.query(
    `with moved as (
       select r.id, 1 as purchases, r.amount, r.user_amount + r.issuer_amount + coalesce((
         select sum(d.user_amount + d.issuer_amount) from reward_reduction d where d.reward_id = r.id), 0) as earned,
         0 as clawed_back, 0 as paid
       from reward r where r.organisation_id = $1::bigint and ${inMonth('r.created_at')}
       union all
       select reward_id, 0, 0, 0, user_amount + issuer_amount, 0
       from reward_reduction where organisation_id = $1 and ${inMonth('created_at')}
       union all
       select w.reward_id, 0, 0, 0, 0, coalesce(p.amount, r.user_amount)
       from reward_payment w join reward r on r.id = w.reward_id
       left join payment p on p.id = w.payment_id and p.organisation_id = $1
       where w.organisation_id = $1 and ${inMonth('w.created_at')}),
     sums as (
       select m.id as merchant_id, coalesce(m.name, r.merchant_name) as name, sum(purchases) as purchases,
         sum(v.amount) as amount, sum(earned) as earned, sum(clawed_back) as clawed_back, sum(paid) as paid
       from moved v join reward r on r.id = v.id
       left join offer o on o.id = case when r.offer_id ~ '^[1-9][0-9]{0,15}$' then r.offer_id::bigint end
       left join merchant m on m.id = o.merchant_id
       group by 1, 2)
     select merchant_id::text as "merchantId", name as "merchantName", purchases::bigint, amount::text as "purchaseAmount",
       earned::text, clawed_back::text as "clawedBack", (earned - clawed_back)::text as due, paid::text
     from sums order by lower(name) collate "C", merchant_id limit $3 offset $4`,
    [organisationId, `${month}-01T00:00:00.000Z`, take, offset],
  )
}
