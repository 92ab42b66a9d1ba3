/**
 * The days on which the usage of an account with limits differs from the payments of the day that count; with a condition on
 * the day, only some days.
 */
export const usageLaw = (condition = 'true') => `
    select account_id, day::text as day, u.amount as used, p.amount as paid
    from (
      select u.account_id, u.day, u.amount from payment_usage u join account a on a.id = u.account_id
      where u.day >= (a.limits ->> 'since')::date and ${condition}) u
    full join (
      select p.account_id, p.day, sum(p.amount)::bigint as amount
      from (
        select account_id, (created_at at time zone 'UTC')::date as day, amount from payment
        where type = 'achPayment' and direction = 'Credit' and status not in ('Canceled', 'Rejected')) p
      join account a on a.id = p.account_id
      where p.day >= (a.limits ->> 'since')::date and ${condition}
      group by p.account_id, p.day) p using (account_id, day)
    where coalesce(u.amount, 0) <> coalesce(p.amount, 0)`

/** The same for organisations: the sum of the shares of a day or month differs from the payments that count. */
export const organisationUsageLaw = (condition = 'true') => `
    select organisation_id, period, u.used, p.amount as paid
    from (
      select u.organisation_id, u.period, sum(u.used)::bigint as used
      from organisation_usage u join organisation o on o.id = u.organisation_id
      where (o.limits ->> 'enforced')::boolean and u.period >= left(o.limits ->> 'since', length(u.period)) and ${condition}
      group by u.organisation_id, u.period) u
    full join (
      select p.organisation_id, p.period, sum(p.amount)::bigint as amount
      from (
        select organisation_id, amount, unnest(array[
          to_char(created_at at time zone 'UTC', 'YYYY-MM-DD'), to_char(created_at at time zone 'UTC', 'YYYY-MM')]) as period
        from payment
        where type = 'achPayment' and direction = 'Credit' and status not in ('Canceled', 'Rejected')) p
      join organisation o on o.id = p.organisation_id
      where (o.limits ->> 'enforced')::boolean and p.period >= left(o.limits ->> 'since', length(p.period)) and ${condition}
      group by p.organisation_id, p.period) p using (organisation_id, period)
    where coalesce(u.used, 0) <> coalesce(p.amount, 0)`

