import { z } from "zod";
import type { Database } from "../../db/database.ts";

const names = z.array(z.string());

const relationRow = z.object({
  oid: z.number(),
  schema: z.string(),
  name: z.string(),
  kind: z.string(),
  description: z.string().nullable(),
  columns: z.array(
    z.object({
      number: z.number(),
      name: z.string(),
      type: z.string(),
      nullable: z.boolean(),
      default: z.string().nullable(),
      writable: z.boolean(),
      description: z.string().nullable(),
      labels: names.nullable(),
    }),
  ),
  /** The stored query of a view; null for tables. */
  query: z.string().nullable(),
});

const keyRow = z.object({
  table: z.number(),
  kind: z.enum(["p", "u", "f"]),
  name: z.string(),
  columns: names,
  numbers: z.array(z.number()),
  target: z.number(),
  targetColumns: names,
  targetNumbers: z.array(z.number()),
});

const routineRow = z.object({
  oid: z.number(),
  schema: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  volatility: z.enum(["v", "s", "i"]),
  returnsSet: z.boolean(),
  rows: z.number(),
  returns: z.string(),
  returnsKind: z.string(),
  returnsRelation: z.number(),
  defaults: z.number(),
  args: z.array(z.object({ name: z.string(), type: z.string(), relation: z.number(), mode: z.string() })),
});

/** The tables that a view or function reads, `*` for those Postgres does not know. */
const readsRow = z.object({ kind: z.enum(["view", "function"]), oid: z.number(), tables: names });

export type RelationRow = z.infer<typeof relationRow>;
export type KeyRow = z.infer<typeof keyRow>;
export type RoutineRow = z.infer<typeof routineRow>;

/** The rows of Postgres's system catalogue; relations are referred to by OID. */
export interface Catalogue {
  relations: readonly RelationRow[];
  keys: readonly KeyRow[];
  routines: readonly RoutineRow[];
  reads: readonly z.infer<typeof readsRow>[];
}

/** Reads the catalogue of these schemas. Fails with a `DatabaseError`. */
export function readCatalogue(database: Database, schemas: readonly string[]): Promise<Catalogue> {
  return database.transaction(
    async (tx) => {
      // With an empty search path, every type name comes back with its schema unless it is built in.
      await tx.query("select set_config('search_path', '', true)");
      const exposed = [JSON.stringify(schemas)];
      const rowsOf = async <T>(text: string, values: readonly string[], row: z.ZodType<T>): Promise<T[]> => {
        const [found] = await tx.query(text, values);
        return z.array(row).parse(JSON.parse(String(found?.["rows"])));
      };
      const [relations, keys, routines, reads] = await Promise.all([
        rowsOf(RELATIONS, exposed, relationRow),
        rowsOf(KEYS, [], keyRow),
        rowsOf(ROUTINES, exposed, routineRow),
        rowsOf(READS, exposed, readsRow),
      ]);
      return { relations, keys, routines, reads };
    },
    { readOnly: true },
  );
}

// format_type with -1 returns the type's own name, such as bpchar; with NULL it returns character, which means character(1).
const RELATIONS = `
select coalesce(json_agg(json_build_object(
    'oid', c.oid::bigint, 'schema', n.nspname, 'name', c.relname, 'kind', c.relkind,
    'description', obj_description(c.oid, 'pg_class'),
    'columns', coalesce(columns.list, '[]'),
    'query', case when c.relkind in ('v', 'm') then (select ev_action::text from pg_rewrite where ev_class = c.oid and ev_type = '1') end
  ) order by n.nspname, c.relname), '[]')::text as rows
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
cross join lateral (
  select json_agg(json_build_object(
    'number', a.attnum, 'name', a.attname, 'type', format_type(a.atttypid, -1), 'nullable', not a.attnotnull,
    'default', case
      when a.attidentity <> '' then format('nextval(%L::regclass)', pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname))
      when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end,
    'writable', a.attgenerated = '' and a.attidentity <> 'a',
    'description', col_description(c.oid, a.attnum),
    'labels', (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = a.atttypid)
  ) order by a.attnum) as list
  from pg_attribute a
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
) columns
where c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
  and n.nspname in (select json_array_elements_text($1::text::json))`;

