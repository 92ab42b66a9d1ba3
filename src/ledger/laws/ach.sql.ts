/** Laws about ACH files and the accounts that hold money on its way. */
export const achLaws = {
  'ACH clearing holds the payments that are under way with files': `
    select organisation_id, coalesce(m.held, 0) as held, coalesce(u.amount, 0) as under_way
    from (
      select x.organisation_id, sum(x.change)::bigint as held
      from (
        select t.organisation_id, t.amount as change, t.source_kind, t.source_id from transfer t
        join account a on a.id = t.credit_account_id where a.kind = 'ach_clearing'
        union all
        select t.organisation_id, -t.amount, t.source_kind, t.source_id from transfer t
        join account a on a.id = t.debit_account_id where a.kind = 'ach_clearing') x
      left join payment p on p.id = x.source_id and x.source_kind in ('payment', 'payment_return', 'debit', 'debit_return')
      where p.cutoff_at is not null or x.source_kind in ('ach_settlement', 'ach_return')
      group by x.organisation_id) m
    full join (
      -- A debit is there from its settlement until its account is credited, or until it is returned.
      select p.organisation_id, sum(p.amount * case p.direction
          when 'Credit' then (b.settled_at is null)::int
          else (b.settled_at is not null)::int - (p.status in ('Sent', 'Returned'))::int end)::bigint as amount
      from payment p left join ach_entry e on e.payment_id = p.id left join ach_batch b on b.id = e.batch_id
      where p.cutoff_at is not null and p.status not in ('Canceled', 'Rejected')
      group by p.organisation_id) u using (organisation_id)
    where coalesce(m.held, 0) <> coalesce(u.amount, 0)`,

  'a payment in an ACH file is in one batch of that file, and an entry has its payment': `
    select coalesce(p.id, e.payment_id) as payment_id, p.ach_file_id, b.file_id
    from (
      select p.id, p.ach_file_id from payment p join public.ach_file f on f.id = p.ach_file_id where f.state <> 'building') p
    full join ach_entry e on e.payment_id = p.id left join ach_batch b on b.id = e.batch_id
    where p.ach_file_id is distinct from b.file_id`,

  'an ACH file has the totals of its batches, a batch those of its payments and of its transfer': `
    select 'file' as "table", f.id from ach_file f
    left join (
      select file_id, sum(entry_count) as entries, sum(debits) as debits, sum(credits) as credits
      from (
        select file_id, entry_count, debits, credits from ach_batch
        union all
        select file_id, 1, case when code % 10 < 5 then 0 else amount end, case when code % 10 < 5 then amount else 0 end
        from ach_received_entry where kind in ('lostPayment', 'lostReturn')) x
      group by file_id) b on b.file_id = f.id
    where f.direction = 'out' and f.state <> 'building'
      -- All organisations with entries in a file may have moved to other databases.
      and (f.entry_count, f.debits, f.credits) is distinct from
        (coalesce(b.entries, 0), coalesce(b.debits, 0), coalesce(b.credits, 0))
    union all
    select 'batch', b.id from ach_batch b
    left join (
      select batch_id, sum(entries) as entries, sum(amount) as amount
      from (
        select e.batch_id, 1 as entries, p.amount from ach_entry e join payment p on p.id = e.payment_id
        union all
        select r.return_batch_id, 1, r.amount from received_payment r where r.return_batch_id is not null
        union all
        -- The debit has the sum of the credits.
        select v.ach_batch_id, cardinality(v.trace_numbers), 2 * coalesce((select sum(a) from unnest(v.amounts) a), 0)
        from account_verification v where v.ach_batch_id is not null) x
      group by batch_id) e on e.batch_id = b.id
    left join (
      select source_id, sum(amount) as moved from transfer where source_kind = 'ach_settlement' group by source_id
    ) t on t.source_id = b.id
    -- The returns of a rejected batch leave with another one.
    where (case when b.return_side is not null and b.refunded_at is not null then (0::bigint, 0::numeric)
        else (b.entry_count::bigint, (b.debits + b.credits)::numeric) end)
        is distinct from (coalesce(e.entries, 0), coalesce(e.amount, 0))
      -- Credits and debits of the same sum move nothing.
      or coalesce(t.moved, 0) <> case when b.settled_at is null or b.debits = b.credits then 0 else b.debits + b.credits end`,

  'ACH suspense holds the open exceptions and the received payments that are being returned': `
    select organisation_id, s.balance, o.amount from (
      select organisation_id, sum(balance)::bigint as balance from account where kind = 'ach_suspense' group by organisation_id
    ) s
    full join (
      select organisation_id, sum(case direction when 'Credit' then amount else -amount end)::bigint as amount
      from (
        select organisation_id, direction, amount from ach_exception where direction is not null and resolved_at is null
        union all
        select r.organisation_id, r.direction, r.amount
        from received_payment r left join ach_batch b on b.id = r.return_batch_id
        where r.return_code is not null and r.booked_at is not null and b.settled_at is null) x
      group by organisation_id) o using (organisation_id)
    where coalesce(s.balance, 0) <> coalesce(o.amount, 0)`,

  'an entry of an incoming ACH file is booked once, and a return has returned its payment': `
    select 'received payment' as record, coalesce(r.id, t.source_id) as id
    -- One that sends the entry of an exception back has the money of the exception.
    from (
      select id, amount, booked_at is not null and coalesce(return_code, '') !~ '^R[67]' as booked from received_payment) r
    full join (
      select source_id, count(*) as count, sum(amount) as amount from transfer
      where source_kind = 'received_ach' and source_id is not null group by source_id) t on t.source_id = r.id
    where (coalesce(t.count, 0), coalesce(t.amount, 0)) is distinct from
      (case when r.booked then 1 else 0 end, case when r.booked then r.amount else 0 end)
    union all
    select 'exception', coalesce(x.id, t.source_id)
    from (select id, amount from ach_exception where direction is not null) x
    full join (
      select source_id, count(*) as count, sum(amount) as amount from transfer
      where source_kind = 'ach_exception' group by source_id) t on t.source_id = x.id
    where (t.count, t.amount) is distinct from (1, x.amount)
    union all
    select 'resolution', coalesce(x.id, t.source_id)
    from (
      select id, amount from ach_exception
      where direction is not null and resolved_at is not null and coalesce(resolution, '') not in ('Dishonored', 'Contested')) x
    full join (
      select source_id, count(*) as count, sum(amount) as amount from transfer
      where source_kind = 'ach_resolution' group by source_id) t on t.source_id = x.id
    where (t.count, t.amount) is distinct from (1, x.amount)
    union all
    select 'return', e.payment_id
    from (
      select payment_id, count(*) as count, sum(amount) as amount
      from ach_received_entry where kind = 'return' and outcome = 'applied' group by payment_id) e
    left join payment p on p.id = e.payment_id
    where (p.status, p.amount, e.count) is distinct from ('Returned', e.amount, 1)`,

  'an incoming ACH file has the totals of its entries': `
    select f.id from ach_file f
    left join (
      select file_id, count(*) as entries, sum(case when code % 10 < 5 then amount else 0 end) as credits,
        sum(case when code % 10 < 5 then 0 else amount end) as debits
      from ach_received_entry group by file_id) e on e.file_id = f.id
    where f.direction = 'in' and f.state = 'applied'
      -- A file may have entries of other databases alone.
      and (f.entry_count, f.debits, f.credits) is distinct from
        (coalesce(e.entries, 0), coalesce(e.debits, 0), coalesce(e.credits, 0))`,
} satisfies Record<string, string>
