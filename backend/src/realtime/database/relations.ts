import type { Database, Row } from "../../db/database.ts";

/** A column of a published table, as one role sees it. */
export interface Column {
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

const READ = `
  select relation.oid::bigint as oid, roles.name as role, published.schemaname as schema, published.tablename as table,
    relation.relrowsecurity as "isSecured",
    jsonb_agg(jsonb_build_object(
      'name', attname,
      'type', pg_type.typname,
      'isKey', attnum = any (coalesce(key.indkey::smallint[], '{}')),
      'isIdentity', case relation.relreplident when 'f' then true when 'n' then false
        when 'i' then attnum = any (coalesce(identity.indkey::smallint[], '{}'))
        else attnum = any (coalesce(key.indkey::smallint[], '{}')) end,
      'isSelectable', attname = any (published.attnames)
        and coalesce(has_schema_privilege(roles.id, relation.relnamespace, 'usage')
          and has_column_privilege(roles.id, relation.oid, attnum, 'select'), false)
    ) order by attnum) as columns
  from pg_publication_tables as published
  join pg_class as relation on relation.oid = format('%I.%I', published.schemaname, published.tablename)::regclass
  join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
  join pg_type on pg_type.oid = atttypid
  cross join (select name, to_regrole(quote_ident(name)) as id from jsonb_array_elements_text($1::text::jsonb) as name) as roles
  left join pg_index as key on key.indrelid = relation.oid and key.indisprimary
  left join pg_index as identity on identity.indrelid = relation.oid and identity.indisreplident
  where published.pubname = 'supabase_realtime'
    and exists (select from pg_trigger where tgrelid = relation.oid and tgname = 'realtime_record_change')
    and ($2::text is null or relation.oid in (select value::oid from jsonb_array_elements_text($2::text::jsonb)))
  group by relation.oid, roles.name, published.schemaname, published.tablename`;

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