// Keys of every schema, because a view in an exposed schema may read tables of other schemas.
const KEYS = `
select coalesce(json_agg(json_build_object(
    'table', k.conrelid::bigint, 'kind', k.contype, 'name', k.conname,
    'columns', (select json_agg(a.attname order by u.position)
      from unnest(k.conkey) with ordinality u(number, position) join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number),
    'numbers', k.conkey, 'target', k.confrelid::bigint, 'targetNumbers', coalesce(k.confkey, '{}'),
    'targetColumns', coalesce((select json_agg(a.attname order by u.position)
      from unnest(k.confkey) with ordinality u(number, position) join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.number), '[]')
  ) order by k.conname), '[]')::text as rows
from pg_constraint k
join pg_namespace n on n.oid = k.connamespace
where k.contype in ('p', 'u', 'f') and k.conparentid = 0 and n.nspname not in ('pg_catalog', 'information_schema')`;

const ROUTINES = `
select coalesce(json_agg(json_build_object(
    'oid', p.oid::bigint, 'schema', n.nspname, 'name', p.proname, 'description', obj_description(p.oid, 'pg_proc'),
    'volatility', p.provolatile, 'returnsSet', p.proretset, 'rows', p.prorows,
    'returns', format_type(p.prorettype, -1), 'returnsKind', t.typtype, 'returnsRelation', t.typrelid::bigint,
    'defaults', p.pronargdefaults, 'args', coalesce(args.list, '[]')
  ) order by n.nspname, p.proname, p.oid), '[]')::text as rows
from pg_proc p
join pg_namespace n on n.oid = p.pronamespace
join pg_type t on t.oid = p.prorettype
cross join lateral (
  select json_agg(json_build_object(
    'name', coalesce(p.proargnames[u.position], ''), 'type', format_type(u.type, -1),
    'relation', y.typrelid::bigint, 'mode', coalesce(p.proargmodes[u.position], 'i')
  ) order by u.position) as list
  from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality u(type, position)
  join pg_type y on y.oid = u.type
) args
where p.prokind = 'f' and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
  and n.nspname in (select json_array_elements_text($1::text::json))`;

// Postgres records what a view's query and a function's parsed body (`begin atomic`) refer to. The body of any other function
// is a text: only functions written in C are known to read no table.
const READS = `
with recursive roots as (
  select 'pg_class'::regclass as class, c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('v', 'm') and n.nspname in (select json_array_elements_text($1::text::json))
  union all
  select 'pg_proc', p.oid from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where p.prokind = 'f' and n.nspname in (select json_array_elements_text($1::text::json))
), edges as materialized (
  select 'pg_class'::regclass as class, r.ev_class as oid, d.refclassid as used_class, d.refobjid as used
  from pg_rewrite r join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
  where r.ev_type = '1'
  union
  select d.classid, d.objid, d.refclassid, d.refobjid from pg_depend d where d.classid = 'pg_proc'::regclass
), reached as (
  select class, oid, class as used_class, oid as used from roots
  union
  select r.class, r.oid, e.used_class, e.used from reached r join edges e on e.class = r.used_class and e.oid = r.used
)
select coalesce(json_agg(found), '[]')::text as rows from (
  select case when r.class = 'pg_class'::regclass then 'view' else 'function' end as kind, r.oid::bigint as oid,
    coalesce(json_agg(distinct used.name) filter (where used.name is not null), '[]') as tables
  from reached r
  cross join lateral (
    select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where r.used_class = 'pg_class'::regclass and c.oid = r.used and c.relkind in ('r', 'p', 'f')
    union all
    select '*' from pg_proc p join pg_language l on l.oid = p.prolang
    where r.used_class = 'pg_proc'::regclass and p.oid = r.used and p.prosqlbody is null and l.lanname not in ('internal', 'c')
  ) used(name)
  group by r.class, r.oid
) found`;
