import type pg from 'pg'
import { ask } from '../service.ts'

/** A change of a row at which the service is held: in this table, if this column gets this value. */
export interface Place {
  table: 'payment' | 'ach_file' | 'ach_batch' | 'ach_received_entry'
  column: string
  value: string
}

/** Lets a test hold the service at chosen changes of rows. */
export async function prepareStops(server: pg.ClientConfig): Promise<void> {
  await ask(
    server,
    `create table stopping (place text, member text, value text);
     grant select on stopping to public;
     create function stop_here() returns trigger language plpgsql as $$
     begin
       if exists (select from stopping s where s.place = tg_table_name and to_jsonb(new) ->> s.member = s.value) then
         perform pg_sleep(60);
       end if;
       return new;
     end $$`,
  )
  for (const table of ['payment', 'ach_file', 'ach_batch', 'ach_received_entry']) {
    await ask(
      server,
      `create trigger stop_here before insert or update on ${table} for each row execute function stop_here()`,
    )
  }
}

/** Holds the service at one place and no other any more. Statements that stand at the place before fail. */
export async function stopAt(server: pg.ClientConfig, place: Place | undefined): Promise<void> {
  await ask(
    server,
    `with gone as (delete from stopping)
     insert into stopping select $1::text, $2::text, $3::text where $1::text is not null`,
    [place?.table ?? null, place?.column ?? null, place?.value ?? null],
  )
  await ask(
    server,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
  )
}

/** Whether the service stands at the place. */
export async function stands(server: pg.ClientConfig): Promise<boolean> {
  return (
    (await ask(server, `select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`))
      .length > 0
  )
}
