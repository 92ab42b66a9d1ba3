import { openSeals } from '../../../src/secrets/seals.ts'
import { ENCRYPTION_KEY } from '../cells/home-cell.ts'
import type { TestBank } from '../harness.ts'

/** A reward as the engine will leave it, with its transaction and its payout. */
export async function insertReward(bank: TestBank, partnerUserCard: string): Promise<string> {
  const [row] = await bank.database.query<{ id: number }>(
    `with link as (select *, bank_time(organisation_id) as now from partner_user_card where id = $1::bigint),
     bought as (
       insert into rewardable_transaction (organisation_id, partner_user_card_id, bank_transaction_id, created_at)
       select organisation_id, id, 'transaction of link ' || id, now from link returning id),
     earned as (
       insert into reward (organisation_id, partner_user_id, rewardable_transaction_id, offer_id, merchant_name,
         commission_basis_points, total_basis_points, amount, user_amount, issuer_amount, state, created_at)
       select organisation_id, partner_user_id, bought.id, '1', 'Sample Coffee', 500, 800, 1000, 50, 30, 'PAID', now
       from link, bought returning id)
     insert into reward_payment (organisation_id, reward_id, payment_id, created_at)
     select organisation_id, earned.id, 1000000 + earned.id, now from link, earned returning reward_id as id`,
    [partnerUserCard],
  )
  return String(row?.id)
}

/** A debit of an ACH file that is not booked yet. */
export async function insertReceivedPayment(bank: TestBank, account: string): Promise<string> {
  const [row] = await bank.database.query<{ id: number }>(
    `with of as (
       select *, nextval('record_id') as file, nextval('record_id') as received from account where id = $1::bigint),
     file as (
       insert into ach_file (id, organisation_id, key_organisation_id, direction, window_at, part, modifier, created_on, name,
         state, header, sealed_content, sha256, entry_count, debits)
       select file, organisation_id, organisation_id, 'in', bank_time(organisation_id), 1, 'A', '2099-01-05', 'sample.ach', 'applied',
         'header ' || file, ''::bytea, sha256(file::text::bytea), 1, 100 from of),
     entry as (
       insert into ach_received_entry (file_id, line, organisation_id, kind, outcome, code, amount, trace_number, settles_on,
         received_payment_id)
       select file, 3, organisation_id, 'payment', 'applied', 27, 100, '021000020000001', '2099-01-05', received from of)
     insert into received_payment (id, organisation_id, account_id, customer_id, file_id, line, direction, status, amount,
       sec_code, company_name, description, sending_bank, trace_number, receiver_name, settles_on, due_at, created_at)
     select received, organisation_id, id, customer_id, file, 3, 'Debit', 'Pending', 100, 'PPD', 'SAMPLE GYM', 'DUES',
       '02100002', '021000020000001', 'ADA EXAMPLE', '2099-01-05', '2099-01-05T13:30:00Z', bank_time(organisation_id)
     from of returning id`,
    [account],
  )
  return String(row?.id)
}

/** A file that was delivered, with a content. Its batch comes with the next maker. */
export async function insertAchFile(bank: TestBank, account: string): Promise<string> {
  const [of] = await bank.database.query<{ organisationId: number; id: number }>(
    `select organisation_id as "organisationId", nextval('record_id') as id from account where id = $1::bigint`,
    [account],
  )
  if (!of) throw new Error(`there is no account ${account}`)
  const seal = await openSeals(bank.database, [ENCRYPTION_KEY]).of(of.organisationId)
  const content = seal.seal(Buffer.from('101'), { table: 'ach_file', row: of.id, column: 'sealed_content' })
  await bank.database.query(
    `insert into ach_file (id, organisation_id, key_organisation_id, direction, window_at, part, modifier, created_on, name,
       state, sealed_content, sha256, entry_count, debits)
     select $1::bigint, $2::bigint, $2::bigint, 'out', bank_time($2), 1, 'A', '2099-01-05'::date + ($1::bigint % 1000000)::int, 'sample.ach', 'delivered',
       $3::bytea, sha256($1::text::bytea), 1, 100`,
    [of.id, of.organisationId, content],
  )
  return String(of.id)
}

/** A batch of a file with the return of a debit, which settles long after the tests. */
export async function insertAchBatch(bank: TestBank, account: string, achFile: string): Promise<string> {
  const received = await insertReceivedPayment(bank, account)
  const [row] = await bank.database.query<{ id: number }>(
    `with batch as (
       insert into ach_batch (id, organisation_id, file_id, number, company_name, company_id, sec_code, description,
         effective_date, entry_count, debits, credits, settles_at, created_at, return_side)
       select nextval('record_id'), organisation_id, $2::bigint, 1, 'SAMPLE GYM', '1234567890', 'PPD', 'DUES', '2099-01-06', 1, 100, 0,
         '2099-01-06T13:30:00Z', bank_time(organisation_id), 'Debit'
       from received_payment where id = $1::bigint returning id)
     update received_payment r set status = 'MarkedForReturn', return_code = 'R10', return_cutoff_at = '2099-01-05T15:00:00Z',
       return_settles_at = '2099-01-06T13:30:00Z', return_file_id = $2::bigint, return_batch_id = batch.id,
       return_trace = '812345670000001'
     from batch where r.id = $1::bigint returning batch.id`,
    [received, achFile],
  )
  return String(row?.id)
}

/** An open line of a statement of the settlement account. */
export async function insertSettlementItem(bank: TestBank): Promise<string> {
  const [row] = await bank.database.query<{ id: number }>(
    `with file as (
       insert into statement_file (sha256, name, state, detail) values (sha256('sample'), 'sample.bai', 'taken', '')
       on conflict (sha256) do update set name = excluded.name returning id),
     statement as (
       insert into bank_statement (file_id, as_of, page, is_last, is_interim, format, reference, names, opening, closing, digest, entries, flags)
       select id, '2024-06-13', 1, true, false, 'bai2', '', '{}', 0, 0, sha256('sample'), 1, '{}' from file
       on conflict (as_of, page) where replaced_at is null and not is_interim do update set flags = '{}' returning id)
     insert into settlement_item (side, statement_id, place, day, amount, kinds, keys, description)
     select 'statement', id, (random() * 1e9)::int + 1, '2024-06-13', -1500, '{fee}', '{}', '698 FEES' from statement returning id`,
    [],
  )
  return String(row?.id)
}

/** A decision that waits for a second person. */
export async function insertProposal(bank: TestBank, account: string): Promise<string> {
  const [row] = await bank.database.query<{ id: number }>(
    `insert into proposal (id, organisation_id, state, decision, operation_id, params, body, record_id, proposer_key_id, created_at,
       expires_at, version)
     select nextval('record_id'), organisation_id, 'Waiting', 'limits', 'setAccountLimits', jsonb_build_object('accountId', id::text),
       '{"overdraft": 500}', id::text, 1, bank_time(organisation_id), '2099-01-05', 1
     from account where id = $1::bigint returning id`,
    [account],
  )
  return String(row?.id)
}
