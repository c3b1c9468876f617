import type { Database, Row } from "../../db/database.ts";

/** A column of a published table, as one role sees it. */
interface Column {
  name: string;
  /** The name of its type in `pg_type`. */
  type: string;
  isKey: boolean;
  /** True if the replica identity of the table includes it. */
  isIdentity: boolean;
  isSelectable: boolean;
}

/** A published table, as one role sees it. */
export interface Relation {
  oid: number;
  schema: string;
  table: string;
  /** True if row-level security is enabled. */
  isSecured: boolean;
  columns: readonly Column[];
}

interface RelationRow extends Row, Omit<Relation, "columns"> {
  role: string;
  columns: Column[];
}

// Read for each batch of changes. The view pg_publication_tables, and a join with pg_type, would read all tables and types of the database.
const READ = `
  select relation.oid::bigint as oid, roles.name as role, nspname as schema, relname as table, relrowsecurity as "isSecured",
    (select coalesce(jsonb_agg(jsonb_build_object(
        'name', attname,
        'type', (select typname from pg_type where pg_type.oid = atttypid),
        'isKey', attnum = any (coalesce(key.indkey::smallint[], '{}')),
        'isIdentity', case relreplident when 'f' then true when 'n' then false
          when 'i' then attnum = any (coalesce(identity.indkey::smallint[], '{}'))
          else attnum = any (coalesce(key.indkey::smallint[], '{}')) end,
        'isSelectable', attnum = any (published.attrs)
          and coalesce(has_schema_privilege(roles.id, relnamespace, 'usage')
            and has_column_privilege(roles.id, relation.oid, attnum, 'select'), false)
      ) order by attnum), '[]')
      from pg_attribute where attrelid = relation.oid and attnum > 0 and not attisdropped) as columns
  from pg_publication
  cross join pg_get_publication_tables(pubname) as published
  join pg_class as relation on relation.oid = relid
  join pg_namespace on pg_namespace.oid = relnamespace
  cross join (select name, to_regrole(quote_ident(name)) as id from jsonb_array_elements_text($1::text::jsonb) as name) as roles
  left join pg_index as key on key.indrelid = relid and key.indisprimary
  left join pg_index as identity on identity.indrelid = relid and identity.indisreplident
  where pubname = 'supabase_realtime'
    and exists (select from pg_trigger where tgrelid = relid and tgname = 'realtime_record_change')
    and ($2::text is null or relid in (select value::oid from jsonb_array_elements_text($2::text::jsonb)))`;

/** Reads the published tables, or those of `oids`, as each of `roles` sees them: role, then oid. */
export async function readRelations(
  database: Database,
  roles: readonly string[],
  oids?: readonly number[],
): Promise<Map<string, Map<number, Relation>>> {
  const values = [JSON.stringify(roles), oids === undefined ? null : JSON.stringify(oids)];
  const rows = await database.transaction((tx) => tx.last<RelationRow>(READ, values), { readOnly: true });
  const byRole = new Map(roles.map((role) => [role, new Map<number, Relation>()]));
  for (const { role, ...relation } of rows) byRole.get(role)?.set(relation.oid, relation);
  return byRole;
}