/** Laws about payments, their reviews and their limits. */
export const paymentLaws = {
  'every payment has one debit of its account, and a returned one has one return': `
    select p.id, p.status, coalesce(t.debits, 0) as debits, coalesce(t.returns, 0) as returns
    from payment p
    left join (
      select source_id, amount, account_id, count(*) filter (where source_kind = 'payment') as debits,
        count(*) filter (where source_kind = 'payment_return') as returns
      from (
        select source_id, amount, source_kind,
          case source_kind when 'payment' then debit_account_id else credit_account_id end as account_id
        from transfer where source_kind in ('payment', 'payment_return')) moved
      group by source_id, amount, account_id
    ) t on t.source_id = p.id and t.amount = p.amount and t.account_id = p.account_id
    where p.direction = 'Credit'
      and (coalesce(t.debits, 0) <> 1 or coalesce(t.returns, 0) <> case when p.status in ('Returned', 'Canceled', 'Rejected') then 1 else 0 end)`,

  'a debit is credited once when it is sent, and taken back once when it is returned after that': `
    select coalesce(p.id, t.source_id) as id, p.status, t.credits, t.returns
    from (select * from payment where direction = 'Debit' and type = 'achPayment') p
    left join debit d on d.id = p.id
    full join (
      select source_id, organisation_id, amount, account_id,
        count(*) filter (where source_kind = 'debit') as credits,
        count(*) filter (where source_kind = 'debit_return') as returns
      from (
        select source_id, organisation_id, amount, source_kind,
          case source_kind when 'debit' then credit_account_id else debit_account_id end as account_id,
          case source_kind when 'debit' then debit_account_id else credit_account_id end as other_id
        from transfer where source_kind in ('debit', 'debit_return')) moved
      where other_id < 0
      group by source_id, organisation_id, amount, account_id) t on t.source_id = p.id
    where d.id is null
      or t.source_id is not null
        and (t.organisation_id, t.amount, t.account_id) is distinct from (p.organisation_id, p.amount, p.account_id)
      or coalesce(t.returns, 0) <> case p.status when 'Returned' then coalesce(t.credits, 0) else 0 end
      or coalesce(t.credits, 0) not between case p.status when 'Sent' then 1 else 0 end
        and case when p.status in ('Sent', 'Returned') then 1 else 0 end`,

  'a payment that was reviewed has its decision, and reached its account here once': `
    select p.id, p.status, r.decision, coalesce(t.releases, 0) as releases
    from (
      select id, status, destination_account_id, review_note from payment
      where first_status = 'PendingReview' or status = 'PendingReview' or departures is not null) p
    full join payment_review r on r.id = p.id
    left join (
      select source_id, count(*) as releases from transfer where source_kind = 'payment_release' group by source_id
    ) t on t.source_id = coalesce(p.id, r.id)
    where (p.status = 'PendingReview') is distinct from (r.decision is null)
      or (p.review_note is not null) is distinct from (coalesce(r.decision, '') in ('Approved', 'Rejected'))
      or coalesce(t.releases, 0) <> case when p.destination_account_id is null then 0 else 1 end`,

  'every due date of a recurring payment has one run, and every payment of a run its recurring payment': `
    select 'recurring_payment' as "table", r.id::text from recurring_payment r
    left join (
      select recurring_payment_id, count(*) filter (where status <> 'Waiting') as over,
        count(*) filter (where status = 'Waiting') as waiting
      from recurring_payment_run group by recurring_payment_id) u on u.recurring_payment_id = r.id
    where coalesce(u.over, 0) <> r.run_count or coalesce(u.waiting, 0) <> case when r.tries > 0 then 1 else 0 end
    union all
    select 'payment', coalesce(p.id, u.payment_id)::text from (
      select id, organisation_id, recurring_payment_id from payment where recurring_payment_id is not null) p
    full join (
      select payment_id, organisation_id, recurring_payment_id from recurring_payment_run where payment_id is not null) u
      on u.payment_id = p.id
    where (p.organisation_id, p.recurring_payment_id) is distinct from (u.organisation_id, u.recurring_payment_id)`,

  'a debit has two retries at most, and a payment one reversal, of the other direction': `
    select p.id, p.link ->> 'paymentId' as payment_id from payment p
    left join payment o on o.id = (p.link ->> 'paymentId')::bigint and o.organisation_id = p.organisation_id
    where p.link is not null and (o.account_id, o.external_account_id, o.amount, o.direction) is distinct from
      (p.account_id, p.external_account_id, p.amount,
        case when p.link ->> 'kind' = 'Reversal' and p.direction = 'Debit' then 'Credit' else 'Debit' end)
    union all
    select min(id), link ->> 'paymentId' from payment
    where link is not null and status not in ('Canceled', 'Rejected') and (link ->> 'kind' = 'Retry' or status <> 'Returned')
    group by link ->> 'paymentId', link ->> 'kind' having count(*) > case link ->> 'kind' when 'Retry' then 2 else 1 end`,

  'the usage of the limits of an account is the sum of its payments': usageLaw(),

  'the usage of the limits of an organisation is the sum of its payments': organisationUsageLaw(),

  'every transfer of a payment has its payment, and moves its amount between its accounts': `
    select t.id, t.source_kind, t.source_id from transfer t
    left join payment p on p.id = t.source_id
    where t.source_kind in ('payment', 'payment_return', 'payment_release') and (p.organisation_id, p.amount, case t.source_kind
      when 'payment' then p.direction = 'Credit' and t.debit_account_id = p.account_id and case
        when p.destination_account_id is null or p.first_status = 'PendingReview' or p.departures is not null then t.credit_account_id < 0
        else t.credit_account_id = p.destination_account_id end
      when 'payment_release' then t.credit_account_id = p.destination_account_id and t.debit_account_id < 0
      else t.credit_account_id = p.account_id and t.debit_account_id < 0 end)
      is distinct from (t.organisation_id, t.amount, true)`,
} satisfies Record<string, string>
