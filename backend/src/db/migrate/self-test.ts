import type { Transaction } from "../database.ts";

// A view, a policy or a function of one that a migration broke fails when it is used.
const READ_EVERYTHING = `do $$
declare
  relation regclass;
  caller text;
  columns text;
begin
  for relation, caller, columns in
    select c.oid, role, string_agg(quote_ident(attname), ', ')
    from pg_class c join pg_namespace n on n.oid = relnamespace
      cross join unnest(array['anon', 'authenticated', 'service_role']) role
      join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped and has_column_privilege(role, c.oid, attnum, 'select')
    where relkind in ('r', 'p', 'v', 'm') and nspname !~ '^pg_' and nspname <> 'information_schema'
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
      and has_schema_privilege(role, n.oid, 'usage')
    group by 1, 2
  loop
    execute format('set local role %I', caller);
    execute format('select %s from %s limit 1', columns, relation);
    reset role;
  end loop;
end $$`;

/** Reads a row of every table and view as each role that may, with its policies. Fails with a `DatabaseError`. */
export async function selfTest(tx: Transaction): Promise<void> {
  await tx.script(READ_EVERYTHING);
}
