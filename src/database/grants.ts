import { StartupError } from '../base/startup-error.ts'
import type { Database } from './database.ts'

/**
 * The service may change all tables but these: append-only tables, which have a trigger against changes, and tables that only
 * functions of the owner write. It may not change keys of customers, which only the function of an erasure destroys. To lock them
 * it needs the privilege to update some column: `erased_at`, which a constraint ties to the key.
 */
const privileges = (role: string) => `
  grant usage on schema public to ${role};
  grant select, insert, update, delete on all tables in schema public to ${role};
  grant usage on all sequences in schema public to ${role};
  grant execute on all functions in schema public to ${role};
  revoke insert, update, delete on migration, retention, cell from ${role};
  revoke insert, update, delete on organisation_move, organisation_move_mark, organisation_import from ${role};
  revoke insert, update on retention_mark from ${role};
  revoke update, delete on customer_key from ${role};
  grant update (erased_at) on customer_key to ${role};
  do $$
  declare
    name text;
  begin
    for name in select distinct tgrelid::regclass::text from pg_trigger where tgfoid = 'refuse_change'::regproc loop
      execute format('revoke update, delete, truncate on %s from ${role.replaceAll("'", "''")}', name);
    end loop;
    -- The service removes copies of payments that a former version stored; a trigger refuses any other change.
    if exists (select from copy_move where source = 'event_page') then
      execute 'grant update on event_page to ${role.replaceAll("'", "''")}';
    end if;
    -- Without it the service cannot refresh the statistics of the catalogue, and autovacuum does so a minute later.
    if current_setting('server_version_num')::int >= 170000 then
      execute 'grant maintain on merchant, offer to ${role.replaceAll("'", "''")}';
    end if;
  end $$`

/**
 * Gives the role of the service all privileges that it needs, and no more: it owns nothing, and cannot change or delete
 * rows of append-only tables. Meant for the owner, after every migration.
 */
export async function grantService(database: Database, role: string): Promise<void> {
  const [row] = await database.query<{ name: string | null; owner: boolean }>(
    `select quote_ident(rolname) as name, rolsuper or pg_has_role(rolname, c.relowner, 'member') as owner
     from pg_roles cross join pg_class c where c.oid = 'migration'::regclass and rolname = $1::text`,
    [role],
  )
  if (!row?.name) throw new StartupError(`there is no role ${role}: create it first, see docs/operations.md`)
  if (row.owner) throw new StartupError(`the role ${role} owns the tables: name the role of the service`)
  await database.transaction(async (transaction) => {
    for (const text of statementsOf(privileges(row.name ?? ''))) await transaction.query(text, [], 'once')
  })
}

/** The statements of a text. A block in `$$` is one. */
function statementsOf(text: string): string[] {
  const [before = '', block = ''] = text.split(/(?=do \$\$)/)
  return [...before.split(';'), block].map((each) => each.trim()).filter((each) => each !== '')
}
