// Each query returns one JSON array.

// The types of domains; a domain may be over another domain.
const DOMAINS = `
with recursive domains as (
  select d.oid, t.oid as base from pg_type d join pg_type t on t.oid = d.typbasetype where t.typtype <> 'd'
  union all
  select d.oid, t.base from pg_type d join domains t on t.oid = d.typbasetype
)`;

// The OIDs of the schemas in $1. An array is compared while the table is read; a join would follow the subqueries of every row.
const EXPOSED = "array(select oid from pg_namespace where nspname in (select json_array_elements_text($1::text::json)))";

// format_type with -1 returns the type's own name, such as bpchar; with NULL it returns character, which means character(1).
// Casts between a domain and json or text convert the values of the API, as PostgREST's data representations.
export const RELATIONS = `
${DOMAINS}
select coalesce(json_agg(json_build_object(
    'oid', c.oid::bigint, 'schema', n.nspname, 'name', c.relname, 'kind', c.relkind,
    'description', obj_description(c.oid, 'pg_class'),
    'columns', coalesce(columns.list, '[]')
  ) order by n.nspname, c.relname), '[]')::text as rows
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
cross join lateral (
  select json_agg(json_build_object(
    'number', a.attnum, 'name', a.attname, 'type', format_type(t.oid, -1), 'baseType', format_type(coalesce(domains.base, t.oid), -1),
    'toJson', casts.to_json, 'fromJson', casts.from_json, 'fromText', casts.from_text, 'nullable', not a.attnotnull,
    'default', case
      when a.attidentity <> '' then format('nextval(%L::regclass)', pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname))
      when a.attgenerated = '' then coalesce(pg_get_expr(d.adbin, d.adrelid), pg_get_expr(t.typdefaultbin, 0)) end,
    'description', col_description(c.oid, a.attnum),
    'labels', (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = coalesce(domains.base, t.oid))
  ) order by a.attnum) as list
  from pg_attribute a
  join pg_type t on t.oid = a.atttypid
  left join domains on domains.oid = t.oid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  cross join lateral (
    select max(x.castfunc::regproc::text) filter (where x.castsource = t.oid and x.casttarget = 'json'::regtype) as to_json,
      max(x.castfunc::regproc::text) filter (where x.castsource = 'json'::regtype) as from_json,
      max(x.castfunc::regproc::text) filter (where x.castsource = 'text'::regtype) as from_text
    from pg_cast x
    where t.typtype = 'd' and t.oid in (x.castsource, x.casttarget) and x.castcontext = 'i' and x.castmethod = 'f'
  ) casts
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
) columns
where c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
  and c.relnamespace = any (${EXPOSED})`;

export const VIEWS = `
select coalesce(json_agg(json_build_object('oid', c.oid::bigint, 'query', r.ev_action::text)), '[]')::text as rows
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_rewrite r on r.ev_class = c.oid and r.ev_type = '1'
where c.relkind in ('v', 'm') and n.nspname in (select json_array_elements_text($1::text::json))`;

// Keys of every schema, because a view in an exposed schema may read tables of other schemas.
export const KEYS = `
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

export const ROUTINES = `
${DOMAINS}
select coalesce(json_agg(json_build_object(
    'oid', p.oid::bigint, 'schema', n.nspname, 'name', p.proname, 'description', obj_description(p.oid, 'pg_proc'),
    'volatility', p.provolatile, 'returnsSet', p.proretset, 'rows', p.prorows,
    'returns', format_type(p.prorettype, -1), 'returnsKind', t.typtype, 'returnsRelation', t.typrelid::bigint,
    'defaults', p.pronargdefaults, 'args', coalesce(args.list, '[]')
  ) order by n.nspname, p.proname, p.oid), '[]')::text as rows
from pg_proc p
join pg_namespace n on n.oid = p.pronamespace
left join domains on domains.oid = p.prorettype
join pg_type t on t.oid = coalesce(domains.base, p.prorettype)
cross join lateral (
  select json_agg(json_build_object(
    'name', coalesce(p.proargnames[u.position], ''), 'type', format_type(u.type, -1),
    'relation', y.typrelid::bigint, 'mode', coalesce(p.proargmodes[u.position], 'i')
  ) order by u.position) as list
  from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality u(type, position)
  join pg_type y on y.oid = u.type
) args
where p.prokind = 'f' and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
  and p.pronamespace = any (${EXPOSED})`;

// Postgres records what a view's query and a function's parsed body (`begin atomic`) refer to. The body of any other function
// is a text: only functions written in C are known to read no table.
export const READS = `
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
