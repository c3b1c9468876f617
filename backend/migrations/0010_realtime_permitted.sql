-- realtime.permitted refuses rows that it cannot judge as SELECT would.

-- Returns the positions, from 1, of the rows that the policies of a table permit to the current role: `r` to read, `a` to insert.
-- The rows need not be in the table, so the policies can be asked about a deleted row, about a row as a change left it, and about a
-- topic without messages. The conditions are those that CREATE POLICY stored, written by Postgres. Each row must have a value for each
-- column: a column that was renamed or added after the change would be null.
create or replace function realtime.permitted(relation regclass, command "char", records jsonb) returns integer[]
  language plpgsql stable set search_path = public, extensions, pg_temp
as $$
declare
  condition text;
  positions integer[];
begin
  if not row_security_active(relation) then
    return array(select generate_series(1, jsonb_array_length(records)));
  end if;
  select format('(%s) and (%s)',
      coalesce(string_agg(expression, ' or ') filter (where polpermissive), 'false'),
      coalesce(string_agg(expression, ' and ') filter (where not polpermissive), 'true'))
    into condition
  from (
    select polpermissive,
      '(' || pg_get_expr(case when command = 'a' then coalesce(polwithcheck, polqual) else polqual end, polrelid) || ')' as expression
    from pg_catalog.pg_policy
    where polrelid = relation and polcmd in (command, '*')
      and (polroles = '{0}' or exists (select from unnest(polroles) as member where pg_has_role(member, 'usage')))
  ) as policies
  where expression is not null;
  if exists (
    select from pg_catalog.pg_attribute, jsonb_array_elements(records) as record
    where attrelid = relation and attnum > 0 and not attisdropped and not record ? attname::text
  ) then
    raise exception 'the columns of % have changed', relation using errcode = 'object_not_in_prerequisite_state';
  end if;
  -- Triggers see no value of a virtual column.
  if exists (
    select from pg_catalog.pg_attribute
    where attrelid = relation and attgenerated = 'v' and (condition like '%.*%' or exists (
      select from pg_catalog.pg_depend
      join pg_catalog.pg_policy on classid = 'pg_catalog.pg_policy'::regclass and objid = pg_policy.oid
      where polrelid = relation and refclassid = 'pg_catalog.pg_class'::regclass and refobjid = relation and refobjsubid = attnum))
  ) then
    raise exception 'a policy of % uses a virtual generated column', relation using errcode = 'feature_not_supported';
  end if;
  execute format('select array_agg("realtime.position"::integer)
      from jsonb_array_elements($1) with ordinality as "realtime.given" ("realtime.record", "realtime.position")
      cross join lateral jsonb_populate_record(null::%s, "realtime.record") as %I
      where %s', relation, (select relname from pg_catalog.pg_class where oid = relation), condition)
    into positions using records;
  return coalesce(positions, '{}');
end
$$;
